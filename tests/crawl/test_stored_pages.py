"""Stored pages: where their URLs come from, and the texts of the links to them."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from scrapy_stemmer import Page, StemmerError
from scrapy_stemmer.crawl.stored_pages import StoredPages, linkinfo_of, links_between
from scrapy_stemmer.learners.layout.webstemmer import read_linkinfo

HTML = "<title>A</title><p>Text"


def stored(*names: Path, site: str | None = None) -> list[Page]:
    found = StoredPages(site, ("url", "html"))
    for name in names:
        found.add(str(name))
    return found.pages()


def files(folder: Path, *names: str, html: str = HTML) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html)
    return folder


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("ex.com/a.html", "http://ex.com/a.html"),
        ("200511171300/ex.com/news/a.html", "http://ex.com/news/a.html"),
        ("localhost:8000/a", "http://localhost:8000/a"),
    ],
)
def test_the_url_of_a_file_of_a_folder_or_archive(tmp_path: Path, name: str, url: str) -> None:
    folder = files(tmp_path / "pages", name, "ex.com/logo.png")
    with ZipFile(tmp_path / "pages.zip", "w") as archive:
        archive.writestr(name, HTML)
        archive.writestr("ex.com/style.css", "")
    assert [page.url for page in stored(folder)] == [url]
    assert stored(tmp_path / "pages.zip") == stored(folder)


def test_a_site_that_is_given_is_that_of_all_files(tmp_path: Path) -> None:
    files(tmp_path / "pages", "a.html", "v1.2/b.html")
    assert [page.url for page in stored(tmp_path / "pages", site="ex.com")] == [
        "http://ex.com/a.html",
        "http://ex.com/v1.2/b.html",
    ]
    assert stored(tmp_path / "pages" / "a.html", site="ex.com")[0].html == HTML.encode()


def test_a_list_names_what_is_read(tmp_path: Path) -> None:
    files(tmp_path, "monday/ex.com/a.html", "tuesday/ex.com/b.html")
    days = tmp_path / "days.list"
    days.write_text(f"{tmp_path / 'monday'}\n\n{tmp_path / 'tuesday'}\n")
    assert [page.url for page in stored(days)] == ["http://ex.com/a.html", "http://ex.com/b.html"]


def test_a_feed(tmp_path: Path) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_text("\n".join(json.dumps({"url": f"https://ex.com/{n}", "html": HTML}) for n in (2, 1)) + "\n")
    assert stored(feed) == [Page("https://ex.com/1", HTML), Page("https://ex.com/2", HTML)]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"url": "https://ex.com/", "html": null}'])
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: str) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_text(f"\n{line}\n")
    with pytest.raises(
        StemmerError, match=r"items.jsonl, line 2: must be a JSON object with texts in 'url' and 'html'"
    ):
        stored(feed)


@pytest.mark.parametrize("name", ["a.html", "news/a.html"])
def test_a_site_must_be_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(StemmerError, match="Say with --site which site"):
        stored(files(tmp_path / "pages", name))


def test_an_archive_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "pages.zip"
    path.write_bytes(b"PK")
    with pytest.raises(StemmerError, match=r"pages.zip can't be read as an archive"):
        stored(path)


class TestLinks:
    """The texts of links."""

    def test_pages_link_to_each_other(self, tmp_path: Path) -> None:
        links = "<a href=/b.html#top>To B</a> <a href='http://ex.com/b.html'>B</a> <a href=http://other.com/>Other</a>"
        files(tmp_path, "ex.com/a.html", html=links)
        files(tmp_path, "ex.com/b.html")
        assert [page.anchors for page in stored(tmp_path)] == [(), ("To B", "B")]

    def test_linkinfo_goes_before_the_pages_own_links(self, tmp_path: Path) -> None:
        files(tmp_path, "1/ex.com/a.html", html="<a href=/b.html>To B</a>")
        files(tmp_path, "1/ex.com/b.html")
        (tmp_path / "1" / "linkinfo").write_text("('1/ex.com/b.html', [u'From elsewhere'])\n")
        assert [page.anchors for page in stored(tmp_path)] == [(), ("From elsewhere",)]

    def test_linkinfo_that_is_none_is_named(self) -> None:
        with pytest.raises(StemmerError, match="mine: line 1"):
            StoredPages(None, ("url", "html")).add_linkinfo("nothing", "mine")

    def test_what_is_written_is_read_again(self) -> None:
        pages = [Page("https://ex.com/a", HTML, anchors=("it's", "日")), Page("https://ex.com/b", HTML)]
        written = linkinfo_of(pages)
        assert read_linkinfo(written) == {"0/ex.com/a": ("it's", "日"), "0/ex.com/b": ()}
        again = StoredPages("ex.com", ("url", "html"))
        again.add_linkinfo(written, "linkinfo")
        assert again.pages() == []

    def test_bytes_in_the_default_charset(self) -> None:
        page = Page("http://ex.com/a", "<a href=/b>é</a>".encode("latin1"))
        assert links_between([page], "latin1")["http://ex.com/b"] == ("é",)
