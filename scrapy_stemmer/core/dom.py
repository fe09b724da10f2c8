"""From a page to one lxml tree. The only place that parses."""

from __future__ import annotations

from collections.abc import Callable, Collection
from threading import local

from lxml import etree
from w3lib.encoding import html_to_unicode

from scrapy_stemmer.core.page import Page

DEFAULT_CHARSET = "utf-8"
"""The charset of bytes that declare none (by header, byte order mark or ``meta``)."""

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
            return html
        return self.parse(html if isinstance(html, str) else decode(html, page.charset, default_charset))

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
