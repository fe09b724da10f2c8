"""A real crawl over pages that are no good: each item comes through, each page is counted, the rest is learned."""

from __future__ import annotations

from tests.crawl.conftest import Crawler
from tests.crawl.test_crawls import LEARN, assert_stripped
from tests.crawl.website import Article, Website, links_to

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

CHARSETS = ("hex", "zlib", "bz2", "rot13", "base64", "uu", "idna", "undefined")
"""Names of charsets for which Scrapy's own middlewares raise."""


def test_bad_pages_cost_no_item_and_no_other_page(crawl: Crawler, website: Website) -> None:
    website.add_articles(8)
    for path, (body, content_type, _) in SKIPPED.items():
        website.add(path, body, content_type=content_type)
    for path, odd in ODD.items():
        website.add(path, odd, **({"content_type": "text/html"} if path == "/utf-16" else {}))
    texts = {}
    for number, name in enumerate(CHARSETS, 100):
        html = Article(number).html()
        texts |= dict.fromkeys((f"/{name}", f"/meta/{name}"), Article(number).body[0])
        website.add(f"/{name}", html, content_type=f"text/html; charset={name}")
        website.add(f"/meta/{name}", html.replace("<head>", f"<head><meta charset={name}>"), content_type="text/html")
    website.add("/", links_to(dict.fromkeys([*SKIPPED, *ODD, *texts, "/article/", "/missing"], "a page")))
    done = crawl("plain", website.url("/"), STEMMER_SAMPLE_SIZE=100, **LEARN)
    assert_stripped(done, website, 8)
    assert len(done.by_url) == 1 + len(SKIPPED) + len(ODD) + len(texts) + 1 + 8
    for path, (_, _, why) in SKIPPED.items():
        item = done.by_url[website.url(path)]
        assert (item["stemmer_reason"], item["stemmer_matched"], item["text"]) == (why, False, None)
    for path, text in texts.items():
        assert text in done.by_url[website.url(path)]["text"]
    for why in {item["stemmer_reason"] for item in done.items} - {None}:
        assert done.stats[f"stemmer/reasons/{why}"] == sum(item["stemmer_reason"] == why for item in done.items)
    assert not any(name.startswith("stemmer/errors/") for name in done.stats)
    assert done.leftovers == []
