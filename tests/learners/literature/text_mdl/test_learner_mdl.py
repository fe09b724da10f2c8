"""Description lengths of clusterings; exact values are from the micro-example of algorithms §5."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scrapy_stemmer.learners.literature.text_mdl.learner import (
    PathHashes,
    UnitCosts,
    agglomerate,
    cluster_cost,
    essential_paths,
    support_threshold,
)
from tests.lettersets import BEST, EXAMPLE, SINGLES, documents, words


def approximate_cost(documents: Sequence[PathHashes], clusters: Sequence[Sequence[int]]) -> int:
    """The cost of a clustering in units."""
    return sum(cluster_cost([documents[number] for number in cluster]) for cluster in clusters)


@pytest.mark.parametrize(
    ("clusters", "cost"),
    [pytest.param(SINGLES, 21, id="single documents"), pytest.param(BEST, 12, id="the best clusters")],
)
def test_the_approximate_costs_of_the_micro_example(clusters: list[list[int]], cost: int) -> None:
    assert approximate_cost(documents(EXAMPLE), clusters) == cost


@pytest.mark.parametrize(
    ("supports", "threshold"),
    [
        pytest.param([5, 5, 3], 5, id="the most frequent"),
        pytest.param([3, 5, 5, 3], 3, id="the smallest on ties"),
        pytest.param([1, 1, 1, 4], 4, id="supports of one don't count"),
        pytest.param([1, 1], 2, id="nothing but its own paths"),
        pytest.param([], 2, id="no paths"),
    ],
)
def test_the_threshold_of_a_document(supports: list[int], threshold: int) -> None:
    assert support_threshold(np.array(supports, dtype=np.intp)) == threshold


@pytest.mark.parametrize(
    ("all_paths", "essential"),
    [
        pytest.param("ABx ABy ABz", "AB AB AB", id="what single documents have is left out"),
        pytest.param("ABCDE ABCDE ABCDE ABF ABF", "ABCDE ABCDE ABCDE AB AB", id="each has its own threshold"),
        pytest.param("AB CD", "- -", id="nothing in common"),
        pytest.param("A - A", "A - A", id="a document without paths"),
        pytest.param("", "", id="no documents"),
    ],
)
def test_essential_paths(all_paths: str, essential: str) -> None:
    assert words(essential_paths(documents(all_paths))) == essential


# Merging the best pair of clusters


def gain(clusters: UnitCosts, first: int, second: int) -> float:
    return float(clusters.saved(first, np.array([second]))[0])


def test_the_gains_of_the_micro_example_step_by_step() -> None:
    clusters = UnitCosts(documents(EXAMPLE))
    assert gain(clusters, 0, 2) == gain(clusters, 1, 2) == 4
    assert gain(clusters, 0, 1) == gain(clusters, 3, 4) == 3
    clusters.merge(0, 2)
    assert gain(clusters, 0, 1) == 2
    clusters.merge(3, 4)
    clusters.merge(0, 1)
    assert gain(clusters, 0, 3) == -5


@pytest.mark.parametrize("min_jaccard", [0.0, 0.2])
def test_the_clusters_of_the_micro_example(min_jaccard: float) -> None:
    assert agglomerate(UnitCosts(documents(EXAMPLE)), min_jaccard) == BEST


def test_without_a_least_jaccard_any_shared_path_merges() -> None:
    assert agglomerate(UnitCosts(documents("ABCDE EFGHI")), 0.0) == [[0, 1]]


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
