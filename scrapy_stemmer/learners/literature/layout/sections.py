"""Sections while they are learned: their blocks on every page, their scores, and which one holds the title.

DiffScore, MainScore, LayoutPatternScore and the title scores are those of Webstemmer ("How it works", steps 4 to 6).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.learners.literature.alignment import TextMatcher, dice
from scrapy_stemmer.learners.literature.base import DIGITS
from scrapy_stemmer.learners.literature.layout.alignment import Assign
from scrapy_stemmer.learners.literature.layout.pattern import Section

MAX_TEXTS = 30  # texts of a section that are compared with one another; their pairs grow with the square
MIN_FALLBACK_SCORE = 1.0  # a title found without anchor texts must score above this, a constant of the original

MIN_DIFFSCORE_OF_REPEATED = 0.2
"""Repeated texts are listed for sections that vary at least so much; others are template as a whole."""


def diff_score(texts: Sequence[str], matcher: TextMatcher) -> float:
    """How much the texts of a section on each page differ, from 0 (all equal) to 1.

    Of every pair of texts, the share of characters that is not common to both, pairs weighted by their length; pairs
    with an empty text don't count. Of more than :data:`MAX_TEXTS` different texts evenly spaced ones are compared.
    """
    counts = Counter(text for text in texts if matcher.length(text))
    distinct = list(counts)
    if len(distinct) > MAX_TEXTS:
        distinct = [distinct[index * len(distinct) // MAX_TEXTS] for index in range(MAX_TEXTS)]
    total = different = 0
    for text in distinct:
        total += counts[text] * (counts[text] - 1) * matcher.length(text)
    for first, second in combinations(distinct, 2):
        pairs = counts[first] * counts[second]
        both = matcher.length(first) + matcher.length(second)
        total += pairs * both
        different += pairs * (both - 2 * matcher.matched(first, second))
    return different / max(1, total)


@dataclass(frozen=True, slots=True)
class Column:
    """A section's blocks on each page of a cluster."""

    feature: str  # the path of its blocks
    cells: Sequence[Sequence[LayoutBlock]]  # for each page its blocks there
    diffscore: float  # how much its text differs from page to page, from 0 to 1

    def text(self, page: int) -> str:
        """The section's text on a page, a block a line."""
        return "\n".join(block.text for block in self.cells[page])

    def mainscore(self) -> float:
        """MainScore: DiffScore times the significant characters outside links that a page has on average."""
        return self.diffscore * sum(block.weight_noanchor for cell in self.cells for block in cell) / len(self.cells)

    def section(self, repeated_pages: int) -> Section:
        """The section of a pattern; its texts of single blocks on so many pages are template, 0 for none."""
        counts = Counter(text for cell in self.cells for text in {block.text for block in cell})
        lists_repeated = repeated_pages and self.diffscore >= MIN_DIFFSCORE_OF_REPEATED
        return Section(
            feature=self.feature,
            diffscore=round(self.diffscore, DIGITS),
            mainscore=round(self.mainscore(), DIGITS),
            support=sum(1 for cell in self.cells if cell),
            repeated=tuple(sorted(text for text in counts if lists_repeated and counts[text] >= repeated_pages)),
        )


def columns_of(
    pages: Sequence[Sequence[LayoutBlock]], features: Sequence[str], assign: Assign, matcher: TextMatcher
) -> list[Column]:
    """The sections of a cluster's pages, given by their blocks; those left out that no page has."""
    cells: list[list[list[LayoutBlock]]] = [[[] for _ in pages] for _ in features]
    for number, blocks in enumerate(pages):
        for block, owner in zip(blocks, assign(features, blocks), strict=True):
            if owner is not None:
                cells[owner][number].append(block)
    texts = [["\n".join(block.text for block in cell) for cell in rows] for rows in cells]
    columns = zip(features, cells, texts, strict=True)
    return [Column(feature, rows, diff_score(of_pages, matcher)) for feature, rows, of_pages in columns if any(rows)]


def layout_pattern_score(main_scores: Sequence[float], pages: int) -> float:
    """LayoutPatternScore: the logarithm of the number of pages times the sum of the MainScores."""
    return math.log(pages) * sum(main_scores) if pages else 0.0


def anchor_title_score(text: str, anchors: Sequence[str], score: float, matcher: TextMatcher) -> float:
    """How well a section's text on a page agrees with the best text of a link to the page, times DiffScore."""
    return score * max((dice(anchor, text, matcher) for anchor in anchors), default=0.0)


def fallback_title_score(text: str, main_text: str, score: float, matcher: TextMatcher) -> float:
    """How much of a section's text comes back in the page's main text: the squares of the matched runs over the length
    of the text, times DiffScore (the original's way without anchor texts)."""
    length = matcher.length(text)
    return score * sum(n * n for n in matcher.matched_runs(text, main_text)) / length if length else 0.0


def title_column(
    columns: Sequence[Column],
    anchors: Sequence[Sequence[str]],
    threshold: float,
    matcher: TextMatcher,
    *,
    amid_main: bool = False,
) -> int | None:
    """The index of the section that most pages vote for, ``None`` when most find none.

    Titles are looked for before the main text only, that is, before the first section with the feature of the
    highest MainScore. A page votes by the texts of links to it; where they find none, by its main text.

    :param anchors: for each page of the cluster, the texts of links to it.
    :param threshold: least agreement with a link's text.
    :param amid_main: stop at the section of the highest MainScore itself, as the original does.
    """
    if not columns:
        return None
    largest = max(columns, key=Column.mainscore)
    end = columns.index(largest) if amid_main else [column.feature for column in columns].index(largest.feature)
    candidates = columns[:end]
    votes: Counter[int | None] = Counter()
    for page, links in enumerate(anchors):
        texts = [(column.text(page), column.diffscore) for column in candidates]
        vote = _first_best([anchor_title_score(text, links, score, matcher) for text, score in texts], threshold)
        if vote is None:
            main_text = largest.text(page)
            by_main_text = [fallback_title_score(text, main_text, score, matcher) for text, score in texts]
            vote = _first_best(by_main_text, MIN_FALLBACK_SCORE)
        votes[vote] += 1
    return min(votes, key=lambda vote: (-votes[vote], len(columns) if vote is None else vote))


def _first_best(scores: Sequence[float], above: float) -> int | None:
    """The index of the highest score, the first one on ties; ``None`` when none is above the threshold."""
    best = max(scores, default=above)
    return scores.index(best) if best > above else None
