"""Left-out pages, the definition of a page, and compressed bodies, for all sources."""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from gzip import BadGzipFile
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, TypeVar
from zipfile import ZipFile

from scrapy_stemmer.exceptions import StemmerError

_T = TypeVar("_T")

SOURCES = (
    "a folder of HTML files or an HTTP cache of Scrapy, a feed (.jsonl, .jsonl.gz), a WARC file or a WACZ archive, a "
    ".zip archive of Webstemmer, an HTML file, a URL, a list of such (.list), or - for standard input"
)
"""Description of sources for users."""

NO_HTML = "no HTML"
NO_SUCCESS = "another HTTP status than 200"
UNREADABLE_REASON = "unreadable"

MAX_BYTES = 100_000_000  # larger bodies, files and lines are no pages: a few kilobytes can be expanded to any size

TOO_LARGE = f"larger than {MAX_BYTES // 1_000_000} MB"

MAX_LINE = 1_000_000  # longer lines of files without pages (names, anchor texts, corrections) are invalid

LONG_LINE = f"a line of more than {MAX_LINE // 1_000_000} MB"


class TooLargeError(StemmerError, ValueError):
    """Error of content larger than :data:`MAX_BYTES`, which was not read completely."""


@dataclass(slots=True)
class LeftOut:
    reasons: Counter[str] = field(default_factory=Counter)  # by reason
    examples: dict[str, str] = field(default_factory=dict)  # first example of each reason

    def add(self, reason: str, what: str) -> None:
        self.reasons[reason] += 1
        self.examples.setdefault(reason, what)

    def add_error(self, error: Exception, what: str) -> None:
        is_too_large = isinstance(error, TooLargeError)
        self.add(TOO_LARGE if is_too_large else UNREADABLE_REASON, what if is_too_large else f"{what} ({error})")

    def takes(self, url: str, status: int, content_type: str) -> bool:
        """Return True if a response is a page: HTML with the status 200, or without a Content-Type."""
        is_html = content_type.partition(";")[0].strip().lower() in ("", "text/html", "application/xhtml+xml")
        if status == 200 and is_html:
            return True
        self.add(NO_HTML if status == 200 else NO_SUCCESS, url)
        return False

    def lines(self) -> Iterator[str]:
        for reason in sorted(self.reasons):
            yield f"left out: {self.reasons[reason]} ({reason}), first {self.examples[reason]}"


@contextmanager
def opened_zip(name: str) -> Iterator[ZipFile]:
    """Open a zip archive; raise StemmerError for an invalid archive."""
    try:
        archive = ZipFile(name)
    except OSError:
        raise
    except Exception as error:  # zipfile raises errors of many types
        raise StemmerError(f"{name} can't be read as an archive ({error}).") from error
    with archive:
        yield archive


def member_of(archive: ZipFile, name: str) -> bytes:
    """Read a member of an archive; raise ValueError if it is too large or damaged."""
    try:
        with archive.open(name) as file:
            return bounded(file)
    except ValueError:
        raise
    except Exception as error:  # from the disk, a decompressor, or a missing password
        raise ValueError(str(error)) from error


def bounded(file: IO[bytes]) -> bytes:
    """Read a file completely; raise TooLargeError beyond :data:`MAX_BYTES`."""
    return _checked(file.read(MAX_BYTES + 1))


def check_regular(path: Path) -> None:
    """Raise StemmerError for a pipe or a device. A missing file is reported where it is opened."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise StemmerError(f"{path} is a pipe or a device, which may never end: name a regular file.")


def bounded_file(path: Path) -> bytes:
    check_regular(path)
    with path.open("rb") as file:
        return _checked(file.read(MAX_BYTES + 1), f"{path}: ")


def read_each(
    file: IO[bytes], name: str, read: Callable[[bytes], _T], left_out: LeftOut | None, longest: int | None = None
) -> Iterator[_T]:
    """Parse the non-empty lines of a file.

    :param left_out: collects unreadable lines; ``None`` to raise for the first one.
    :raises StemmerError: for an unreadable line, without ``left_out`` or without any readable line.
    """
    most, number, values_read = MAX_BYTES if longest is None else longest, 0, 0
    first: StemmerError | None = None

    def broken(place: str, problem: object, reason: str = UNREADABLE_REASON) -> None:
        nonlocal first
        error = StemmerError(f"{name}{place}: {problem}")
        if left_out is None:
            raise error
        left_out.add(reason, str(error) if reason == UNREADABLE_REASON else f"{name}{place}")
        first = first or error

    try:
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                reason = TOO_LARGE if longest is None else LONG_LINE
                broken(f", line {number}", reason, reason)
                while line and not line.endswith(b"\n"):
                    line = file.readline(most)
            elif line.strip():
                try:
                    value = read(line)
                except StemmerError as error:
                    broken(f", line {number}", error)
                    continue
                values_read += 1
                yield value
    except (EOFError, zlib.error, BadGzipFile) as error:
        broken("", f"can't be read behind line {number}: {error}.")
    if first is not None and not values_read:
        raise first


def decoded(body: bytes, encodings: str) -> bytes:
    """Undo the Content-Encodings of a header; raise ValueError for an unknown encoding or a damaged body."""
    for encoding in reversed([name.strip() for name in encodings.lower().split(",")]):
        try:
            body = _checked(_expanded(body, encoding))
        except ImportError as error:
            raise ValueError(f"it is compressed as {encoding!r}: pip install {error.name}") from error
        except ValueError:
            raise
        except Exception as error:  # each library has errors of its own
            raise ValueError(f"it can't be expanded as {encoding!r}: {error}") from error
    return body


def _expanded(body: bytes, encoding: str) -> bytes:
    most = MAX_BYTES + 1
    if encoding in ("", "identity"):
        return body
    if encoding in ("gzip", "x-gzip"):
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, most)
    if encoding == "deflate":
        bits = zlib.MAX_WBITS if body[:1] == b"\x78" else -zlib.MAX_WBITS
        return zlib.decompressobj(bits).decompress(body, most)
    if encoding == "br":
        decompressor, found = import_module("brotli").Decompressor(), bytearray()
        for start in range(0, len(body), 16):  # a few bytes at a time: each may become 16 MB
            if len(found) < most:
                found += decompressor.process(body[start : start + 16])
        return bytes(found)
    if encoding == "zstd":
        zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        return bytes(zstd.ZstdFile(BytesIO(body)).read(most))
    raise ValueError(f"it is compressed as {encoding!r}, which is not known")


def _checked(content: bytes, place: str = "") -> bytes:
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"{place}{TOO_LARGE}")
    return content
