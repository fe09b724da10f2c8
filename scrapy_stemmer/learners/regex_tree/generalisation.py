"""Generalisation: repeats are folded, and the trees of two pages are merged into one template."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scrapy_stemmer.learners.regex_tree.template_tree import (
    CHOICE,
    GROUP,
    Item,
    Pair,
    Shapes,
    align,
    best_alternatives,
    similarity,
)

SIMILAR_COPIES = 0.8
"""Least similarity of items for them to be copies of one that repeats."""

MAX_PERIOD = 4
"""Items of the longest sequence that is recognised as repeating."""


def fold(items: list[Item], shapes: Shapes) -> list[Item]:
    """The items with every tandem repeat of one to :data:`MAX_PERIOD` items made one item that repeats.

    Short periods come first, and of one period the longest repeats; what was folded may repeat again.

    :param items: siblings of one page; they are used up.
    """
    period = 1
    while period <= min(MAX_PERIOD, len(items) // 2):
        runs = _tandem_runs(items, period)
        if runs:
            items = _fold_runs(items, period, runs, shapes)
        period = 1 if runs else period + 1
    return items


def _tandem_runs(items: Sequence[Item], period: int) -> list[tuple[int, int]]:
    """Starts and ends of repeats that don't overlap, in order."""
    found: list[tuple[int, int]] = []
    length = 0
    for index in range(len(items) - period + 1):
        if index + period < len(items) and _are_copies(items[index], items[index + period]):
            length += 1
            continue
        if length >= period:
            found.append((index - length, index - length + (length // period + 1) * period))
        length = 0
    if period == 1:
        return found
    taken = bytearray(len(items))
    chosen: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda run: (run[0] - run[1], run[0])):
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            chosen.append((start, end))
    return sorted(chosen)


def _are_copies(first: Item, second: Item) -> bool:
    return first.name == second.name and similarity(first, second) >= SIMILAR_COPIES


def _fold_runs(items: list[Item], period: int, runs: Iterable[tuple[int, int]], shapes: Shapes) -> list[Item]:
    result: list[Item] = []
    done = 0
    for start, end in runs:
        result += [*items[done:start], _star(items[start:end], period, shapes)]
        done = end
    return result + items[done:]


def _star(copies: Sequence[Item], period: int, shapes: Shapes) -> Item:
    for index in range(period, len(copies)):
        merge(copies[index % period], copies[index], across_pages=False)
    star = copies[0] if period == 1 else Item(GROUP, list(copies[:period]))
    star.star = True
    shapes.put_below(star)
    return star


def merge(template: Item, page: Item, *, across_pages: bool = True) -> None:
    """Generalise an item by another one of the same name, which is used up.

    :param across_pages: whether the other one comes from a further page, so that pages add up; else both are of
        the same pages.
    """
    merging = _Merging(across_pages, [(template, page)])
    while merging.waiting:
        known, new = merging.waiting.pop()
        merging.count(known, new)
        if known.shape is not None and known.shape == new.shape:
            merging.waiting.extend(zip(known.kids, new.kids, strict=True))
        else:
            known.changed()
            known.kids = merging.kids(known.kids, new.kids)


@dataclass(frozen=True, slots=True)
class _Merging:
    """One generalisation.

    :param waiting: pairs of items that were aligned, and whose insides are still to be merged.
    """

    across_pages: bool
    waiting: list[tuple[Item, Item]] = field(default_factory=list)

    def count(self, known: Item, new: Item) -> None:
        known.star = known.star or new.star
        known.optional = known.optional or new.optional
        if known.marks is not new.marks:
            known.marks &= new.marks
        known.support = self._pages(known, new)
        self._add_features(known, new)
        known.elements += new.elements
        known.leaves += new.leaves

    def _pages(self, known: Item, new: Item) -> int:
        return known.support + new.support if self.across_pages else max(known.support, new.support)

    def _add_features(self, known: Item, new: Item) -> None:
        for feature, pages in new.features.items():
            before = known.features.get(feature, 0)
            known.features[feature] = before + pages if self.across_pages else max(before, pages)

    def kids(self, known: Sequence[Item], new: Sequence[Item]) -> list[Item]:
        result: list[Item] = []
        gap: list[Pair] = []
        for pair in align(known, new) if known or new else ():
            if pair.first is None or pair.second is None:
                gap.append(pair)
            else:
                result += [*self._closed(gap), self._joined(pair.first, pair.second)]
                gap = []
        return result + self._closed(gap)

    def _closed(self, gap: Sequence[Pair]) -> list[Item]:
        """The items between two matches: required ones of both sides become choices in order, others optional."""
        partners = deque(pair.second for pair in gap if pair.second is not None and not pair.second.optional)
        result: list[Item] = []
        used: set[int] = set()
        for known in (pair.first for pair in gap if pair.first is not None):
            if known.optional or not partners:
                known.optional = True
                result.append(known)
            else:
                used.add(id(partners[0]))
                result.append(self._choice(known, partners.popleft()))
        for new in (pair.second for pair in gap if pair.second is not None and id(pair.second) not in used):
            new.optional = True
            result.append(new)
        return result

    def _choice(self, known: Item, new: Item) -> Item:
        """The choice between two items that are not aligned."""
        choices = [item for item in (known, new) if item.name == CHOICE]
        return Item(
            CHOICE,
            [*known.alternatives, *new.alternatives],
            star=any(item.star for item in choices),
            optional=known.optional or new.optional,
            support=self._pages(known, new),
        )

    def _joined(self, known: Item, new: Item) -> Item:
        """The item for two that are aligned; what is inside them is left waiting."""
        if CHOICE in (known.name, new.name):
            return self._joined_choices(known, new)
        if GROUP in (known.name, new.name):
            known, new = _as_group(known), _as_group(new)
        self.waiting.append((known, new))
        return known

    def _joined_choices(self, known: Item, new: Item) -> Item:
        """Alternatives that are alike become one, the others are added."""
        choice = self._choice(known, new)
        choice.kids = list(known.alternatives)
        for item in (*known.alternatives, *new.alternatives):
            item.optional = False
        for first, second in list(best_alternatives(known, new)):
            if first is None:
                choice.kids.append(second)
            else:
                choice.kids[choice.kids.index(first)] = self._joined(first, second)
        return choice


def _as_group(item: Item) -> Item:
    """A group of one item, unless it is a group; repeating and being optional are then the group's."""
    if item.name == GROUP:
        return item
    group = Item(GROUP, [item], star=item.star, optional=item.optional, support=item.support)
    item.star = item.optional = False
    return group
