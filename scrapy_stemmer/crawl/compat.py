"""Differences between Scrapy's reactors, and between its versions from 2.13 to 2.19; threads and waiting."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, MutableSet
from contextlib import contextmanager, nullcontext
from math import inf
from threading import Condition as ThreadCondition
from typing import Any, Generic, TypeVar, cast
from weakref import WeakSet

from scrapy import Request
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.job import job_dir
from scrapy.utils.misc import load_object
from twisted.internet.defer import Deferred, DeferredLock

from scrapy_stemmer.core.document import site_of

T = TypeVar("T")

SWITCH_INTERVAL = 0.0005  # seconds after which a learning thread gives the interpreter away; it hardly takes longer

LONGEST_PAUSE = 10.0
"""Seconds after which the garbage collector runs again as soon as those threads are through that compute by then.

What a crawl leaves behind in cycles, such as responses, stays in memory meanwhile. Threads that come later wait for
that as long once more: the collector would search all that they have made by then, for 100 ms.
"""


async def run_in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a thread and wait for its result without holding up the crawl."""
    result: Awaitable[T]
    try:
        asyncio.get_running_loop()
        result = asyncio.to_thread(function, *arguments)
    except RuntimeError:  # another reactor of Twisted's
        from twisted.internet.threads import deferToThread

        result = maybe_deferred_to_future(deferToThread(function, *arguments))
    return await result


class Aside:
    """A thread beside the event loop, for the pages that would hold it up; it does one thing after the other."""

    def __init__(self) -> None:
        self._lock = DeferredLock()

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function there, and wait for its result and for all that was asked for before."""
        await maybe_deferred_to_future(self._lock.acquire())
        try:
            return await run_in_thread(quietly()(function), *arguments)
        finally:
            self._lock.release()


class _Switch(Generic[T]):
    """Something of the interpreter, and so of all its threads and crawls, that has another value while anybody asks for
    it. Whoever is there keeps it so for others who come, as long as ``longest`` seconds."""

    def __init__(self, get: Callable[[], T], set_: Callable[[T], object], value: T, longest: float = inf) -> None:
        self._get, self._set, self._value, self._longest = get, set_, value, longest
        self._free, self._asking, self._since = ThreadCondition(), 0, 0.0

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Have it changed for as long as this is open."""
        with self._free:
            late = time.monotonic() - self._since - self._longest
            if late > 0:
                self._free.wait_for(lambda: not self._asking, self._longest - late)
            if self._asking == 0:
                self._since, self._before, late = time.monotonic(), self._get(), 0
                self._set(self._value)
            self._asking += late <= 0
        try:
            yield
        finally:
            with self._free:
                self._asking -= late <= 0
                if late <= 0 and self._asking == 0:
                    self._set(self._before)
                    self._free.notify_all()


def _collect_or_not(on: bool) -> None:
    """Switch the garbage collector on or off."""
    if on:
        gc.enable()
        _ = [[] for _ in range(gc.get_threshold()[0] + 1)]  # it has its turn before the next thread comes
    else:
        gc.disable()


_SWITCHING = _Switch(sys.getswitchinterval, sys.setswitchinterval, SWITCH_INTERVAL)
_COLLECTING = _Switch(gc.isenabled, _collect_or_not, value=False, longest=LONGEST_PAUSE)


@contextmanager
def quietly(*, pauses_gc: bool = True) -> Iterator[None]:
    """Leave the event loop as much of the interpreter as it wants while this thread computes.

    The loop gives the interpreter away with each read of a socket or of the spool, and gets it back only after
    :data:`SWITCH_INTERVAL`; a hundred times 5 ms, Python's default, is half a second.

    :param pauses_gc: whether the garbage collector pauses, in all threads. Nothing that is made here is in a cycle, but
        its many objects would have the collector search all that a crawl has in memory again and again, and each such
        search stops the event loop for 60 ms and more; so would the one that ends the pause, if it came before all
        threads are through.
    """
    with _SWITCHING.changed(), _COLLECTING.changed() if pauses_gc else nullcontext():
        yield


def spare_collector() -> None:
    """Have the garbage collector pass over all that is there now: modules, most of all.

    Each full search of it stops the event loop for 60 ms and more, in a crawl again and again, and finds nothing there.
    Once a process, as what other crawls have under way would never be freed; nor where somebody has done it before.
    """
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()


run_in_background: Callable[[Coroutine[Any, Any, None]], Deferred[None]] = deferred_from_coro
"""Runs a coroutine beside the crawl; it has to handle its own exceptions."""


def call_later(seconds: float, function: Callable[[], object]) -> None:
    """Call a function on the event loop after some time; it is not called when the loop ends before."""
    try:
        asyncio.get_running_loop().call_later(seconds, function)
    except RuntimeError:  # another reactor of Twisted's
        from twisted.internet import reactor

        cast("Any", reactor).callLater(seconds, function)


class Condition:
    """Something that any number of coroutines wait for."""

    def __init__(self) -> None:
        self._waiters: list[Deferred[None]] = []

    def wait(self, longest: float | None = None) -> Awaitable[None]:
        """An awaitable that is done with the next call of :meth:`notify`; after so many seconds that is called."""
        if longest is not None:
            call_later(longest, self.notify)
        waiter: Deferred[None] = Deferred()
        self._waiters.append(waiter)
        return maybe_deferred_to_future(waiter)

    def notify(self) -> None:
        """Let all go on that wait now."""
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.callback(None)


async def yield_to_event_loop() -> None:
    """Let the event loop do what else there is to do."""
    await Condition().wait(0)


def is_closing(crawler: Crawler) -> bool:
    """Whether the spider is being closed: there will be no further ``spider_idle``."""
    if not crawler.crawling:
        return True
    slot = _slot(crawler)
    return slot is not None and slot.closing is not None


def scrape(crawler: Crawler, response: Response, request: Request) -> Awaitable[None]:
    """Have a response go through spider middlewares, callback and pipelines, as the engine does with what is
    downloaded; done when all that comes of it is through."""
    return maybe_deferred_to_future(cast("Any", crawler.engine).scraper.enqueue_scrape(response, request))


async def process_item(crawler: Crawler, item: Any, response: Response) -> None:
    """Have an item go through the pipelines, without spider middlewares."""
    scraper = cast("Any", crawler.engine).scraper
    if hasattr(scraper, "start_itemproc_async"):
        await scraper.start_itemproc_async(item, response=response)
    else:  # before Scrapy 2.14
        await maybe_deferred_to_future(scraper.start_itemproc(item, response=response))


class KeptOpen:
    """Keeps a crawl from being closed and from being idle, while there is something left to do: the engine waits for a
    request of ours as for those that are under way."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._request: Request | None = None

    def set(self, is_open: bool) -> None:
        """Begin or end to keep the crawl open; at the end the engine sees at once whether there is anything to do.

        A crawl of which all is over but its components being closed is not opened again: it would never end.
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
        """Tell whether the request of ours alone keeps the crawl from being idle."""
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
        """The requests whose responses are with the spider."""
        slot = getattr(getattr(self._crawler.engine, "scraper", None), "slot", None)
        return cast("MutableSet[Request]", slot.active) if slot is not None else WeakSet()


def _slot(crawler: Crawler) -> Any:
    engine = crawler.engine
    return getattr(engine, "_slot", None) or getattr(engine, "slot", None)  # ``slot`` up to Scrapy 2.13


def sites_under_way(crawler: Crawler) -> set[str]:
    """The sites of which responses are being waited for."""
    downloader = getattr(crawler.engine, "downloader", None)
    return {site_of(request.url) for request in getattr(downloader, "active", ())}


def has_all_requests_in_memory(crawler: Crawler) -> bool:
    """Whether all requests that are yet to be sent are objects in memory, as Scrapy's own scheduler has them."""
    settings = crawler.settings
    return not job_dir(settings) and load_object(settings["SCHEDULER"]) is Scheduler
