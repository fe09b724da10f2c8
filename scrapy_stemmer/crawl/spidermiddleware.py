"""The spider middleware: samples pages, counts their items, holds items of unlearned sites, and releases them."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter, is_item
from itemloaders import ItemLoader
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse, Response

from scrapy_stemmer.crawl.compat import process_item, run_in_background
from scrapy_stemmer.crawl.files import CrawlFiles
from scrapy_stemmer.crawl.pages import FIRST_ERROR, ItemPage, ResponsePage, own_page
from scrapy_stemmer.crawl.pipeline import ItemFields, Plan
from scrapy_stemmer.crawl.session.held import as_text, log_left, warn_of_closing
from scrapy_stemmer.crawl.session.session import LearningSession
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import reporting
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.stores.shared import SharedStore

logger = logging.getLogger("scrapy_stemmer")

TOO_MANY_ITEMS = (
    "The spider yields more than %s of %s: the items of such pages get no title, text or HTML, which would be those "
    "of the whole page (reason several_items). With STEMMER_ITEMS_PER_PAGE = 0 each gets them."
)


class StemmerSpiderMiddleware:
    """Middleware that gives each response to the learning session, and lets each item pass or wait.

    Waiting items come out with a response of their own, see :mod:`scrapy_stemmer.crawl.session.held`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._state = CrawlState.of(crawler)
        self._config = self._state.config
        self._session: LearningSession | None = None
        self._counts: WeakKeyDictionary[Response, ItemCount] = WeakKeyDictionary()
        self._has_logged_several = False
        self._state.has_spider_middleware = True
        if crawler.crawling:  # not in ``scrapy shell``, where no item comes and nothing is closed
            self._begin()
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._keep_open, signal=signals.spider_idle)
        crawler.signals.connect(self._failed, signal=signals.spider_error)
        crawler.signals.connect(self._close, signal=signals.spider_closed)

    def _begin(self) -> None:
        """Log files left by earlier crawls, and begin to learn if configured."""
        files = CrawlFiles(self._crawler, self._config)
        if not files.lasting:
            log_left(files.left_spools(), self._state.stats)
        learns = bool(self._config.learn) or isinstance(self._state.store, SharedStore)
        if learns:
            warn_of_closing(self._crawler.settings, self._config)
        if learns or (files.lasting and files.spool().exists()):
            self._session = LearningSession(self._crawler, self._state)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerSpiderMiddleware:
        """Create the middleware; errors of :meth:`CrawlState.of` keep the crawl from starting."""
        try:
            return cls(crawler)
        except StemmerError as error:
            raise error from None

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:
        # An exception here would keep the response from the spider.
        with reporting(self._state.stats, f"collecting {response.url}"):
            page = self._state.pages.note(response)
            if self._owns(response):
                return
            if isinstance(response, HtmlResponse) and response.status < FIRST_ERROR:
                page.note_tree()
            if self._session is not None and self._session.is_learning(page.site):
                self._session.learner.add_response(self._state.pages.of(response))

    def process_spider_output(
        self, response: Response, result: Iterable[Any], spider: Spider | None = None
    ) -> Iterator[Any]:
        """Process synchronous output, lazily; Scrapy 2.13 to 2.15 use this method beside synchronous middlewares."""
        return in_step(self.process_spider_output_async(response, in_turn(result)))

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """Let requests pass, and items pass or wait; add the item to the output of a response of ours."""
        if self._session is not None and self._owns(response):
            async for output in result:
                yield output
            for item in self._session.held.take(response):
                yield item
            return
        count = self._count_of(response)
        async for output, number in count.ordered(result):
            if self._passes(output, response, count, number):
                yield output

    def _failed(self, response: Response) -> None:
        """The handler of ``spider_error``: release items kept back after a middleware nearer to the engine raised."""
        if (count := self._counts.pop(response, None)) is not None:
            for item, number in count.kept():
                if self._passes(item, response, count, number):
                    run_in_background(self._send(item, response))

    async def _send(self, item: Any, response: Response) -> None:
        with reporting(self._state.stats, f"letting an item of {response.url} go"):
            await process_item(self._crawler, item, response)

    def _owns(self, response: Response) -> bool:
        return self._session is not None and self._session.held.owns(response)

    def _is_to_be_stripped(self, output: Any) -> bool:
        return not isinstance(output, Request) and is_item(output) and isinstance(output, self._config.item_types)

    def _count_of(self, response: Response) -> ItemCount:
        calls = partial(self._gets_text, response), partial(self._write_to_spool, response)
        count = self._counts[response] = ItemCount(self._config.items_per_page, *calls)
        return count

    def _write_to_spool(self, response: Response, item: Any) -> int:
        """Write an item of an unlearned site to disk before its slow callback ends, and return the item's number."""
        session = self._session
        if session is not None and self._config.hold:
            with suppress(Exception):  # hold() reports the error
                page = self._state.pages.of(response)
                if page.skip is None and session.has_to_wait(page):
                    return session.held.write_to_spool(item, page, as_text(response))
        return 0

    def _gets_text(self, response: Response, output: Any) -> bool:
        with reporting(self._state.stats, f"looking at what the spider has yielded of {response.url} (it goes on)"):
            if isinstance(output, Request):
                # The request may carry an item for a later callback.
                if (carried := carried_by(output, self._config.url_field, response.url)) is not None:
                    self._state.pages.carry(response, carried)
            elif self._is_to_be_stripped(output):
                fields = ItemFields(output)
                has_own = self._config.html_field is not None and bool(fields.get(self._config.html_field))
                is_wanted = Plan.of(fields, self._config.fields).is_of_page
                return is_wanted and not has_own and self._named_page(fields, response.url) is None
        return False

    def _passes(self, output: Any, response: Response, count: ItemCount, number: int) -> bool:
        if not self._is_to_be_stripped(output):
            return True
        with reporting(self._state.stats, f"handling an item of {response.url} (it passes unstripped)"):
            page = self._page_of(output, self._state.pages.of(response), count)
            return self._pass_or_hold(output, page, response, number)
        return True

    def _page_of(self, item: Any, page: ResponsePage, count: ItemCount) -> ItemPage:
        if page.skip is Reason.OPTED_OUT:
            return page
        fields = ItemAdapter(item)
        other = own_page(fields, page.url, self._config) or self._named_page(fields, page.url)
        if other is None and page.skip is None and count.is_above:
            page.is_shared = True
            other = ItemPage(page.url, skip=Reason.SEVERAL_ITEMS)
        if other is not None and other.skip is Reason.SEVERAL_ITEMS and not self._has_logged_several:
            self._has_logged_several = True
            logger.info(TOO_MANY_ITEMS, counted(self._config.items_per_page, "item"), other.url)
        return other or page

    def _named_page(self, fields: Mapping[str, Any], url: str) -> ItemPage | None:
        named = fields.get(self._config.url_field)
        return self._state.pages.named(named) if isinstance(named, str) and named != url else None

    def _pass_or_hold(self, item: Any, page: ItemPage, response: Response, number: int) -> bool:
        session = self._session
        if session is not None and page.skip is None and session.has_to_wait(page):
            if page.is_own:
                session.learner.add_own(page)
            # With the page just sampled, its site may now be learning.
            if self._config.hold:
                session.hold(item, page, response, number=number)
                return False
        if number and session is not None:
            session.held.done(number)
        self._state.item_pages.put(item, page, response)
        return True

    def _opened(self) -> None:
        if self._session is not None:
            self._session.resume()

    def _keep_open(self) -> None:
        if self._session is not None and not self._session.is_done:
            self._session.release_all_soon()
            raise DontCloseSpider

    async def _close(self, spider: Spider, reason: str) -> None:
        if self._session is not None:
            await self._session.close(reason)
        self._state.summarize()


def carried_by(request: Request, field: str, url: str) -> object | None:
    """Return the part of a request with an item of the page at this URL, or ``None``.

    The item is in ``cb_kwargs`` or meta: itself, as an item loader, or as single values.
    """
    for values in (request.cb_kwargs, request.meta):
        for value in values.values():
            if isinstance(value, ItemLoader) and url in value.get_collected_values(field):
                return value
            item = value.item if isinstance(value, ItemLoader) else value
            if is_item(item) and ItemAdapter(item).get(field) == url:
                return cast("object", item)
        if values.get(field) == url:
            return request
    return None


async def in_turn(outputs: Iterable[Any]) -> AsyncIterator[Any]:
    for output in outputs:
        yield output


def in_step(outputs: AsyncIterator[Any]) -> Iterator[Any]:
    """Yield asynchronous output that waits for nothing."""
    while True:
        try:
            outputs.__anext__().__await__().send(None)
        except StopIteration as output:
            yield output.value
        except StopAsyncIteration:
            return


# Items of a page, counted to find pages with too many items for any to get the text (``several_items``)

Numbered = tuple[Any, int]  # an output of the spider, and its number in the spool or 0


class ItemCount:
    """The items of a response to get the text of the page.

    Items are kept back until more than ``most`` have come, or the output ends.

    :param gets_text: returns true for an item with fields for the page's text.
    :param write_to_spool: writes a delayed item to disk; returns the number in the spool, or 0.
    """

    def __init__(self, most: int, gets_text: Callable[[Any], bool], write_to_spool: Callable[[Any], int]) -> None:
        self._most, self._count = most, 0
        self._gets_text, self._write_to_spool = gets_text, write_to_spool
        self._kept: deque[Numbered] = deque()

    @property
    def is_above(self) -> bool:
        return 0 < self._most < self._count

    async def ordered(self, outputs: AsyncIterable[Any]) -> AsyncIterator[Numbered]:
        """Yield the outputs of a spider: items once they are counted, requests at once."""
        failed: Exception | None = None
        try:
            async for output in outputs:
                for ready in self._ready(output):
                    yield ready
        except Exception as error:
            failed = error
        for kept in self.kept():
            yield kept
        if failed is not None:
            raise failed

    def kept(self) -> Iterator[Numbered]:
        while self._kept:
            yield self._kept.popleft()

    def _ready(self, output: Any) -> Iterator[Numbered]:
        if self._gets_text(output):
            self._count += 1
            if self._most and not self.is_above:
                self._kept.append((output, self._write_to_spool(output)))
                return
            yield from self.kept()
        yield output, 0
