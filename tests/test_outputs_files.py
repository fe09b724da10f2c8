"""A folder of Markdown with a file for each page, over several crawls."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_stemmer.outputs import markdown_file
from scrapy_stemmer.outputs.files import PageFolder, without_front_matter


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


def test_the_name_of_a_file_is_that_of_its_page_on_any_system(tmp_path: Path) -> None:
    """No page takes the file or the folder of another one, also where upper case makes no difference."""
    files = {
        "x/50.html": "x/50.md",
        "x/50.HTM": "x/50.HTM.md",
        "x/50?a=1&b": "x/50-a_1_b.md",
        "": "index.md",
        "..//con/aux.txt": "_con/_aux.txt.md",
        "x/50": "x/50-2.md",
        "a": "a.md",
        "A": "A-2.md",
        "a-2": "a-2-2.md",
        "a.md/b": "a.md_/b.md",
        "A-2": "A-2-3.md",
    }
    write(tmp_path, **dict.fromkeys(files, "text"))
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    assert found == {f"a.example/{file}" for file in files.values()}
    assert len({name.lower() for name in found}) == len(files)


@pytest.mark.parametrize("path", ["n" * 300, "d/" * 3000, "\U00020000/" * 3000, "\U00020000" * 3000])
def test_a_long_address_has_a_file_under_its_site(tmp_path: Path, path: str) -> None:
    write(tmp_path, **{f"{path}{number}": "text" for number in range(2)})
    found = [file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.md")]
    assert len(found) == 2
    assert all(file.startswith("a.example/") and len(file.encode()) < 700 for file in found)


def test_an_address_that_no_parser_takes_has_a_file_too(tmp_path: Path) -> None:
    PageFolder(tmp_path).write("http://[bad/2", "text")
    assert len(list(tmp_path.rglob("*.md"))) == 1


def test_a_page_of_an_earlier_crawl_is_replaced(tmp_path: Path) -> None:
    write(tmp_path, **{"a": "one", "b": "two", "\x7f": "three"})
    write(tmp_path, **{"b": "new two", "\x7f": "new three", "a": "new one"})
    assert texts(tmp_path) == ["# new one", "# new three", "# new two"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\f", "\x85", "\u2028", "\u2029"])
def test_no_page_begins_front_matter_of_its_own_whatever_ends_a_line(end: str) -> None:
    lines = without_front_matter(f"a{end}---{end}url: http://evil.example/{end}--- {end}---").splitlines()
    assert lines == ["a", " ---", "url: http://evil.example/", " --- ", " ---"]


@pytest.mark.parametrize("text", ["a ---\n", "--- a", "----", " ---", "| --- |", "a\n - ---"])
def test_other_hyphens_stay(text: str) -> None:
    assert without_front_matter(text) == text
