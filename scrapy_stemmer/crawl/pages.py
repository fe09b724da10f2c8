"""The pages of a crawl: which responses are pages, in which charset; each is stripped once for all its items."""

from __future__ import annotations

import re
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from lxml import etree
from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import http_content_type_encoding

from scrapy_stemmer.core.blocks import Reason
from scrapy_stemmer.core.document import (
    CHARSETS,
    DEFAULT_CHARSET,
    LARGE,
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
from scrapy_stemmer.crawl.compat import Aside
from scrapy_stemmer.crawl.spool import expanded, packed
from scrapy_stemmer.learners.rules.sampling import PageLook, look_of
from scrapy_stemmer.patterns.base import MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.settings import StemmerConfig

FIRST_ERROR = 400  # the least HTTP status that says that a response is not the page that was asked for
BEGINNING = 1000  # bytes of a response in which HTML shows
_HTML_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?><!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
MAX_KEPT = 20_000_000  # bytes of compressed pages of which items are still to come
META_KEY = "stemmer"  # the key of ``Request.meta`` that is read; none is ever written


def why_skipped(
    response: Response, config: StemmerConfig, weight: Callable[[], Weight], parsed: Callable[[], etree._Element]
) -> Reason | None:
    """The reason why a response is neither learned from nor stripped; ``None`` for a page.

    :param weight: gives how long it takes, and ``parsed`` its tree; neither is asked for before it is needed.
    """
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
    if len(body) > config.max_body:
        return Reason.TOO_LARGE
    if is_binary(body, response.text):
        return Reason.BINARY
    if weight().is_too_complex:
        return Reason.TOO_COMPLEX
    root = parsed()
    if next(root.iter("frameset"), None) is not None:
        return Reason.FRAMES
    if not has_content(root):
        return Reason.EMPTY
    return None if config.accepts(response.url) else Reason.REJECTED


LIKE_ASCII = ("ascii", "cp125", "iso8859", "utf-8")  # prefixes of charsets whose ASCII characters are single bytes


def weight_of_response(response: Response) -> Weight:
    """Return the weight of a response, by its bytes; in charsets unlike ASCII by its text."""
    body = response.body.replace(b"\x00", b"")
    if isinstance(response, TextResponse) and not response.encoding.startswith(LIKE_ASCII):
        with suppress(LookupError, UnicodeError):
            return weight_of(response.text)
    return weight_of(body)


def _is_html(response: Response) -> bool:
    """Tell from its header, or else its first bytes, whether a response is HTML; classes of plugins may be any."""
    type_ = (response.headers.get("Content-Type") or b"").lower()
    is_called_html = type_.startswith((b"text/html", b"application/xhtml+xml"))
    return is_called_html or _HTML_BEGINNING.match(response.body[:BEGINNING]) is not None


def with_text(response: Response) -> Response:
    """Return a response of HTML as one that Scrapy can parse, where a plugin has a class of its own for text, such as
    SplashJsonResponse; others as they are."""
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
    """A page in the charset of browsers, where Scrapy raises when it is asked for its text; others as they are."""
    if isinstance(response, HtmlResponse):
        try:
            _ = response.text  # as Scrapy does for most pages, to look for redirects
        except (LookupError, UnicodeError):
            return as_declared(response, DEFAULT_CHARSET)
    return response


def as_declared(response: Response, default_charset: str | None) -> Response:
    """A response in the charset that browsers read it in, or the default for one that declares none; itself where
    Scrapy reads it so too, as nearly always."""
    if not isinstance(response, TextResponse):
        return response
    own = response.encoding
    if not default_charset and (own == "ascii" or (own in CHARSETS and not own.startswith("utf-16"))):
        return response
    header = http_content_type_encoding((response.headers.get("Content-Type") or b"").decode("latin-1"))
    name = charset_of(response.body, header) or default_charset or DEFAULT_CHARSET
    return response if name == own else response.replace(encoding=name)


# The pages of items


@dataclass(frozen=True, slots=True)
class FallbackPage(Page):
    """A page as STEMMER_FALLBACK gets it: :attr:`url`, the text of its HTML in :attr:`html`, and a response.

    :param response: the page's response. That of an item which has waited, or which brings its HTML along, is made of
        URL and HTML, without status, headers and request.
    """

    response: TextResponse | None = None


class _Kept(NamedTuple):
    """A page without its template, by these patterns; ``names`` are those of the results that are kept, ``None`` for
    all."""

    patterns: Sequence[Pattern]
    stripped: Stripped
    names: frozenset[str] | None = None

    def has(self, names: frozenset[str]) -> bool:
        """Whether all of some results are kept; all there are where none is named."""
        return self.names is None or (bool(names) and names <= self.names)


class _KeptPage(NamedTuple):
    """A page of which items are still to come, compressed, and the identities of those items."""

    skip: Reason | None
    body: bytes
    items: set[int]


class ItemPage:
    """The page of one or more items.

    :param text: its HTML; empty where the item is to bring it along.
    :param skip: the reason why the page is not stripped; ``None`` when it is.
    :param is_own: whether the item brings the page along.
    """

    def __init__(self, url: str, text: str = "", skip: Reason | None = None, *, is_own: bool = False) -> None:
        self.url = url
        self.is_own = is_own
        self.site = site_of(url)
        self.skip = skip
        self.is_watched = False  # whether the watch over layouts has seen it
        self.spooled = 0  # its number in the spool, 0 when it isn't there
        self._text = text
        self._kept: _Kept | None = None

    @property
    def text(self) -> str:
        """The page's HTML."""
        return self._text

    @cached_property
    def weight(self) -> Weight:
        """Return the weight of the page."""
        return weight_of(self.text)

    @property
    def is_large(self) -> bool:
        """Whether it would hold up the event loop; then what takes long is to be asked for in a thread first."""
        return self.weight.is_large

    @cached_property
    def look(self) -> PageLook:
        """What it looks like, as far as samples go by it."""
        return look_of(self.url, root_of(self.page()))

    @cached_property
    def links(self) -> Sequence[tuple[str, str]]:
        """The links to its own site; see :func:`anchors_of`."""
        return ()

    @cached_property
    def packed(self) -> tuple[int, bytes]:
        """Its text as the spool keeps it."""
        return packed(self.text)

    def page(self) -> Page:
        """The page as it is stripped."""
        return Page(self.url, self.text)

    @property
    def response(self) -> TextResponse:
        """A response with the page."""
        return HtmlResponse(self.url, body=self.text, encoding="utf-8")

    def stripped(self, patterns: Sequence[Pattern], options: MatchOptions) -> Stripped:
        """The page without its template; the same for all its items, unless the patterns have become others."""
        if self.skip is not None:
            return Stripped(matched=False, skipped=self.skip)
        kept = self._kept
        if kept is None or kept.patterns != patterns:
            self._kept = kept = _Kept(patterns, strip_by(patterns, Document(self.page()), options))
        return kept.stripped

    def strip_for(self, names: Iterable[str], patterns: Sequence[Pattern], options: MatchOptions) -> Stripped:
        """The same, with some results worked out, or all if none is named, and nothing else kept: blocks and trees of
        large pages take long to be searched by the garbage collector, and to be freed."""
        kept, wanted = self._kept, frozenset(names)
        if self.skip is None and not (kept is not None and kept.patterns == patterns and kept.has(wanted)):
            stripped = strip_by(patterns, Document(self.page()), options)
            if wanted:
                wanted |= kept.names if kept is not None and kept.names is not None else frozenset()
                stripped = stripped.without_page(wanted)
            self._kept = _Kept(patterns, stripped, wanted or None)
            vars(self).pop("root", None)
        return self.stripped(patterns, options)


class ResponsePage(ItemPage):
    """The page in a response, which is not kept alive: Scrapy does that until its items are through. ``read`` is the
    same response in another charset, where Scrapy reads it in a wrong one."""

    def __init__(self, response: Response, skip: Reason | None, read: Response | None = None) -> None:
        super().__init__(response.url, skip=skip)
        self._response = weakref.ref(response)
        self._read = read
        self._looked: int | None = None  # the fingerprint of the tree, where it is that of Scrapy
        self.is_shared = False  # whether more items came of it than may have its text

    @property
    def response(self) -> TextResponse:
        """The response; a RuntimeError when it is gone."""
        response = self._read or self._response()
        if not isinstance(response, TextResponse):
            raise RuntimeError(f"The response of {self.url} is gone before its item was stripped.")
        return response

    @property
    def text(self) -> str:
        """The page's text, as the spider sees it unless STEMMER_DEFAULT_CHARSET decides, or Scrapy can't read it."""
        return self.response.text

    @cached_property
    def weight(self) -> Weight:
        return weight_of_response(self.response)

    @cached_property
    def root(self) -> etree._Element:
        """The tree that Scrapy has parsed; of a large page one of its own, as spiders may change that meanwhile."""
        if self.is_large:
            return root_of(super().page())
        root: etree._Element = self.response.selector.root
        self._looked = fingerprint(root)
        return root

    def mend(self) -> None:
        """Parse the page again where the spider has changed the tree of Scrapy since it was looked at first."""
        if self._looked is not None and fingerprint(self.root) != self._looked:
            self._looked, self._kept = None, None
            self.root = root_of(super().page())

    def stripped(self, patterns: Sequence[Pattern], options: MatchOptions) -> Stripped:
        self.mend()
        return super().stripped(patterns, options)

    @cached_property
    def look(self) -> PageLook:
        return look_of(self.url, self.root)

    @cached_property
    def links(self) -> Sequence[tuple[str, str]]:
        return list(anchors_of(self.root, self.url))

    def page(self) -> Page:
        """The page, with its tree."""
        return OwnPage(self.url, self.root)


def own_page(fields: Mapping[str, Any], url: str, config: StemmerConfig) -> ItemPage | None:
    """The page that an item brings along in STEMMER_HTML_FIELD, of this URL unless it has one of its own; ``None``
    without."""
    html = fields.get(config.html_field) if config.html_field is not None else None
    if not html or not isinstance(html, str | bytes):
        return None
    own_url = fields.get(config.url_field)
    url = own_url if own_url and isinstance(own_url, str) else url
    if not config.accepts(url):
        return ItemPage(url, skip=Reason.REJECTED, is_own=True)
    if len(html) > config.max_body:
        return ItemPage(url, skip=Reason.TOO_LARGE, is_own=True)
    if isinstance(html, bytes):
        html = decode(html, None, config.charset)
    page = ItemPage(url, html, is_own=True)
    page.skip = Reason.TOO_COMPLEX if page.weight.is_too_complex else None
    return page


class ResponsePages:
    """The pages of the responses that a crawl has in hand; each is stripped once, whoever asks for it.

    :param most_kept: bytes of pages that are kept though their responses may be gone; beyond it the pages that were
        asked for longest ago are forgotten.
    """

    def __init__(self, config: StemmerConfig, most_kept: int = MAX_KEPT) -> None:
        self._config = config
        self._most_kept, self._kept_bytes = most_kept, 0
        self._kept: OrderedDict[str, _KeptPage] = OrderedDict()  # by URL
        # Of those that are only noted, none is read before somebody asks for it.
        self._pages: weakref.WeakKeyDictionary[Response, ResponsePage | None] = weakref.WeakKeyDictionary()
        self._weights: weakref.WeakKeyDictionary[Response, Weight] = weakref.WeakKeyDictionary()

    def note(self, response: Response) -> None:
        """Remember a response, so that it is found by its URL."""
        self._pages.setdefault(response, None)

    def look_at(self, response: Response) -> None:
        """Read the tree of a response before the spider may change it; a large page gets a tree of its own anyway."""
        if isinstance(response, HtmlResponse) and not self.is_large(response):
            self.of(response)

    def of(self, response: Response) -> ResponsePage:
        """The page of a response."""
        page = self._pages.get(response)
        if page is None:
            page = self._pages[response] = self._made(response)
        return page

    def is_large(self, response: Response) -> bool:
        """Tell whether a response would hold up the event loop; the tags of the largest responses are not counted."""
        return len(response.body) > LARGE or self._weight(response).is_large

    def _weight(self, response: Response) -> Weight:
        """Return the weight of a response, which is counted once."""
        weight = self._weights.get(response)
        if weight is None:
            weight = self._weights[response] = weight_of_response(response)
        return weight

    async def made_aside(self, response: Response, aside: Aside) -> ResponsePage:
        """The same; a large page is parsed in a thread."""
        if self._pages.get(response) is None and self.is_large(response):
            self._pages[response] = await aside.run(self._made, response)
        return self.of(response)

    def _made(self, response: Response) -> ResponsePage:
        read = as_declared(with_text(response), self._config.default_charset)
        page = ResponsePage(response, None, None if read is response else read)
        if read is response:
            page.weight = self._weight(response)
        page.skip = why_skipped(read, self._config, lambda: page.weight, lambda: page.root)
        return page

    def keep(self, response: Response, item: object) -> None:
        """Keep the page of a response for an item that is still to come, and finds the page by its URL."""
        if response.url not in self._kept:
            page = self.of(response)
            self._kept[page.url] = _KeptPage(page.skip, page.packed[1] if page.skip is None else b"", set())
            self._kept_bytes += len(self._kept[page.url].body)
        self._kept.move_to_end(response.url)
        items, most = self._kept[response.url].items, self._config.items_per_page
        if len(items) <= most:
            items.add(id(item))  # it is carried on by a request, so that no other has this number
        while self._kept_bytes > self._most_kept:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.body)

    def named(self, url: Any) -> ItemPage | None:
        """Return the page of a URL, with its text, for an item of another response; ``None`` when it is not at hand."""
        if url in self._kept:
            self._kept.move_to_end(url)
            skip, body, items = self._kept[url]
            if skip is None and 0 < self._config.items_per_page < len(items):
                skip = Reason.SEVERAL_ITEMS
            return ItemPage(url, expanded(body) if body else "", skip)
        page = self.by_url(url)
        return ItemPage(page.url, page.text, page.skip) if page is not None and page.skip is None else page

    def by_url(self, url: Any) -> ItemPage | None:
        """The page of the responses of this URL; ``None`` when they are gone, or haven't all one text."""
        noted = [response for response in list(self._pages) if response.url == url]
        if not noted or not (_are_alike(noted) or len(set(map(self._text_of, noted))) == 1):
            return None
        # One that was read before: it is stripped once for the items of all.
        page = self.of(next((each for each in noted if self._pages.get(each) is not None), noted[-1]))
        return ItemPage(page.url, skip=Reason.SEVERAL_ITEMS) if page.is_shared and page.skip is None else page

    def _text_of(self, response: Response) -> str | bytes:
        # Those of items that have waited are of another charset.
        return self.of(response).text if isinstance(response, TextResponse) else response.body


def _are_alike(responses: Sequence[Response]) -> bool:
    """Whether responses have the same bytes in the same charset, which is told without reading them."""
    first, *others = responses
    charset = getattr(first, "encoding", None)
    return all(each.body == first.body and getattr(each, "encoding", None) == charset for each in others)


class PageRegistry:
    """The pages of items on their way to the pipeline, which gets the item only. Items are told apart by identity, and
    kept until the pipeline asks for their page, or until the response in whose output they are is gone: nothing leaks
    when a pipeline before ours drops or replaces an item."""

    def __init__(self) -> None:
        # Of each response its items by identity, kept alive so that no other has it, with their pages in the order in
        # which they were put: an item may be yielded more than once.
        self._outputs: weakref.WeakKeyDictionary[Any, dict[int, tuple[Any, list[ItemPage]]]] = (
            weakref.WeakKeyDictionary()
        )

    def put(self, item: Any, page: ItemPage, output_of: Any) -> None:
        """Remember an item's page, as long as the response or failed request is there in whose output the item is."""
        self._outputs.setdefault(output_of, {}).setdefault(id(item), (item, []))[1].append(page)

    def take(self, item: Any) -> ItemPage | None:
        """The page of an item, once for each time it was put; ``None`` for items that are not known."""
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
