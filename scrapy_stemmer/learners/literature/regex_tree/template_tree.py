"""Items of a template that is a regular expression over trees: similarity, alignment and generalisation.

An item may repeat (``A*``, at least once), be absent (``C?``), or be one of several (``E|F``): Mehta & Madaan, section
2. The paper names the operators but no algorithm; docs/learners/literature.md describes the project's,
without recursion, since real pages nest thousands of elements deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate
from operator import add
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.learners.literature.alignment import match_heaviest
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.elements import INLINE

TEXT_ITEM = "#text"  # name of a run of text
IMAGE_ITEM = "img"  # name of an image
GROUP = "()"  # name of a sequence repeating as a whole
CHOICE = "|"  # name of alternatives
PHRASING = INLINE | {TEXT_ITEM, "br"}  # contents of a run of text
COMPOSITE = frozenset({GROUP, CHOICE})  # items without an element of their own
MAX_TREE_CELLS = 10_000  # larger pairs of sequences, beyond 100 x 100 folded items, are aligned by names alone


class Feature(NamedTuple):
    """Content at a leaf: a ``text``, the target of a surrounding ``link``, or the source of an ``image``."""

    kind: str
    value: str


class Leaf(NamedTuple):
    """Run of text or image of a page."""

    place: Piece  # text, or element of an image
    size: int  # characters, a fixed number of them for an image
    features: tuple[Feature, ...]


@dataclass(slots=True, eq=False)
class Item:
    """Item of a template, or of a page with folded repeats."""

    name: str  # element name, or one of the names above
    kids: list[Item] = field(default_factory=list)  # items inside in order, or alternatives of a choice
    marks: frozenset[str] = frozenset()  # identifiers and class names
    star: bool = False  # repeats
    optional: bool = False  # may be absent
    support: int = 1  # number of pages with the item
    features: dict[Feature, int] = field(default_factory=dict)  # of a leaf, number of pages with each feature
    # of a leaf of a finished template, noise confidence of each feature
    noise: dict[Feature, float] = field(default_factory=dict)
    elements: list[etree._Element] = field(default_factory=list)  # of a page, elements folded into the item
    leaves: list[Leaf] = field(default_factory=list)  # of a page, texts or images folded into the item
    _shape: int = 0
    _heads: list[tuple[Item, bool]] | None = None
    _profile: tuple[Set[str], Set[str]] | None = None

    @property
    def alternatives(self) -> list[Item]:
        return self.kids if self.name == CHOICE else [self]

    @property
    def shape(self) -> int:
        """A hash of names, marks and operators inside, for fast comparison of subtrees."""
        if not self._shape:
            unknown = [self]
            for item in unknown:
                unknown += [kid for kid in item.kids if not kid._shape]
            for item in reversed(unknown):
                inside = ((kid._shape, kid.star, kid.optional) for kid in item.kids)
                item._shape = hash((item.name, item.marks, *inside))
        return self._shape

    @property
    def heads(self) -> list[tuple[Item, bool]]:
        """The named items right below, through groups and choices, each with a flag for optional items."""
        if self._heads is None:
            self._heads = []
            waiting = [(kid, kid.optional or self.name == CHOICE) for kid in reversed(self.kids)]
            while waiting:
                kid, optional = waiting.pop()
                if kid.name in COMPOSITE:
                    absent = optional or kid.name == CHOICE
                    waiting += [(inner, absent or inner.optional) for inner in reversed(kid.kids)]
                else:
                    self._heads.append((kid, optional))
        return self._heads

    @property
    def profile(self) -> tuple[Set[str], Set[str]]:
        """Numbered paths of names down to two levels below, for comparison: required paths, and all paths."""
        if self._profile is not None:
            return self._profile
        paths = [(self.name, False), *((f".{mark}", False) for mark in self.marks)]
        has_text = False
        for kid, absent in self.heads:
            optional = absent or kid.name in INLINE or (kid.name == TEXT_ITEM and has_text)
            has_text = has_text or kid.name == TEXT_ITEM
            path = f"{self.name}/{kid.name}"
            paths.append((path, optional))
            paths += [(f"{path}/{below.name}", optional or gone or below.name in INLINE) for below, gone in kid.heads]
        counts: dict[str, int] = {}
        self._profile = always, ever = set(), set()
        for path, optional in paths:
            count = counts[path] = counts.get(path, 0) + 1
            numbered = path if count == 1 else f"{path}#{count}"
            ever.add(numbered)
            if not optional:
                always.add(numbered)
        return self._profile

    def changed(self) -> None:
        self._shape, self._heads, self._profile = 0, None, None


def item_similarity(first: Item, second: Item) -> float:
    """Return the similarity of two items, from 0 to 1: Dice's coefficient of their profiles, 0 for different names."""
    if first.name == second.name and first.shape == second.shape:
        return 1.0
    if first.name == CHOICE or second.name == CHOICE:
        return max((item_similarity(a, b) for a in first.alternatives for b in second.alternatives), default=0.0)
    if first.name == second.name:
        (our_always, our_ever), (their_always, their_ever) = first.profile, second.profile
        common = 2 * len(our_ever & their_ever)
        return common / (common + len(our_always - their_ever) + len(their_always - our_ever))
    if first.name == GROUP or second.name == GROUP:
        group, item = (first, second) if first.name == GROUP else (second, first)
        return max((item_similarity(head, item) for head, _ in group.heads), default=0.0) / max(1, len(group.heads))
    return 0.0


Aligned = tuple[list[Item], list[Item], tuple[Item, Item] | None]
"""Unpaired items of two sequences, and the pair after them; ``None`` at the end."""


def align(first: Sequence[Item], second: Sequence[Item]) -> list[Aligned]:
    """Align two sequences for the greatest sum of similarities; return pairs and unpaired items."""
    names = [item.name for item in first]
    if names == [item.name for item in second] and len(set(names)) == len(names) and COMPOSITE.isdisjoint(names):
        return [([], [], pair) for pair in zip(first, second, strict=True)]  # different names align as they are
    if not first or not second:
        return [([*first], [*second], None)]
    own = {id(item) for item in (*first, *second)}
    first, second = _grouped(first, second), _grouped(second, first)

    def table(rows: slice, columns: slice) -> list[list[float]]:
        best = [[0.0] * (columns.stop - columns.start + 1)]
        for item in first[rows]:
            gains = [item_similarity(item, other) for other in second[columns]]
            best.append([*accumulate(map(max, best[-1][1:], map(add, best[-1], gains)), max, initial=0.0)])
        return best

    def is_same(i: int, j: int) -> bool:
        return item_similarity(first[i], second[j]) == 1.0

    def alone(items: Sequence[Item]) -> list[Item]:
        """Return the items, with unmatched temporary groups taken apart."""
        return [kept for item in items for kept in ([item] if id(item) in own else item.kids)]

    ours, theirs = ([item.name for item in items] for items in (first, second))
    matches = match_heaviest(ours, theirs, is_same, table, MAX_TREE_CELLS)
    aligned: list[Aligned] = []
    i = j = 0
    for a, b in [*matches, (len(first), len(second))]:
        pair = (first[a], second[b]) if a < len(first) else None
        aligned.append((alone(first[i:a]), alone(second[j:b]), pair))
        i, j = a + 1, b + 1
    return aligned


def _grouped(items: Sequence[Item], others: Sequence[Item]) -> Sequence[Item]:
    """Return the items with each run of a group's names among ``others`` made a group."""
    groups = [other for other in others if other.name == GROUP and len(other.kids) > 1]
    if not groups or any(item.name == GROUP for item in items):
        return items
    for group in groups:
        names = [kid.name for kid in group.kids]
        grouped: list[Item] = []
        index = 0
        while index < len(items):
            run = items[index : index + len(names)]
            if [item.name for item in run] == names:
                grouped.append(Item(GROUP, list(run), support=max(item.support for item in run)))
                index += len(names)
            else:
                grouped.append(items[index])
                index += 1
        items = grouped
    return items


def best_alternatives(first: Item, second: Item) -> Iterator[tuple[Item | None, Item]]:
    """Pair each alternative of the second item with the most similar free alternative of the first, or ``None``."""
    free = list(first.alternatives)
    for item in second.alternatives:
        scores = [item_similarity(known, item) for known in free]
        best = max(scores, default=0.0)
        yield (free.pop(scores.index(best)) if best else None), item


class PageMapping(NamedTuple):
    """Relation of a page to a template."""

    noise: dict[Piece, float]  # noise confidence of each leaf's content in the template
    stars: list[Item]  # outermost items that repeat on the page or in the template
    present: set[int]  # identities of the template's items found on the page


def map_page(template: Item, page: Item) -> PageMapping:
    """Align a page with a template from the roots down, and give the page's leaves noise confidences."""
    mapping = PageMapping({}, [], set())
    waiting: list[tuple[Item | None, Item, bool]] = [(template, page, False)]
    while waiting:
        known, item, in_star = waiting.pop()
        if not in_star and (item.star or (known is not None and known.star)):
            names = [head.name for head, _ in item.heads] if item.name in COMPOSITE else [item.name]
            in_star = any(name not in PHRASING for name in names)  # a repeat within a run of text belongs to the text
            mapping.stars.extend([item] if in_star else [])
        if known is None:
            waiting.extend((None, kid, in_star) for kid in item.kids)
            continue
        mapping.present.add(id(known))
        for leaf in item.leaves:
            mapping.noise[leaf.place] = max((known.noise.get(feature, 0.0) for feature in leaf.features), default=0.0)
        waiting.extend((first, second, in_star) for first, second in _below(known, item))
    return mapping


def _below(known: Item, item: Item) -> Iterable[tuple[Item | None, Item]]:
    if CHOICE in (known.name, item.name):
        return best_alternatives(known, item)
    if known.shape == item.shape:
        return zip(known.kids, item.kids, strict=True)
    first, second = known.kids, item.kids
    if known.name != item.name:
        first = known.kids if known.name == GROUP else [known]
        second = item.kids if item.name == GROUP else [item]
    pairs: list[tuple[Item | None, Item]] = []
    for _, new, pair in align(first, second):
        pairs += [(None, other) for other in new]
        pairs += [pair] if pair else []
    return pairs


# Generalisation: repeats are folded, and the trees of two pages are merged into one template

SIMILAR_COPIES = 0.8  # least item_similarity of copies of a repeating item
MAX_PERIOD = 4  # items of the longest repeating sequence


def fold_repeats(items: list[Item]) -> list[Item]:
    """Fold every tandem repeat of up to :data:`MAX_PERIOD` siblings into one repeating item, in place."""
    period = 1
    while period <= min(MAX_PERIOD, len(items) // 2):
        runs = _tandem_runs(items, period)
        for start, end in reversed(runs):
            for index in range(start + period, end):
                generalise(items[start + (index - start) % period], items[index], max)
            star = items[start] if period == 1 else Item(GROUP, items[start : start + period])
            star.star = True
            items[start:end] = [star]
        period = 1 if runs else period + 1
    return items


def _tandem_runs(items: Sequence[Item], period: int) -> list[tuple[int, int]]:
    """Return starts and ends of non-overlapping repeats, in order."""
    repeats: list[tuple[int, int]] = []
    length = 0
    pairs = zip(items, items[period:], strict=False)
    copies = [first.name == second.name and item_similarity(first, second) >= SIMILAR_COPIES for first, second in pairs]
    for index, is_copy in enumerate([*copies, False]):
        if not is_copy and length >= period:
            repeats.append((index - length, index - length + (length // period + 1) * period))
        length = length + 1 if is_copy else 0
    taken: set[int] = set()
    chosen: list[tuple[int, int]] = []
    for start, end in sorted(repeats, key=lambda run: (run[0] - run[1], run[0])):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            chosen.append((start, end))
    return sorted(chosen)


def generalise(template: Item, page: Item, pages: Callable[[int, int], int] = add) -> None:
    """Generalise an item by another item with its name, which is used up."""
    merging = _Merging(pages, [(template, page)])
    while merging.waiting:
        known, new = merging.waiting.pop()
        is_equal = known.shape == new.shape
        known.star = known.star or new.star
        known.optional = known.optional or new.optional
        known.marks &= new.marks
        known.support = pages(known.support, new.support)
        for feature, count in new.features.items():
            known.features[feature] = pages(known.features.get(feature, 0), count)
        known.elements += new.elements
        known.leaves += new.leaves
        if is_equal:
            merging.waiting.extend(zip(known.kids, new.kids, strict=True))
        else:
            known.changed()
            known.kids = merging.kids(known.kids, new.kids)


@dataclass(frozen=True, slots=True)
class _Merging:
    pages: Callable[[int, int], int]  # see generalise
    waiting: list[tuple[Item, Item]] = field(default_factory=list)  # aligned pairs still to be merged

    def kids(self, known: Sequence[Item], new: Sequence[Item]) -> list[Item]:
        result: list[Item] = []
        for ours, theirs, pair in align(known, new):
            for item in ours:
                partner = None if item.optional else next((other for other in theirs if not other.optional), None)
                if partner:
                    theirs.remove(partner)
                    item = self._choice(item, partner)
                else:
                    item.optional = True
                result.append(item)
            for item in theirs:
                item.optional = True
                result.append(item)
            if pair:
                result.append(self._joined(*pair))
        return result

    def _choice(self, known: Item, new: Item) -> Item:
        choices = [item for item in (known, new) if item.name == CHOICE]
        return Item(
            CHOICE,
            [*known.alternatives, *new.alternatives],
            star=any(item.star for item in choices),
            optional=known.optional or new.optional,
            support=self.pages(known.support, new.support),
        )

    def _joined(self, known: Item, new: Item) -> Item:
        """Merge two aligned items; their contents are left waiting."""
        if CHOICE in (known.name, new.name):
            choice = self._choice(known, new)
            choice.kids = list(known.alternatives)
            for item in (*known.alternatives, *new.alternatives):
                item.optional = False
            for first, second in list(best_alternatives(known, new)):  # similar alternatives become one
                if first is None:
                    choice.kids.append(second)
                else:
                    choice.kids[choice.kids.index(first)] = self._joined(first, second)
            return choice
        if GROUP in (known.name, new.name):
            known, new = _as_group(known), _as_group(new)
        self.waiting.append((known, new))
        return known


def _as_group(item: Item) -> Item:
    """Wrap an item in a group, unless it is a group, moving repetition and option to the group."""
    if item.name == GROUP:
        return item
    group = Item(GROUP, [item], star=item.star, optional=item.optional, support=item.support)
    item.star = item.optional = False
    return group
