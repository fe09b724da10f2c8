"""A pattern file that is open: it knows where each site's lines are, and reads them when they are asked for."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import weakref
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import IO, NamedTuple

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores.base import SitePatterns

CHECKED_WHOLE = 1_000_000
"""Files up to so many bytes are read to their ends when they are opened (less than 0.1 s), so that a mistake in a
file that people edit shows at once."""

READ_SITES = 256
"""So many sites are kept as patterns at a time, which take about ten times the room of their lines; the others are
read again when they are needed (about 1 ms for 10 kB)."""

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
        self._read: dict[str, tuple[Pattern, ...]] = {}  # the sites used last are at the end
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
            self._read.clear()

    def patterns(self, site: str) -> tuple[Pattern, ...]:
        """The patterns of a site, in order.

        :raises PatternFileError: when one of them can't be read.
        """
        found = self._in_memory(site) if time.monotonic() - self._looked < REFRESH else None
        if found is None:
            self.refresh()
            found = self._in_memory(site)
        if found is None:
            found = tuple(self._pattern(site, span) for span in self._spans.get(site, ()))
            with self._lock:
                self._read[site] = found
                if len(self._read) > READ_SITES:
                    del self._read[next(iter(self._read))]
        return found

    def _in_memory(self, site: str) -> tuple[Pattern, ...] | None:
        """The patterns of a site that was read and is still in memory; now it is the one that was used last."""
        with self._lock:
            found = self._read.pop(site, None)
            if found is not None:
                self._read[site] = found
        return found

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
            raise PatternFileError("The file was cut off while it was read.", uri=self._uri, line=span.number)
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
        """The patterns; read now, unless they are among those that were used last."""
        return self._file.patterns(self._site)

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
    lines = _lines(file)
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


def _lines(file: IO[bytes]) -> Iterator[tuple[int, int, bytes, bool]]:
    """The lines that are not passed over: number, first byte, the line without white space, whether it has an end.

    A line that begins with white space belongs to the one before.
    """
    start = 0
    pending: tuple[int, int, bytes] | None = None
    for number, raw in enumerate(file, start=1):
        text = raw.removeprefix(MARK) if number == 1 else raw
        if pending is not None and codec.continues(raw):
            pending = (pending[0], pending[1], pending[2] + raw)
        else:
            if pending is not None:
                yield _ended(*pending)
            line = text.strip()
            is_line = line and not line.startswith(b"#")
            pending = (number, start + len(raw) - len(text.lstrip()), text.lstrip()) if is_line else None
        start += len(raw)
    if pending is not None:
        yield _ended(*pending)


def _ended(number: int, start: int, raw: bytes) -> tuple[int, int, bytes, bool]:
    return number, start, raw.strip(), raw.endswith(b"\n")
