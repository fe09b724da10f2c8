"""What a learning session takes from responses and items."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_stemmer import Page, learn
from scrapy_stemmer.crawl import items, spidermiddleware
from scrapy_stemmer.crawl.learning_session import LearningSession
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from scrapy_stemmer.learners.base import BUILT_IN
from tests.crawl.conftest import idle_crawler
from tests.crawl.website import Article

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


def test_items_of_a_sampled_page_wait_for_it_without_a_look_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = make(tmp_path, STEMMER_SAMPLE_SIZE=3)
    asked: list[str] = []
    spool = session_of(found)._spool
    add_page = spool.add_page

    def noted(site: str, url: str, *more: Any, **by: Any) -> int:
        asked.append(url)
        return add_page(site, url, *more, **by)

    monkeypatch.setattr(spool, "add_page", noted)
    sampled, again = response(1), response(1)
    for page in (sampled, again):
        found.process_spider_input(page)
        assert found._hold({"url": page.url}, page)
    # The second one is not in the sample, so it asks when it comes and when its item waits.
    assert asked == [sampled.url] * 3
    assert numbers(found, "SELECT count(DISTINCT page) FROM items") == 1


def test_a_page_is_kept_and_hashed_once_for_the_sample_and_its_items(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[bytes] = []
    digest_of = items.digest_of
    monkeypatch.setattr(items, "digest_of", lambda content: hashed.append(content) or digest_of(content))
    found, page = make(tmp_path), response(1)
    found.process_spider_input(page)
    assert found._hold({"url": 1}, page)
    assert found._hold({"url": 2}, page)
    assert numbers(found, "SELECT count(*) FROM pages") == 1
    assert numbers(found, "SELECT count(*) FROM items") == 2
    assert hashed == [page.body]
