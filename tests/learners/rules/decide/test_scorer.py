"""The scorer: trees from a file, applied to rows, and to blocks without a rule."""

from __future__ import annotations

import json
import math
import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.learners.rules.decide.features import FEATURE_NAMES
from scrapy_stemmer.learners.rules.decide.scorer import (
    ENOUGH_F1,
    ERRORS,
    LEAST_CUT,
    NO_ERROR,
    SHIPPED,
    Scorer,
    ScorerError,
    cut_of,
    scored,
    shipped_scorer,
)
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.learners.rules.site.paths import MASK
from scrapy_stemmer.learners.rules.site.site import Knowledge, Site
from tests.learners.rules.made import document, f1_of
from tests.learners.rules.made import scorer as made_scorer

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
"""A scorer of three trees, of which the last is a number."""

ROWS = {
    (0.5, 10.0): 1 + 8,
    (0.5, 10.5): 2 + 8,
    (0.0, 20.5): 2 + 16,
    (0.6, 5.0): -4 + 8,
    (NAN, 5.0): -4 + 8,
    (0.0, NAN): 1 + 8,
    (NAN, 30.0): -4 + 16,
}
"""Rows, and the sums of the first two trees."""


def matrix(rows: list[tuple[float, float]]) -> NDArray[np.float32]:
    return np.array(rows, np.float32)


def written(path: Path, **changed: Any) -> Path:
    path.write_text(json.dumps({**SMALL, **changed}), encoding="utf-8")
    return path


@pytest.fixture
def scorer(tmp_path: Path) -> Scorer:
    return Scorer.load(written(tmp_path / "small.json"))


@pytest.mark.parametrize("times", [1, 40])
def test_values_of_all_trees_are_added_to_the_base(scorer: Scorer, times: int) -> None:
    odds = scorer.odds(matrix(list(ROWS) * times))
    assert odds.dtype == np.float64
    assert odds.tolist() == [-0.5 + 32 + added for added in ROWS.values()] * times


def test_thresholds_are_not_rounded_to_the_precision_of_rows(tmp_path: Path) -> None:
    """0.1 in a row is a little more than 0.1; single rows and many rows must agree."""
    scorer = Scorer.load(written(tmp_path / "one.json", trees=[[0, 0.1, 0, 1, 2]]))
    one = matrix([(0.1, 0.0)])
    assert scorer.odds(one).tolist() == [1.5]
    assert scorer.odds(np.repeat(one, 40, axis=0)).tolist() == [1.5] * 40


def test_a_copy_scores_alike(scorer: Scorer) -> None:
    for copy in (deepcopy(scorer), pickle.loads(pickle.dumps(scorer))):
        assert copy.odds(matrix(list(ROWS))).tolist() == scorer.odds(matrix(list(ROWS))).tolist()


def test_rows_of_fewer_features_are_refused(scorer: Scorer) -> None:
    with pytest.raises(ValueError, match="a row is wanted for each feature"):
        scorer.odds(np.zeros((3, 1), np.float32))


@pytest.mark.parametrize("side", ["low", "high"])
def test_a_tree_of_too_many_leaves_is_named(tmp_path: Path, side: str) -> None:
    tree: Any = 1
    for _ in range(32):
        tree = [0, 0.5, 0, *((1, tree) if side == "high" else (tree, 1))]
    with pytest.raises(ScorerError, match="more than 32 leaves"):
        Scorer.load(written(tmp_path / "large.json", trees=[tree]))


def test_the_shipped_scorer_is_small_and_knows_the_features_that_are_made() -> None:
    assert SHIPPED.stat().st_size <= 250_000
    scorer = shipped_scorer()
    assert scorer is shipped_scorer()
    assert list(scorer.names) == list(FEATURE_NAMES)
    assert scorer.odds(np.full((1, len(scorer.names)), np.nan, np.float32)).shape == (1,)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"format": "pattern"}, "its format is not"),
        ({"version": 2}, "its version is 2, not 1"),
        ({"features": ["link", 3]}, "its features are no list of names"),
        ({"base": "low"}, "its base is no number"),
        ({"base": NAN}, "its base is no number"),
        ({"trees": {}}, "its trees no list"),
        ({"trees": [[0, 1, 0, 2]]}, "is neither a number nor"),
        ({"trees": [[0, 1, 2, 2, 3]]}, "is neither a number nor"),
        ({"trees": [[2, 1, 0, 2, 3]]}, "no known feature"),
        ({"trees": [[0, "1", 0, 2, 3]]}, "no known feature"),
        ({"trees": [[0, NAN, 0, 2, 3]]}, "a threshold is no number"),
        ({"trees": [10**400]}, "too large"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    path = written(tmp_path / "damaged.json", **changed)
    with pytest.raises(ScorerError, match=reason) as raised:
        Scorer.load(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": "scrapy-stemmer scorer", "version": 1, "base": 0}', "[" * 100_000], ids=range(4)
)
def test_a_file_that_holds_something_else_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScorerError, match=r"other\.json: damaged"):
        Scorer.load(str(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScorerError, match=r"none\.json: the scorer can't be read"):
        Scorer.load(tmp_path / "none.json")


PAGE = Page("https://a.example/", "<article><p>A text of some length, with a comma.</p></article>")


def test_a_scorer_of_other_features_is_refused(scorer: Scorer) -> None:
    for use in (lambda: strip(PAGE, scorer=scorer).text, lambda: learn([PAGE], RulesLearner(scorer=scorer))):
        with pytest.raises(ScorerError, match="The scorer's 2 features are not the"):
            use()


def test_blocks_of_any_odds_have_a_noise() -> None:
    for base in (-9e9, 9e9):
        assert strip(PAGE, scorer=made_scorer(base=base)).blocks[0].noise_confidence == (base < 0)


# Blocks without a rule


def odds(html: str, knowledge: Knowledge, by: Scorer, which: list[int] | None = None) -> list[float]:
    """The odds of the blocks of a page."""
    page = document(html)
    placed = Site([], knowledge).place(page)
    chosen = list(range(len(placed.columns.texts))) if which is None else which
    return list(scored(placed, chosen, by))


def known(pages: int, **counts: int) -> Knowledge:
    return Knowledge(pages=pages, texts={text_key(text) & MASK: count for text, count in counts.items()})


ONE = known(1, Menu=1, Storm=1, Rain=1)


@pytest.mark.parametrize(
    ("html", "knowledge", "feature", "missing", "expected"),
    [
        pytest.param(
            "<p>Menu</p><p>One</p>", known(4, Menu=3), "repeated", "low", [1, -1], id="what is known of texts"
        ),
        pytest.param("<p>Menu</p><p>Sun</p>", ONE, "repeated", "low", [1, -1], id="what the only learned page has too"),
        pytest.param(
            "<p>Menu</p><p>Storm</p><p>Rain</p>", ONE, "repeated", "high", [1, 1, 1], id="that page itself: unknown"
        ),
        pytest.param(
            "<title>One | News</title><p>One</p><p>Two</p>", known(2), "is_title", "low", [1, -1], id="the page's head"
        ),
    ],
)
def test_what_the_features_of_a_page_are_made_from(
    html: str, knowledge: Knowledge, feature: str, missing: str, expected: list[float]
) -> None:
    assert odds(html, knowledge, made_scorer([feature, 0.5, missing, -1, 1])) == expected


# The cut


@pytest.mark.parametrize(
    ("odds", "errors", "cut"),
    [
        ([3.0, 2.0, -4.0], ERRORS, 0.5),  # a sure page
        ([-1.0, -1.0, -1.0], NO_ERROR, 0.27),  # all are kept
        ([-0.2, -6.0, -6.0], ERRORS, 0.45),  # the first copy is kept
        ([-1.5, -2.5, -2.5, -2.5], NO_ERROR, 0.18),
        ([-1.5, -2.5, -2.5, -2.5], ERRORS, 0.076),  # if the first copy is text, all copies may be
        ([-6.0, -6.0, -6.0], ERRORS, LEAST_CUT),
        ([], ERRORS, 0.5),
    ],
)
def test_the_cut_of_a_page(odds: list[float], errors: tuple[tuple[float, float], ...], cut: float) -> None:
    assert cut_of(odds, [10] * len(odds), errors) == pytest.approx(cut, abs=0.01)


ROWS_OF_BLOCKS = st.lists(st.tuples(st.floats(-700, 700), st.integers(1, 10**6)), min_size=1, max_size=5)


@given(ROWS_OF_BLOCKS, st.sampled_from([ERRORS, NO_ERROR]))
def test_no_other_cut_lets_expect_more_where_little_is_to_be_expected(
    rows: list[tuple[float, int]], errors: tuple[tuple[float, float], ...]
) -> None:
    odds, lengths = (list(column) for column in zip(*rows, strict=True))

    def expected(least: float) -> float:
        """The F1 to expect where blocks of at least so high log-odds are kept."""
        kept = [odd >= least for odd in odds]
        return sum(weight * f1_of([odd + error for odd in odds], kept, lengths) for error, weight in errors)

    cut = cut_of(odds, lengths, errors)
    assert LEAST_CUT <= cut <= 0.5
    if LEAST_CUT < cut < 0.5:
        kept = [odd for odd in odds if 1 / (1 + math.exp(-odd)) > cut]
        best = expected(min(kept))
        assert best < ENOUGH_F1
        assert all(expected(odd) <= best + 1e-6 for odd in odds)
