"""Real crawls of scrapy-redis with serialised requests in a real Redis server; the spiders never end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Article, Website, links_to
from tests.processes import until
from tests.stores import servers

pytest.importorskip("scrapy_redis", reason="scrapy-redis is not installed")

PAGES = 3
"""Of each small site."""


@pytest.fixture
def website() -> Iterator[Website]:
    """Serve each address of this machine as a site with a start page and articles."""
    with Website("0.0.0.0") as found:
        for number in range(30):
            found.add(f"/article/{number}.html", Article(number).html())
        for name, first in (("first", 0), ("second", PAGES)):
            links = {f"/article/{number}.html": "one" for number in range(first, first + PAGES)}
            found.add(f"/{name}", Article(100 + first).html(links_to(links)))
        yield found


class Open:
    """A crawl that stays open, and takes URLs from a list in Redis."""

    def __init__(self, crawler: Crawler, server: servers.Server, **settings: Any) -> None:
        import redis

        self.urls, self.crawler = redis.Redis(port=server.port), crawler
        given = {
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "REDIS_PORT": server.port,
            "STEMMER_LEARNER": "rules",
            "STEMMER_FIELDS": ["matched"],
            **LEARN,
            **settings,
        }
        self.process = crawler.start("tests.crawl.redis_spider.Following", **given)

    def add(self, *urls: str) -> None:
        self.urls.lpush("urls", *urls)

    def wait_for(self, items: int) -> None:
        """Wait until so many items have come out, while the spider stays open."""
        until(self.crawler.logged("Scraped from", items))
        assert self.process.process.is_alive()

    def stop(self) -> Crawl:
        """Stop it as people do."""
        self.process.send_signal(signal.SIGINT)
        return self.crawler.wait(self.process)


@pytest.fixture
def server() -> Iterator[servers.Server]:
    with servers.redis_server() as found:
        yield found


def test_items_come_out_of_an_open_spider(crawl: Crawler, server: servers.Server, website: Website) -> None:
    hosts = [f"127.0.0.{number}" for number in range(2, 10)]
    opened = Open(crawl, server)
    opened.add(*(website.url("/first", host) for host in hosts))
    opened.wait_for(len(hosts) * (PAGES + 1))
    opened.add(*(website.url("/second", host) for host in hosts))
    opened.wait_for(2 * len(hosts) * (PAGES + 1))
    items = opened.stop().by_url
    assert len(items) == 2 * len(hosts) * (PAGES + 1)
    for host in hosts:
        for number in range(2 * PAGES):
            item = items[website.url(f"/article/{number}.html", host)]
            assert set(item["text"].splitlines()) >= set(Article(number).body), item
            assert item["stemmer_matched"]


def test_requests_in_redis_hold_items_so_long(crawl: Crawler, server: servers.Server, website: Website) -> None:
    """The crawl is never idle."""
    for number in range(20):
        website.add(f"/page/{number}", Article(number).html())
    have_come_out = website.hold_after(4)
    opened = Open(crawl, server, CONCURRENT_REQUESTS=1, STEMMER_MAX_WAIT=4, STEMMER_SAMPLE_SIZE=50)
    opened.add(*(website.url(f"/page/{number}") for number in range(20)))
    opened.wait_for(3)
    have_come_out.set()
    opened.wait_for(20)
    assert len(opened.stop().by_url) == 20
