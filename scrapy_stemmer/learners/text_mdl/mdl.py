"""Clusterings of documents by their minimum description length (TEXT-MDL, Kim & Shim 2011).

A document is a set of paths. A cluster is described by a template, the paths that most of its documents have, and by
how each document differs from it. The best clustering is the one whose description costs least:

* exactly, the entropy of the three matrices template (paths x clusters), membership (clusters x documents) and
  differences (paths x documents, -1, 0 and 1), times their cells;
* approximately, one unit for each cell that is not zero, memberships left out since they hardly change.

Only a restatement of the paper was to be had; what it leaves open is said where it is decided.
"""

from __future__ import annotations

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
