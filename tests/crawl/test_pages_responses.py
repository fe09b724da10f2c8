"""Responses that can be stripped."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.settings import Settings

from scrapy_stemmer import Reason
from scrapy_stemmer.crawl.pages import MAX_BODY, ResponsePage, ResponsePages, weight_of_response, why_skipped
from scrapy_stemmer.settings import StemmerConfig

CONFIG = StemmerConfig.from_settings(Settings(), "x")
URL = "http://example.com/a/page"


def html(body: str | bytes = "<p>text", url: str = URL, **more: Any) -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding=None if isinstance(body, bytes) else "utf-8", **more)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (html(), None),
        (TextResponse(URL, body=b"<p>x", headers={"Content-Type": "text/html"}), None),
        (TextResponse(URL, body=b"x", headers={"Content-Type": "text/plain"}), Reason.NOT_HTML),
        (TextResponse(URL, body=b"<!DOCTYPE html><p>x"), None),
        (TextResponse(URL, body=b"\xef\xbb\xbf\n<!-- a --><!-- b -->\n<HTML lang=en><p>x"), None),
        (TextResponse(URL, body=b"<!doctype html><p>x", headers={"Content-Type": "application/json"}), None),
        (XmlResponse(URL, body=b'<?xml version="1.0"?><html><body><p>x</p></body></html>'), None),
        (XmlResponse(URL, body=b'<?xml version="1.0"?><rss><p>x</p></rss>'), Reason.NOT_HTML),
        (TextResponse(URL, body=b'{"html": "<!DOCTYPE html><p>x"}'), Reason.NOT_HTML),
        (TextResponse(URL, body=b"<!---->" * 200 + b"<p>x"), Reason.NOT_HTML),
        (Response(URL, body=b"x"), Reason.NOT_HTML),
        (Response(URL, body=b"<!DOCTYPE html><p>x"), Reason.NOT_HTML),
        (html(b" \n"), Reason.EMPTY),
        (html(b"x" * (MAX_BODY + 1)), Reason.TOO_LARGE),
        (html(b"\x89PNG...."), Reason.BINARY),
        (html(bytes(range(32)) * 9), Reason.BINARY),
        (html(b"<p>" + b"\x01" * 9 + b"x" * 88), None),
        (html(b"<p>" + b"\x01" * 11 + b"x" * 86), Reason.BINARY),
        (html("<p>a\x00b</p>" + "text " * 99), None),
        (html("<frameset><frame src=a></frameset>"), Reason.FRAMES),
        (html("<html><head><title>x</title></head></html>"), Reason.EMPTY),
        (html("<html><head><title>x</title><main>a page without a body tag</main></html>"), None),
        (html(status=399), None),
        (html(status=400), Reason.ERROR),
        (html(b"", status=404), Reason.ERROR),
        (Response(URL, body=b"x", status=404), Reason.ERROR),
        (html(request=Request(URL, meta={"stemmer": False})), Reason.OPTED_OUT),
        (html(status=404, request=Request(URL, meta={"stemmer": False})), Reason.OPTED_OUT),
        (html(request=Request(URL, meta={"stemmer": None})), None),
    ],
)
def test_why_pages_are_skipped(response: Response, why: Reason | None) -> None:
    assert why_skipped(response, CONFIG, ResponsePage(response, None)) is why


def test_a_page_that_is_too_complex_does_not_reach_the_parser() -> None:
    response = html(f"<body>Text<p{''.join(f' a{number}' for number in range(20_000))}>")
    assert why_skipped(response, CONFIG, ResponsePage(response, None)) is Reason.TOO_COMPLEX
    assert response._cached_selector is None


def attributes(count: int) -> str:
    return f"<p{''.join(f' a{number}' for number in range(count))}>"


@pytest.mark.parametrize("charset", ["utf-8", "cp1252", "utf-16", "gb18030", "iso2022_jp"])
def test_attributes_are_counted_in_any_charset(charset: str) -> None:
    for body in (attributes(20_000).encode(charset), attributes(20_000).replace(" ", " \0").encode(charset)):
        response = HtmlResponse(URL, body=body, headers={"Content-Type": f"text/html; charset={charset}"})
        assert weight_of_response(response).is_too_complex


class SplashLike(Response):
    """A response with text that is no TextResponse, as in scrapy-splash."""

    @property
    def text(self) -> str:
        return self.body.decode()


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/html; charset=utf-8"}])
def test_a_response_with_text_of_a_class_of_its_own_is_a_page_if_it_is_html(headers: dict[str, str]) -> None:
    body = "<!DOCTYPE html><p>Grüße".encode()
    response = SplashLike(URL, body=body, headers=headers, status=203, request=Request(URL))
    page = ResponsePages(CONFIG).of(response)
    assert (page.skip, page.text) == (None, body.decode())
    assert page.root.findtext(".//p") == "Grüße"
    assert (page.response.status, page.response.request) == (203, response.request)


@pytest.mark.parametrize("body", [b'{"a": 1}', b"<!DOCTYPE html><p>\xff"])
def test_a_response_of_a_class_of_its_own_is_no_page_unless_it_is_html_in_utf_8(body: bytes) -> None:
    assert ResponsePages(CONFIG).of(SplashLike(URL, body=body)).skip is Reason.NOT_HTML
