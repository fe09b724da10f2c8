"""A page as the regex-tree template sees it: what carries content, repeats folded, with areas; and its mapping.

One pass over the lxml tree builds the folded tree from its leaves up, so that nothing recurses. The mapping says which
part of a page is which part of a template (Mehta & Madaan, section 2.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.blocks import IGNORED, INVISIBLE, Piece, visit
from scrapy_stemmer.core.text import collapse
from scrapy_stemmer.learners.regex_tree.generalisation import fold
from scrapy_stemmer.learners.regex_tree.template_tree import (
    CHOICE,
    COMPOSITE,
    GROUP,
    IMAGE,
    INLINE,
    TEXT,
    Feature,
    Item,
    Leaf,
    align,
    best_alternatives,
)

IMAGE_SIZE = 20
"""What an image counts in a section's noise, in characters."""

BOX_AREA = 40.0
"""What an image or form control adds to areas, in characters."""

BLOCK_AREA = 10.0
"""What a block-level element without another one inside adds to areas, in characters."""

CONTROLS = frozenset({"input", "select", "textarea", "button"})
"""Form controls."""

EMPTY_KEPT = CONTROLS | {"br", "hr", "frameset", "frame"}
"""Elements that are part of the structure without any content; other empty ones are left out."""

PHRASING = INLINE | {TEXT, "br"}
"""What a run of text consists of."""

MAX_VALUE = 80
"""Characters of a feature's value that are kept; longer ones are cut and end in a hash."""

_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class PageTree(NamedTuple):
    """A page as a folded tree.

    :param root: the root item.
    :param leaves: the page's texts and images in document order.
    :param areas: for each element how much it holds, in characters.
    """

    root: Item
    leaves: tuple[Leaf, ...]
    areas: dict[etree._Element, float]


def text_feature(text: str) -> str:
    """A text as it is compared: numbers inside of it are 0, since dates and counters never repeat.

    A text that has no letters is left alone: its numbers are what it says.
    """
    text = collapse(text)
    return shortened(_DIGITS.sub("0", text) if _LETTER.search(text) else text)


def shortened(value: str) -> str:
    """A value, or its beginning and a hash when it is long."""
    if len(value) <= MAX_VALUE:
        return value
    digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{value[: MAX_VALUE // 2]}… #{digest}"


def names_of(element: etree._Element) -> frozenset[str]:
    """Identifiers and class names without digits."""
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    return frozenset(_DIGITS.sub("", names).lower().split()) if len(names) > 1 else frozenset()


@dataclass(slots=True)
class _Open:
    """An element that has begun and not ended.

    :param link: the target of the link around its content, "" for none.
    :param has_block: whether a block-level element is inside.
    """

    link: str
    hidden: bool
    kids: list[Item] = field(default_factory=list)
    area: float = 0.0
    has_block: bool = False


def page_tree(root: etree._Element, vocabulary: frozenset[str] | None = None) -> PageTree:
    """The folded tree of a page. The lxml tree is not changed.

    :param vocabulary: the identifiers and class names that count; ``None`` for all.
    """
    leaves: list[Leaf] = []
    areas: dict[etree._Element, float] = {}
    opened = [_Open("", False)]  # the last one holds what is complete inside of it

    def add_leaf(name: str, place: Piece, size: int, feature: Feature) -> None:
        link = opened[-1].link
        features = (feature, Feature("link", shortened(link))) if link else (feature,)
        leaves.append(Leaf(place, size, features))
        opened[-1].kids.append(Item(name, features=dict.fromkeys(features, 1), leaves=[leaves[-1]]))

    def add_text(element: etree._Element, is_tail: bool = True) -> None:
        text = element.tail if is_tail else element.text
        if text and not text.isspace():
            size = len(text.strip())
            opened[-1].area += 0 if opened[-1].hidden else size
            add_leaf(TEXT, Piece(element, is_tail), size, Feature("text", text_feature(text)))

    def enter(element: etree._Element) -> None:
        around = opened[-1]
        hidden = element.get("hidden") is not None or (element.tag == "input" and element.get("type") == "hidden")
        hidden = around.hidden or hidden or _HIDDEN_STYLE.search(element.get("style") or "") is not None
        opened.append(_Open((element.get("href") or "").strip() if element.tag == "a" else around.link, hidden))
        add_text(element, is_tail=False)

    def leave(element: etree._Element) -> None:
        tag, done = str(element.tag), opened.pop()
        around = opened[-1]
        is_block = tag not in INLINE
        if not done.hidden and (tag == IMAGE or tag in CONTROLS):
            done.area += BOX_AREA
        elif not done.hidden and is_block and done.kids and not done.has_block:
            done.area += BLOCK_AREA
        areas[element] = done.area
        around.area += done.area
        around.has_block = around.has_block or done.has_block or (is_block and tag not in EMPTY_KEPT)
        if tag == IMAGE:
            source = (element.get("src") or element.get("data-src") or "").strip()
            add_leaf(IMAGE, Piece(element, False), IMAGE_SIZE, Feature("image", shortened(source)))
        elif done.kids or tag in EMPTY_KEPT:
            names = names_of(element)
            marks = names if vocabulary is None else names & vocabulary
            around.kids.append(Item(tag, fold(done.kids), marks, elements=[element]))

    visit(root, IGNORED | INVISIBLE, enter, leave, add_text)
    return PageTree(next(iter(opened[0].kids), Item(str(root.tag))), tuple(leaves), areas)


class PageMapping(NamedTuple):
    """What a template says of a page.

    :param noise: for each leaf of the page that the template has, how sure it is that its content is noise.
    :param stars: the page's outermost items that repeat, on the page or in the template.
    :param found: the template's items that the page has, by identity.
    :param items: for each element of the page that the template has, its item there.
    """

    noise: dict[Piece, float]
    stars: list[Item]
    found: set[int]
    items: dict[etree._Element, Item]


def map_page(template: Item, page: Item) -> PageMapping:
    """Align a page with a template from the roots down, and hand the confidences on to the page's leaves.

    A leaf gets the highest of what is known of its text, link and image; 0 for what was never seen.
    """
    mapping = PageMapping({}, [], set(), {})
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
            mapping.noise[leaf.place] = max((known.noise.get(feature, 0.0) for feature in leaf.features), default=0.0)
        waiting.extend((first, second, in_star) for first, second in _below(known, item))
    return mapping


def _is_star(known: Item | None, item: Item) -> bool:
    """Whether an item repeats. What repeats within a run of text is part of that run."""
    if not (item.star or (known is not None and known.star)):
        return False
    names = [head.name for head, _ in item.heads] if item.name in COMPOSITE else [item.name]
    return any(name not in PHRASING for name in names)


def _below(known: Item, item: Item) -> Iterable[tuple[Item | None, Item]]:
    """What to align within two items that are aligned."""
    if CHOICE in (known.name, item.name):
        return best_alternatives(known, item)
    if known.shape == item.shape:
        return zip(known.kids, item.kids, strict=True)
    first, second = known.kids, item.kids
    if known.name != item.name:
        first = known.kids if known.name == GROUP else [known]
        second = item.kids if item.name == GROUP else [item]
    return [(a, b) for a, b in align(first, second) if b is not None]
