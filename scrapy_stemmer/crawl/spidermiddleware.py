"""The spider middleware: samples pages and links, holds items back, and lets those go on that have waited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response

from scrapy_stemmer.core.blocks import Reason
from scrapy_stemmer.core.document import site_of
from scrapy_stemmer.crawl.compat import spare_collector
from scrapy_stemmer.crawl.held_items import log_left, warn_of_waiting
from scrapy_stemmer.crawl.learning_session import LearningSession
from scrapy_stemmer.crawl.pages import ItemPage, own_page
from scrapy_stemmer.crawl.spool import CrawlFiles
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import report_error, reporting
from scrapy_stemmer.exceptions import StemmerError


class StemmerSpiderMiddleware:
    """Gives each response to the learning session, and each item: it passes with its page noted, or it waits. Items
    that have waited come out with a response of their own, see :mod:`scrapy_stemmer.crawl.held_items`. They pass the
    spider middlewares on Scrapy's side of this one only then, so each middleware sees each item once."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._state = CrawlState.of(crawler)
        self._config = self._state.config
        self._session: LearningSession | None = None
        self._is_open = False
        self._state.begin_learning = self._begin_learning
        if crawler.crawling:  # not in ``scrapy shell``, where no item comes and nothing is closed
            self._begin()
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._keep_open, signal=signals.spider_idle)
        crawler.signals.connect(self._close, signal=signals.spider_closed)

    def _begin(self) -> None:
        """See what earlier crawls have left, and begin to learn if that is wanted; not only when the spider is opened:
        an exception must keep the crawl from starting."""
        files = CrawlFiles(self._crawler, self._config)
        if not files.lasting:
            log_left(files.left_spools(), self._state.stats)
        if self._config.learn or self._state.shared is not None or (files.lasting and files.spool().exists()):
            self._state.learning()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerSpiderMiddleware:
        """Called by Scrapy; raises as :meth:`CrawlState.of` does, and then the crawl doesn't start."""
        try:
            return cls(crawler)
        except NotConfigured:
            warn_of_waiting(crawler)
            raise
        except StemmerError as error:
            raise error from None

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:
        """Take the page into the sample of its site, and the links on it."""
        self._state.pages.note(response)
        # An exception here would keep the response from the spider.
        with reporting(self._state.stats, f"collecting {response.url}"):
            if self._sampler(response) is not None and not self._state.pages.is_large(response):
                self._sample(response)

    def _sampler(self, response: Response) -> LearningSession | None:
        """What samples a response, if its site is yet to be learned."""
        session = self._session
        if session is None or session.held.owns(response) or not session.is_learning(site_of(response.url)):
            return None
        return session

    def _sample(self, response: Response) -> None:
        with reporting(self._state.stats, f"collecting {response.url}"):
            if (session := self._sampler(response)) is not None:
                session.add_response(self._state.pages.of(response))

    async def _sample_large(self, response: Response) -> None:
        """Sample a large page, in a thread; the spider is called before the thread is through."""
        with reporting(self._state.stats, f"reading {response.url}"):
            session = self._sampler(response)
            if session is not None and self._state.pages.is_large(response):
                await session.read_large(response)
                self._sample(response)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """Let requests pass; let items pass or wait; the item that a response of ours was made for is added to it."""
        is_ours = self._session is not None and self._session.held.owns(response)
        await self._sample_large(response)
        async for output in result:
            if isinstance(output, Request) or is_ours or await self._passes(output, response):
                yield output
        if self._session is not None and is_ours:
            for item in self._session.held.take(response):
                yield item

    async def _passes(self, output: Any, response: Response) -> bool:
        """Whether something that the spider yields passes: not an item that waits until its site is learned."""
        if not is_item(output) or not isinstance(output, self._config.item_types):
            return True
        session = self._session
        with reporting(self._state.stats, f"handling an item of {response.url} (it passes unstripped)"):
            page: ItemPage = await self._state.pages.made_aside(response, self._state.aside)
            own = own_page(ItemAdapter(output), page.url, self._config) if page.skip is not Reason.OPTED_OUT else None
            page = own or page
            if own is not None and session is not None and own.is_large:
                await session.read_aside(own)
            if session is not None and page.skip is None and session.has_to_wait(page):
                if own is not None:
                    session.add_own(own)
                # The item just sampled may have been the last one that was needed; then its site is being learned.
                if self._config.hold:
                    session.hold(output, page, response)
                    return False
            self._state.item_pages.put(output, page, response)
        return True

    def _begin_learning(self) -> LearningSession | None:
        """Begin to learn: at once, or when a site has changed that the pattern file had."""
        try:
            session = LearningSession(self._crawler, self._state)
        except Exception as error:
            if not self._is_open:
                raise
            report_error(self._state.stats, error, "preparing to learn sites again that have changed")
            self._state.begin_learning = lambda: None
            return None
        if self._is_open:
            session.resume()
        self._session = session
        return session

    def _opened(self) -> None:
        """The handler of ``spider_opened``."""
        self._is_open = True
        spare_collector()
        if self._session is not None:
            self._session.resume()

    def _keep_open(self) -> None:
        """The handler of ``spider_idle``: what can be learned is learned, and items that wait come out."""
        if self._session is not None and not self._session.is_done:
            self._session.settle_soon()
            raise DontCloseSpider

    async def _close(self, spider: Spider, reason: str) -> None:
        """The handler of ``spider_closed``: no item is lost, whatever still waits."""
        if self._session is not None:
            await self._session.close(reason)
        self._state.summarize()
