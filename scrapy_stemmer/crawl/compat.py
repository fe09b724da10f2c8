"""Compatibility with Twisted's reactors and Scrapy 2.13 to 2.19; threads and waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableSet
from typing import Any, TypeVar, cast
from weakref import WeakSet

from scrapy import Request
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.job import job_dir
from scrapy.utils.misc import load_object
from twisted.internet.defer import Deferred

from scrapy_stemmer.page.document import site_of

_T = TypeVar("_T")


async def run_in_thread(function: Callable[..., _T], *arguments: Any) -> _T:
    """Call a function in a thread and wait for its result without holding up the crawl."""
    result: Awaitable[_T]
    try:
        asyncio.get_running_loop()
        result = asyncio.to_thread(function, *arguments)
    except RuntimeError:  # another reactor of Twisted's
        from twisted.internet.threads import deferToThread

        result = maybe_deferred_to_future(deferToThread(function, *arguments))
    return await result


run_in_background: Callable[[Coroutine[Any, Any, None]], Deferred[None]] = deferred_from_coro
"""Runs a coroutine beside the crawl; the coroutine must handle its own exceptions."""


def call_later(seconds: float, function: Callable[[], object]) -> None:
    """Call a function on the event loop after some time, unless the loop ends before."""
    try:
        asyncio.get_running_loop().call_later(seconds, function)
    except RuntimeError:  # another reactor of Twisted's
        from twisted.internet import reactor

        cast("Any", reactor).callLater(seconds, function)


class Condition:
    """Condition to wait for, for any number of coroutines."""

    def __init__(self) -> None:
        self._waiters: list[Deferred[None]] = []

    def wait(self, longest: float | None = None) -> Awaitable[None]:
        """Return an awaitable for the next :meth:`notify`, which is called after ``longest`` seconds at the latest."""
        if longest is not None:
            call_later(longest, self.notify)
        waiter: Deferred[None] = Deferred()
        self._waiters.append(waiter)
        return maybe_deferred_to_future(waiter)

    def notify(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.callback(None)


async def yield_to_event_loop() -> None:
    await Condition().wait(0)


def is_closing(crawler: Crawler) -> bool:
    """Return true when the spider is being closed: no ``spider_idle`` will follow."""
    if not crawler.crawling:
        return True
    slot = _slot(crawler)
    return slot is not None and slot.closing is not None


def scrape(crawler: Crawler, response: Response, request: Request) -> Awaitable[None]:
    return maybe_deferred_to_future(cast("Any", crawler.engine).scraper.enqueue_scrape(response, request))


async def process_item(crawler: Crawler, item: Any, response: Response) -> None:
    scraper = cast("Any", crawler.engine).scraper
    if hasattr(scraper, "start_itemproc_async"):
        await scraper.start_itemproc_async(item, response=response)
    else:  # before Scrapy 2.14
        await maybe_deferred_to_future(scraper.start_itemproc(item, response=response))


class KeptOpen:
    """Guard against closing and idling while work remains: the engine waits for a request of ours as for any request
    under way."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._request: Request | None = None

    def set(self, is_open: bool) -> None:
        """Start or stop keeping the crawl open.

        A crawl that is closing its components stays closed; otherwise it would never end.
        """
        slot = _slot(self._crawler)
        if slot is None or is_open == (self._request is not None):
            return
        if is_open and slot.closing is not None and slot.closing.called:
            return
        if is_open:
            self._request = Request("data:,scrapy-stemmer")
            slot.add_request(self._request)
            self._scraped.add(self._request)
        else:
            request, self._request = self._request, None
            self._scraped.discard(cast("Request", request))
            slot.remove_request(request)
            if slot.closing is None:
                slot.nextcall.schedule()

    @property
    def is_alone(self) -> bool:
        """Return true if only our request keeps the crawl from being idle."""
        if self._request is None or _slot(self._crawler) is None:
            return False
        scraped = self._scraped
        scraped.discard(self._request)
        try:
            return bool(cast("Any", self._crawler.engine).spider_is_idle())
        finally:
            scraped.add(self._request)

    @property
    def _scraped(self) -> MutableSet[Request]:
        slot = getattr(getattr(self._crawler.engine, "scraper", None), "slot", None)
        return cast("MutableSet[Request]", slot.active) if slot is not None else WeakSet()


def _slot(crawler: Crawler) -> Any:
    engine = crawler.engine
    return getattr(engine, "_slot", None) or getattr(engine, "slot", None)  # ``slot`` up to Scrapy 2.13


def sites_under_way(crawler: Crawler) -> set[str]:
    downloader = getattr(crawler.engine, "downloader", None)
    return {site_of(request.url) for request in getattr(downloader, "active", ())}


def has_all_requests_in_memory(crawler: Crawler) -> bool:
    """Return true if all requests to come are objects in memory, as with Scrapy's own scheduler without JOBDIR."""
    settings = crawler.settings
    return not job_dir(settings) and load_object(settings["SCHEDULER"]) is Scheduler


def close_spider(crawler: Crawler, reason: str) -> None:
    """Begin to close the spider. Closing waits for signal handlers, so no handler may wait for the end."""
    engine: Any = crawler.engine
    if hasattr(engine, "close_spider_async"):
        run_in_background(engine.close_spider_async(reason=reason))
    else:  # before Scrapy 2.14
        engine.close_spider(crawler.spider, reason)


def drop_queued(crawler: Crawler) -> None:
    """Fail the requests waiting for download: with a delay, each request would hold up the end of the crawl."""
    for slot in cast("Any", crawler.engine).downloader.slots.values():
        while slot.queue:
            _, waiting = slot.queue.popleft()
            waiting.errback(IgnoreRequest("The crawl has ended"))


def abandon_downloads(crawler: Crawler) -> None:
    """Let the crawl end without the responses under way."""
    slot = _slot(crawler)
    for request in [*cast("Any", crawler.engine).downloader.active]:
        if slot is not None and request in slot.inprogress:
            slot.remove_request(request)
