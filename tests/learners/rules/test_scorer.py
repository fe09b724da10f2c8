"""The scorer: trees that a file holds, evaluated a row or many rows at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scrapy_stemmer.exceptions import ScorerError
from scrapy_stemmer.learners.rules.scorer import FEW, SHIPPED, Scorer

NAN = float("nan")

SMALL = {
    "format": "scrapy-stemmer scorer",
    "version": 1,
    "features": ["link", "length"],
    "base": -0.5,
    "trees": [
        [0, 0.5, 1, [1, 10, 0, 1, 2], -4],
        [1, 20, 0, 8, 16],
        32,
    ],
}
"""A scorer of three trees, one of which is a number."""

ROWS = {
    (0.5, 10.0): 1 + 8,
    (0.5, 10.5): 2 + 8,
    (0.0, 20.5): 2 + 16,
    (0.6, 5.0): -4 + 8,
    (NAN, 5.0): -4 + 8,
    (0.0, NAN): 1 + 8,
    (NAN, 30.0): -4 + 16,
}
"""Rows, and what the first two trees add."""


def matrix(rows: list[tuple[float, float]]) -> NDArray[np.float32]:
    return np.array(rows, np.float32)


def written(path: Path, **changed: Any) -> Path:
    path.write_text(json.dumps({**SMALL, **changed}), encoding="utf-8")
    return path


@pytest.fixture
def scorer(tmp_path: Path) -> Scorer:
    return Scorer.load(written(tmp_path / "small.json"))


@pytest.mark.parametrize("times", [1, FEW])
def test_values_of_all_trees_are_added_to_the_base(scorer: Scorer, times: int) -> None:
    odds = scorer.odds(matrix(list(ROWS) * times))
    assert odds.dtype == np.float64
    assert odds.tolist() == [-0.5 + 32 + added for added in ROWS.values()] * times


def test_rows_can_be_chosen(scorer: Scorer) -> None:
    rows = matrix(list(ROWS))
    assert scorer.odds(rows, [3, 0]).tolist() == scorer.odds(rows)[[3, 0]].tolist()
    assert scorer.odds(rows, []).tolist() == []


def test_thresholds_are_not_rounded_to_the_precision_of_rows(tmp_path: Path) -> None:
    """0.1 as a row has it is a little more than 0.1; one row and many must agree on it."""
    scorer = Scorer.load(written(tmp_path / "one.json", trees=[[0, 0.1, 0, 1, 2]]))
    one = matrix([(0.1, 0.0)])
    assert scorer.odds(one).tolist() == [1.5]
    assert scorer.odds(np.repeat(one, FEW + 1, axis=0)).tolist() == [1.5] * (FEW + 1)


def test_trees_are_flat_with_what_is_below_behind(scorer: Scorer) -> None:
    assert scorer.names == ("link", "length")
    assert scorer.roots == [0, 5, 8]
    assert scorer.feature == [0, 1, -1, -1, -1, 1, -1, -1, -1]
    assert scorer.low == [1, 2, 2, 3, 4, 6, 6, 7, 8]
    assert scorer.high == [4, 3, 2, 3, 4, 7, 6, 7, 8]
    assert scorer.missing_low == [False, True, False, False, False, True, False, False, False]


def test_the_shipped_scorer_is_small_and_can_be_read() -> None:
    assert SHIPPED.stat().st_size <= 50_000
    scorer = Scorer.load()
    assert scorer.odds(np.full((1, len(scorer.names)), np.nan, np.float32)).shape == (1,)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"format": "pattern"}, "its format is not"),
        ({"version": 2}, "its version is 2, not 1"),
        ({"features": ["link", 3]}, "its features are no list of names"),
        ({"base": "low"}, "its base is no number"),
        ({"trees": {}}, "its trees no list"),
        ({"trees": [[0, 1, 0, 2]]}, "is neither a number nor"),
        ({"trees": [[0, 1, 2, 2, 3]]}, "is neither a number nor"),
        ({"trees": [[2, 1, 0, 2, 3]]}, "no known feature"),
        ({"trees": [[0, "1", 0, 2, 3]]}, "no known feature"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    path = written(tmp_path / "damaged.json", **changed)
    with pytest.raises(ScorerError, match=reason) as raised:
        Scorer.load(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "scrapy-stemmer scorer", "version": 1, "base": 0}'])
def test_a_file_that_holds_something_else_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScorerError, match=r"other\.json: damaged"):
        Scorer.load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScorerError, match=r"none\.json: the scorer can't be read"):
        Scorer.load(tmp_path / "none.json")
