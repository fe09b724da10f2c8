"""The kept part of a tree as HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from html import escape
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.page.elements import (
    BLOCK_LEVEL,
    KEPT_ATTRIBUTES,
    NAME,
    OTHER_NAME,
    OTHER_NAMES,
    PARTING,
    VOID,
    WHOLE,
    WITHOUT_TEXT,
    WRAPPERS,
)
from scrapy_stemmer.page.text import clean_html
from scrapy_stemmer.writing.pruned_html import holders_of
from scrapy_stemmer.writing.rewriting import CHECKED, REWRITTEN, SHOWN, twins_of_formulas
from tests.reference.rewriting import WholeRewriter

_ICON = re.compile("[\ue000-\uf8ff]")  # a character of an icon font
_BLANKS = "".join(map(chr, range(0x21)))


def pruned_in_python(
    root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]], url: str = "", has_formulas: bool = True
) -> str:
    """Return HTML of the deepest element around all pieces, with only the kept texts, links and images; ``""`` without
    any.

    White space is the source's where it counts. Code, images and formulas are written anew, see
    :mod:`scrapy_stemmer.writing.rewriting`.

    :param root: the tree; it is not changed.
    :param pieces: the places of the kept text, in any order.
    :param url: the page's, by which addresses are resolved; "" leaves addresses unchanged.
    :param has_formulas: False if the tree has no formulas.
    """
    writer = _Writer(root, url, pieces, has_formulas)
    if not writer.holders:
        return ""
    top = root
    while top not in writer.with_text and top.tag not in WHOLE:
        inside = [child for child in top if child in writer.holders]
        if len(inside) != 1:
            break
        top = inside[0]
    writer.write(top)
    return clean_html("".join(writer.written))


def pruned_pieces_in_python(
    root: etree._Element, body: etree._Element, pieces: Collection[int], url: str = "", has_formulas: bool = True
) -> str:
    """Return the HTML of numbered pieces: twice the number of the element, in the order of a body's tree, plus 1 for a
    tail."""
    numbers = {piece >> 1 for piece in pieces}
    elements = {number: element for number, element in enumerate(body.iter()) if number in numbers}
    places = ((elements[piece >> 1], bool(piece & 1)) for piece in pieces if piece >> 1 in elements)
    kept = [
        (each, is_tail) for each, is_tail in places if not _ICON.fullmatch((each.tail if is_tail else each.text) or "")
    ]
    return pruned_in_python(root, kept, url, has_formulas)


class _Open(NamedTuple):
    """An element being written."""

    element: etree._Element
    children: Iterator[etree._Element]  # following siblings
    keeps: bool  # keeps elements without text
    is_bare: bool  # tags are not written
    is_pre: bool  # white space counts


class _Writer:
    """HTML being written, without recursion, since real pages nest thousands of elements deep."""

    def __init__(
        self, root: etree._Element, url: str, pieces: Iterable[tuple[etree._Element, bool]], has_formulas: bool
    ) -> None:
        self.written: list[str] = []
        self._root, self._url, self._pieces = root, url, set(pieces)
        self.with_text, self.holders = holders_of(self._pieces)
        self._gone = twins_of_formulas(root, self.holders.__contains__) if has_formulas else frozenset()

    @cached_property
    def _rewriter(self) -> WholeRewriter:
        return WholeRewriter(self._root, self._url, self.holders.__contains__)

    def write(self, top: etree._Element) -> None:
        """Write an element with its kept content."""
        holders = self.holders
        if self._rewrite(top):
            return
        stack = [self._begin(top, is_pre=False, is_top=True)]
        while stack:
            here = stack[-1]
            for child in here.children:
                is_written = child in holders or ((here.keeps or here.is_pre) and child.tag in WITHOUT_TEXT)
                if child not in self._gone:
                    if is_written and not self._rewrite(child):
                        stack.append(self._begin(child, is_pre=here.is_pre))
                        break
                    if not is_written and (child.tag in SHOWN or here.element.tag == "figure"):
                        self.written.append(self._rewriter.shown(child, here.keeps))
                is_block = child.tag in BLOCK_LEVEL
                if not is_written and not here.is_pre and next(child.iter(*PARTING), None) is not None:
                    self._part(child, is_amid_text=here.keeps or here.element.tag not in BLOCK_LEVEL)
                self._end(child, here.is_pre, is_block=is_written and is_block)
            else:
                stack.pop()
                if not here.is_bare:
                    tag: object = here.element.tag
                    self.written.append(_tags_of(tag)[1])
                if stack:
                    is_block = here.element.tag in BLOCK_LEVEL and not here.is_bare
                    self._end(here.element, stack[-1].is_pre, is_block=is_block)

    def _part(self, element: etree._Element, *, is_amid_text: bool) -> None:
        last = next(filter(None, map(clean_html, reversed(self.written))), "\n")
        is_amid_line = last != ">" and not last.endswith("\n")
        if is_amid_line or is_amid_text:
            self.written.append("<br>" if is_amid_line and element.tag == "br" else "\n")

    def _rewrite(self, element: etree._Element) -> bool:
        html = self._rewriter.rewritten(element) if element.tag in REWRITTEN else None
        self.written.append(html or "")
        return html is not None

    def _begin(self, element: etree._Element, *, is_pre: bool, is_top: bool = False) -> _Open:
        """Write the start of an element."""
        tag: object = element.tag
        attributes = list(self._attributes(element))
        is_bare = not attributes and not is_top and tag in WRAPPERS and self._says_nothing(element)
        if not is_bare:
            self.written += (_tags_of(tag)[0], *attributes, ">")
        is_pre = is_pre or tag == "pre"
        text = element.text
        if text and ((element, False) in self._pieces or (is_pre and isinstance(tag, str) and text.isspace())):
            self.written.append(escape(text, quote=False))
        keeps = element in self.with_text or tag in WITHOUT_TEXT
        return _Open(element, iter(element), keeps, is_bare, is_pre)

    def _end(self, element: etree._Element, is_pre: bool, *, is_block: bool) -> None:
        tail = element.tail
        if (element, True) in self._pieces or (is_pre and tail and tail.isspace()):
            self.written.append(escape(tail or "", quote=False))
        elif is_block and not is_pre:
            self.written.append("\n")

    def _attributes(self, element: etree._Element) -> Iterator[str]:
        for name, given in element.items():
            value: str | None = given
            if name in CHECKED:
                value = self._rewriter.attribute(name, given)
            elif name not in KEPT_ATTRIBUTES:
                continue
            if value is not None:
                yield f' {name}="{escape(value.strip(_BLANKS), quote=False).replace(chr(34), "&quot;")}"'

    def _says_nothing(self, element: etree._Element) -> bool:
        """Return True if removing one of :data:`WRAPPERS` changes nothing: a ``div`` of only blocks, or any other
        wrapper without a block. Parsers end a paragraph at a block, but rarely at a block in a wrapper."""
        is_block = [child.tag in BLOCK_LEVEL for child in element if child in self.holders]
        return all(is_block) and element not in self.with_text if element.tag == "div" else not any(is_block)


@lru_cache(1024)
def _tags_of(name: object) -> tuple[str, str]:
    written = OTHER_NAMES.get(name, name) if isinstance(name, str) and NAME.fullmatch(name) else OTHER_NAME
    return f"<{written}", "" if written in VOID else f"</{written}>"
