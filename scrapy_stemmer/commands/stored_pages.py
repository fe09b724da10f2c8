"""Work on stored pages: a sample of each site, kept in a temporary file; work spread over the cores; its progress."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import sys
import time
import zlib
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import Any, NamedTuple, Self, TypeVar

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl.responses import url_key
from scrapy_stemmer.crawl.spool import MAX_SAMPLED_CHARS, digest_of
from scrapy_stemmer.exceptions import StemmerError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Tasks for each process that are begun before the result of the first is there; more would fill the memory."""

RATED = 10
"""Seconds from which on pages a second are told; before, most of the time goes to the start of processes."""

TOGETHER = 16
"""Pages that a process is given at a time."""


class Rank(NamedTuple):
    """The place of a page among those of its site; the first ones are in the sample.

    :param url: hash of its URL in the form in which pages are compared.
    :param digest: hash of its content.
    :param id: hash of these, the URL as it stands and the charset, which tells apart what differs in no more.
    """

    url: bytes
    digest: bytes
    id: int

    @classmethod
    def of(cls, page: Page, body: bytes) -> Self:
        """The place of a page with this content."""
        url, digest = (digest_of(each) for each in (url_key(page.url).encode("utf-8", "surrogatepass"), body))
        told_apart = f"{page.url} {page.charset}".encode("utf-8", "surrogatepass")
        return cls(url, digest, int.from_bytes(digest_of(url + digest + told_apart)[:8], "big", signed=True))


class PageSample(AbstractContextManager["PageSample"]):
    """A sample of each site: of its pages those with the smallest hashes of URLs. Pages with equal content count once.

    Of several contents of one URL the one with the smallest hash counts. So the order of pages makes no difference, and
    samples of parts can be joined; except where one of several contents of a URL is that of another URL too.

    :param size: pages a site.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._db = sqlite3.connect("", isolation_level=None)  # a temporary file, which goes with the connection
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("CREATE TABLE pages (site, key, url, charset, is_text, body, PRIMARY KEY (site, key))")
        self._sites: dict[str, list[Rank]] = {}

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, page: Page) -> bool:
        """Take a page, if its site can do with it.

        :returns: whether pages of its size are learned from.
        """
        is_text = isinstance(page.html, str)
        body = str(page.html).encode("utf-8", "surrogatepass") if is_text else bytes(page.html)  # type: ignore[arg-type]
        if len(body) > MAX_SAMPLED_CHARS:
            return False
        rank = Rank.of(page, body)
        sampled = self._sites.get(page.site, [])
        equal = [each for each in sampled if each.url == rank.url or each.digest == rank.digest]
        is_full = len(sampled) >= self._size and rank.url > sampled[-1].url
        if is_full or any(each <= rank for each in equal):
            return True
        insort(sampled, rank)
        for each in equal or sampled[self._size :]:
            sampled.remove(each)
            self._db.execute("DELETE FROM pages WHERE site = ? AND key = ?", (page.site, each.url))
        values = (page.site, rank.url, page.url, page.charset, is_text, zlib.compress(body, 1))
        self._db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)", values)
        self._sites[page.site] = sampled
        return True

    @property
    def sites(self) -> dict[str, int]:
        """How many pages there are of each site, by site."""
        return {site: len(self._sites[site]) for site in sorted(self._sites)}

    def pages(self, site: str) -> list[Page]:
        """The pages of a site, by URL."""
        query = "SELECT url, charset, is_text, body FROM pages WHERE site = ? ORDER BY url"
        found = []
        for url, charset, is_text, packed in self._db.execute(query, (site,)):
            body = zlib.decompress(packed)
            found.append(Page(url, body.decode("utf-8", "surrogatepass") if is_text else body, charset=charset))
        return found


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(function: Callable[[T], R], tasks: Iterable[T], processes: int, together: int = 1) -> Iterator[R]:
    """The result for each task, in the order of the tasks, which are taken as they are needed.

    :param function: of a module, or a ``partial`` of one; called in other processes, here when there is little to do.
    :param processes: how many; 0 for one for each core.
    :param together: how many tasks a process is given at a time.
    :raises StemmerError: when a process has died.
    """
    tasks, processes = iter(tasks), processes or cores()
    batches = iter(lambda: list(islice(tasks, together)), [])
    first = list(islice(batches, 2))
    batches = chain(first, batches)
    if processes < 2 or len(first) < 2:
        yield from map(function, chain.from_iterable(batches))
        return
    # Never copies of a process that may have threads.
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([__name__])
    pool = ProcessPoolExecutor(processes, mp_context=context)
    waiting: deque[Future[list[R]]] = deque()
    try:
        for batch in batches:
            waiting.append(pool.submit(_each, function, batch))
            if len(waiting) >= AHEAD * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise StemmerError(
            "A process has died, perhaps for want of memory. What was done before is kept; try fewer --processes."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _each(function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    return list(map(function, tasks))


def note(line: str) -> None:
    """Tell the user something that is not part of the output."""
    sys.stderr.write(f"{line}\n")


class Progress:
    """Counts what is done, and shows it while it is being done.

    With the extra ``progress`` (tqdm) there is a bar, if the standard error output is a terminal.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self.pages = 0

    @property
    def summary(self) -> str:
        """How many pages in how long; how many a second only where more than the start takes time."""
        seconds = time.monotonic() - self._started
        rate = f", {self.pages / seconds:.0f} a second" if seconds > RATED else ""
        return f"{counted(self.pages, 'page')} in {seconds:.1f} s{rate}"

    def over_pages(self, results: Iterable[T], doing: str = "reading") -> Iterator[T]:
        """The same pages, counted as they pass; how many will come is not known."""
        for result in _with_bar(results, desc=doing, unit=" pages"):
            yield result
            self.pages += 1

    def over_sites(
        self, results: Iterable[T], total: int, pages_of: Callable[[T], int], doing: str = "learning"
    ) -> Iterator[T]:
        """Sites with which something is being done: how many of them all are left, and how many pages a second.

        :param pages_of: gives the number of pages of a site.
        """
        done, started = 0, time.monotonic()
        bar = _with_bar(results, desc=doing, unit=" sites", total=total)
        for result in bar:
            yield result
            done += pages_of(result)
            if bar is not results:
                bar.set_postfix_str(f"{done / max(time.monotonic() - started, 1e-9):.0f} pages/s", refresh=False)


def _with_bar(results: Iterable[T], **options: Any) -> Any:
    """The same results, with a bar that advances with each where somebody sees it."""
    if not sys.stderr.isatty():
        return results
    try:
        from tqdm import tqdm
    except ImportError:
        return results
    return tqdm(results, file=sys.stderr, dynamic_ncols=True, leave=False, **options)
