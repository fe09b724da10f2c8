"""The downloader middleware: unreadable charsets, and marks of rendered elements for visual learners.

A page method of ours, the last of a request, marks the page's elements in the browser
(:mod:`scrapy_stemmer.learners.literature.rendering`). The marks are removed from the response's HTML before any other
component sees it; the marked HTML is kept until the page has been sampled.

scrapy-playwright is optional: it is imported only when STEMMER_VISUAL and STEMMER_LEARN are on.
"""

from __future__ import annotations

import asyncio
import logging
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse

from scrapy_stemmer.crawl.pages import readable
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.exceptions import SettingError, installing
from scrapy_stemmer.learners.literature.rendering import SCRIPT, STYLES_MARK, is_marked, without_marks

logger = logging.getLogger("scrapy_stemmer")

PAGE_METHODS = "playwright_page_methods"
"""Key of ``Request.meta`` for the page methods of scrapy-playwright, a list or a dict."""

MAX_SECONDS = 30.0  # longest time for marking a page in the browser


class StemmerDownloaderMiddleware:
    """Middleware that adds the page method to requests and removes marks from responses, with STEMMER_VISUAL. Crawls
    that don't learn only remove the marks of pages from Scrapy's cache. Pages whose charset makes Scrapy raise get the
    charset of browsers."""

    def __init__(self, crawler: Crawler) -> None:
        state = CrawlState.of(crawler)
        self._page_method: type[Any] | None = None
        self._is_visual = state.config.visual
        if self._is_visual and state.config.learn:
            try:
                self._page_method = import_module("scrapy_playwright.page").PageMethod
            except ImportError:
                raise SettingError(
                    f"STEMMER_VISUAL is on, but scrapy-playwright is not installed: {installing('playwright')}, or "
                    "switch it off to learn from pages as they are."
                ) from None
        self._stats = state.stats
        self._pages = state.marked_pages
        # Page methods of the request before, and our page method.
        self._added: WeakKeyDictionary[Request, tuple[Any, Any]] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerDownloaderMiddleware:
        """Create the middleware; raise :class:`SettingError` if STEMMER_VISUAL lacks scrapy-playwright."""
        return cls(crawler)

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        if self._page_method is None or not request.meta.get("playwright"):
            return
        methods, ours = request.meta.get(PAGE_METHODS), self._page_method(mark)
        self._added[request] = methods, ours
        # In a new list or dict, as the last.
        added = {**methods, "stemmer": ours} if isinstance(methods, dict) else [*(methods or ()), ours]
        request.meta[PAGE_METHODS] = added

    def process_response(self, request: Request, response: Response, spider: Spider | None = None) -> Response:
        response = readable(response)
        if not self._is_visual:
            return response
        rendered = request in self._added
        if rendered:
            result = self._take_back(request).result
            if isinstance(result, dict) and "error" in result:
                self._stats.inc_value(Stat.PAGES_UNMARKED)
                logger.warning("%s is learned from without its looks: %s", request.url, result["error"])
        # Pages from Scrapy's cache are marked too.
        if not (rendered or STYLES_MARK.encode() in response.body) or not isinstance(response, TextResponse):
            return response
        html = response.text
        if not is_marked(html):
            return response
        if self._page_method is not None:
            self._pages[request] = html
        return response.replace(body=without_marks(html).encode(response.encoding, "xmlcharrefreplace"))

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> None:
        if request in self._added:
            self._take_back(request)

    def _take_back(self, request: Request) -> Any:
        """Remove and return our page method in the request's meta, which users copy to new requests."""
        methods, ours = self._added.pop(request)
        if methods is None:
            request.meta.pop(PAGE_METHODS, None)
        else:
            request.meta[PAGE_METHODS] = methods
        return ours


async def mark(page: Any) -> dict[str, Any]:
    """Mark a page of Playwright's and return the numbers of blocks and styles, or the ``error``: raising would fail the
    request. A function of the module, because schedulers write requests to disk."""
    try:
        result: dict[str, Any] = await asyncio.wait_for(page.evaluate(SCRIPT), MAX_SECONDS)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return result
