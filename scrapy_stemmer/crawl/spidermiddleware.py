"""The spider middleware: samples pages and links, holds items, and releases them."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncIterator, Iterator
from secrets import token_hex
from typing import Any
from weakref import finalize

from itemadapter import ItemAdapter, is_item
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure

from scrapy_stemmer.core.document import site_of
from scrapy_stemmer.crawl.compat import is_closing, yield_to_event_loop
from scrapy_stemmer.crawl.held_items import ReleasedItem
from scrapy_stemmer.crawl.items import ItemPage, own_page
from scrapy_stemmer.crawl.learning_session import LearningSession
from scrapy_stemmer.crawl.responses import Skip
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error

logger = logging.getLogger("scrapy_stemmer")

IDLE_META = dict.fromkeys(
    "allow_offsite dont_cache dont_merge_cookies dont_obey_robotstxt dont_redirect dont_retry "
    "handle_httpstatus_all".split(),
    True,
)

MAX_WITHOUT_PROGRESS = 3
"""Requests of our own in a row that may come back without having changed anything; then the crawl may end."""


class StemmerSpiderMiddleware:
    """Gives each response to the learning session, and each item: it passes with its page noted, or it waits.

    Items that have waited come out in the output of whatever response comes along, or in that of a request of our
    own when the crawl is idle. They pass the spider middlewares on Scrapy's side of this one only then, so each
    middleware sees each item once.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._state = CrawlState.of(crawler)
        self._config = self._state.config
        # Items that have waited, whose responses are gone: filled by whichever thread collects garbage.
        self._gone: deque[Any] = deque()
        self._progress_before = -1
        self._without_progress = 0
        # Made here, not when the spider is opened: an exception must keep the crawl from starting.
        self._session = LearningSession.of(crawler, self._state)
        if self._session is not None:
            crawler.signals.connect(self._session.resume, signal=signals.spider_opened)
            crawler.signals.connect(self._keep_open, signal=signals.spider_idle)
            for through in (signals.item_scraped, signals.item_dropped, signals.item_error):
                crawler.signals.connect(self._item_through, signal=through)
            crawler.signals.connect(self._close, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerSpiderMiddleware:
        """Called by Scrapy; raises as :meth:`CrawlState.of` does, and then the crawl doesn't start."""
        return cls(crawler)

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:
        """Take the page into the sample of its site, and the links on it."""
        self._state.pages.note(response)
        session = self._session
        if session is None or self._is_ours(response):
            return
        try:
            if session.is_learning(site_of(response.url)):
                session.add_response(self._state.pages.of(response))
        except Exception as error:
            # An exception here would keep the response from the spider.
            report_error(self._state.stats, error, f"collecting {response.url}")

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """Let requests pass; let items pass or wait; then let some go that have waited."""
        session = self._session
        is_ours = self._is_ours(response)
        try:
            async for output in result:
                if isinstance(output, Request) or is_ours or self._passes(output, response):
                    yield output
        except Exception as error:
            # After this one there may be no further response that could bring items out.
            if session is not None and (isinstance(error, CloseSpider) or is_closing(self._crawler)):
                async for released in self._released(session, is_ours, is_last=True):
                    yield self._register(released, response)
            raise
        if session is None:
            return
        async for released in self._released(session, is_ours):
            yield self._register(released, response)
            # Scrapy would take all of them before it lets anything else go on, and a page has to be parsed for each.
            await yield_to_event_loop()

    async def _released(
        self, session: LearningSession, is_ours: bool, *, is_last: bool = False
    ) -> AsyncIterator[ReleasedItem]:
        """The items that go out with a response; all, when there may be no further one."""
        try:
            if is_ours or is_last or is_closing(self._crawler):
                async for released in session.last_items(closing=not is_ours):
                    yield released
            else:
                for released in session.some_items():
                    yield released
        except Exception as error:
            report_error(self._state.stats, error, "letting items go that have waited")

    def _passes(self, output: Any, response: Response) -> bool:
        """Whether something that the spider yields passes: not an item that waits until its site is learned."""
        if not is_item(output) or not isinstance(output, self._config.item_types):
            return True
        session = self._session
        try:
            page: ItemPage = self._state.pages.of(response)
            own = own_page(ItemAdapter(output), page.url, self._config) if page.skip is not Skip.OPTED_OUT else None
            page = own or page
            if session is not None and page.skip is None and session.has_to_wait(page):
                if own is not None:
                    session.add_own(own)
                # The item just sampled may have been the last one that was needed; then its site is being learned.
                if self._config.hold:
                    session.held.hold(output, page)
                    return False
            self._state.item_pages.put(output, page, response)
        except Exception as error:
            report_error(self._state.stats, error, f"handling an item of {response.url} (it passes unstripped)")
        return True

    def _register(self, released: ReleasedItem, output_of: Any) -> Any:
        item, page = released
        self._state.item_pages.put(item, page, output_of)
        self._state.stats.inc_value(Stat.HELD_RELEASED)
        # For items that a pipeline replaces: Scrapy lets go of a response when all its items are through.
        finalize(output_of, self._gone.append, item)
        return item

    def _item_through(self, item: Any) -> None:
        """The handler of the signals that an item is through the pipelines."""
        if self._session is not None:
            self._session.held.done(item)
            while self._gone:
                self._session.held.done(self._gone.popleft())

    def _keep_open(self) -> None:
        """The handler of ``spider_idle``: while items wait, a request of our own brings them out.

        While it is under way the crawl isn't idle, so that closing it waits for the learning that goes on.
        """
        session = self._session
        if session is None:
            return
        self._without_progress = self._without_progress + 1 if session.held.progress == self._progress_before else 0
        self._progress_before = session.held.progress
        if session.is_done or self._without_progress >= MAX_WITHOUT_PROGRESS:
            return
        # Scrapy itself answers such a URL, without any network. A slot of its own has no DOWNLOAD_DELAY to wait for.
        # A killed crawl may have left a file of its slot in JOBDIR that Scrapy can't read, so each has another name.
        meta = {**IDLE_META, "download_slot": f"scrapy-stemmer-{token_hex(8)}"}
        url = "data:text/plain,scrapy-stemmer"
        ours = Request(url, self._parse, errback=self._release_nevertheless, dont_filter=True, meta=meta)
        self._crawler.engine.crawl(ours)
        raise DontCloseSpider

    def _is_ours(self, response: Response) -> bool:
        """Whether our own request is answered. Its callback says so, as users copy meta to other requests."""
        return response.request is not None and response.request.callback == self._parse

    def _parse(self, response: Response) -> Iterator[Any]:
        # process_spider_output adds the items, so that middlewares that have seen them don't see them again.
        return iter(())

    async def _release_nevertheless(self, failure: Failure) -> AsyncIterator[Any]:
        logger.warning("A request of our own failed (%s); the items that wait come all the same.", failure.value)
        if self._session is not None:
            async for released in self._released(self._session, is_ours=True):
                yield self._register(released, failure.request)  # type: ignore[attr-defined]

    async def _close(self, spider: Spider, reason: str) -> None:
        """The handler of ``spider_closed``: no item is lost, whatever still waits."""
        if self._session is not None:
            await self._session.close(reason)
            self._session = None
