"""Description lengths of clusterings; exact values are those of the micro-example of algorithms §5."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.text_mdl.mdl import (
    Columns,
    approximate_cost,
    essential_paths,
    is_template,
    support_threshold,
)
from scrapy_stemmer.learners.text_mdl.paths import as_paths
from tests.learners.text_mdl.exact import exact_cost
from tests.lettersets import BEST, EXAMPLE, ONE, SINGLES, documents, words


@pytest.mark.parametrize(
    ("clusters", "cost"),
    [pytest.param(SINGLES, 21, id="single documents"), pytest.param(BEST, 12, id="the best clusters")],
)
def test_the_approximate_costs_of_the_micro_example(clusters: list[list[int]], cost: int) -> None:
    assert approximate_cost(documents(EXAMPLE), clusters) == cost


@pytest.mark.parametrize(
    ("clusters", "templates", "membership", "differences", "total"),
    [
        pytest.param(SINGLES, 44.856, 18.048, 0.0, 62.904, id="single documents"),
        pytest.param(BEST, 17.839, 10.0, 23.474, 51.313, id="the best clusters"),
        pytest.param(ONE, 8.265, 0.0, 52.334, 60.599, id="one cluster"),
    ],
)
def test_the_exact_costs_of_the_micro_example(
    clusters: list[list[int]], templates: float, membership: float, differences: float, total: float
) -> None:
    cost = exact_cost(documents(EXAMPLE), clusters)
    assert cost.templates == pytest.approx(templates, abs=5e-4)
    assert cost.membership == pytest.approx(membership, abs=5e-4)
    assert cost.differences == pytest.approx(differences, abs=5e-4)
    assert cost.total == pytest.approx(total, abs=5e-4)


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
def test_columns_cost_what_their_paths_cost(texts: list[str], data: st.DataObject) -> None:
    homes = data.draw(st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts)))
    clusters = [[number for number, home in enumerate(homes) if home == one] for one in sorted(set(homes))]
    found = [as_paths(map(ord, text)) for text in texts]
    assert approximate_cost(found, clusters) == plain_cost(texts, clusters)


def test_paths_of_the_same_documents_are_one_column() -> None:
    columns = Columns.of(documents("ABC ABC AB"))
    assert sorted(zip(columns.weights.tolist(), columns.present.T.tolist(), strict=True)) == [
        (1, [1, 1, 0]),
        (2, [1, 1, 1]),
    ]


@pytest.mark.parametrize("words_", ["", "-", "- -"])
def test_nothing_costs_nothing(words_: str) -> None:
    found = documents(words_)
    clusters = [[number] for number in range(len(found))]
    assert approximate_cost(found, clusters) == 0
    assert exact_cost(found, clusters).templates == 0.0
