"""Work on stored pages: a sample of each site, kept in a temporary file; work spread over the cores; its progress."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import sys
import tempfile
import time
import zlib
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.context import BaseContext
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.responses import url_key
from scrapy_stemmer.crawl.spool import COMPRESSION, MAX_SAMPLED_CHARS, digest_of
from scrapy_stemmer.exceptions import StemmerError

_TABLE = "CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT, charset TEXT, form INTEGER, body BLOB)"
PLAIN_BYTES = 64_000_000
"""Further pages are compressed once there are this many bytes; that costs nearly as much as parsing them."""

_PRAGMAS = ("page_size = 16384", "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE")

_BYTES, _TEXT, _PACKED = 0, 1, 2
"""Forms of a page in the file: as bytes, as text; either may be compressed."""


def rank_of(url: str) -> bytes:
    """The hash of a URL in the form in which pages are compared; those with the smallest are in the sample."""
    return digest_of(url_key(url).encode("utf-8", "surrogatepass"))


class Rank(NamedTuple):
    """The place of a page among those of its site; the first ones are in the sample.

    :param url: see :func:`rank_of`.
    :param digest: hash of its content.
    :param id: hash of these, the URL as it stands and the charset: it tells apart what differs in no more, and is
        never equal by intent.
    """

    url: bytes
    digest: bytes
    id: int

    @classmethod
    def of(cls, page: Page, body: bytes, url: bytes | None = None) -> Self:
        """The place of a page.

        :param body: its content.
        :param url: its :func:`rank_of`, if it is known.
        """
        url, digest = url or rank_of(page.url), digest_of(body)
        told_apart = f"{page.url} {page.charset}".encode("utf-8", "surrogatepass")
        return cls(url, digest, int.from_bytes(digest_of(url + digest + told_apart)[:8], "big", signed=True))


class _Sampled(NamedTuple):
    """A page of the sample, with its row in the file."""

    rank: Rank
    row: int


class PageSample:
    """The pages of each site whose URLs have the smallest hashes, so many at most; pages with equal content count once.

    Of one URL's contents the one with the smallest hash counts. So it does not depend on the order of the pages, and
    samples of parts can be joined; except where one of several contents of a URL is that of another URL too.

    :param size: pages a site.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._folder = tempfile.TemporaryDirectory(prefix="scrapy-stemmer-")
        self._db = sqlite3.connect(Path(self._folder.name, "pages.sqlite"), isolation_level=None)
        for pragma in _PRAGMAS:
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute(_TABLE)
        self._sites: dict[str, list[_Sampled]] = {}
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._db.close()
        self._folder.cleanup()

    def add(self, page: Page) -> bool:
        """Take a page, if its site can do with it.

        :returns: whether pages of its size are learned from.
        """
        url, site = rank_of(page.url), page.site
        sampled = self._sites.get(site, [])
        if len(sampled) >= self._size and url > sampled[-1].rank.url:
            return True
        is_text = isinstance(page.html, str)
        body = str(page.html).encode("utf-8", "surrogatepass") if is_text else bytes(page.html)  # type: ignore[arg-type]
        if len(body) > MAX_SAMPLED_CHARS:
            return False
        rank = Rank.of(page, body, url)
        equal = [each for each in sampled if each.rank.url == url or each.rank.digest == rank.digest]
        if any(each.rank <= rank for each in equal):
            return True
        for each in equal:
            self._remove(sampled, each)
        self._sites[site] = sampled
        insort(sampled, _Sampled(rank, self._write(page, body, is_text=is_text)))
        if len(sampled) > self._size:
            self._remove(sampled, sampled[-1])
        return True

    @property
    def sites(self) -> dict[str, int]:
        """How many pages there are of each site, by site."""
        return {site: len(self._sites[site]) for site in sorted(self._sites)}

    def pages(self, site: str) -> list[Page]:
        """The pages of a site, by URL."""
        return sorted(self._read(page.row for page in self._sites[site]), key=lambda page: page.url)

    def _write(self, page: Page, body: bytes, *, is_text: bool) -> int:
        form = _TEXT if is_text else _BYTES
        self._bytes += len(body)
        if self._bytes > PLAIN_BYTES:
            form, body = form | _PACKED, zlib.compress(body, COMPRESSION)
        row = self._db.execute(
            "INSERT INTO pages (url, charset, form, body) VALUES (?, ?, ?, ?)", (page.url, page.charset, form, body)
        )
        if row.lastrowid is None:
            raise RuntimeError("SQLite gave no number to a row")
        return row.lastrowid

    def _remove(self, sampled: list[_Sampled], page: _Sampled) -> None:
        sampled.remove(page)
        self._db.execute("DELETE FROM pages WHERE id = ?", (page.row,))

    def _read(self, ids: Iterable[int]) -> Iterable[Page]:
        for number in ids:
            url, charset, form, body = self._db.execute(
                "SELECT url, charset, form, body FROM pages WHERE id = ?", (number,)
            ).fetchone()
            content = zlib.decompress(body) if form & _PACKED else bytes(body)
            html = content.decode("utf-8", "surrogatepass") if form & _TEXT else content
            yield Page(url, html, charset=charset)


# Work on stored pages, spread over the cores; what comes out does not depend on how many there are

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Tasks for each process that are begun before the result of the first is there; more would fill the memory."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(function: Callable[[T], R], tasks: Iterable[T], processes: int) -> Iterator[R]:
    """The result for each task, in the order of the tasks, which are taken as they are needed.

    :param function: of a module, or a ``partial`` of one; called in other processes, but here when there is one task.
    :param processes: how many.
    :raises StemmerError: when a process has died.
    """
    tasks = iter(tasks)
    first = list(islice(tasks, 2))
    if processes < 2 or len(first) < 2:
        yield from map(function, chain(first, tasks))
        return
    pool = ProcessPoolExecutor(processes, mp_context=_context())
    waiting: deque[Future[R]] = deque()
    try:
        for task in chain(first, tasks):
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
        pool.shutdown(cancel_futures=True)


def _context() -> BaseContext:
    """How processes are started: never as copies of one that may have threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


# Progress of work on stored pages: a bar where somebody sees it, and notes on the standard error output


def note(line: str) -> None:
    """Tell the user something that is not part of the output."""
    sys.stderr.write(f"{line}\n")


def counted(number: int, noun: str) -> str:
    """A number of something: ``1 page``, ``2 pages``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Progress:
    """Counts what is done, and shows it while it is being done.

    With the extra ``progress`` (tqdm) there is a bar, if the standard error output is a terminal.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self.pages = 0

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / max(time.monotonic() - self._started, 1e-9)

    @property
    def summary(self) -> str:
        """How many pages in how long."""
        seconds = time.monotonic() - self._started
        return f"{counted(self.pages, 'page')} in {seconds:.1f} s, {self.rate:.0f} a second"

    def reading(self, pages: Iterable[T]) -> Iterator[T]:
        """Pages that are being read, of which nobody knows how many there are."""
        with _bar(desc="reading", unit=" pages") as bar:
            for page in pages:
                yield page
                self.pages += 1
                bar.update()

    def sites(
        self, results: Iterable[T], total: int, pages_of: Callable[[T], int], doing: str = "learning"
    ) -> Iterator[T]:
        """Sites on which something is being done: how many are left, and how many pages a second.

        :param total: how many there are.
        :param pages_of: gives the number of pages of one.
        :param doing: what is done.
        """
        done, started = 0, time.monotonic()
        with _bar(desc=doing, unit=" sites", total=total) as bar:
            for result in results:
                yield result
                done += pages_of(result)
                bar.set_postfix_str(f"{done / max(time.monotonic() - started, 1e-9):.0f} pages/s", refresh=False)
                bar.update()

    def stripping(self, results: Iterable[T], pages_of: Callable[[T], int]) -> Iterator[T]:
        """Pages that are being stripped, some at a time."""
        with _bar(desc="stripping", unit=" pages") as bar:
            for result in results:
                yield result
                self.pages += pages_of(result)
                bar.update(pages_of(result))


class _NoBar:
    """Stands for a bar that nobody would see."""

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update(self, count: int = 1) -> None:
        """Does nothing."""

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        """Does nothing."""


def _bar(**options: Any) -> Any:
    if not sys.stderr.isatty():
        return _NoBar()
    try:
        from tqdm import tqdm
    except ImportError:
        return _NoBar()
    return tqdm(file=sys.stderr, dynamic_ncols=True, leave=False, **options)
