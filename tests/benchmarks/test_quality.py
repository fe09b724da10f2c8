"""The quality benchmark: runs over small sets, and its command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.quality.__main__ import main
from benchmarks.quality.runs import run_alone, run_learner
from benchmarks.scoring import score
from benchmarks.sets import bundled_set
from scrapy_stemmer import Page, strip
from scrapy_stemmer.learning import DEFAULT_LEARNER

BUNDLED = bundled_set()


def test_a_learner_is_tested_on_pages_that_it_has_not_seen() -> None:
    results = run_learner(BUNDLED, DEFAULT_LEARNER)
    assert len(results) == len(BUNDLED.pages) - 2 * 10
    assert all(result.score.f1 > 0.5 for result in results)
    assert sum(bool(result.title) for result in results) > 0.9 * len(results)


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
