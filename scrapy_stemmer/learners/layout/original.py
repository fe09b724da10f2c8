"""Alignment as Webstemmer 0.7 did it, for the preset ``original``.

Slower than :mod:`scrapy_stemmer.learners.layout.alignment` by a factor of some hundreds, and dependent on which page
comes first; kept so that results can be compared with the original's.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from scrapy_stemmer.core.blocks import LayoutBlock


def collapsed(features: Sequence[str]) -> list[str]:
    """The features with neighbouring repeats taken together."""
    return [f for index, f in enumerate(features) if index == 0 or features[index - 1] != f]


def common_features(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The features in the matching blocks of two sequences, by Ratcliff-Obershelp, the longer one first."""
    if len(first) < len(second):
        first, second = second, first
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    return [feature for block in blocks for feature in first[block.a : block.a + block.size]]


def assign(pattern: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
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


def page_similarity(first: Sequence[LayoutBlock], second: Sequence[LayoutBlock]) -> float:
    """Share of both pages' text under features that they have in common (as analyze.py counts it).

    Sections that are empty in the first page don't count.
    """
    common = common_features(collapsed([block.path for block in first]), collapsed([block.path for block in second]))
    ours, theirs = assign(common, first), assign(common, second)
    filled = {owner for owner in ours if owner is not None}
    matched = sum(block.weight for block, owner in zip(first, ours, strict=True) if owner in filled)
    matched += sum(block.weight for block, owner in zip(second, theirs, strict=True) if owner in filled)
    total = sum(block.weight for block in first) + sum(block.weight for block in second)
    return matched / max(1, total)
