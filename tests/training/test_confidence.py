"""The weights of confidence: drawn samples, the fit, the file."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import folds
from benchmarks.folds import FIVE, fold_of
from benchmarks.quality.plan import Workers
from benchmarks.scoring import PageResult, Score
from scrapy_stemmer.learners.rules.confidence import ConfidenceSigns, Terms, confidence_of, confidence_weights, terms_of
from scrapy_stemmer.learners.rules.features import FEATURE_NAMES
from scrapy_stemmer.learners.rules.scorer import FORMAT, VERSION
from tests.training.tiny import write_set
from training import confidence
from training.confidence import ALONE, FULL, KINDS, SIZES, SMALL, Seen, drawn, fitted_weights, logistic

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


def test_a_single_page_is_stripped_alone_and_a_large_site_by_the_protocol() -> None:
    assert [(kind, split.tested) for kind, split in drawn("a", 1)] == [(ALONE, (0,))]
    full = [split for kind, split in drawn("a", 30) if kind == FULL]
    assert [(len(split.learned), len(split.tested)) for split in full] == [(10, 20)]


def test_pages_of_all_sites_are_stripped_once_by_a_scorer_of_their_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folds, "WEIGHTS", tmp_path / "folds")
    (tmp_path / "folds").mkdir()
    for fold in FIVE:
        given = {"format": FORMAT, "version": VERSION, "features": list(FEATURE_NAMES), "base": fold.part, "trees": []}
        folds.weights_of(fold).write_text(json.dumps(given), encoding="utf-8")
    write_set(tmp_path / "data", sites=4, pages=3)
    with Workers(1) as workers:
        found = confidence.seen_in(tmp_path / "data", workers)
    assert Counter(page.kind for page in found)[ALONE] == 4 * 3
    assert {(page.kind, page.signs.pages) for page in found} == {(ALONE, 0), (SMALL, 1), (SMALL, 2), (FULL, 2)}
    for page in found:
        share = 1 / (1 + math.exp(-fold_of(page.brand, 5)))  # odds of every block
        assert page.kind != ALONE or page.signs.f1 == pytest.approx(2 * share / (1 + share))


# The fit


def test_the_fit_finds_the_weights_that_pages_were_made_by() -> None:
    assert fitted_weights(made(TRUE, 20_000)) == pytest.approx(TRUE, abs=0.25)


def test_confidence_is_as_often_right_as_it_says() -> None:
    pages = made(TRUE, 5_000)
    weights = fitted_weights(pages)
    for low in (0.5, 0.7, 0.9):
        inside = [page for page in pages if low <= confidence_of(page.signs, weights) < low + 0.1]
        said = np.mean([confidence_of(page.signs, weights) for page in inside])
        assert np.mean([page.result.score.f1 for page in inside]) == pytest.approx(said, abs=0.05)


def test_a_term_that_would_make_surer_for_knowing_less_is_left_out() -> None:
    weights = fitted_weights(made(TRUE._replace(few=1.0), 2_000))
    assert weights.few == 0
    assert weights.expected > 0 > weights.unknown


def test_weights_are_finite_where_all_pages_are_good() -> None:
    weights = fitted_weights([seen(ConfidenceSigns(0.9, 1.0, 5), True)] * 10)
    assert all(math.isfinite(weight) for weight in weights)
    assert confidence_of(ConfidenceSigns(0.9, 1.0, 5), weights) > 0.5


def test_a_site_counts_by_the_root_of_its_pages_and_kinds_count_the_same() -> None:
    signs = ConfidenceSigns(0.9, 1.0, 5)
    pages = [seen(signs, True, ALONE, "a.example")] * 4 + [seen(signs, True, ALONE, "b.example")]
    pages += [seen(signs, True, FULL, "a.example")]
    counts = confidence.weights_of_pages(pages)
    assert counts.sum() == pytest.approx(len(pages))
    assert counts[:4].sum() == pytest.approx(2 * counts[4])
    assert counts[:5].sum() == pytest.approx(counts[5])


def test_a_logistic_regression_of_a_constant_says_the_share() -> None:
    good = np.array([1.0, 1.0, 1.0, 0.0])
    (found,) = logistic(np.ones((4, 1)), good, np.ones(4), ridge=1e-9)
    assert found == pytest.approx(math.log(3))


# The file


def test_the_file_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "confidence.json"
    confidence.write(TRUE, {"pages": {ALONE: 3}}, path)
    assert confidence_weights(path) == TRUE
    assert json.loads(path.read_text(encoding="utf-8"))["provenance"] == {"pages": {ALONE: 3}}
