"""A page: its URL and HTML, the tree that is parsed from it, and the HTML of a part of that tree.

No other module parses pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from threading import local
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from lxml import etree
from w3lib.encoding import html_to_unicode

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.core.blocks import (
    BREAKING,
    KEPT_ATTRIBUTES,
    NAME,
    OTHER_NAME,
    OTHER_NAMES,
    VOID,
    WITHOUT_TEXT,
    BlockOptions,
    LayoutBlock,
    blocks_of,
    is_unsafe,
)

pruned_in_c: Callable[[etree._Element, Iterable[tuple[etree._Element, bool]]], str] | None
"""The same in C, ``None`` where that is not wanted, not built, or built for another version of lxml."""
try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.prune import pruned_html as pruned_in_c
except (ImportError, TypeError, ValueError):
    pruned_in_c = None


DEFAULT_PORTS: Mapping[str, int] = {"http": 80, "https": 443}

_USUAL = re.compile("https?://([a-z0-9.-]+)[/?#]")
"""A URL whose host can be read off it as it stands; to take all of it apart takes ten times as long."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a site.

    :param url: absolute URL; its host decides the site (see :func:`site_of`).
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
            raise TypeError(
                f"The HTML of {self.url} must be bytes, a str or an lxml element, not {type(self.html).__name__}"
            )

    @property
    def site(self) -> str:
        """The site key of :attr:`url`."""
        return site_of(self.url)


def site_of(url: str) -> str:
    """The key under which the patterns of a URL's site are kept.

    It is the lower-case host without a leading ``www.``, with the port when it isn't the scheme's own:
    ``https://www.Example.com/a`` and ``http://example.com/b`` are one site, ``news.example.com`` is another.
    URLs without a host (``file:``, relative ones) share the key ``""``.
    """
    usual = _USUAL.match(url)
    return usual[1].removeprefix("www.") if usual else _site_of_parts(url)


def _site_of_parts(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return ""
    return host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


# From a page to one lxml tree


DEFAULT_CHARSET = "utf-8"
"""The charset of bytes that declare none (by header, byte order mark or ``meta``)."""

METADATA = frozenset("base basefont bgsound link meta noscript script style template title".split())
"""Elements that belong into a head."""

UNKNOWN_TO_LIBXML2 = ("main", "article", "section", "header", "nav", "aside", "figure", "footer")
"""Elements that browsers end a head at, and libxml2 does not."""

_EMPTY = b"<html><body></body></html>"


class PageParser:
    """Parses pages. It keeps lxml's parser for the next one: to make it takes 4 % of the time of a page of 5 kB.

    Each thread has its own: those that share one wait for each other.
    """

    __slots__ = ("_of_thread",)

    def __init__(self) -> None:
        self._of_thread = local()

    def root_of(self, page: Page, default_charset: str = DEFAULT_CHARSET) -> etree._Element:
        """See :func:`root_of`."""
        html = page.html
        if isinstance(html, etree._Element):
            return as_html(html)
        return as_html(self.parse(html if isinstance(html, str) else decode(html, page.charset, default_charset)))

    def parse(self, text: str) -> etree._Element:
        """See :func:`parse`."""
        body = text.encode("utf-8", "replace")
        if b"\x00" in body:
            body = body.replace(b"\x00", b"")
        if body[:1].isspace():
            body = body.strip()
        parser = self._parser()
        try:
            root: etree._Element | None = etree.fromstring(body or _EMPTY, parser)
        except etree.XMLSyntaxError:
            root = None
        return etree.fromstring(_EMPTY, parser) if root is None else root

    def _parser(self) -> etree.HTMLParser[etree._Element]:
        known: etree.HTMLParser[etree._Element] | None = getattr(self._of_thread, "parser", None)
        if known is None:
            known = self._of_thread.parser = etree.HTMLParser(
                encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True, recover=True
            )
        return known


def root_of(page: Page, default_charset: str = DEFAULT_CHARSET) -> etree._Element:
    """The root element of a page; the page's own tree when it holds one, which must not be changed.

    Never raises for what a page contains: an empty page, NUL bytes, broken markup or bytes in a wrong charset
    give the tree that can be read from them, at worst one with an empty body.

    :param default_charset: used for bytes without a charset in header, byte order mark or meta element.
    """
    return PageParser().root_of(page, default_charset)


def as_html(root: etree._Element) -> etree._Element:
    """A tree as a browser would have it: names without namespaces, and a body around all that is no metadata.

    Trees of html5lib, and of XHTML that was parsed as XML, have their names in a namespace. Where the source has no
    ``body`` tag, libxml2 puts ``main``, ``article`` and the like, and all in them, into the head.

    :param root: is returned itself where there is nothing to do, as on nearly all pages; else a copy is.
    """
    if isinstance(root.tag, str) and root.tag.startswith("{"):
        root = _without_namespaces(root)
    return _with_body(root) if root.tag == "html" and _is_misplaced(root) else root


def has_content(root: etree._Element) -> bool:
    """Whether there is a body in a tree, or anything else that is no metadata."""
    return next(root.iter("body", "{*}body"), None) is not None or bool(_content_before_body(root))


def _without_namespaces(root: etree._Element) -> etree._Element:
    copied = deepcopy(root)
    elements = [element for element in copied.iter("{*}*") if str(element.tag).startswith("{")]
    # From the end: lxml searches all ancestors of an element that is let go for one that is still in use.
    while elements:
        element = elements.pop()
        element.tag = str(element.tag).rpartition("}")[2]
    return copied


def _is_misplaced(root: etree._Element) -> bool:
    """Whether a page has content outside a body."""
    if next(root.iterchildren("body", "frameset"), None) is None:
        return bool(_content_before_body(root))
    head = next(root.iterchildren("head"), None)
    return head is not None and next(head.iterchildren(*UNKNOWN_TO_LIBXML2), None) is not None


def _content_before_body(root: etree._Element) -> list[etree._Element]:
    """The elements below the root and its head that are no metadata, and those between them."""
    found: list[etree._Element] = []
    for child in root.iterchildren("*"):
        if child.tag == "head":
            inside = (each for each in child.iterchildren("*") if each.tag not in METADATA)
            if (first := next(inside, None)) is not None:
                found += (first, *first.itersiblings())
        elif child.tag != "body":
            found.append(child)
    return found


def _with_body(root: etree._Element) -> etree._Element:
    """A copy of a tree with all content of its head in its body."""
    copied = deepcopy(root)
    content = _content_before_body(copied)
    body = next(copied.iterchildren("body"), None)
    if body is not None and not (body.text or "").strip():
        for number, element in enumerate(content):
            body.insert(number, element)
        return copied
    if body is not None:
        # Its text can't be moved behind them: lxml takes no control characters, which pages have.
        body.tag = "div"
        content.append(body)
    etree.SubElement(copied, "body").extend(content)
    return copied


def decode(body: bytes, charset: str | None = None, default_charset: str = DEFAULT_CHARSET) -> str:
    """A page's bytes as text, by the charset of its header, byte order mark or meta element, else the default.

    Bytes that the charset does not have become U+FFFD.
    """
    header = f"text/html; charset={charset}" if charset else None
    return html_to_unicode(header, body, default_encoding=default_charset)[1]


def parse(text: str) -> etree._Element:
    """The tree of an HTML text, without comments and processing instructions."""
    return PageParser().parse(text)


class Document:
    """A page with its tree and its layout blocks, which are made when they are first asked for.

    :param page: the page; a tree that it holds is read and never changed.
    :param default_charset: for bytes that declare no charset.
    :param parser: parses it; one of its own when ``None``.
    """

    __slots__ = ("_blocks", "_default_charset", "_parser", "_root", "page")

    def __init__(self, page: Page, default_charset: str = DEFAULT_CHARSET, parser: PageParser | None = None) -> None:
        self.page = page
        self._root: etree._Element | None = None
        self._default_charset = default_charset
        self._parser = parser
        self._blocks: dict[BlockOptions, list[LayoutBlock]] = {}

    @property
    def root(self) -> etree._Element:
        """The root element."""
        if self._root is None:
            html = self.page.html
            if isinstance(html, etree._Element):
                # As in a crawl: asked here, since a parser is not needed then.
                self._root = as_html(html)
            else:
                self._root = (self._parser or PageParser()).root_of(self.page, self._default_charset)
        return self._root

    def blocks(self, options: BlockOptions) -> list[LayoutBlock]:
        """The layout blocks under these options."""
        if options not in self._blocks:
            self._blocks[options] = blocks_of(self.root, options)
        return self._blocks[options]


# The part of a tree that holds given pieces of text, as HTML


_BLANKS = "".join(map(chr, range(0x21)))
"""What stands around values without a meaning."""

_CONTROLS = bytes(code for code in range(0x20) if code not in b"\t\n\r")
_NO_CHARACTERS = ("\ufffe", "\uffff")
"""These and control characters pass parsers, but no HTML may hold them."""


def pruned_html(root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]]) -> str:
    """HTML of the smallest element around the pieces, with only those texts, links and images kept.

    :param root: the tree; it is not changed.
    :param pieces: where the text to keep stands, in any order.
    :returns: an HTML fragment, ``""`` without pieces.
    """
    return pruned_in_python(root, pieces) if pruned_in_c is None else pruned_in_c(root, pieces)


def pruned_in_python(root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]]) -> str:
    """See :func:`pruned_html`."""
    kept = Kept.of(pieces)
    if not kept.holders:
        return ""
    return _clean("".join(_written(_smallest_holder(root, kept), kept)))


class Kept(NamedTuple):
    """What is kept of a tree.

    :param texts: the elements whose text is.
    :param tails: the elements whose tail is.
    :param with_text: the elements that have such a text, or such a tail of a child, as their own.
    :param holders: these and all elements around them.
    """

    texts: set[etree._Element]
    tails: set[etree._Element]
    with_text: set[etree._Element]
    holders: set[etree._Element]

    @classmethod
    def of(cls, pieces: Iterable[tuple[etree._Element, bool]]) -> Self:
        """The elements around pieces of text."""
        kept = cls(set(), set(), set(), set())
        for element, is_tail in pieces:
            (kept.tails if is_tail else kept.texts).add(element)
            holder = element.getparent() if is_tail else element
            if holder is not None:
                kept.with_text.add(holder)
            while holder is not None and holder not in kept.holders:
                kept.holders.add(holder)
                holder = holder.getparent()
        return kept


def _smallest_holder(root: etree._Element, kept: Kept) -> etree._Element:
    """The deepest element that holds all kept texts."""
    element = root
    while element not in kept.with_text:
        inside = [child for child in element if child in kept.holders]
        if len(inside) != 1:
            break
        element = inside[0]
    return element


def _written(top: etree._Element, kept: Kept) -> list[str]:
    """An element as HTML, in parts; without recursion, since real pages nest thousands of elements deep.

    The stack holds the open elements, each with its name, its children that follow, and whether it keeps elements that
    have no text.
    """
    texts, tails, with_text, holders = kept
    names = _Names()
    written: list[str] = []
    stack: list[tuple[etree._Element, object, Iterator[etree._Element], bool]] = []
    entered: etree._Element | None = top
    tag: object
    while entered is not None or stack:
        if entered is not None:
            tag = entered.tag
            written += (names[tag].start, _attributes(entered), ">")
            if entered in texts:
                written.append(_escaped(entered.text or ""))
            stack.append((entered, tag, iter(entered), entered in with_text or tag in WITHOUT_TEXT))
            entered = None
        element, tag, children, keeps = stack[-1]
        for child in children:
            if child in holders or (keeps and child.tag in WITHOUT_TEXT):
                entered = child
                break
            if child in tails:
                written.append(_escaped(child.tail or ""))
        else:
            stack.pop()
            written.append(names[tag].end)
            if element in tails and stack:
                written.append(_escaped(element.tail or ""))
            elif tag in BREAKING and stack:
                written.append("\n")
    return written


class _Name(NamedTuple):
    """How the tags of an element begin and end.

    :param start: of the tag at its beginning, without attributes.
    :param end: all of the tag at its end, ``""`` where it has none.
    """

    start: str
    end: str


class _Names(dict[object, _Name]):
    """How elements are written, by their names; comments and the like, which have none, are spans."""

    def __missing__(self, tag: object) -> _Name:
        name = OTHER_NAMES.get(tag, tag) if isinstance(tag, str) and NAME.fullmatch(tag) else OTHER_NAME
        found = self[tag] = _Name(f"<{name}", "" if name in VOID else f"</{name}>")
        return found


def _attributes(element: etree._Element) -> str:
    """The attributes that carry content, as they are written."""
    items = element.items()
    if not items:
        return ""
    kept = [(name, value) for name, value in items if name in KEPT_ATTRIBUTES and not is_unsafe(value)]
    return "".join([f' {name}="{_escaped_value(value)}"' for name, value in kept])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _escaped_value(value: str) -> str:
    return _escaped(value.strip(_BLANKS)).replace('"', "&quot;")


def _clean(html: str) -> str:
    """HTML without what no HTML may hold, and with carriage returns that a parser does not take for new lines."""
    cleaned = html.encode("utf-8", "replace").translate(None, _CONTROLS).decode().replace("\r", "&#13;")
    for character in _NO_CHARACTERS:
        cleaned = cleaned.replace(character, "")
    return cleaned
