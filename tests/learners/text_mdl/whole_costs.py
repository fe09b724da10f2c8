"""The costs of a clustering as a whole, against which the learner's running sums are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrapy_stemmer.learners.text_mdl.mdl import cluster_cost, columns_of, matrix_costs, template_parts
from scrapy_stemmer.learners.text_mdl.paths import Paths


def approximate_cost(documents: Sequence[Paths], clusters: Sequence[Sequence[int]]) -> int:
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


def exact_cost(documents: Sequence[Paths], clusters: Sequence[Sequence[int]]) -> ExactCost:
    """The cost of a clustering in bits: for each matrix its cells times the entropy of a cell."""
    present, weights = columns_of(documents)
    parts = np.zeros(3)
    for cluster in clusters:
        supports = present[list(cluster)].sum(axis=0)
        parts += template_parts(supports[None, :], np.array([len(cluster)]), weights)[:, 0]
    costs = matrix_costs(parts[:, None], int(weights.sum()), len(clusters), len(documents))
    return ExactCost(*(float(cost[0]) for cost in costs))
