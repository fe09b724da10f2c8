"""Sets of pages: reading them, halves, links."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.sets import (
    GoldPage,
    PageSet,
    SetError,
    anchors_of,
    as_pages,
    bundled_set,
    find_sets,
    link_key,
    read_set,
)

ROW = {"site": "a", "id": "1", "url": "http://a.example/1", "html": "<p>Text</p>", "text": "Text", "title": None}


def gold(number: int, site: str = "a", html: str = "<p>x</p>") -> GoldPage:
    return GoldPage(site, str(number), f"http://{site}.example/{number}", html, "x")


@pytest.mark.parametrize("name", ["one.jsonl", "one.jsonl.gz"])
def test_a_set_is_read(tmp_path: Path, name: str) -> None:
    row = {**ROW, "type": "forum", "optional": "By line", "lang": "en", "sort": "wiki"}
    body = f"{json.dumps(row)}\n\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(body) if name.endswith("gz") else body)
    expected = GoldPage("a", "1", "http://a.example/1", "<p>Text</p>", "Text", None, "forum", "By line", "en", "wiki")
    assert read_set(tmp_path / name) == PageSet("one", (expected,))


def test_a_row_without_a_text_may_have_segments_or_is_left_out(tmp_path: Path) -> None:
    rows = [{**ROW, "with": ["x"]}, {**ROW, "text": None, "with": ["a b"], "without": ["c"]}, {**ROW, "text": None}]
    (tmp_path / "one.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    pages = read_set(tmp_path / "one.jsonl").pages
    assert [(page.text, page.wanted, page.unwanted) for page in pages] == [("Text", (), ()), ("", ("a b",), ("c",))]


def test_sets_in_a_folder_below_are_found_by_name_or_all_together(tmp_path: Path) -> None:
    (tmp_path / "onepage").mkdir()
    for name in ("one", "onepage/aeb", "onepage/wcxb"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(ROW), encoding="utf-8")

    def found(*names: str) -> list[str]:
        return [each.name for each in find_sets(names, tmp_path)]

    assert found() == ["one"]
    assert found("onepage/wcxb", "one") == ["onepage/wcxb", "one"]
    assert found("onepage") == ["onepage/aeb", "onepage/wcxb"]
    with pytest.raises(SetError, match="no set 'onepage/other'"):
        found("onepage/other")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (json.dumps({key: value for key, value in ROW.items() if key != "text"}), "line 2: no field 'text'"),
        ("{", "line 2: not JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n{line}\n", encoding="utf-8")
    with pytest.raises(SetError, match=says):
        read_set(path)


def test_the_bundled_site_is_a_set() -> None:
    found = bundled_set()
    assert sorted(found.sites) == ["heron.example", "ja.heron.example"]
    assert {page.type for page in found.pages} == {"article", "guide", "index"}
    assert all(
        page.title and page.text.splitlines()[1].split()[0] in page.html
        for page in found.pages
        if page.type == "article"
    )


def test_a_cap_takes_whole_sites_as_far_as_it_goes() -> None:
    pages = tuple(gold(number, site) for site in "abcd" for number in range(4))
    capped = PageSet("x", pages).capped(8)
    assert [len(group) for group in capped.sites.values()] == [4, 4]
    assert PageSet("x", pages).capped(None).pages == pages
    assert len(PageSet("x", tuple(gold(number) for number in range(9))).capped(4).pages) == 2


def test_anchors_are_the_links_of_other_pages_of_the_site() -> None:
    one = gold(
        1, html="<a href='/2'>To  two</a><a href='http://www.a.example/1'>Self</a><a href='//b.example/2'>No</a>"
    )
    two = gold(2, html="<a href='1'>Back</a><a href='1'></a><a href='http://[broken'>x</a>")
    assert anchors_of([one, two]) == {link_key(two.url): ["To two"], link_key(one.url): ["Back"]}
    assert [page.anchors for page in as_pages([one, two])] == [("Back",), ("To two",)]
