"""Signatures, estimates by signatures, and clustering by estimates."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.text_mdl.learner import (
    NO_RANK,
    EstimatedCosts,
    PathHashes,
    agglomerate,
    as_paths,
    cluster_cost,
    nearest_first,
    ranks_of,
)
from tests.lettersets import BEST, EXAMPLE, documents


def merged(clusters: EstimatedCosts) -> EstimatedCosts:
    for number in range(1, len(clusters.costs)):
        clusters.merge(0, number)
    return clusters


def cluster_of(seed: int, count: int = 6, paths: int = 420) -> list[PathHashes]:
    """Return documents of a layout; each of a thousand paths has a frequency of its own."""
    random = Random(seed)
    frequency = {path: random.choice((0.1, 0.3, 0.5, 0.7, 0.9)) for path in range(1000)}
    return [
        as_paths(random.sample([path for path in frequency if random.random() < frequency[path]], k=paths))
        for _ in range(count)
    ]


def error(seed: int, length: int) -> float:
    """Return the relative error of the estimated cost of a cluster."""
    sample = cluster_of(seed)
    estimate = float(merged(EstimatedCosts(sample, length, seed)).costs[0])
    return abs(estimate / cluster_cost(sample) - 1)


@pytest.mark.parametrize(
    ("length", "mean", "most"),
    [pytest.param(32, 0.09, 0.25), pytest.param(64, 0.06, 0.18), pytest.param(128, 0.045, 0.12)],
)
def test_the_estimated_cost_is_near_the_true_one(length: int, mean: float, most: float) -> None:
    errors = [error(seed, length) for seed in range(20)]
    assert np.mean(errors) < mean
    assert max(errors) < most


def test_the_cost_of_single_documents_is_exact() -> None:
    assert EstimatedCosts(documents(EXAMPLE)).costs.tolist() == [4, 4, 5, 4, 4]


def test_the_cost_of_equal_documents_is_exact() -> None:
    assert merged(EstimatedCosts(documents("ABCD ABCD ABCD"))).costs.tolist() == [4, 0, 0]


def test_the_jaccard_estimate() -> None:
    pair = EstimatedCosts([as_paths(range(45)), as_paths(range(15, 60))], 512)
    assert pair.jaccard(0, np.array([0, 1])).tolist() == pytest.approx([1.0, 0.5], abs=0.06)


def test_signatures_count_the_documents_that_attain_a_rank() -> None:
    _, attained, size, total = (values[0] for values in merged(EstimatedCosts(documents("A A AB"))).rows)
    counts = dict(zip(*np.unique(attained, return_counts=True), strict=True))
    assert set(counts) == {1, 3}
    assert counts[1] + counts[3] == attained.size
    assert (size, total) == (3, 4)


def test_ranks_depend_on_the_seed_and_not_on_the_process() -> None:
    ranks = ranks_of(as_paths([1, 2, 3]), 4)
    assert ranks.tolist() == ranks_of(as_paths([3, 2, 1]), 4).tolist()
    assert ranks.tolist() != ranks_of(as_paths([1, 2, 3]), 4, seed=1).tolist()
    assert ranks_of(as_paths([]), 2).tolist() == [NO_RANK, NO_RANK]


SETS = st.lists(st.sets(st.integers(0, 30), max_size=20), min_size=2, max_size=6)


@given(SETS)
def test_the_signature_of_a_cluster_is_that_of_its_paths(sets: list[set[int]]) -> None:
    """Merging loses nothing: the union has the least ranks, in any order."""
    ranks, counts, *_ = merged(EstimatedCosts([as_paths(paths) for paths in sets], 16)).rows
    assert ranks[0].tolist() == ranks_of(as_paths(set().union(*sets)), 16).tolist()
    back = merged(EstimatedCosts([as_paths(paths) for paths in reversed(sets)], 16))
    assert counts[0].tolist() == back.rows[1][0].tolist()


def by_hash(sample: list[PathHashes]) -> list[list[int]]:
    return agglomerate(EstimatedCosts(sample))


def by_nearest(sample: list[PathHashes]) -> list[list[int]]:
    return nearest_first(EstimatedCosts(sample))


def test_both_find_the_clusters_of_the_micro_example() -> None:
    assert by_hash(documents(EXAMPLE)) == BEST
    assert by_nearest(documents(EXAMPLE)) == BEST


@pytest.mark.parametrize(
    ("words", "clusters"),
    [
        pytest.param("", [], id="no documents"),
        pytest.param("AB", [[0]], id="one document"),
        pytest.param("AB CD AB", [[0, 2], [1]], id="equal signatures"),
        pytest.param("- AB -", [[0], [1], [2]], id="documents without paths are not alike"),
        pytest.param("AB CD", [[0], [1]], id="nothing in common"),
    ],
)
def test_clusters(words: str, clusters: list[list[int]]) -> None:
    assert by_hash(documents(words)) == clusters
    assert by_nearest(documents(words)) == clusters


def layouts(seed: int) -> list[PathHashes]:
    """Return thirty documents of layouts ``n % 3``, with some paths in all layouts."""
    random = Random(seed)
    return [
        as_paths(
            [*range(20)]
            + [1000 * (number % 3 + 1) + path for path in range(80) if random.random() < 0.9]
            + [10_000 + random.randrange(200) for _ in range(20)]
        )
        for number in range(30)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_both_find_layouts(seed: int) -> None:
    expected = [[number for number in range(30) if number % 3 == layout] for layout in range(3)]
    assert by_hash(layouts(seed)) == expected
    assert by_nearest(layouts(seed)) == expected


@given(SETS)
def test_every_document_is_in_one_cluster(sets: list[set[int]]) -> None:
    sample = [as_paths(paths) for paths in sets]
    for clusters in (by_hash(sample), by_nearest(sample)):
        assert sorted(number for cluster in clusters for number in cluster) == list(range(len(sets)))
        assert clusters == sorted(clusters)
