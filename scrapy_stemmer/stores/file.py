"""Pattern files of JSON Lines, indexed by site and read site by site."""

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
"""Files up to this size in bytes are read completely when opened (less than 0.1 s), so that mistakes of editors show at
once."""

BUFFER = 1 << 18  # bytes read at a time while counting lines: 3 GB/s, three times the rate of 8 kB
IS_WINDOWS = os.name == "nt"  # an open file cannot be replaced; elsewhere readers keep the old file
LONGEST_NAME = 200  # characters of a file name kept in its temporary file, which adds 14; systems allow 255
LOCK_SECONDS = 60.0  # time to wait for other writers; writing 650 MB takes one second
MAX_MERGES = 20  # merges restarted after changes by programs without the lock
CUT_OFF_PAUSE = 1.0  # time to wait after a cut-off last line, which an editor may be writing in place
REPLACE_ATTEMPTS, REPLACE_PAUSE = 20, 0.1  # attempts to replace a file that is read on Windows; seconds between


class Span(NamedTuple):
    number: int
    start: int
    length: int


class SiteLines(NamedTuple):
    spans: dict[str, tuple[Span, ...]]  # in order, by site, sorted
    broken: frozenset[str]  # sites with an unreadable or duplicate line
    is_cut_off: bool  # the last line is unreadable and has no end: somebody may be writing it


def lines_by_site(lines: Iterable[codec.Line]) -> SiteLines:
    """Index lines by site; lines of broken sites keep their order.

    A line without a site next to a broken site belongs to that site, as marks of a merge conflict do. Other such lines
    get a name of their own, after the site before.
    """
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
    """Yield each line with its head; a line that is unreadable as a whole is split if a part has a head."""
    for line in lines:
        head = _head_of(line)
        parts = [] if head is not None else [(_head_of(part), part) for part in _parts(line)]
        yield from parts if any(head for head, _ in parts) else [(head, line)]


def _parts(line: codec.Line) -> Iterator[codec.Line]:
    """Split an unreadable line after its JSON, before trailing text, and before the last line in it if an end of line
    is lost."""
    text, size = line.text, len(line.text)
    cuts = {0, codec.end_of_json(text), max(0, text.rfind(codec.LINE_BEGINNING, 1)), size}
    for start, end in pairwise(sorted(cuts)):
        part = text[start:end].lstrip()
        if part:
            place, number = line.start + end - len(part), line.number + text.count(b"\n", 0, end - len(part))
            yield codec.Line(number, place, part.rstrip(), end < size or line.is_whole)


def _head_of(line: codec.Line) -> codec.LineHead | None:
    """Return the head of a line, reading lines with an unusual beginning completely; ``None`` if unreadable."""
    if line.is_whole and (head := codec.glance(line.text)) is not None:
        return head
    with suppress(PatternFileError):
        return codec.line_head_of(codec.read_line(line.number, line.text))
    return None


def _owners(sites: Sequence[str | None], broken: Container[str | None], spans: Sequence[Span]) -> list[str]:
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
    """Pattern file as it was when opened, even if replaced since."""

    def __init__(self, path: Path, uri: str) -> None:
        self._uri = uri
        if not (path.is_file() or path.is_dir()) and path.exists():
            raise OSError(f"{path} is no regular file")  # opening a pipe would wait for a writer
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
        """Return the places of each site's lines; raise PatternFileError if the file is no pattern file."""
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
        """Yield the lines of a site with their numbers, in order; raises as :meth:`lines` does."""
        for number, start, length in self.lines().spans.get(site, ()):
            try:
                if hasattr(os, "pread"):  # leaves the file position alone, which processes share after a fork
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
    """Pattern file on the local disk, by path or ``file:`` URI."""

    @property
    def path(self) -> Path:
        is_uri = self.uri.lower().startswith("file:")
        return Path(url2pathname(urlsplit(self.uri).path)) if is_uri else Path(self.uri)

    def exists(self) -> bool:
        return self.path.exists()

    def open(self) -> Mapping[str, SitePatterns]:
        """See :meth:`PatternStore.open`; only the beginnings of lines are read of a large file."""
        return self._opened()[1]

    def _opened(self) -> tuple[PatternFile, Mapping[str, SitePatterns]]:
        try:
            file = PatternFile(self.path, self.uri)
            read, number, lines = file.read, file.number, file.lines()  # shared by all sites
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
        with self._for_writing() as target:
            _replace(target, file_lines(sites))

    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """See :meth:`PatternStore.merge`; a file replaced by an editor meanwhile is read again."""
        with self._for_writing() as target:
            for _ in range(MAX_MERGES):
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
        with self._as_pattern_errors():
            target, lock = self._target_and_lock()
            with tempfile.TemporaryDirectory(dir=target.parent) as folder, suppress(Timeout):
                held = FileLock(lock if lock.exists() else Path(folder, "lock"), timeout=0)
                held.acquire()
                held.release()

    @contextmanager
    def _for_writing(self) -> Iterator[Path]:
        with self._as_pattern_errors():
            target, lock = self._target_and_lock()
            with FileLock(lock, timeout=LOCK_SECONDS, poll_interval=0.02), place_of_errors(uri=self.uri):
                # temporary files of killed writers, as named by `file_beside`
                for left in target.parent.glob(f".{escape(target.name[:LONGEST_NAME])}.{'[a-z0-9_]' * 8}.tmp"):
                    left.unlink(missing_ok=True)
                yield target

    def _target_and_lock(self) -> tuple[Path, Path]:
        """Create the file's folder; return the file and its lock, an empty file that stays."""
        try:
            target = self.path.resolve()
        except RuntimeError as error:  # Python before 3.13
            raise OSError(ELOOP, os.strerror(ELOOP), str(self.path)) from error
        if target.exists() and not target.is_file():
            raise OSError(f"{target} is no regular file")
        if target.is_symlink():
            raise OSError(ELOOP, os.strerror(ELOOP), str(self.path))
        target.parent.mkdir(parents=True, exist_ok=True)
        # A lock that cannot be created may look like a held one.
        tempfile.TemporaryFile(dir=target.parent).close()
        return target, target.with_name(f".{target.name}.lock")

    @contextmanager
    def _as_pattern_errors(self) -> Iterator[None]:
        try:
            yield
        except Timeout as error:
            raise PatternFileError(
                f"Another program has been writing the pattern file for {LOCK_SECONDS:g} seconds; nothing was written. "
                "Try again when it has ended.",
                uri=self.uri,
            ) from error
        except (OSError, NotImplementedError) as error:  # raised by file systems without locks
            why = (isinstance(error, OSError) and error.strerror) or error  # without the name of the temporary file
            raise PatternFileError(
                f"The pattern file can't be written: {why}. The old one, if any, is as it was.", uri=self.uri
            ) from error


def renamed_path(path: Path, why: str = "unsaved") -> Path:
    """Return a path next to an unusable file, with the reason and the time in its name."""
    return path.with_name(f"{path.stem}-{why}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{token_hex(4)}{path.suffix}")


def save_under_other_name(patterns: Iterable[Pattern], path: Path) -> None:
    _replace(path, file_lines(by_site(patterns).values()))


def _replace(target: Path, lines: Iterable[bytes], state: Any = ...) -> bool:
    with file_beside(target) as file:
        file.writelines(lines)
        Path(file.name).chmod(0o644)
        return put_in_place(file, target, state)


@contextmanager
def file_beside(target: Path) -> Iterator[IO[bytes]]:
    """Create a temporary file in the folder of another file, and delete it at the end unless it was put in place."""
    temporary = target.with_name(f".{target.name[:LONGEST_NAME]}.{token_hex(4)}.tmp")
    with temporary.open("xb") as file:
        try:
            yield file
        finally:
            file.close()
            temporary.unlink(missing_ok=True)


def put_in_place(file: IO[bytes], target: Path, state: Any = ...) -> bool:
    """Close a written file and put it in place of another, with the permissions of the latter."""
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
