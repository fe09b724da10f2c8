"""What two sequences, or two texts, have in common: their longest, or their heaviest, common subsequence.

Two matchers compare texts: :class:`WordMatcher` aligns words and is the default, :class:`DifflibMatcher` compares
characters as Webstemmer did. A plain longest common subsequence of characters is no substitute: unrelated English
texts share 40 % of their characters, and the thresholds of the scores break.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple

from rapidfuzz.distance import LCSseq

from scrapy_stemmer.core.text import significant, tokens


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


# Texts

MAX_TOKENS = 3_000  # words of a text that are compared; the rest of a longer text is not needed to see that it differs


class TextMatcher(ABC):
    """What two texts have in common, as lengths of matched runs of characters."""

    @abstractmethod
    def length(self, text: str) -> int:
        """The characters of a text that count."""

    @abstractmethod
    def matched_runs(self, first: str, second: str) -> list[int]:
        """The lengths in characters of the runs that an alignment of two texts has in common."""

    def matched(self, first: str, second: str) -> int:
        """The number of characters that two texts have in common."""
        return self.length(first) if first == second else sum(self.matched_runs(first, second))


class WordMatcher(TextMatcher):
    """Longest common subsequence of words, a word counting its characters; CJK characters are words."""

    def __init__(self) -> None:
        numbers: dict[str, int] = {}

        @cache
        def read(text: str) -> tuple[list[str], list[int]]:
            words = tokens(text)[:MAX_TOKENS]
            return words, [numbers.setdefault(word, len(numbers)) for word in words]

        self._read = read

    def length(self, text: str) -> int:
        return sum(map(len, self._read(text)[0]))

    def matched_runs(self, first: str, second: str) -> list[int]:
        """The same whichever text comes first."""
        (words, ours), (_, theirs) = map(self._read, sorted((first, second)))
        blocks = LCSseq.opcodes(ours, theirs).as_matching_blocks()
        return [sum(map(len, words[a : a + size])) for a, _, size in blocks if size]


class DifflibMatcher(TextMatcher):
    """Ratcliff-Obershelp over significant characters, popular ones left out, as the original. The longer text comes
    first; of two equally long ones the result depends on their order."""

    def length(self, text: str) -> int:
        return len(significant(text))

    def matched_runs(self, first: str, second: str) -> list[int]:
        longer, shorter = sorted((significant(first), significant(second)), key=len, reverse=True)
        blocks = SequenceMatcher(None, longer, shorter).get_matching_blocks()
        return [block.size for block in blocks if block.size]


def dice(first: str, second: str, matcher: TextMatcher) -> float:
    """Twice the common characters over all characters of two texts, from 0 to 1."""
    total = matcher.length(first) + matcher.length(second)
    return 2 * matcher.matched(first, second) / total if total else 0.0
