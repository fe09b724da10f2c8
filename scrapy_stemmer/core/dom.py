"""From a page to one lxml tree. The only place that parses."""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import deepcopy
from threading import local

from lxml import etree
from w3lib.encoding import html_to_unicode

from scrapy_stemmer.core.page import Page

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


def visit(
    root: etree._Element,
    ignored: Collection[str],
    enter: Callable[[etree._Element], None],
    leave: Callable[[etree._Element], None],
    tail: Callable[[etree._Element], None],
) -> None:
    """Call back for each element of a tree, in document order.

    Nothing recurses, since real pages nest thousands of elements deep.

    :param ignored: tags of elements that are passed over with all that they hold.
    :param enter: called where an element begins.
    :param leave: called where it ends.
    :param tail: called for what may have text behind it: elements, those that are ignored too, comments and processing
        instructions; not for the root.
    """
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            if element.tag in ignored:
                walker.skip_subtree()
            else:
                enter(element)
            continue
        if event == "end" and element.tag not in ignored:
            leave(element)
        if element is not root:
            tail(element)
