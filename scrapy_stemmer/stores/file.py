"""Pattern files of JSON Lines: read and written as a whole, parsed site by site."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from errno import ELOOP
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import IO, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from filelock import FileLock, Timeout

from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.stores.base import Change, PatternStore, SitePatterns, changed, file_lines, read_all

CHECKED_WHOLE = 1_000_000
"""Files up to this size in bytes are parsed when opened (less than 0.1 s), so that mistakes of editors show at once."""

UNNAMED = "(no site)"  # beginning of the key of a line without a site, which is unreadable
IS_WINDOWS = os.name == "nt"  # an open file cannot be replaced
LONGEST_NAME = 200  # characters of a file name kept in the temporary file's name, 14 longer; systems allow 255
LOCK_SECONDS = 60.0  # time to wait for other writers; writing 650 MB takes one second
MAX_MERGES = 20  # merges restarted after changes by programs without the lock
REPLACE_ATTEMPTS, REPLACE_PAUSE = 20, 0.1  # attempts to replace a file that is read on Windows; seconds between


class FileStore(PatternStore):
    """Pattern file on the local disk, by path or ``file:`` URI."""

    @property
    def path(self) -> Path:
        is_uri = self.uri.lower().startswith("file:")
        return Path(url2pathname(urlsplit(self.uri).path)) if is_uri else Path(self.uri)

    def exists(self) -> bool:
        return self.path.exists()

    def open(self) -> Mapping[str, SitePatterns]:
        """See :meth:`PatternStore.open`; the lines of large files are parsed on use."""
        path = self.path
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):
                raise OSError(f"{path} is no regular file")  # opening a pipe would wait for a writer
            content = path.read_bytes()
        except FileNotFoundError as error:
            raise PatternFileError(
                "There is no such pattern file. Learn one with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.", uri=self.uri
            ) from error
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self.uri) from error
        lines: defaultdict[str, list[codec.Line]] = defaultdict(list)
        with place_of_errors(uri=self.uri):
            for line in codec.lines_of(content):
                site = codec.site_in(line.text)
                lines[f"{UNNAMED}, line {line.number}" if site is None else site].append(line)
        sites = {site: SitePatterns(site, lines[site], self.uri) for site in sorted(lines)}
        is_small = len(content) <= CHECKED_WHOLE
        read_all(patterns for site, patterns in sites.items() if is_small or site.startswith(UNNAMED))
        return sites

    def write(self, sites: Iterable[SitePatterns]) -> None:
        with self._for_writing() as target:
            _replace(target, file_lines(sites))

    def merge(self, changes: Mapping[str, Change]) -> Mapping[str, SitePatterns]:
        """See :meth:`PatternStore.merge`; a file replaced by an editor meanwhile is read again."""
        with self._for_writing() as target:
            for _ in range(MAX_MERGES):
                state = state_of(target)
                sites = {} if state is None else dict(self.open())
                for site, change in changes.items():
                    if (new := changed(sites.pop(site, None), change)) is not None:
                        sites[site] = new
                if _replace(target, file_lines(sites[site] for site in sorted(sites)), state):
                    return sites
        raise PatternFileError(
            "Others change the pattern file all the time; nothing was written to it. Try again later.", uri=self.uri
        )

    def check_writable(self) -> None:
        with self._as_pattern_errors():
            target = self._target()
            there, lock = next(filter(Path.exists, target.parents)), lock_of(target)
            with tempfile.TemporaryDirectory(dir=there) as folder, suppress(Timeout):
                held = FileLock(lock if lock.exists() else Path(folder, "lock"), timeout=0)
                held.acquire()
                held.release()

    @contextmanager
    def _for_writing(self) -> Iterator[Path]:
        with self._as_pattern_errors():
            target = self._target()
            target.parent.mkdir(parents=True, exist_ok=True)
            # A lock may look held where it cannot be created.
            tempfile.TemporaryFile(dir=target.parent).close()
            with (
                FileLock(lock_of(target)).acquire(timeout=LOCK_SECONDS, poll_interval=0.02),
                place_of_errors(uri=self.uri),
            ):
                # temporary files of killed writers, as named by `file_beside`
                for left in target.parent.glob(f".{escape(target.name[:LONGEST_NAME])}.{'[a-z0-9_]' * 8}.tmp"):
                    left.unlink(missing_ok=True)
                yield target

    def _target(self) -> Path:
        try:
            target = self.path.resolve()
        except RuntimeError as error:  # Python before 3.13
            raise OSError(ELOOP, os.strerror(ELOOP), str(self.path)) from error
        if target.exists() and not target.is_file():
            raise OSError(f"{target} is no regular file")
        if target.is_symlink():
            raise OSError(ELOOP, os.strerror(ELOOP), str(self.path))
        return target

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


def state_of(path: Path) -> tuple[int, int, int] | None:
    """Return the inode, size and time of a file, for noticing changes; ``None`` for a missing file."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def renamed_path(path: Path, why: str) -> Path:
    """Return a path next to an unusable file, with the reason and the time in its name."""
    return path.with_name(f"{path.stem}-{why}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{token_hex(4)}{path.suffix}")


def _replace(target: Path, lines: Iterable[bytes], state: Any = ...) -> bool:
    with file_beside(target) as file:
        file.writelines(lines)
        Path(file.name).chmod(0o644)
        return put_in_place(file, target, state)


def lock_of(target: Path) -> Path:
    """Return the path of a file's lock, an empty file beside it; locks of pattern files are never deleted."""
    return target.with_name(f".{target.name}.lock")


@contextmanager
def file_beside(target: Path) -> Iterator[IO[bytes]]:
    """Create a temporary file in the folder of ``target``; delete the file at the end unless it was put in place."""
    temporary = target.with_name(f".{target.name[:LONGEST_NAME]}.{token_hex(4)}.tmp")
    with temporary.open("xb") as file:
        try:
            yield file
        finally:
            file.close()
            temporary.unlink(missing_ok=True)


def put_in_place(file: IO[bytes], target: Path, state: Any = ...) -> bool:
    """Close a written file and put it in place of ``target``, with the permissions of ``target``."""
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
