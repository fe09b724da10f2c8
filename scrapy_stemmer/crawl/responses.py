"""Responses: whether one is an HTML page that can be stripped, its charset and its tree; the texts of its links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lxml import etree
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.utils.response import get_base_url
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom
from w3lib.html import strip_html5_whitespace
from w3lib.url import canonicalize_url

from scrapy_stemmer.core.document import has_content, site_of

if TYPE_CHECKING:
    from lxml import etree
    from scrapy.http import TextResponse

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


# Linkinfo: the texts of the links that a page gives to other pages of its site

MAX_ANCHOR_CHARS = 1000
"""Longer link texts are whole articles within a link: no titles."""

_text_of = etree.XPath("string()")


def url_key(url: str) -> str:
    """A URL in the form in which links and pages are compared: canonical, without its fragment."""
    try:
        return canonicalize_url(url)
    except ValueError:
        return url


def anchors_of(response: TextResponse, root: etree._Element) -> Iterator[tuple[str, str]]:
    """The links of a page to its own site, as canonical URL and text, repeats kept.

    :param response: gives the URL and the ``base`` element that links are relative to.
    :param root: its tree, which is only read.
    """
    base, site = get_base_url(response), site_of(response.url)
    keys: dict[str, str | None] = {}
    for link in root.iter("a", "area"):
        if not (href := link.get("href")):
            continue
        # Pages have many links to places within one page: a key has no fragment.
        href = href.partition("#")[0]
        if href not in keys:
            keys[href] = _key_within(site, base, href)
        if (key := keys[href]) is None:
            continue
        text = _anchor_text(link)
        if text and len(text) <= MAX_ANCHOR_CHARS:
            yield key, text


def _anchor_text(link: etree._Element) -> str:
    if link.tag == "area":
        text = link.get("alt")
    elif len(link):
        text = str(_text_of(link))
    else:
        text = link.text
    return " ".join(text.split()) if text else ""


def _key_within(site: str, base: str, href: str) -> str | None:
    try:
        url = urljoin(base, strip_html5_whitespace(href))
    except ValueError:
        return None
    return url_key(url) if url.startswith(("http:", "https:", "file:")) and site_of(url) == site else None
