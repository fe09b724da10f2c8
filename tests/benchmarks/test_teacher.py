"""The benchmark of teachers, on an invented site."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import teacher
from benchmarks.folds import ASIDE, FIVE
from benchmarks.quality import runs
from benchmarks.sets import PageSet
from scrapy_stemmer.learners.rules.learner import RulesLearner
from tests.benchmarks.test_corrections import gold
from tests.learners.rules.made import scorer


@pytest.fixture
def sites(monkeypatch: pytest.MonkeyPatch) -> PageSet:
    """Sites of readers who don't want notes amid articles; only the gold text tells, as the scorer doubts
    everything."""
    monkeypatch.setattr(runs, "learner_for", lambda _: RulesLearner(scorer=scorer(0.1)))
    pages = [gold(f"{site}.example", number, is_note_text=False) for site in "abcdef" for number in range(12)]
    return PageSet("made", tuple(pages))


def test_who_knows_the_gold_text_brings_most(sites: PageSet) -> None:
    tasks = [(name, fold) for name in ("alone", "gold") for fold in (*FIVE, ASIDE)]
    found = {task: teacher.run(sites, task) for task in tasks}
    found |= {("trafilatura", fold): found["alone", fold] for fold in (*FIVE, ASIDE)}
    rows = [line.split() for line in teacher.report({"made": found}).splitlines() if line.startswith("| made")]
    assert rows[0][3] == "6"
    for row in rows:
        assert float(row[5]) < 80
        assert float(row[9]) == 100


def test_trafilatura_is_asked_as_a_teacher(sites: PageSet) -> None:
    pytest.importorskip("trafilatura")
    asked = teacher.of_trafilatura(sites)
    page = sites.pages[0]
    assert page.text.splitlines()[1] in str(asked(page.url, page.html))


def test_without_sets_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert teacher.main(["--data", str(tmp_path)]) == 0
    assert "not measured" in capsys.readouterr().err
