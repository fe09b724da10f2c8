"""Clusterings of documents by their minimum description length (TEXT-MDL, Kim & Shim 2011).

A document is a set of paths. A cluster is described by a template, the paths that most of its documents have, and by
how each document differs from it. The best clustering is the one whose description costs least:

* exactly, the entropy of the three matrices template (paths x clusters), membership (clusters x documents) and
  differences (paths x documents, -1, 0 and 1), times their cells;
* approximately, one unit for each cell that is not zero, memberships left out since they hardly change.

Only a restatement of the paper was to be had; what it leaves open is said where it is decided.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.learners.text_mdl.paths import Paths

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MIN_SUPPORT = 2
"""A path of a single document is no evidence of a template: thresholds are at least this."""


def essential_paths(documents: Sequence[Paths]) -> list[Paths]:
    """Of each document the paths whose support is at least the document's own threshold.

    The support of a path is the number of documents that have it, see :func:`support_threshold`.
    """
    if not documents:
        return []
    _, places, counts = np.unique(np.concatenate(documents), return_inverse=True, return_counts=True)
    supports = np.split(counts[places.reshape(-1)], np.cumsum([len(document) for document in documents])[:-1])
    return [
        document[support >= support_threshold(support)] for document, support in zip(documents, supports, strict=True)
    ]


def support_threshold(supports: npt.NDArray[np.intp]) -> int:
    """The least support of a document's essential paths: the most frequent one of its paths' supports.

    Supports of one don't count, else a page of mostly its own text would have the threshold 1; of equally
    frequent ones it is the smallest.
    """
    values, counts = np.unique(supports[supports >= MIN_SUPPORT], return_counts=True)
    return int(values[np.argmax(counts)]) if len(values) else MIN_SUPPORT


def is_template(support: int, documents: int) -> bool:
    """Whether a path belongs to the template of a cluster: when leaving it out would cost more.

    In the template it costs one unit and one for every document that lacks it, else one for every document
    that has it; so at least ``(documents + 1) / 2`` documents must have it.
    """
    return 2 * support >= documents + 1


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """Documents, fewer than 32,768, as a matrix, with paths that the same documents have as one column.

    :param present: documents x columns, 0 and 1.
    :param weights: the number of paths of each column.
    """

    present: npt.NDArray[np.int16]
    weights: Integers

    @classmethod
    def of(cls, documents: Sequence[Paths]) -> Self:
        """The matrix of these documents.

        The documents that have a path are identified by the sum of a random number for each; two different sets of
        documents have one sum once in 2**64.
        """
        if not documents:
            return cls(np.zeros((0, 0), dtype=np.int16), np.zeros(0, dtype=np.int64))
        lengths = [len(document) for document in documents]
        rows = np.repeat(np.arange(len(documents)), lengths)
        paths, places = np.unique(np.concatenate(documents), return_inverse=True)
        numbers = np.random.default_rng(0).integers(2**64, size=len(documents), dtype=np.uint64)
        sums = np.zeros(len(paths), dtype=np.uint64)
        np.add.at(sums, places.reshape(-1), numbers[rows])
        _, column_of, weights = np.unique(sums, return_inverse=True, return_counts=True)
        present = np.zeros((len(documents), len(weights)), dtype=np.int16)
        present[rows, column_of.reshape(-1)[places.reshape(-1)]] = 1
        return cls(present, weights.astype(np.int64))


def approximate_cost(documents: Sequence[Paths], clusters: Sequence[Sequence[int]]) -> int:
    """The cost of a clustering in units: ones of the templates, and differences of documents from them."""
    columns = Columns.of(documents)
    total = 0
    for cluster in clusters:
        supports = columns.present[list(cluster)].sum(axis=0)
        total += int(np.minimum(supports, len(cluster) - supports + 1) @ columns.weights)
    return total


def template_parts(supports: npt.NDArray[np.integer], sizes: Integers, weights: Integers) -> Floats:
    """What clusters add to the matrices: ones of the template, and differences +1 and -1; a row each.

    :param supports: clusters x columns, the documents that have the column's paths.
    :param sizes: the documents of each cluster.
    """
    inside = 2 * supports >= sizes[:, None] + 1
    ones = inside @ weights
    plus = np.where(inside, 0, supports) @ weights
    minus = np.where(inside, sizes[:, None] - supports, 0) @ weights
    return np.stack([ones, plus, minus]).astype(np.float64)


def matrix_costs(parts: Floats, paths: int, clusters: int, documents: int) -> tuple[Floats, Floats, Floats]:
    """The costs in bits of the matrices of templates, membership and differences.

    :param parts: ones of the templates, differences +1 and -1, a row each; a column for each clustering.
    """
    ones, plus, minus = parts
    memberships = np.full(len(ones), float(documents))
    return (
        _bits([ones], float(paths * clusters)),
        _bits([memberships], float(clusters * documents)),
        _bits([plus, minus], float(paths * documents)),
    )


def _bits(counts: Sequence[Floats], cells: float) -> Floats:
    """Cells times entropy, where ``counts`` of the cells have a value each and the others are zero."""
    zeros = cells - np.sum(counts, axis=0)
    bits: Floats = -np.sum([_n_log_share(count, cells) for count in [*counts, zeros]], axis=0)
    return bits + 0.0  # 0.0 in place of -0.0


def _n_log_share(count: Floats, cells: float) -> Floats:
    positive = count > 0
    shares = np.divide(count, cells, out=np.ones_like(count), where=positive)
    return count * np.log2(shares)


# Agglomerative clustering: the pair of clusters whose merging gains most, again and again (TEXT-MDL).
#
# The gains of all pairs are kept; a merge makes only those of the new cluster anew, so that ``n`` documents of
# ``P`` paths cost O(n² P), not O(n³ P) as when every pair is looked at in each round

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
