"""The costs of a clustering as a whole, against which the learner's running sums are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrapy_stemmer.learners.literature.text_mdl.mdl import EntropyCosts, PathHashes, cluster_cost, matrix_costs


def approximate_cost(documents: Sequence[PathHashes], clusters: Sequence[Sequence[int]]) -> int:
    """The cost of a clustering in units."""
    return sum(cluster_cost([documents[number] for number in cluster]) for cluster in clusters)


@dataclass(frozen=True, slots=True)
class ExactCost:
    """The exact cost of a clustering, in bits.

    :param templates: that of the matrix of templates.
    :param membership: that of the matrix of each document's cluster.
    :param differences: that of the matrix of differences.
    """

    templates: float
    membership: float
    differences: float

    @property
    def total(self) -> float:
        """The sum of all three."""
        return self.templates + self.membership + self.differences


def exact_cost(documents: Sequence[PathHashes], clusters: Sequence[Sequence[int]]) -> ExactCost:
    """The cost of a clustering in bits: for each matrix its cells times the entropy of a cell."""
    singles = EntropyCosts(documents)
    parts = np.zeros(3)
    for cluster in clusters:
        supports = singles.rows[0][list(cluster)].sum(axis=0)
        parts += singles.parts_of(supports[None, :], np.array([len(cluster)]))[:, 0]
    costs = matrix_costs(parts[:, None], int(singles.weights.sum()), len(clusters), len(documents))
    return ExactCost(*(float(cost[0]) for cost in costs))
