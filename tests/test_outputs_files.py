"""A folder of Markdown with a file for each page, over several crawls."""

from __future__ import annotations

from pathlib import Path

from scrapy_stemmer.outputs import markdown_file
from scrapy_stemmer.outputs.files import PageFolder


def texts(folder: Path) -> list[str]:
    return sorted(path.read_text().split("\n")[-2] for path in folder.rglob("*.md"))


def write(folder: Path, **pages: str) -> None:
    """Write pages, by their paths, in one crawl."""
    crawl = PageFolder(folder)
    for path, text in pages.items():
        url = f"http://a.example/{path}"
        crawl.write(url, markdown_file({"title": text, "url": url}, text))


def test_pages_whose_addresses_make_one_name_have_a_file_each_also_of_several_crawls(tmp_path: Path) -> None:
    write(tmp_path, **{"a-x": "one", "a?x": "two"})
    write(tmp_path, **{"a/?x": "three", "A-x": "four"})
    assert texts(tmp_path) == ["# four", "# one", "# three", "# two"]


def test_a_page_of_an_earlier_crawl_is_replaced(tmp_path: Path) -> None:
    write(tmp_path, **{"a": "one", "b": "two", "\x7f": "three"})
    write(tmp_path, **{"b": "new two", "\x7f": "new three", "a": "new one"})
    assert texts(tmp_path) == ["# new one", "# new three", "# new two"]
