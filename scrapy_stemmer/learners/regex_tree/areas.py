"""Areas of a page's elements: what a browser has measured, what a template has learned of it, or characters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from scrapy_stemmer.core.rendering import BOX
from scrapy_stemmer.learners.regex_tree.page_mapping import PageMapping
from scrapy_stemmer.learners.regex_tree.page_tree import PageTree

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def areas_of(root: etree._Element, tree: PageTree, mapping: PageMapping) -> Mapping[etree._Element, float]:
    """The areas of a page's elements, all in one unit.

    They are those of the browser when it has marked this page; else those that the template has learned from pages that
    it had marked; else :attr:`PageTree.areas`, by characters.
    """
    found = boxes(root)
    if found:
        return found
    if any(item.area is not None for item in mapping.items.values()):
        return _learned(body_of(root), tree, mapping)
    return tree.areas


def boxes(root: etree._Element) -> dict[etree._Element, float]:
    """The areas of elements in square pixels, by the attribute :data:`BOX`; empty when there are none.

    The attribute holds numbers in CSS pixels: left and top, which may be missing, width and height. A body without it
    is as large as all of its elements together.
    """
    found: dict[etree._Element, float] = {}
    right = bottom = 0.0
    for element in root.iter(etree.Element):
        numbers = [float(number) for number in _NUMBER.findall(element.get(BOX) or "")]
        if len(numbers) >= 2:
            left, top, width, height = (0.0, 0.0, *numbers)[-4:]
            found[element] = width * height
            right, bottom = max(right, left + width), max(bottom, top + height)
    if found:
        found.setdefault(body_of(root), right * bottom)
    return found


def body_of(root: etree._Element) -> etree._Element:
    """The element that is cut into sections."""
    body = root.find("body")
    return root if body is None else body


def _learned(body: etree._Element, tree: PageTree, mapping: PageMapping) -> dict[etree._Element, float]:
    """Shares of the page, from 0 to 1: the template's; of elements that it doesn't have, by their part of the
    characters of the element around them."""
    shares = {body: 1.0}
    for element in body.iterdescendants(etree.Element):
        item, above = mapping.items.get(element), element.getparent()
        if item is not None and item.area is not None:
            shares[element] = item.area
        elif above is not None:
            chars = tree.areas.get(above, 0.0)
            shares[element] = shares[above] * tree.areas.get(element, 0.0) / chars if chars else 0.0
    return shares
