"""Items that have waited go on: each with a response of its own URL and HTML, through what is left of Scrapy's way.

Scrapy's scraper is given the response as if it had just been downloaded; nothing is scheduled, so that no scheduler has
to write anything down. Spider middlewares on Scrapy's side of ours, the log and ``item_scraped`` see the item with that
response, and with a request as that of its page.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.statscollectors import StatsCollector
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.compat import Condition, process_item, run_in_background, scrape, yield_to_event_loop
from scrapy_stemmer.crawl.held_items import HeldItems, ReleasedItem
from scrapy_stemmer.crawl.items import PageRegistry
from scrapy_stemmer.crawl.stats import Stat, report_error

MAX_META = 2000
"""Characters of a value of ``Request.meta`` that is kept."""


def as_text(response: Response) -> str:
    """A response without its page, and its request: what :func:`response_of` makes them of again.

    Of the request's meta those values are kept that can be written as JSON, and are short.
    """
    request, kept = response.request, {}
    if request is None:
        return ""
    for key, value in request.meta.items():
        with suppress(item_json.NotEncodable):
            if isinstance(key, str) and len(written := item_json.dumps(value)) <= MAX_META:
                kept[key] = written
    # All of the body: the fingerprint of a request is made of it.
    body = b64encode(request.body).decode()
    return json.dumps([response.status, request.method, request.url, body, kept], separators=(",", ":"))


def response_of(released: ReleasedItem, **callbacks: Any) -> HtmlResponse:
    """The response of an item that has waited, with a request of the same URL, method, body and meta as its page's.

    :param callbacks: of the request.
    """
    page = released.page
    status, method, url, body, kept = json.loads(released.request or json.dumps([200, "GET", page.url, "", {}]))
    meta = {}
    for key, value in kept.items():
        with suppress(ValueError):  # an object whose class is gone
            meta[key] = item_json.loads(value)
    request = Request(
        url,
        method=method,
        body=b64decode(body),
        meta=meta,
        dont_filter=True,
        **callbacks,
    )
    text = page.text.encode("utf-8", "replace")
    return HtmlResponse(page.url, status=status, body=text, encoding="utf-8", request=request)


class Releaser:
    """Sends items that may go on their way, some at a time.

    :param pages: is given the page of each.
    :param most: that are on their way at a time.
    """

    def __init__(
        self, crawler: Crawler, held: HeldItems, pages: PageRegistry, stats: StatsCollector, most: int
    ) -> None:
        self._crawler = crawler
        self._held = held
        self._pages = pages
        self._stats = stats
        self._sent: WeakKeyDictionary[Request, ReleasedItem | None] = WeakKeyDictionary()
        self._on_their_way = 0
        self._most = max(1, most)
        self._running = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._changed = Condition()

    @property
    def is_done(self) -> bool:
        """Whether all items that might go are through."""
        return not (self._held.may_go or self._on_their_way or self._running)

    def start(self) -> None:
        """Send what may go."""
        if self._held.may_go and not self._running:
            self._running = True
            self._task = run_in_background(self._send_all())

    async def all_through(self) -> None:
        """Wait until all items are through that might go."""
        while self._running or self._on_their_way:
            await self._changed.wait()

    def owns(self, response: Response) -> bool:
        """Whether a response is one of ours."""
        return response.request in self._sent

    def take(self, response: Response) -> Iterator[Any]:
        """The item of a response of ours, once."""
        request = response.request
        if request is not None and (released := self._sent.get(request)) is not None:
            self._sent[request] = None
            self._pages.put(released.item, released.page, response)
            self._stats.inc_value(Stat.HELD_RELEASED)
            yield released.item

    async def _send_all(self) -> None:
        try:
            for released in self._held.released():
                # Large pages wait for each other in the pipeline: they would all be in memory.
                while self._on_their_way >= (1 if released.page.is_large else self._most):
                    await self._changed.wait()
                self._on_their_way += 1
                run_in_background(self._send(released))
                # A page has to be parsed for each, and there are other things to be done.
                await yield_to_event_loop()
        except Exception as error:
            report_error(self._stats, error, "letting items go that have waited")
        self._running = False
        self._changed.notify()

    async def _send(self, released: ReleasedItem) -> None:
        try:
            response = response_of(released, callback=self._parse, errback=self._rejected)
            assert response.request is not None  # as it was just made with one
            self._sent[response.request] = released
            await scrape(self._crawler, response, response.request)
            for item in self.take(response):  # no middleware has let it through to ours
                await process_item(self._crawler, item, response)
            self._held.done(released.number)
        except Exception as error:
            self._held.failed(released.number)
            report_error(self._stats, error, f"letting an item of {released.page.url} go (it stays where it is)")
        self._on_their_way -= 1
        self._changed.notify()

    def _parse(self, response: Response) -> Iterator[Any]:
        """The callback: our middleware adds the item, so that those that have seen it don't see it again."""
        return iter(())

    def _rejected(self, failure: Failure) -> Iterator[Any]:
        """The errback, for a middleware that raises: our middleware adds the item all the same."""
        return iter(())
