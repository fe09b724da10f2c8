"""Tests of the computing parts of the boilerplate benchmark."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.boilerplate import (
    THRESHOLDS,
    Labelled,
    Score,
    body_of,
    design_of,
    dom_hash,
    gold_flags,
    load,
    main,
    score,
    shingle,
)

MENU = "Home World news Sport today Weather and all the rest"

HTML = "<html><head><title>T{0}</title></head><body><div>" + MENU + "</div><p>Rain fell on town {0}</p></body></html>"

GOLD = "Rain fell on town {0}"


def test_words_that_the_gold_text_lacks_are_boilerplate() -> None:
    flags = gold_flags("home rain fell on town home".split(), "rain fell on".split())
    assert flags.tolist() == [True, False, False, False, True, True]


def test_without_gold_text_all_is_boilerplate() -> None:
    assert gold_flags(["a", "b"], []).all()


def test_precision_and_recall_are_over_all_words_of_a_site() -> None:
    pages = [
        Labelled(["menu", "rain"], np.array([True, True])),
        Labelled(["menu", "foot", "snow"], np.array([True, False, False])),
    ]
    assert score(pages, ["rain", "snow"]) == Score(2 / 3, 2 / 3)


def test_nothing_found_and_nothing_to_find() -> None:
    assert score([Labelled(["rain"], np.array([False]))], ["rain"]) == Score(1.0, 1.0)


@pytest.mark.parametrize("system", ["dom_hash", "shingle"])
def test_both_systems_find_the_menu(system: str) -> None:
    roots = [body_of(HTML.format(number)) for number in range(3)]
    pages = dom_hash(roots, 3, 1) if system == "dom_hash" else shingle(roots, 3, 8)
    shared = {"dom_hash": [], "shingle": "rain fell on town".split()}[system]
    for page in pages:
        found = [word for word, flag in zip(page.words, page.flags, strict=True) if flag]
        assert found == [*MENU.lower().split(), *shared]


def test_thresholds() -> None:
    assert {name: least(30) for name, least in THRESHOLDS.items()} == {
        ">= 2 pages": 2,
        ">= 3 pages": 3,
        ">= 30 %": 9,
        ">= 50 %": 15,
    }


def test_figures_of_the_design_by_site() -> None:
    assert design_of("tv.msnbc.com_news", "shingle") == (Score(0.997, 0.854),)
    assert design_of("elsewhere.example", "shingle") == ()


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    path = tmp_path / "set.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for number in range(3):
            row = {"site": "a.example", "url": f"/{number}", "html": HTML.format(number), "text": GOLD.format(number)}
            lines.write(json.dumps(row) + "\n")
    return path


def test_a_set_is_read_by_site(pages: Path) -> None:
    assert [(site, len(rows)) for site, rows in load(pages).items()] == [("a.example", 3)]


def test_the_script_prints_a_row_for_each_threshold(
    pages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["boilerplate.py", str(pages)])
    main()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split("|")[2].strip() for row in rows] == ["dom_hash"] * 4 + ["shingle"]
    assert all("a.example (3)" in row for row in rows)


def test_a_set_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["boilerplate.py", str(tmp_path / "none.jsonl.gz")])
    with pytest.raises(SystemExit):
        main()
    assert "none.jsonl.gz" in capsys.readouterr().err
