"""How sure it is that a page was stripped well."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.confidence import (
    ENOUGH,
    FEW_PAGES,
    ConfidenceWeights,
    Evidence,
    confidence_of,
    evidence_of,
    expected_f1,
)

SURE = 12.0
BEST = Evidence(expected=7.0, unlike=0.0, few_pages=0.0)


@pytest.mark.parametrize(
    ("odds", "is_text", "lengths", "f1"),
    [
        ([SURE], [True], [10], 1.0),
        ([SURE, -SURE], [True, False], [10, 90], 1.0),
        ([0.0], [True], [10], 2 / 3),
        ([SURE, SURE], [True, False], [10, 10], 2 / 3),
        ([-SURE], [False], [10], 0.0),
        ([], [], [], 0.0),
    ],
)
def test_the_f1_that_the_probabilities_let_expect(
    odds: list[float], is_text: list[bool], lengths: list[int], f1: float
) -> None:
    assert expected_f1(odds, is_text, lengths) == pytest.approx(f1, abs=1e-4)


def test_what_the_confidence_is_made_of() -> None:
    found = evidence_of([SURE, -SURE, SURE], [True, False, True], [1000, 50, 50], 0.75, FEW_PAGES)
    assert found is not None
    assert (found.unlike, found.few_pages) == (0.25, 0)
    assert found.expected > 6


def test_few_pages_are_told_as_a_share() -> None:
    found = evidence_of([SURE], [True], [250], 1.0, 1)
    assert found is not None
    assert found.few_pages == 1 - 1 / FEW_PAGES


def test_a_page_without_text_has_no_confidence() -> None:
    assert evidence_of([-SURE], [False], [9], 0.0, 9) is None
    assert evidence_of([], [], [], 0.0, 9) is None
    assert confidence_of(None) == 0.0


FAIR = replace(BEST, expected=2.5)


@pytest.mark.parametrize("name", ["unlike", "few_pages"])
def test_all_but_what_is_expected_speaks_against_a_page(name: str) -> None:
    assert confidence_of(replace(FAIR, **{name: 1.0})) < confidence_of(FAIR) < confidence_of(BEST)


def test_a_page_unlike_the_learned_ones_is_trusted_where_the_scorer_is_sure() -> None:
    assert confidence_of(replace(BEST, unlike=1.0)) == confidence_of(BEST)


def test_unsure_blocks_say_little_where_pages_were_learned_but_much_where_not() -> None:
    unsure = replace(BEST, expected=-1.0)
    assert confidence_of(unsure) > 0.5
    assert confidence_of(replace(unsure, unlike=1.0)) < 0.01


def test_all_that_counts_has_a_weight() -> None:
    assert {field.name for field in fields(ConfidenceWeights)} == {"base"} | {field.name for field in fields(Evidence)}
    none = ConfidenceWeights(**dict.fromkeys([one.name for one in fields(ConfidenceWeights)], 0.0))
    for field in fields(Evidence):
        one = replace(none, **{field.name: 1.0})
        found = Evidence(expected=ENOUGH - 1, unlike=1.0, few_pages=1.0)
        factor = found.expected if field.name == "expected" else 1.0
        assert confidence_of(found, one) == pytest.approx(1 / (1 + math.exp(-factor)), abs=1e-3)


ROWS = st.lists(st.tuples(st.floats(-700, 700), st.booleans(), st.integers(1, 10**6)), min_size=1, max_size=5)


@given(ROWS, st.floats(0, 1), st.integers(1, 50))
def test_any_page_has_a_confidence_from_0_to_1(
    rows: list[tuple[float, bool, int]], similarity: float, pages: int
) -> None:
    odds, is_text, lengths = (list(column) for column in zip(*rows, strict=True))
    found = evidence_of(odds, is_text, lengths, similarity, pages)
    assert 0.0 <= confidence_of(found) <= 1.0
    assert (found is None) == (not any(is_text))
