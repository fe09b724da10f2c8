"""The confidence in the text of a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.decide.confidence import (
    FEW_PAGES,
    ConfidenceSigns,
    Terms,
    confidence_of,
    confidence_weights,
)
from tests.learners.rules.made import f1_of

SURE = 12.0


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
    assert f1_of(odds, is_text, lengths) == pytest.approx(f1, abs=1e-4)


WEIGHTS = Terms(base=-1.0, expected=1.5, unknown=-0.25, few=-1.0)


def sure(f1: float, similarity: float = 1.0, pages: int = FEW_PAGES) -> float:
    """Return the confidence by fixed weights, independent of training."""
    return confidence_of(ConfidenceSigns(f1, similarity, pages), WEIGHTS)


def test_few_pages_and_text_where_no_learned_page_had_any_speak_against_an_unsure_page() -> None:
    fair = sure(0.92)
    assert sure(0.92, pages=1) < sure(0.92, pages=FEW_PAGES - 1) < fair == sure(0.92, pages=99)
    assert sure(0.92, 0.0) < sure(0.92, 0.5) < fair
    assert sure(0.999, 0.0) == sure(0.999, 1.0)


@pytest.mark.parametrize("f1", [0.3, 0.9, 0.99])
def test_a_page_alone_is_trusted_as_one_that_was_learned_from_itself(f1: float) -> None:
    assert confidence_of(ConfidenceSigns(f1, 0.0, 0)) == confidence_of(ConfidenceSigns(f1, 1.0, 1))


@given(st.tuples(st.floats(0, 1), st.floats(0, 1)), st.floats(0, 1), st.integers(0, 20), st.integers(0, 20))
def test_with_the_shipped_weights_more_never_makes_less_sure(
    f1s: tuple[float, float], similarity: float, pages: int, more: int
) -> None:
    """More means a higher expected F1, more learned pages (none for the page itself), or more known text."""
    low, high = sorted(f1s)
    least = confidence_of(ConfidenceSigns(low, similarity, pages))
    assert 0.0 <= least <= confidence_of(ConfidenceSigns(high, similarity, pages)) <= 1.0
    assert least <= confidence_of(ConfidenceSigns(low, 1.0, max(1, pages) + more))


def test_weights_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"provenance": {}, "weights": WEIGHTS._asdict()}), encoding="utf-8")
    assert confidence_weights(path) == WEIGHTS
