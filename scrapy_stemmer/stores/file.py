"""Patterns in a file of JSON Lines, which knows where each site's lines are and reads them when they are asked for."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import IO, NamedTuple
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
    file_lines,
    merged,
    state_of,
)

CHECKED_WHOLE = 1_000_000
"""Files up to so many bytes are read to their ends when they are opened (less than 0.1 s), so that a mistake in a
file that people edit shows at once."""

BUFFER = 1 << 18
"""Bytes that are read at a time while lines are counted: 3 GB/s on lines of 60 kB, three times what 8 kB give."""

IS_WINDOWS = os.name == "nt"
"""Whether a file can't be replaced while it is open; elsewhere its reader goes on with the old one."""

LOCK_SECONDS = 60.0
"""Seconds for which a writer waits for others; to write 650 MB takes one of them."""

MAX_ATTEMPTS = 20
"""How often a merge begins anew because somebody without the lock has changed the file."""

REPLACE_ATTEMPTS, REPLACE_PAUSE = 20, 0.1
"""How often Windows is asked to replace a file that others read, and the seconds between."""


class Span(NamedTuple):
    """The place of a line: its number, counted from 1, its first byte and its length in bytes."""

    number: int
    start: int
    length: int


class PatternFile:
    """A pattern file as it was when it was opened, though it be replaced since.

    A file that is written to in place, as some editors do, is looked through again.

    :param path: the file.
    :param uri: its name in errors.
    :raises OSError: when it can't be opened.
    :raises PatternFileError: when it is no pattern file, or a line's head can't be understood.
    """

    def __init__(self, path: Path, uri: str) -> None:
        self._uri = uri
        self._file = _opened(path)
        weakref.finalize(self, self._file.close)
        self._lock = Lock()
        self._spans: dict[str, tuple[Span, ...]] | PatternFileError = {}
        self._state: tuple[int, int] | None = None

    @property
    def number(self) -> int:
        """The number of the open file."""
        return self._file.fileno()

    def spans(self) -> dict[str, tuple[Span, ...]]:
        """Where the lines of each site's patterns are, in order, by site, sorted.

        :raises PatternFileError: as for the class.
        """
        state = state_of(self.number)
        with self._lock:
            if state != self._state:
                self._file.seek(0)
                try:
                    self._spans = _spans_by_site(self._file)
                except PatternFileError as error:
                    self._spans = error.at(uri=self._uri)
                self._state = state
            if isinstance(self._spans, PatternFileError):
                raise self._spans.at()
            return self._spans

    def read(self, site: str) -> list[tuple[int, bytes]]:
        """The lines of a site's patterns as they stand in the file, in order, with their numbers.

        :raises PatternFileError: when they can't be read, and as for the class.
        """
        return [(span.number, self._line(span)) for span in self.spans().get(site, ())]

    def _line(self, span: Span) -> bytes:
        try:
            if hasattr(os, "pread"):  # leaves alone the position, which processes share after a fork
                line = os.pread(self.number, span.length, span.start)
            else:
                with self._lock:
                    self._file.seek(span.start)
                    line = self._file.read(span.length)
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self._uri) from error
        if len(line) < span.length:
            raise PatternFileError(
                "The file was cut off while it was read: load it again.", uri=self._uri, line=span.number
            )
        return line


def _opened(path: Path) -> IO[bytes]:
    file = path.open("rb", buffering=BUFFER)
    if not IS_WINDOWS:
        return file
    with file:
        copy = tempfile.TemporaryFile(buffering=BUFFER)  # noqa: SIM115 - it is given away open
        shutil.copyfileobj(file, copy, BUFFER)
    copy.flush()
    return copy


def _spans_by_site(file: IO[bytes]) -> dict[str, tuple[Span, ...]]:
    """The lines of each site, in the order of files; those with an unusual beginning are read to their ends."""
    heads: list[tuple[codec.Head, Span]] = []
    for number, start, line, is_whole in codec.lines_in(file):
        head = codec.glance(line) if is_whole else None
        heads.append((head or codec.head_of(codec.read_line(number, line)), Span(number, start, len(line))))
    codec.check_unique((span.number, head) for head, span in heads)
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for head, span in sorted(heads, key=itemgetter(0)):
        found[head.site].append(span)
    return {site: tuple(spans) for site, spans in found.items()}


class FileStore(PatternStore):
    """A pattern file on the local disk.

    :param uri: its path, or a ``file:`` URI.
    """

    @property
    def path(self) -> Path:
        """The file."""
        is_uri = self.uri.lower().startswith("file:")
        return Path(url2pathname(urlsplit(self.uri).path)) if is_uri else Path(self.uri)

    def exists(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    def open(self) -> Mapping[str, SitePatterns]:
        """The patterns of the file; see :meth:`PatternStore.open`. Of a large one only the beginnings of its lines are
        read now."""
        try:
            file = PatternFile(self.path, self.uri)
            read, number = file.read, file.number  # one of each for all sites
            sites = {
                site: SitePatterns(site, read, self.uri, file=number, count=len(spans))
                for site, spans in file.spans().items()
            }
            if state_of(number)[0] <= CHECKED_WHOLE:
                for patterns in sites.values():
                    _ = patterns.patterns
        except FileNotFoundError as error:
            raise PatternFileError(
                "There is no such pattern file. Learn one with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.",
                uri=self.uri,
            ) from error
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self.uri) from error
        return sites

    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Write a new file beside the old one, then put it in its place."""
        with self._for_writing() as target, _written_beside(target, file_lines(sites)) as temporary:
            _put(temporary, target)

    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """See :meth:`PatternStore.merge`. A file that an editor puts in place meanwhile is read again."""
        with self._for_writing() as target:
            for _ in range(MAX_ATTEMPTS):
                state = _state_at(target)
                found = merged({} if state is None else self.open(), changes)
                with _written_beside(target, file_lines(found.sites.values())) as temporary:
                    if _state_at(target) == state:
                        _put(temporary, target)
                        return found
        raise PatternFileError(
            "Others change the pattern file all the time; nothing was written to it. Try again later.", uri=self.uri
        )

    def write_aside(self, patterns: Iterable[Pattern], folder: Path) -> str:
        """See :meth:`PatternStore.write_aside`: a file in the same folder, whose name says when it was written."""
        path = self.path
        name = f"{path.stem}-unsaved-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{token_hex(4)}{path.suffix}"
        beside = FileStore(str(path.with_name(name)))
        beside.save(patterns)
        return beside.uri

    def remove(self) -> None:
        """Delete the file and its lock."""
        with self._for_writing() as target:
            target.unlink(missing_ok=True)
        _lock_of(target).unlink(missing_ok=True)

    @contextmanager
    def _for_writing(self) -> Iterator[Path]:
        """The file that is to be written, while no other writer has it; errors say that it can't be."""
        try:
            target = self.path.resolve()
            target.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(_lock_of(target), timeout=LOCK_SECONDS, poll_interval=0.02)
            with lock, place_of_errors(uri=self.uri):
                yield target
        except Timeout as error:
            raise PatternFileError(
                f"Another program has been writing the pattern file for {LOCK_SECONDS:g} seconds; nothing was written. "
                "Try again when it has ended.",
                uri=self.uri,
            ) from error
        except (OSError, NotImplementedError) as error:  # the latter of a file system without locks
            raise PatternFileError(
                f"The pattern file can't be written: {error}. The old one, if any, is as it was.", uri=self.uri
            ) from error


def _lock_of(target: Path) -> Path:
    """What the writer of a file locks. It is empty, and stays; the lock of a program that has died is free."""
    return target.with_name(f".{target.name}.lock")


def _state_at(path: Path) -> tuple[int, int, int] | None:
    """What tells whether a file is still the same: its number on the disk, its size and its time; ``None`` without."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def _written_beside(target: Path, lines: Iterable[bytes]) -> Iterator[Path]:
    """A temporary file in the folder of another one, with these lines and that one's permissions."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode if target.exists() else 0o644)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _put(temporary: Path, target: Path) -> None:
    """Put a file into the place of another one.

    Windows refuses that as long as a reader has the old one open, which it has only while it copies it.
    """
    for left in reversed(range(REPLACE_ATTEMPTS)):
        try:
            temporary.replace(target)
            return
        except PermissionError:
            if not (left and IS_WINDOWS):
                raise
            time.sleep(REPLACE_PAUSE)
