"""A page cut into sections by what repeats and by areas, top down (Mehta & Madaan, section 2.2.2).

Areas are what a browser has measured, what a template has learned of it, or numbers of characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from scrapy_stemmer.core.rendering import BOX
from scrapy_stemmer.learners.regex_tree.page_tree import PageMapping, PageTree, Place
from scrapy_stemmer.learners.regex_tree.template_tree import INLINE, Item, Leaf

MIN_AREA = 0.15
"""Share of the page's area above which an element is large enough to be cut (section 2.2.2, Cond1)."""

SECTIONING = frozenset("table div section article main aside nav header footer".split())
"""Elements that make sections: the paper's TABLE and DIV, and what HTML has got since (Cond2)."""

SEPARATORS = frozenset({"hr", "frameset"})
"""Elements that separate sections (Cond3)."""


@dataclass(frozen=True, slots=True)
class LeafSection:
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
        return sum(leaf.size for leaf in self.leaves if leaf.is_linked) / self.size

    def noise(self, confidences: Mapping[Place, float]) -> float:
        """Its noise confidence: the mean of its leaves', weighted by their sizes (section 2.2.3)."""
        return sum(leaf.size * confidences.get(leaf.place, 0.0) for leaf in self.leaves) / self.size


def sections_of(
    body: etree._Element,
    leaves: Sequence[Leaf],
    stars: Sequence[Item],
    areas: Mapping[etree._Element, float],
) -> list[LeafSection]:
    """The sections of a page in the order in which they begin.

    :param body: the element to cut.
    :param leaves: the page's leaves in document order; those outside of ``body`` and ``stars`` are left out.
    :param stars: the outermost items that repeat; each is a section.
    :param areas: of elements, in any unit; those of none are not seen.
    """
    owners = _Owners()
    for number, star in enumerate(stars):
        for part in _parts_of_star(star):
            owners.add(part, number)
    for number, part in enumerate(_cut(body, areas), start=len(stars)):
        owners.add(part, number)
    found: dict[int, list[Leaf]] = {}
    for leaf in leaves:
        owner = owners.of(leaf)
        if owner is not None:
            found.setdefault(owner, []).append(leaf)
    return [LeafSection(tuple(inside), number < len(stars)) for number, inside in found.items()]


@dataclass(frozen=True, slots=True)
class _Part:
    """What belongs to a section: whole elements, and single texts."""

    elements: list[etree._Element] = field(default_factory=list)
    texts: list[Place] = field(default_factory=list)


class _Owners:
    """The sections that elements and texts belong to; the innermost one that is known counts."""

    def __init__(self) -> None:
        self._elements: dict[etree._Element, int | None] = {}
        self._texts: dict[Place, int] = {}

    def add(self, part: _Part, number: int) -> None:
        for element in part.elements:
            self._elements.setdefault(element, number)
        for place in part.texts:
            self._texts.setdefault(place, number)

    def of(self, leaf: Leaf) -> int | None:
        if leaf.place in self._texts:
            return self._texts[leaf.place]
        holder = leaf.element.getparent() if leaf.is_tail else leaf.element
        passed: list[etree._Element] = []
        while holder is not None and holder not in self._elements:
            passed.append(holder)
            holder = holder.getparent()
        owner = None if holder is None else self._elements[holder]
        self._elements.update(dict.fromkeys(passed, owner))
        return owner


def _parts_of_star(star: Item) -> Iterator[_Part]:
    waiting = [star]
    while waiting:
        item = waiting.pop()
        yield _Part(item.elements, [leaf.place for leaf in item.leaves])
        if not item.elements:
            waiting.extend(item.kids)


def _cut(body: etree._Element, areas: Mapping[etree._Element, float]) -> Iterator[_Part]:
    """The elements that the top-down cut leaves whole, and the runs of text between them."""
    least = MIN_AREA * areas.get(body, 0.0)

    def is_large(element: etree._Element) -> bool:
        return areas.get(element, 0.0) > least

    waiting = [body]
    while waiting:
        element = waiting.pop()
        kids = list(element.iterchildren(etree.Element))
        if is_large(element) and any(kid.tag in SECTIONING and is_large(kid) for kid in kids):
            yield from _runs(element, kids, _is_block)
            waiting.extend(kid for kid in kids if _is_block(kid))
        elif any(map(_is_separator, kids)):
            yield from _runs(element, kids, _is_separator)
        else:
            yield _Part([element])


def _is_block(element: etree._Element) -> bool:
    return element.tag not in INLINE


def _is_separator(element: etree._Element) -> bool:
    return element.tag in SEPARATORS


def _runs(
    element: etree._Element, kids: Sequence[etree._Element], ends_run: Callable[[etree._Element], bool]
) -> Iterator[_Part]:
    """What stands between the children that end a run, texts included."""
    part = _Part(texts=[(element, False)])
    for kid in kids:
        if ends_run(kid):
            yield part
            part = _Part()
        else:
            part.elements.append(kid)
        part.texts.append((kid, True))
    yield part


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
