"""Fragments of text: the windows of W words, with a hash each.

After the text-based system in D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page Templates"
(WWW 2005). The hash of a window is a polynomial over its words modulo 2^64; sums over prefixes give all windows of
a page at a cost that does not depend on their width.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.learners.repetition.counting import Hashes, as_hashes

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
