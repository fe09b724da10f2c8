"""A page cut into sections by what repeats and by areas, top down (Mehta & Madaan, section 2.2.2).

Areas are what a browser has measured, what a template has learned of it, or numbers of characters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import compress
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.blocks import Piece
from scrapy_stemmer.core.rendering import BOX
from scrapy_stemmer.learners.regex_tree.page_tree import PageMapping, PageTree
from scrapy_stemmer.learners.regex_tree.template_tree import INLINE, Leaf

MIN_AREA = 0.15
"""Share of the page's area above which an element is large enough to be cut (section 2.2.2, Cond1)."""

SECTIONING = frozenset("table div section article main aside nav header footer".split())
"""Elements that make sections: the paper's TABLE and DIV, and what HTML has got since (Cond2)."""

SEPARATORS = frozenset({"hr", "frameset"})
"""Elements that separate sections (Cond3)."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class LeafSection(NamedTuple):
    """A section of a page.

    :param leaves: its texts and images in document order.
    :param is_star: whether it is a list of like items.
    """

    leaves: tuple[Leaf, ...]
    is_star: bool = False

    @property
    def size(self) -> int:
        """The size of its leaves."""
        return sum(leaf.size for leaf in self.leaves)

    @property
    def link_share(self) -> float:
        """The share of its content that stands in links, from 0 to 1."""
        linked = (leaf.size for leaf in self.leaves if any(feature.kind == "link" for feature in leaf.features))
        return sum(linked) / self.size

    def noise(self, confidences: Mapping[Piece, float]) -> float:
        """Its noise confidence: the mean of its leaves', weighted by their sizes (section 2.2.3); 0 when empty."""
        return sum(leaf.size * confidences.get(leaf.place, 0.0) for leaf in self.leaves) / max(1, self.size)


def sections_of(root: etree._Element, tree: PageTree, mapping: PageMapping) -> list[LeafSection]:
    """The sections of a page's body in the order in which they begin; the outermost items that repeat are one each."""
    stars, body = mapping.stars, body_of(root)
    owners: dict[etree._Element | Piece, int | None] = {}
    for number, star in enumerate(stars):
        waiting = [star]
        while waiting:
            item = waiting.pop()
            owners.update(dict.fromkeys((*item.elements, *(leaf.place for leaf in item.leaves)), number))
            waiting += [] if item.elements else item.kids
    for number, part in enumerate(_cut(body, areas_of(root, tree, mapping)), len(stars)):
        for held in part:
            owners.setdefault(held, number)
    found: defaultdict[int, list[Leaf]] = defaultdict(list)
    for leaf in tree.leaves:
        owner = owners.get(leaf.place)
        if owner is None:
            element = leaf.place.element
            holder = element.getparent() if leaf.place.is_tail else element
            passed: list[etree._Element] = []
            while holder is not None and holder not in owners:
                passed.append(holder)
                holder = holder.getparent()
            owner = None if holder is None else owners[holder]
            owners.update(dict.fromkeys(passed, owner))  # else deep pages take a time quadratic in their depth
        if owner is not None:
            found[owner].append(leaf)
    return [LeafSection(tuple(inside), number < len(stars)) for number, inside in found.items()]


def _cut(body: etree._Element, areas: Mapping[etree._Element, float]) -> Iterator[list[etree._Element | Piece]]:
    """The elements that the top-down cut leaves whole, and the runs of texts and elements between them."""
    least = MIN_AREA * areas.get(body, 0.0)
    waiting = [body]
    while waiting:
        element = waiting.pop()
        kids = list(element.iterchildren(etree.Element))
        large = {one for one in (element, *kids) if areas.get(one, 0.0) > least}
        is_opened = element in large and any(kid.tag in SECTIONING and kid in large for kid in kids)
        ends_run = [kid.tag not in INLINE if is_opened else kid.tag in SEPARATORS for kid in kids]
        if not any(ends_run):
            yield [element]
            continue
        if is_opened:
            waiting += compress(kids, ends_run)
        run: list[etree._Element | Piece] = [Piece(element, False)]
        for kid, is_end in zip(kids, ends_run, strict=True):
            if is_end:
                yield run
                run = []
            else:
                run.append(kid)
            run.append(Piece(kid, True))
        yield run


def areas_of(root: etree._Element, tree: PageTree, mapping: PageMapping) -> Mapping[etree._Element, float]:
    """The areas of a page's elements, all in one unit.

    They are those of the browser when it has marked this page; else those that the template has learned from pages that
    it had marked; else :attr:`PageTree.areas`, by characters. Elements that such a template lacks share in the area
    around them by their characters.
    """
    found = boxes(root)
    if found:
        return found
    if all(item.area is None for item in mapping.items.values()):
        return tree.areas
    body = body_of(root)
    shares = {body: 1.0}
    for element in body.iterdescendants(etree.Element):
        item, above = mapping.items.get(element), element.getparent()
        if item is not None and item.area is not None:
            shares[element] = item.area
        elif above is not None:
            chars = tree.areas.get(above, 0.0)
            shares[element] = shares[above] * tree.areas.get(element, 0.0) / chars if chars else 0.0
    return shares


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
