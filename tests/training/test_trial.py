"""Trials: what a scorer makes of sites, by rules, by itself, and by both."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.tiny import site_of
from training.trial import layout_of, outcomes, trials_of


def knowing(names: tuple[str, ...]) -> int:
    """The number of the feature that tells text from the rest in tiny sites."""
    return names.index("repeated")


@pytest.mark.parametrize(("pages", "trials", "tested"), [(2, 1, 2), (4, 4, 1), (15, 1, 5)])
def test_sites_are_tested_by_the_protocol(pages: int, trials: int, tested: int) -> None:
    found = list(trials_of(site_of("a.example", pages)))
    assert [len(trial.tested) for trial in found] == [tested] * trials


def test_fewer_pages_can_be_tested() -> None:
    assert [len(trial.tested) for trial in trials_of(site_of("a.example", 15), most=2)] == [2]


def test_rules_follow_from_the_scores() -> None:
    (trial,) = trials_of(site_of("a.example", 12))
    sample = trial.learned
    layout = layout_of(sample, np.where(sample.wanted, 2.0, -2.0))
    assert layout.keeps[sample.path].tolist() == sample.wanted.tolist()
    assert layout.decided[sample.path].all()
    assert not layout.decided.all(), "no rule decides on paths that have no text"


def test_a_path_whose_scores_disagree_is_not_decided() -> None:
    (trial,) = trials_of(site_of("a.example", 12))
    sample = trial.learned
    odds = np.where(sample.wanted, 2.0, -2.0)
    paragraphs = np.nonzero(sample.length > 60)[0]
    odds[paragraphs[::2]] = -2.0
    layout = layout_of(sample, odds)
    assert not layout.decided[sample.path[paragraphs]].any()


def test_a_scorer_that_knows_the_text_finds_it() -> None:
    trials = list(trials_of(site_of("a.example", 15)))
    number = knowing(trials[0].learned.names)

    def odds(rows: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.where(rows[:, number] > 0.5, -2.0, 2.0).astype(np.float64)

    found = list(outcomes(trials, odds))
    assert len(found) == 5
    assert {result.type for outcome in found for result in outcome[:3]} == {"article"}
    for outcome in found:
        assert outcome.both.score.f1 > 0.85
        assert outcome.both == outcome.rules
        assert outcome.rule_count <= 4
