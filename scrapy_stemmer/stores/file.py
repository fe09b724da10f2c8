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
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import IO, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from filelock import FileLock, Timeout

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores.base import Change, Edit, Merged, PatternStore, SitePatterns, merged

CHECKED_WHOLE = 1_000_000
"""Files up to so many bytes are read to their ends when they are opened (less than 0.1 s), so that a mistake in a
file that people edit shows at once."""

BYTES_PER_BYTE = 10
"""Bytes that a pattern takes in memory for each byte of its line."""

REFRESH = 1.0
"""Seconds for which patterns that are in memory are used without a look at the file."""

BUFFER = 1 << 18
"""Bytes that are read at a time while lines are counted: 3 GB/s on lines of 60 kB, three times what 8 kB give."""

KEEPS_OPEN_FILES = os.name != "nt"
"""Whether a file can be replaced while it is open, and its reader goes on with the old one. Not on Windows."""

MARK = b"\xef\xbb\xbf"
"""The byte order mark, which some editors put in front."""


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
        self._kept: dict[str, tuple[Pattern, ...]] = {}
        self._spans: dict[str, tuple[Span, ...]] = {}
        self._state: tuple[int, int] | None = None
        self._looked = 0.0  # by the clock of time.monotonic
        self.refresh()
        if self._state is not None and self._state[0] <= CHECKED_WHOLE:
            for site in self._spans:
                self.patterns(site)

    @property
    def counts(self) -> dict[str, int]:
        """The number of patterns of each site, by site, sorted."""
        return {site: len(spans) for site, spans in self._spans.items()}

    def refresh(self) -> None:
        """Find the lines, unless they are where they were.

        :raises PatternFileError: as for the class.
        """
        self._looked = time.monotonic()
        status = os.fstat(self._file.fileno())
        state = (status.st_size, status.st_mtime_ns)
        if state == self._state:
            return
        with self._lock:
            self._file.seek(0)
            try:
                self._spans = _spans_by_site(self._file)
            except PatternFileError as error:
                raise error.at(uri=self._uri) from error
            self._state = state
            self._kept.clear()

    def patterns(self, site: str, *, keep: bool = False) -> tuple[Pattern, ...]:
        """The patterns of a site, in order.

        :param keep: whether they are to stay in memory until :meth:`forget` is called; to read them again takes about
            1 ms for 10 kB.
        :raises PatternFileError: when one of them can't be read.
        """
        found = self._kept.get(site) if time.monotonic() - self._looked < REFRESH else None
        if found is None:
            self.refresh()
            found = self._kept.get(site)
        if found is None:
            found = tuple(self._pattern(site, span) for span in self._spans.get(site, ()))
            if keep:
                self._kept[site] = found
        return found

    def held_bytes(self, site: str) -> int:
        """About how many bytes the patterns of a site take that are kept, with what they remember of pages."""
        kept = self._kept.get(site, ())
        own = BYTES_PER_BYTE * sum([span.length for span in self._spans.get(site, ())]) if kept else 0
        return own + sum([pattern.remembered_bytes for pattern in kept])

    def forget(self, site: str) -> None:
        """Keep the patterns of a site no longer."""
        self._kept.pop(site, None)

    def lines(self, site: str) -> tuple[bytes, ...]:
        """The lines of a site's patterns as they stand in the file, in order."""
        self.refresh()
        return tuple(self._line(span) for span in self._spans.get(site, ()))

    def _pattern(self, site: str, span: Span) -> Pattern:
        try:
            pattern = codec.read_line(span.number, self._line(span))
        except PatternFileError as error:
            raise error.at(uri=self._uri) from error
        if pattern.site != site:
            message = f"The line names a second site, {pattern.site!r}. Delete one of them."
            raise PatternFileError(message, uri=self._uri, line=span.number, field="site")
        return pattern

    def _line(self, span: Span) -> bytes:
        try:
            line = self._bytes(span)
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self._uri) from error
        if len(line) < span.length:
            raise PatternFileError(
                "The file was cut off while it was read: load it again.", uri=self._uri, line=span.number
            )
        return line

    def _bytes(self, span: Span) -> bytes:
        if hasattr(os, "pread"):  # leaves alone the position, which processes share after a fork
            return os.pread(self._file.fileno(), span.length, span.start)
        with self._lock:
            self._file.seek(span.start)
            return self._file.read(span.length)


class PatternsOnDisk(SitePatterns):
    """The patterns of a site in a file.

    :param file: the file, which stays open as long as this does.
    :param site: the site.
    :param count: the number of its patterns.
    """

    __slots__ = ("_count", "_file", "_site")

    def __init__(self, file: PatternFile, site: str, count: int) -> None:
        self._file = file
        self._site = site
        self._count = count

    def __len__(self) -> int:
        return self._count

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns; read now, unless they are kept."""
        return self._file.patterns(self._site)

    def kept(self) -> tuple[Pattern, ...]:
        """The patterns; see :meth:`SitePatterns.kept`."""
        return self._file.patterns(self._site, keep=True)

    @property
    def held_bytes(self) -> int:
        """What the patterns take that are kept."""
        return self._file.held_bytes(self._site)

    def forget(self) -> None:
        """Keep them no longer."""
        self._file.forget(self._site)

    @property
    def lines(self) -> tuple[bytes, ...]:
        """Their lines, as they stand in the file."""
        return self._file.lines(self._site)


def _opened(path: Path) -> IO[bytes]:
    file = path.open("rb", buffering=BUFFER)
    if KEEPS_OPEN_FILES:
        return file
    with file:
        copy = tempfile.TemporaryFile(buffering=BUFFER)  # noqa: SIM115 - it is given away open
        try:
            shutil.copyfileobj(file, copy, BUFFER)
            copy.flush()
        except BaseException:
            copy.close()
            raise
    return copy


def _spans_by_site(file: IO[bytes]) -> dict[str, tuple[Span, ...]]:
    """The lines of each site, in the order of files; those with an unusual beginning are read to their ends."""
    heads: list[tuple[codec.Head, Span]] = []
    lines = lines_in(file)
    number, _, first, _ = next(lines, (0, 0, b"", True))
    if not number:
        raise codec.empty_file()
    codec.check_header(number, first)
    for number, start, line, is_whole in lines:
        # A line without an end may be cut off where it happens to look whole.
        head = codec.glance(line) if is_whole else None
        heads.append((head or codec.head_of(codec.read_line(number, line)), Span(number, start, len(line))))
    codec.check_unique((span.number, head) for head, span in heads)
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for head, span in sorted(heads, key=lambda each: each[0].order):
        found[head.site].append(span)
    return {site: tuple(spans) for site, spans in found.items()}


def lines_in(file: IO[bytes]) -> Iterator[tuple[int, int, bytes, bool]]:
    """The lines that are not passed over: number, first byte, the line without white space, whether it has an end.

    A line that begins with white space belongs to the one before; comments may stand between the two.
    """
    start = 0
    pending: tuple[int, int, bytes] | None = None
    between = b""
    for number, raw in enumerate(file, start=1):
        text = raw.removeprefix(MARK) if number == 1 else raw
        if pending is not None and codec.continues(raw):
            pending = (pending[0], pending[1], pending[2] + between + raw)
            between = b""
        elif text.strip() and not text.lstrip().startswith(b"#"):
            if pending is not None:
                yield _ended(*pending)
            pending = (number, start + len(raw) - len(text.lstrip()), text.lstrip())
            between = b""
        elif text.strip():
            between += raw
        elif pending is not None:
            yield _ended(*pending)
            pending = None
        start += len(raw)
    if pending is not None:
        yield _ended(*pending)


def _ended(number: int, start: int, raw: bytes) -> tuple[int, int, bytes, bool]:
    return number, start, raw.strip(), raw.endswith(b"\n")


# Patterns in a file of JSON Lines

LOCK_SUFFIX = ".lock"
"""End of the name of the file beside a pattern file that its writer locks; it is empty, and stays. The system gives the
lock of a program that has died free."""

LOCK_SECONDS = 60.0
"""Seconds for which a writer waits for others; to write 650 MB takes one of them."""

LOCK_POLL_SECONDS = 0.02
"""Seconds between two attempts to get the lock."""

MAX_ATTEMPTS = 20
"""How often a merge begins anew because somebody without the lock has changed the file."""

IS_WINDOWS = os.name == "nt"

REPLACE_ATTEMPTS, REPLACE_PAUSE = 20, 0.1
"""How often Windows is asked to replace a file that others read, and the seconds between."""


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
        """The patterns of the file; see :meth:`PatternStore.open`. Only the beginnings of its lines are read now."""
        try:
            file = PatternFile(self.path, self.uri)
        except FileNotFoundError as error:
            raise PatternFileError(
                "There is no such pattern file. Learn one with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.",
                uri=self.uri,
            ) from error
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self.uri) from error
        return {site: PatternsOnDisk(file, site, count) for site, count in file.counts.items()}

    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Write a new file beside the old one, then put it in its place."""
        with self._for_writing() as target:
            _put(_written_beside(target, _all_lines(sites)), target)

    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """See :meth:`PatternStore.merge`. A file that an editor puts in place meanwhile is read again."""
        with self._for_writing() as target:
            for _ in range(MAX_ATTEMPTS):
                state = _state(target)
                found = merged({} if state is None else self.open(), changes)
                temporary = _written_beside(target, _all_lines(found.sites.values()))
                if _state(target) == state:
                    _put(temporary, target)
                    return found
                temporary.unlink()
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
            with FileLock(_lock_of(target), timeout=LOCK_SECONDS, poll_interval=LOCK_POLL_SECONDS):
                yield target
        except Timeout as error:
            raise PatternFileError(
                f"Another program has been writing the pattern file for {LOCK_SECONDS:g} seconds; nothing was written. "
                "Try again when it has ended.",
                uri=self.uri,
            ) from error
        except (OSError, ValueError, NotImplementedError) as error:
            # ValueError: a number that JSON has no place for. NotImplementedError: a file system without locks.
            raise PatternFileError(
                f"The pattern file can't be written: {error}. The old one, if any, is as it was.", uri=self.uri
            ) from error


def _lock_of(target: Path) -> Path:
    return target.with_name(f".{target.name}{LOCK_SUFFIX}")


def _all_lines(sites: Iterable[SitePatterns]) -> Iterator[bytes]:
    yield codec.header().encode()
    for site in sites:
        yield from site.lines


def _state(path: Path) -> tuple[int, int, int] | None:
    """What tells whether a file is still the same: its number on the disk, its size and its time; ``None`` without."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _written_beside(target: Path, lines: Iterable[bytes]) -> Path:
    """A temporary file in the folder of another one, with these lines and that one's permissions."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for line in lines:
                file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode if target.exists() else 0o644)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _put(temporary: Path, target: Path) -> None:
    """Put a file into the place of another one.

    Windows refuses that as long as a reader has the old one open, which it has only while it copies it.
    """
    for left in reversed(range(REPLACE_ATTEMPTS)):
        try:
            temporary.replace(target)
            return
        except BaseException as error:
            if not (left and isinstance(error, PermissionError) and IS_WINDOWS):
                temporary.unlink(missing_ok=True)
                raise
            time.sleep(REPLACE_PAUSE)
