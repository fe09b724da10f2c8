"""Real crawls of scrapy-redis with serialised requests in a real Redis server; the spiders never end."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import processes
from tests.crawl.test_waiting_crawls import until
from tests.crawl.website import Article, Website, links_to
from tests.stores import servers

pytest.importorskip("scrapy_redis", reason="scrapy-redis is not installed")

PAGES = 3
"""Of each small site."""


@pytest.fixture(scope="module")
def server() -> Iterator[servers.Server]:
    with servers.redis_server() as found:
        yield found


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


class Crawl:
    """A crawl that stays open."""

    def __init__(self, folder: Path, server: servers.Server, **settings: Any) -> None:
        import redis

        self.redis = redis.Redis(port=server.port)
        self.redis.flushall()
        self.folder = folder
        given = {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            "FEEDS": {str(folder / "items.jsonl"): {"format": "jsonlines"}},
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "REDIS_PORT": server.port,
            "STEMMER_FIELDS": ["matched"],
            "STEMMER_LEARN": True,
            "STEMMER_PATTERNS": str(folder / "patterns.jsonl"),
            "STEMMER_STATE_DIR": str(folder / "state"),
            "TELNETCONSOLE_ENABLED": False,
            **settings,
        }
        from tests.crawl.redis_spider import main

        self.process = processes.start(main, given, out=folder / "log.txt")

    def add(self, *urls: str) -> None:
        self.redis.lpush("urls", *urls)

    @property
    def log(self) -> str:
        return (self.folder / "log.txt").read_text()

    def wait_for(self, items: int) -> None:
        """Wait until so many items have come out, while the spider stays open."""
        until(lambda: self.log.count("Scraped from") >= items)
        assert self.process.process.is_alive()

    def stop(self) -> dict[str, dict[str, Any]]:
        """Stop it as people do; the items by URL."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait() == 0, self.log
        items = [json.loads(line) for line in (self.folder / "items.jsonl").read_text().splitlines()]
        found = {item["url"]: item for item in items}
        assert len(found) == len(items), "an item came twice"
        for told in (" ERROR: ", "Traceback"):
            assert told not in self.log, self.log
        return found


@pytest.mark.parametrize("hold", [True, False])
def test_all_items_come_out_while_the_spider_stays_open(
    tmp_path: Path, server: servers.Server, website: Website, hold: bool
) -> None:
    hosts = [f"127.0.0.{number}" for number in range(2, 10)]
    crawl = Crawl(tmp_path, server, STEMMER_HOLD=hold)
    crawl.add(*(website.url("/first", host) for host in hosts))
    crawl.wait_for(len(hosts) * (PAGES + 1))
    crawl.add(*(website.url("/second", host) for host in hosts))
    crawl.wait_for(2 * len(hosts) * (PAGES + 1))
    items = crawl.stop()
    assert len(items) == 2 * len(hosts) * (PAGES + 1)
    for host in hosts:
        for number in range(2 * PAGES):
            item = items[website.url(f"/article/{number}.html", host)]
            assert set(item["text"].splitlines()) >= set(Article(number).body), item
            assert item["stemmer_matched"] or not hold


def test_a_site_of_which_requests_are_left_in_redis_comes_out_when_it_has_waited(
    tmp_path: Path, server: servers.Server, website: Website
) -> None:
    """The crawl is never idle."""
    for number in range(20):
        website.add(f"/slow/{number}", Article(number).html(), seconds=1)
    settings = {"CONCURRENT_REQUESTS": 1, "STEMMER_MAX_WAIT": 4, "STEMMER_SAMPLE_SIZE": 50}
    crawl = Crawl(tmp_path, server, LOG_LEVEL="DEBUG", **settings)
    crawl.add(*(website.url(f"/slow/{number}") for number in range(20)))
    crawl.wait_for(3)
    assert crawl.log.count("Crawled (200)") < 20
    crawl.wait_for(20)
    assert len(crawl.stop()) == 20
