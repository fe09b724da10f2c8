"""Patterns in a file of JSON Lines, which knows where each site's lines are and reads them when they are asked for."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from errno import ELOOP
from glob import escape
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from filelock import FileLock, Timeout

from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores.base import (
    Change,
    Edit,
    Merged,
    PatternStore,
    SitePatterns,
    by_site,
    file_lines,
    merged,
    state_of,
)

CHECKED_WHOLE = 1_000_000
"""Files of at most this many bytes are read to their ends when they are opened (less than 0.1 s), so that a mistake in
a file that people edit shows at once."""

BUFFER = 1 << 18  # bytes that are read at a time while lines are counted: 3 GB/s, three times what 8 kB give
IS_WINDOWS = os.name == "nt"  # whether a file can't be replaced while it is open; elsewhere its reader goes on with it
LONGEST_NAME = 200  # characters of a file's name in that of the file beside it, which has 14 more; systems take 255
LOCK_SECONDS = 60.0  # seconds for which a writer waits for others; to write 650 MB takes one of them
MAX_ATTEMPTS = 20  # how often a merge begins anew because somebody without the lock has changed the file
CUT_OFF_PAUSE = 1.0  # seconds for which a writer waits where the last line is cut off: an editor may write it in place
REPLACE_ATTEMPTS, REPLACE_PAUSE = 20, 0.1  # how often Windows is asked to replace a file that is read; seconds between


class Span(NamedTuple):
    """The place of a line: its number, counted from 1, its first byte and its length in bytes."""

    number: int
    start: int
    length: int


class SiteLines(NamedTuple):
    """Where the lines of each site are."""

    spans: dict[str, tuple[Span, ...]]  # in order, by site, sorted
    broken: frozenset[str]  # sites of which a line can't be read, or stands there twice
    is_cut_off: bool  # whether the last line can't be read and has no end: somebody may be writing it just now


def lines_by_site(lines: Iterable[codec.Line]) -> SiteLines:
    """The lines of each site; those of broken sites as they follow each other. A line of no site beside one of a broken
    site belongs to that one, as the marks of a conflict do. Another one is put under a name of its own, behind the site
    before."""
    heads: list[codec.LineHead | None] = []
    spans: list[Span] = []
    sites: list[str | None] = []
    broken: set[str | None] = set()
    seen: set[tuple[str, str]] = set()
    last: codec.Line | None = None
    for head, last in _with_heads(lines):
        number, start, line, _ = last
        heads.append(head)
        spans.append(Span(number, start, len(line)))
        sites.append(codec.site_in(line) if head is None else head.site)
        if head is None or head[::2] in seen:
            broken.add(sites[-1])
        else:
            seen.add(head[::2])
    owners = _owners(sites, broken, spans)
    broken |= {owner for owner, site in zip(owners, sites, strict=True) if site is None}

    def place(entry: tuple[str, codec.LineHead | None, Span]) -> tuple[str, tuple[float, str], Span]:
        owner, head, span = entry
        return owner, (0, "") if head is None or owner in broken else head[1:], span

    ordered = groupby(sorted(zip(owners, heads, spans, strict=True), key=place), key=itemgetter(0))
    spans_of = {site: tuple([span for _, _, span in of_site]) for site, of_site in ordered}
    is_cut_off = last is not None and heads[-1] is None and not last.is_whole
    return SiteLines(spans_of, frozenset(site for site in broken if site is not None), is_cut_off)


def _with_heads(lines: Iterable[codec.Line]) -> Iterator[tuple[codec.LineHead | None, codec.Line]]:
    """Each line with its head, if it can be read; one that can't, though a part of it can, is parted there."""
    for line in lines:
        head = _head_of(line)
        parts = [] if head is not None else [(_head_of(part), part) for part in _parts(line)]
        yield from parts if any(head for head, _ in parts) else [(head, line)]


def _parts(line: codec.Line) -> Iterator[codec.Line]:
    """A line that can't be read in parts: behind its JSON, where something follows that begins with white space, and
    before the last line in it, where an end of line is lost."""
    text, size = line.text, len(line.text)
    cuts = {0, codec.end_of_json(text), max(0, text.rfind(codec.BEGINNING, 1)), size}
    for start, end in pairwise(sorted(cuts)):
        part = text[start:end].lstrip()
        if part:
            place, number = line.start + end - len(part), line.number + text.count(b"\n", 0, end - len(part))
            yield codec.Line(number, place, part.rstrip(), end < size or line.is_whole)


def _head_of(line: codec.Line) -> codec.LineHead | None:
    """The head of a line; those with an unusual beginning are read to their ends. ``None`` if that can't be done."""
    if line.is_whole and (head := codec.glance(line.text)) is not None:
        return head
    with suppress(PatternFileError):
        return codec.line_head_of(codec.read_line(line.number, line.text))
    return None


def _owners(sites: Sequence[str | None], broken: Container[str | None], spans: Sequence[Span]) -> list[str]:
    """The site of each line, or the name under which a line of none is put."""
    owners = list(sites)
    for order in (range(len(owners)), range(len(owners))[::-1]) if None in owners else ():
        beside: str | None = None
        for place in order:
            if owners[place] is None and beside is not None and beside in broken:
                owners[place] = beside
            beside = owners[place]
    before, named = "", list[str]()
    for owner, span in zip(owners, spans, strict=True):
        named.append(f"{before}\0{span.number:09d}" if owner is None else owner)
        before = before if owner is None else owner
    return named


class PatternFile:
    """A pattern file as it was when it was opened, though it be replaced since. One that is written to in place, as
    some editors do, is looked through again."""

    def __init__(self, path: Path, uri: str) -> None:
        self._uri = uri
        if not (path.is_file() or path.is_dir()) and path.exists():
            raise OSError(f"{path} is no regular file")  # to open a pipe would wait for somebody who writes to it
        self._file: IO[bytes] = path.open("rb", buffering=BUFFER)
        if IS_WINDOWS:
            with self._file as file:
                self._file = tempfile.TemporaryFile(buffering=BUFFER)  # noqa: SIM115 - it is kept open
                shutil.copyfileobj(file, self._file, BUFFER)
            self._file.flush()
        weakref.finalize(self, self._file.close)
        self.number = self._file.fileno()
        self._lock = Lock()
        self._lines: SiteLines | PatternFileError = SiteLines({}, frozenset(), is_cut_off=False)
        self._state: tuple[int, int, int] | None = None

    def lines(self) -> SiteLines:
        """Where the lines of each site are; a PatternFileError when it is no pattern file."""
        state = state_of(self.number)
        with self._lock:
            if state != self._state:
                self._file.seek(0)
                try:
                    self._lines = lines_by_site(codec.lines_in(self._file))
                except PatternFileError as error:
                    self._lines = error.at(uri=self._uri)
                self._state = state
            if isinstance(self._lines, PatternFileError):
                raise self._lines.at()
            return self._lines

    def read(self, site: str) -> Iterator[tuple[int, bytes]]:
        """The lines of a site's patterns as they stand in the file, in order, with their numbers; raises as
        :meth:`lines` does."""
        for number, start, length in self.lines().spans.get(site, ()):
            try:
                if hasattr(os, "pread"):  # leaves alone the position, which processes share after a fork
                    line = os.pread(self.number, length, start)
                else:
                    with self._lock:
                        self._file.seek(start)
                        line = self._file.read(length)
            except OSError as error:
                raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self._uri) from error
            if len(line) < length:
                raise PatternFileError(
                    "The file was cut off while it was read: load it again.", uri=self._uri, line=number
                )
            yield number, line


class FileStore(PatternStore):
    """A pattern file on the local disk, by its path or a ``file:`` URI."""

    @property
    def path(self) -> Path:
        is_uri = self.uri.lower().startswith("file:")
        return Path(url2pathname(urlsplit(self.uri).path)) if is_uri else Path(self.uri)

    def exists(self) -> bool:
        return self.path.exists()

    def open(self) -> Mapping[str, SitePatterns]:
        """The patterns of the file; see :meth:`PatternStore.open`. Of a large one only the beginnings of its lines are
        read now."""
        return self._opened()[1]

    def _opened(self) -> tuple[PatternFile, Mapping[str, SitePatterns]]:
        """The open file, and its patterns."""
        try:
            file = PatternFile(self.path, self.uri)
            read, number, lines = file.read, file.number, file.lines()  # one of each for all sites
            sites = {
                site: SitePatterns(site, read, self.uri, file=number, count=len(spans))
                for site, spans in lines.spans.items()
            }
            for site in sites if os.fstat(number).st_size <= CHECKED_WHOLE else lines.broken:
                sites[site].check()
        except FileNotFoundError as error:
            raise PatternFileError(
                "There is no such pattern file. Learn one with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.", uri=self.uri
            ) from error
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self.uri) from error
        return file, sites

    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Write a new file beside the old one, then put it in its place."""
        with self._for_writing() as target:
            _replace(target, file_lines(sites))

    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """See :meth:`PatternStore.merge`. A file that an editor puts in place meanwhile is read again."""
        with self._for_writing() as target:
            for _ in range(MAX_ATTEMPTS):
                state = state_of(target)
                file, current = (None, {}) if state is None else self._opened()
                if file is not None and file.lines().is_cut_off:
                    time.sleep(CUT_OFF_PAUSE)
                result = merged(current, changes)
                if _replace(target, file_lines(result.sites.values()), state):
                    return result.logged(self.uri)
        raise PatternFileError(
            "Others change the pattern file all the time; nothing was written to it. Try again later.", uri=self.uri
        )

    def check_writable(self) -> None:
        """See whether the file could be written; another writer is none of its business. Only a new folder stays."""
        with self._telling_errors():
            target, lock = self._target_and_lock()
            with tempfile.TemporaryDirectory(dir=target.parent) as folder, suppress(Timeout):
                held = FileLock(lock if lock.exists() else Path(folder, "lock"), timeout=0)
                held.acquire()
                held.release()

    @contextmanager
    def _for_writing(self) -> Iterator[Path]:
        """The file that is to be written, while no other writer has it; errors say that it can't be."""
        with self._telling_errors():
            target, lock = self._target_and_lock()
            with FileLock(lock, timeout=LOCK_SECONDS, poll_interval=0.02), place_of_errors(uri=self.uri):
                # Of writers that were killed; their names are those that `file_beside` gives.
                for left in target.parent.glob(f".{escape(target.name[:LONGEST_NAME])}.{'[a-z0-9_]' * 8}.tmp"):
                    left.unlink(missing_ok=True)
                yield target

    def _target_and_lock(self) -> tuple[Path, Path]:
        """The file, whose folder is made, and its lock, which is empty, and stays; that of a program that has died is
        free."""
        try:
            target = self.path.resolve()
        except RuntimeError as error:  # of Python before 3.13
            raise OSError(ELOOP, os.strerror(ELOOP), str(self.path)) from error
        if target.exists() and not target.is_file():
            raise OSError(f"{target} is no regular file")
        if target.is_symlink():
            raise OSError(ELOOP, os.strerror(ELOOP), str(self.path))
        target.parent.mkdir(parents=True, exist_ok=True)
        # A lock that can't be made may look like one that is held.
        tempfile.TemporaryFile(dir=target.parent).close()
        return target, target.with_name(f".{target.name}.lock")

    @contextmanager
    def _telling_errors(self) -> Iterator[None]:
        """Errors say that the file can't be written."""
        try:
            yield
        except Timeout as error:
            raise PatternFileError(
                f"Another program has been writing the pattern file for {LOCK_SECONDS:g} seconds; nothing was written. "
                "Try again when it has ended.",
                uri=self.uri,
            ) from error
        except (OSError, NotImplementedError) as error:  # the latter of a file system without locks
            why = (isinstance(error, OSError) and error.strerror) or error  # not the name of a file beside it
            raise PatternFileError(
                f"The pattern file can't be written: {why}. The old one, if any, is as it was.", uri=self.uri
            ) from error


def aside(path: Path, why: str = "unsaved") -> Path:
    """A file of another name in the folder of one that can't be used; its name says why, and when."""
    return path.with_name(f"{path.stem}-{why}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{token_hex(4)}{path.suffix}")


def save_aside(patterns: Iterable[Pattern], path: Path) -> None:
    """Write patterns into a file that nobody else writes, so that it needs no lock."""
    _replace(path, file_lines(by_site(patterns).values()))


def _replace(target: Path, lines: Iterable[bytes], state: Any = ...) -> bool:
    """Write a pattern file anew as a whole; see :func:`put_in_place`."""
    with file_beside(target) as file:
        file.writelines(lines)
        Path(file.name).chmod(0o644)
        return put_in_place(file, target, state)


@contextmanager
def file_beside(target: Path) -> Iterator[IO[bytes]]:
    """A new file in the folder of another one, which is gone at the end if it was not put in its place."""
    temporary = target.with_name(f".{target.name[:LONGEST_NAME]}.{token_hex(4)}.tmp")
    with temporary.open("xb") as file:
        try:
            yield file
        finally:
            file.close()
            temporary.unlink(missing_ok=True)


def put_in_place(file: IO[bytes], target: Path, state: Any = ...) -> bool:
    """Close a file that was written, and put it in the place of another one, with the permissions of that; false where
    :func:`state_of` gives another state of that than was asked for. Windows refuses it as long as a reader has the old
    one open, which it has only while it copies it."""
    temporary = Path(file.name)
    file.flush()
    os.fsync(file.fileno())
    file.close()
    if target.exists():
        shutil.copymode(target, temporary)
    left = REPLACE_ATTEMPTS if IS_WINDOWS else 1
    while state in (..., state_of(target)):
        try:
            temporary.replace(target)
            return True
        except PermissionError:
            left -= 1
            if not left:
                raise
            time.sleep(REPLACE_PAUSE)
    return False
