"""HTML files: where their URLs come from, and the texts of the links to them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from scrapy_stemmer import Page, StemmerError
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import Links, pages_of, read_linkinfo

HTML = "<title>A</title><p>Text"


def stored(*names: Path, site: str | None = None) -> list[Page]:
    return sorted(pages_of(map(str, names), LeftOut(), site=site), key=lambda page: page.url)


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


@pytest.mark.parametrize("name", ["a.html", "news/a.html"])
def test_a_site_must_be_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(StemmerError, match="Say with --site which site"):
        stored(files(tmp_path / "pages", name))


def test_a_file_that_there_is_not_is_told_before_its_site_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere.html"):
        stored(tmp_path / "nowhere.html")


def test_an_archive_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "pages.zip"
    path.write_bytes(b"PK")
    with pytest.raises(StemmerError, match=r"pages.zip can't be read as an archive"):
        stored(path)


def test_linkinfo_in_a_folder_is_that_of_its_pages(tmp_path: Path) -> None:
    files(tmp_path, "1/ex.com/a.html", "1/ex.com/b.html")
    (tmp_path / "1" / "linkinfo").write_text("('1/ex.com/b.html', [u'From elsewhere'])\n")
    links = Links(tuple)
    found = [page.url for page in pages_of([str(tmp_path)], LeftOut(), links=links)]
    assert found == ["http://ex.com/a.html", "http://ex.com/b.html"]
    assert links == {"http://ex.com/b.html": ("From elsewhere",)}


def test_linkinfo_that_is_none_is_named() -> None:
    with pytest.raises(StemmerError, match="mine: line 1"):
        read_linkinfo(b"nothing", "mine", Links(tuple))


# Feeds in JSON Lines

LINES = "\n".join(json.dumps({"url": f"https://ex.com/{n}", "html": HTML}) for n in (2, 1)) + "\n"


def pages(feed: Path, fields: tuple[str, str] = ("url", "html")) -> list[Page]:
    return list(pages_of([str(feed)], LeftOut(), fields=fields))


@pytest.mark.parametrize("name", ["items.jsonl", "items.jl", "items.jsonl.gz"])
def test_a_page_a_line_plain_or_compressed(tmp_path: Path, name: str) -> None:
    content = LINES.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert pages(tmp_path / name) == [Page("https://ex.com/2", HTML), Page("https://ex.com/1", HTML)]


def test_the_fields_may_have_other_names(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"link": "https://ex.com/", "body": "<p>"}\n')
    assert pages(tmp_path / "a.jsonl", ("link", "body")) == [Page("https://ex.com/", "<p>")]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"url": "https://ex.com/", "html": null}'])
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: str) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_text(f"\n{line}\n")
    with pytest.raises(
        StemmerError, match=r"items.jsonl, line 2: must be a JSON object with texts in 'url' and 'html'"
    ):
        pages(feed)


def test_a_feed_of_items_says_where_pages_are(tmp_path: Path) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_text(json.dumps({"url": "http://a.example/", "text": "x"}), encoding="utf-8")
    with pytest.raises(StemmerError, match=r"line 1: has no field 'html'.*STEMMER_KEEP_PAGES.*HTTPCACHE_ENABLED"):
        list(pages_of([str(feed)], LeftOut()))


def test_a_feed_that_is_cut_off_or_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(LINES.encode())[:-20])
    (tmp_path / "latin.jsonl").write_bytes(b'{"url": "\xe9"}\n')
    for name in ("cut.jsonl.gz", "latin.jsonl"):
        with pytest.raises(StemmerError, match=f"{name} can't be read behind line"):
            pages(tmp_path / name)
