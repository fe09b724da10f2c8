"""DiffScore, MainScore, LayoutPatternScore and the title scores (Webstemmer, "How it works", steps 4 to 6).

All rest on how much two texts have in common, see :mod:`scrapy_stemmer.core.text`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from scrapy_stemmer.core.text import TextMatcher, dice

MAX_TEXTS = 30
"""Texts of a section that are compared with one another; their pairs grow with the square."""

MIN_FALLBACK_SCORE = 1.0
"""A title found without anchor texts must score above this, a constant of the original."""


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
