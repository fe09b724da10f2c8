"""A copy of the part of a tree that holds given pieces of text."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
_IGNORED_IN_URLS = re.compile("[\x00-\x20]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def pruned_html(root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]]) -> str:
    """HTML of the smallest element around the pieces, with only those texts, links and images kept.

    :param root: the tree; it is not changed.
    :param pieces: where the text to keep stands.
    :returns: an HTML fragment, ``""`` without pieces.
    """
    kept = set(pieces)
    if not kept:
        return ""
    holders = _ancestors_of(kept)
    copy = _copy(_smallest_holder(root, holders, kept), holders, kept)
    return etree.tostring(copy, encoding="unicode", method="html")


Kept = set[tuple[etree._Element, bool]]


def _ancestors_of(kept: Kept) -> set[etree._Element]:
    """The elements that have a kept text inside."""
    holders: set[etree._Element] = set()
    for element, is_tail in kept:
        holder = element.getparent() if is_tail else element
        while holder is not None and holder not in holders:
            holders.add(holder)
            holder = holder.getparent()
    return holders


def _smallest_holder(root: etree._Element, holders: set[etree._Element], kept: Kept) -> etree._Element:
    """The deepest element that holds all kept texts."""
    element = root
    while (element, False) not in kept:
        inside = [child for child in element if child in holders]
        if len(inside) != 1 or any((child, True) in kept for child in element):
            break
        element = inside[0]
    return element


def _copy(top: etree._Element, holders: set[etree._Element], kept: Kept) -> etree._Element:
    """Copy without recursion, since real pages nest thousands of elements deep."""
    result = _bare(top)
    waiting = [(top, result)]
    while waiting:
        source, target = waiting.pop()
        has_text = (source, False) in kept or any((child, True) in kept for child in source)
        if (source, False) in kept:
            target.text = _clean(source.text)
        for child in source:
            if child in holders or (has_text and child.tag in WITHOUT_TEXT):
                target.append(_bare(child))
                waiting.append((child, target[-1]))
            if (child, True) in kept:
                _append_text(target, _clean(child.tail))
            elif child in holders and child.tag in _BREAKING:
                _append_text(target, "\n")
    return result


def _bare(element: etree._Element) -> etree._Element:
    """The element alone, with the attributes that carry content."""
    try:
        copy = etree.Element(_TAGS.get(str(element.tag), str(element.tag)))
    except ValueError:
        # An HTML parser accepts names, such as o:p, that can't be given to a new element.
        copy = etree.Element("span")
    for name, value in element.items():
        if name in KEPT_ATTRIBUTES and not _IGNORED_IN_URLS.sub("", value).lower().startswith(UNSAFE_SCHEMES):
            copy.set(name, _clean(value))
    return copy


def _append_text(target: etree._Element, text: str) -> None:
    if len(target):
        target[-1].tail = (target[-1].tail or "") + text
    else:
        target.text = (target.text or "") + text


def _clean(text: str | None) -> str:
    """Text without the control characters that a parser lets through and lxml does not take back."""
    return _CONTROLS.sub("", text or "")
