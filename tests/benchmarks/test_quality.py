"""The quality benchmark: runs over small sets, and its tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.quality.__main__ import main
from benchmarks.quality.plan import SIZES, Measured
from benchmarks.quality.report import Told, report
from benchmarks.quality.runs import run_alone, run_learner, stripped_result
from benchmarks.scoring import PageResult, Score, score
from benchmarks.sets import bundled_set
from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.literature.text_mdl.learner import TextMdlLearner
from scrapy_stemmer.learning import DEFAULT_LEARNER


def result(page: int, f1: float, **more: object) -> PageResult:
    return PageResult("news", f"site{page % 2}", str(page), Score(f1, f1, f1), **more)  # type: ignore[arg-type]


BUNDLED = bundled_set()


def test_a_learner_is_tested_on_pages_that_it_has_not_seen() -> None:
    results = run_learner(BUNDLED, DEFAULT_LEARNER)
    assert len(results) == len(BUNDLED.pages) - 2 * 10
    assert all(result.score.f1 > 0.5 for result in results)
    assert sum(bool(result.title) for result in results) > 0.9 * len(results)


@pytest.mark.parametrize("learner", [TextMdlLearner(), DEFAULT_LEARNER])
def test_a_learner_is_not_given_the_scorers_text(learner: Learner | str) -> None:
    """The package alone strips a page even if no pattern fits."""
    gold = BUNDLED.pages[0]
    page = Page(gold.url, gold.html, ("Title",))
    assert learn([], learner).strip(page).text
    found = stripped_result("x", replace(gold, title="Title"), page, learn([], learner))
    assert (found.score.f1, found.title, found.anchored_title, found.confidence) == (0, False, False, None)


MEASURED = Measured(
    "news",
    4,
    ("site0", "site1"),
    {
        "layout": [result(n, 0.5) for n in range(4)],
        DEFAULT_LEARNER: [result(n, 0.95, type="article", lang="en") for n in range(4)],
    },
    {"trafilatura": [result(n, 0.25 * n, failed=n == 0) for n in range(5)]},
    {size: [result(n, 0.9) for n in range(1 if size > 4 else 2 if size > 2 else 4)] for size in SIZES},
)


def test_the_report_has_a_table_for_all_that_was_measured() -> None:
    text = report([MEASURED], Told("versions", 2))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in (
        "| set (pages, sites) | news (4, 2) |",
        f"| {DEFAULT_LEARNER} | 95.00 (100) |",
        "| trafilatura | 37.50 (0) |",
        "| news | 4 | 95.00 | 95.00 | 95.00 | 100.0 | 2 | 100.0 | 0 | |",
        "| news | 95.00 (2) | 95.00 (2) |",
        "| news | article | 4 | **95.00 (100)** | 37.50 (0) |",
        "| news | en | 4 | **95.00 (100)** | 37.50 (0) |",
        "| news | 90.00 / 37.50 (4) | 90.00 / 37.50 (4) | 90.00 / 37.50 (4) | 90.00 / 12.50 (2) | | | |",
        "| news | site0 | 0 | 95.0 | 95.0 | 95.0 |",
    ):
        assert line in lines
    for title in ("Confidence", "Titles", "Five folds", "By sort of site"):
        assert f"## {title}" not in text


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"site": "s", "id": page.id, "url": page.url, "html": page.html, "text": page.text, "title": page.title}
        for page in BUNDLED.pages[:4]
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arguments = ["--data", str(tmp_path), "--learners", DEFAULT_LEARNER, "--no-peers", "--jobs", "1"]
    assert main(arguments) == 0
    assert "mine (4, 1)" in capsys.readouterr().out
    assert main(["nowhere", *arguments]) == 1
    assert "there are mine, bundled" in capsys.readouterr().err
    assert main([*arguments, "--learners", "nobody"]) == 1
    assert "nobody" in capsys.readouterr().err


# Single pages


def test_each_page_alone_is_stripped_without_patterns() -> None:
    pages = BUNDLED.capped(6)
    results = run_alone(pages)
    assert [result.id for result in results] == [page.id for page in pages.pages]
    stripped = strip(Page(pages.pages[0].url, pages.pages[0].html))
    gold = pages.pages[0].text
    assert (results[0].score, results[0].confidence) == (score(stripped.text, gold), stripped.confidence)
