"""Merging the pair of clusters that gains most."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.text_mdl.mdl import approximate_cost
from scrapy_stemmer.learners.text_mdl.merging import EntropyCosts, UnitCosts, agglomerate
from scrapy_stemmer.learners.text_mdl.paths import Paths, as_paths
from tests.learners.text_mdl.exact import exact_cost
from tests.lettersets import BEST, EXAMPLE, documents

Costs = type[UnitCosts]


def gain(clusters: UnitCosts, first: int, second: int) -> float:
    return float(clusters.pairs(first, np.array([second]))[0, 0])


def test_the_gains_of_the_micro_example_step_by_step() -> None:
    clusters = UnitCosts(documents(EXAMPLE))
    assert gain(clusters, 0, 2) == gain(clusters, 1, 2) == 4
    assert gain(clusters, 0, 1) == gain(clusters, 3, 4) == 3
    clusters.merge(0, 2)
    assert gain(clusters, 0, 1) == 2
    clusters.merge(3, 4)
    clusters.merge(0, 1)
    assert gain(clusters, 0, 3) == -5


@pytest.mark.parametrize("costs", [UnitCosts, EntropyCosts])
@pytest.mark.parametrize("min_jaccard", [0.0, 0.2])
def test_the_clusters_of_the_micro_example(costs: Costs, min_jaccard: float) -> None:
    assert agglomerate(costs(documents(EXAMPLE)), min_jaccard) == BEST


@pytest.mark.parametrize(
    ("words", "clusters"),
    [
        pytest.param("", [], id="no documents"),
        pytest.param("AB", [[0]], id="one document"),
        pytest.param("AB AB", [[0, 1]], id="the same document twice"),
        pytest.param("AB CD", [[0], [1]], id="nothing in common"),
        pytest.param("- -", [[0], [1]], id="documents without paths"),
        pytest.param("ABCDE EFGHI", [[0], [1]], id="a ninth of the paths in common, too little"),
        pytest.param("ABCDE DEFGH", [[0, 1]], id="a fourth of the paths in common"),
        pytest.param("ABCD CDEF ABEF", [[0, 1], [2]], id="equal gains: the lowest numbers are merged first"),
    ],
)
def test_clusters(words: str, clusters: list[list[int]]) -> None:
    assert agglomerate(UnitCosts(documents(words))) == clusters


def test_without_a_least_jaccard_any_shared_path_merges() -> None:
    assert agglomerate(UnitCosts(documents("ABCDE EFGHI")), 0.0) == [[0, 1]]


SETS = st.lists(st.sets(st.integers(0, 9), max_size=9), min_size=2, max_size=7)


def plain_agglomerate(found: list[Paths], min_jaccard: float, *, exact: bool) -> list[list[int]]:
    """Every pair anew in every round, by the costs of whole clusterings."""

    def cost(clusters: list[list[int]]) -> float:
        return exact_cost(found, clusters).total if exact else approximate_cost(found, clusters)

    def union(cluster: list[int]) -> set[int]:
        return {path for number in cluster for path in found[number].tolist()}

    clusters = [[number] for number in range(len(found))]
    while True:
        best, best_gain = None, 0.0
        for first, second in combinations(range(len(clusters)), 2):
            ours, theirs = union(clusters[first]), union(clusters[second])
            if len(ours & theirs) < min_jaccard * len(ours | theirs) or not ours | theirs:
                continue
            others = [cluster for number, cluster in enumerate(clusters) if number not in (first, second)]
            saved = round(cost(clusters) - cost([*others, clusters[first] + clusters[second]]), 6)
            if saved > best_gain:
                best, best_gain = (first, second), saved
        if best is None:
            return [sorted(cluster) for cluster in clusters]
        clusters[best[0]] += clusters.pop(best[1])


@given(SETS, st.sampled_from([0.2, 0.5]))
def test_kept_gains_are_those_made_anew(sets: list[set[int]], min_jaccard: float) -> None:
    found = [as_paths(paths) for paths in sets]
    assert agglomerate(UnitCosts(found), min_jaccard) == plain_agglomerate(found, min_jaccard, exact=False)


@given(SETS)
def test_kept_parts_give_the_entropies_made_anew(sets: list[set[int]]) -> None:
    found = [as_paths(paths) for paths in sets]
    assert agglomerate(EntropyCosts(found)) == plain_agglomerate(found, 0.2, exact=True)


@given(SETS)
def test_merging_never_makes_the_description_longer(sets: list[set[int]]) -> None:
    found = [as_paths(paths) for paths in sets]
    singles = [[number] for number in range(len(found))]
    assert approximate_cost(found, agglomerate(UnitCosts(found))) <= approximate_cost(found, singles)
