"""A source: pages that somebody has stored, read one by one; and bodies that servers have compressed."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import StemmerError

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
"""Media types of pages; others are images and the like."""

NO_HTML = "no HTML"
NO_SUCCESS = "another HTTP status than 200"
UNREADABLE = "unreadable"


@dataclass(slots=True)
class LeftOut:
    """What was left out of sources, and why.

    :ivar reasons: how often for each reason.
    :ivar examples: for each reason what was left out first.
    """

    reasons: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, what: str) -> None:
        """Note that something was left out.

        :param what: its URL or name.
        """
        self.reasons[reason] += 1
        self.examples.setdefault(reason, what)

    def lines(self) -> Iterator[str]:
        """What to tell the user."""
        for reason in sorted(self.reasons):
            yield f"left out: {self.reasons[reason]} ({reason}), first {self.examples[reason]}"


class Source(ABC):
    """Stored pages.

    :param name: as the user has named it.
    :param left_out: is told what is left out.
    """

    def __init__(self, name: str, left_out: LeftOut) -> None:
        self.name = name
        self.left_out = left_out

    @abstractmethod
    def pages(self) -> Iterator[Page]:
        """The pages, in the same order each time, read as they are asked for.

        :raises StemmerError: for what is not what it should be.
        :raises OSError: for what can't be read.
        """

    def links(self) -> Mapping[str, tuple[str, ...]]:
        """The texts of the links to each page by its URL, as far as the source has a record of them.

        Complete when all pages have been read.
        """
        return {}


SiteOf = Callable[[str], str]
"""Gives the site of a file whose name holds none; raises :class:`StemmerError` when nobody has said it."""


def the_site(site: str | None) -> SiteOf:
    """The site that the user has named.

    :param site: ``None`` when nobody has.
    """

    def of(name: str) -> str:
        if site is None:
            raise StemmerError(f"Say with --site which site {name} is of.")
        return site

    return of


def is_html(content_type: str) -> bool:
    """Whether a Content-Type is that of a page; an empty one may be."""
    media_type = content_type.partition(";")[0].strip().lower()
    return not media_type or media_type in HTML_TYPES


# Bodies of responses that are stored as servers have compressed them

GZIP = b"\x1f\x8b"
"""How gzip streams begin."""

MAX_BYTES = 100_000_000
"""Larger bodies are cut off there: a few kilobytes can be expanded to any size."""


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
            return bytes(import_module("brotli").decompress(body))
        if encoding == "zstd":
            return bytes(import_module("zstandard").ZstdDecompressor().decompressobj().decompress(body))
    except ImportError as error:
        raise ValueError(f"it is compressed as {encoding!r}: pip install {error.name}") from error
    except Exception as error:  # each library has errors of its own
        raise ValueError(f"it can't be expanded as {encoding!r}: {error}") from error
    raise ValueError(f"it is compressed as {encoding!r}, which is not known")
