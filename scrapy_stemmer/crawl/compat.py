"""Differences between the supported versions of Scrapy (2.13 to 2.19) and its reactors; threads and waiting."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import Deferred

T = TypeVar("T")

SWITCH_INTERVAL = 0.0005
"""Seconds after which a learning thread gives the interpreter away. The learning takes hardly longer for it."""


async def run_in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a thread and wait for its result without holding up the crawl."""
    try:
        from scrapy.utils.asyncio import run_in_thread as scrapys  # Scrapy 2.15 and later
    except ImportError:
        from scrapy.utils.reactor import is_asyncio_reactor_installed

        if is_asyncio_reactor_installed():
            return await asyncio.to_thread(function, *arguments)
        from twisted.internet.threads import deferToThread

        return cast("T", await maybe_deferred_to_future(deferToThread(function, *arguments)))
    return cast("T", await scrapys(function, *arguments))


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Let the event loop have the interpreter sooner while this thread computes.

    The loop gives the interpreter away with each read of a socket or of the spool, and gets it back only after
    :data:`SWITCH_INTERVAL`; a hundred times 5 ms, Python's default, is half a second.
    """
    before = sys.getswitchinterval()
    # One of several at a time finds it short already; only the one that has changed it sets it back.
    changed = before > 1.5 * SWITCH_INTERVAL
    if changed:
        sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        if changed:
            sys.setswitchinterval(before)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause Python's garbage collector, in all threads, while a small sample is learned.

    Nothing that is made for it is in a cycle. Its many objects would have the collector search all that a crawl has in
    memory several times as often, and each such search stops the event loop for 60 ms and more.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def run_in_background(coroutine: Coroutine[Any, Any, None]) -> Deferred[None]:
    """Run a coroutine beside the crawl; it has to handle its own exceptions."""
    return deferred_from_coro(coroutine)


def call_later(seconds: float, function: Callable[[], object]) -> None:
    """Call a function on the event loop after some time; it is not called when the loop ends before."""
    try:
        from scrapy.utils.asyncio import call_later as scrapys  # Scrapy 2.14 and later
    except ImportError:
        from twisted.internet import reactor as installed

        reactor: Any = installed
        reactor.callLater(seconds, function)
        return
    scrapys(seconds, function)


class Condition:
    """Something that any number of coroutines wait for."""

    def __init__(self) -> None:
        self._waiters: list[Deferred[None]] = []

    def wait(self) -> Awaitable[None]:
        """An awaitable that is done with the next call of :meth:`notify`."""
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
    passed = Condition()
    call_later(0, passed.notify)
    await passed.wait()


def is_closing(crawler: Crawler) -> bool:
    """Whether the spider is being closed: there will be no further ``spider_idle``."""
    if not crawler.crawling:
        return True
    engine = crawler.engine
    slot = getattr(engine, "_slot", None) or getattr(engine, "slot", None)  # ``slot`` up to Scrapy 2.13
    return slot is not None and slot.closing is not None
