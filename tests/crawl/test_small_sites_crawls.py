"""Real crawls of many sites: each comes out when it is finished, or has waited for long enough, not at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Article, Website, links_to

RULES = {"STEMMER_LEARNER": "rules", **LEARN}

LAST = "/last.html"
"""A page answered after an event, which keeps the crawl going until then."""


WALL = (
    "<title>Consent</title><h1>Before you go on</h1><p>We and our partners use cookies. Accept all cookies?</p>"
    "<button>Accept all</button><button>Reject all</button>"
)

IN_ORDER = {"SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue"}
"""Requests go by priority alone; by default sites have their turns."""


@pytest.fixture
def website() -> Iterator[Website]:
    """Each address of this machine is a site of its own."""
    with Website("0.0.0.0") as found:
        yield found


def add_last(website: Website, crawl: Crawler, path: str = LAST, html: str = Article(999).html(), **told: int) -> None:
    """Serve a page when the log of the crawl has told some things so many times: ``Learned=1``."""
    conditions = [crawl.logged(f" {what} ", count) for what, count in told.items()]
    website.add(path, html, when=lambda: all(has_happened() for has_happened in conditions))


def host(number: int) -> str:
    return f"127.0.{number // 200}.{2 + number % 200}"


def urls_of(website: Website, sites: int, pages: int, first: int = 0) -> list[str]:
    """Return pages of a number of small sites, site after site."""
    for number in range(pages):
        website.add(f"/article/{number}.html", Article(number).html())
    hosts = [host(number) for number in range(first, first + sites)]
    return [website.url(f"/article/{number}.html", each) for each in hosts for number in range(pages)]


def come_before(done: Crawl, last: str, urls: list[str]) -> list[str]:
    """The URLs of the items that have come out before a page."""
    before = done.log.partition(f"Crawled (200) <GET {last}>")[0]
    return [url for url in urls if f"Scraped from <200 {url}>" in before]


def assert_is_text_of(item: dict[str, Any], number: int) -> None:
    assert set(item["text"].splitlines()) >= set(Article(number).body), item


def test_small_sites_come_out_early_and_too_small_ones_are_named(crawl: Crawler, website: Website) -> None:
    """Sites of walls alone are too small, too."""
    urls, few = urls_of(website, 8, 4), urls_of(website, 4, 2, first=8)
    for number in range(4):
        website.add(f"/wall/{number}.html", WALL)
    walls = [website.url(f"/wall/{number}.html", host(12)) for number in range(4)]
    add_last(website, crawl, Scraped=len(urls) + len(few) + len(walls))
    done = crawl("plain", website.url(LAST), *urls, *few, *walls, **RULES)
    assert come_before(done, website.url(LAST), [*urls, *few]) == [*urls, *few]
    for pages, each in [(4, url) for url in urls] + [(2, url) for url in few]:
        item = done.by_url[each]
        is_learned = pages == 4
        assert (item["stemmer_matched"], item["stemmer_pattern"]) == (is_learned, "site" if is_learned else None)
        assert_is_text_of(item, (urls if is_learned else few).index(each) % pages)
    assert (done.stats["stemmer/sites/learned"], done.stats["stemmer/sites/unlearned"]) == (8, 6)
    (told,) = re.findall(r"Fewer than 3 pages that differ .* by the scorer alone: (.*)", done.log)
    assert {*told.split(", ")} >= {urlsplit(url).netloc for url in (*few, *walls)}
    assert {done.by_url[url]["stemmer_reason"] for url in walls} == {"consent"}


class TestBounds:
    """Bounds of waiting, on a site with queued requests to the end. On a slow machine the first items may have the
    scorer's text."""

    def start(self, crawl: Crawler, website: Website, **settings: Any) -> tuple[Crawl, list[str]]:
        """Start a crawl and return its URLs; the last is :data:`LAST`, if given."""
        urls = urls_of(website, 1, 15)
        website.answers.setdefault(LAST, website.answers["/article/0.html"])
        urls.append(website.url(LAST, host(0)))
        given = {"CONCURRENT_REQUESTS": 1, "STEMMER_SAMPLE_SIZE": 100, **IN_ORDER, **settings}
        done = crawl("one_by_one", *urls, **RULES, **given)
        for number, url in enumerate(urls[:-1]):
            assert_is_text_of(done.by_url[url], number)
        return done, urls

    def test_an_item_waits_for_so_many_seconds_at_most(self, crawl: Crawler, website: Website) -> None:
        add_last(website, crawl, Scraped=1, Learned=1)
        done, urls = self.start(crawl, website, STEMMER_MAX_WAIT=2)
        assert urls[0] in come_before(done, urls[-1], urls)
        assert done.by_url[urls[-1]]["stemmer_matched"]

    def test_a_site_is_quiet_when_nothing_has_come_for_so_long(self, crawl: Crawler, website: Website) -> None:
        """A request is queued, but its turn comes late: a page of another site is asked for first."""
        urls = urls_of(website, 1, 4)
        website.add("/late.html", Article(50).html())
        add_last(website, crawl, Scraped=4)
        other, late = website.url(LAST, "127.0.3.3"), website.url("/late.html", host(0))
        given = {"CONCURRENT_REQUESTS": 1, "STEMMER_SAMPLE_SIZE": 8, "STEMMER_QUIET": 2, **IN_ORDER}
        done = crawl("one_by_one", *urls, other, late, **given, **RULES)
        assert come_before(done, other, urls) == urls
        assert all(done.by_url[url]["stemmer_matched"] for url in urls)

    def test_no_more_items_wait_than_that(self, crawl: Crawler, website: Website) -> None:
        add_last(website, crawl, Scraped=6, Learned=1)
        done, urls = self.start(crawl, website, STEMMER_MAX_HELD=5)
        assert len(come_before(done, urls[-1], urls)) >= 6
        assert done.by_url[urls[-1]]["stemmer_matched"]


def test_a_site_learned_early_is_learned_again(crawl: Crawler, website: Website) -> None:
    """The index comes first, then five articles, and the rest once these are out."""
    for number in range(12):
        website.add(f"/article/{number}.html", Article(number).html(), seconds=0.1)
    first = {f"/article/{number}.html": "first" for number in range(5)}
    later = {f"/article/{number}.html": "later" for number in range(5, 12)}
    website.add("/", f"<html><body>{links_to({**first, '/more': 'more'})}</body></html>")
    add_last(website, crawl, "/more", f"<html><body>{links_to(later)}</body></html>", Scraped=6, Learned=1)
    start = website.url("/")
    settings: dict[str, Any] = {"STEMMER_SAMPLE_SIZE": 10, "STEMMER_MAX_WAIT": 2}
    done = crawl("plain", start, **settings, **RULES)
    assert done.stats["stemmer/sites/learned"] == 1
    assert done.log.count("Learned 127.0.0.1") == 2
    assert re.search(r"Learned \S+ early: 1 pattern from [3-6] pages", done.log)
    assert re.search(r"Learned \S+: 1 pattern from 10 pages", done.log)
    (pattern,) = done.patterns.patterns
    assert pattern.support > 6
    assert len(done.by_url) == 14
    for number in range(12):
        item = done.by_url[website.url(f"/article/{number}.html")]
        assert item["stemmer_matched"] or number < 5
        assert_is_text_of(item, number)
    assert done.stats["stemmer/held/total"] <= 7, "once it is learned nobody waits"
