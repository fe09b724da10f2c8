"""A page: its site, its tree from any input, its blocks, made once, and its links."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer import Page
from scrapy_stemmer.page import document as module
from scrapy_stemmer.page.document import (
    MAX_ANCHOR_CHARS,
    MAX_ANCHOR_PIECES,
    Document,
    OwnPage,
    anchors_of,
    as_html,
    decode,
    parse,
    root_of,
    site_of,
    url_key,
)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        pytest.param("http://example.com/a/b.html", "example.com", id="host"),
        pytest.param("https://WWW.Example.COM/", "example.com", id="case and www. don't matter"),
        pytest.param("https://news.example.com/", "news.example.com", id="another host is another site"),
        pytest.param("http://example.com:80/", "example.com", id="the scheme's own port"),
        pytest.param("http://example.com:8080/", "example.com:8080", id="another port is another site"),
        pytest.param("http://example.com:8080", "example.com:8080", id="a port and nothing behind it"),
        pytest.param("https://user:secret@example.com/", "example.com", id="no user, no password"),
        pytest.param("http://日本.example/", "日本.example", id="international host"),
        pytest.param("http://www.com/", "com", id="www. alone is dropped"),
        pytest.param("file:///tmp/a.html", "", id="no host: file"),
        pytest.param("", "", id="empty"),
        pytest.param("http://[::1/", "", id="not a URL"),
        pytest.param("http://example.com:99999/", "", id="no such port"),
        pytest.param("http://example.com:65535/", "example.com:65535", id="the last port"),
        pytest.param("http://example.com:08080/", "example.com:8080", id="a port with a zero before it"),
        pytest.param("https://example.com:80/", "example.com:80", id="the port of another scheme"),
    ],
)
def test_site_of(url: str, site: str) -> None:
    """Upper-case schemes are not read off."""
    scheme, colon, rest = url.partition(":")
    assert site_of(url) == site_of(scheme.upper() + colon + rest if rest.startswith("//") else url) == site
    assert Page(url, "").site == site


def test_the_markup_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Page("http://example.com/", "<p>secret"))


@pytest.mark.parametrize(
    ("url", "html", "told"),
    [
        (None, "<p>", "The URL of a page must be a str, not NoneType"),
        ("http://a.com/", None, "The HTML of http://a.com/ must be bytes, a str or an lxml element, not NoneType"),
        ("http://a.com/", Page("http://b.com/", ""), "not Page"),
    ],
)
def test_what_is_no_page_is_told_at_once(url: Any, html: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        Page(url, html)


# From bytes, text or a tree to a tree


META = '<meta charset="{}"><p>日本語</p>'


def text_of(root: etree._Element) -> str:
    return "".join(root.itertext()).strip()


@pytest.mark.parametrize(
    ("body", "charset", "default", "expected"),
    [
        pytest.param("é日".encode(), None, "utf-8", "é日", id="nothing declared: the default"),
        pytest.param("é".encode("cp1252"), None, "cp1252", "é", id="nothing declared: another default"),
        pytest.param("日本".encode("euc-jp"), "euc-jp", "utf-8", "日本", id="header"),
        pytest.param(META.format("shift_jis").encode("shift_jis"), None, "utf-8", None, id="meta"),
        pytest.param(META.format("utf-8").encode("euc-jp"), "euc-jp", "utf-8", None, id="header wins over meta"),
        pytest.param(
            b"\xef\xbb\xbf" + "日本".encode(), "iso-8859-1", "utf-8", "日本", id="byte order mark wins over header"
        ),
        pytest.param("日本".encode("utf-16"), None, "utf-8", "日本", id="byte order mark of UTF-16"),
        pytest.param("日本".encode(), "no-such-charset", "utf-8", "日本", id="an unknown charset: the default"),
        *(
            pytest.param(b"One", name, "utf-8", "One", id=f"{name} is a codec of Python and no charset")
            for name in "base64 hex rot13 zlib idna undefined unicode_escape cp037 utf-7 hz".split()
        ),
        pytest.param(
            META.format("shift_jis").encode("shift_jis"), "hex", "utf-8", None, id="a meta element counts then"
        ),
        pytest.param(META.format("hex").encode(), None, "utf-8", None, id="a codec in a meta element: the default"),
        pytest.param(
            META.format("utf-16").encode(), None, "utf-8", None, id="a meta element that says UTF-16 is not in it"
        ),
        pytest.param("日本".encode("utf-16-le"), "utf-16", "utf-8", "日本", id="UTF-16 of a header is little-endian"),
        pytest.param("日本".encode("utf-16-be"), "utf-16be", "utf-8", "日本", id="unless it says otherwise"),
        pytest.param(b"a\xffb", "utf-8", "utf-8", "a\ufffdb", id="wrong bytes are marked, the rest is kept"),
        pytest.param(b"", None, "utf-8", "", id="empty"),
    ],
)
def test_charsets(body: bytes, charset: str | None, default: str, expected: str | None) -> None:
    text = decode(body, charset, default)
    assert "日本語" in text if expected is None else text == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("<p>a\x00b</p>", "ab", id="NUL characters are dropped"),
        pytest.param("<p>cut off <b", "cut off", id="cut off inside a tag"),
        pytest.param("<p>a<!-- x --><?php y ?>b</p>", "ab", id="comments and instructions are dropped"),
        pytest.param("<p>\ud800a</p>", "?a", id="half a surrogate pair"),
        pytest.param(
            '<?xml version="1.0" encoding="x"?><html><p>a', "a", id="an XML declaration with a wrong encoding"
        ),
    ],
)
def test_any_markup_gives_a_tree(html: str, text: str) -> None:
    assert text_of(parse(html)) == text


class TestTreesLikeThoseOfABrowser:
    def test_names_lose_their_namespace_in_a_copy(self) -> None:
        text = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>a<svg:svg xmlns:svg="urn:s"/></p></body></html>'
        given = etree.fromstring(text)
        assert [element.tag for element in as_html(given).iter()] == ["html", "body", "p", "svg"]
        assert etree.tostring(given).decode() == text

    @pytest.mark.parametrize(
        ("page", "tree"),
        [
            (
                "<head><title>a</title><main>b</main>c",
                "<head><title>a</title></head><body><main>b</main><div>c</div></body>",
            ),
            ("<head><main>b</main><p>c</p></head>", "<head></head><body><main>b</main><p>c</p></body>"),
            ("<head><main>b</main><meta></head>", "<head></head><body><main>b</main><meta></body>"),
            ("<body>a</body><p>b</p>c", "<body>a<p>b</p>c</body>"),
            ("<body>a</body>b", "<body>a<div>b</div></body>"),
            ("<body>a</body><s<x=a>b</s>", "<body>a<s<x=a>b</s<x=a></body>"),
            ("<body>a</body><body id=x>b</body>", '<body>a<div id="x">b</div></body>'),
            (
                "<head><main>m</main></head><body>a</body>b",
                "<head></head><body><main>m</main><div>a<div>b</div></div></body>",
            ),
            ("<body>a</body><script>b</script><iframe></iframe>", "<body>a</body><script>b</script><iframe></iframe>"),
        ],
    )
    def test_what_is_no_metadata_stands_in_a_body(self, page: str, tree: str) -> None:
        assert etree.tostring(root_of(Page("", page)), method="html").decode() == f"<html>{tree}</html>"

    def test_a_tree_without_a_body_is_not_changed(self) -> None:
        given = etree.fromstring("<html><head><title>a</title></head><div>b</div>c</html>")
        before = etree.tostring(given)
        body = as_html(given).find("body")
        assert body is not None
        assert etree.tostring(body) == b"<body><div>b</div>c</body>"
        assert etree.tostring(given) == before

    @pytest.mark.slow
    def test_a_tree_of_any_depth(self) -> None:
        elements = [root := etree.Element("{urn:x}html")]
        for _ in range(50_000):
            elements.append(etree.SubElement(elements[-1], "{urn:x}i"))
        assert etree.tostring(as_html(root)).count(b"<i") == 50_000


# Parsed once, and cut into blocks once for each way of cutting


def test_a_tree_of_the_user_s_is_copied_and_one_of_nobody_else_s_taken_as_it_is() -> None:
    root = parse("<p>Rain fell.")
    document = Document(Page("https://news.example/1", root))
    assert etree.tostring(document.root) == etree.tostring(root)
    root.clear()
    assert "Rain fell." in "".join(document.root.itertext())
    assert Document(OwnPage("https://news.example/1", root)).root is root


@pytest.mark.parametrize(
    "body",
    [
        "<p>é 𝄞</p>".encode(),
        b"<p>a\x00b</p>",
        b"\xef\xbb\xbf<p>\xc3\xa9</p>",
        b"<p>\xff\xc3</p>",
        b"<p>\xed\xa0\x80</p>",
        b"<p>\xc0\xbc</p>",
        b"\xef\xbb",
        b"",
    ],
)
def test_bytes_in_utf_8_are_parsed_as_their_text(body: bytes) -> None:
    """Bytes without anything to replace are parsed unchanged."""
    found, expected = (Document(Page("http://a.example/", html)) for html in (body, decode(body)))
    assert etree.tostring(found.root) == etree.tostring(expected.root)
    assert found.refusal == expected.refusal


URL = "http://example.com/a/page"


def anchors(body: str) -> list[tuple[str, str]]:
    return list(anchors_of(parse(body), URL))


class TestAnchors:
    def test_repeats_are_kept_and_urls_are_canonical(self) -> None:
        links = "<a href='b?y=2&x=1#top'>One <b>two</b>\n three</a><a href=' /a/b?x=1&y=2 '>other</a><a href=b>x</a>"
        key = url_key("http://example.com/a/b?x=1&y=2")
        assert anchors(links + links)[:2] == [(key, "One two three"), (key, "other")]
        assert len(anchors(links + links)) == 6

    def test_only_links_of_the_same_site_count(self) -> None:
        links = "<a href='//other.com/'>x</a><a href='mailto:a@example.com'>x</a><a href='javascript:x()'>x</a>"
        assert anchors(links) == []
        assert len(anchors("<a href='https://www.example.com/z'>x</a>")) == 1

    def test_links_without_text_or_address_and_texts_that_are_articles_do_not_count(self) -> None:
        assert anchors(f"<a href=b> </a><a>x</a><a href=''>x</a><a href=b>{'x' * (MAX_ANCHOR_CHARS + 1)}</a>") == []

    def test_areas_and_the_base_element(self) -> None:
        found = anchors("<head><base href='/base/'></head><body><map><area href=b alt='An area'></map>")
        assert found == [("http://example.com/base/b", "An area")]


def test_a_target_is_made_absolute_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has as many links to its own places as headings."""
    made: list[str] = []
    monkeypatch.setattr(module, "canonicalize_url", lambda url: made.append(url) or url)
    found = anchors("".join(f"<a href='#{n}'>n</a><a href='/b?c#{n}'>to b</a><a href='/b?c'>b</a>" for n in range(9)))
    assert len(found) == 27
    assert made == ["http://example.com/", "http://example.com/b?c"]


PARTS = st.sampled_from("/ // . .. a b.html A-b_c~ %7e %2F ; , + é ?x=1 ?y&x # : @ http:// https: ex.com".split())


@given(st.lists(PARTS, max_size=6), st.sampled_from(["http://ex.com/a/b", "https://WWW.Ex.com:8080/", "file:///a/b"]))
def test_the_usual_links_lead_where_others_lead(parts: list[str], url: str) -> None:
    root = parse(f"<a href='{''.join(parts)}'>x</a>")
    found = list(anchors_of(root, url))
    with patch.object(module, "_PLAIN_LINK", re.compile("(?!)")):
        assert found == list(anchors_of(root, url))


def test_of_hostile_pages_a_bounded_number_of_links_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert anchors("<a href=/1>y</a>" + "<a href=/2><div>x" * 100)[0] == ("http://example.com/1", "y")
    assert len(anchors("<a href=/2><div>x" * 100)) == MAX_ANCHOR_PIECES
    monkeypatch.setattr(module, "MAX_LINKS", 7)
    assert len(anchors("<a href=/1>x</a>" * 20)) == 7
