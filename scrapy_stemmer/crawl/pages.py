"""Where the page of an item is: in its response, in the spool, or in a field of the item itself."""

from __future__ import annotations

import re
import weakref
import zlib
from abc import ABC, abstractmethod
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse, Response, TextResponse
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom

from scrapy_stemmer.core.page import Page, site_of
from scrapy_stemmer.crawl.items import fields_of
from scrapy_stemmer.crawl.names import MetaKey, Skip
from scrapy_stemmer.crawl.results import PageResults

if TYPE_CHECKING:
    from lxml import etree

    from scrapy_stemmer.crawl.config import StemmerConfig
    from scrapy_stemmer.patternset import PatternSet

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
"""So much of a page's text is looked at to tell binary data from text."""

MAX_CONTROL_SHARE = 0.1
"""Text with a larger share of control and replacement characters is binary data. A few NULs occur in pages."""

_ODD_CHARS = (*map(chr, (*range(0x09), *range(0x0E, 0x1C))), "\ufffd")
"""The control characters that are no white space, and the replacement character."""

_ODD = re.compile(f"[{''.join(_ODD_CHARS)}]")

COMPRESSION = 1
"""Level of zlib for pages on disk: four times smaller, for nearly as much time as the page takes to be parsed."""

COMPRESSED_BY = 4
"""So many times smaller pages are by that."""

PLAIN = b"\0"
"""What a page on disk begins with that is not compressed; no stream of zlib does."""

DIGEST_BYTES = 16
"""Length of the hash that tells pages apart by content."""


class PageSource(ABC):
    """The page of one or more items.

    :param url: the page's URL.
    :param skip: why the page is not stripped, or ``None``.
    """

    def __init__(self, url: str, skip: Skip | None = None) -> None:
        self.url = url
        self.site = site_of(url)
        self.skip = skip
        self._results: tuple[PatternSet, PageResults] | None = None

    @abstractmethod
    def page(self) -> Page | None:
        """The page, or ``None`` when the item has to bring it along."""

    def results(self, patterns: PatternSet) -> PageResults:
        """The results for the page, the same for all its items; others when the patterns are others."""
        if self._results is None or self._results[0] is not patterns:
            self._results = (patterns, PageResults())
        return self._results[1]


class ResponsePage(PageSource):
    """A response in Scrapy's hands. It is not kept alive: the scraper does that until its items are through.

    :param response: the response.
    :param skip: see :class:`PageSource`.
    :param default_charset: for responses that declare no charset; ``None`` leaves that to Scrapy.
    """

    def __init__(self, response: Response, skip: Skip | None, default_charset: str | None = None) -> None:
        super().__init__(response.url, skip)
        self.sampled_as: int | None = None
        """Its id in the spool, if it is in the sample of its site just as it is."""
        self._response = weakref.ref(response)
        self._default_charset = default_charset

    @property
    def response(self) -> TextResponse:
        """The response.

        :raises RuntimeError: when it is gone.
        """
        response = self._response()
        if not isinstance(response, TextResponse):
            raise RuntimeError(f"The response of {self.url} is gone before its item was stripped.")
        return response

    @property
    def own_charset(self) -> str | None:
        """The charset of STEMMER_DEFAULT_CHARSET when it decides here."""
        undeclared = self._default_charset and not declared_charset(self.response)
        return self._default_charset if undeclared else None

    @property
    def text(self) -> str:
        """The page's text, as the spider sees it unless STEMMER_DEFAULT_CHARSET decides."""
        charset = self.own_charset
        return self.response.body.decode(charset, "replace") if charset else self.response.text

    @cached_property
    def digest(self) -> bytes:
        """A hash of its content."""
        return digest_of(self.response.body)

    def page(self) -> Page:
        """The page, with the tree that Scrapy has parsed."""
        return Page(self.url, self.text if self.own_charset else root_of(self.response))


class SpooledPage(PageSource):
    """A page from the spool, kept compressed until it is needed.

    :param url: its URL.
    :param body: what :func:`compressed` gave.
    :param root: the tree of just that, where there is one.
    """

    def __init__(self, url: str, body: bytes, root: etree._Element | None = None) -> None:
        super().__init__(url)
        self._body = body
        self._root = root

    def page(self) -> Page:
        """The page."""
        return Page(self.url, expanded(self._body) if self._root is None else self._root)


class OwnPage(PageSource):
    """An item that brings its HTML along in STEMMER_HTML_FIELD, or one that has no page."""

    def page(self) -> None:
        """None: the pipeline reads the item's field."""


def compressed(text: str) -> bytes:
    """A page's text for the spool."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), COMPRESSION)


def uncompressed(text: str) -> bytes:
    """The same for a spool that has room."""
    return PLAIN + text.encode("utf-8", "surrogatepass")


def expanded(body: bytes) -> str:
    """The text that :func:`compressed` or :func:`uncompressed` was given."""
    plain = body[len(PLAIN) :] if body.startswith(PLAIN) else zlib.decompress(body)
    return plain.decode("utf-8", "surrogatepass")


def expanded_size(body: bytes) -> int:
    """About so many bytes :func:`expanded` makes of it."""
    return len(body) * (1 if body.startswith(PLAIN) else COMPRESSED_BY)


def digest_of(content: bytes) -> bytes:
    """A hash that tells pages apart by content."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()


class PackedPage(Page):
    """A page for a learner, compressed while it is held: its HTML is expanded each time it is read, and not kept."""

    __slots__ = ("_body",)
    _body: bytes

    def __init__(
        self,
        url: str,
        html: str = "",
        anchors: tuple[str, ...] = (),
        charset: str | None = None,
        *,
        body: bytes = b"",
    ) -> None:
        """A page of its HTML, or of what :func:`compressed` gave."""
        for name, value in (("url", url), ("anchors", anchors), ("charset", charset)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_body", body or compressed(html))

    @property
    def html(self) -> str:
        """The page's text."""
        return expanded(self._body)


def root_of(response: TextResponse) -> etree._Element:
    """The tree that Scrapy has parsed; it must not be changed."""
    root: etree._Element = response.selector.root
    return root


def own_html(item: Any, field: str | None) -> str | bytes | None:
    """The HTML that an item brings along, or ``None``."""
    html = fields_of(item).get(field) if field else None
    return html if html and isinstance(html, str | bytes) else None


def own_url(item: Any, field: str) -> str | None:
    """The URL that an item brings along, or ``None``."""
    url = fields_of(item).get(field)
    return url if url and isinstance(url, str) else None


def is_html(response: Response) -> bool:
    """Whether the server calls this HTML."""
    if isinstance(response, HtmlResponse):
        return True
    kind = (response.headers.get("Content-Type") or b"").lower()
    return isinstance(response, TextResponse) and kind.startswith(HTML_TYPES)


def declared_charset(response: TextResponse) -> str | None:
    """The charset by HTTP header, byte order mark or meta element."""
    header = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return (
        http_content_type_encoding(header) or read_bom(response.body)[0] or html_body_declared_encoding(response.body)
    )


def why_skipped(response: Response, config: StemmerConfig) -> Skip | None:
    """Why a response is neither learned from nor stripped, or ``None`` for a page that is."""
    request = response.request
    if request is not None and request.meta.get(MetaKey.STEMMER) is False:
        return Skip.OPTED_OUT
    if not is_html(response) or not isinstance(response, TextResponse):
        return Skip.NOT_HTML
    body = response.body
    if not body or body.isspace():
        return Skip.EMPTY
    if body.startswith(BINARY_SIGNATURES) or _has_binary_text(response):
        return Skip.BINARY
    return _without_text(response) or (None if config.accepts(response.url) else Skip.REJECTED)


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
    # A body stands below the root almost always; iter() would look for a second one through the whole tree.
    has_body = next(root.iterchildren("body"), None) is not None or next(root.iter("body"), None) is not None
    return None if has_body else Skip.NO_BODY


_Batch = dict[int, tuple[Any, list[PageSource]]]
"""The items of one carrier and their pages, by the item's ``id``; an item may be yielded more than once."""


class PageRegistry:
    """Finds an item's page when the pipeline, which gets the item only, asks for it.

    Items are told apart by identity. An item is kept from the moment when it is yielded until the pipeline has
    asked for it, at most as long as its carrier, the response in whose output it is. So nothing leaks when a
    pipeline before ours drops or replaces an item.
    """

    def __init__(self) -> None:
        # By the ``id`` of the carrier, and by that of the item.
        self._batches: dict[int, tuple[weakref.ref[Any], _Batch]] = {}
        self._index: dict[int, _Batch] = {}

    def put(self, item: Any, source: PageSource, carrier: Any) -> None:
        """Remember an item's page.

        :param carrier: the response whose output holds the item.
        """
        known = self._batches.get(id(carrier))
        batch = known[1] if known is not None else self._batch(carrier)
        number = id(item)
        if number in batch:
            batch[number][1].append(source)
        else:
            batch[number] = (item, [source])
        self._index[number] = batch

    def take(self, item: Any) -> PageSource | None:
        """The page of an item, once for each time it was put; ``None`` for items that are not known."""
        number = id(item)
        batch = self._index.get(number)
        known = batch.get(number) if batch is not None else None
        if batch is None or known is None or known[0] is not item:
            return None
        source = known[1].pop(0)
        if not known[1]:
            del batch[number], self._index[number]
        return source

    def __len__(self) -> int:
        return sum(len(batch) for _, batch in self._batches.values())

    def _batch(self, carrier: Any) -> _Batch:
        """A new batch, which goes with its carrier."""
        number, batch = id(carrier), _Batch()
        self._batches[number] = (weakref.ref(carrier, lambda _: self._forget(number)), batch)
        return batch

    def _forget(self, carrier: int) -> None:
        _, batch = self._batches.pop(carrier)
        for item in batch:
            if self._index.get(item) is batch:
                del self._index[item]
