"""Which responses are pages that can be stripped."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.settings import Settings

from scrapy_stemmer import Reason
from scrapy_stemmer.crawl import responses as module
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.responses import (
    MAX_ANCHOR_CHARS,
    MAX_ANCHOR_PIECES,
    anchors_of,
    root_of,
    url_key,
    why_skipped,
)

CONFIG = StemmerConfig.from_settings(Settings({"STEMMER_MAX_BODY": 1000}), "x")
URL = "http://example.com/a/page"


def html(body: str | bytes = "<p>text", url: str = URL, **more: Any) -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding=None if isinstance(body, bytes) else "utf-8", **more)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (html(), None),
        (TextResponse(URL, body=b"<p>x", headers={"Content-Type": "text/html"}), None),
        (TextResponse(URL, body=b"x", headers={"Content-Type": "text/plain"}), Reason.NOT_HTML),
        (Response(URL, body=b"x"), Reason.NOT_HTML),
        (html(b" \n"), Reason.EMPTY),
        (html(b"x" * 1000), None),
        (html(b"x" * 1001), Reason.TOO_LARGE),
        (html(b"\x89PNG...."), Reason.BINARY),
        (html(bytes(range(32)) * 9), Reason.BINARY),
        (html(b"<p>" + b"\x01" * 9 + b"x" * 88), None),
        (html(b"<p>" + b"\x01" * 11 + b"x" * 86), Reason.BINARY),
        (html("<p>a\x00b</p>" + "text " * 99), None),
        (html("<frameset><frame src=a></frameset>"), Reason.FRAMES),
        (html("<html><head><title>x</title></head></html>"), Reason.EMPTY),
        (html("<html><head><title>x</title><main>a page without a body tag</main></html>"), None),
        (html(request=Request(URL, meta={"stemmer": False})), Reason.OPTED_OUT),
        (html(request=Request(URL, meta={"stemmer": True})), None),
        (html(request=Request(URL, meta={"stemmer": None})), None),
    ],
)
def test_why_pages_are_skipped(response: Response, why: Reason | None) -> None:
    assert why_skipped(response, CONFIG) is why


def test_a_page_that_is_too_complex_does_not_reach_the_parser() -> None:
    response = html(f"<body>Text<p{''.join(f' a{number}' for number in range(20_000))}>")
    assert why_skipped(response, replace(CONFIG, max_body=1_000_000)) is Reason.TOO_COMPLEX
    assert response._cached_selector is None


# The texts of links and where they lead


def anchors(body: str) -> list[tuple[str, str]]:
    response = HtmlResponse(URL, body=body, encoding="utf-8")
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


def test_a_target_is_made_absolute_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to places within a page are as many as its headings."""
    made: list[str] = []
    monkeypatch.setattr(module, "canonicalize_url", lambda url: made.append(url) or url)
    found = anchors("".join(f"<a href='#{n}'>n</a><a href='/b?c#{n}'>to b</a><a href='/b?c'>b</a>" for n in range(9)))
    assert len(found) == 27
    assert made == ["http://example.com/", "http://example.com/b?c"]


PARTS = st.sampled_from("/ // . .. a b.html A-b_c~ %7e %2F ; , + é ?x=1 ?y&x # : @ http:// https: ex.com".split())


@given(st.lists(PARTS, max_size=6), st.sampled_from(["http://ex.com/a/b", "https://WWW.Ex.com:8080/", "file:///a/b"]))
def test_the_usual_links_lead_where_others_lead(parts: list[str], url: str) -> None:
    """Those whose address is canonical as it stands are not made so."""
    response = HtmlResponse(url, body=f"<a href='{''.join(parts)}'>x</a>", encoding="utf-8")
    found = list(anchors_of(response, root_of(response)))
    with patch.object(module, "_PLAIN_LINK", re.compile("(?!)")):
        assert found == list(anchors_of(response, root_of(response)))


def test_of_hostile_pages_a_bounded_number_of_links_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINKS", 7)
    assert len(anchors("<a href=/1>x</a>" * 20)) == 7


def test_a_link_with_others_in_it_is_no_title() -> None:
    """Of each in the one before, all that follows would be read."""
    assert anchors("<a href=/1>y</a>" + "<a href=/2><div>x" * 100)[0] == ("http://example.com/1", "y")
    assert len(anchors("<a href=/2><div>x" * 100)) == MAX_ANCHOR_PIECES
