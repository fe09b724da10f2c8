"""The tables of the documentation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.folds import ASIDE, Fold, brand_of
from benchmarks.scoring import PageResult, Score
from benchmarks.sets import PageSet
from scrapy_stemmer.learners.rules.confidence import ConfidenceSigns, Terms
from tests.training.tiny import page_of, site_of
from training import report
from training.confidence import FULL, Seen
from training.fit import Fitted
from training.samples import sample_of


class FakeBooster:
    """Trees in which each feature gains its number."""

    def __init__(self, features: int) -> None:
        self._features = features

    def feature_importance(self, kind: str) -> list[int]:
        assert kind == "gain"
        return list(range(self._features))


@pytest.fixture
def fitted() -> Fitted:
    names = sample_of(site_of("a.example", 2), (0, 1)).names
    return Fitted(FakeBooster(len(names)), 0.0, names)


def test_groups_of_features_and_the_features_worth_most_have_their_shares(fitted: Fitted) -> None:
    lines = report.features_table(fitted).splitlines()
    assert not any("`length`" in line for line in lines)
    assert any("`tag_p`, `tag_li`, `tag_h1`, `tag_h2` and " in line for line in lines)
    shares = [float(line.split("|")[-2].strip(" *")) for line in lines[2:] if line.startswith("| **")]
    assert sum(shares) == pytest.approx(100, abs=1)


def test_results_are_told_by_set_and_page_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each site is in one fold of five, and some in the third set aside."""

    def run_fold(page_set: PageSet, fold: Fold) -> list[PageResult]:
        pages = [page for page in page_set.pages if fold.holds(brand_of([page]))]
        return [PageResult("sites", page.site, page.id, Score(1, 1, 0.5), page.type) for page in pages]

    monkeypatch.setattr(report, "run_fold", run_fold)
    monkeypatch.setattr(report, "run_alone", lambda *given: [replace(each, type=None) for each in run_fold(*given)])
    page_set = PageSet("sites", tuple(page_of("a.example", number) for number in range(3)))
    alone = replace(page_set, name="onepage/made")
    lines = report.results_table([page_set, alone, replace(alone, pages=())]).splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:4]] for line in lines[2:]]
    assert cells == [["sites", "3", "50.00"], ["... article", "3", "50.00"], ["onepage/made", "3", "50.00"]]


def test_tables_are_put_between_their_marks(tmp_path: Path, fitted: Fitted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "results_table", lambda _: "RESULTS")
    monkeypatch.setattr(report, "all_sets", lambda _: iter(()))
    path = tmp_path / "training.md"
    marks = [f"<!-- {mark}: begin -->\nOLD TABLE\n<!-- {mark}: end -->" for mark in (report.RESULTS, report.FEATURES)]
    path.write_text("# Head\n" + "\n".join(marks), encoding="utf-8")
    report.write_report(path, tmp_path, fitted)
    text = path.read_text(encoding="utf-8")
    assert "OLD TABLE" not in text
    assert text.startswith("# Head")
    assert "RESULTS" in text
    assert "**text of the block**" in text


def test_sure_pages_are_told_by_kind_of_sample_and_whether_the_site_was_kept_aside(tmp_path: Path) -> None:
    brands = {is_aside: next(b for b in "abcdefgh" if ASIDE.holds(b) is is_aside) for is_aside in (False, True)}

    def seen(expected: float, f1: float, *, is_aside: bool) -> Seen:
        result = PageResult("sites", "a", "1", Score(f1, f1, f1))
        return Seen(result, brands[is_aside], FULL, ConfidenceSigns(expected, 1.0, 10))

    pages = [seen(0.98, f1, is_aside=False) for f1 in (1, 1, 1, 0.8)] + [seen(0.01, f1, is_aside=True) for f1 in (0, 1)]
    path = tmp_path / "training.md"
    path.write_text("<!-- confidence: begin -->\n<!-- confidence: end -->\n", encoding="utf-8")
    report.write_confidence(path, pages, Terms(0.0, 1.0, 0.0, 0.0))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in path.read_text("utf-8").splitlines()]
    full = [row[2:] for row in rows if row[1:2] == [FULL]]
    assert full == [
        ["4", "98.0", "75.0", "100.0", "75.0", "0.0", ""],
        ["2", "1.0", "50.0", "0.0", "", "100.0", "50.0"],
    ]
    assert ["fitted on", "0.95 to 1", "0", "", "0", "", "4", "75.0"] in rows
    assert ["third aside", "0 to 0.5", "0", "", "0", "", "2", "50.0"] in rows
