"""The report on a small crawl of the bundled site."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import report

from benchmarks.sets import bundled_set
from scrapy_stemmer import Page, PatternSet, learn

URL = "http://heron.example/town/night-bus-trial.html"


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    pages = [page for page in bundled_set().pages if page.site == "heron.example" and page.type == "article"]
    return learn([Page(page.url, page.html) for page in pages])


def inputs(folder: Path, item: dict[str, object], patterns: PatternSet) -> list[str]:
    items, file = folder / "items.jsonl", folder / "patterns.jsonl"
    items.write_text(json.dumps(item) + "\n", encoding="utf-8")
    patterns.save(str(file))
    return ["--items", str(items), "--patterns", str(file)]


def test_the_report_has_figures_rules_and_a_page(
    patterns: PatternSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pattern,) = patterns.patterns
    item = {
        "url": URL,
        "title": "Night bus",
        "text": "The night bus is to stay.",
        "stemmer_matched": True,
        "stemmer_pattern": pattern.name,
    }
    assert report.main([*inputs(tmp_path, item, patterns), "--page", URL]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["1 items, 1 of 64 pages matched a pattern", "  no item for http://heron.example/"]
    rows = [line.split() for line in lines]
    assert ["heron.example", pattern.name, str(pattern.support), "1", "article"] in rows
    assert [row[:3] for row in rows if row[:2] == ["all", "pages"]] == [["all", "pages", "64"]]
    assert any(row[:2] in (["keep", "body"], ["drop", "body"]) for row in rows)
    assert f"One page before: {URL}" in lines
    assert lines[-4:-1] == ["  | Night bus", "  |", "  | The night bus is to stay."]


@pytest.mark.parametrize(
    ("items", "file", "message"),
    [
        (None, "", "scrapy crawl news -s STEMMER_LEARN=1"),
        ('{"url": "http', "", "line 1: not JSON"),
        ('{"url": "http://other.example/"}\n', "", "no item is of a page with gold text"),
        ("", "not a pattern file\n", "patterns.jsonl"),
    ],
)
def test_a_wrong_input_is_an_error_that_names_it(
    items: str | None, file: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = inputs(tmp_path, {"url": URL}, PatternSet())
    if items is None:
        (tmp_path / "items.jsonl").unlink()
    for name, content in (("items", items), ("patterns", file)):
        if content:
            (tmp_path / f"{name}.jsonl").write_text(content, encoding="utf-8")
    assert report.main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith("report.py: ")
    assert message in error
