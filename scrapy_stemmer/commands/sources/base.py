"""What all sources share: a record of what is left out, what counts as a page, bodies that servers have compressed."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from zipfile import BadZipFile, ZipFile

from scrapy_stemmer.exceptions import StemmerError

NO_HTML = "no HTML"
NO_SUCCESS = "another HTTP status than 200"
UNREADABLE = "unreadable"

MAX_BYTES = 100_000_000
"""Larger bodies are cut off there, as a few kilobytes can be expanded to any size; longer records are no pages."""


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


def expanded(body: bytes, encoding: str) -> bytes:
    """A body without one Content-Encoding.

    :param encoding: in lower case.
    :raises ValueError: when it can't be expanded.
    """
    try:
        if encoding in ("gzip", "x-gzip"):
            return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MAX_BYTES)
        if encoding == "deflate":
            bits = zlib.MAX_WBITS if body[:1] == b"\x78" else -zlib.MAX_WBITS
            return zlib.decompressobj(bits).decompress(body, MAX_BYTES)
        if encoding == "br":
            decompressor, found = import_module("brotli").Decompressor(), bytearray()
            for start in range(0, len(body), 16):  # a few bytes at a time: each may become 16 MB
                if len(found) < MAX_BYTES:
                    found += decompressor.process(body[start : start + 16])
            return bytes(found[:MAX_BYTES])
        if encoding == "zstd":
            return bytes(import_module("zstandard").ZstdDecompressor().stream_reader(body).read(MAX_BYTES))
    except ImportError as error:
        raise ValueError(f"it is compressed as {encoding!r}: pip install {error.name}") from error
    except Exception as error:  # each library has errors of its own
        raise ValueError(f"it can't be expanded as {encoding!r}: {error}") from error
    raise ValueError(f"it is compressed as {encoding!r}, which is not known")
