"""Sums of the scorer's trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.scorer import ALL, Scorer


def odds_in_python(rows: NDArray[np.float32], by: Scorer) -> NDArray[np.float64]:
    """Return the log-odds of blocks; see :meth:`Scorer.odds`."""
    left = np.full((len(by.values), len(rows)), ALL, np.uint32)
    for place in range(2 * len(by.names)):
        given = np.where(np.isnan(rows[:, place // 2]), np.inf if place % 2 else -np.inf, rows[:, place // 2])
        for node in by.nodes[by.starts[place] : by.starts[place + 1]]:
            left[node["tree"]] &= np.where(given.astype(np.float32) > node["threshold"], node["left"], np.uint32(ALL))
    leaves = np.log2((left & (~left + np.uint32(1))).astype(np.float64)).astype(np.int64)
    found = np.full(len(rows), by.base)
    # Tree by tree, as in the native loop: sums of floats depend on the order.
    for of_tree, leaf in zip(by.values, leaves, strict=True):
        found += of_tree[leaf]
    return found
