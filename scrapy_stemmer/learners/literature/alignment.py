"""Alignment of two sequences: their longest, or their heaviest, common subsequence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from rapidfuzz.distance import LCSseq


class Match(NamedTuple):
    """A position in the first sequence that is aligned with one in the second."""

    first: int
    second: int


def match_sequences(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Match]:
    """A longest common subsequence of two sequences, as pairs of positions."""
    blocks = LCSseq.opcodes(first, second).as_matching_blocks()
    return [Match(a + k, b + k) for a, b, size in blocks for k in range(size)]


def match_heaviest(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    is_same: Callable[[int, int], bool],
    table: Callable[[slice, slice], Any],
    max_cells: int,
) -> list[Match]:
    """A common subsequence of two sequences whose pairs gain the most, as pairs of positions.

    Common ends are matched first, without a table; a heavier alignment that gives up a common end is not looked for.

    :param first: the names of its items. They are aligned instead, every pair counting one, where the table of what is
        between common ends would be too large.
    :param is_same: whether the items at two positions, also counted from the ends, may be a common end.
    :param table: for a slice of each sequence what can be gained, ``[i][j]`` by their first ``i`` and ``j`` items.
    :param max_cells: cells of the largest table.
    """
    shortest = min(len(first), len(second))
    head = next((k for k in range(shortest) if not is_same(k, k)), shortest)
    tail = next((k for k in range(shortest - head) if not is_same(-1 - k, -1 - k)), shortest - head)
    i, j = len(first) - head - tail, len(second) - head - tail
    middle: list[Match] = []
    if i * j > max_cells:
        middle = match_sequences(first[head : head + i], second[head : head + j])
    elif i * j:
        best = table(slice(head, head + i), slice(head, head + j))
        while i and j:
            if best[i][j] == best[i][j - 1]:
                j -= 1
            elif best[i][j] == best[i - 1][j]:
                i -= 1
            else:
                i, j = i - 1, j - 1
                middle.insert(0, Match(i, j))
    return [
        *(Match(k, k) for k in range(head)),
        *(Match(head + a, head + b) for a, b in middle),
        *(Match(len(first) - k, len(second) - k) for k in range(tail, 0, -1)),
    ]
