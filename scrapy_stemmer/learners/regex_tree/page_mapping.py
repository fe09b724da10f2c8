"""Which part of a page is which part of a template (Mehta & Madaan, section 2.2.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml import etree

from scrapy_stemmer.learners.regex_tree.template_tree import CHOICE, COMPOSITE, GROUP, PHRASING, Item, Leaf
from scrapy_stemmer.learners.regex_tree.tree_alignment import align, best_alternatives

Place = tuple[etree._Element, bool]
"""Where a leaf stands, see :attr:`Leaf.place`."""


@dataclass(slots=True)
class PageMapping:
    """What a template says of a page.

    :param noise: for each leaf of the page that the template has, how sure it is that its content is noise.
    :param stars: the page's outermost items that repeat, on the page or in the template.
    :param found: the template's items that the page has, by identity.
    :param items: for each element of the page that the template has, its item there.
    """

    noise: dict[Place, float] = field(default_factory=dict)
    stars: list[Item] = field(default_factory=list)
    found: set[int] = field(default_factory=set)
    items: dict[etree._Element, Item] = field(default_factory=dict)


def map_page(template: Item, page: Item) -> PageMapping:
    """Align a page with a template from the roots down, and hand the confidences on to the page's leaves."""
    mapping = PageMapping()
    waiting: list[tuple[Item | None, Item, bool]] = [(template, page, False)]
    while waiting:
        known, item, in_star = waiting.pop()
        if not in_star and _is_star(known, item):
            mapping.stars.append(item)
            in_star = True
        if known is None:
            waiting.extend((None, kid, in_star) for kid in item.kids)
            continue
        mapping.found.add(id(known))
        mapping.items.update(dict.fromkeys(item.elements, known))
        for leaf in item.leaves:
            mapping.noise[leaf.place] = confidence(known, leaf)
        waiting.extend((first, second, in_star) for first, second in _below(known, item))
    return mapping


def confidence(known: Item, leaf: Leaf) -> float:
    """The highest of what is known of a leaf's text, link and image; 0 for what was never seen."""
    return max((known.noise.get(feature, 0.0) for feature in leaf.features), default=0.0)


def _is_star(known: Item | None, item: Item) -> bool:
    """Whether an item repeats. What repeats within a run of text is part of that run."""
    if not (item.star or (known is not None and known.star)):
        return False
    heads = [head.item.name for head in item.heads] if item.name in COMPOSITE else [item.name]
    return any(name not in PHRASING for name in heads)


def _below(known: Item, item: Item) -> Iterable[tuple[Item | None, Item]]:
    """What to align within two items that are aligned."""
    if CHOICE in (known.name, item.name):
        return best_alternatives(known, item)
    if known.shape is not None and known.shape == item.shape:
        return zip(known.kids, item.kids, strict=True)
    first, second = known.kids, item.kids
    if known.name != item.name:
        first = known.kids if known.name == GROUP else [known]
        second = item.kids if item.name == GROUP else [item]
    return [(pair.first, pair.second) for pair in align(first, second) if pair.second is not None]
