"""Exporters of pages: Markdown with front matter, and tables without formulas."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured

from scrapy_stemmer.crawl.feeds import CsvItemExporter, FolderFeedStorage, MarkdownItemExporter
from scrapy_stemmer.outputs.files import PageFolder


def markdown(*items: dict[str, Any], **options: Any) -> str:
    """Return items as one file of Markdown."""
    file = io.BytesIO()
    exporter = MarkdownItemExporter(file, **options)
    for item in items:
        exporter.export_item(item)
    return file.getvalue().decode()


def test_the_front_matter_has_all_fields_with_a_value_but_the_texts() -> None:
    item = {
        "tags": ["a"], "authors": [], "url": "http://a.example/", "title": "T", "text": "T\nplain", "html": "<p>",
        "sub_text": "", "markdown": "# T\n\nmarked", "score": 0,
    }  # fmt: skip
    assert markdown(item) == (
        '---\ntitle: "T"\nurl: "http://a.example/"\ntags: ["a"]\nscore: 0\n---\n\n# T\n\nmarked\n\n'
    )


def test_items_without_markdown_have_their_text_and_those_without_any_are_left_out() -> None:
    assert markdown({"url": "u", "title": "T", "text": None}, targets={"text": "text"}) == ""
    assert markdown({"url": "u", "price": 3}, targets={}) == '---\nurl: "u"\nprice: 3\n---\n\n\n\n'
    assert markdown({"url": "u", "text": "plain"}, targets={"text": "text"}) == '---\nurl: "u"\n---\n\nplain\n\n'


@pytest.mark.parametrize("line", ["---", "---  ", "---\t"])
def test_no_page_can_begin_front_matter_of_its_own_in_a_file_of_several(line: str) -> None:
    forged = f"```\n{line}\nurl: 'http://bank.example/'\n{line}\n```\n----\na --- b"
    lines = markdown({"url": "http://a.example/", "markdown": forged}, {"url": "u", "markdown": "b"}).split("\n")
    assert [each.rstrip() for each in lines].count("---") == 4
    assert lines.count(f" {line}") == 2
    assert "----" in lines


def test_in_a_folder_each_page_is_as_it_is(tmp_path: Path) -> None:
    storage = FolderFeedStorage(f"folder:{tmp_path}", feed_options={"format": "md"})
    folder = storage.open(None)  # type: ignore[arg-type]
    assert isinstance(folder, PageFolder)
    MarkdownItemExporter(folder).export_item({"url": "http://a.example/1.html", "markdown": "a\n\n---\n\nb"})
    assert (
        tmp_path / "a.example" / "1.md"
    ).read_text() == '---\nurl: "http://a.example/1.html"\n---\n\na\n\n---\n\nb\n'


def test_a_folder_takes_markdown_only() -> None:
    with pytest.raises(NotConfigured, match="folder:texts takes the format md only"):
        FolderFeedStorage("folder:texts", feed_options={"format": "csv"})


CELLS = {
    '=HYPERLINK("http://a.example/")': "'",
    "+1": "'",
    "-1": "'",
    "@SUM(1)": "'",
    "\t=1": "'",
    "\tx": "'",
    "\rx": "'",
    "  =1": "'",
    "＝1": "'",
    "a = b": "",
    "a": "",
    "": "",
    "1-2": "",
}


@pytest.mark.parametrize(("text", "before"), CELLS.items())
def test_a_cell_is_never_a_formula_unless_that_is_asked_for(text: str, before: str) -> None:
    for formulas in (False, True):
        file = io.BytesIO()
        exporter = CsvItemExporter(file, fields_to_export=["n", "text", "tags"], formulas=formulas)
        exporter.export_item({"n": -0.5, "text": text, "tags": [text, "b"]})
        exporter.finish_exporting()
        _, row = csv.reader(io.StringIO(file.getvalue().decode(), newline=""))
        assert row == ["-0.5", f"{'' if formulas else before}{text}", f"{'' if formulas else before}{text}; b"]


@pytest.mark.parametrize(("there", "then"), [(b"", b"n\r\n7\r\n"), (b"n\r\n5\r\n", b"n\r\n5\r\n7\r\n")])
def test_a_table_that_is_added_to_has_one_header(there: bytes, then: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(there)
    with path.open("ab") as file:
        exporter = CsvItemExporter(file, fields_to_export=["n"])
        exporter.export_item({"n": 7})
        exporter.finish_exporting()
    assert path.read_bytes() == then
