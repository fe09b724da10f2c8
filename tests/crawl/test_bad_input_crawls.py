"""Real crawls over pages that are no good: each item comes through, each page is counted, the rest is learned."""

from __future__ import annotations

import pytest

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.test_crawls import LEARN, assert_stripped
from tests.crawl.website import Article, Website, links_to

HTML = "text/html; charset=utf-8"
ARTICLE = Article(50).html()
DEPTH = 20_000
LARGE = 10_010_000
"""Characters beyond a sample's limit and beyond libxml2's default limit of a text."""

SKIPPED = {
    "/empty": (b"", "text/html", "empty"),
    "/blank": (b" \n\t ", "text/html", "empty"),
    "/png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "text/html", "binary"),
    "/noise": (bytes(range(256)) * 20, "text/html", "binary"),
    "/pdf": (b"%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj", "text/html", "binary"),
    "/frames": (b"<html><frameset cols='1,2'><frame src='/a'></frameset></html>", "text/html", "frames"),
    "/head": (b"<html><head><title>No body</title></head></html>", "text/html", "empty"),
    "/huge": (b"<html><body><p>" + b"word " * 4_000_001, "text/html", "too_large"),
    "/attributes": (b"<p" + b"".join(b" a%d" % n for n in range(15_000)) + b">word</p>", "text/html", "too_complex"),
    "/json": (b'{"a": 1}', "application/json", "not_html"),
    "/text": (b"plain", "text/plain", "not_html"),
    "/image": (b"\x89PNG\r\n\x1a\n", "image/png", "not_html"),
}
"""Pages that can't be stripped, and why."""

ODD = {
    "/truncated": ARTICLE[: len(ARTICLE) // 2].encode(),
    "/nul": ARTICLE.replace(" ", " \0", 5).encode(),
    "/utf-16": b"\xff\xfe" + ARTICLE.encode("utf-16-le"),
    "/wrong-charset": Article(51).html().replace("story", "st\u00f6ry").encode("latin-1"),
    "/unknown-charset": Article(52).html().replace("<head>", "<head><meta charset=klingon>").encode(),
    "/deep": b"<html><body>" + b"<div>" * DEPTH + b"deep" + b"</div>" * DEPTH,
    "/many": ARTICLE.replace("</body>", "<p>a</p>" * 5_000 + "</body>").encode(),
    "/no-tags": b"just some words",
    "/bad-links": b"<html><body><a href='http://[::1'>x</a><a href='http://a:b/'>y</a><a href=''>z</a>",
    "/large": b"<html><body><p>" + b"word " * (LARGE // 5) + b"</p></body></html>",
}
"""Odd pages."""


@pytest.fixture
def odd_website(website: Website) -> Website:
    website.add_articles(8)
    for path, (body, content_type, _) in SKIPPED.items():
        website.add(path, body, content_type=content_type)
    for path, odd in ODD.items():
        website.add(path, odd, content_type="text/html" if path == "/utf-16" else HTML)
    website.add("/", links_to({path: path for path in [*SKIPPED, *ODD, "/article/", "/missing"]}))
    return website


def assert_all_came_through(done: Crawl, website: Website) -> None:
    assert_stripped(done, website, 8)
    assert len(done.by_url) == 1 + len(SKIPPED) + len(ODD) + 1 + 8
    for why in {why for _, _, why in SKIPPED.values()}:
        paths = [path for path, page in SKIPPED.items() if page[2] == why]
        found = [done.by_url[website.url(path)] for path in paths]
        assert [(item["stemmer_reason"], item["stemmer_matched"], item["text"]) for item in found] == [
            (why, False, None) for _ in paths
        ]
    for why in {item["stemmer_reason"] for item in done.items} - {None}:
        assert done.stats[f"stemmer/reasons/{why}"] == sum(item["stemmer_reason"] == why for item in done.items)
    assert not any(name.startswith("stemmer/errors/") for name in done.stats)


def test_bad_pages_while_learning_and_while_stripping(crawl: Crawler, odd_website: Website) -> None:
    website = odd_website
    learning = crawl("plain", website.url("/"), STEMMER_SAMPLE_SIZE=100, **LEARN)
    assert_all_came_through(learning, website)
    assert learning.leftovers == []
    (learning.folder / "items.jsonl").unlink()
    assert_all_came_through(crawl("plain", website.url("/")), website)


def test_pages_of_charsets_that_scrapy_cannot_read_come_through(crawl: Crawler, website: Website) -> None:
    """Scrapy's own middlewares raise for such pages."""
    names = ("hex", "zlib", "bz2", "rot13", "base64", "uu", "idna", "undefined")
    bodies = {}
    for number, name in enumerate(names):
        html = Article(number).html()
        bodies |= dict.fromkeys((f"/{name}", f"/meta/{name}"), Article(number).body[0])
        website.add(f"/{name}", html.encode(), content_type=f"text/html; charset={name}")
        declared = html.replace("<head>", f"<head><meta charset={name}>")
        website.add(f"/meta/{name}", declared.encode(), content_type="text/html")
    done = crawl("plain", *map(website.url, bodies), STEMMER_LEARNER="rules", **LEARN)
    assert len(done.by_url) == len(bodies)
    for path, body in bodies.items():
        assert body in done.by_url[website.url(path)]["text"]


def test_a_charset_for_pages_that_declare_none(crawl: Crawler, website: Website) -> None:
    for number in range(6):
        page = Article(number).html().replace("headline'>", "headline'>\u65e5\u672c\u8a9e ")
        website.add(f"/{number}", page.encode("shift_jis"), content_type="text/html")
    links = {f"/{number}": f"\u65e5\u672c\u8a9e {Article(number).headline}" for number in range(6)}
    website.add("/", f"<html><head><meta charset=utf-8></head><body>{links_to(links)}</body></html>")
    done = crawl("plain", website.url("/"), STEMMER_DEFAULT_CHARSET="shift_jis", **LEARN)
    assert {item["title"] for item in done.items if item["stemmer_matched"]} == set(links.values())
