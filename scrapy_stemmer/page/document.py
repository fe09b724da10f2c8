"""Pages: URL, charset, HTML and tree, the weight of pages that are too complex to be read, and links."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice
from typing import NamedTuple, Protocol, TypeVar

from lxml import etree
from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding, to_unicode
from w3lib.html import strip_html5_whitespace
from w3lib.url import canonicalize_url

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.addresses import base_of, joined, split_address
from scrapy_stemmer.page.arguments import check, check_charset, each_of
from scrapy_stemmer.page.blocks import LayoutBlock, Reason
from scrapy_stemmer.page.charset_guess import guess_charset
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import ShownTree, shown
from scrapy_stemmer.page.text import UNWANTED

_T = TypeVar("_T")

_USUAL = re.compile("https?://([a-z0-9.-]+)[/?#]")
"""URL with a plain host, found ten times faster than by parsing the URL."""


@dataclass(frozen=True, slots=True)
class Page:
    """Page of a site.

    :param url: absolute URL; its host decides the :attr:`site`.
    :param html: the page as received bytes, as text, or as a parsed lxml root, which is only read.
    :param anchors: linkinfo, the texts of the links to this page, repeats kept. They vote for the title while learning.
    :param charset: the charset of the HTTP header, for bytes.
    :param fetched: the time of the fetch, in ISO 8601 and UTC, if known.
    """

    url: str
    html: bytes | str | etree._Element = field(repr=False)
    anchors: tuple[str, ...] = ()
    charset: str | None = None
    fetched: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.url, str):
            raise TypeError(f"The URL of a page must be a str, not {type(self.url).__name__}")
        if not isinstance(self.html, str | bytes | etree._Element):
            kind = type(self.html).__name__
            raise TypeError(f"The HTML of {self.url} must be bytes, a str or an lxml element, not {kind}")
        if self.anchors != ():
            list(each_of(f"the anchors of {self.url}", self.anchors, str, "str"))
        for name in ("charset", "fetched"):
            check(f"The {name} of {self.url}", getattr(self, name), str | None, "a str or None")

    @property
    def site(self) -> str:
        return site_of(self.url)


class OwnPage(Page):
    """Page with an unchanging tree, to be read without a copy."""

    __slots__ = ()


def site_of(url: str) -> str:
    """Return the key under which the patterns of a site are kept.

    The key is the lower-case host without a leading ``www.``, with the port unless the scheme implies the port:
    ``https://www.Example.com/a`` and ``http://example.com/b`` are one site, ``news.example.com`` is another. URLs
    without a host (``file:``, relative URLs) share the key ``""``.
    """
    if usual := _USUAL.match(url):
        return usual[1].removeprefix("www.")
    try:
        parts = split_address(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return ""
    return host if port in (None, {"http": 80, "https": 443}.get(parts.scheme)) else f"{host}:{port}"


DEFAULT_CHARSET = ""  # guess the charset of bytes without a declared charset, see :func:`guess_charset`

METADATA = frozenset("base basefont bgsound link meta noscript script style template title".split())
"""Elements that belong into a head."""

UNKNOWN_TO_LIBXML2 = ("main", "article", "section", "header", "nav", "aside", "figure", "footer")
"""Elements that end a head in browsers, but not in libxml2."""


copied: Callable[[etree._Element], etree._Element] = native("shown.copied")
"""Return a copy of a tree that another thread may change, made in one call that holds the interpreter.

:func:`copy.deepcopy` by itself lets other threads run meanwhile.
"""


fingerprint: Callable[[etree._Element], int] = native("shown.fingerprint")
"""Return a number that changes with the tree, in a fiftieth of the time of a parse."""


def root_of(page: Page, default_charset: str = DEFAULT_CHARSET) -> etree._Element:
    """Return the root element of a page as browsers show it, a copy if the page holds a tree.

    Never raises for the content of a page: an empty page, NUL bytes, broken markup, a wrong charset or a page too
    complex to parse give a tree, at worst with an empty body.
    """
    return Document(page, default_charset).root


def _shown(html: bytes | str | etree._Element, charset: str, *, is_own: bool) -> ShownTree:
    """Return the tree of a page whose bytes are in a charset; "" for a text or a tree."""
    if isinstance(html, etree._Element):
        root = as_html(html if is_own else copied(html))
        return shown(root, parse, is_own=root is not html)
    body = _in_utf8(html, charset) if isinstance(html, bytes) else _encoded(html)
    if weight_of(body).is_too_complex:
        return ShownTree(_parsed(b""), [], is_refused=True)
    return shown(as_html(_parsed(body)), parse, is_own=True)


def _in_utf8(body: bytes, charset: str) -> bytes:
    if charset == "utf-8" and not body.startswith(BOM_UTF8) and b"\x00" not in body:
        with suppress(UnicodeDecodeError):
            body.decode()
            return body
    return _encoded(_decoded(body, charset))


def as_html(root: etree._Element) -> etree._Element:
    """Return a tree as browsers build it: without namespaces, and with a body around all content.

    html5lib and XHTML parsed as XML have names in a namespace. Without a ``body`` tag, libxml2 puts ``main``,
    ``article`` and their content into the head. Content behind the first end of a body, further bodies too, ends up
    behind the body.
    """
    if not isinstance(root.tag, str):
        return _parsed(b"")
    if root.tag.startswith("{"):
        root = deepcopy(root)
        elements = [element for element in root.iter("{*}*") if str(element.tag).startswith("{")]
        # From the end: lxml searches all ancestors of a released element for an element in use.
        while elements:
            element = elements.pop()
            element.tag = str(element.tag).rpartition("}")[2]
    if root.tag != "html":
        return root
    body = next(root.iterchildren("body", "frameset"), None)
    if body is None:
        is_misplaced = bool(_content_before_body(root))
    else:
        head = next(root.iterchildren("head"), None)
        is_misplaced = head is not None and next(head.iterchildren(*UNKNOWN_TO_LIBXML2), None) is not None
        is_misplaced = is_misplaced or _has_text_behind(body)
    return _with_body(root) if is_misplaced else root


def has_content(root: etree._Element) -> bool:
    return next(root.iter("{*}body"), None) is not None or bool(_content_before_body(root))


def _content_before_body(root: etree._Element) -> list[etree._Element]:
    content: list[etree._Element] = []
    for child in root.iterchildren("*"):
        if child.tag == "head":
            inside = (each for each in child.iterchildren("*") if each.tag not in METADATA)
            if (first := next(inside, None)) is not None:
                content += (first, *first.itersiblings())
        elif child.tag == "body":
            break
        else:
            content.append(child)
    return content


def _has_text_behind(body: etree._Element) -> bool:
    parts = (each.itertext() for each in _behind(body))
    return any(map(str.strip, chain(*parts, [body.tail or ""])))


def _behind(body: etree._Element) -> list[etree._Element]:
    return [each for each in body.itersiblings("*") if each.tag not in METADATA]


def _with_body(root: etree._Element) -> etree._Element:
    copied = deepcopy(root)
    content = _content_before_body(copied)
    if (body := next(copied.iterchildren("body"), None)) is not None:
        _take_behind(body)
        if not (content and (body.text or "").strip()):
            body[:0] = content
            return copied
        # The text of the body can't be moved: lxml refuses control characters, which pages have.
        body.tag = "div"
        content.append(body)
    etree.SubElement(copied, "body").extend(content)
    return copied


def _take_behind(body: etree._Element) -> None:
    behind = _behind(body)
    if text := UNWANTED.sub("", body.tail or "").strip():
        etree.SubElement(body, "div").text = text
    for each in behind:
        if each.tag == "body":
            each.tag = "div"
    body.extend(behind)
    body.tail = None


_ISO = (f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16))
_WINDOWS = (f"cp{page}" for page in (866, 874, 932, 949, *range(1250, 1259)))
_OTHERS = "utf-8 utf-16-be utf-16-le koi8-r koi8-u mac-roman mac-cyrillic gb18030 big5hkscs euc_jp iso2022_jp".split()
CHARSETS = frozenset((*_ISO, *_WINDOWS, *_OTHERS))
"""Charsets of the WHATWG's list, which browsers know, by the names of Python's codecs."""


def charset_of(body: bytes, charset: str | None = None) -> str | None:
    """Return the charset of a page by byte order mark, header or meta element.

    As in browsers, UTF-16 of a header is little-endian, and a page whose meta element can be read is not UTF-16.
    """
    if (marked := read_bom(body)[0]) is not None:
        return marked
    name = resolve_encoding(charset) if charset else None
    if (name := "utf-16-le" if name == "utf-16" else name) in CHARSETS:
        return name
    name = html_body_declared_encoding(body) or ""
    return "utf-8" if name.startswith("utf-16") else name if name in CHARSETS else None


def decode(body: bytes, charset: str | None = None, default_charset: str = DEFAULT_CHARSET) -> str:
    return _decoded(body, charset_of(body, charset) or default_charset or guess_charset(body))


def _decoded(body: bytes, charset: str) -> str:
    return to_unicode(body.removeprefix(read_bom(body)[1] or b""), charset)


BINARY_SIGNATURES = tuple(
    b"%PDF \x89PNG GIF8 \xff\xd8\xff PK\x03\x04 \x1f\x8b RIFF \x7fELF Rar! \x00\x00\x01\x00".split()
)
"""First bytes of files that servers are seen to send as text/html."""

PLAIN_BYTES = bytes({*range(256)}.difference(range(9), range(14, 28)))  # all but control characters
MAX_ODD = 0.1  # the largest share of odd characters at the beginning of a page: a few NULs occur
SEARCHED_START = 2000  # characters to search


def is_binary(body: bytes, text: str) -> bool:
    """Return True if alleged HTML is an image, a PDF or binary data, by bytes and text.

    Control characters and replacement characters are odd.
    """
    start = text[:SEARCHED_START]
    odd = start.encode("utf-8", "surrogatepass").translate(None, PLAIN_BYTES)
    return body.startswith(BINARY_SIGNATURES) or len(odd) + start.count("\ufffd") > MAX_ODD * len(start)


def parse(text: str) -> etree._Element:
    body = _encoded(text)
    return _parsed(b"" if weight_of(body).is_too_complex else body)


def _encoded(text: str) -> bytes:
    return text.strip().encode("utf-8", "replace").replace(b"\x00", b"")  # parsel strips pages too


def _parsed(body: bytes) -> etree._Element:
    if body[:1].isspace():
        body = body.strip()
    parser: etree.HTMLParser[etree._Element] = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True, recover=True, collect_ids=False
    )
    root: etree._Element | None = None
    with suppress(etree.XMLSyntaxError):
        root = etree.fromstring(body, parser)
    return etree.fromstring(b"<html><body></body></html>", parser) if root is None else root


class Cutter(Hashable, Protocol):
    """Method to cut trees into layout blocks."""

    def blocks_of(self, root: etree._Element) -> list[LayoutBlock]: ...


# Checks before parsing, to refuse pages that take too long

MAX_TAGS = 100_000
"""Largest number of tags of a page that is learned from and stripped. Of 5,158 real pages the largest has 31,799."""

MAX_COMPARED = 200_000_000
"""Largest number of comparisons of attributes, 2 ns each: libxml2 compares each attribute with all before in the tag.

Of 2,989 real pages the largest has 46 million, in a script.
"""

SMALL = 28_000  # bytes of a page within the limits: two bytes make an attribute, at least

MANY_READINGS = 8  # times that a page may be read, since quotes before a tag leave several readings

_count = etree.XPath("count(//*)")


class Weight(NamedTuple):
    """Signs of the time to parse a page, counted in the bytes."""

    size: int  # in bytes
    tags: int = 0
    compared: int | None = 0  # comparisons of attributes; ``None`` for too many to count

    @property
    def is_too_complex(self) -> bool:
        """Return True if the page would take too long to be parsed and stripped."""
        return self.tags > MAX_TAGS or self.compared is None or self.compared > MAX_COMPARED


def weight_of(html: str | bytes) -> Weight:
    if len(html) < SMALL:
        return Weight(len(html))
    body = _encoded(html) if isinstance(html, str) else html
    return Weight(len(body), *weigh(body, MANY_READINGS * len(body)))


def work_of(html: str | bytes | etree._Element) -> float:
    """Return the work of a page: the number of tags, or of hundreds of characters if more."""
    if isinstance(html, etree._Element):
        return 2 * float(str(_count(html)))
    return max(html.count("<") if isinstance(html, str) else html.count(b"<"), len(html) / 100)


weigh: Callable[[bytes, int], tuple[int, int | None]] = native("shown.weigh")
"""Return the most tags that a page may have, and the sum of their squared numbers of attributes.

The sum is ``None`` for more bytes of attributes than may be read. Apparent tags in scripts, comments and values count
too, since parsers differ there. An attribute counts for the first tag that reaches it.
"""


# Links: texts of links within the site, by URL

MAX_ANCHOR_CHARS = 1000  # longer link texts are whole articles within a link, not titles
MAX_ANCHOR_PIECES = 50  # links with more pieces of text are no titles; in hostile pages all links nest
MAX_LINKS = 5_000  # links of a page to read

_PLAIN_LINK = re.compile(r"((?:https?://[a-z0-9.-]++)?)((?:/[a-zA-Z0-9_-][a-zA-Z0-9_.~-]*+)++/?)")
"""Link with a canonical path, as most links are, found ten times faster than by making a link canonical."""


def url_key(url: str) -> str:
    """Return a URL in the form for comparing links and pages: canonical, without the fragment."""
    try:
        return canonicalize_url(url)
    except ValueError:
        return url


def anchors_of(root: etree._Element, url: str, wanted: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield the links of a page within the site, as canonical URL and text, repeats kept."""
    base, site = base_of(root, url), site_of(url)

    @cache  # a page has many links to places within one page
    def key_of(href: str) -> str | None:
        if plain := _PLAIN_LINK.fullmatch(href):
            start = key_of(plain[1] + "/")
            return None if start is None else start.removesuffix("/") + plain[2]
        try:
            target = joined(base, strip_html5_whitespace(href))
        except ValueError:
            return None
        if target != href and _PLAIN_LINK.fullmatch(target):
            return key_of(target)
        return url_key(target) if target.startswith(("http:", "https:", "file:")) and site_of(target) == site else None

    for link in islice(root.iter("a", "area"), MAX_LINKS):
        href = link.get("href")
        key = key_of(href.partition("#")[0]) if href else None
        if key is not None and (wanted is None or key in wanted):
            pieces = list(islice(link.itertext(), MAX_ANCHOR_PIECES + 1))
            text = " ".join((link.get("alt", "") if link.tag == "area" else "".join(pieces)).split())
            if text and len(text) <= MAX_ANCHOR_CHARS and len(pieces) <= MAX_ANCHOR_PIECES:
                yield key, text


# Pages with their blocks


class Document:
    """Page with a tree and layout blocks, made on first access."""

    def __init__(self, page: Page, default_charset: str = DEFAULT_CHARSET) -> None:
        if not isinstance(page, Page):
            raise TypeError(f"A page is wanted, Page(url, html), not {type(page).__name__}")
        if default_charset != "":
            check_charset("default_charset", default_charset)
        self.page = page
        self.default_charset = default_charset
        self._blocks: dict[Cutter, list[LayoutBlock]] = {}
        self._read: object = None
        self._is_binary = False

    @cached_property
    def shown(self) -> ShownTree:
        html, charset = self.page.html, ""  # read once: pages of samples are expanded on each reading
        if isinstance(html, bytes):
            charset = charset_of(html, self.page.charset) or self.default_charset or guess_charset(html)
            start = html[: 4 * SEARCHED_START]  # a character has four bytes at most
            self._is_binary = is_binary(start, _decoded(start, charset))
        elif isinstance(html, str):
            self._is_binary = is_binary(b"", html)
        return _shown(html, charset, is_own=isinstance(self.page, OwnPage))

    def keep(self, read: object) -> None:
        """Keep an object read from the page in place of the larger tree."""
        self._read, self.shown = read, replace(self.shown, tree=etree.Element("html"), parted=())

    def kept(self, kind: type[_T]) -> _T | None:
        return self._read if isinstance(self._read, kind) else None

    @property
    def root(self) -> etree._Element:
        return self.shown.root

    @property
    def refusal(self) -> Reason | None:
        """Return the reason for a page without readable HTML; ``None`` for a readable page."""
        if self.shown.is_refused:
            return Reason.TOO_COMPLEX
        return Reason.BINARY if self._is_binary else None

    @property
    def work(self) -> float:
        return work_of(self.page.html)

    def blocks(self, options: Cutter) -> list[LayoutBlock]:
        """Return the layout blocks under options such as :class:`scrapy_stemmer.BlockOptions`."""
        if options not in self._blocks:
            self._blocks[options] = options.blocks_of(self.root)
        return self._blocks[options]
