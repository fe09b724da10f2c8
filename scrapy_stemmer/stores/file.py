"""Patterns in a file of JSON Lines."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit
from urllib.request import url2pathname

from filelock import FileLock, Timeout

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores.base import PatternStore, SitePatterns
from scrapy_stemmer.stores.merging import Change, Edit, Merged, merged
from scrapy_stemmer.stores.patternfile import PatternFile, PatternsOnDisk

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
        raise PatternFileError("The pattern file changes all the time; nothing was written to it.", uri=self.uri)

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
                f"Another program has been writing the pattern file for {LOCK_SECONDS:g} seconds; nothing was written.",
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
