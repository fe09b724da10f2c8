"""Folds of sites, and learners trained without a fold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import folds
from benchmarks.folds import ASIDE, FIVE, Fold, brand_of, fold_of, learner_for, weights_of
from benchmarks.sets import GoldPage
from scrapy_stemmer import Page
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.patterns.base import Pattern


class FakeScorer:
    """A scorer whose weights are the text of their file."""

    def __init__(self, weights: str) -> None:
        self.weights = weights

    @classmethod
    def load(cls, path: Path) -> FakeScorer:
        return cls(path.read_text(encoding="utf-8"))


class FakeLearner(Learner):
    """A learner with weights that learns nothing."""

    name = "fake"

    def __init__(self, *, scorer: FakeScorer) -> None:
        self.scorer = scorer

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        return []


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folds, "WEIGHTS", tmp_path)
    monkeypatch.setattr(folds, "SCORER", f"{__name__}:FakeScorer")
    monkeypatch.setattr(folds, "DEFAULT_LEARNER", f"{__name__}:FakeLearner")
    for fold in (*FIVE, ASIDE):
        weights_of(fold).write_text(f"without {fold}", encoding="utf-8")


def test_a_brand_is_in_one_fold_by_its_name() -> None:
    assert [fold_of(site, 5) for site in ("a.example", "b.example", "c.example")] == [4, 5, 2]
    sites = [f"site{number}" for number in range(100)]
    assert all(sum(fold.holds(site) for fold in FIVE) == 1 for site in sites)
    assert {fold_of(site, 5) for site in sites} == {1, 2, 3, 4, 5}


def pages_at(*urls: str) -> list[GoldPage]:
    return [GoldPage("a site", str(number), url, "", "") for number, url in enumerate(urls)]


@pytest.mark.parametrize(
    ("urls", "brand"),
    [
        (["https://www.bbc.co.uk/news"], "bbc"),
        (["http://bbc.com/"], "bbc"),
        (["https://blogs.wsj.com/a", "https://www.wsj.com/b", "https://other.example/"], "wsj"),
        (["https://someone.github.io/x"], "someone"),
        (["http://localhost:80/x"], "localhost"),
        (["https://b.de/", "https://a.de/"], "a"),
        (["/without/a/host"], "a site"),
    ],
)
def test_a_site_s_brand_is_what_its_hosts_are_called(urls: list[str], brand: str) -> None:
    assert brand_of(pages_at(*urls)) == brand


def test_a_third_is_kept_aside() -> None:
    sites = [f"site{number}" for number in range(100)]
    assert [site for site in sites if ASIDE.holds(site)] == [site for site in sites if fold_of(site, 3) == 3]


@pytest.mark.usefixtures("trained")
@pytest.mark.parametrize("fold", [*FIVE, ASIDE], ids=str)
def test_a_learner_has_the_weights_of_its_fold(fold: Fold) -> None:
    learner = learner_for(fold)
    assert isinstance(learner, FakeLearner)
    assert learner.scorer.weights == f"without {fold}"
