"""The part of a tree that holds given pieces of text, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Self

from lxml import etree

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.core.markup import (
    BREAKING,
    KEPT_ATTRIBUTES,
    NAME,
    OTHER_NAME,
    OTHER_NAMES,
    VOID,
    WITHOUT_TEXT,
    is_unsafe,
)

in_c: Callable[[etree._Element, Iterable[tuple[etree._Element, bool]]], str] | None
"""The same in C, ``None`` where that is not wanted, not built, or built for another version of lxml."""
try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.prune import pruned_html as in_c
except (ImportError, TypeError, ValueError):
    in_c = None

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
    return in_python(root, pieces) if in_c is None else in_c(root, pieces)


def in_python(root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]]) -> str:
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
