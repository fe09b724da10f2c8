"""Which responses are pages that can be stripped."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.settings import Settings

from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.responses import Skip, why_skipped

CONFIG = StemmerConfig.from_settings(Settings({"STEMMER_MAX_BODY": 1000}), "x")
URL = "http://example.com/a/page"


def html(body: str | bytes = "<p>text", url: str = URL, **more: Any) -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding=None if isinstance(body, bytes) else "utf-8", **more)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (html(), None),
        (TextResponse(URL, body=b"<p>x", headers={"Content-Type": "text/html"}), None),
        (TextResponse(URL, body=b"x", headers={"Content-Type": "text/plain"}), Skip.NOT_HTML),
        (Response(URL, body=b"x"), Skip.NOT_HTML),
        (html(b" \n"), Skip.EMPTY),
        (html(b"x" * 1000), None),
        (html(b"x" * 1001), Skip.TOO_LARGE),
        (html(b"\x89PNG...."), Skip.BINARY),
        (html(bytes(range(32)) * 9), Skip.BINARY),
        (html("<p>a\x00b</p>" + "text " * 99), None),
        (html("<frameset><frame src=a></frameset>"), Skip.FRAMES),
        (html("<html><head><title>x</title></head></html>"), Skip.NO_BODY),
        (html("<html><head><title>x</title><main>a page without a body tag</main></html>"), None),
        (html(request=Request(URL, meta={"stemmer": False})), Skip.OPTED_OUT),
        (html(request=Request(URL, meta={"stemmer": True})), None),
        (html(request=Request(URL, meta={"stemmer": None})), None),
    ],
)
def test_why_pages_are_skipped(response: Response, why: Skip | None) -> None:
    assert why_skipped(response, CONFIG) is why
