"""A page: its URL and HTML, the tree that is parsed from it, and its links to its own site."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, islice
from typing import NamedTuple, Protocol, TypeVar
from urllib.parse import urljoin, urlsplit

from lxml import etree
from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding, to_unicode
from w3lib.html import strip_html5_whitespace
from w3lib.url import canonicalize_url

from scrapy_stemmer._native import native
from scrapy_stemmer.core.blocks import LayoutBlock, Reason
from scrapy_stemmer.core.rewriting import base_of
from scrapy_stemmer.core.shown import Shown, shown
from scrapy_stemmer.core.text import UNWANTED

T = TypeVar("T")

_USUAL = re.compile("https?://([a-z0-9.-]+)[/?#]")
"""A URL whose host can be read off it as it stands; to take all of it apart takes ten times as long."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a site.

    :param url: absolute URL; its host decides the :attr:`site`.
    :param html: the page as bytes (as received), as text, or as an lxml root that was parsed before; a root
        is only read, never changed.
    :param anchors: linkinfo, the texts of the links that lead to this page, repeats kept; they vote for the
        title while learning.
    :param charset: the charset of the HTTP header, used for bytes only; ``None`` when not given.
    :param fetched: when it was fetched, as an ISO 8601 time in UTC, of sources that say so.
    :raises TypeError: for a URL or HTML of another type.
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

    @property
    def site(self) -> str:
        """The site key of :attr:`url`."""
        return site_of(self.url)


class OwnPage(Page):
    """A page whose tree nobody changes: it is read as it is, and that of others from a copy."""

    __slots__ = ()


def site_of(url: str) -> str:
    """The key under which the patterns of a URL's site are kept.

    It is the lower-case host without a leading ``www.``, with the port when it isn't the scheme's own:
    ``https://www.Example.com/a`` and ``http://example.com/b`` are one site, ``news.example.com`` is another.
    URLs without a host (``file:``, relative ones) share the key ``""``.
    """
    if usual := _USUAL.match(url):
        return usual[1].removeprefix("www.")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return ""
    return host if port in (None, {"http": 80, "https": 443}.get(parts.scheme)) else f"{host}:{port}"


DEFAULT_CHARSET = "utf-8"  # the charset of bytes that declare none (by header, byte order mark or ``meta``)

METADATA = frozenset("base basefont bgsound link meta noscript script style template title".split())
"""Elements that belong into a head."""

UNKNOWN_TO_LIBXML2 = ("main", "article", "section", "header", "nav", "aside", "figure", "footer")
"""Elements that browsers end a head at, and libxml2 does not."""


copied: Callable[[etree._Element], etree._Element] = native("shown.copied")
"""Return a copy of a tree that another thread may change, made in one call that holds the interpreter.

:func:`copy.deepcopy` by itself lets other threads run meanwhile.
"""


fingerprint: Callable[[etree._Element], int] = native("shown.fingerprint")
"""Return a number of a tree that is another one when the tree has been changed. It takes a fiftieth of a parse."""


def root_of(page: Page, default_charset: str = DEFAULT_CHARSET) -> etree._Element:
    """The root element of a page as browsers show it; of a tree that the page holds a copy.

    Never raises for what a page contains: an empty page, NUL bytes, broken markup or bytes in a wrong charset
    give the tree that can be read from them, at worst one with an empty body. So does a page that is too complex to be
    parsed.

    :param default_charset: used for bytes without a charset in header, byte order mark or meta element.
    """
    return shown_page(page, default_charset).root


def shown_page(page: Page, default_charset: str = DEFAULT_CHARSET) -> Shown:
    """The same, where its text stands, and whether it was too complex."""
    html = page.html
    return _shown(page, charset_of(html, page.charset) or default_charset if isinstance(html, bytes) else "")


def _shown(page: Page, charset: str) -> Shown:
    """Return the tree of a page whose bytes are in a charset; "" for a page that is a text or a tree."""
    html = page.html
    if not isinstance(html, etree._Element):
        body = _in_utf8(html, charset) if isinstance(html, bytes) else _encoded(html)
        if weight_of(body).is_too_complex:
            return Shown(_parsed(b""), [], is_refused=True)
        html = _parsed(body)
    elif not isinstance(page, OwnPage):
        html = copied(html)
    root = as_html(html)
    return shown(root, parse, is_own=root is not page.html)


def _in_utf8(body: bytes, charset: str) -> bytes:
    """Return the bytes of a page in UTF-8; the page's own bytes where they are valid UTF-8, as on most pages."""
    if charset == "utf-8" and not body.startswith(BOM_UTF8) and b"\x00" not in body:
        with suppress(UnicodeDecodeError):
            body.decode()
            return body
    return _encoded(_decoded(body, charset))


def as_html(root: etree._Element) -> etree._Element:
    """A tree as a browser would have it: names without namespaces, and a body around all that is no metadata.

    Trees of html5lib, and of XHTML that was parsed as XML, have their names in a namespace. Where the source has no
    ``body`` tag, libxml2 puts ``main``, ``article`` and the like, and all in them, into the head; what follows the
    first end of a body, another body too, it puts behind that.

    :param root: is returned itself where there is nothing to do, as on nearly all pages; else a copy is, and an empty
        page for a comment or another node that is no element.
    """
    if not isinstance(root.tag, str):
        return _parsed(b"")
    if root.tag.startswith("{"):
        root = deepcopy(root)
        elements = [element for element in root.iter("{*}*") if str(element.tag).startswith("{")]
        # From the end: lxml searches all ancestors of an element that is let go for one that is still in use.
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
    """Whether there is a body in a tree, or anything else that is no metadata."""
    return next(root.iter("{*}body"), None) is not None or bool(_content_before_body(root))


def _content_before_body(root: etree._Element) -> list[etree._Element]:
    """The elements below the root and its head that are no metadata, and those between them."""
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
    """Whether text follows a body, in what is no metadata."""
    parts = (each.itertext() for each in _behind(body))
    return any(map(str.strip, chain(*parts, [body.tail or ""])))


def _behind(body: etree._Element) -> list[etree._Element]:
    """The elements behind a body that are no metadata."""
    return [each for each in body.itersiblings("*") if each.tag not in METADATA]


def _with_body(root: etree._Element) -> etree._Element:
    """A copy of a tree with all content of its head, and all behind its body, in its body."""
    copied = deepcopy(root)
    content = _content_before_body(copied)
    if (body := next(copied.iterchildren("body"), None)) is not None:
        _take_behind(body)
        if not (content and (body.text or "").strip()):
            body[:0] = content
            return copied
        # Its text can't be moved behind them: lxml takes no control characters, which pages have.
        body.tag = "div"
        content.append(body)
    etree.SubElement(copied, "body").extend(content)
    return copied


def _take_behind(body: etree._Element) -> None:
    """Put what follows a body, and is no metadata, at its end."""
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
"""The charsets of the WHATWG's list, which are those of browsers, by the names of Python's codecs for them."""


def charset_of(body: bytes, charset: str | None = None) -> str | None:
    """The charset of a page by byte order mark, header or meta element; ``None`` where none names one of the list.

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
    """A page's bytes as text, by the charset of its header, byte order mark or meta element, else the default.

    Bytes that the charset does not have become U+FFFD; one that is not of the list, such as ``base64``, does not count.
    """
    return _decoded(body, charset_of(body, charset) or default_charset)


def _decoded(body: bytes, charset: str) -> str:
    return to_unicode(body.removeprefix(read_bom(body)[1] or b""), charset)


BINARY_SIGNATURES = tuple(
    b"%PDF \x89PNG GIF8 \xff\xd8\xff PK\x03\x04 \x1f\x8b RIFF \x7fELF Rar! \x00\x00\x01\x00".split()
)
"""First bytes of files that servers are seen to send as text/html."""

_ODD = re.compile("[\x00-\x08\x0e-\x1b\ufffd]")  # control characters that are no white space; the replacement character
MAX_ODD = 0.1  # the share of them at the beginning of a page, at most: a few NULs occur
BEGINNING = 2000  # characters that are looked at


def is_binary(body: bytes, text: str) -> bool:
    """Whether what is called HTML is an image, a PDF or other data, by its bytes and the text that they are read as."""
    start = text[:BEGINNING]
    return body.startswith(BINARY_SIGNATURES) or len(_ODD.findall(start)) > MAX_ODD * len(start)


def parse(text: str) -> etree._Element:
    """The tree of an HTML text, without comments and processing instructions; an empty one of what is too complex."""
    body = _encoded(text)
    return _parsed(b"" if weight_of(body).is_too_complex else body)


def _encoded(text: str) -> bytes:
    """A text as libxml2 reads it."""
    return text.encode("utf-8", "replace").replace(b"\x00", b"")


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
    """A way to cut trees into layout blocks."""

    def blocks_of(self, root: etree._Element) -> list[LayoutBlock]: ...


# What is looked at before a page is parsed, so that none takes too long

MAX_TAGS = 100_000
"""A page of more tags is neither learned from nor stripped. Of 5,158 real pages the largest has 31,799."""

MAX_COMPARED = 200_000_000
"""Attributes that are compared with each other: libxml2 compares each with all before it in its tag, in 2 ns. What
looks like a tag in a script of a real page has 6,700; those of elements are 144 at most."""

SMALL = 28_000  # bytes of a page that is too small to exceed the limits: two of them make an attribute, at least

LARGE, LARGE_TAGS, LARGE_COMPARED = 1_000_000, 10_000, 2_000_000
"""A page of more bytes, tags, or comparisons of attributes, takes longer than an event loop may be held up: tens of
milliseconds. To hand one over to a thread costs a second parse, since spiders may change the tree meanwhile."""

MANY_READINGS = 8
"""Tags may be read in several ways, since quotes may begin before them. Hostile pages have been read this many times
over, at most; of others next to nothing has to be read twice."""

_count = etree.XPath("count(//*)")


class Weight(NamedTuple):
    """Signs of how long a page takes to be parsed, counted in its bytes."""

    size: int  # in bytes
    tags: int = 0
    compared: int | None = 0  # comparisons of attributes; ``None`` where there are too many to count

    @property
    def is_too_complex(self) -> bool:
        """Tell whether the page would take too long to be parsed and stripped."""
        return self.tags > MAX_TAGS or self.compared is None or self.compared > MAX_COMPARED

    @property
    def is_large(self) -> bool:
        """Tell whether the page may take longer than an event loop may be held up."""
        is_long = self.size > LARGE or self.tags > LARGE_TAGS
        return is_long or self.compared is None or self.compared > LARGE_COMPARED


def weight_of(html: str | bytes) -> Weight:
    """Return the weight of a page; the tags of small pages are not counted.

    :param html: bytes are of a charset in which marks of tags are those of ASCII, without NULs.
    """
    if len(html) < SMALL:
        return Weight(len(html))
    body = _encoded(html) if isinstance(html, str) else html
    return Weight(len(body), *weigh(body, MANY_READINGS * len(body)))


def is_too_complex(html: str) -> bool:
    """Tell whether a page would take too long to be parsed and stripped."""
    return weight_of(html).is_too_complex


def work_of(html: str | bytes | etree._Element) -> float:
    """What a page takes, in tags; a hundred characters count as one, where they are more."""
    if isinstance(html, etree._Element):
        return 2 * float(str(_count(html)))
    return max(html.count("<") if isinstance(html, str) else html.count(b"<"), len(html) / 100)


weigh: Callable[[bytes, int], tuple[int, int | None]] = native("shown.weigh")
"""How many tags a page may have, and the sum of the squares of the numbers of attributes of those that may not end as
they seem to.

The sum is ``None`` where these have more bytes of attributes than are to be read. What looks like a tag may stand in a
script, a comment or a value; all are read, since parsers differ in that.
"""


# Links: the texts of those that a page has to its own site, by the URLs that they lead to

MAX_ANCHOR_CHARS = 1000  # longer link texts are whole articles within a link: no titles
MAX_ANCHOR_PIECES = 50  # so are links with more pieces of text; in hostile pages each link is within another one
MAX_LINKS = 5_000  # links of a page that are looked at

_PLAIN_LINK = re.compile(r"((?:https?://[a-z0-9.-]++)?)((?:/[a-zA-Z0-9_-][a-zA-Z0-9_.~-]*+)++/?)")
"""Links, of which most are such, whose path is canonical as it stands: to find out takes a tenth as long as to make
it so."""


def url_key(url: str) -> str:
    """A URL in the form in which links and pages are compared: canonical, without its fragment."""
    try:
        return canonicalize_url(url)
    except ValueError:
        return url


def anchors_of(root: etree._Element, url: str, wanted: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """The links of a page to its own site, as canonical URL and text, repeats kept.

    Of a page with many links, the first :data:`MAX_LINKS`.

    :param root: its tree, which is only read.
    :param url: that links are relative to, unless a ``base`` element says otherwise.
    :param wanted: the keys of the URLs whose links are; all when ``None``.
    """
    base, site = base_of(root, url), site_of(url)

    @cache  # a page has many links to places within one page
    def key_of(href: str) -> str | None:
        if plain := _PLAIN_LINK.fullmatch(href):
            start = key_of(plain[1] + "/")
            return None if start is None else start.removesuffix("/") + plain[2]
        try:
            target = urljoin(base, strip_html5_whitespace(href))
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


# A page and what is made of it


class Document:
    """A page with its tree and its layout blocks, which are made when they are first asked for.

    :param page: the page; a tree that it holds is read and never changed.
    :param default_charset: for bytes that declare no charset.
    :raises TypeError: for what is no page, such as its HTML by itself.
    """

    def __init__(self, page: Page, default_charset: str = DEFAULT_CHARSET) -> None:
        if not isinstance(page, Page):
            raise TypeError(f"A page is wanted, Page(url, html), not {type(page).__name__}")
        self.page = page
        self.default_charset = default_charset
        self._blocks: dict[Cutter, list[LayoutBlock]] = {}
        self._read: object = None

    @cached_property
    def _charset(self) -> str:
        """Return the charset of the page's bytes; "" for a page that is a text or a tree."""
        html = self.page.html
        return charset_of(html, self.page.charset) or self.default_charset if isinstance(html, bytes) else ""

    @cached_property
    def shown(self) -> Shown:
        """Its tree, where its text stands, and what else it says."""
        return _shown(self.page, self._charset)

    def keep(self, read: object) -> None:
        """Keep what was read of the page for those who know it by its class, in place of its tree, which takes more."""
        self._read, self.shown = read, self.shown._replace(root=etree.Element("html"))

    def kept(self, kind: type[T]) -> T | None:
        """What of a class was read of the page before."""
        return self._read if isinstance(self._read, kind) else None

    @property
    def root(self) -> etree._Element:
        return self.shown.root

    @cached_property
    def refusal(self) -> Reason | None:
        """Why the page is no HTML that can be read; ``None`` for one that is."""
        if self.shown.is_refused:
            return Reason.TOO_COMPLEX
        html = self.page.html
        if isinstance(html, bytes):  # a character has four of them at most
            start = html[: 4 * BEGINNING]
            return Reason.BINARY if is_binary(start, _decoded(start, self._charset)) else None
        return Reason.BINARY if isinstance(html, str) and is_binary(b"", html) else None

    @property
    def work(self) -> float:
        """What the page takes; see :func:`work_of`."""
        return work_of(self.page.html)

    def blocks(self, options: Cutter) -> list[LayoutBlock]:
        """The layout blocks under these options, such as :class:`scrapy_stemmer.BlockOptions`."""
        if options not in self._blocks:
            self._blocks[options] = options.blocks_of(self.root)
        return self._blocks[options]
