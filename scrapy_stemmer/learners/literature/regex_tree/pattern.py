"""A site's template as a regular expression over trees with noise confidences, and pages folded for matching.

A pass over the lxml tree builds the folded tree from the leaves up, without recursion. Sections are cut by repeating
items and by areas, top down (section 2.2.2).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import compress, groupby
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from lxml import etree

from scrapy_stemmer.learners.literature.base import SITE_THRESHOLD, label_by_noise, mean_noise
from scrapy_stemmer.learners.literature.blocks import UNSEEN, BlockOptions, visit
from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    IMAGE_ITEM,
    TEXT_ITEM,
    Feature,
    Item,
    Leaf,
    PageMapping,
    fold_repeats,
    map_page,
)
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.elements import CONTROLS, INLINE
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import collapse
from scrapy_stemmer.patterns.base import MIN_IMPORTANCE, LabelledBlock, PageMatch, PageSection, Pattern
from scrapy_stemmer.patterns.record import Between, Record, Share

IMAGE_SIZE = 20  # size of an image in a section's noise, in characters
BOX_AREA = 40.0  # area added by an image or form control, in characters
BLOCK_AREA = 10.0  # area added by a block-level element without inner blocks, in characters

EMPTY_KEPT = CONTROLS | {"br", "hr", "frameset", "frame"}  # elements kept in the structure even when empty

MAX_VALUE = 80  # characters of a feature's value
MIN_AREA = 0.15  # least share of the page's area of an element to cut (section 2.2.2, Cond1)

SECTIONING = frozenset("table div section article main aside nav header footer".split())
"""Elements that make sections: the paper's TABLE and DIV, and newer elements of HTML (Cond2)."""

SEPARATORS = frozenset({"hr", "frameset"})  # elements between sections (Cond3)

_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")


class FoldedTree(NamedTuple):
    """Folded tree of a page: its root, texts and images in document order, and elements' areas in characters."""

    root: Item
    leaves: tuple[Leaf, ...]
    areas: dict[etree._Element, float]


def text_feature(text: str) -> str:
    """Return a text for comparison, with numbers as 0, since dates and counters never repeat."""
    text = collapse(text)
    return shortened(_DIGITS.sub("0", text) if _LETTER.search(text) else text)


def shortened(value: str) -> str:
    """Cut a long value to its beginning and a hash."""
    if len(value) <= MAX_VALUE:
        return value
    digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{value[: MAX_VALUE // 2]}… #{digest}"


def element_names(element: etree._Element) -> frozenset[str]:
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    return frozenset(_DIGITS.sub("", names).lower().split()) if len(names) > 1 else frozenset()


@dataclass(slots=True)
class _Open:
    """Open element; ``link`` is the target of the surrounding link, or ""."""

    link: str
    kids: list[Item] = field(default_factory=list)
    area: float = 0.0
    has_block: bool = False


def page_tree(root: etree._Element, vocabulary: frozenset[str] | None = None) -> FoldedTree:
    folding = _Folding(vocabulary)
    visit(root, UNSEEN, folding.enter, folding.leave, folding.add_text)
    top = next(iter(folding.opened[0].kids), Item(str(root.tag)))
    return FoldedTree(top, tuple(folding.leaves), folding.areas)


class _Folding:
    """Folding of a page's tree from its leaves up."""

    def __init__(self, vocabulary: frozenset[str] | None) -> None:
        self._vocabulary = vocabulary
        self.leaves: list[Leaf] = []
        self.areas: dict[etree._Element, float] = {}
        self.opened = [_Open("")]

    def enter(self, element: etree._Element) -> None:
        is_link = element.tag == "a"
        self.opened.append(_Open((element.get("href") or "").strip() if is_link else self.opened[-1].link))
        self.add_text(element, is_tail=False)

    def leave(self, element: etree._Element) -> None:
        tag, done = str(element.tag), self.opened.pop()
        around = self.opened[-1]
        is_block = tag not in INLINE
        if tag == IMAGE_ITEM or tag in CONTROLS:
            done.area += BOX_AREA
        elif is_block and done.kids and not done.has_block:
            done.area += BLOCK_AREA
        self.areas[element] = done.area
        around.area += done.area
        around.has_block = around.has_block or done.has_block or (is_block and tag not in EMPTY_KEPT)
        if tag == IMAGE_ITEM:
            source = (element.get("src") or element.get("data-src") or "").strip()
            self._add_leaf(IMAGE_ITEM, Piece(element, False), IMAGE_SIZE, Feature("image", shortened(source)))
        elif done.kids or tag in EMPTY_KEPT:
            names = element_names(element)
            marks = names if self._vocabulary is None else names & self._vocabulary
            around.kids.append(Item(tag, fold_repeats(done.kids), marks, elements=[element]))

    def add_text(self, element: etree._Element, is_tail: bool = True) -> None:
        text = element.tail if is_tail else element.text
        if text and not text.isspace():
            size = len(text.strip())
            self.opened[-1].area += size
            self._add_leaf(TEXT_ITEM, Piece(element, is_tail), size, Feature("text", text_feature(text)))

    def _add_leaf(self, name: str, place: Piece, size: int, feature: Feature) -> None:
        link = self.opened[-1].link
        features = (feature, Feature("link", shortened(link))) if link else (feature,)
        self.leaves.append(Leaf(place, size, features))
        self.opened[-1].kids.append(Item(name, features=dict.fromkeys(features, 1), leaves=[self.leaves[-1]]))


class LeafSection(NamedTuple):
    """Section of a page: its texts and images in document order, and a flag for lists of similar items."""

    leaves: tuple[Leaf, ...]
    is_star: bool = False

    @property
    def size(self) -> int:
        return sum(leaf.size for leaf in self.leaves)

    @property
    def link_share(self) -> float:
        linked = (leaf.size for leaf in self.leaves if any(feature.kind == "link" for feature in leaf.features))
        return sum(linked) / self.size

    def noise(self, confidences: Mapping[Piece, float]) -> float:
        """Return the mean noise confidence of the leaves, weighted by size (section 2.2.3)."""
        return mean_noise((leaf.size, confidences.get(leaf.place, 0.0)) for leaf in self.leaves)


def sections_of(root: etree._Element, tree: FoldedTree, mapping: PageMapping) -> list[LeafSection]:
    """Return the sections of a page's body in order of their beginning; outermost repeating items are one each."""
    stars, body = mapping.stars, sectioned_element(root)
    owners: dict[etree._Element | Piece | None, int | None] = {}
    for number, star in enumerate(stars):
        waiting = [star]
        while waiting:
            item = waiting.pop()
            owners.update(dict.fromkeys((*item.elements, *(leaf.place for leaf in item.leaves)), number))
            waiting += [] if item.elements else item.kids
    for number, part in enumerate(_cut(body, tree.areas), len(stars)):
        for held in part:
            owners.setdefault(held, number)
    leaves_of: defaultdict[int, list[Leaf]] = defaultdict(list)
    for leaf in tree.leaves:
        owner = owners.get(leaf.place)
        if owner is None:
            holder: etree._Element | None = leaf.place.holder
            passed: list[etree._Element] = []
            while holder is not None and holder not in owners:
                passed.append(holder)
                holder = holder.getparent()
            owner = owners.get(holder)
            owners.update(dict.fromkeys(passed, owner))  # without this, deep pages take quadratic time
        if owner is not None:
            leaves_of[owner].append(leaf)
    return [LeafSection(tuple(inside), number < len(stars)) for number, inside in leaves_of.items()]


def _cut(body: etree._Element, areas: Mapping[etree._Element, float]) -> Iterator[list[etree._Element | Piece]]:
    """Yield the elements left whole by the top-down cut, and the runs of texts and elements between them."""
    least = MIN_AREA * areas.get(body, 0.0)
    waiting = [body]
    while waiting:
        element = waiting.pop()
        kids = list(element.iterchildren(etree.Element))
        large = {part for part in (element, *kids) if areas.get(part, 0.0) > least}
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


def sectioned_element(root: etree._Element) -> etree._Element:
    body = root.find("body")
    return root if body is None else body


# The pattern

OPERATORS = ("", "*", "?", "*?")  # operators of a row: none, repeating, optional, or both
SHARE_DIGITS = 4  # decimals of shares in patterns, to keep files readable and comparable
USUAL_SHARE = 0.8  # least share of pages with an item that counts in the similarity
LINK_LIST = 0.5  # share of links above which a section is a list of links

MAX_LINK_SHARE = 0.67
"""Share of lists of links in the rest of a page above which the page is an index with links as its content."""


@dataclass(frozen=True, slots=True)
class NoisyFeatures:
    confidence: Share
    texts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()

    @classmethod
    def of(cls, confidence: float, features: Iterable[Feature]) -> Self:
        values: defaultdict[str, list[str]] = defaultdict(list)
        for kind, value in features:
            values[f"{kind}s"].append(value)
        return cls(confidence, **{name: tuple(texts) for name, texts in values.items()})

    @property
    def features(self) -> list[Feature]:
        return [Feature(kind, value) for kind in ("text", "link", "image") for value in getattr(self, f"{kind}s")]


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """Item of the template."""

    depth: Annotated[int, Between(0)]  # number of ancestors
    name: str  # element name, ``#text``, ``img``, ``()`` for a group or ``|`` for a choice
    pages: Annotated[int, Between(0)]  # pages with the item
    operator: Annotated[str, OPERATORS] = ""
    marks: tuple[str, ...] = ()  # sorted identifiers and class names found on all of them
    noise: tuple[NoisyFeatures, ...] = ()  # of a leaf, by falling confidence


def items_in_order(template: Item) -> Iterator[tuple[int, Item]]:
    waiting = [(0, template)]
    while waiting:
        depth, item = waiting.pop()
        yield depth, item
        waiting += [(depth + 1, kid) for kid in reversed(item.kids)]


def rows_of(template: Item) -> Iterator[TemplateRow]:
    for depth, item in items_in_order(template):
        operator, marks = "*" * item.star + "?" * item.optional, tuple(sorted(item.marks))
        noise = tuple(NoisyFeatures.of(share, group) for share, group in groupby(item.noise, item.noise.__getitem__))
        yield TemplateRow(depth, item.name, item.support, operator, marks, noise)


def template_of_rows(rows: Sequence[TemplateRow]) -> Item:
    opened: list[Item] = []
    for row in rows:
        noise = {feature: group.confidence for group in row.noise for feature in group.features}
        item = Item(row.name, marks=frozenset(row.marks), support=row.pages, noise=noise)
        item.star, item.optional = "*" in row.operator, "?" in row.operator
        del opened[row.depth :]
        if opened:
            opened[-1].kids.append(item)
        opened.append(item)
    return opened[0]


@dataclass(frozen=True, kw_only=True)
class RegexTreePattern(Pattern):
    """Template of a site's pages."""

    kind: ClassVar[str] = "regex_tree"
    max_work: ClassVar[float] = 30_000.0  # limit of about two seconds, exceeded by two of 5,158 real pages

    rows: tuple[TemplateRow, ...]

    def match(self, document: Document) -> PageMatch | None:
        tree = page_tree(document.root, self._vocabulary)
        mapping = map_page(self._template, tree.root)
        common = {id(item) for _, item in items_in_order(self._template) if item.support >= USUAL_SHARE * self.support}
        similarity = len(common & mapping.present) / len(common) if common else 0.0
        if similarity <= SITE_THRESHOLD:
            return None
        blocks = document.blocks(BlockOptions())
        sections = sections_of(document.root, tree, mapping)
        judged = judge(sections, mapping.noise)
        leaf_at = {leaf.place: leaf for leaf in tree.leaves}
        section_at = {leaf.place: number for number, section in enumerate(sections) for leaf in section.leaves}
        noise: list[float] = []
        owners: list[int | None] = []
        for block in blocks:
            own = LeafSection(tuple([leaf_at[piece] for piece in block.pieces if piece in leaf_at]))
            owners.append(next((section_at[leaf.place] for leaf in own.leaves if leaf.place in section_at), None))
            noise.append(max(own.noise(mapping.noise), 0.0 if owners[-1] is None else judged[owners[-1]]))
        labelled = label_by_noise(blocks, noise, noise)
        inside: defaultdict[int | None, list[LabelledBlock]] = defaultdict(list)
        for label, owner in zip(labelled, owners, strict=True):
            inside[owner].append(label)
        labelled_sections = (
            PageSection(tuple(inside[number]), 1.0 - section.noise(mapping.noise), section.is_star)
            for number, section in enumerate(sections)
        )
        return PageMatch(self.name, similarity, labelled, tuple(labelled_sections))

    @cached_property
    def _template(self) -> Item:
        return template_of_rows(self.rows)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The template's identifiers and class names, which alone count."""
        return frozenset(mark for row in self.rows for mark in row.marks)

    def to_record(self) -> dict[str, Any]:
        return {"template": [asdict(row, dict_factory=_filled) for row in self.rows]}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        rows: list[TemplateRow] = []
        for entry in record.records("template"):
            row = entry.read(TemplateRow)
            _check(entry, row, rows[-1] if rows else None)
            rows.append(row)
        if not rows:
            raise record.error("template", "must have at least one item")
        return super().from_record(record, common | {"rows": tuple(rows)})


def judge(sections: Sequence[LeafSection], confidences: Mapping[Piece, float]) -> list[float]:
    """Return each section's confidence that its blocks are noise, regardless of the blocks' own features."""
    noise = [section.noise(confidences) for section in sections]
    informative = [section for section, share in zip(sections, noise, strict=True) if 1.0 - share >= MIN_IMPORTANCE]
    links = sum(section.size for section in informative if section.link_share > LINK_LIST)
    if links > MAX_LINK_SHARE * sum(section.size for section in informative):
        return noise
    return [max(share, section.link_share) for section, share in zip(sections, noise, strict=True)]


def _filled(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if value not in ("", (), None)}


def _check(record: Record, row: TemplateRow, before: TemplateRow | None) -> None:
    deepest = before.depth + 1 if before else 0
    if row.depth > deepest or (before and not row.depth):
        raise record.error(
            "depth", f"must be from {min(1, deepest)} to {deepest} after the row before, not {row.depth}"
        )
    if before and row.depth == deepest and before.name in (TEXT_ITEM, IMAGE_ITEM):
        raise record.error("depth", f"must not be within the row before, a {before.name}")
    if not row.name:
        raise record.error("name", "must not be empty")
