"""What a learning session takes from responses and items."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_stemmer import Page, learn
from scrapy_stemmer.crawl import spidermiddleware
from scrapy_stemmer.crawl.learning_session import LearningSession
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from scrapy_stemmer.learners.base import BUILT_IN
from tests.crawl.conftest import Crawler, idle_crawler
from tests.crawl.website import Article, Website

SITE = "http://example.com"


def response(number: int) -> HtmlResponse:
    url = f"{SITE}/{number}"
    html = Article(number).html() + "<a href='/other'>Other</a>"
    return HtmlResponse(url, body=html, encoding="utf-8", request=Request(url))


def make(folder: Path, **settings: Any) -> StemmerSpiderMiddleware:
    """The middleware of a crawl that learns."""
    crawler = idle_crawler(
        STEMMER_PATTERNS=str(folder / "p.jsonl"), STEMMER_STATE_DIR=str(folder), STEMMER_LEARN=True, **settings
    )
    crawler.engine = SimpleNamespace()
    return StemmerSpiderMiddleware(crawler)


def session_of(found: StemmerSpiderMiddleware) -> LearningSession:
    assert found._session is not None
    return found._session


def numbers(found: StemmerSpiderMiddleware, query: str) -> int:
    return session_of(found)._spool._number(query)


@pytest.mark.parametrize("learner", sorted(BUILT_IN))
def test_the_texts_of_links_are_collected_for_every_learner(tmp_path: Path, learner: str) -> None:
    found = make(tmp_path, STEMMER_LEARNER=learner)
    found.process_spider_input(response(1))
    assert numbers(found, "SELECT count(*) FROM pages") == 1
    assert numbers(found, "SELECT count(*) FROM anchors") > 0


def test_pages_of_sites_that_are_known_cost_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(5)]).save(str(tmp_path / "p.jsonl"))
    found = make(tmp_path, STEMMER_LEARNER="layout")
    monkeypatch.setattr(spidermiddleware, "why_skipped", lambda *_: pytest.fail("the page is looked at"))
    found.process_spider_input(response(1))
    assert numbers(found, "SELECT count(*) FROM pages") == 0


def test_a_page_is_kept_once_for_the_sample_and_its_items(tmp_path: Path) -> None:
    found, page = make(tmp_path), response(1)
    found.process_spider_input(page)
    assert not found._passes({"url": 1}, page)
    assert not found._passes({"url": 2}, page)
    assert numbers(found, "SELECT count(*) FROM pages") == 1
    assert numbers(found, "SELECT count(*) FROM items") == 2


WALL = "<html><body><div class=wall id=w{}><p>We value your privacy: accept all cookies.</p></div></body></html>"
"""Another one on each page, which says the same."""


def test_a_sample_of_walls_is_topped_up_by_later_pages(crawl: Crawler, website: Website) -> None:
    """Learned from the walls alone, the site would have no pattern, and its items no text."""
    website.add_articles(8)
    for number in range(4):
        website.add(f"/wall/{number}.html", WALL.format(number))
    urls = [website.url(f"/wall/{number}.html") for number in range(4)]
    urls += [website.url(f"/article/{number}.html") for number in range(8)]
    done = crawl("plain", *urls, STEMMER_LEARN=True, STEMMER_SAMPLE_SIZE=4, STEMMER_MIN_SAMPLE=3, CONCURRENT_REQUESTS=1)
    assert done.stats["stemmer/domains/topped_up"] == 1
    assert done.stats["stemmer/domains/learned"] == 1
    assert done.stats["stemmer/pages/sampled"] == 8
    for number in range(8):
        item = done.by_url[website.url(f"/article/{number}.html")]
        assert item["stemmer_matched"] is True
        assert item["text"].split("\n")[-3:] == Article(number).body


def test_a_site_of_walls_is_learned_when_nothing_else_comes(crawl: Crawler, website: Website) -> None:
    for number in range(6):
        website.add(f"/wall/{number}.html", WALL.format(number))
    urls = [website.url(f"/wall/{number}.html") for number in range(6)]
    done = crawl("plain", *urls, STEMMER_LEARN=True, STEMMER_SAMPLE_SIZE=4, STEMMER_MIN_SAMPLE=3)
    assert done.stats["stemmer/domains/empty"] == 1
    assert [item["stemmer_matched"] for item in done.items] == [False] * 6
