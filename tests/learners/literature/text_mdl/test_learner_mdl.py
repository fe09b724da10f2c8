"""Description lengths of clusterings; exact values are from the micro-example of algorithms §5."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.text_mdl.learner import (
    PathHashes,
    UnitCosts,
    agglomerate,
    as_paths,
    cluster_cost,
    essential_paths,
    support_threshold,
)
from scrapy_stemmer.learners.literature.text_mdl.pattern import is_template
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
    ("support", "pages", "expected"),
    [(1, 1, True), (1, 2, False), (2, 2, True), (2, 3, True), (2, 4, False), (3, 4, True), (0, 5, False)],
)
def test_a_template_has_what_more_than_half_of_the_documents_have(support: int, pages: int, expected: bool) -> None:
    assert is_template(support, pages) is expected
    assert is_template(support, pages) is (support >= (pages + 1) / 2)


@given(st.integers(1, 60), st.data())
def test_that_is_the_cheaper_choice(pages: int, data: st.DataObject) -> None:
    support = data.draw(st.integers(0, pages))
    inside, outside = 1 + pages - support, support
    assert is_template(support, pages) is (inside <= outside)


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


LETTERSETS = st.lists(st.text("ABCDEFGH", max_size=8), min_size=1, max_size=7)


def plain_cost(texts: Sequence[str], clusters: Sequence[Sequence[int]]) -> int:
    """The approximate cost by the formula, cell by cell."""
    total = 0
    for cluster in clusters:
        for letter in set("".join(texts)):
            support = sum(letter in texts[number] for number in cluster)
            total += min(support, len(cluster) - support + 1)
    return total


@given(LETTERSETS, st.data())
def test_clusters_cost_what_their_paths_cost(texts: list[str], data: st.DataObject) -> None:
    homes = data.draw(st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts)))
    clusters = [[number for number, home in enumerate(homes) if home == cluster] for cluster in sorted(set(homes))]
    sample = [as_paths(map(ord, text)) for text in texts]
    assert approximate_cost(sample, clusters) == plain_cost(texts, clusters)


def test_paths_of_the_same_documents_are_one_column() -> None:
    clusters = UnitCosts(documents("ABC ABC AB"))
    assert sorted(zip(clusters.weights.tolist(), clusters.rows[0].T.tolist(), strict=True)) == [
        (1, [1, 1, 0]),
        (2, [1, 1, 1]),
    ]


@pytest.mark.parametrize("words_", ["", "-", "- -"])
def test_nothing_costs_nothing(words_: str) -> None:
    sample = documents(words_)
    clusters = [[number] for number in range(len(sample))]
    assert approximate_cost(sample, clusters) == 0


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


def plain_agglomerate(sample: list[PathHashes], min_jaccard: float) -> list[list[int]]:
    """Every pair anew in every round, by the costs of whole clusterings."""

    def union(cluster: list[int]) -> set[int]:
        return {path for number in cluster for path in sample[number].tolist()}

    clusters = [[number] for number in range(len(sample))]
    while True:
        best, best_gain = None, 0.0
        for first, second in combinations(range(len(clusters)), 2):
            ours, theirs = union(clusters[first]), union(clusters[second])
            if len(ours & theirs) < min_jaccard * len(ours | theirs) or not ours | theirs:
                continue
            others = [cluster for number, cluster in enumerate(clusters) if number not in (first, second)]
            merged = approximate_cost(sample, [*others, clusters[first] + clusters[second]])
            saved = approximate_cost(sample, clusters) - merged
            if saved > best_gain:
                best, best_gain = (first, second), saved
        if best is None:
            return [sorted(cluster) for cluster in clusters]
        clusters[best[0]] += clusters.pop(best[1])


@given(SETS, st.sampled_from([0.2, 0.5]))
def test_kept_gains_are_those_made_anew(sets: list[set[int]], min_jaccard: float) -> None:
    sample = [as_paths(paths) for paths in sets]
    assert agglomerate(UnitCosts(sample), min_jaccard) == plain_agglomerate(sample, min_jaccard)


@given(SETS)
def test_merging_never_makes_the_description_longer(sets: list[set[int]]) -> None:
    sample = [as_paths(paths) for paths in sets]
    singles = [[number] for number in range(len(sample))]
    assert approximate_cost(sample, agglomerate(UnitCosts(sample))) <= approximate_cost(sample, singles)
