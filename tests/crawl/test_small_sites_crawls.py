"""Real crawls of many sites: each comes out when it is finished, or has waited for long enough, not at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Article, Website, links_to

RULES = {"STEMMER_LEARNER": "rules", **LEARN}

SLOW = "/slow.html"
"""A page that keeps the crawl going for some seconds."""


@pytest.fixture
def website() -> Iterator[Website]:
    """Each address of this machine is a site of its own."""
    with Website("0.0.0.0") as found:
        found.add(SLOW, Article(999).html(), seconds=6)
        yield found


def host(number: int) -> str:
    return f"127.0.{number // 200}.{2 + number % 200}"


def urls_of(website: Website, sites: int, pages: int, first: int = 0) -> list[str]:
    """Pages of so many small sites, one site after the other."""
    for number in range(pages):
        website.add(f"/article/{number}.html", Article(number).html())
    hosts = [host(number) for number in range(first, first + sites)]
    return [website.url(f"/article/{number}.html", each) for each in hosts for number in range(pages)]


def when(done: Crawl, told: str) -> list[float]:
    """The times of the lines of the log with something in them."""
    pattern = rf"^(\S+ \S+) \[[^\n]*{re.escape(told)}"
    return [datetime.fromisoformat(each).timestamp() for each in re.findall(pattern, done.log, re.MULTILINE)]


def came_out(done: Crawl, url: str) -> float:
    (found,) = when(done, f"Scraped from <200 {url}>")
    return found


def seconds_before_the_end(done: Crawl, urls: list[str]) -> list[float]:
    """For each item how long before the last page came."""
    (last,) = when(done, f"{SLOW}> (referer")
    return [last - came_out(done, url) for url in urls]


def assert_is_text_of(item: dict[str, Any], number: int) -> None:
    assert set(item["text"].splitlines()) >= set(Article(number).body), item


def test_small_sites_come_out_while_the_crawl_goes_on(crawl: Crawler, website: Website) -> None:
    urls = urls_of(website, 12, 4)
    done = crawl("plain", website.url(SLOW), *urls, **RULES)
    assert all(seconds > 1 for seconds in seconds_before_the_end(done, urls))
    assert done.stats["stemmer/domains/learned"] == 12
    for url in urls:
        assert done.by_url[url]["stemmer_matched"] is True
        assert_is_text_of(done.by_url[url], urls.index(url) % 4)


@pytest.mark.parametrize("pages", [1, 2])
def test_sites_too_small_to_be_learned_are_stripped_by_the_scorer(crawl: Crawler, website: Website, pages: int) -> None:
    urls = urls_of(website, 8, pages)
    done = crawl("plain", website.url(SLOW), *urls, **RULES)
    assert all(seconds > 1 for seconds in seconds_before_the_end(done, urls))
    assert "stemmer/domains/learned" not in done.stats
    assert done.stats["stemmer/domains/unlearned"] == 9
    (told,) = re.findall(r"Fewer than 3 pages that differ .* by the scorer alone: (.*)", done.log)
    assert {*told.split(", ")} >= {urlsplit(url).netloc for url in urls}
    for url in urls:
        item = done.by_url[url]
        assert (item["stemmer_matched"], item["stemmer_pattern"]) == (False, None)
        assert_is_text_of(item, urls.index(url) % pages)


class TestBounds:
    """A site of which requests are always queued, so that it is never finished before the end."""

    def start(self, crawl: Crawler, website: Website, **settings: Any) -> tuple[Crawl, list[str]]:
        urls = urls_of(website, 1, 16)
        given = {"CONCURRENT_REQUESTS": 1, "STEMMER_SAMPLE_SIZE": 100, **settings}
        return crawl("plain", *urls, **RULES, **given), urls

    def test_without_them_all_wait_to_the_end(self, crawl: Crawler, website: Website) -> None:
        done, urls = self.start(crawl, website, DOWNLOAD_DELAY=0.3)
        (last,) = when(done, f"Crawled (200) <GET {urls[-1]}>")
        assert min(came_out(done, url) for url in urls) >= last

    def test_an_item_waits_for_so_many_seconds_at_most(self, crawl: Crawler, website: Website) -> None:
        done, urls = self.start(crawl, website, DOWNLOAD_DELAY=0.4, STEMMER_MAX_WAIT=2)
        (first,) = when(done, f"Crawled (200) <GET {urls[0]}>")
        assert came_out(done, urls[0]) - first < 5
        assert all(item["stemmer_matched"] for item in done.items)

    def test_a_site_is_quiet_when_nothing_has_come_for_so_long(self, crawl: Crawler, website: Website) -> None:
        """A request is queued, but its turn comes late: other pages are asked for first."""
        urls = urls_of(website, 1, 4)
        website.add("/last.html", Article(50).html())
        other = [website.url(f"/other/{number}.html", "127.0.3.3") for number in range(10)]
        for number in range(10):
            website.add(f"/other/{number}.html", Article(100 + number).html(), seconds=0.5)
        start = [*urls, *other, website.url("/last.html", host(0))]
        settings: dict[str, Any] = {
            "CONCURRENT_REQUESTS": 1,
            "STEMMER_SAMPLE_SIZE": 8,
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",  # the default one takes sites in turn
        }
        done = crawl("one_by_one", *start, STEMMER_QUIET=1, **settings, **RULES)
        (last,) = when(done, f"Crawled (200) <GET {start[-1]}>")
        assert all(last - came_out(done, url) > 1 for url in urls)
        assert all(item["stemmer_matched"] for url, item in done.by_url.items() if url in urls)

    def test_no_more_items_wait_than_that(self, crawl: Crawler, website: Website) -> None:
        done, urls = self.start(crawl, website, DOWNLOAD_DELAY=0.3, STEMMER_MAX_HELD=5)
        (last,) = when(done, f"Crawled (200) <GET {urls[-1]}>")
        early = [url for url in urls if came_out(done, url) < last]
        assert len(early) >= 6
        assert all(item["stemmer_matched"] for item in done.items)


def test_a_site_that_was_learned_early_is_learned_again_when_its_sample_is_full(
    crawl: Crawler, website: Website
) -> None:
    """The index comes first, then five articles, and after a pause the other ones."""
    for number in range(12):
        website.add(f"/article/{number}.html", Article(number).html(), seconds=0.1)
    first = {f"/article/{number}.html": "first" for number in range(5)}
    later = {f"/article/{number}.html": "later" for number in range(5, 12)}
    website.add("/", f"<html><body>{links_to({**first, '/more': 'more'})}</body></html>")
    website.add("/more", f"<html><body>{links_to(later)}</body></html>", seconds=8)
    start = website.url("/")
    settings: dict[str, Any] = {"STEMMER_SAMPLE_SIZE": 10, "STEMMER_MAX_WAIT": 2}
    done = crawl("plain", start, **settings, **RULES)
    assert done.stats["stemmer/domains/learned"] == 1
    assert done.log.count("Learned 127.0.0.1") == 2
    assert re.search(r"Learned \S+ early: 1 pattern from 6 pages", done.log)
    assert re.search(r"Learned \S+: 1 pattern from 10 pages", done.log)
    (pattern,) = done.patterns.patterns
    assert pattern.support > 6
    assert len(done.by_url) == 14
    for number in range(12):
        item = done.by_url[website.url(f"/article/{number}.html")]
        assert item["stemmer_matched"] is True
        assert_is_text_of(item, number)
    assert done.stats["stemmer/held/total"] <= 7, "once it is learned nobody waits"
