"""Responses: whether one is an HTML page that can be stripped, its charset, its tree."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml import etree
from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import http_content_type_encoding

from scrapy_stemmer.core.blocks import Reason
from scrapy_stemmer.core.document import CHARSETS, DEFAULT_CHARSET, charset_of, has_content, is_too_complex
from scrapy_stemmer.settings import StemmerConfig

BINARY_SIGNATURES = tuple(
    b"%PDF \x89PNG GIF8 \xff\xd8\xff PK\x03\x04 \x1f\x8b RIFF \x7fELF Rar! \x00\x00\x01\x00".split()
)
"""First bytes of files that servers are seen to send as text/html."""

_ODD = re.compile("[\x00-\x08\x0e-\x1b\ufffd]")
"""The control characters that are no white space, and the replacement character."""

FIRST_ERROR = 400
"""The least HTTP status that says that a response is not the page that was asked for."""

META_KEY = "stemmer"
"""The key of ``Request.meta`` that is read; none is ever written."""


def why_skipped(response: Response, config: StemmerConfig, parsed: Callable[[], etree._Element]) -> Reason | None:
    """The reason why a response is neither learned from nor stripped; ``None`` for a page that is.

    :param parsed: gives its tree.
    """
    request = response.request
    if request is not None and request.meta.get(META_KEY) is False:
        return Reason.OPTED_OUT
    if response.status >= FIRST_ERROR:
        return Reason.ERROR
    type_ = (response.headers.get("Content-Type") or b"").lower()
    is_html = type_.startswith((b"text/html", b"application/xhtml+xml"))
    if not (isinstance(response, HtmlResponse) or (isinstance(response, TextResponse) and is_html)):
        return Reason.NOT_HTML
    body = response.body
    if not body or body.isspace():
        return Reason.EMPTY
    if len(body) > config.max_body:
        return Reason.TOO_LARGE
    start = response.text[:2000]
    if body.startswith(BINARY_SIGNATURES) or len(_ODD.findall(start)) > 0.1 * len(start):  # a few NULs occur in pages
        return Reason.BINARY
    if is_too_complex(response.text):
        return Reason.TOO_COMPLEX
    root = parsed()
    if next(root.iter("frameset"), None) is not None:
        return Reason.FRAMES
    if not has_content(root):
        return Reason.EMPTY
    return None if config.accepts(response.url) else Reason.REJECTED


def readable(response: Response) -> Response:
    """A page in the charset of browsers, where Scrapy raises when it is asked for its text; others as they are."""
    if isinstance(response, HtmlResponse):
        try:
            _ = response.text  # as Scrapy does for most pages, to look for redirects
        except (LookupError, UnicodeError):
            return as_declared(response, DEFAULT_CHARSET)
    return response


def as_declared(response: Response, default_charset: str | None) -> Response:
    """A response in the charset that browsers read it in; itself where Scrapy does so too, as nearly always.

    :param default_charset: for one that declares none; ``None`` leaves that to Scrapy.
    """
    if not isinstance(response, TextResponse):
        return response
    own = response.encoding
    if not default_charset and (own == "ascii" or (own in CHARSETS and not own.startswith("utf-16"))):
        return response
    header = http_content_type_encoding((response.headers.get("Content-Type") or b"").decode("latin-1"))
    name = charset_of(response.body, header) or default_charset or DEFAULT_CHARSET
    return response if name == own else response.replace(encoding=name)


def root_of_response(response: TextResponse) -> etree._Element:
    """The tree that Scrapy has parsed; it must not be changed."""
    root: etree._Element = response.selector.root
    return root
