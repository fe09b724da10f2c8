"""What all sources share: a record of what is left out, what counts as a page, bodies that servers have compressed."""

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
from typing import IO, Protocol, TypeVar
from zipfile import ZipFile

from scrapy_stemmer.exceptions import StemmerError

T = TypeVar("T")

SOURCES = (
    "a folder of HTML files or an HTTP cache of Scrapy, a feed (.jsonl, .jsonl.gz), a WARC file or a WACZ archive, a "
    ".zip archive of Webstemmer, an HTML file, a URL, a list of such (.list), or - for standard input"
)
"""What they are, in words."""

NO_HTML = "no HTML"
NO_SUCCESS = "another HTTP status than 200"
UNREADABLE = "unreadable"

MAX_BYTES = 100_000_000  # larger bodies, files and lines are no pages: a few kilobytes can be expanded to any size

TOO_LARGE = f"larger than {MAX_BYTES // 1_000_000} MB"

MAX_LINE = 1_000_000  # longer lines of files that hold no pages (names, texts of links, corrections) are none

LONG_LINE = f"a line of more than {MAX_LINE // 1_000_000} MB"


class TooLargeError(StemmerError, ValueError):
    """What would be larger than :data:`MAX_BYTES`, and was not read to its end."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(slots=True)
class LeftOut:
    """What was left out of sources, and why."""

    reasons: Counter[str] = field(default_factory=Counter)  # how often for each reason
    examples: dict[str, str] = field(default_factory=dict)  # for each reason what was left out first

    def add(self, reason: str, what: str) -> None:
        """Note that something was left out, by its URL or name."""
        self.reasons[reason] += 1
        self.examples.setdefault(reason, what)

    def add_error(self, error: Exception, what: str) -> None:
        """Note that something can't be read, or is too large."""
        is_too_large = isinstance(error, TooLargeError)
        self.add(TOO_LARGE if is_too_large else UNREADABLE, what if is_too_large else f"{what} ({error})")

    def update(self, other: LeftOut) -> None:
        """Note what another has noted too, as what came later."""
        self.reasons.update(other.reasons)
        self.examples = other.examples | self.examples

    def takes(self, url: str, status: int, content_type: str) -> bool:
        """Whether a response is a page: HTML with the status 200; an empty Content-Type may be that of HTML."""
        is_html = content_type.partition(";")[0].strip().lower() in ("", "text/html", "application/xhtml+xml")
        if status == 200 and is_html:
            return True
        self.add(NO_HTML if status == 200 else NO_SUCCESS, url)
        return False

    def lines(self) -> Iterator[str]:
        """What to tell the user."""
        for reason in sorted(self.reasons):
            yield f"left out: {self.reasons[reason]} ({reason}), first {self.examples[reason]}"


@contextmanager
def opened_zip(name: str) -> Iterator[ZipFile]:
    """A zip archive that is being read; a StemmerError when it is none."""
    try:
        archive = ZipFile(name)
    except OSError:
        raise
    except Exception as error:  # whatever its parts raise
        raise StemmerError(f"{name} can't be read as an archive ({error}).") from error
    with archive:
        yield archive


def member_of(archive: ZipFile, name: str) -> bytes:
    """A member of an archive; a ValueError when it is too large or damaged."""
    try:
        with archive.open(name) as file:
            return bounded(file)
    except ValueError:
        raise
    except Exception as error:  # of the disk, of what it is compressed by, of a password that is missing
        raise ValueError(str(error)) from error


def bounded(file: _Readable) -> bytes:
    """All that is in a file; a :class:`TooLargeError` when that is too much."""
    return _checked(file.read(MAX_BYTES + 1))


def bounded_file(path: Path) -> bytes:
    """The content of a file by its path; the error of one that is too large names it."""
    with path.open("rb") as file:
        return _checked(file.read(MAX_BYTES + 1), f"{path}: ")


def read_each(
    file: IO[bytes], name: str, read: Callable[[bytes], T], left_out: LeftOut | None, longest: int | None = None
) -> Iterator[T]:
    """What the lines of a file stand for, but for empty ones.

    :param name: that of the file, in errors.
    :param read: gives what a line stands for, or raises :class:`StemmerError`.
    :param left_out: is told the lines that can't be read; ``None`` raises for the first one.
    :param longest: bytes of a line, at most; :data:`MAX_BYTES` by default.
    :raises StemmerError: for a line that can't be read, where nobody is told or there is no other line.
    """
    most, number, values_read = MAX_BYTES if longest is None else longest, 0, 0
    first: StemmerError | None = None

    def broken(place: str, problem: object, reason: str = UNREADABLE) -> None:
        nonlocal first
        error = StemmerError(f"{name}{place}: {problem}")
        if left_out is None:
            raise error
        left_out.add(reason, str(error) if reason == UNREADABLE else f"{name}{place}")
        first = first or error

    try:
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                broken(f", line {number}", TOO_LARGE, TOO_LARGE if longest is None else LONG_LINE)
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


def decompressed(body: bytes, encoding: str) -> bytes:
    """A body without one Content-Encoding, in lower case; a ValueError when it would be too large, or can't be
    expanded."""
    try:
        return _checked(_expanded(body, encoding))
    except ImportError as error:
        raise ValueError(f"it is compressed as {encoding!r}: pip install {error.name}") from error
    except ValueError:
        raise
    except Exception as error:  # each library has errors of its own
        raise ValueError(f"it can't be expanded as {encoding!r}: {error}") from error


def _expanded(body: bytes, encoding: str) -> bytes:
    """So much of a body as tells whether it is too large."""
    most = MAX_BYTES + 1
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


def decoded(body: bytes, encodings: str) -> bytes:
    """A body without its Content-Encodings, as their header lists them; raises what :func:`decompressed` raises."""
    for encoding in reversed([name.strip() for name in encodings.lower().split(",")]):
        if encoding not in ("", "identity"):
            body = decompressed(body, encoding)
    return body


def _checked(content: bytes, place: str = "") -> bytes:
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"{place}{TOO_LARGE}")
    return content
