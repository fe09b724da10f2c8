"""Work on stored pages: samples of sites, work on all cores, and progress."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sqlite3
import sys
import time
import zlib
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, NamedTuple, Self, TypeVar

from scrapy_stemmer.commands import note, uninterrupted
from scrapy_stemmer.commands.sources.base import SOURCES, LeftOut
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learning import MAX_SAMPLED_CHARS
from scrapy_stemmer.page.document import Page, url_key
from scrapy_stemmer.page.text import counted

_T = TypeVar("_T")
R = TypeVar("R")

AHEAD = 4  # tasks begun for each process before the first result; more would fill the memory
RATED = 10  # seconds until a rate is shown; before, the start of processes dominates
EVERY, EVERY_IN_LOGS = 3.0, 15.0  # seconds between progress lines on a terminal and elsewhere
TOGETHER = 16  # pages in a task

PRELOADED = (
    "learners.rules.learn.learning",
    "learners.rules.decide.page",
    "fields.learning",
    "commands.learn_stored",
    "commands.strip_stored",
)
"""Modules imported once for all processes."""


def digest_of(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


class Rank(NamedTuple):
    """Sort key of a page within its site."""

    url: bytes  # hash of the URL's key
    digest: bytes  # hash of the content
    id: int  # hash of both, the exact URL and the charset

    @classmethod
    def of(cls, page: Page, body: bytes) -> Self:
        url, digest = (digest_of(each) for each in (url_key(page.url).encode("utf-8", "surrogatepass"), body))
        whole = f"{page.url} {page.charset}".encode("utf-8", "surrogatepass")
        return cls(url, digest, int.from_bytes(digest_of(url + digest + whole)[:8], "big", signed=True))


class KeptPage(NamedTuple):
    """Page of a sample, with its compressed body."""

    url: str
    charset: str | None
    is_text: bool
    body: bytes

    def page(self) -> Page:
        body = zlib.decompress(self.body)
        return Page(self.url, body.decode("utf-8", "surrogatepass") if self.is_text else body, charset=self.charset)


class PageSample(AbstractContextManager["PageSample"]):
    """Sample of each site, independent of page order: pages with the smallest hashes of URLs, each content once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._db = sqlite3.connect("", isolation_level=None)  # a temporary file, deleted with the connection
        self._db.execute("PRAGMA journal_mode = OFF")
        columns = "site, key, url, charset, is_text, body"
        self._db.execute(f"CREATE TABLE pages ({columns}, PRIMARY KEY (site, key))")
        self._sites: dict[str, list[Rank]] = {}

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, page: Page) -> bool:
        """Add a page if it belongs to the sample of its site; return False for an oversized page."""
        html, site = page.html, page.site
        body = html.encode("utf-8", "surrogatepass") if isinstance(html, str) else bytes(html)  # type: ignore[arg-type]
        if len(body) > MAX_SAMPLED_CHARS:
            return False
        rank, sampled = Rank.of(page, body), self._sites.get(site, [])
        equal = [each for each in sampled if each.url == rank.url or each.digest == rank.digest]
        is_full = len(sampled) >= self._size and rank.url > sampled[-1].url
        if is_full or any(each <= rank for each in equal):
            return True
        insort(sampled, rank)
        for each in equal or sampled[self._size :]:
            sampled.remove(each)
            self._db.execute("DELETE FROM pages WHERE site = ? AND key = ?", (site, each.url))
        kept = KeptPage(page.url, page.charset, isinstance(html, str), zlib.compress(body, 1))
        self._db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)", (site, rank.url, *kept))
        self._sites[site] = sampled
        return True

    @property
    def sites(self) -> dict[str, int]:
        return {site: len(self._sites[site]) for site in sorted(self._sites)}

    def pages(self, site: str) -> list[KeptPage]:
        found = self._db.execute("SELECT * FROM pages WHERE site = ? ORDER BY url", (site,))
        return [KeptPage(*row[2:]) for row in found]


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_batches(function: Callable[[list[Page]], R], pages: Iterator[Page], processes: int) -> Iterator[R]:
    """Yield the results for pages in groups, in order. This process reads the pages, and all cores share the work."""
    return in_order(function, iter(lambda: list(islice(pages, TOGETHER)), []), processes)


def in_order(function: Callable[[_T], R], tasks: Iterable[_T], processes: int) -> Iterator[R]:
    """Yield the result of each task, in order; raise StemmerError if a process has died."""
    tasks, processes = iter(tasks), processes or cores()
    first = list(islice(tasks, 2))
    tasks = chain(first, tasks)
    if processes < 2 or len(first) < 2:
        yield from map(function, tasks)
        return
    # never forks of a process that may have threads
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([f"scrapy_stemmer.{name}" for name in PRELOADED])
        with uninterrupted():
            _start_forkserver()
    pool = ProcessPoolExecutor(processes, context, _begin)
    waiting: deque[Future[R]] = deque()
    try:
        for task in tasks:
            with uninterrupted():
                waiting.append(pool.submit(function, task))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise StemmerError(
            "A process has died, perhaps for want of memory. What was done before is kept; try fewer --processes."
        ) from error
    finally:
        with uninterrupted():
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal
    gc.freeze()  # keeps imported objects shared between processes


def _start_forkserver() -> None:
    """Start the fork server with Ctrl-C blocked in the server and its children."""
    from multiprocessing import forkserver, resource_tracker  # not on Windows

    resource_tracker.ensure_running()  # the next line would start it and unblock signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by processes
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def note_left_out(left_out: LeftOut, taken: int, what_for: str, or_else: str = "") -> None:
    for line in left_out.lines():
        note(line)
    if not taken:
        raise StemmerError(f"There is no page {what_for} in what was named{or_else}. Name {SOURCES}.")


def seconds_between_lines() -> float:
    return EVERY if sys.stderr.isatty() else EVERY_IN_LOGS


class Progress:
    """Progress line on standard error every few seconds, with a count of pages."""

    def __init__(self, every: float | None = None) -> None:
        self._started = self._noted = time.monotonic()
        self._every = seconds_between_lines() if every is None else every
        self.pages = 0

    def summary(self, doing: str) -> str:
        seconds = time.monotonic() - self._started
        rate = f", {self.pages / seconds:.0f} a second" if seconds > RATED else ""
        return f"{doing} {counted(self.pages, 'page')} took {seconds:.1f} s{rate}"

    def over(
        self,
        results: Iterable[_T],
        doing: str,
        pages_of: Callable[[Any], int] = lambda _: 1,
        *,
        total: int | None = None,
        unit: str = "page",
    ) -> Iterator[_T]:
        """Yield results; without a total their pages are counted in :attr:`pages`."""
        pages, started = 0, time.monotonic()
        for done, result in enumerate(results, 1):
            yield result
            pages += pages_of(result)
            self.pages += pages_of(result) if total is None else 0
            now = time.monotonic()
            if now - self._noted >= self._every:
                self._noted = now
                count = counted(pages, "page", ",") if total is None else f"{done:,} of {counted(total, unit, ',')}"
                note(f"{doing}: {count}, {pages / max(now - started, 1e-9):.0f} pages a second")
