"""The items of a template that is a regular expression over trees, and how alike two items are.

After R. R. Mehta and A. Madaan, "Web page sectioning using regex-based template" (WWW 2008). The paper names the
operators and the counts but not the algorithm, which is the project's own, see docs/learners/regex_tree.md. An item
may repeat (``A*``, at least once), be absent (``C?``), or be one of several (``E|F``).

Nothing here recurses over the depth of a tree: real pages nest thousands of elements deep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

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
