"""Generalisation: repeats are folded, and the trees of two pages are merged into one template."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    CHOICE,
    GROUP,
    Item,
    align,
    best_alternatives,
    item_similarity,
)

SIMILAR_COPIES = 0.8  # least item_similarity of items for them to be copies of one that repeats
MAX_PERIOD = 4  # items of the longest sequence that is recognised as repeating


def fold_repeats(items: list[Item]) -> list[Item]:
    """Siblings, which are used up, with every tandem repeat of up to :data:`MAX_PERIOD` made one item that repeats.

    Short periods come first, and of one period the longest repeats; what was folded may repeat again.
    """
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
    """Starts and ends of repeats that don't overlap, in order."""
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


def generalise(template: Item, page: Item, pages: Callable[[int, int], int] = operator.add) -> None:
    """Generalise an item by another one of the same name, which is used up.

    :param pages: on how many pages two items stand together, of the pages of each: their sum when the other item is of
        a further page, ``max`` when both are of the same pages.
    """
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
    """One generalisation."""

    pages: Callable[[int, int], int]  # see generalise
    # pairs of items that were aligned, and that are still to be merged
    waiting: list[tuple[Item, Item]] = field(default_factory=list)

    def kids(self, known: Sequence[Item], new: Sequence[Item]) -> list[Item]:
        """The items inside two elements as one sequence. Between two matches, required items of both sides become
        choices in order, the others optional."""
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
        """The choice between two items that are not aligned."""
        choices = [item for item in (known, new) if item.name == CHOICE]
        return Item(
            CHOICE,
            [*known.alternatives, *new.alternatives],
            star=any(item.star for item in choices),
            optional=known.optional or new.optional,
            support=self.pages(known.support, new.support),
        )

    def _joined(self, known: Item, new: Item) -> Item:
        """The item for two that are aligned; what is inside them is left waiting."""
        if CHOICE in (known.name, new.name):
            choice = self._choice(known, new)
            choice.kids = list(known.alternatives)
            for item in (*known.alternatives, *new.alternatives):
                item.optional = False
            for first, second in list(best_alternatives(known, new)):  # those that are alike become one
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
    """A group of one item, unless it is a group; repeating and being optional are then the group's."""
    if item.name == GROUP:
        return item
    group = Item(GROUP, [item], star=item.star, optional=item.optional, support=item.support)
    item.star = item.optional = False
    return group
