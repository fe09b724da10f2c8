"""Alignment of the items inside two elements: a common subsequence of greatest similarity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from scrapy_stemmer.core.text import match_sequences
from scrapy_stemmer.learners.regex_tree.template_tree import COMPOSITE, GROUP, Item, similarity

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
