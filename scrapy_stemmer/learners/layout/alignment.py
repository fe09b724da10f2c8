"""Alignment of two pages' block sequences, and the similarity that follows from it.

Pages differ in how many paragraphs an article has, so runs of blocks with one feature are collapsed first
(:class:`Runs`), runs are aligned by a longest common subsequence, and runs left over beside a matched run of
the same feature are absorbed by it (on 831 pairs of real pages this follows the original's
similarity to within .008 on average, at a six-hundredth of its time).

The decision "similar enough" is a cascade: an upper bound that needs no alignment, then the bit-parallel
alignment of rapidfuzz, then an alignment that weighs runs by their text. The cascade is the definition: its
second step may exceed the third by up to .05.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.text import Match, match_sequences

MAX_CELLS = 4_000_000
"""The weighted alignment keeps a table of runs x runs, 8 bytes a cell; for a larger one runs count one each.
Two pages of 2,000 runs each; real pages have 127 on average."""


@dataclass(frozen=True, slots=True)
class Runs:
    """A page's blocks with neighbours of one feature collapsed into runs.

    :param features: numbers of the features, see :func:`number_features`.
    :param weights: significant characters of each run.
    :param starts: index of each run's first block, and the number of blocks as last element.
    """

    features: tuple[int, ...]
    weights: tuple[int, ...]
    starts: tuple[int, ...]

    @property
    def weight(self) -> int:
        """Significant characters of the page."""
        return sum(self.weights)

    def feature_weights(self) -> Counter[int]:
        """Significant characters for each feature."""
        total: Counter[int] = Counter()
        for feature, weight in zip(self.features, self.weights, strict=True):
            total[feature] += weight
        return total


def number_features(pages: Iterable[Iterable[LayoutBlock]]) -> dict[str, int]:
    """Number the features of a site by falling frequency, ties by name.

    rapidfuzz compares integers below 256 about three times as fast as larger ones, hence the order.
    """
    counts = Counter(block.path for blocks in pages for block in blocks)
    ranked = sorted(counts, key=lambda path: (-counts[path], path))
    return {path: number for number, path in enumerate(ranked)}


def runs_of(blocks: Sequence[LayoutBlock], numbers: Mapping[str, int]) -> Runs:
    """The runs of a page.

    :param numbers: the site's features; all features that it lacks share one further number, which no
        pattern can hold.
    """
    unknown = len(numbers)
    features: list[int] = []
    weights: list[int] = []
    starts: list[int] = []
    for index, block in enumerate(blocks):
        feature = numbers.get(block.path, unknown)
        if features and features[-1] == feature:
            weights[-1] += block.weight
        else:
            features.append(feature)
            weights.append(block.weight)
            starts.append(index)
    return Runs(tuple(features), tuple(weights), (*starts, len(blocks)))


def similar(first: Runs, second: Runs, threshold: float) -> bool:
    """Whether two pages are at least ``threshold`` similar, by the cascade of bounds."""
    if similarity_bound(first, second) < threshold:
        return False
    if similarity(first, second, align(first, second)) >= threshold:
        return True
    return similarity(first, second, align_weighted(first, second)) >= threshold


def similarity(first: Runs, second: Runs, matches: Sequence[Match]) -> float:
    """Share of both pages' text that stands in matched or absorbed runs, from 0 to 1.

    The published formula would give identical pages 0.5; like the original's program this counts the matched
    weight of both pages.
    """
    total = first.weight + second.weight
    if not total:
        return 0.0
    matched = _assigned_weight(first, [m.first for m in matches]) + _assigned_weight(
        second, [m.second for m in matches]
    )
    return matched / total


def similarity_bound(first: Runs, second: Runs) -> float:
    """An upper bound of :func:`similarity`: the share of text under features that both pages have."""
    total = first.weight + second.weight
    if not total:
        return 0.0
    ours, theirs = first.feature_weights(), second.feature_weights()
    return sum(ours[feature] + theirs[feature] for feature in ours.keys() & theirs.keys()) / total


def similarity_bounds(pages: Sequence[Runs]) -> npt.NDArray[np.float64]:
    """:func:`similarity_bound` of all pairs of pages as a matrix."""
    width = 1 + max((feature for page in pages for feature in page.features), default=0)
    weights = np.zeros((len(pages), width))
    for row, page in enumerate(pages):
        for feature, weight in page.feature_weights().items():
            weights[row, feature] = weight
    shared = weights @ (weights > 0).T.astype(np.float64)
    totals = weights.sum(axis=1)
    sums = totals[:, None] + totals[None, :]
    bounds: npt.NDArray[np.float64] = np.divide(shared + shared.T, sums, out=np.zeros_like(sums), where=sums > 0)
    return bounds


def align(first: Runs, second: Runs) -> list[Match]:
    """A longest common subsequence of two pages' runs, every run counting one."""
    return match_sequences(first.features, second.features)


def align_weighted(first: Runs, second: Runs) -> list[Match]:
    """A common subsequence of two pages' runs whose text, of both pages together, is the most."""
    return match_weighted(first.features, first.weights, second.features, second.weights)


def match_weighted(
    first: Sequence[int], first_weights: Sequence[int], second: Sequence[int], second_weights: Sequence[int]
) -> list[Match]:
    """The common subsequence of greatest weight, a pair of positions weighing what both sides weigh.

    Common ends are matched first, without a table. Between them the alignment is the heaviest one; a heavier one
    that gives up a common end is not looked for (on 342 real pages that changes F1 by less than .006 either way).
    """
    head = _common_prefix(first, second)
    tail = _common_prefix(first[head:][::-1], second[head:][::-1])
    a_end, b_end = len(first) - tail, len(second) - tail
    if (a_end - head) * (b_end - head) > MAX_CELLS:
        middle = match_sequences(first[head:a_end], second[head:b_end])
    else:
        middle = _weighted_middle(
            np.asarray(first[head:a_end]),
            np.asarray(first_weights[head:a_end], dtype=np.int64),
            np.asarray(second[head:b_end]),
            np.asarray(second_weights[head:b_end], dtype=np.int64),
        )
    return [
        *(Match(k, k) for k in range(head)),
        *(Match(head + a, head + b) for a, b in middle),
        *(Match(a_end + k, b_end + k) for k in range(tail)),
    ]


def _common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    for length, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return length
    return min(len(first), len(second))


def _weighted_middle(
    first: npt.NDArray[np.int64],
    first_weights: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    second_weights: npt.NDArray[np.int64],
) -> list[Match]:
    """Row by row: best[i][j] is the larger of the cell above, the cell to the left, and diagonal + weight."""
    if not len(first) or not len(second):
        return []
    best = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int64)
    for i, feature in enumerate(first):
        gain = np.where(second == feature, first_weights[i] + second_weights, 0)
        diagonal = np.where(gain > 0, best[i, :-1] + gain, 0)
        best[i + 1, 1:] = np.maximum.accumulate(np.maximum(best[i, 1:], diagonal))
    return _trace(best, first, second)


def _trace(best: npt.NDArray[np.int64], first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> list[Match]:
    matches: list[Match] = []
    i, j = len(first), len(second)
    while i and j:
        if best[i, j] == best[i, j - 1]:
            j -= 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            matches.append(Match(i, j))
    return matches[::-1]


def absorb(runs: Runs, matched: Sequence[int]) -> dict[int, int]:
    """Which matched run each run of a page belongs to: itself, or a neighbouring match of its feature.

    :param matched: positions of the matched runs, ascending.
    :returns: position of a run -> position of the matched run that it belongs to. A run that was not matched
        belongs to the match before its gap, or to the one after it, when that has the run's feature; the one
        before is preferred. Other runs are absent.
    """
    owner = {position: position for position in matched}
    for before, after in zip([-1, *matched], [*matched, len(runs.features)], strict=True):
        for position in range(before + 1, after):
            for candidate in (before, after):
                if 0 <= candidate < len(runs.features) and runs.features[candidate] == runs.features[position]:
                    owner[position] = candidate
                    break
    return owner


def _assigned_weight(runs: Runs, matched: Sequence[int]) -> int:
    return sum(runs.weights[position] for position in absorb(runs, matched))


@dataclass(frozen=True, slots=True)
class Element:
    """A place in the common sequence.

    :param feature: number of its feature.
    :param support: pages that have it.
    :param weight: significant characters that these pages have there, all together.
    """

    feature: int
    support: int
    weight: int


def consensus(pages: Sequence[Runs], share: float) -> list[int]:
    """The features that at least a share of the pages have, in the order in which the pages have them.

    Page after page is aligned with the sequence so far; what only one side has is kept in place until all
    pages have been seen.

    :param pages: in a fixed order.
    :param share: from 0 to 1; 1 keeps what all pages have.
    """
    elements: list[Element] = []
    for page in pages:
        elements = list(_merged(elements, page))
    least = max(1, math.ceil(share * len(pages)))
    kept = [element.feature for element in elements if element.support >= least]
    return [feature for index, feature in enumerate(kept) if index == 0 or kept[index - 1] != feature]


def _merged(elements: list[Element], page: Runs) -> Iterator[Element]:
    matches = match_weighted(
        [element.feature for element in elements],
        [element.weight // element.support for element in elements],
        page.features,
        page.weights,
    )
    absorbed = absorb(page, [match.second for match in matches])
    before = Match(-1, -1)
    for match in [*matches, Match(len(elements), len(page.features))]:
        yield from elements[before.first + 1 : match.first]
        for position in range(before.second + 1, match.second):
            if position not in absorbed:
                yield Element(page.features[position], 1, page.weights[position])
        if match.first < len(elements):
            element = elements[match.first]
            weight = element.weight + page.weights[match.second]
            yield replace(element, support=element.support + 1, weight=weight)
        before = match


# Alignment as Webstemmer 0.7 did it, for the preset ``original``.
#
# Slower than the above by a factor of some hundreds, and dependent on which page
# comes first; kept so that results can be compared with the original's


def original_collapsed(features: Sequence[str]) -> list[str]:
    """The features with neighbouring repeats taken together."""
    return [f for index, f in enumerate(features) if index == 0 or features[index - 1] != f]


def original_common_features(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The features in the matching blocks of two sequences, by Ratcliff-Obershelp, the longer one first."""
    if len(first) < len(second):
        first, second = second, first
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    return [feature for block in blocks for feature in first[block.a : block.a + block.size]]


def original_assign(pattern: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
    """The position in the pattern that each block of a page belongs to, as many blocks as possible.

    A feature of the pattern takes any number of blocks, not only neighbours; order is kept. The original's
    flaw is kept too: the page's first block fits nothing but the first feature of the pattern.

    :returns: for each block an index into ``pattern``, or ``None``.
    """
    best = [[0] * (len(blocks) + 1) for _ in range(len(pattern) + 1)]
    for i, feature in enumerate(pattern):
        above, row = best[i], best[i + 1]
        for j, block in enumerate(blocks):
            fits = block.path == feature and (j > 0 or i == 0)
            row[j + 1] = max(above[j + 1], row[j] + fits)
    owners: list[int | None] = [None] * len(blocks)
    i, j = len(pattern), len(blocks)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            if best[i][j] > best[i][j - 1]:
                owners[j - 1] = i - 1
            j -= 1
    return owners


def original_similarity(first: Sequence[LayoutBlock], second: Sequence[LayoutBlock]) -> float:
    """Share of both pages' text under features that they have in common (as analyze.py counts it).

    Sections that are empty in the first page don't count.
    """
    sequences = [original_collapsed([block.path for block in blocks]) for blocks in (first, second)]
    common = original_common_features(*sequences)
    ours, theirs = original_assign(common, first), original_assign(common, second)
    filled = {owner for owner in ours if owner is not None}
    matched = sum(block.weight for block, owner in zip(first, ours, strict=True) if owner in filled)
    matched += sum(block.weight for block, owner in zip(second, theirs, strict=True) if owner in filled)
    total = sum(block.weight for block in first) + sum(block.weight for block in second)
    return matched / max(1, total)
