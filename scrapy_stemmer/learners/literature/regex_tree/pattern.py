"""A site's template as a regular expression over trees, with the noise confidence of what stands in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import groupby
from statistics import fmean
from typing import Annotated, Any, ClassVar, Self

from lxml import etree

from scrapy_stemmer.core.blocks import Piece
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.patterns import label_by_noise
from scrapy_stemmer.learners.literature.regex_tree import page_tree
from scrapy_stemmer.learners.literature.regex_tree.page_tree import FoldedTree, LeafSection
from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    IMAGE,
    TEXT,
    Feature,
    Item,
    PageMapping,
    map_page,
)
from scrapy_stemmer.patterns.base import MIN_IMPORTANCE, LabelledBlock, MatchOptions, PageMatch, PageSection, Pattern
from scrapy_stemmer.patterns.record import Between, Record, Share

OPERATORS = ("", "*", "?", "*?")
"""What a row says of its item: nothing, that it repeats, that it may be absent, or both."""

SHARE_DIGITS = 4  # decimals of shares in patterns, so that files are good to read and compare

USUAL_SHARE = 0.8
"""An item on at least this share of the pages belongs to what nearly all have; similarity is measured by these."""

LINK_LIST = 0.5  # a section with a larger share of its content in links is a list of links

MAX_LINK_SHARE = 0.67
"""Where lists of links are a larger share of what the template leaves of a page, the page is an index and they
are its content."""

MAX_NOISE = 0.9
"""A page with a larger share of noise is the very page, or a copy, that a template of one page was learned from."""


@dataclass(frozen=True, slots=True)
class NoisyFeatures:
    """The features at a leaf that have the same noise confidence."""

    confidence: Share
    texts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()

    @classmethod
    def of(cls, confidence: float, features: Iterable[Feature]) -> Self:
        """Features as such, sorted by kind and value."""
        values: defaultdict[str, list[str]] = defaultdict(list)
        for kind, value in features:
            values[f"{kind}s"].append(value)
        return cls(confidence, **{name: tuple(texts) for name, texts in values.items()})

    @property
    def features(self) -> list[Feature]:
        return [Feature(kind, value) for kind in ("text", "link", "image") for value in getattr(self, f"{kind}s")]


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """An item of the template. The template is its items in document order, each with its depth."""

    depth: Annotated[int, Between(0)]  # the number of items around it
    name: str  # an element's name, ``#text``, ``img``, ``()`` for a group or ``|`` for a choice
    pages: Annotated[int, Between(0)]  # pages that have it
    operator: str = ""  # one of OPERATORS
    marks: tuple[str, ...] = ()  # identifiers and class names that it has on all of them, sorted
    noise: tuple[NoisyFeatures, ...] = ()  # at a leaf, what is noise there, by falling confidence
    area: Share | None = None  # of an element, its share of a page's area on average; ``None`` without a browser


def items_in_order(template: Item) -> Iterator[tuple[int, Item]]:
    """The items of a template in document order, each with its depth."""
    waiting = [(0, template)]
    while waiting:
        depth, item = waiting.pop()
        yield depth, item
        waiting += [(depth + 1, kid) for kid in reversed(item.kids)]


def rows_of(template: Item) -> Iterator[TemplateRow]:
    for depth, item in items_in_order(template):
        operator, marks = "*" * item.star + "?" * item.optional, tuple(sorted(item.marks))
        noise = tuple(NoisyFeatures.of(share, group) for share, group in groupby(item.noise, item.noise.__getitem__))
        yield TemplateRow(depth, item.name, item.support, operator, marks, noise, item.area)


def template_of_rows(rows: Sequence[TemplateRow]) -> Item:
    """The template of rows; the first one is the root."""
    opened: list[Item] = []
    for row in rows:
        noise = {feature: group.confidence for group in row.noise for feature in group.features}
        item = Item(row.name, marks=frozenset(row.marks), support=row.pages, noise=noise, area=row.area)
        item.star, item.optional = "*" in row.operator, "?" in row.operator
        del opened[row.depth :]
        if opened:
            opened[-1].kids.append(item)
        opened.append(item)
    return opened[0]


@dataclass(frozen=True, kw_only=True)
class RegexTreePattern(Pattern):
    """The template of a site's pages."""

    kind: ClassVar[str] = "regex_tree"
    max_work: ClassVar[float] = 30_000.0  # more take longer than two seconds. Of 5,158 real pages two have more

    rows: tuple[TemplateRow, ...]
    # share of the content of the sample's pages that is noise, on average (the paper's figure 1); ``None`` when it was
    # not measured
    noise_share: Share | None = None

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page by what the template knows of it, and cut it into sections. The similarity is the share of the
        items that nearly all pages had which this page has, from 0 to 1."""
        tree, mapping = self._mapped(document.root)
        common = {id(item) for _, item in items_in_order(self._template) if item.support >= USUAL_SHARE * self.support}
        similarity = len(common & mapping.present) / len(common) if common else 0.0
        is_copy = self.support == 1 and LeafSection(tree.leaves).noise(mapping.noise) > MAX_NOISE
        if is_copy or similarity <= options.site_threshold:
            return None
        blocks = document.blocks(BlockOptions())
        sections = page_tree.sections_of(document.root, tree, mapping)
        judged = judge(sections, mapping.noise)
        leaf_at = {leaf.place: leaf for leaf in tree.leaves}
        section_at = {leaf.place: number for number, section in enumerate(sections) for leaf in section.leaves}
        noise: list[float] = []
        owners: list[int | None] = []
        for block in blocks:
            own = LeafSection(tuple([leaf_at[piece] for piece in block.pieces if piece in leaf_at]))
            owners.append(_owner(own, section_at))
            noise.append(max(own.noise(mapping.noise), 0.0 if owners[-1] is None else judged[owners[-1]]))
        labelled = label_by_noise(blocks, noise, options)
        inside: defaultdict[int | None, list[LabelledBlock]] = defaultdict(list)
        for label, owner in zip(labelled, owners, strict=True):
            inside[owner].append(label)
        labelled_sections = (
            PageSection(tuple(inside[number]), 1.0 - section.noise(mapping.noise), section.is_star)
            for number, section in enumerate(sections)
        )
        return PageMatch(self.name, similarity, labelled, tuple(labelled_sections))

    def measured(self, roots: Iterable[etree._Element]) -> Self:
        """This pattern with what its sample's pages say of noise, and of areas where a browser has marked them."""
        noise: list[float] = []
        areas: defaultdict[int, list[float]] = defaultdict(list)
        for root in roots:
            tree, mapping = self._mapped(root)
            noise.append(LeafSection(tree.leaves).noise(mapping.noise))
            boxes = page_tree.boxes(root)
            page = boxes.get(page_tree.sectioned_element(root), 0.0)
            for element, item in mapping.items.items() if page else ():
                areas[id(item)].append(min(1.0, boxes.get(element, 0.0) / page))
        rows = (
            replace(row, area=round(fmean(areas[id(item)]), SHARE_DIGITS)) if id(item) in areas else row
            for row, (_, item) in zip(self.rows, items_in_order(self._template), strict=True)
        )
        return replace(self, rows=tuple(rows), noise_share=round(fmean(noise), SHARE_DIGITS) if noise else None)

    def _mapped(self, root: etree._Element) -> tuple[FoldedTree, PageMapping]:
        tree = page_tree.page_tree(root, self._vocabulary)
        return tree, map_page(self._template, tree.root)

    @cached_property
    def _template(self) -> Item:
        return template_of_rows(self.rows)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The template's identifiers and class names; others don't count."""
        return frozenset(mark for row in self.rows for mark in row.marks)

    def to_record(self) -> dict[str, Any]:
        noise = {} if self.noise_share is None else {"noise_share": self.noise_share}
        return {**noise, "template": [asdict(row, dict_factory=_filled) for row in self.rows]}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        rows: list[TemplateRow] = []
        for entry in record.records("template"):
            row = entry.read(TemplateRow, operator=entry.choice("operator", OPERATORS, ""))
            _check(entry, row, rows[-1] if rows else None)
            rows.append(row)
        if not rows:
            raise record.error("template", "must have at least one item")
        return super().from_record(record, common | {"rows": tuple(rows)})


def _owner(block: LeafSection, section_at: Mapping[Piece, int]) -> int | None:
    """The number of the section that holds most of a block."""
    sizes: Counter[int] = Counter()
    for leaf in block.leaves:
        if leaf.place in section_at:
            sizes[section_at[leaf.place]] += leaf.size
    return max(sizes, key=lambda number: (sizes[number], -number), default=None)


def judge(sections: Sequence[LeafSection], confidences: Mapping[Piece, float]) -> list[float]:
    """For each section how sure it is that blocks in it are noise, whatever is known of themselves. It is the section's
    noise confidence; and its share of links where that is more, unless links are what the page is about. The paper
    leaves open which features of a page count beside the template's (section 2.2.3)."""
    noise = [section.noise(confidences) for section in sections]
    informative = [section for section, share in zip(sections, noise, strict=True) if 1.0 - share >= MIN_IMPORTANCE]
    links = sum(section.size for section in informative if section.link_share > LINK_LIST)
    if links > MAX_LINK_SHARE * sum(section.size for section in informative):
        return noise
    return [max(share, section.link_share) for section, share in zip(sections, noise, strict=True)]


def _filled(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of a row, or of what is noise there, that are not empty."""
    return {name: value for name, value in fields if value not in ("", (), None)}


def _check(record: Record, row: TemplateRow, before: TemplateRow | None) -> None:
    """Whether a row can follow the one before."""
    deepest = before.depth + 1 if before else 0
    if row.depth > deepest or (before and not row.depth):
        raise record.error(
            "depth", f"must be from {min(1, deepest)} to {deepest} after the row before, not {row.depth}"
        )
    if before and row.depth == deepest and before.name in (TEXT, IMAGE):
        raise record.error("depth", f"must not be within the row before, a {before.name}")
    if not row.name:
        raise record.error("name", "must not be empty")
