"""Longest or heaviest common subsequences of two sequences or texts.

:class:`TextMatcher`, the default, aligns words; :class:`DifflibMatcher` compares characters as Webstemmer did. A plain
longest common subsequence of characters is no substitute: unrelated English texts share 40 % of their characters,
which breaks the thresholds of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple

from rapidfuzz.distance import LCSseq

from scrapy_stemmer.page.text import significant, tokens


class Match(NamedTuple):
    """A position in the first sequence and the position in the second aligned with it."""

    first: int
    second: int


def match_sequences(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Match]:
    blocks = LCSseq.opcodes(first, second).as_matching_blocks()
    return [Match(a + k, b + k) for a, b, size in blocks for k in range(size)]


def match_heaviest(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    is_same: Callable[[int, int], bool],
    table: Callable[[slice, slice], Any],
    max_cells: int,
) -> list[Match]:
    """Return a common subsequence of greatest gain as pairs of positions.

    Common ends are matched first, without a table, even where a heavier alignment would give one up.
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


# Texts

MAX_TOKENS = 3_000  # words compared of a text; enough to see that two texts differ


class TextMatcher:
    """Lengths of the common runs of two texts: the longest common subsequence of words, weighted by their characters.

    A CJK character is a word.
    """

    def __init__(self) -> None:
        numbers: dict[str, int] = {}

        @cache
        def read(text: str) -> tuple[list[str], list[int]]:
            words = tokens(text)[:MAX_TOKENS]
            return words, [numbers.setdefault(word, len(numbers)) for word in words]

        self._read = read

    def length(self, text: str) -> int:
        """Count the characters of a text, as the matcher counts them."""
        return sum(map(len, self._read(text)[0]))

    def matched_runs(self, first: str, second: str) -> list[int]:
        """Return the lengths in characters of the runs in an alignment of two texts."""
        (words, ours), (_, theirs) = map(self._read, sorted((first, second)))
        blocks = LCSseq.opcodes(ours, theirs).as_matching_blocks()
        return [sum(map(len, words[a : a + size])) for a, _, size in blocks if size]

    def matched(self, first: str, second: str) -> int:
        return self.length(first) if first == second else sum(self.matched_runs(first, second))


class DifflibMatcher(TextMatcher):
    """Ratcliff-Obershelp over significant characters without popular ones, as in the original."""

    def length(self, text: str) -> int:
        return len(significant(text))

    def matched_runs(self, first: str, second: str) -> list[int]:
        longer, shorter = sorted((significant(first), significant(second)), key=len, reverse=True)
        blocks = SequenceMatcher(None, longer, shorter).get_matching_blocks()
        return [block.size for block in blocks if block.size]


def dice(first: str, second: str, matcher: TextMatcher) -> float:
    total = matcher.length(first) + matcher.length(second)
    return 2 * matcher.matched(first, second) / total if total else 0.0
