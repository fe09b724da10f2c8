"""Agglomerative clustering: the pair of clusters whose merging gains most, again and again (TEXT-MDL).

The gains of all pairs are kept; a merge makes only those of the new cluster anew, so that ``n`` documents of
``P`` paths cost O(n² P), not O(n³ P) as when every pair is looked at in each round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.learners.text_mdl.mdl import Columns, Floats, Integers, matrix_costs, template_parts
from scrapy_stemmer.learners.text_mdl.paths import Paths

MIN_JACCARD = 0.2
"""Clusters that share less of their paths are never merged: any two pages share ``html/body`` and would gain."""

DIGITS = 6
"""Decimals of gains that are not whole, so that equal ones are equal whatever the order of summation."""

_CHUNK_CELLS = 1_000_000
"""Cells of clusters x columns that are worked on at a time; bounds the memory beside the matrix itself."""


class Clusters(ABC):
    """Clusters while they are merged, numbered from 0; a merged cluster keeps the lower number."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of clusters at the start."""

    @abstractmethod
    def merge(self, first: int, second: int) -> None:
        """Make the second cluster a part of the first."""

    @abstractmethod
    def jaccard(self, cluster: int, others: Integers) -> Floats:
        """Of the cluster and each of the others, the share of all their paths that both have."""

    @abstractmethod
    def pairs(self, cluster: int, others: Integers) -> Floats:
        """What :meth:`gains` needs of the cluster merged with each of the others: numbers x others."""

    def gains(self, pairs: Floats, allowed: npt.NDArray[np.bool_]) -> Floats:
        """By how much merging lowers the cost, 0 for pairs that are not allowed.

        :param pairs: what :meth:`pairs` gave for all clusters, numbers x clusters x clusters; all 0 where a pair
            is not allowed.
        :param allowed: clusters x clusters.
        """
        gains: Floats = pairs[0]
        return gains


def agglomerate(clusters: Clusters, min_jaccard: float = MIN_JACCARD) -> list[list[int]]:
    """Merge the best pair until no merge gains; of equal gains the pair of the lowest numbers, the lower first.

    :param min_jaccard: share of their paths, from 0 to 1, that both clusters of a pair must have.
    :returns: the clusters as lists of ascending numbers, in order of their first.
    """
    members = [[number] for number in range(len(clusters))]
    if len(members) < 2:
        return members
    table = _Table(clusters, min_jaccard)
    while (pair := table.best()) is not None:
        first, second = pair
        clusters.merge(first, second)
        members[first] += members[second]
        members[second] = []
        table.merged(first, second)
    return [sorted(cluster) for cluster in members if cluster]


class _Table:
    """What is known of every pair of clusters, the lower number as row."""

    def __init__(self, clusters: Clusters, min_jaccard: float) -> None:
        count = len(clusters)
        self._clusters = clusters
        self._min_jaccard = min_jaccard
        self._alive = np.ones(count, dtype=np.bool_)
        self._allowed = np.zeros((count, count), dtype=np.bool_)
        self._pairs = np.zeros((len(clusters.pairs(0, np.array([0]))), count, count))
        for cluster in range(count):
            self._fill(cluster, np.arange(cluster + 1, count))

    def best(self) -> tuple[int, int] | None:
        """The pair that gains most, ``None`` when none gains."""
        gains = self._clusters.gains(self._pairs, self._allowed)
        first, second = divmod(int(np.argmax(gains)), len(self._alive))
        return (first, second) if gains[first, second] > 0 else None

    def merged(self, first: int, second: int) -> None:
        """The second cluster is now a part of the first."""
        self._alive[second] = False
        for gone in (first, second):
            self._allowed[gone, :] = self._allowed[:, gone] = False
            self._pairs[:, gone, :] = self._pairs[:, :, gone] = 0.0
        others = np.flatnonzero(self._alive)
        self._fill(first, others[others != first])

    def _fill(self, cluster: int, others: Integers) -> None:
        others = others[self._clusters.jaccard(cluster, others) >= self._min_jaccard]
        rows, columns = np.minimum(others, cluster), np.maximum(others, cluster)
        self._allowed[rows, columns] = True
        self._pairs[:, rows, columns] = self._clusters.pairs(cluster, others)


class UnitCosts(Clusters):
    """Clusters of documents by the approximate cost: one unit for each cell that is not zero.

    :param documents: their essential paths.
    """

    def __init__(self, documents: Sequence[Paths]) -> None:
        columns = Columns.of(documents)
        self._weights = columns.weights
        self._supports = columns.present
        self._sizes: Integers = np.ones(len(documents), dtype=np.int64)
        self._paths: Integers = columns.present @ columns.weights
        self._parts = self._parts_of(columns.present, self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    def merge(self, first: int, second: int) -> None:
        """Add the documents of the second cluster to the first."""
        for values in (self._supports, self._sizes):
            values[first] += values[second]
            values[second] = 0
        self._paths[first] = (self._supports[first] > 0) @ self._weights
        self._parts[:, [first]] = self._parts_of(self._supports[[first]], self._sizes[[first]])
        self._parts[:, second] = 0

    def jaccard(self, cluster: int, others: Integers) -> Floats:
        """By the paths that any document of a cluster has."""
        ours = np.flatnonzero(self._supports[cluster])
        shared = (self._supports[np.ix_(others, ours)] > 0) @ self._weights[ours]
        union = self._paths[others] + self._paths[cluster] - shared
        shares: Floats = np.divide(shared, union, out=np.zeros(len(others)), where=union > 0)
        return shares

    def pairs(self, cluster: int, others: Integers) -> Floats:
        """The gain itself."""
        gains: Floats = self._parts[:, [cluster]] + self._parts[:, others] - self._merged(cluster, others)
        return gains

    def _merged(self, cluster: int, others: Integers) -> Floats:
        """The parts of the cost of a cluster merged with each of the others: parts x others."""
        step = max(1, _CHUNK_CELLS // max(1, len(self._weights)))
        chunks = [others[start : start + step] for start in range(0, max(1, len(others)), step)]
        parts = [
            self._parts_of(self._supports[chunk] + self._supports[cluster], self._sizes[chunk] + self._sizes[cluster])
            for chunk in chunks
        ]
        return np.concatenate(parts, axis=1)

    def _parts_of(self, supports: npt.NDArray[np.int16], sizes: Integers) -> Floats:
        """The parts of the cost of clusters with these supports: parts x clusters."""
        units = np.minimum(supports, sizes[:, None].astype(np.int16) - supports + 1) @ self._weights
        parts: Floats = units.astype(np.float64)[None, :]
        return parts


class EntropyCosts(UnitCosts):
    """Clusters of documents by the exact cost, the entropies of three matrices.

    A merge changes the entropies of whole matrices, so that the gains of all pairs are made anew in each round,
    though from three numbers a pair.
    """

    def pairs(self, cluster: int, others: Integers) -> Floats:
        """What merging adds to the ones of the templates and to the differences +1 and -1."""
        added: Floats = self._merged(cluster, others) - self._parts[:, [cluster]] - self._parts[:, others]
        return added

    def gains(self, pairs: Floats, allowed: npt.NDArray[np.bool_]) -> Floats:
        """The bits saved."""
        now = self._parts.sum(axis=1)[:, None]
        count = int(np.count_nonzero(self._sizes))
        gains = np.zeros(allowed.shape)
        gains[allowed] = np.round(self._bits(now, count) - self._bits(now + pairs[:, allowed], count - 1), DIGITS)
        return gains

    def _bits(self, parts: Floats, clusters: int) -> Floats:
        bits: Floats = np.sum(matrix_costs(parts, int(self._weights.sum()), clusters, len(self)), axis=0)
        return bits

    def _parts_of(self, supports: npt.NDArray[np.int16], sizes: Integers) -> Floats:
        return template_parts(supports, sizes, self._weights)
