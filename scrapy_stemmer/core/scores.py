"""DiffScore, MainScore, LayoutPatternScore and the title scores of Webstemmer.

All rest on how much two texts have in common. Two matchers tell: :class:`WordMatcher`, which aligns words and
is the default, and :class:`DifflibMatcher`, which compares characters as the original did. A plain longest
common subsequence of characters is no substitute: unrelated English texts share 40 % of their characters, and
the thresholds break (algorithms §1.4).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations

from rapidfuzz.distance import LCSseq

from scrapy_stemmer.core.text import significant, tokens

MAX_TEXTS = 30
"""Texts of a section that are compared with one another; their pairs grow with the square."""

MAX_TOKENS = 3_000
"""Words of a text that are compared; the rest of a longer text is not needed to see that it differs."""

MIN_FALLBACK_SCORE = 1.0
"""A title found without anchor texts must score above this, a constant of the original."""


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

    :param max_tokens: words of a text that are looked at.
    """

    def __init__(self, max_tokens: int = MAX_TOKENS) -> None:
        self._max_tokens = max_tokens
        self._numbers: dict[str, int] = {}
        self._known: dict[str, tuple[list[str], list[int]]] = {}

    def length(self, text: str) -> int:
        """The characters of a text's words."""
        return sum(map(len, self._words(text)[0]))

    def matched_runs(self, first: str, second: str) -> list[int]:
        """The characters of each run of words that stands in both texts; the same whichever text comes first."""
        first, second = sorted((first, second))
        words, ours = self._words(first)
        theirs = self._words(second)[1]
        blocks = LCSseq.opcodes(ours, theirs).as_matching_blocks()
        return [sum(map(len, words[a : a + size])) for a, _, size in blocks if size]

    def _words(self, text: str) -> tuple[list[str], list[int]]:
        if text not in self._known:
            words = tokens(text)[: self._max_tokens]
            self._known[text] = words, [self._numbers.setdefault(w, len(self._numbers)) for w in words]
        return self._known[text]


class DifflibMatcher(TextMatcher):
    """Ratcliff-Obershelp over significant characters, popular ones left out, as the original.

    The longer text comes first; of two equally long ones the result depends on their order.
    """

    def length(self, text: str) -> int:
        """The significant characters of a text."""
        return len(significant(text))

    def matched_runs(self, first: str, second: str) -> list[int]:
        """The length of each matching block of ``difflib``."""
        return difflib_runs(significant(first), significant(second))


def difflib_runs(first: str, second: str) -> list[int]:
    """The lengths of difflib's matching blocks of two texts, the longer one first."""
    if len(first) < len(second):
        first, second = second, first
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    return [block.size for block in blocks if block.size]


def diff_score(texts: Sequence[str], matcher: TextMatcher, max_texts: int = MAX_TEXTS) -> float:
    """How much the texts of a section differ from page to page, from 0 (all equal) to 1.

    Of every pair of texts, the share of characters that is not common to both, pairs weighted by their
    length; pairs with an empty text don't count (Webstemmer, "How it works", step 4).

    :param texts: the text of the section on each page.
    :param max_texts: of more different texts than this, evenly spaced ones are compared.
    """
    counts = Counter(text for text in texts if matcher.length(text))
    distinct = _thinned(list(counts), max_texts)
    total = different = 0
    for text in distinct:
        pairs = counts[text] * (counts[text] - 1) // 2
        total += pairs * 2 * matcher.length(text)
    for first, second in combinations(distinct, 2):
        pairs = counts[first] * counts[second]
        both = matcher.length(first) + matcher.length(second)
        total += pairs * both
        different += pairs * (both - 2 * matcher.matched(first, second))
    return different / max(1, total)


def _thinned(texts: list[str], most: int) -> list[str]:
    """At most ``most`` texts, evenly spaced."""
    if len(texts) <= most:
        return texts
    return [texts[index * len(texts) // most] for index in range(most)]


def main_score(score: float, weights: Sequence[int]) -> float:
    """MainScore: DiffScore times the mean number of significant characters outside links.

    :param score: the section's DiffScore.
    :param weights: for each page, the section's ``weight_noanchor``.
    """
    return score * sum(weights) / len(weights) if weights else 0.0


def layout_pattern_score(main_scores: Sequence[float], pages: int) -> float:
    """LayoutPatternScore: the logarithm of the number of pages times the sum of the MainScores."""
    return math.log(pages) * sum(main_scores) if pages else 0.0


def dice(first: str, second: str, matcher: TextMatcher) -> float:
    """Twice the common characters over all characters of two texts, from 0 to 1."""
    total = matcher.length(first) + matcher.length(second)
    return 2 * matcher.matched(first, second) / total if total else 0.0


def anchor_title_score(text: str, anchors: Sequence[str], score: float, matcher: TextMatcher) -> float:
    """How well a section's text on a page agrees with the best text of a link to the page, times DiffScore."""
    return score * max((dice(anchor, text, matcher) for anchor in anchors), default=0.0)


def fallback_title_score(text: str, main_text: str, score: float, matcher: TextMatcher) -> float:
    """How much of a section's text comes back in the page's main text, long runs counting more.

    The squares of the matched runs over the length of the text, times DiffScore (the original's way without
    anchor texts).
    """
    length = matcher.length(text)
    return score * sum(n * n for n in matcher.matched_runs(text, main_text)) / length if length else 0.0
