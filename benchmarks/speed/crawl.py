"""A crawl in its own process: ``python -m benchmarks.speed.crawl JOB.json`` prints its measurements as JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import default_settings

from scrapy_stemmer.crawl.stats import Stat

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

TICK = 0.005  # seconds between two looks at the clock

SETTINGS: dict[str, Any] = {
    "LOG_LEVEL": "ERROR",
    "LOG_INSTALL_ROOT_HANDLER": False,
    "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "COOKIES_ENABLED": False,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
}


class PagesSpider(scrapy.Spider):
    """Spider that reads title and headings of each page, yields them, and follows links to the page's own host.

    :param urls: the first pages.
    :param allow: the links to follow.
    """

    name = "pages"

    def __init__(self, urls: list[str], allow: str = "", **more: Any) -> None:
        super().__init__(**more)
        self.start_urls = urls
        self._links = LinkExtractor(allow=allow or ())

    def parse(self, response: Response) -> Iterator[dict[str, Any] | scrapy.Request]:
        """An item of the page, and requests."""
        if not isinstance(response, HtmlResponse):
            return
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "headings": response.css("h1::text, h2::text").getall(),
        }
        host = response.url.split("/", 3)[2]
        for link in self._links.extract_links(response):
            if link.url.split("/", 3)[2] == host:
                yield response.follow(link)


class IdleSpider(scrapy.Spider):
    """Spider that yields an item for each page and reads none, so that only the extension keeps the event loop.

    :param urls: the pages.
    """

    name = "idle"

    def __init__(self, urls: list[str], **more: Any) -> None:
        super().__init__(**more)
        self.start_urls = urls

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        """An item of the page."""
        yield {"url": response.url}


class Watch:
    """Measures how late the event loop is, and when the crawl begins and ends."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.began = self.ended = self.computed = 0.0
        self.latest = self.latest_learning = 0.0
        self._task: asyncio.Task[None] | None = None
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._stopped, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Called by Scrapy."""
        extension = cls(crawler)
        crawler.watch = extension  # type: ignore[attr-defined]
        return extension

    def _opened(self) -> None:
        self.began, self.computed = time.perf_counter(), -time.process_time()
        if self._crawler.settings.getbool("BENCH_WATCH"):
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def _stopped(self) -> None:
        self.ended = time.perf_counter()
        self.computed += time.process_time()
        if self._task:
            self._task.cancel()

    async def _watch(self) -> None:
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            late = time.perf_counter() - due
            self.latest = max(self.latest, late)
            if self._learning():
                self.latest_learning = max(self.latest_learning, late)

    def _learning(self) -> bool:
        """Return True while the site of the crawl has all its pages and is not learned yet."""
        stats, settings = self._crawler.stats, self._crawler.settings
        assert stats is not None
        full: bool = stats.get_value(Stat.PAGES_SAMPLED, 0) >= settings.getint("STEMMER_SAMPLE_SIZE", 20)
        return full and not stats.get_value(Stat.SITES_LEARNED, 0)


def crawl(job: dict[str, Any]) -> dict[str, Any]:
    """Run a crawl.

    :param job: ``urls``, ``allow`` (of links; ``None`` for an :class:`IdleSpider`), ``settings``, and ``proxy``, the
        address of a proxy or "".
    """
    if job["proxy"]:
        os.environ["http_proxy"] = job["proxy"]
    settings = {**SETTINGS, "EXTENSIONS": {Watch: 0}, **job["settings"]}
    older = {} if hasattr(default_settings, "LOG_INSTALL_ROOT_HANDLER") else {"install_root_handler": False}
    process = CrawlerProcess(settings, **older)
    logging.getLogger("scrapy").setLevel(logging.ERROR)
    crawler = process.create_crawler(IdleSpider if job["allow"] is None else PagesSpider)
    process.crawl(crawler, urls=job["urls"], allow=job["allow"])
    process.start()
    assert crawler.stats is not None
    stats, watch = crawler.stats.get_stats(), crawler.watch  # type: ignore[attr-defined]
    return {
        "seconds": watch.ended - watch.began,
        "computed": watch.computed,
        "late": watch.latest,
        "late_learning": watch.latest_learning,
        "items": stats.get("item_scraped_count", 0),
        "errors": stats.get("log_count/ERROR", 0),
        "matched": stats.get(Stat.ITEMS_MATCHED, 0),
        "learned": stats.get(Stat.SITES_LEARNED, 0),
    }


if __name__ == "__main__":
    print(json.dumps(crawl(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
