"""The quality benchmark: runs over small sets, and its tables."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.quality.__main__ import main
from benchmarks.quality.plan import ITSELF, SIZES, Measured, Plan, Workers, measure, run_title_rule
from benchmarks.quality.report import Told, comparison_table, report
from benchmarks.quality.runs import (
    evidence_kinds,
    evidence_without,
    first_heading,
    likest_heading,
    of_same_pages,
    run_curve,
    run_learner,
    run_peer,
    stripped_result,
)
from benchmarks.scoring import PageResult, Score
from benchmarks.sets import GoldPage, PageSet, bundled_set
from scrapy_stemmer import Page
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.learners.evidence import EvidenceLearner, EvidenceOptions


def result(page: int, f1: float, **more: object) -> PageResult:
    return PageResult("news", f"site{page % 2}", str(page), Score(f1, f1, f1), **more)  # type: ignore[arg-type]


BUNDLED = bundled_set()


def test_a_learner_is_tested_on_pages_that_it_has_not_seen() -> None:
    results = run_learner(BUNDLED, "evidence")
    assert len(results) == len(BUNDLED.pages) - 2 * 10
    assert all(result.score.f1 > 0.5 for result in results)
    assert sum(bool(result.title) for result in results) > 0.9 * len(results)


@pytest.mark.parametrize("size", [ITSELF, 2])
def test_the_curve_tests_twelve_pages_a_site(size: int) -> None:
    assert len(run_curve(BUNDLED.capped(20), "evidence", size)) == 20
    assert len(run_curve(BUNDLED, "text_mdl", size)) == 24


def test_a_peer_is_run_on_every_page_and_its_failures_count() -> None:
    def extract(html: str, url: str) -> str:
        if url.endswith("/"):
            raise ValueError
        return "word"

    results = run_peer(BUNDLED, extract)
    assert len(results) == len(BUNDLED.pages)
    assert sum(found.failed for found in results) == sum(page.url.endswith("/") for page in BUNDLED.pages) > 0


def test_peers_are_compared_on_the_pages_that_were_tested() -> None:
    assert of_same_pages([result(1, 1), result(2, 1)], [result(2, 0)]) == [result(2, 1)]


def test_confidence_and_links_to_the_page_are_used_where_they_are() -> None:
    def strip(page: Page) -> object:
        return SimpleNamespace(text="gold", title=page.anchors[0] if page.anchors else "other", confidence=0.75)

    gold = GoldPage("s", "1", "http://s.example/1", "", "gold", "Title")
    page = Page(gold.url, "", ("Title",))
    found = stripped_result("x", gold, page, SimpleNamespace(strip=strip))  # type: ignore[arg-type]
    assert (found.title, found.anchored_title, found.confidence, found.score.f1) == (False, True, 0.75, 1)


def test_rules_for_titles() -> None:
    html = "<head><title>Storm | Daily</title></head><h1></h1><h1>The <i>Daily</i></h1><h1>Storm</h1>"
    page = GoldPage("s", "1", "u", html, "", "storm")
    assert first_heading(page) == "The Daily"
    assert likest_heading(page) == "Storm"
    assert run_title_rule(PageSet("x", (page,)), "h1 most like the head's title") == {("s", "1"): True}
    assert likest_heading(GoldPage("s", "1", "u", "<title>A</title><p>x", "")) == "A"


def test_each_kind_of_evidence_is_switched_off_by_itself() -> None:
    assert evidence_kinds() == tuple(sorted(kind.value for kind in EvidenceKind))
    for kind in evidence_kinds():
        learner = evidence_without(kind)
        assert isinstance(learner, EvidenceLearner)
        assert learner.options == EvidenceOptions(without=frozenset({EvidenceKind(kind)}))
    with pytest.raises(ValueError, match="hints"):
        evidence_without("hints")


def test_without_a_kind_of_evidence_a_set_is_stripped_otherwise() -> None:
    assert run_learner(BUNDLED, evidence_without("repetition")) != run_learner(BUNDLED, "evidence")


def test_a_plan_is_measured_the_same_in_one_process_and_in_two() -> None:
    found = []
    for jobs in (1, 2):
        plan = Plan(("text_mdl", "evidence"), (), more=False, jobs=jobs)
        with Workers(jobs) as workers:
            found.append(measure(BUNDLED, plan, workers))
    assert found[0] == found[1]
    assert found[0].default == run_learner(BUNDLED, "evidence")


MEASURED = Measured(
    "news",
    4,
    ("site0", "site1"),
    {"layout": [result(n, 0.5) for n in range(4)], "evidence": [result(n, 0.95, kind="article") for n in range(4)]},
    {"jusText": [result(n, 0.25 * n, failed=n == 0) for n in range(5)]},
    {size: [result(n, 0.9) for n in range(1 if size > 4 else 4)] for size in SIZES},
    {"links": [result(n, 0.85) for n in range(4)]},
)


def test_the_report_has_a_table_for_all_that_was_measured() -> None:
    text = report([MEASURED], Told("versions", 2))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in (
        "| set (pages, sites) | news (4, 2) |",
        "| evidence | 95.00 (100) |",
        "| jusText | 37.50 (0) |",
        "| news | jusText | 4 | 37.50 | 37.50 | 37.50 | 0.0 | 1 |",
        "| news | 95.00 (2) | 95.00 (2) |",
        "| news | article | 4 | 95.00 (100) | 37.50 jusText |",
        "| news | 90.00 (4) | 90.00 (4) | 90.00 (4) | 90.00 (4) | | | 37.50 jusText |",
        "| (nothing) | 95.00 |",
        "| links | 85.00 (-10.00) |",
        "| news | site0 | 0 | 95.0 | 95.0 | 95.0 |",
    ):
        assert line in lines
    assert "## Confidence" not in text
    assert "## Titles" not in text


def test_the_report_has_confidence_and_titles_where_pages_have_them() -> None:
    pages = [
        result(0, 1, confidence=0.97, title=True, anchored_title=True),
        result(1, 0.5, confidence=0.97, title=False, anchored_title=True),
    ]
    text = report(
        [
            Measured(
                "x",
                3,
                ("site0",),
                {"evidence": pages},
                titles={"first h1": {("site0", "0"): False, ("site1", "1"): True, ("site0", "9"): True}},
            )
        ],
        Told(),
    )
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "| 0.95 to 1 | 2 | 0.970 | 50.0 |" in lines
    assert "| all | 2 of 2 | 50.0 |" in lines
    assert "| x | 2 | 50.0 | 100.0 | 50.0 |" in lines


def test_the_best_of_a_set_is_bold() -> None:
    lines = [" ".join(line.split()) for line in comparison_table([MEASURED]).splitlines()]
    assert lines[2:] == ["| **evidence** | **95.00** |", "| jusText | 37.50 |"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"site": "s", "id": page.id, "url": page.url, "html": page.html, "text": page.text, "title": page.title}
        for page in BUNDLED.pages[:4]
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arguments = ["--data", str(tmp_path), "--learners", "evidence", "--no-peers", "--jobs", "1"]
    assert main(arguments) == 0
    assert "mine (4, 1)" in capsys.readouterr().out
    assert main(["nowhere", *arguments]) == 1
    assert "there are mine, bundled" in capsys.readouterr().err
    assert main([*arguments, "--learners", "nobody"]) == 1
    assert "nobody" in capsys.readouterr().err
