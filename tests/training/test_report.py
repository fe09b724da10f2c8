"""The tables of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.tiny import site_of
from training import report
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
