"""The report's metrics as tables of cases, and the report itself on a small crawl."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import report

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.patterns.codec import header, line_of

HERON = "http://heron.example/town/night-bus-trial.html"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The heron's 2 eggs.", ["the", "heron", "s", "2", "eggs"]),
        ("snake_case £5.20", ["snake_case", "5", "20"]),
        ("朝市は5時", ["朝", "市", "は", "5", "時"]),
        ("カフェー・R&D", ["カ", "フ", "ェ", "ー", "r", "d"]),
        ("人々と々", ["人", "々", "と", "々"]),
        ("Café ÉTÉ", ["café", "été"]),
    ],
)
def test_words_are_word_characters_and_each_kana_or_han_character(text: str, expected: list[str]) -> None:
    assert [word for word in report.words(text) if word != "・"] == expected


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("", "", 1.0),
        ("a", "", 0.0),
        ("", "a", 0.0),
        ("a b c", "C b A", 1.0),
        ("a b", "a c", 0.5),
        ("a", "a a", 2 / 3),  # a multiset: the second word is missed
        ("a a a", "a", 0.5),
        ("朝市が", "朝市は", 2 / 3),
    ],
)
def test_word_f1(predicted: str, gold: str, expected: float) -> None:
    assert report.word_f1(predicted, gold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("Night bus", "Night bus", True),
        (" Night \n bus", "Night bus", True),
        ("Night bus | The Heron", "Night bus", False),
        ("night bus", "Night bus", False),
        ("", "Night bus", False),
        (None, "Night bus", False),
    ],
)
def test_a_title_is_right_when_equal_but_for_white_space(predicted: str | None, gold: str, expected: bool) -> None:
    assert report.same_title(predicted, gold) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"), [(100, 25, 0.75), (100, 100, 0.0), (100, 0, 1.0), (0, 0, 0.0), (10, 20, -1.0)]
)
def test_share_removed(before: int, after: int, expected: float) -> None:
    assert report.share_removed(before, after) == expected


@pytest.mark.parametrize(("text", "expected"), [("", 0), (" a\tb\n c ", 3), ("全角　空白", 4)])
def test_characters_leave_out_white_space(text: str, expected: int) -> None:
    assert report.characters(text) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one</p><p>two", ["one", "two"]),
        ("<p>a <b>bold</b> and a <a href=x>link</a></p>", ["a bold and a link"]),
        ("<title>no</title><script>var x='<p>no</p>'</script><style>p{}</style><p>yes", ["yes"]),
        ("<html><head><title>no</title></head><body><div>yes</div></body></html>", ["yes"]),
        ("<p>caf&eacute; &amp; more\n lines</p>", ["café & more lines"]),
        ("<head><title>no</title><script>no</script><body>yes", ["yes"]),
        ("a<br>b<!-- c -->", ["a", "b"]),
        ("", []),
    ],
)
def test_visible_lines(html: str, expected: list[str]) -> None:
    assert report.visible_lines(html) == expected


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("é".encode(), "", "é"),
        ("é".encode("latin-1"), "text/html; charset=iso-8859-1", "é"),
        ("é".encode(), "text/html; charset=utf-8", "é"),
        ('<meta charset="shift_jis">川'.encode("shift_jis"), "text/html", '<meta charset="shift_jis">川'),
        ('<meta charset="shift_jis">川'.encode(), "text/html; charset=utf-8", '<meta charset="shift_jis">川'),
        (b"\xff", "", "\ufffd"),
    ],
)
def test_pages_are_decoded_by_header_then_meta_then_as_utf8(body: bytes, content_type: str, expected: str) -> None:
    assert report.decoded(body, content_type) == expected


def result(text: str, *, layout: str = "article", matched: bool = True) -> report.PageResult:
    gold = {"url": HERON, "layout": layout, "title": "T", "text": "a b"}
    item = {"text": text, "title": "T", "stemmer_matched": matched}
    return report.PageResult(gold, item, ("T a b", "menu menu"))


def test_a_summary_is_the_mean_over_pages() -> None:
    assert report.summary([result("a b"), result("a c"), result("", matched=False)]) == {
        "pages": 3,
        "matched": 2,
        "f1": 0.5,
        "exact_titles": 1.0,
        "share_removed": round(1 - 6 / 22, 4),
    }


def test_groups_are_sorted_by_name() -> None:
    found = report.grouped([result("a", layout="index"), result("a b")], lambda page: page.gold["layout"])
    assert list(found) == ["article", "index"]
    assert found["article"]["f1"] == 1.0


def test_a_page_without_an_item_counts_as_nothing_found() -> None:
    page = report.PageResult({"url": HERON, "layout": "article", "title": "T", "text": "a b"}, {}, ("T a b",))
    assert (page.f1, page.title_right, page.matched) == (0.0, False, False)


def write_inputs(folder: Path, item: dict[str, object]) -> list[str]:
    items, patterns = folder / "items.jsonl", folder / "patterns.jsonl"
    items.write_text(json.dumps(item) + "\n", encoding="utf-8")
    PatternSet().save(str(patterns))
    return ["--items", str(items), "--patterns", str(patterns)]


def test_the_report_shows_the_figures_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = {"url": HERON, "title": "Night bus", "text": "The night bus is to stay.", "stemmer_matched": True}
    assert report.main([*write_inputs(tmp_path, item), "--page", HERON]) == 0
    out = capsys.readouterr().out
    assert "1 items, 1 of 64 pages matched a pattern" in out
    assert "no item for http://heron.example/\n" in out
    assert "  | The night bus is to stay." in out


def test_the_report_shows_the_rules_of_the_page_s_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = {"url": HERON, "title": "Night bus", "text": "The night bus is to stay.", "stemmer_matched": True}
    arguments = write_inputs(tmp_path, item)
    folder = report.SITE / "pages" / "heron.example" / "town"
    pages = [
        Page(f"http://heron.example/town/{path.name}", path.read_bytes()) for path in sorted(folder.glob("*.html"))
    ]
    text = "".join(map(line_of, learn(pages).patterns)).replace('"rules": [', '"rules": [{"drop": "p.tags"},', 1)
    (tmp_path / "patterns.jsonl").write_text(f"{header()}\n{text}\n", encoding="utf-8")
    assert report.main([*arguments, "--page", HERON]) == 0
    out = capsys.readouterr().out
    rules = out.partition("Rules learned of heron.example")[2].partition("One page before")[0].splitlines()
    assert [line.split() for line in rules if "p.tags" in line] == [["drop", "p.tags", "by", "hand"]]
    assert any(re.fullmatch(r"  (keep|drop) +body +\d\.\d\d", line) for line in rules)


def test_the_numbers_come_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = {"url": HERON, "title": "Night bus to the coast becomes permanent", "text": ""}
    assert report.main([*write_inputs(tmp_path, item), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["overall"] == {"pages": 64, "matched": 0, "f1": 0.0, "exact_titles": 0.0156, "share_removed": 0.0}
    assert found["unmatched"] == [HERON]
    assert len(found["missing"]) == 63
    assert set(found["layouts"]) == {"article", "guide", "index"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("items.jsonl", None, "scrapy crawl news -s STEMMER_LEARN=1"),
        ("items.jsonl", '{"url": "http', "line 1: not JSON"),
        ("items.jsonl", '{"url": "http://other.example/"}\n', "no item is of a page with gold text"),
        ("patterns.jsonl", None, "no patterns at"),
        ("patterns.jsonl", "not a pattern file\n", "patterns.jsonl"),
    ],
)
def test_what_is_missing_or_torn_is_said(
    name: str, content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = write_inputs(tmp_path, {"url": HERON})
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert report.main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith("report.py: ")
    assert message in error


def test_an_unknown_page_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main([*write_inputs(tmp_path, {"url": HERON}), "--page", "http://heron.example/nowhere"]) == 1
    assert "no such page" in capsys.readouterr().err
