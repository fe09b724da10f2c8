"""The spider middleware: collects pages and links, lets items wait, and lets them go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider

from scrapy_stemmer.crawl.carrier import Carriers
from scrapy_stemmer.crawl.collector import Collector
from scrapy_stemmer.crawl.compat import breathe, is_closing
from scrapy_stemmer.crawl.items import is_item
from scrapy_stemmer.crawl.names import Stat
from scrapy_stemmer.crawl.reporting import report
from scrapy_stemmer.crawl.state import CrawlState

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_stemmer.crawl.waiting import Released


class StemmerSpiderMiddleware:
    """Shows each response to the collector, and each item: it passes with its page noted down, or it waits.

    Items that have waited come out in the output of whatever response comes along, or in that of a request of our
    own when the crawl is idle. They pass the spider middlewares on Scrapy's side of this one only then, so each
    middleware sees each item once.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._state = CrawlState.of(crawler)
        self._collector = Collector(crawler, self._state)
        self._carriers = Carriers(crawler, self._collector, self._register)
        crawler.signals.connect(self._collector.opened, signal=signals.spider_opened)
        crawler.signals.connect(self._carriers.idle, signal=signals.spider_idle)
        crawler.signals.connect(self._collector.closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerSpiderMiddleware:
        """Called by Scrapy.

        :raises NotConfigured: when STEMMER_ENABLED is off.
        :raises SettingError: when a setting is wrong; the crawl doesn't start.
        :raises PatternFileError: when there is a pattern file that can't be used; the crawl doesn't start.
        """
        return cls(crawler)

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:
        """Take the page into the sample of its site, and the links on it."""
        if self._carriers.is_carrier(response):
            return
        try:
            self._collector.see(response)
        except Exception as error:
            # An exception here would keep the response from the spider.
            report(self._state.stats, error, f"collecting {response.url}")

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """Let requests pass; let items pass or wait; then let some go that have waited."""
        carrier = self._carriers.is_carrier(response)
        try:
            async for output in result:
                if isinstance(output, Request) or carrier or self._passes(output, response):
                    yield output
        except Exception as error:
            # After this one there may be no further response that could carry items.
            if isinstance(error, CloseSpider) or is_closing(self._crawler):
                async for released in self._collector.last_items(closing=True):
                    yield self._register(released, response)
            raise
        if not self._collector.may_hold:
            return
        async for released in self._released(carrier):
            yield self._register(released, response)
            # Scrapy would take all of them before it lets anything else go on, and a page has to be parsed for each.
            await breathe()

    async def _released(self, carrier: bool) -> AsyncIterator[Released]:
        try:
            if carrier or is_closing(self._crawler):
                async for released in self._collector.last_items(closing=not carrier):
                    yield released
            else:
                for released in self._collector.some_items():
                    yield released
        except Exception as error:
            report(self._state.stats, error, "letting items go that have waited")

    def _passes(self, output: Any, response: Response) -> bool:
        if not is_item(output):
            return True
        try:
            return not self._collector.held(output, response)
        except Exception as error:
            report(self._state.stats, error, f"handling an item of {response.url} (it passes unstripped)")
            return True

    def _register(self, released: Released, carrier: Any) -> Any:
        self._state.registry.put(released.item, released.source, carrier)
        self._state.stats.inc_value(Stat.HELD_RELEASED)
        return released.item
