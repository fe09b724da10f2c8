"""The downloader middleware that has pages marked and hides the marks; without a browser."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.utils.request import request_from_dict

from scrapy_stemmer.crawl import downloadermiddleware
from scrapy_stemmer.crawl.downloadermiddleware import StemmerDownloaderMiddleware, mark
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.exceptions import SettingError
from tests.crawl.conftest import idle_crawler
from tests.rendered import marked

PageMethod = pytest.importorskip("scrapy_playwright.page", reason="extra `playwright` is not installed").PageMethod


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the folder of the pattern file, which a learning crawl locks."""
    monkeypatch.chdir(tmp_path)


PAGE = marked("<p {0}>Größe</p>", (690, {"color": "red"}))
PLAIN = "<!DOCTYPE html><html><head></head><body><p>Größe</p></body></html>"
URL = "http://ex.com/"


def crawler_with(**settings: Any) -> Crawler:
    return idle_crawler(**{"STEMMER_VISUAL": True, "STEMMER_LEARN": True, **settings})  # type: ignore[no-any-return]


@pytest.fixture
def crawler() -> Crawler:
    return crawler_with()


@pytest.fixture
def middleware(crawler: Crawler) -> StemmerDownloaderMiddleware:
    return StemmerDownloaderMiddleware.from_crawler(crawler)


def marked_pages(crawler: Crawler) -> list[str]:
    """Return the marked pages of a crawl."""
    return list(CrawlState.of(crawler).marked_pages.values())


def rendered(request: Request, html: str = PAGE, encoding: str = "utf-8", result: Any = None) -> HtmlResponse:
    """Return scrapy-playwright's response to a request after its page methods."""
    methods = request.meta["playwright_page_methods"]
    last = list(methods.values() if isinstance(methods, dict) else methods)[-1]
    last.result = result or {"blocks": 1, "styles": 1}
    return HtmlResponse(URL, body=html.encode(encoding), encoding=encoding, request=request, flags=["playwright"])


class TestRequests:
    """The page method comes and goes."""

    OWN = PageMethod("screenshot")

    @pytest.mark.parametrize(
        ("own", "expected"),
        [
            pytest.param(None, [mark], id="none of the user's"),
            pytest.param([], [mark], id="empty list"),
            pytest.param([OWN], ["screenshot", mark], id="list"),
            pytest.param((OWN,), ["screenshot", mark], id="tuple"),
        ],
    )
    def test_ours_is_the_last(self, middleware: StemmerDownloaderMiddleware, own: Any, expected: list[Any]) -> None:
        request = Request(URL, meta={"playwright": True, "playwright_page_methods": own})
        middleware.process_request(request)
        assert [method.method for method in request.meta["playwright_page_methods"]] == expected

    @pytest.mark.parametrize("meta", [{}, {"playwright": False}, {"playwright_page_methods": [OWN]}])
    def test_requests_without_a_browser(self, middleware: StemmerDownloaderMiddleware, meta: dict[str, Any]) -> None:
        request = Request(URL, meta=meta)
        middleware.process_request(request)
        assert request.meta == meta

    @pytest.mark.parametrize("failed", [False, True])
    @pytest.mark.parametrize("own", [..., [OWN], {"shot": OWN}])
    def test_our_method_leaves_meta(self, middleware: StemmerDownloaderMiddleware, own: Any, failed: bool) -> None:
        """Users copy meta to new requests."""
        meta = {"playwright": True} if own is ... else {"playwright": True, "playwright_page_methods": own}
        request = Request(URL, meta=meta)
        middleware.process_request(request)
        if failed:
            middleware.process_exception(request, TimeoutError())
        else:
            middleware.process_response(request, rendered(request))
        assert request.meta == meta
        assert own is ... or request.meta["playwright_page_methods"] is own

    def test_a_request_with_it_can_be_written_to_disk(self, middleware: StemmerDownloaderMiddleware) -> None:
        import pickle

        request = Request(URL, meta={"playwright": True})
        middleware.process_request(request)
        copy = request_from_dict(pickle.loads(pickle.dumps(request.to_dict())))
        assert copy.meta["playwright_page_methods"][0].method is mark


class TestResponses:
    """The marks are hidden, and kept."""

    @pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
    def test_the_marks_are_taken_out(
        self, crawler: Crawler, middleware: StemmerDownloaderMiddleware, encoding: str
    ) -> None:
        request = Request(URL, meta={"playwright": True})
        middleware.process_request(request)
        response = middleware.process_response(request, rendered(request, encoding=encoding))
        assert isinstance(response, HtmlResponse)
        assert response.text == PLAIN
        assert response.flags == ["playwright"]
        asked = response.replace(status=203).request  # another middleware may make a new response
        assert asked is not None
        assert CrawlState.of(crawler).marked_pages[asked] == PAGE

    @pytest.mark.parametrize(
        "response",
        [
            pytest.param(HtmlResponse(URL, body=b"<p>plain", encoding="utf-8"), id="a page without marks"),
            pytest.param(Response(URL, body=b"\x89PNG data-stemmer-styles"), id="not text"),
        ],
    )
    def test_other_responses_pass(self, middleware: StemmerDownloaderMiddleware, response: Response) -> None:
        assert middleware.process_response(Request(URL), response) is response


class TestMark:
    """The page method itself; it never raises, since the user's request would fail."""

    def test_a_page_that_never_answers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Page:
            async def evaluate(self, script: str) -> None:
                await asyncio.Event().wait()

        monkeypatch.setattr(downloadermiddleware, "MAX_SECONDS", 0.01)
        assert "TimeoutError" in asyncio.run(mark(Page()))["error"]


class TestWithoutLearning:
    """Pages in Scrapy's cache come without marks."""

    @pytest.mark.parametrize("off", [{"STEMMER_LEARN": False}, {"STEMMER_VISUAL": False}])
    def test_nothing_is_marked(self, off: dict[str, Any]) -> None:
        request = Request(URL, meta={"playwright": True})
        StemmerDownloaderMiddleware(crawler_with(**off)).process_request(request)
        assert request.meta == {"playwright": True}

    def test_pages_are_left_alone_unless_visual_learning_is_asked_for(self) -> None:
        response = HtmlResponse(URL, body=PAGE.encode())
        middleware = StemmerDownloaderMiddleware(crawler_with(STEMMER_VISUAL=False))
        assert middleware.process_response(Request(URL), response) is response

    def test_marks_are_taken_out_and_not_kept(self) -> None:
        crawler = crawler_with(STEMMER_LEARN=False)
        request = Request(URL)
        cached = HtmlResponse(URL, body=PAGE, encoding="utf-8", request=request)
        response = StemmerDownloaderMiddleware(crawler).process_response(request, cached)
        assert isinstance(response, HtmlResponse)
        assert response.text == PLAIN
        assert marked_pages(crawler) == []

    def test_no_browser_is_needed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "scrapy_playwright.page", None)
        StemmerDownloaderMiddleware.from_crawler(crawler_with(STEMMER_LEARN=False))


def test_without_scrapy_playwright_the_crawl_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scrapy_playwright.page", None)
    with pytest.raises(SettingError, match="pip install scrapy-playwright"):
        StemmerDownloaderMiddleware.from_crawler(crawler_with())
