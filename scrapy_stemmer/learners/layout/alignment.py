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
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby, pairwise, takewhile
from operator import attrgetter, eq
from typing import NamedTuple

import numpy as np

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.text import Match, match_sequences

MAX_CELLS = 4_000_000
"""The weighted alignment keeps a table of runs x runs, 8 bytes a cell; for a larger one runs count one each.
Two pages of 2,000 runs each; real pages have 127 on average."""


@dataclass(frozen=True)
class Runs:
    """A page's blocks with neighbours of one feature collapsed into runs.

    :param features: the feature of each run.
    :param weights: its significant characters.
    :param sizes: its number of blocks.
    """

    features: tuple[str, ...]
    weights: tuple[int, ...]
    sizes: tuple[int, ...]

    @cached_property
    def weight_of(self) -> Mapping[str, int]:
        """Significant characters under each feature."""
        total: Counter[str] = Counter()
        for feature, weight in zip(self.features, self.weights, strict=True):
            total[feature] += weight
        return total


def runs_of(blocks: Sequence[LayoutBlock]) -> Runs:
    """The runs of a page."""
    runs = [(feature, list(run)) for feature, run in groupby(blocks, key=attrgetter("path"))]
    return Runs(
        features=tuple(feature for feature, _ in runs),
        weights=tuple(sum(block.weight for block in run) for _, run in runs),
        sizes=tuple(len(run) for _, run in runs),
    )


def similar(first: Runs, second: Runs, threshold: float) -> bool:
    """Whether two pages are at least ``threshold`` similar, by the cascade of bounds."""
    if similarity_bound(first, second) < threshold:
        return False
    return any(similarity(first, second, way(first, second)) >= threshold for way in (align, align_weighted))


def similarity(first: Runs, second: Runs, matches: Sequence[Match]) -> float:
    """Share of both pages' text that stands in matched or absorbed runs, from 0 to 1.

    The published formula would give identical pages 0.5; like the original's program this counts the matched
    weight of both pages.
    """
    total = sum(first.weights) + sum(second.weights)
    ours = absorb(first, [match.first for match in matches])
    theirs = absorb(second, [match.second for match in matches])
    matched = sum(first.weights[run] for run in ours) + sum(second.weights[run] for run in theirs)
    return matched / total if total else 0.0


def similarity_bound(first: Runs, second: Runs) -> float:
    """An upper bound of :func:`similarity`: the share of text under features that both pages have."""
    total = sum(first.weights) + sum(second.weights)
    ours, theirs = first.weight_of, second.weight_of
    return sum(ours[feature] + theirs[feature] for feature in ours.keys() & theirs.keys()) / total if total else 0.0


def align(first: Runs, second: Runs) -> list[Match]:
    """A longest common subsequence of two pages' runs, every run counting one."""
    return match_sequences(first.features, second.features)


def align_weighted(first: Runs, second: Runs) -> list[Match]:
    """A common subsequence of two pages' runs whose text, of both pages together, is the most."""
    return match_weighted(first.features, first.weights, second.features, second.weights)


def match_weighted(
    first: Sequence[str], first_weights: Sequence[int], second: Sequence[str], second_weights: Sequence[int]
) -> list[Match]:
    """The common subsequence of greatest weight, a pair of positions weighing what both sides weigh.

    Common ends are matched first, without a table. Between them the alignment is the heaviest one; a heavier one
    that gives up a common end is not looked for (on the project's sets that changes F1 by about a point at most, to
    either side).
    """
    head = sum(1 for _ in takewhile(bool, map(eq, first, second)))
    tail = sum(1 for _ in takewhile(bool, map(eq, reversed(first[head:]), reversed(second[head:]))))
    a_end, b_end = len(first) - tail, len(second) - tail
    between = first[head:a_end], first_weights[head:a_end], second[head:b_end], second_weights[head:b_end]
    if len(between[0]) * len(between[2]) > MAX_CELLS:
        middle = match_sequences(between[0], between[2])
    else:
        middle = _heaviest(*between)
    return [
        *(Match(k, k) for k in range(head)),
        *(Match(head + a, head + b) for a, b in middle),
        *(Match(a_end + k, b_end + k) for k in range(tail)),
    ]


def _heaviest(
    first: Sequence[str], first_weights: Sequence[int], second: Sequence[str], second_weights: Sequence[int]
) -> list[Match]:
    """By a table: ``best[i, j]`` is the weight of what the first ``i`` and ``j`` have in common."""
    weights = np.array(second_weights, dtype=np.int64)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, feature in enumerate(second):
        places[feature].append(place)
    best = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int64)
    for i, feature in enumerate(first):
        row = best[i].copy()
        if feature in places:
            at = np.array(places[feature])
            row[at + 1] = np.maximum(row[at + 1], best[i, at] + first_weights[i] + weights[at])
        best[i + 1] = np.maximum.accumulate(row)
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
    features = runs.features
    owner = {position: position for position in matched}
    for before, after in pairwise([-1, *matched, len(features)]):
        for position in range(before + 1, after):
            for candidate in (before, after):
                if 0 <= candidate < len(features) and features[candidate] == features[position]:
                    owner[position] = candidate
                    break
    return owner


class Element(NamedTuple):
    """A place in the common sequence.

    :param support: pages that have it.
    :param weight: significant characters that these pages have there, all together.
    """

    feature: str
    support: int
    weight: int


def consensus(pages: Sequence[Runs], share: float) -> list[str]:
    """The features that at least a share of the pages have, in the order in which the pages have them.

    Page after page is aligned with the sequence so far; what only one side has is kept in place until all
    pages have been seen.

    :param pages: in a fixed order.
    :param share: from 0 to 1; 1 keeps what all pages have.
    """
    elements: list[Element] = []
    for page in pages:
        elements = _merged(elements, page)
    least = max(1, math.ceil(share * len(pages)))
    return [feature for feature, _ in groupby(one.feature for one in elements if one.support >= least)]


def _merged(elements: Sequence[Element], page: Runs) -> list[Element]:
    features, means = [one.feature for one in elements], [one.weight // one.support for one in elements]
    matches = match_weighted(features, means, page.features, page.weights)
    absorbed = absorb(page, [match.second for match in matches])
    merged: list[Element] = []
    for before, match in pairwise([Match(-1, -1), *matches, Match(len(elements), len(page.features))]):
        merged += elements[before.first + 1 : match.first]
        new = [position for position in range(before.second + 1, match.second) if position not in absorbed]
        merged += [Element(page.features[position], 1, page.weights[position]) for position in new]
        if match.first < len(elements):
            feature, support, weight = elements[match.first]
            merged.append(Element(feature, support + 1, weight + page.weights[match.second]))
    return merged


def assign_runs(features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
    """The index of the section that each block belongs to, by weighted alignment of runs.

    :param features: the sections' features in order.
    """
    runs = runs_of(blocks)
    matches = match_weighted(features, [0] * len(features), runs.features, [max(1, weight) for weight in runs.weights])
    section_of = {match.second: match.first for match in matches}
    owners = absorb(runs, [match.second for match in matches])
    assigned: list[int | None] = []
    for run, size in enumerate(runs.sizes):
        assigned += [section_of[owners[run]] if run in owners else None] * size
    return assigned


# Alignment as Webstemmer 0.7 did it, for the preset ``original``: some hundred times slower, and dependent on which
# page comes first; kept so that results can be compared with the original's.


def original_common_features(first: Sequence[str], second: Sequence[str]) -> Sequence[str]:
    """The features in the matching blocks of two sequences, by Ratcliff-Obershelp, the longer one first."""
    if len(first) < len(second):
        first, second = second, first
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    return [feature for block in blocks for feature in first[block.a : block.a + block.size]]


def original_assign(features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
    """The index of the section that each block of a page belongs to, as many blocks as possible.

    A section takes any number of blocks, not only neighbours; order is kept. The original's flaw is kept too: the
    page's first block fits nothing but the first section.

    :param features: the sections' features in order.
    """
    best = [[0] * (len(blocks) + 1) for _ in range(len(features) + 1)]
    for i, feature in enumerate(features):
        above, row = best[i], best[i + 1]
        for j, block in enumerate(blocks):
            fits = block.path == feature and (j > 0 or i == 0)
            row[j + 1] = max(above[j + 1], row[j] + fits)
    owners: list[int | None] = [None] * len(blocks)
    i, j = len(features), len(blocks)
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
    common = original_common_features(runs_of(first).features, runs_of(second).features)
    ours, theirs = original_assign(common, first), original_assign(common, second)
    filled = set(ours) - {None}
    pairs = [*zip(first, ours, strict=True), *zip(second, theirs, strict=True)]
    return sum(block.weight for block, owner in pairs if owner in filled) / max(1, sum(b.weight for b, _ in pairs))


Assign = Callable[[Sequence[str], Sequence[LayoutBlock]], list[int | None]]
"""Gives for each block of a page the index of its section, given the sections' features."""

ALIGNMENTS: Mapping[str, Assign] = {"runs": assign_runs, "original": original_assign}
"""How pages are aligned with sections: collapsed runs and weighted LCS, or Webstemmer's own way."""
