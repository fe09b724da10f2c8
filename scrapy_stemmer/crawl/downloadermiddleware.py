"""The downloader middleware: pages of charsets that Scrapy can't read; marks of rendered elements for visual learners.

A page method of ours, the last of a request, marks the page's elements in the browser
(:mod:`scrapy_stemmer.learners.literature.rendering`). The marks come along in the response's HTML; they are taken out
again before anyone else sees it, and the marked HTML is kept aside until the page has been sampled.

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
"""Key of ``Request.meta`` for what scrapy-playwright is to do with the page: a list or a dict of page methods."""

MAX_SECONDS = 30.0  # seconds that a browser may take to mark a page; then the page goes on without marks


class StemmerDownloaderMiddleware:
    """Adds the page method to requests, and takes it and the marks away from responses, when STEMMER_VISUAL is on;
    where nothing is learned only the marks of pages that Scrapy's cache has kept, as patterns are applied without a
    browser. Pages that Scrapy would raise for because of their charset are given the one of browsers."""

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
        # What was there before, and the page method that was added.
        self._added: WeakKeyDictionary[Request, tuple[Any, Any]] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerDownloaderMiddleware:
        """Called by Scrapy; raises :class:`SettingError` when pages are to be marked and scrapy-playwright is not
        installed."""
        return cls(crawler)

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Have a page marked that scrapy-playwright renders, when all else has been done with it."""
        if self._page_method is None or not request.meta.get("playwright"):
            return
        methods, ours = request.meta.get(PAGE_METHODS), self._page_method(mark)
        self._added[request] = methods, ours
        # In a new list or dict, as the last.
        added = {**methods, "stemmer": ours} if isinstance(methods, dict) else [*(methods or ()), ours]
        request.meta[PAGE_METHODS] = added

    def process_response(self, request: Request, response: Response, spider: Spider | None = None) -> Response:
        """Give the response without marks; keep the page with them aside."""
        response = readable(response)
        if not self._is_visual:
            return response
        rendered = request in self._added
        if rendered:
            result = self._take_back(request).result
            if isinstance(result, dict) and "error" in result:
                self._stats.inc_value(Stat.PAGES_UNMARKED)
                logger.warning("%s is learned from without its looks: %s", request.url, result["error"])
            elif isinstance(result, dict):
                self._stats.inc_value(Stat.PAGES_MARKED)
        # A page from Scrapy's cache brings its marks along as well.
        if not (rendered or STYLES_MARK.encode() in response.body) or not isinstance(response, TextResponse):
            return response
        html = response.text
        if not is_marked(html):
            return response
        if self._page_method is not None:
            self._pages[request] = html
        return response.replace(body=without_marks(html).encode(response.encoding, "xmlcharrefreplace"))

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> None:
        """Leave the request as it was."""
        if request in self._added:
            self._take_back(request)

    def _take_back(self, request: Request) -> Any:
        """Leave nothing of ours in the request's meta, which users copy to other requests; gives what was ours."""
        methods, ours = self._added.pop(request)
        if methods is None:
            request.meta.pop(PAGE_METHODS, None)
        else:
            request.meta[PAGE_METHODS] = methods
        return ours


async def mark(page: Any) -> dict[str, Any]:
    """Mark a page of Playwright's; gives the numbers of blocks and styles, or ``error``: to raise would make the
    request fail. A function of the module, so that requests that have it can be written to disk."""
    try:
        result: dict[str, Any] = await asyncio.wait_for(page.evaluate(SCRIPT), MAX_SECONDS)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return result
