"""Sums of the scorer's trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.scorer import ALL, END, places_of

AT_ONCE = 256  # blocks that pass all trees at a time


def add_odds_in_python(
    rows: NDArray[np.float32], nodes: NDArray[np.void], values: NDArray[np.float64], odds: NDArray[np.float64]
) -> None:
    """Add to the log-odds of blocks the values of their leaves, by rows as of :meth:`Scorer.odds` and the trees of a
    :class:`Scorer`."""
    starts = np.flatnonzero(np.concatenate(([True], nodes["place"] == END[0]))[:-1])
    for begin in range(0, len(rows), AT_ONCE):
        given = rows[begin : begin + AT_ONCE].T
        both = np.stack([np.where(np.isnan(given), missing, given) for missing in (-np.inf, np.inf)], axis=1)
        given = both.astype(np.float32).reshape(-1, given.shape[1])[nodes["place"]]
        left = np.where(given > nodes["threshold"][:, None], nodes["left"][:, None], np.uint32(ALL))
        leaves = np.bitwise_and.reduceat(left, starts)
        # Tree by tree, as in the native loop: sums of floats depend on the order.
        for of_tree, place in zip(values, places_of(leaves & (~leaves + np.uint32(1))), strict=True):
            odds[begin : begin + AT_ONCE] += of_tree[place]
