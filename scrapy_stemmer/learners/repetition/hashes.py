"""Hashes that return from page to page, counted over the distinct pages of a sample; those of fragments of text.

Both systems of Gibson, Punera and Tomkins (WWW 2005) rest on the counts: the one counts subtrees, the other fragments
of text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.core.text import stable_hash

Hashes = npt.NDArray[np.uint64]
"""64-bit hashes, as many as a page has, in the page's order."""

FEWEST_PAGES = 2
"""What stands on one page does not return; fewer pages count only when they are asked for."""

MIN_PAGES = 3
"""Pages that something must be on, unless a user asks for another number or the sample is small."""

SMALL_SAMPLE = 4
"""Up to this many pages for each of :data:`MIN_PAGES`, a sample is small. Of ten pages, two instead of three give
two portals two points of F1 and cost two sites of documentation one (measured)."""


@dataclass(frozen=True, eq=False, slots=True)
class Counted:
    """How often hashes were found.

    :param hashes: each once, ascending.
    :param counts: for each hash its number of pages, or of occurrences.
    """

    hashes: Hashes
    counts: npt.NDArray[np.int64]

    def within(self, lower: int, upper: int = 0) -> Counted:
        """Those found at least ``lower`` and at most ``upper`` times; no upper bound when that is 0."""
        kept = self.counts >= lower
        if upper:
            kept &= self.counts <= upper
        return Counted(self.hashes[kept], self.counts[kept])

    def only(self, hashes: Hashes) -> Counted:
        """Those that are among ``hashes``."""
        kept = np.isin(self.hashes, hashes)
        return Counted(self.hashes[kept], self.counts[kept])


def as_hashes(numbers: Iterable[int]) -> Hashes:
    """Numbers as hashes, their order and repeats kept."""
    return np.fromiter(numbers, dtype=np.uint64)


def count_pages(pages: Sequence[Hashes]) -> Counted:
    """On how many pages each hash is, however often it is there."""
    return count_occurrences([np.unique(page) for page in pages])


def count_occurrences(pages: Sequence[Hashes]) -> Counted:
    """How often each hash is on all pages together."""
    together = np.concatenate([as_hashes(()), *pages])
    hashes, counts = np.unique(together, return_counts=True)
    return Counted(hashes, counts.astype(np.int64))


def least_pages(count: int, pages: int | None = None, share: float = 0.0) -> int:
    """The number of pages on which something must stand to be template.

    :param count: distinct pages of the sample.
    :param pages: pages that are asked for. ``None`` for :data:`MIN_PAGES`, or for one page in :data:`SMALL_SAMPLE` of a
        small sample, but for :data:`FEWEST_PAGES` at least.
    :param share: part of the sample, from 0 to 1, that is asked for as well.
    """
    if pages is None:
        pages = min(MIN_PAGES, max(FEWEST_PAGES, count // SMALL_SAMPLE))
    return max(pages, math.ceil(share * count))


# Fragments of text: the windows of W words, with a hash each.
#
# After the text-based system in D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page Templates"
# (WWW 2005). The hash of a window is a polynomial over its words modulo 2^64; sums over prefixes give all windows of
# a page at a cost that does not depend on their width

BASE = 0x9E3779B97F4A7C15
"""The polynomial's variable; odd, so that it has an inverse modulo 2^64."""

INVERSE = pow(BASE, -1, 2**64)
"""1 / :data:`BASE` modulo 2^64."""

Marks = npt.NDArray[np.bool_]
"""Words of a page that are marked."""


def word_values(words: Sequence[str]) -> Hashes:
    """A 64-bit value for each word, the same for the same word in every process."""
    known = {word: stable_hash(word) for word in dict.fromkeys(words)}
    return as_hashes(known[word] for word in words)


def fragment_hashes(values: Hashes, width: int) -> Hashes:
    """The hash of each window of ``width`` words, in order; none for a text that is shorter.

    :param values: the words' values.
    :param width: W, at least 1.
    """
    count = len(values) - width + 1
    if count < 1:
        return as_hashes(())
    prefixes = np.zeros(len(values) + 1, dtype=np.uint64)
    np.cumsum(values * _powers(BASE, len(values)), out=prefixes[1:])
    return _mixed((prefixes[width:] - prefixes[:count]) * _powers(INVERSE, count))


def in_sample(hashes: Hashes, density: int) -> Marks:
    """Which fragments are counted: one in ``density``, a fragment on all pages that have it or on none.

    :param density: D; 0 and 1 count all.
    """
    if density < 2:
        return np.ones(len(hashes), dtype=np.bool_)
    chosen: Marks = hashes % np.uint64(density) == 0
    return chosen


def covered(starts: Marks, width: int, words: int) -> Marks:
    """The words that lie in one of some windows.

    :param starts: for each window of the text whether it is one of them.
    :param width: words of a window.
    :param words: words of the text.
    """
    steps = np.zeros(words + width, dtype=np.int64)
    steps[: len(starts)] += starts
    steps[width : width + len(starts)] -= starts
    inside: Marks = np.cumsum(steps)[:words] > 0
    return inside


def spans(marks: Marks) -> list[tuple[int, int]]:
    """The runs of marked words as first word and word after the last: what overlaps or touches is one."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marks.astype(np.int8), [0]))))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def _powers(base: int, count: int) -> Hashes:
    powers = np.full(count, base, dtype=np.uint64)
    powers[0] = 1
    multiplied: Hashes = np.multiply.accumulate(powers)
    return multiplied


def _mixed(hashes: Hashes) -> Hashes:
    """Every bit of the result depends on all bits: the low bits of a polynomial modulo 2^64 are weak, and the
    sample is taken by them (finalizer of MurmurHash3)."""
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return hashes ^ (hashes >> np.uint64(33))
