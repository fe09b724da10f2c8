"""What returns from page to page: hashes counted over the distinct pages of a sample.

Both systems of Gibson, Punera and Tomkins (WWW 2005) rest on it: the one counts subtrees, the other fragments of
text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
