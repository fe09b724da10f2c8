"""What is done with each response and each item, in order to learn from one and to let the other wait."""

from __future__ import annotations

import weakref
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_stemmer.core.dom import DEFAULT_CHARSET, decode
from scrapy_stemmer.core.page import site_of
from scrapy_stemmer.crawl.anchors import anchors_of
from scrapy_stemmer.crawl.compat import is_shutting_down
from scrapy_stemmer.crawl.desk import Desk
from scrapy_stemmer.crawl.names import Skip
from scrapy_stemmer.crawl.pages import OwnPage, PageSource, ResponsePage, own_html, own_url, root_of, why_skipped
from scrapy_stemmer.crawl.places import Places
from scrapy_stemmer.crawl.visual import MarkedPages
from scrapy_stemmer.crawl.waiting import Released, release_all

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_stemmer.crawl.state import CrawlState

RELEASED_AT_ONCE = 50
"""Items that go out with one response; the next response takes more."""


class Left(NamedTuple):
    """Items that wait, sites that can be learned; and how many items have been released so far."""

    items: int
    sites: int
    released: int


class Collector:
    """Samples pages, holds items, and gives them back; does nothing but note pages when nothing is learned.

    :param state: what the crawl's components share.
    """

    def __init__(self, crawler: Crawler, state: CrawlState) -> None:
        self._crawler = crawler
        self._state = state
        self._config = state.config
        self._pages: weakref.WeakKeyDictionary[Response, ResponsePage] = weakref.WeakKeyDictionary()
        self._marked = MarkedPages.of(crawler)
        self._places = Places(crawler, state.config)
        self._released = 0
        self._desk: Desk | None = None
        # Here, not when the spider is opened: an exception must keep the crawl from starting.
        if self._config.learn or self._places.has_spool:
            self._desk = Desk(state, self._places)

    @property
    def may_hold(self) -> bool:
        """Whether any item waits, or may have to."""
        return self._desk is not None

    def opened(self) -> None:
        """The handler of ``spider_opened``: a crawl that is resumed goes on."""
        if self._desk is not None:
            self._desk.resume()

    def see(self, response: Response) -> None:
        """Take a response's links and page, if its site is to be learned."""
        if self._desk is None or not self._desk.learns(site_of(response.url)):
            return
        page = self._page_of(response)
        if page.skip not in (None, Skip.REJECTED):
            return
        self._desk.spool.add_anchors(page.site, anchors_of(page.response, root_of(page.response)))
        # Items that bring their HTML along are learned from that.
        if page.skip is None and not self._config.html_field and 200 <= response.status < 300:
            redirected = response.meta.get("redirect_urls", ())
            marked = self._marked.take(response)
            if marked:
                self._desk.learning.sample(page.site, page.url, marked, redirected)
            else:
                page.sampled_as = self._desk.learning.sample(
                    page.site, page.url, page.text, redirected, digest=page.digest
                )

    def held(self, item: Any, response: Response) -> bool:
        """Keep an item whose site is being learned (True), or note its page for the pipeline (False)."""
        page = self._page_of(response)
        own = self._own_html(item) if page.skip is not Skip.OPTED_OUT else None
        source: PageSource = page if own is None else OwnPage(self._own_url(item, page.url))
        if self._desk is not None and source.skip is None and self._desk.learns(source.site):
            if own is not None:
                self._desk.learning.sample(source.site, source.url, own)
            # The item just sampled may have been the last one that was needed; then its site is being learned.
            if self._config.hold:
                self._desk.waiting.hold(item, source)
                return True
        self._state.registry.put(item, source, response)
        return False

    def some_items(self) -> Iterator[Released]:
        """Some of the items that may go."""
        for _ in range(RELEASED_AT_ONCE):
            released = self._desk.waiting.take_ready() if self._desk else None
            if released is None:
                return
            self._released += 1
            yield released

    async def last_items(self, *, closing: bool) -> AsyncIterator[Released]:
        """Learn what can be, and let all items go; those that a resumed crawl can go on with stay at a shutdown.

        :param closing: whether the spider is being closed.
        """
        if self._desk is None:
            return
        if closing and self._places.lasting and is_shutting_down(self._crawler):
            for released in self._desk.waiting.in_memory():
                yield released
            return
        async for released in release_all(self._desk.waiting, self._desk.learning, self._desk.spool):
            self._released += 1
            yield released

    def left_to_do(self) -> Left:
        """What keeps the crawl from ending."""
        if self._desk is None:
            return Left(0, 0, 0)
        return Left(len(self._desk.waiting), len(self._desk.learning.learnable), self._released)

    async def closed(self, spider: Spider, reason: str) -> None:
        """The handler of ``spider_closed``: nothing is lost, whatever still waits."""
        if self._desk is not None:
            await self._desk.close(reason)
            self._desk = None

    def _page_of(self, response: Response) -> ResponsePage:
        page = self._pages.get(response)
        if page is None:
            skip = why_skipped(response, self._config)
            page = self._pages[response] = ResponsePage(response, skip, self._config.default_charset)
        return page

    def _own_html(self, item: Any) -> str | None:
        html = own_html(item, self._config.html_field)
        if isinstance(html, bytes):
            return decode(html, None, self._config.default_charset or DEFAULT_CHARSET)
        return html

    def _own_url(self, item: Any, otherwise: str) -> str:
        return own_url(item, self._config.url_field) or otherwise
