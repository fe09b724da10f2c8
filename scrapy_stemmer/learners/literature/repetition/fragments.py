"""Fragments of a text, runs of so many words, as hashes that cost the same however long a fragment is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.core.text import stable_hash

BASE = 0x9E3779B97F4A7C15  # the polynomial's variable; odd, so that it has an inverse modulo 2^64
INVERSE = pow(BASE, -1, 2**64)  # 1 / BASE modulo 2^64
Hashes = npt.NDArray[np.uint64]  # 64-bit numbers, in the order of the page
Marks = npt.NDArray[np.bool_]  # words or fragments of a page that are marked


def fragment_hashes(words: Sequence[str], width: int) -> Hashes:
    """The hash of each run of ``width`` words, in order; none of a text that is shorter."""
    known = {word: stable_hash(word) for word in set(words)}
    values = np.array([known[word] for word in words], dtype=np.uint64)
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
    """Which fragments are counted: one in ``density`` (D), on all pages that have it or on none; 0 and 1 count all."""
    chosen: Marks = hashes % np.uint64(max(1, density)) == 0
    return chosen


def covered(starts: Marks | Sequence[bool], width: int, words: int) -> Marks:
    """The words of a text that lie in a fragment of which ``starts`` says so."""
    if not len(starts):
        return np.zeros(words, dtype=np.bool_)
    marks: Marks = np.convolve(starts, np.ones(width, dtype=np.int64)) > 0
    return marks


def spans(marks: Marks) -> list[tuple[int, int]]:
    """The runs of marked words as first word and word after the last: what overlaps or touches is one."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]
