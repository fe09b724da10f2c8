"""What all sources share: a record of what is left out, what counts as a page, bodies that servers have compressed."""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Protocol
from zipfile import BadZipFile, ZipFile

from scrapy_stemmer.exceptions import StemmerError

NO_HTML = "no HTML"
NO_SUCCESS = "another HTTP status than 200"
UNREADABLE = "unreadable"

MAX_BYTES = 100_000_000
"""Larger bodies, files, records and lines are no pages: a few kilobytes can be expanded to any size."""

TOO_LARGE = f"larger than {MAX_BYTES // 1_000_000} MB"


class TooLargeError(ValueError):
    """What would be larger than :data:`MAX_BYTES`, and was not read to its end."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(slots=True)
class LeftOut:
    """What was left out of sources, and why.

    :ivar reasons: how often for each reason.
    :ivar examples: for each reason what was left out first.
    """

    reasons: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, what: str) -> None:
        """Note that something was left out, by its URL or name."""
        self.reasons[reason] += 1
        self.examples.setdefault(reason, what)

    def add_error(self, error: Exception, what: str) -> None:
        """Note that something can't be read, or is too large."""
        is_too_large = isinstance(error, TooLargeError)
        self.add(TOO_LARGE if is_too_large else UNREADABLE, what if is_too_large else f"{what} ({error})")

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
    """A zip archive that is being read.

    :raises StemmerError: when it is none.
    """
    try:
        with ZipFile(name) as archive:
            yield archive
    except BadZipFile as error:
        raise StemmerError(f"{name} can't be read as an archive ({error}).") from error


def bounded(file: _Readable) -> bytes:
    """All that is in a file.

    :raises TooLargeError: when that is too much.
    """
    return _checked(file.read(MAX_BYTES + 1))


def bounded_file(path: Path) -> bytes:
    """The content of a file by its path; raises what :func:`bounded` raises."""
    with path.open("rb") as file:
        return bounded(file)


def bounded_lines(file: IO[bytes], left_out: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, counted from 1.

    :param left_out: is told the numbers of those that are too long.
    """
    number = 0
    while line := file.readline(MAX_BYTES + 1):
        number += 1
        if len(line) <= MAX_BYTES:
            yield number, line
            continue
        left_out(number)
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_BYTES)


def expanded(body: bytes, encoding: str) -> bytes:
    """A body without one Content-Encoding.

    :param encoding: in lower case.
    :raises TooLargeError: when it would be too large.
    :raises ValueError: when it can't be expanded.
    """
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
    """A body without its Content-Encodings, as their header lists them; raises what :func:`expanded` raises."""
    for encoding in reversed([name.strip() for name in encodings.lower().split(",")]):
        if encoding not in ("", "identity"):
            body = expanded(body, encoding)
    return body


def _checked(content: bytes) -> bytes:
    if len(content) > MAX_BYTES:
        raise TooLargeError(TOO_LARGE)
    return content
