"""Differences between Scrapy's reactors, and between its versions from 2.13 to 2.19; threads and waiting."""

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
    result: Awaitable[T]
    try:
        asyncio.get_running_loop()
        result = asyncio.to_thread(function, *arguments)
    except RuntimeError:  # another reactor of Twisted's
        from twisted.internet.threads import deferToThread

        result = maybe_deferred_to_future(deferToThread(function, *arguments))
    return await result


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
