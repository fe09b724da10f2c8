"""The items of a template that is a regular expression over trees, how alike two are, and their alignment.

After R. R. Mehta and A. Madaan, "Web page sectioning using regex-based template" (WWW 2008). The paper names the
operators and the counts but not the algorithm, which is the project's own, see docs/learners/regex_tree.md. An item
may repeat (``A*``, at least once), be absent (``C?``), or be one of several (``E|F``).

Nothing here recurses over the depth of a tree: real pages nest thousands of elements deep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.text import match_sequences

TEXT = "#text"
"""Name of the item of a run of text."""

IMAGE = "img"
"""Name of the item of an image."""

GROUP = "()"
"""Name of the item of a sequence that repeats as a whole."""

CHOICE = "|"
"""Name of the item of alternatives."""

COMPOSITE = frozenset({GROUP, CHOICE})
"""Items that stand for no element of their own."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that format text. One of them more or less does not make a paragraph another kind of item."""

PHRASING = INLINE | {TEXT, "br"}
"""What a run of text consists of."""


class Feature(NamedTuple):
    """Content at a leaf: a ``text``, the target of a ``link`` around it, or the source of an ``image``."""

    kind: str
    value: str


class Leaf(NamedTuple):
    """A run of text or an image of a page.

    :param element: the image, or the element that the text belongs to.
    :param is_tail: whether the text stands behind ``element`` instead of at its beginning.
    :param size: how much of the page it is: characters, and a fixed number of them for an image.
    :param features: what it holds.
    """

    element: etree._Element
    is_tail: bool
    size: int
    features: tuple[Feature, ...]

    @property
    def place(self) -> tuple[etree._Element, bool]:
        """Where it stands."""
        return self.element, self.is_tail

    @property
    def is_linked(self) -> bool:
        """Whether there is a link around it."""
        return any(feature.kind == "link" for feature in self.features)


class Profile(NamedTuple):
    """The names down to two levels below an item, by which items are compared.

    :param always: paths that are in the item whenever it is there; the second of equal paths is another one.
    :param ever: all paths, with those that may be absent.
    """

    always: frozenset[str]
    ever: frozenset[str]


class Head(NamedTuple):
    """An item with a name of its own right below another, whatever groups and choices are between."""

    item: Item
    optional: bool


@dataclass(slots=True, eq=False)
class Item:
    """An item of a template, or of a page whose repeats are folded. It changes while a template is generalised.

    :param name: an element's name, or one of the names above.
    :param kids: the items inside in order; of a choice its alternatives.
    :param marks: identifiers and class names.
    :param star: whether it repeats.
    :param optional: whether it may be absent.
    :param support: pages that have it.
    :param features: of a leaf, how many pages have each feature here.
    :param noise: of a leaf of a finished template, the noise confidence of each feature.
    :param area: of a finished template, the share of a page's area that an element of it has on average, from 0 to 1;
        ``None`` when no browser has measured it.
    :param elements: of a page, the elements that were folded into it.
    :param leaves: of a page, the texts or images that were folded into it.
    :param shape: equal for items with the same structure inside; ``None`` when not known.
    """

    name: str
    kids: list[Item] = field(default_factory=list)
    marks: frozenset[str] = frozenset()
    star: bool = False
    optional: bool = False
    support: int = 1
    features: dict[Feature, int] = field(default_factory=dict)
    noise: dict[Feature, float] = field(default_factory=dict)
    area: float | None = None
    elements: list[etree._Element] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)
    shape: int | None = None
    _heads: list[Head] | None = None
    _profile: Profile | None = None

    @property
    def alternatives(self) -> list[Item]:
        """The alternatives of a choice; of another item itself."""
        return self.kids if self.name == CHOICE else [self]

    @property
    def heads(self) -> list[Head]:
        """See :class:`Head`."""
        if self._heads is None:
            plain = not any(kid.name in COMPOSITE for kid in self.kids) and self.name != CHOICE
            self._heads = [Head(kid, kid.optional) for kid in self.kids] if plain else list(_heads(self))
        return self._heads

    @property
    def profile(self) -> Profile:
        """See :class:`Profile`."""
        if self._profile is None:
            self._profile = _profile(self)
        return self._profile

    def changed(self) -> None:
        """Forget what was derived from what is inside."""
        self.shape = self._heads = self._profile = None


class Shapes:
    """Numbers structures, so that equal subtrees are known at a glance.

    :param known: numbers given before, which are kept and not added to.
    """

    def __init__(self, known: Shapes | None = None) -> None:
        self._known = known._numbers if known else {}
        self._numbers: dict[tuple[object, ...], int] = {}

    def put(self, item: Item) -> None:
        """Set :attr:`Item.shape`. Those of the kids must be set."""
        key = (item.name, item.marks, *[(kid.shape, kid.star, kid.optional) for kid in item.kids])
        number = self._known.get(key)
        if number is None:
            number = self._numbers.setdefault(key, len(self._known) + len(self._numbers))
        item.shape = number

    def put_below(self, item: Item) -> None:
        """Set the shapes of an item and of those inside that are not known."""
        unknown = [item]
        for known in unknown:
            unknown += [kid for kid in known.kids if kid.shape is None]
        for known in reversed(unknown):
            self.put(known)


def similarity(first: Item, second: Item) -> float:
    """How alike two items are, from 0 to 1: Dice's coefficient of their profiles, 0 for different names.

    What may be absent counts only where both have it. A choice is as alike as its best alternative.
    """
    if first.shape is not None and first.shape == second.shape:
        return 1.0
    if first.name != second.name or first.name == CHOICE:
        return _similarity_of_composites(first, second)
    ours, theirs = first.profile, second.profile
    common = 2 * len(ours.ever & theirs.ever)
    missing = len(ours.always - theirs.ever) + len(theirs.always - ours.ever)
    return common / (common + missing) if common else 0.0


def _similarity_of_composites(first: Item, second: Item) -> float:
    """Of a choice its best alternative; of a group with a single item, what they share with the group's items."""
    if CHOICE in (first.name, second.name):
        return max(similarity(a, b) for a in first.alternatives for b in second.alternatives)
    if GROUP in (first.name, second.name):
        group, item = (first, second) if first.name == GROUP else (second, first)
        return max(similarity(head.item, item) for head in group.heads) / len(group.heads)
    return 0.0


def _heads(item: Item) -> Iterator[Head]:
    waiting = [(kid, kid.optional or item.name == CHOICE) for kid in reversed(item.kids)]
    while waiting:
        kid, optional = waiting.pop()
        if kid.name in COMPOSITE:
            absent = optional or kid.name == CHOICE
            waiting.extend((inner, absent or inner.optional) for inner in reversed(kid.kids))
        else:
            yield Head(kid, optional)


def _profile(item: Item) -> Profile:
    paths = _Paths()
    for mark in item.marks:
        paths.add(f".{mark}", False)
    paths.add(item.name, False)
    has_text = False
    for kid, absent in item.heads:
        # The number of formatting elements in a run of text says nothing of the kind of the item.
        optional = absent or kid.name in INLINE or (kid.name == TEXT and has_text)
        has_text = has_text or kid.name == TEXT
        path = f"{item.name}/{kid.name}"
        paths.add(path, optional)
        for below, absent_below in kid.heads:
            paths.add(f"{path}/{below.name}", optional or absent_below or below.name in INLINE)
    return Profile(frozenset(paths.always), frozenset(paths.counts))


class _Paths:
    """Paths while they are collected; equal ones are numbered."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.always: list[str] = []

    def add(self, path: str, optional: bool) -> None:
        count = self.counts.get(path, 0) + 1
        self.counts[path] = count
        if count > 1:
            path = f"{path}#{count}"
            self.counts[path] = 1
        if not optional:
            self.always.append(path)


def expression(items: Iterable[Item]) -> str:
    """A sequence of items as a regular expression over their names, without what is inside elements."""
    return "".join(_written(item) for item in items)


def _written(item: Item) -> str:
    if item.name == GROUP:
        text = f"({expression(item.kids)})"
    elif item.name == CHOICE:
        text = f"({'|'.join(_written(kid) for kid in item.kids)})"
    else:
        text = item.name
    if item.star and item.optional:
        return f"({text}*)?"
    return text + ("*" if item.star else "") + ("?" if item.optional else "")


# Alignment of the items inside two elements: a common subsequence of greatest similarity

MAX_CELLS = 10_000
"""Larger pairs of sequences, of more than 100 x 100 items after folding, are aligned by names alone."""


class Pair(NamedTuple):
    """Items that are aligned with each other, or one that stands alone."""

    first: Item | None
    second: Item | None


def align(first: Sequence[Item], second: Sequence[Item]) -> list[Pair]:
    """The items of two sequences in order, those paired whose similarities add up to the most.

    Runs that repeat as a group on the other side are first made groups as well.
    """
    if _is_plain(first) and [item.name for item in first] == [item.name for item in second]:
        return [Pair(a, b) for a, b in zip(first, second, strict=True)]
    own = {id(item) for item in (*first, *second)}
    first, second = _grouped(first, second), _grouped(second, first)
    pairs: list[Pair] = []
    done = (0, 0)
    for i, j in [*_matches(first, second), (len(first), len(second))]:
        pairs += [Pair(item, None) for item in _ungrouped(first[done[0] : i], own)]
        pairs += [Pair(None, item) for item in _ungrouped(second[done[1] : j], own)]
        if i < len(first):
            pairs.append(Pair(first[i], second[j]))
        done = (i + 1, j + 1)
    return pairs


def _is_plain(items: Sequence[Item]) -> bool:
    """Whether items have names of their own, each another: equal names can then be aligned as they stand."""
    names = {item.name for item in items}
    return len(names) == len(items) and not names & COMPOSITE


def _grouped(items: Sequence[Item], others: Sequence[Item]) -> Sequence[Item]:
    """The items with each run that has the names of a group among ``others`` made a group."""
    groups = [other for other in others if other.name == GROUP]
    if groups and not any(item.name == GROUP for item in items):
        for group in groups:
            items = list(_with_groups(items, [kid.name for kid in group.kids]))
    return items


def _with_groups(items: Sequence[Item], names: Sequence[str]) -> Iterator[Item]:
    index = 0
    while index < len(items):
        run = items[index : index + len(names)]
        if len(names) > 1 and [item.name for item in run] == names:
            yield Item(GROUP, list(run), support=max(item.support for item in run))
            index += len(names)
        else:
            yield items[index]
            index += 1


def _ungrouped(items: Iterable[Item], own: Set[int]) -> Iterator[Item]:
    """The items, groups that were made for the alignment taken apart again.

    :param own: the identities of all other items.
    """
    for item in items:
        if id(item) in own:
            yield item
        else:
            yield from item.kids


def _matches(first: Sequence[Item], second: Sequence[Item]) -> list[tuple[int, int]]:
    """Positions of a common subsequence of greatest total similarity.

    Ends that are alike in all are matched without a table: some best alignment matches them.
    """
    shortest = min(len(first), len(second))
    head = 0
    while head < shortest and similarity(first[head], second[head]) == 1.0:
        head += 1
    tail = 0
    while tail < shortest - head and similarity(first[-1 - tail], second[-1 - tail]) == 1.0:
        tail += 1
    middle = _table_matches(first[head : len(first) - tail], second[head : len(second) - tail])
    return [
        *((k, k) for k in range(head)),
        *((head + i, head + j) for i, j in middle),
        *((len(first) - k, len(second) - k) for k in range(tail, 0, -1)),
    ]


def _table_matches(first: Sequence[Item], second: Sequence[Item]) -> list[tuple[int, int]]:
    """Row by row, the best sum is the one above, the one to the left, or the diagonal one and the pair's own."""
    if not first or not second:
        return []
    if len(first) * len(second) > MAX_CELLS:
        return _name_matches(first, second)
    best = [[0.0] * (len(second) + 1)]
    for gains in _gains(first, second):
        above, left, row = best[-1], 0.0, [0.0]
        for j, gain in enumerate(gains):
            left = max(left, above[j + 1], above[j] + gain if gain else 0.0)
            row.append(left)
        best.append(row)
    return _trace(best)


def _gains(first: Sequence[Item], second: Sequence[Item]) -> Iterator[list[float]]:
    """The similarities of all pairs, row by row; those of equal structures are computed once."""
    known: dict[tuple[int | None, int | None], float] = {}
    for item in first:
        row: list[float] = []
        for other in second:
            if item.name != other.name and not (item.name in COMPOSITE or other.name in COMPOSITE):
                row.append(0.0)
                continue
            shapes = (item.shape, other.shape)
            gain = None if None in shapes else known.get(shapes)
            if gain is None:
                gain = known[shapes] = similarity(item, other)
            row.append(gain)
        yield row


def _name_matches(first: Sequence[Item], second: Sequence[Item]) -> list[tuple[int, int]]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(item.name for item in (*first, *second)))}
    matches = match_sequences([numbers[item.name] for item in first], [numbers[item.name] for item in second])
    return [(match.first, match.second) for match in matches]


def _trace(best: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    matches: list[tuple[int, int]] = []
    i, j = len(best) - 1, len(best[0]) - 1
    while i and j:
        if best[i][j] == best[i][j - 1]:
            j -= 1
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            matches.append((i, j))
    return matches[::-1]


def best_alternatives(first: Item, second: Item) -> Iterator[tuple[Item | None, Item]]:
    """Each alternative of the second item with the most similar free one of the first, or alone."""
    free = list(first.alternatives)
    for item in second.alternatives:
        scores = [similarity(known, item) for known in free]
        best = max(scores, default=0.0)
        yield (free.pop(scores.index(best)) if best else None), item
