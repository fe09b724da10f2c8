"""A copy of the part of a tree that holds given pieces of text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

from lxml import etree

from scrapy_stemmer.core.blocks import HTML5, SIGNIFICANT

KEPT_ATTRIBUTES = frozenset(
    {"href", "src", "srcset", "alt", "title", "lang", "dir", "colspan", "rowspan", "start", "cite", "datetime"}
)
"""Attributes that carry content; classes, identifiers, styles and handlers are dropped."""

WITHOUT_TEXT = frozenset({"img", "br", "hr", "picture", "source", "wbr"})
"""Elements that are kept without text of their own, when they stand among kept text."""

UNSAFE_SCHEMES = ("javascript:", "vbscript:", "data:text")
"""Attribute values that begin so are dropped."""

_TAGS = {"html": "div", "body": "div"}
_BREAKING = SIGNIFICANT | HTML5
_PERHAPS_UNSAFE = re.compile("[\x00-\x20]*[jvd]", re.IGNORECASE)
_IGNORED_IN_URLS = re.compile("[\x00-\x20]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def pruned_html(root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]]) -> str:
    """HTML of the smallest element around the pieces, with only those texts, links and images kept.

    :param root: the tree; it is not changed.
    :param pieces: where the text to keep stands.
    :returns: an HTML fragment, ``""`` without pieces.
    """
    kept = Kept.of(pieces)
    if not kept.holders:
        return ""
    return etree.tostring(_copy(_smallest_holder(root, kept), kept), encoding="unicode", method="html")


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


def _copy(top: etree._Element, kept: Kept) -> etree._Element:
    """Copy without recursion, since real pages nest thousands of elements deep."""
    result = _bare(top, None)
    waiting = [(top, result)]
    while waiting:
        source, target = waiting.pop()
        has_text = source in kept.with_text
        texts = [source.text or ""] if source in kept.texts else []
        last: etree._Element | None = None
        for child in source:
            inside = child in kept.holders
            if inside or (has_text and child.tag in WITHOUT_TEXT):
                _put_text(target, last, texts)
                texts, last = [], _bare(child, target)
                waiting.append((child, last))
            if child in kept.tails:
                texts.append(child.tail or "")
            elif inside and child.tag in _BREAKING:
                texts.append("\n")
        _put_text(target, last, texts)
    return result


def _bare(element: etree._Element, parent: etree._Element | None) -> etree._Element:
    """The element alone, with the attributes that carry content, as the last child of a parent."""
    tag = _TAGS.get(str(element.tag), str(element.tag))
    try:
        copy = _made(tag, parent)
    except ValueError:
        # An HTML parser accepts names, such as o:p, that can't be given to a new element.
        copy = _made("span", parent)
    for name, value in element.items():
        if name in KEPT_ATTRIBUTES and not _is_unsafe(value):
            copy.set(name, _clean(value))
    return copy


def _made(tag: str, parent: etree._Element | None) -> etree._Element:
    return etree.Element(tag) if parent is None else etree.SubElement(parent, tag)


def _is_unsafe(value: str) -> bool:
    if not _PERHAPS_UNSAFE.match(value):
        return False
    return _IGNORED_IN_URLS.sub("", value).lower().startswith(UNSAFE_SCHEMES)


def _put_text(target: etree._Element, last: etree._Element | None, texts: list[str]) -> None:
    """Put texts behind the last child, or at the beginning while there is none."""
    if not texts:
        return
    text = "".join(texts)
    try:
        _put(target, last, text)
    except ValueError:
        _put(target, last, _clean(text))


def _put(target: etree._Element, last: etree._Element | None, text: str) -> None:
    if last is None:
        target.text = text
    else:
        last.tail = text


def _clean(text: str) -> str:
    """Text without the control characters that a parser lets through and lxml does not take back."""
    return _CONTROLS.sub("", text)
