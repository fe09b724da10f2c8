"""Pages of a crawl, from responses or fields of items: charsets, reasons to skip, one stripping for all items."""

from __future__ import annotations

import re
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import parsel
from lxml import etree
from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import http_content_type_encoding

from scrapy_stemmer.crawl.spool import expanded, packed
from scrapy_stemmer.learners.rules.learn.sample_choice import PageLook, look_of
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.charset_guess import guess_charset
from scrapy_stemmer.page.document import (
    CHARSETS,
    SMALL,
    Document,
    OwnPage,
    Page,
    Weight,
    anchors_of,
    charset_of,
    decode,
    fingerprint,
    has_content,
    is_binary,
    root_of,
    site_of,
    weight_of,
)
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.patterns.base import Pattern, StripOptions
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.settings import StemmerConfig

FIRST_ERROR = 400  # the least HTTP status of an error
SNIFFED_BYTES = 1000  # bytes searched for the beginning of HTML
_HTML_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?><!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
MAX_BODY = 20_000_000  # bytes of a page; larger pages are neither learned from nor stripped
MAX_KEPT = 20_000_000  # most bytes of compressed pages kept for items to come
META_KEY = "stemmer"  # the key of ``Request.meta`` to opt out; never written


def why_skipped(response: Response, config: StemmerConfig, page: ResponsePage) -> Reason | None:
    """Return the reason to skip the page of a response instead of stripping, or ``None``."""
    request = response.request
    if request is not None and request.meta.get(META_KEY) is False:
        return Reason.OPTED_OUT
    if response.status >= FIRST_ERROR:
        return Reason.ERROR
    if not (isinstance(response, HtmlResponse) or (isinstance(response, TextResponse) and _is_html(response))):
        return Reason.NOT_HTML
    body = response.body
    if not body or body.isspace():
        return Reason.EMPTY
    if len(body) > MAX_BODY:
        return Reason.TOO_LARGE
    if is_binary(body, response.text):
        return Reason.BINARY
    if page.weight.is_too_complex:
        return Reason.TOO_COMPLEX
    root = page.root
    if next(root.iter("frameset"), None) is not None:
        return Reason.FRAMES
    if not has_content(root):
        return Reason.EMPTY
    return None if config.accepts(response.url) else Reason.REJECTED


LIKE_ASCII = ("ascii", "cp125", "iso8859", "utf-8")  # prefixes of charsets with ASCII characters as single bytes


def tree_of(response: TextResponse) -> etree._Element:
    """Return the tree of a response's selector, or a new tree if Scrapy refuses the page's ``<base>``."""
    try:
        root: etree._Element = response.selector.root
    except ValueError:  # from <base href="http://[">
        root = parsel.Selector(text=response.text, type="html").root
    return root


def weight_of_response(response: Response) -> Weight:
    """Return the weight of a response, measured on bytes, or on text in charsets unlike ASCII."""
    if len(response.body) < SMALL:
        return Weight(len(response.body))  # most pages, whatever their charset
    body = response.body.replace(b"\x00", b"")
    if isinstance(response, TextResponse) and not response.encoding.startswith(LIKE_ASCII):
        with suppress(LookupError, UnicodeError):
            return weight_of(response.text)
    return weight_of(body)


def _is_html(response: Response) -> bool:
    """Return true for HTML by its header or first bytes; plugins may use any class."""
    type_ = (response.headers.get("Content-Type") or b"").lower()
    is_called_html = type_.startswith((b"text/html", b"application/xhtml+xml"))
    return is_called_html or _HTML_BEGINNING.match(response.body[:SNIFFED_BYTES]) is not None


def with_text(response: Response) -> Response:
    """Return an HtmlResponse in place of HTML in a plugin's response class, such as SplashJsonResponse."""
    if isinstance(response, TextResponse):
        return response
    with suppress(AttributeError, UnicodeError):  # Scrapy's own has no text
        text = response.text
        if isinstance(text, str) and _is_html(response):
            return HtmlResponse(
                response.url,
                status=response.status,
                headers=response.headers,
                body=text.encode("utf-8", "replace"),
                encoding="utf-8",
                request=response.request,
            )
    return response


def readable(response: Response) -> Response:
    """Return a page in the charset of browsers if Scrapy raises on reading its text."""
    if isinstance(response, HtmlResponse):
        try:
            _ = response.text  # Scrapy reads the text of most pages too, to look for redirects
        except (LookupError, UnicodeError):
            return response.replace(encoding=_declared(response) or guess_charset(response.body))
    return response


def as_declared(response: Response, default_charset: str | None = None) -> Response:
    """Return a response in the declared charset, or else the default or guessed charset.

    A charset of browsers set by the spider or a middleware stays. Charsets guessed by Scrapy depend on the version.
    """
    if not isinstance(response, TextResponse):
        return response
    own, declared = response.encoding, _declared(response)
    is_set = declared is not None or getattr(response, "_encoding", None) is not None or response.body.isascii()
    if not default_charset and (own == "ascii" or (is_set and own in CHARSETS and not own.startswith("utf-16"))):
        return response
    name = declared or default_charset or guess_charset(response.body)
    return response if name == own else response.replace(encoding=name)


def _declared(response: Response) -> str | None:
    header = http_content_type_encoding((response.headers.get("Content-Type") or b"").decode("latin-1"))
    return charset_of(response.body, header)


# The pages of items


@dataclass(frozen=True, slots=True)
class FallbackPage(Page):
    """The argument of STEMMER_FALLBACK: :attr:`url`, the text of the HTML in :attr:`html`, and a response.

    :param response: the page's response; made of URL and HTML alone, without status, headers and request, if the item
        has waited or holds its own HTML.
    """

    response: TextResponse | None = None


class _KeptPage(NamedTuple):
    """A compressed page for items to come, and the identities of the items."""

    skip: Reason | None
    body: bytes
    items: set[int]


class ItemPage:
    """The page of one or more items."""

    def __init__(self, url: str, text: str = "", skip: Reason | None = None, *, is_own: bool = False) -> None:
        self.url = url
        self.is_own = is_own
        self.site = site_of(url)
        self.skip = skip
        self.is_watched = False  # counted by the watch over layouts
        self.is_counted = False  # counted by the watch over texts
        self.spooled = 0  # number in the spool, or 0
        self._text = text
        self._stripped: tuple[Sequence[Pattern], Stripped] | None = None  # with the patterns used

    @property
    def text(self) -> str:
        return self._text

    @cached_property
    def weight(self) -> Weight:
        return weight_of(self.text)

    @cached_property
    def look(self) -> PageLook:
        return look_of(self.url, root_of(self.page()))

    @cached_property
    def links(self) -> Sequence[tuple[str, str]]:
        """Return the links to the page's own site; see :func:`anchors_of`."""
        return ()

    @cached_property
    def packed(self) -> tuple[int, bytes]:
        return packed(self.text)

    def page(self) -> Page:
        return Page(self.url, self.text)

    @property
    def response(self) -> TextResponse:
        return HtmlResponse(self.url, body=self.text, encoding="utf-8")

    def stripped(self, patterns: Sequence[Pattern], options: StripOptions) -> Stripped:
        """Return the page without its template, computed again only for changed patterns."""
        if self.skip is not None:
            return Stripped(matched=False, skipped=self.skip)
        if self._stripped is None or self._stripped[0] != patterns:
            self._stripped = patterns, strip_by(patterns, Document(self.page()), options)
        return self._stripped[1]


class ResponsePage(ItemPage):
    """The page of a response, with a weak reference, since Scrapy holds the response until all items are through."""

    def __init__(self, response: Response, skip: Reason | None, default_charset: str | None = None) -> None:
        super().__init__(response.url, skip=skip)
        self._response, self._default_charset = weakref.ref(response), default_charset
        self._looked: int | None = None  # fingerprint of Scrapy's tree, when used
        self.is_looked_at = False  # the reason to skip is known, if any
        self.is_shared = False  # more items came than may have the text

    @property
    def read(self) -> Response:
        """The response in the right charset; raise RuntimeError for a deleted response."""
        response = self._copy or self._response()
        if response is None:
            raise RuntimeError(f"The response of {self.url} is gone before its item was stripped.")
        return response

    @cached_property
    def _copy(self) -> Response | None:
        """The response in another charset than Scrapy's, or ``None``."""
        response = self._response()
        read = None if response is None else as_declared(with_text(response), self._default_charset)
        return None if read is response else read

    @property
    def response(self) -> TextResponse:
        response = self.read
        assert isinstance(response, TextResponse)  # others are skipped
        return response

    @property
    def text(self) -> str:
        """Return the page's text as seen by the spider, or in another charset if Scrapy's is unreadable or
        STEMMER_DEFAULT_CHARSET is used."""
        return self.response.text

    @cached_property
    def weight(self) -> Weight:
        return weight_of_response(self.response)

    @cached_property
    def root(self) -> etree._Element:
        root = tree_of(self.response)
        self._looked = fingerprint(root)
        return root

    def note_tree(self) -> None:
        """Note Scrapy's tree, before the spider may change it."""
        if self._copy is None and not self.weight.is_too_complex:
            _ = self.root

    def mend(self) -> None:
        """Parse the page again if the spider has changed Scrapy's tree."""
        if self._looked is not None and fingerprint(self.root) != self._looked:
            self._looked, self._stripped = None, None
            self.root = root_of(super().page())

    def stripped(self, patterns: Sequence[Pattern], options: StripOptions) -> Stripped:
        self.mend()
        return super().stripped(patterns, options)

    @cached_property
    def look(self) -> PageLook:
        return look_of(self.url, self.root)

    @cached_property
    def links(self) -> Sequence[tuple[str, str]]:
        return list(anchors_of(self.root, self.url))

    def page(self) -> Page:
        return OwnPage(self.url, self.root)


def own_page(fields: Mapping[str, Any], url: str, config: StemmerConfig) -> ItemPage | None:
    html = fields.get(config.html_field) if config.html_field is not None else None
    if not html or not isinstance(html, str | bytes):
        return None
    own_url = fields.get(config.url_field)
    url = own_url if own_url and isinstance(own_url, str) else url
    if not config.accepts(url):
        return ItemPage(url, skip=Reason.REJECTED, is_own=True)
    if len(html) > MAX_BODY:
        return ItemPage(url, skip=Reason.TOO_LARGE, is_own=True)
    if isinstance(html, bytes):
        html = decode(html, None, config.charset)
    page = ItemPage(url, html, is_own=True)
    page.skip = Reason.TOO_COMPLEX if page.weight.is_too_complex else None
    return page


class ResponsePages:
    """The pages of the responses in hand; each is stripped once."""

    def __init__(self, config: StemmerConfig, most_kept: int = MAX_KEPT) -> None:
        self._config = config
        self._most_kept, self._kept_bytes = most_kept, 0
        self._kept: OrderedDict[str, _KeptPage] = OrderedDict()  # by URL
        self._noted: weakref.WeakKeyDictionary[Response, ResponsePage] = weakref.WeakKeyDictionary()

    def note(self, response: Response) -> ResponsePage:
        page = self._noted.get(response)
        if page is None:
            page = self._noted[response] = ResponsePage(response, None, self._config.default_charset)
        return page

    def of(self, response: Response) -> ResponsePage:
        page = self.note(response)
        if not page.is_looked_at:
            page.skip, page.is_looked_at = why_skipped(page.read, self._config, page), True
        return page

    def carry(self, response: Response, item: object) -> None:
        """Keep the page of a response, found by its URL, for an item to come."""
        if response.url not in self._kept:
            page = self.of(response)
            self._kept[page.url] = _KeptPage(page.skip, page.packed[1] if page.skip is None else b"", set())
            self._kept_bytes += len(self._kept[page.url].body)
        self._kept.move_to_end(response.url)
        items, most = self._kept[response.url].items, self._config.items_per_page
        if len(items) <= most:
            items.add(id(item))  # unique, since a request carries the item
        while self._kept_bytes > self._most_kept:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.body)

    def named(self, url: Any) -> ItemPage | None:
        if url in self._kept:
            self._kept.move_to_end(url)
            skip, body, items = self._kept[url]
            if skip is None and 0 < self._config.items_per_page < len(items):
                skip = Reason.SEVERAL_ITEMS
            return ItemPage(url, expanded(body) if body else "", skip)
        page = self.by_url(url)
        return ItemPage(page.url, page.text, page.skip) if page is not None and page.skip is None else page

    def by_url(self, url: Any) -> ItemPage | None:
        """Return the page of the responses at a URL; ``None`` if they are gone or differ in text."""
        noted = [response for response in list(self._noted) if response.url == url]
        if not noted or (len(noted) > 1 and len(set(map(self._text_of, noted))) > 1):
            return None
        # Prefer a page already read, stripped once for all items.
        page = self.of(next((each for each in noted if self.note(each).is_looked_at), noted[-1]))
        return ItemPage(page.url, skip=Reason.SEVERAL_ITEMS) if page.is_shared and page.skip is None else page

    def _text_of(self, response: Response) -> str | bytes:
        # Responses of released items have another charset.
        return self.of(response).text if isinstance(response, TextResponse) else response.body


class PageRegistry:
    """The pages of items on their way to the pipeline, which gets the item only. Items are told apart by identity, and
    kept until the pipeline takes the page or the response is deleted."""

    def __init__(self) -> None:
        # Items by identity for each response, kept alive so that identities stay unique.
        self._outputs: weakref.WeakKeyDictionary[Any, dict[int, tuple[Any, list[ItemPage]]]] = (
            weakref.WeakKeyDictionary()
        )

    def put(self, item: Any, page: ItemPage, output_of: Any) -> None:
        self._outputs.setdefault(output_of, {}).setdefault(id(item), (item, []))[1].append(page)

    def take(self, item: Any) -> ItemPage | None:
        """Return the page of an item, once for each :meth:`put`; ``None`` for an unknown item."""
        for output_of, items in list(self._outputs.items()):
            if id(item) in items:
                _, pages = items[id(item)]
                page = pages.pop(0)
                if not pages:
                    del items[id(item)]
                if not items:
                    del self._outputs[output_of]
                return page
        return None
