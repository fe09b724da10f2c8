"""Where an item's page is found, and that nothing is kept for longer than needed."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.settings import Settings

from scrapy_stemmer.core.page import Page
from scrapy_stemmer.crawl import anchors as linkinfo
from scrapy_stemmer.crawl.anchors import MAX_ANCHOR_CHARS, anchors_of, url_key
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.names import Skip
from scrapy_stemmer.crawl.pages import (
    OwnPage,
    PackedPage,
    PageRegistry,
    ResponsePage,
    SpooledPage,
    compressed,
    expanded,
    root_of,
    uncompressed,
    why_skipped,
)

CONFIG = StemmerConfig.from_settings(Settings(), "x")
URL = "http://example.com/a/page"


def html(body: str | bytes = "<p>text", url: str = URL, **more: Any) -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding=None if isinstance(body, bytes) else "utf-8", **more)


class TestRegistry:
    def test_an_item_is_found_once_for_each_time_it_was_put(self) -> None:
        registry, response, item = PageRegistry(), html(), {"same": 1}
        first, second = OwnPage("http://a"), OwnPage("http://b")
        registry.put(item, first, response)
        registry.put(item, second, response)
        assert [registry.take(item), registry.take(item), registry.take(item)] == [first, second, None]
        assert len(registry) == 0

    def test_items_are_told_apart_by_identity(self) -> None:
        registry, response = PageRegistry(), html()
        registry.put({"equal": 1}, OwnPage("http://a"), response)
        assert registry.take({"equal": 1}) is None

    def test_what_nobody_asks_for_goes_with_its_response(self) -> None:
        registry, response, item = PageRegistry(), html(), {"dropped": 1}
        registry.put(item, ResponsePage(response, None), response)
        assert len(registry) == 1
        del response
        gc.collect()
        assert len(registry) == 0
        assert registry.take(item) is None

    def test_a_response_whose_items_are_known_is_not_kept_alive(self) -> None:
        registry, response = PageRegistry(), html()
        source = ResponsePage(response, None)
        registry.put({"a": 1}, source, response)
        root_of(response)
        del response
        gc.collect()
        with pytest.raises(RuntimeError, match="is gone"):
            source.page()


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (html(), None),
        (TextResponse(URL, body=b"<p>x", headers={"Content-Type": "text/html"}), None),
        (TextResponse(URL, body=b"x", headers={"Content-Type": "text/plain"}), Skip.NOT_HTML),
        (Response(URL, body=b"x"), Skip.NOT_HTML),
        (html(b" \n"), Skip.EMPTY),
        (html(b"\x89PNG...."), Skip.BINARY),
        (html(bytes(range(32)) * 9), Skip.BINARY),
        (html("<p>a\x00b</p>" + "text " * 99), None),
        (html("<frameset><frame src=a></frameset>"), Skip.FRAMES),
        (html("<html><head><title>x</title></head></html>"), Skip.NO_BODY),
        (html(request=Request(URL, meta={"stemmer": False})), Skip.OPTED_OUT),
        (html(request=Request(URL, meta={"stemmer": True})), None),
        (html(request=Request(URL, meta={"stemmer": None})), None),
    ],
)
def test_why_pages_are_skipped(response: Response, why: Skip | None) -> None:
    assert why_skipped(response, CONFIG) is why


@given(st.text(st.characters()))
def test_pages_in_the_spool_come_back(text: str) -> None:
    assert expanded(compressed(text)) == expanded(uncompressed(text)) == text


def test_a_page_of_the_spool() -> None:
    page = SpooledPage(URL, compressed("<p>x")).page()
    assert (page.url, page.html) == (URL, "<p>x")


def test_the_tree_of_scrapy_is_used_and_stays_as_it_is() -> None:
    response = html("<body><a href='/b'>b</a><!-- c --><area href=c alt=see></body>")
    before = etree.tostring(root_of(response))
    page = ResponsePage(response, None).page()
    assert page.html is root_of(response)
    assert list(anchors_of(response, root_of(response)))
    assert etree.tostring(root_of(response)) == before


def test_a_default_charset_decides_only_where_none_is_declared() -> None:
    body = "<p>\u65e5\u672c".encode("shift_jis")
    assert ResponsePage(html(body), None, "shift_jis").text == "<p>\u65e5\u672c"
    declared = html(body, headers={"Content-Type": "text/html; charset=latin-1"})
    assert ResponsePage(declared, None, "shift_jis").text == declared.text
    in_meta = html(b"<meta charset=latin-1>" + body)
    assert ResponsePage(in_meta, None, "shift_jis").text == in_meta.text


def anchors(body: str) -> list[tuple[str, str]]:
    response = html(body)
    return list(anchors_of(response, root_of(response)))


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

    def test_comments_are_no_text(self) -> None:
        assert anchors("<a href=b>one<!-- two --></a>")[0][1] == "one"

    def test_addresses_that_are_none_are_left_out(self) -> None:
        assert anchors("<a href='http://[::1'>x</a><a href='http://example.com:x/'>y</a>") == []


def test_a_packed_page_is_a_page_that_expands_its_html_each_time() -> None:
    page = Page(URL, "<p>x\ud800", ("a link",))
    for body in (compressed("<p>x\ud800"), uncompressed("<p>x\ud800")):
        packed = PackedPage(URL, anchors=("a link",), body=body)
        assert (packed.url, packed.html, packed.anchors, packed.charset) == (page.url, page.html, page.anchors, None)
        assert packed.html is not packed.html
        assert packed == PackedPage(URL, "<p>x\ud800", ("a link",))
        assert replace(packed, url="http://other.com/").html == page.html
    assert expanded(compressed("")) == expanded(uncompressed("")) == ""


def test_a_target_is_made_absolute_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to places within a page are as many as its headings."""
    made: list[str] = []
    monkeypatch.setattr(linkinfo, "canonicalize_url", lambda url: made.append(url) or url)
    found = anchors("".join(f"<a href='#{n}'>n</a><a href='/b#{n}'>to b</a><a href='/b'>b</a>" for n in range(9)))
    assert len(found) == 27
    assert made == [URL, "http://example.com/b"]
