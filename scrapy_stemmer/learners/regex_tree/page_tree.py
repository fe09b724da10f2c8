"""A page as the regex-tree template sees it: what carries content, repeats folded, with areas; and its mapping.

One pass over the lxml tree builds the folded tree from its leaves up, so that nothing recurses. The mapping says which
part of a page is which part of a template (Mehta & Madaan, section 2.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

from lxml import etree

from scrapy_stemmer.core.blocks import BlockOptions, visit
from scrapy_stemmer.core.text import collapse
from scrapy_stemmer.learners.regex_tree.generalisation import fold
from scrapy_stemmer.learners.regex_tree.template_tree import (
    CHOICE,
    COMPOSITE,
    GROUP,
    IMAGE,
    INLINE,
    PHRASING,
    TEXT,
    Feature,
    Item,
    Leaf,
    Shapes,
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

MAX_VALUE = 80
"""Characters of a feature's value that are kept; longer ones are cut and end in a hash."""

_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageTree:
    """A page as a folded tree.

    :param root: the root item.
    :param leaves: the page's texts and images in document order.
    :param areas: for each element its share of the page's content; pixels when a browser has written boxes,
        else characters.
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


def page_tree(root: etree._Element, options: BlockOptions, shapes: Shapes, *, keep: bool = True) -> PageTree:
    """The folded tree of a page. The lxml tree is not changed.

    :param options: which subtrees are ignored, and how identifiers and class names are read.
    :param keep: whether nodes keep the elements that they stand for; learning needs none.
    """
    return _Builder(options, shapes, keep).run(root)


@dataclass(slots=True)
class _Open:
    """An element that has begun and not ended."""

    element: etree._Element
    kids: list[Item]
    area: float
    has_block: bool
    hidden: bool


class _Builder:
    def __init__(self, options: BlockOptions, shapes: Shapes, keep: bool) -> None:
        self._ignored = options.ignored_tags()
        self._shapes = shapes
        self._keep = keep
        self._open: list[_Open] = []
        self._links: list[str] = []
        self._leaves: list[Leaf] = []
        self._areas: dict[etree._Element, float] = {}
        self._vocabulary = options.vocabulary
        self._marks: dict[tuple[str | None, str | None], frozenset[str]] = {(None, None): frozenset()}

    def run(self, root: etree._Element) -> PageTree:
        top = _Open(root, [], 0.0, False, False)
        self._open.append(top)
        visit(root, self._ignored, self._enter, self._leave, self._add_tail)
        node = top.kids[0] if top.kids else self._numbered(Item(str(root.tag)))
        return PageTree(node, tuple(self._leaves), self._areas)

    def _add_tail(self, element: etree._Element) -> None:
        self._add_text(element.tail, element, is_tail=True)

    def _enter(self, element: etree._Element) -> None:
        hidden = self._open[-1].hidden or _is_hidden(element)
        self._open.append(_Open(element, [], 0.0, False, hidden))
        if element.tag == "a":
            self._links.append((element.get("href") or "").strip())
        self._add_text(element.text, element, is_tail=False)

    def _leave(self, element: etree._Element) -> None:
        done = self._open.pop()
        if element.tag == "a":
            self._links.pop()
        parent = self._open[-1]
        is_block = element.tag not in INLINE
        if not done.hidden:
            done.area += self._own_area(element, is_block and not done.has_block and bool(done.kids))
        self._areas[element] = done.area
        parent.area += done.area
        parent.has_block = parent.has_block or (is_block and element.tag not in EMPTY_KEPT) or done.has_block
        node = self._node(element, done.kids)
        if node is not None:
            parent.kids.append(node)

    def _own_area(self, element: etree._Element, is_block_leaf: bool) -> float:
        if element.tag == IMAGE or element.tag in CONTROLS:
            return BOX_AREA
        return BLOCK_AREA if is_block_leaf else 0.0

    def _node(self, element: etree._Element, kids: list[Item]) -> Item | None:
        if element.tag == IMAGE:
            return self._image(element)
        if not kids and element.tag not in EMPTY_KEPT and len(self._open) > 1:
            return None
        node = Item(str(element.tag), fold(kids, self._shapes), marks=self._marks_of(element))
        if self._keep:
            node.elements.append(element)
        return self._numbered(node)

    def _image(self, element: etree._Element) -> Item:
        source = (element.get("src") or element.get("data-src") or "").strip()
        return self._leaf(IMAGE, element, False, IMAGE_SIZE, [Feature("image", shortened(source))])

    def _add_text(self, text: str | None, element: etree._Element, *, is_tail: bool) -> None:
        if not text or text.isspace():
            return
        size = len(text.strip())
        holder = self._open[-1]
        if not holder.hidden:
            holder.area += size
        node = self._leaf(TEXT, element, is_tail, size, [Feature("text", text_feature(text))])
        holder.kids.append(node)

    def _leaf(self, name: str, element: etree._Element, is_tail: bool, size: int, features: list[Feature]) -> Item:
        if self._links and self._links[-1]:
            features.append(Feature("link", shortened(self._links[-1])))
        leaf = Leaf(element, is_tail, size, tuple(features))
        node = Item(name, features=dict.fromkeys(features, 1))
        if self._keep:
            self._leaves.append(leaf)
            node.leaves.append(leaf)
        return self._numbered(node)

    def _marks_of(self, element: etree._Element) -> frozenset[str]:
        key = (element.get("id"), element.get("class"))
        if key not in self._marks:
            names = names_of(element)
            self._marks[key] = names if self._vocabulary is None else names & self._vocabulary
        return self._marks[key]

    def _numbered(self, node: Item) -> Item:
        self._shapes.put(node)
        return node


def names_of(element: etree._Element) -> frozenset[str]:
    """Identifiers and class names without digits."""
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    return frozenset(_DIGITS.sub("", names).lower().split()) if len(names) > 1 else frozenset()


def _is_hidden(element: etree._Element) -> bool:
    if element.get("hidden") is not None or (element.tag == "input" and element.get("type") == "hidden"):
        return True
    style = element.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


# Which part of a page is which part of a template (Mehta & Madaan, section 2.2.1)

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
