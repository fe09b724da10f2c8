"""The benchmark of changed sites, on invented sites."""

from __future__ import annotations

import pytest

from benchmarks import drift
from benchmarks.folds import Fold
from benchmarks.sets import GoldPage, PageSet
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.rules.learner import RulesLearner
from tests.crawl.test_drift_crawls import redesigned
from tests.crawl.website import Article

ALL = Fold(1, 1)


def gold(site: str, number: int, html: str) -> GoldPage:
    return GoldPage(site, str(number), f"http://{site}/{number}", html, "\n".join(Article(number).text))


@pytest.fixture
def two_sites() -> PageSet:
    old = [gold("old.example", number, Article(number).html()) for number in range(16)]
    new = [gold("new.example", number, redesigned(Article(number))) for number in range(30, 46)]
    few = [gold("few.example", 1, Article(1).html())]
    return PageSet("sites", (*old, *new, *few))


def make(_: Fold) -> Learner:
    return RulesLearner()


def test_a_change_is_found_and_mended_and_no_other_is(two_sites: PageSet) -> None:
    found = drift.run_fold(two_sites, 1, ALL, make)
    assert found.alarms == {"old.example": None, "new.example": None}
    assert {each.sites for each in found.changes} == {("old.example", "new.example"), ("new.example", "old.example")}
    for each in found.changes:
        assert each.found == drift.DRIFT_PAGES
        assert each.found_mixed is not None
        assert each.relearned == pytest.approx(each.fresh, abs=0.01)
        assert each.old == pytest.approx(each.before, abs=0.01)
