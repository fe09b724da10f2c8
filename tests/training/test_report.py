"""The tables of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.folds import Fold
from benchmarks.scoring import PageResult, Score
from benchmarks.sets import PageSet
from tests.training.tiny import page_of, site_of
from training import report
from training.fit import Fitted
from training.samples import sample_of


class FakeBooster:
    """Trees in which each feature gains as much as the number of it says."""

    def __init__(self, features: int) -> None:
        self._features = features

    def feature_importance(self, kind: str) -> list[int]:
        assert kind == "gain"
        return list(range(self._features))


@pytest.fixture
def fitted() -> Fitted:
    names = sample_of(site_of("a.example", 2), (0, 1)).names
    return Fitted(FakeBooster(len(names)), 0.0, names)


def test_every_feature_is_in_the_table_with_its_share(fitted: Fitted) -> None:
    lines = report.features_table(fitted).splitlines()
    assert any("`length`" in line for line in lines)
    assert any("`tag_p`, `tag_li`, `tag_h1`, `tag_h2` and " in line for line in lines)
    shares = [float(line.split("|")[-2].strip(" *")) for line in lines[2:] if line.startswith("| **")]
    assert sum(shares) == pytest.approx(100, abs=1)


def test_results_are_told_by_set_and_page_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each site is in one fold of five, and in the third that is kept aside or not."""

    def run_fold(page_set: PageSet, fold: Fold) -> list[PageResult]:
        pages = [page for page in page_set.pages if fold.holds(page.site)]
        return [PageResult("sites", page.site, page.id, Score(1, 1, 0.5), page.type) for page in pages]

    monkeypatch.setattr(report, "run_fold", run_fold)
    page_set = PageSet("sites", tuple(page_of("a.example", number) for number in range(3)))
    lines = report.results_table([page_set]).splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:4]] for line in lines[2:]]
    assert cells == [["sites", "3", "50.00"], ["... article", "3", "50.00"]]


def test_tables_are_put_between_their_marks(tmp_path: Path, fitted: Fitted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "results_table", lambda _: "RESULTS")
    monkeypatch.setattr(report, "find_sets", lambda **_: iter(()))
    path = tmp_path / "training.md"
    marks = [f"<!-- {mark}: begin -->\nOLD TABLE\n<!-- {mark}: end -->" for mark in (report.RESULTS, report.FEATURES)]
    path.write_text("# Head\n" + "\n".join(marks), encoding="utf-8")
    report.write_report(path, tmp_path, fitted)
    text = path.read_text(encoding="utf-8")
    assert "OLD TABLE" not in text
    assert text.startswith("# Head")
    assert "RESULTS" in text
    assert "`length`" in text
