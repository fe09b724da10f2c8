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
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.learners.text_mdl.paths import Paths, as_paths

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MIN_SUPPORT = 2
"""A path of a single document is no evidence of a template: thresholds are at least this."""

MIN_JACCARD = 0.2
"""Clusters that share less of their paths are never merged: any two pages share ``html/body`` and would gain."""

DIGITS = 6
"""Decimals of gains that are not whole, so that equal ones are equal whatever the order of summation."""


def essential_paths(documents: Sequence[Paths]) -> list[Paths]:
    """Of each document the paths whose support is at least the document's own threshold.

    The support of a path is the number of documents that have it, see :func:`support_threshold`.
    """
    if not documents:
        return []
    _, places, counts = np.unique(np.concatenate(documents), return_inverse=True, return_counts=True)
    supports = np.split(counts[places], np.cumsum([len(document) for document in documents])[:-1])
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


def cluster_cost(documents: Sequence[Paths]) -> int:
    """The approximate cost of one cluster in units: ones of its template, and differences of documents from it."""
    _, supports = np.unique(np.concatenate(documents), return_counts=True)
    return int(np.minimum(supports, len(documents) - supports + 1).sum())


def columns_of(documents: Sequence[Paths]) -> tuple[npt.NDArray[np.int16], Integers]:
    """Documents, fewer than 32,768, as a matrix in which paths that the same documents have are one column.

    :returns: documents x columns, 0 and 1; and the number of paths of each column.
    """
    paths, places = np.unique(np.concatenate([as_paths(()), *documents]), return_inverse=True)
    present = np.zeros((len(paths), len(documents)), dtype=np.int16)
    present[places, np.repeat(np.arange(len(documents)), [len(document) for document in documents])] = 1
    columns = Counter(column.tobytes() for column in present)
    matrix = np.frombuffer(b"".join(columns), dtype=np.int16).reshape(len(columns), len(documents))
    return matrix.T.copy(), np.array(list(columns.values()), dtype=np.int64)


def template_parts(supports: npt.NDArray[np.integer], sizes: npt.NDArray[np.integer], weights: Integers) -> Floats:
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
    memberships = np.full(len(ones), documents)
    return (
        _bits([ones], paths * clusters),
        _bits([memberships], clusters * documents),
        _bits([plus, minus], paths * documents),
    )


def _bits(counts: Sequence[npt.NDArray[Any]], cells: int) -> Floats:
    """Cells times entropy, where ``counts`` of the cells have a value each and the others are zero."""
    every = np.stack([*counts, cells - np.sum(counts, axis=0)]).astype(np.float64)
    shares = np.divide(every, cells, out=np.ones_like(every), where=every > 0)
    bits: Floats = -np.sum(every * np.log2(shares), axis=0)
    return bits + 0.0  # 0.0 in place of -0.0


class Clusters(ABC):
    """Clusters while they are merged, numbered from 0; a merged cluster keeps the lower number.

    :param parts: numbers that the cost is made of, parts x clusters; 0 for a cluster that has become part of another.
    """

    parts: Floats

    @abstractmethod
    def merge(self, first: int, second: int) -> None:
        """Make the second cluster a part of the first."""

    @abstractmethod
    def jaccard(self, cluster: int, others: Integers) -> Floats:
        """Of the cluster and each of the others, the share of all their paths that both have."""

    @abstractmethod
    def merged_parts(self, cluster: int, others: Integers) -> Floats:
        """The parts of the cluster merged with each of the others: parts x others."""

    def saved(self, cluster: int, others: Integers) -> Floats:
        """By how much merging the cluster with each of the others lowers the parts: parts x others."""
        saved = self.parts[:, [cluster]] + self.parts[:, others] - self.merged_parts(cluster, others)
        return np.round(saved, DIGITS)

    def gains(self, saved: Floats) -> Floats:
        """By how much merging lowers the cost, for all pairs.

        :param saved: what :meth:`saved` gave, parts x clusters x clusters; minus infinity for pairs that must not be
            merged, and so is their gain.
        """
        gains: Floats = saved[0]
        return gains


def agglomerate(clusters: Clusters, min_jaccard: float = MIN_JACCARD) -> list[list[int]]:
    """Merge the pair that gains most until none gains; of equal gains that of the lowest numbers, the lower first.

    What a merge saves is kept for all pairs, and a merge makes only that of the new cluster anew, so that ``n``
    documents of ``P`` paths cost O(n² P), not O(n³ P) as when every pair is looked at in each round.

    :param min_jaccard: share of their paths, from 0 to 1, that both clusters of a pair must have.
    :returns: the clusters as lists of ascending numbers, in order of their first.
    """
    members = [[number] for number in range(clusters.parts.shape[1])]
    saved = np.full((len(clusters.parts), len(members), len(members)), -np.inf)

    def compare(cluster: int, others: Sequence[int]) -> None:
        like = np.array(others, dtype=np.int64)
        like = like[clusters.jaccard(cluster, like) >= min_jaccard]
        saved[:, np.minimum(cluster, like), np.maximum(cluster, like)] = clusters.saved(cluster, like)

    for cluster in range(len(members)):
        compare(cluster, range(cluster + 1, len(members)))
    while members:
        gains = clusters.gains(saved)
        first, second = divmod(int(np.argmax(gains)), len(members))
        if gains[first, second] <= 0:
            break
        clusters.merge(first, second)
        members[first] += members[second]
        members[second] = []
        for gone in (first, second):
            saved[:, gone, :] = saved[:, :, gone] = -np.inf
        compare(first, [number for number, cluster in enumerate(members) if cluster and number != first])
    return [sorted(cluster) for cluster in members if cluster]


class UnitCosts(Clusters):
    """Clusters of documents by the approximate cost: one unit for each cell that is not zero.

    :param documents: their essential paths.
    """

    def __init__(self, documents: Sequence[Paths]) -> None:
        self._supports, self._weights = columns_of(documents)
        self._sizes = np.ones(len(documents), dtype=np.int16)
        self._paths = self._supports @ self._weights
        self.parts = self._parts_of(self._supports, self._sizes)

    def merge(self, first: int, second: int) -> None:
        """Add the documents of the second cluster to the first."""
        for values in (self._supports, self._sizes):
            values[first] += values[second]
            values[second] = 0
        self._paths[first] = (self._supports[first] > 0) @ self._weights
        pair = [first, second]
        self.parts[:, pair] = self._parts_of(self._supports[pair], self._sizes[pair])

    def jaccard(self, cluster: int, others: Integers) -> Floats:
        """By the paths that any document of a cluster has."""
        ours = np.flatnonzero(self._supports[cluster])
        shared = (self._supports[np.ix_(others, ours)] > 0) @ self._weights[ours]
        union = self._paths[others] + self._paths[cluster] - shared
        shares: Floats = np.divide(shared, union, out=np.zeros(len(others)), where=union > 0)
        return shares

    def merged_parts(self, cluster: int, others: Integers) -> Floats:
        """By the supports of both, added."""
        supports, sizes = self._supports, self._sizes
        return self._parts_of(supports[others] + supports[cluster], sizes[others] + sizes[cluster])

    def _parts_of(self, supports: npt.NDArray[np.int16], sizes: npt.NDArray[np.int16]) -> Floats:
        """The parts of clusters with these supports: parts x clusters."""
        units = np.minimum(supports, sizes[:, None] - supports + 1) @ self._weights
        parts: Floats = units.astype(np.float64)[None, :]
        return parts


class EntropyCosts(UnitCosts):
    """Clusters of documents by the exact cost, the entropies of three matrices.

    A merge changes the entropies of whole matrices, so that the gains of all pairs are made anew in each round,
    though from three numbers a pair: the ones of the templates, and the differences +1 and -1.
    """

    def gains(self, saved: Floats) -> Floats:
        """The bits saved."""
        now = self.parts.sum(axis=1)[:, None]
        count = int(np.count_nonzero(self._sizes))
        gains: Floats = saved[0].copy()
        allowed = gains > -np.inf
        bits = self._bits(now, count) - self._bits(now - saved[:, allowed], count - 1)
        gains[allowed] = np.round(bits, DIGITS)
        return gains

    def _bits(self, parts: Floats, clusters: int) -> Floats:
        bits: Floats = np.sum(matrix_costs(parts, int(self._weights.sum()), clusters, len(self._sizes)), axis=0)
        return bits

    def _parts_of(self, supports: npt.NDArray[np.int16], sizes: npt.NDArray[np.int16]) -> Floats:
        return template_parts(supports, sizes, self._weights)
