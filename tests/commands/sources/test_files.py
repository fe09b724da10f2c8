"""HTML files: their URLs, and the anchor texts of links to them."""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from scrapy_stemmer import Page, StemmerError
from scrapy_stemmer.commands.sources.base import LONG_LINE, TOO_LARGE, UNREADABLE_REASON, LeftOut
from scrapy_stemmer.commands.sources.files import OUTSIDE, Links, add_linkinfo, pages_of_sources
from tests.crawl.website import Website

HTML = "<title>A</title><p>Text"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Limit of size for these tests."""
    monkeypatch.setattr("scrapy_stemmer.commands.sources.base.MAX_BYTES", 1000)
    return 1001


def stored(*names: Path, site: str | None = None) -> list[Page]:
    return sorted(pages_of_sources(map(str, names), LeftOut(), site=site), key=lambda page: page.url)


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_in_a_folder_is_left_out(tmp_path: Path) -> None:
    files(tmp_path, "ex.com/a.html")
    os.mkfifo(tmp_path / "ex.com" / "pipe")
    (tmp_path / "ex.com" / "loop.html").symlink_to("loop.html")
    left_out = LeftOut()
    assert [page.url for page in pages_of_sources([str(tmp_path)], left_out)] == ["http://ex.com/a.html"]
    assert left_out.reasons == {"no file": 2}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    "name", ["pipe", "pipe.jsonl", "pipe.jsonl.gz", "pipe.warc", "pipe.zip", "pipe.list", "/dev/zero"]
)
def test_a_pipe_or_a_device_that_may_never_end_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if not path.exists():
        os.mkfifo(path)
    with pytest.raises(StemmerError, match=f"{path} is a pipe or a device"):
        list(pages_of_sources([str(path)], LeftOut(), site="ex.com"))


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_lead_out_of_a_folder_are_left_out(tmp_path: Path) -> None:
    """An archive of strangers may hold links to private files."""
    files(tmp_path / "home", "private.html", "ex.com/secret.html")
    folder = files(tmp_path / "pages", "ex.com/a.html")
    for name, target in {"b.html": "a.html", "c.html": "../../home/private.html", "d": tmp_path / "home"}.items():
        (folder / "ex.com" / name).symlink_to(target)
    left_out = LeftOut()
    found = [page.url for page in pages_of_sources([str(folder)], left_out)]
    assert found == ["http://ex.com/a.html", "http://ex.com/b.html"]
    assert left_out.reasons == {OUTSIDE: 2}
    (tmp_path / "link").symlink_to(folder)
    assert [page.url for page in stored(tmp_path / "link")] == found


def test_a_site_that_is_given_is_that_of_all_files(tmp_path: Path) -> None:
    files(tmp_path / "pages", "a.html", "v1.2/b.html")
    assert [page.url for page in stored(tmp_path / "pages", site="ex.com")] == [
        "http://ex.com/a.html",
        "http://ex.com/v1.2/b.html",
    ]
    assert stored(tmp_path / "pages" / "a.html", site="ex.com")[0].html == HTML.encode()


@pytest.mark.parametrize("name", ["a.html", "news/a.html"])
def test_a_site_must_be_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(StemmerError, match="Say with --site which site"):
        stored(files(tmp_path / "pages", name))


def test_a_file_that_there_is_not_is_told_before_its_site_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere.html"):
        stored(tmp_path / "nowhere.html")


@pytest.mark.parametrize("name", ["articles.csv", "page.JSON", "story.md"])
def test_a_table_is_no_page(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("url,text")
    with pytest.raises(StemmerError, match=f"{name} is no page of HTML. Name a folder"):
        stored(tmp_path / name, site="a.example")


def test_an_archive_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "pages.zip"
    path.write_bytes(b"PK")
    with pytest.raises(StemmerError, match=r"pages.zip can't be read as an archive"):
        stored(path)


def test_linkinfo_in_a_folder_is_that_of_its_pages(tmp_path: Path) -> None:
    files(tmp_path, "1/ex.com/a.html", "1/ex.com/b.html")
    (tmp_path / "1" / "linkinfo").write_text("('1/ex.com/b.html', [u'From elsewhere'])\n")
    links = Links(tuple)
    found = [page.url for page in pages_of_sources([str(tmp_path)], LeftOut(), links=links)]
    assert found == ["http://ex.com/a.html", "http://ex.com/b.html"]
    assert links == {"http://ex.com/b.html": ("From elsewhere",)}


def test_lines_of_a_linkinfo_that_cant_be_read_or_are_too_long_are_told_and_the_rest_is_read() -> None:
    long = b"('1/ex.com/b.html', [" + b"'x'," * 300_000
    lines = [b"('1/ex.com/b.html', [u'First'])", b"nothing", b"[" * 100_000, long]
    links, left_out = Links(tuple), LeftOut()
    add_linkinfo(b"\n".join([*lines, b"('1/ex.com/b.html', ['Last'])"]), "mine", links, left_out)
    assert links == {"http://ex.com/b.html": ("First", "Last")}
    assert left_out.reasons == {UNREADABLE_REASON: 2, LONG_LINE: 1}
    assert left_out.examples[UNREADABLE_REASON].startswith("mine, line 2: The line is not a Python literal")
    assert left_out.examples[LONG_LINE] == "mine, line 4"


class TestLists:
    def test_each_is_read_once_also_one_that_names_itself(self, tmp_path: Path) -> None:
        files(tmp_path, "ex.com/a.html")
        first, second = tmp_path / "a.list", tmp_path / "b.list"
        first.write_text(f"{second}\n{tmp_path / 'ex.com'}\n{first}\n")
        second.write_text(f"{first}\n" * 3)
        left_out = LeftOut()
        assert [page.url for page in pages_of_sources([str(first)], left_out, site="ex.com")] == [
            "http://ex.com/a.html"
        ]
        assert left_out.reasons == {"a list that was read before": 4}

    def test_names_that_can_be_none_are_told(self, tmp_path: Path) -> None:
        files(tmp_path, "ex.com/a.html")
        names = [b"a\0b", b"x" * 1_000_001, b"http://ex.com /", str(tmp_path / "ex.com").encode()]
        (tmp_path / "a.list").write_bytes(b"\n".join(names))
        left_out = LeftOut()
        assert len(list(pages_of_sources([str(tmp_path / "a.list")], left_out, site="ex.com"))) == 1
        assert left_out.reasons == {"no name": 1, LONG_LINE: 1, UNREADABLE_REASON: 1}

    def test_a_list_that_is_too_large_is_an_error(self, tmp_path: Path, small: int) -> None:
        (tmp_path / "a.list").write_bytes(b"\n" * small)
        with pytest.raises(StemmerError, match=r"a\.list: larger than"):
            stored(tmp_path / "a.list")


# Feeds in JSON Lines

LINES = "\n".join(json.dumps({"url": f"https://ex.com/{n}", "html": HTML}) for n in (2, 1)) + "\n"


def pages(feed: Path, fields: tuple[str, str] = ("url", "html")) -> list[Page]:
    return list(pages_of_sources([str(feed)], LeftOut(), fields=fields))


@pytest.mark.parametrize("name", ["items.jsonl", "items.jl", "items.jsonl.gz"])
def test_a_page_a_line_plain_or_compressed(tmp_path: Path, name: str) -> None:
    content = LINES.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert pages(tmp_path / name) == [Page("https://ex.com/2", HTML), Page("https://ex.com/1", HTML)]


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
        list(pages_of_sources([str(feed)], LeftOut()))


def test_broken_lines_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    broken = [
        b"{",
        b"[" * 100_000,
        b'{"url": "\xe9", "html": ""}',
        b"1" * 5_000,
        b"\xff\xfe",
        b'{"url": 1, "html": ""}',
    ]
    first, second = LINES.encode().splitlines()
    (tmp_path / "items.jsonl").write_bytes(b"\n".join([first, *broken, b"", second]))
    left_out = LeftOut()
    assert len(list(pages_of_sources([str(tmp_path / "items.jsonl")], left_out))) == 2
    assert left_out.reasons == {UNREADABLE_REASON: len(broken)}
    assert left_out.examples[UNREADABLE_REASON].startswith(f"{tmp_path / 'items.jsonl'}, line 2: must be a JSON object")


@pytest.mark.slow
def test_a_feed_that_is_cut_off_gives_the_lines_before(tmp_path: Path) -> None:
    many = "".join(
        json.dumps({"url": f"https://ex.com/{n}", "html": str(random.random())}) + "\n" for n in range(9_000)
    )
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(many.encode())[:-20])
    left_out = LeftOut()
    assert len(list(pages_of_sources([str(tmp_path / "cut.jsonl.gz")], left_out))) > 1_000
    assert "cut.jsonl.gz: can't be read behind line" in left_out.examples[UNREADABLE_REASON]
    (tmp_path / "none.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(StemmerError, match=r"none\.jsonl\.gz: can't be read behind line 0"):
        pages(tmp_path / "none.jsonl.gz")


# Large or damaged files


@pytest.mark.parametrize("name", ["items.jsonl", "items.jsonl.gz"])
def test_a_line_that_is_too_long_is_left_out(tmp_path: Path, small: int, name: str) -> None:
    first, second = LINES.encode().splitlines()
    content = b"\n".join([first, b"x" * (5 * small), b" " * small, second, b"{", b"y" * small])
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    left_out = LeftOut()
    assert len(list(pages_of_sources([str(tmp_path / name)], left_out))) == 2
    assert left_out.reasons == {TOO_LARGE: 3, UNREADABLE_REASON: 1}
    assert left_out.examples[TOO_LARGE] == f"{tmp_path / name}, line 2"
    assert f"{tmp_path / name}, line 5: must be" in left_out.examples[UNREADABLE_REASON]


def test_files_that_are_too_large_are_left_out(tmp_path: Path, small: int) -> None:
    files(tmp_path / "pages", "ex.com/a.html")
    files(tmp_path / "pages", "ex.com/large.html", html="x" * small)
    files(tmp_path, "large.html", html="x" * small)
    with ZipFile(tmp_path / "pages.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("ex.com/a.html", HTML)
        archive.writestr("ex.com/large.html", "x" * small)
    for name in ("pages", "pages.zip", "large.html"):
        left_out = LeftOut()
        found = [page.url for page in pages_of_sources([str(tmp_path / name)], left_out, only_site="ex.com")]
        assert found == ([] if name == "large.html" else ["http://ex.com/a.html"])
        assert left_out.reasons == {TOO_LARGE: 1}


def test_a_damaged_member_is_left_out(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "pages.zip", "w") as archive:
        archive.writestr("ex.com/a.html", "damaged later")
        archive.writestr("ex.com/z.html", HTML)
    content = (tmp_path / "pages.zip").read_bytes()
    (tmp_path / "pages.zip").write_bytes(content.replace(b"damaged later", b"damaged below"))
    left_out = LeftOut()
    assert [page.url for page in pages_of_sources([str(tmp_path / "pages.zip")], left_out)] == ["http://ex.com/z.html"]
    assert left_out.reasons == {UNREADABLE_REASON: 1}


def test_an_address_outside_ascii_is_fetched(website: Website) -> None:
    website.add("/%C3%A9", HTML)
    assert [page.url for page in pages_of_sources([website.url("/é")], LeftOut())] == [website.url("/%C3%A9")]
