"""Responses: whether one is an HTML page that can be stripped, its declared charset and its tree."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom

from scrapy_stemmer.core.document import has_content

if TYPE_CHECKING:
    from lxml import etree

    from scrapy_stemmer.crawl.config import StemmerConfig

HTML_TYPES = (b"text/html", b"application/xhtml+xml")

BINARY_SIGNATURES = (
    b"%PDF",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"RIFF",
    b"\x7fELF",
    b"Rar!",
    b"\x00\x00\x01\x00",
)
"""First bytes of files that servers are seen to send as text/html."""

SNIFFED_CHARS = 2000
"""Characters at a page's beginning that are searched for signs of binary data."""

MAX_CONTROL_SHARE = 0.1
"""Text with a larger share of control and replacement characters is binary data. A few NULs occur in pages."""

_ODD_CHARS = (*map(chr, (*range(0x09), *range(0x0E, 0x1C))), "\ufffd")
"""The control characters that are no white space, and the replacement character."""

_ODD = re.compile(f"[{''.join(_ODD_CHARS)}]")


class MetaKey(StrEnum):
    """Keys of ``Request.meta`` that are read; none is ever written."""

    STEMMER = "stemmer"


class Skip(StrEnum):
    """Reasons why a page is neither learned from nor stripped. ``docs/stats.md`` explains each."""

    OPTED_OUT = "opted_out"
    REJECTED = "rejected"
    NOT_HTML = "not_html"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    BINARY = "binary"
    FRAMES = "frames"
    NO_BODY = "no_body"


def why_skipped(response: Response, config: StemmerConfig) -> Skip | None:
    """The reason why a response is neither learned from nor stripped; ``None`` for a page that is."""
    request = response.request
    if request is not None and request.meta.get(MetaKey.STEMMER) is False:
        return Skip.OPTED_OUT
    if not is_html(response) or not isinstance(response, TextResponse):
        return Skip.NOT_HTML
    body = response.body
    if not body or body.isspace():
        return Skip.EMPTY
    if len(body) > config.max_body:
        return Skip.TOO_LARGE
    if body.startswith(BINARY_SIGNATURES) or _has_binary_text(response):
        return Skip.BINARY
    return _without_text(response) or (None if config.accepts(response.url) else Skip.REJECTED)


def why_own_skipped(html: str | bytes, config: StemmerConfig) -> Skip | None:
    """The same for the HTML that an item brings along, whatever its URL."""
    return Skip.TOO_LARGE if len(html) > config.max_body else None


def is_html(response: Response) -> bool:
    """Whether the server calls a response HTML."""
    if isinstance(response, HtmlResponse):
        return True
    kind = (response.headers.get("Content-Type") or b"").lower()
    return isinstance(response, TextResponse) and kind.startswith(HTML_TYPES)


def declared_charset(response: TextResponse) -> str | None:
    """The charset by HTTP header, byte order mark or meta element; ``None`` when none of them names one."""
    header = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return (
        http_content_type_encoding(header) or read_bom(response.body)[0] or html_body_declared_encoding(response.body)
    )


def root_of(response: TextResponse) -> etree._Element:
    """The tree that Scrapy has parsed; it must not be changed."""
    root: etree._Element = response.selector.root
    return root


def _has_binary_text(response: TextResponse) -> bool:
    start = response.text[:SNIFFED_CHARS]
    # To look for each of them takes a fifth of the time of the expression, which has to look at each character.
    if not any(map(start.__contains__, _ODD_CHARS)):
        return False
    return len(_ODD.findall(start)) > MAX_CONTROL_SHARE * len(start)


def _without_text(response: TextResponse) -> Skip | None:
    root = root_of(response)
    if next(root.iter("frameset"), None) is not None:
        return Skip.FRAMES
    return None if has_content(root) else Skip.NO_BODY
