"""The weights of confidence: drawn samples, the fit, the file."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scoring import PageResult, Score
from scrapy_stemmer.learners.rules.decide.confidence import ConfidenceSigns, Terms, terms_of
from training.confidence import ALONE, FULL, KINDS, SIZES, SMALL, Seen, drawn, fitted_weights

TRUE = Terms(base=-1.5, expected=1.5, unknown=-0.5, few=-1.0)


def seen(signs: ConfidenceSigns, is_good: bool, kind: str = FULL, site: str = "a.example") -> Seen:
    """Return a stripped page."""
    f1 = float(is_good)
    return Seen(PageResult("set", site, "1", Score(f1, f1, f1)), site, kind, signs)


def made(weights: Terms, count: int) -> list[Seen]:
    """Pages of as many sites, good as often as their confidence says."""
    dice = np.random.default_rng(0)
    pages = []
    for number in range(count):
        signs = ConfidenceSigns(dice.uniform(0.3, 1.0), dice.uniform(), int(dice.integers(1, 12)))
        odds = sum(weight * term for weight, term in zip(weights, terms_of(signs), strict=True))
        is_good = dice.uniform() < 1 / (1 + math.exp(-odds))
        pages.append(seen(signs, bool(is_good), KINDS[number % 3], f"{number}.example"))
    return pages


# Drawn samples


@given(st.text(max_size=5), st.integers(1, 40))
def test_nothing_that_is_tested_with_a_small_sample_is_in_it(name: str, count: int) -> None:
    found = list(drawn(name, count))
    assert found == list(drawn(name, count))
    for kind, split in found:
        assert {*split.learned, *split.tested} <= set(range(count))
        assert kind != SMALL or not set(split.learned) & set(split.tested)
        assert (kind == ALONE) == (not split.learned)
    small = [len(split.learned) for kind, split in found if kind == SMALL]
    assert small == [size for size in SIZES if size < count]


# The fit


def test_the_fit_finds_the_weights_that_pages_were_made_by() -> None:
    assert fitted_weights(made(TRUE, 20_000)) == pytest.approx(TRUE, abs=0.25)
