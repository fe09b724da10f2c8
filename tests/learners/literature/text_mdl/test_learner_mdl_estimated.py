"""Signatures, estimates by signatures, and clustering by estimates."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from scrapy_stemmer.learners.literature.text_mdl.learner import (
    EstimatedCosts,
    PathHashes,
    agglomerate,
    as_paths,
    cluster_cost,
    nearest_first,
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


def test_the_jaccard_estimate() -> None:
    pair = EstimatedCosts([as_paths(range(45)), as_paths(range(15, 60))], 512)
    assert pair.jaccard(0, np.array([0, 1])).tolist() == pytest.approx([1.0, 0.5], abs=0.06)


def by_hash(sample: list[PathHashes]) -> list[list[int]]:
    return agglomerate(EstimatedCosts(sample))


def by_nearest(sample: list[PathHashes]) -> list[list[int]]:
    return nearest_first(EstimatedCosts(sample))


def test_both_find_the_clusters_of_the_micro_example() -> None:
    assert by_hash(documents(EXAMPLE)) == BEST
    assert by_nearest(documents(EXAMPLE)) == BEST


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
