"""Tests of converted benchmarks: small copies of their files, with our own text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.convert import KINDS, main
from benchmarks.sets import GoldPage, read_set

HTML = "<html><head><meta charset='iso-8859-1'></head><body><p>Grüße von hier</p></body></html>"


def put(path: Path, content: str | object) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def fundus(folder: Path) -> None:
    row = {"body": ["One.", "[Two.]"], "url": "https://daily.example/1", "crawl_date": "2024-02-28"}
    put(folder / "dataset" / "ground_truth.json", {"The_Daily_0.html.gz": row})
    put(folder / "dataset" / "html" / "The_Daily_0.html.gz", HTML)


def cleanportaleval(folder: Path) -> None:
    put(folder / "input" / "portal.example_news_01.html", f'\n<text id="http://portal.example/1">{HTML}\n</text>\n')
    gold = "\nURL: http://portal.example/1?a=1&amp;b=2\n<h>Title\n\n<p>One &#8220;line&#8221;\n two.\n<l>Item\n"
    put(folder / "GoldStandard" / "portal.example_news_01.txt", gold)


def wcxb(folder: Path) -> None:
    truth = {"title": "Title", "main_content": "One.\n\nTwo.", "main_content_markdown": "# One."}
    row = {"url": "https://www.shop.example/1", "file_id": "0001", "ground_truth": truth}
    put(folder / "dev" / "ground-truth" / "0001.json", {**row, "_internal": {"page_type": {"primary": "product"}}})
    put(folder / "dev" / "html" / "0001.html.gz", HTML)
    put(folder / "test" / "ground-truth" / "0002.json", {**row, "ground_truth": {**truth, "main_content": None}})
    put(folder / "test" / "html" / "0002.html", HTML)


def article_extraction(folder: Path) -> None:
    put(folder / "ground-truth.json", {"0a": {"articleBody": "One.", "url": "https://www.news.example/1"}})
    put(folder / "html" / "0a.html.gz", HTML)


WCXB_PAGE = GoldPage("shop.example", "dev/0001", "https://www.shop.example/1", HTML, "One.\n\nTwo.", "Title", "product")

CASES: dict[str, tuple[Callable[[Path], None], list[GoldPage]]] = {
    "fundus": (
        fundus,
        [GoldPage("The_Daily", "The_Daily_0.html.gz", "https://daily.example/1", HTML, "One.\n[Two.]")],
    ),
    "cleanportaleval": (
        cleanportaleval,
        [
            GoldPage(
                "portal.example_news",
                "portal.example_news_01",
                "http://portal.example/1?a=1&b=2",
                HTML,
                "Title\n\nOne “line”\n two.\nItem",
            )
        ],
    ),
    "wcxb": (
        wcxb,
        [WCXB_PAGE, GoldPage("shop.example", "test/0002", "https://www.shop.example/1", HTML, "", "Title")],
    ),
    "article-extraction": (
        article_extraction,
        [GoldPage("news.example", "0a", "https://www.news.example/1", HTML, "One.")],
    ),
}


def test_every_kind_has_a_case() -> None:
    assert set(CASES) == set(KINDS)


@pytest.mark.parametrize("kind", CASES)
def test_a_copy_becomes_a_set(kind: str, tmp_path: Path) -> None:
    make, expected = CASES[kind]
    make(tmp_path / "copy")
    out = tmp_path / "sets" / "out.jsonl.gz"
    assert main([kind, str(tmp_path / "copy"), str(out)]) == 0
    assert list(read_set(out).pages) == expected


@pytest.mark.parametrize("kind", CASES)
def test_what_is_missing_is_named(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([kind, str(tmp_path), str(tmp_path / "out.jsonl")]) == 1
    assert f"is no copy of {kind}: no {tmp_path}" in capsys.readouterr().err


def test_a_page_without_its_html_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fundus(tmp_path)
    (tmp_path / "dataset" / "html" / "The_Daily_0.html.gz").unlink()
    assert main(["fundus", str(tmp_path), str(tmp_path / "out.jsonl")]) == 1
    assert "The_Daily_0.html.gz" in capsys.readouterr().err


def test_small_sites_are_left_out(tmp_path: Path) -> None:
    wcxb(tmp_path)
    out = tmp_path / "out.jsonl"
    assert main(["wcxb", str(tmp_path), str(out), "--min-pages", "3"]) == 0
    assert not read_set(out).pages
