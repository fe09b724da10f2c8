"""What two texts have in common.

Two matchers compare texts: :class:`WordMatcher` aligns words and is the default, :class:`DifflibMatcher` compares
characters as Webstemmer did. A plain longest common subsequence of characters is no substitute: unrelated English
texts share 40 % of their characters, and the thresholds of the scores break.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from difflib import SequenceMatcher
from functools import cache

from rapidfuzz.distance import LCSseq

from scrapy_stemmer.core.text import significant, tokens

MAX_TOKENS = 3_000
"""Words of a text that are compared; the rest of a longer text is not needed to see that it differs."""


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
    """Longest common subsequence of words, a word counting its characters; CJK characters are words.

    :param max_tokens: words of a text that are compared; the rest is not needed to see that longer ones differ.
    """

    def __init__(self, max_tokens: int = MAX_TOKENS) -> None:
        numbers: dict[str, int] = {}

        @cache
        def read(text: str) -> tuple[list[str], list[int]]:
            words = tokens(text)[:max_tokens]
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
    """Ratcliff-Obershelp over significant characters, popular ones left out, as the original.

    The longer text comes first; of two equally long ones the result depends on their order.
    """

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
