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

BASE = 0x9E3779B97F4A7C15
"""The polynomial's variable; odd, so that it has an inverse modulo 2^64."""

INVERSE = pow(BASE, -1, 2**64)
"""1 / :data:`BASE` modulo 2^64."""

Hashes = npt.NDArray[np.uint64]
"""64-bit numbers, in the order of the page."""

Marks = npt.NDArray[np.bool_]
"""Words or fragments of a page that are marked."""


def word_values(words: Sequence[str]) -> Hashes:
    """A 64-bit value for each word, the same for the same word in every process."""
    known = {word: stable_hash(word) for word in set(words)}
    return np.array([known[word] for word in words], dtype=np.uint64)


def fragment_hashes(values: Hashes, width: int) -> Hashes:
    """The hash of each window of ``width`` words, in order; none for a text that is shorter.

    :param values: the words' values.
    :param width: W, at least 1.
    """
    powers = np.cumprod(np.full(len(values), BASE, dtype=np.uint64), dtype=np.uint64)
    prefixes = np.pad(np.cumsum(values * powers, dtype=np.uint64), (1, 0))
    hashes = prefixes[width:] - prefixes[:-width]
    hashes = hashes * np.cumprod(np.full(len(hashes), INVERSE, dtype=np.uint64), dtype=np.uint64)
    # The low bits of a polynomial modulo 2^64 are weak, and the sample is taken by them: the finalizer of MurmurHash3
    # makes every bit depend on all bits.
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(factor)
    return hashes ^ (hashes >> np.uint64(33))


def in_sample(hashes: Hashes, density: int) -> Marks:
    """Which fragments are counted: one in ``density``, a fragment on all pages that have it or on none.

    :param density: D; 0 and 1 count all.
    """
    chosen: Marks = hashes % np.uint64(max(1, density)) == 0
    return chosen


def covered(starts: Marks | Sequence[bool], width: int, words: int) -> Marks:
    """The words that lie in one of some windows.

    :param starts: for each window of the text whether it is one of them.
    :param width: words of a window.
    :param words: words of the text.
    """
    if not len(starts):
        return np.zeros(words, dtype=np.bool_)
    marks: Marks = np.convolve(starts, np.ones(width, dtype=np.int64)) > 0
    return marks


def spans(marks: Marks) -> list[tuple[int, int]]:
    """The runs of marked words as first word and word after the last: what overlaps or touches is one."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]
