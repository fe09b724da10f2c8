"""The downloader middleware: marks the elements of pages that scrapy-playwright renders, for visual learners.

A page method of ours, the last of a request, marks the page's elements in the browser
(:mod:`scrapy_stemmer.core.rendering`). The marks come along in the response's HTML; they are taken out again before
anyone else sees it, and the marked HTML is kept aside until the page has been sampled.

scrapy-playwright is optional: it is imported only when STEMMER_VISUAL and STEMMER_LEARN are on.
"""

from __future__ import annotations

import asyncio
import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.http import TextResponse

from scrapy_stemmer.core.rendering import SCRIPT, STYLES, is_marked, without_marks
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.exceptions import SettingError

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger("scrapy_stemmer")

USED = "playwright"
"""Key of ``Request.meta`` by which scrapy-playwright knows that it is to download a request."""

PAGE_METHODS = "playwright_page_methods"
"""Key of ``Request.meta`` for what scrapy-playwright is to do with the page: a list or a dict of page methods."""

OWN_NAME = "stemmer"
"""Name of our page method in a dict."""

MAX_SECONDS = 30.0
"""Seconds that a browser may take to mark a page; then the page goes on without marks."""

_ATTRIBUTE = "_scrapy_stemmer_marked_pages"
"""Attribute of the crawler that holds the pages, for as long as the crawl lasts."""


class MarkedPages:
    """The HTML of rendered pages with its marks, for as long as their requests are alive or until it is taken."""

    def __init__(self) -> None:
        self._pages: WeakKeyDictionary[Request, str] = WeakKeyDictionary()

    @classmethod
    def of(cls, crawler: Crawler) -> MarkedPages:
        """Those of a crawl."""
        found = getattr(crawler, _ATTRIBUTE, None)
        if not isinstance(found, cls):
            found = cls()
            setattr(crawler, _ATTRIBUTE, found)
        return found

    def put(self, request: Request, html: str) -> None:
        """Keep a page."""
        self._pages[request] = html

    def take(self, response: Response) -> str | None:
        """The page of a response, once; ``None`` when it has no marks."""
        return self._pages.pop(response.request, None) if response.request is not None else None


class StemmerDownloaderMiddleware:
    """Adds the page method to requests, and takes it and the marks away from responses.

    Where nothing is learned it only takes away the marks of pages that Scrapy's cache has kept: patterns are applied
    without a browser.
    """

    def __init__(self, crawler: Crawler) -> None:
        state = CrawlState.of(crawler)
        if not state.config.visual:
            raise NotConfigured
        self._page_method = _page_method_class() if state.config.learn else None
        self._stats = state.stats
        self._pages = MarkedPages.of(crawler)
        self._before: WeakKeyDictionary[Request, Any] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerDownloaderMiddleware:
        """Called by Scrapy.

        :raises NotConfigured: when STEMMER_VISUAL is off.
        :raises SettingError: when it and STEMMER_LEARN are on and scrapy-playwright is not installed.
        """
        return cls(crawler)

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Have a page marked that scrapy-playwright renders, when all else has been done with it."""
        if self._page_method is not None and request.meta.get(USED):
            methods = request.meta.get(PAGE_METHODS)
            self._before[request] = methods
            request.meta[PAGE_METHODS] = _with_ours(methods, self._page_method(mark))

    def process_response(self, request: Request, response: Response, spider: Spider | None = None) -> Response:
        """Give the response without marks; keep the page with them aside."""
        rendered = request in self._before
        self._count(request)
        self._restore(request)
        # A page from Scrapy's cache brings its marks along as well.
        if not (rendered or STYLES.encode() in response.body):
            return response
        if not isinstance(response, TextResponse) or not is_marked(response.text):
            return response
        html = response.text
        if self._page_method is not None:
            self._pages.put(request, html)
        return response.replace(body=without_marks(html).encode(response.encoding, "xmlcharrefreplace"))

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> None:
        """Leave the request as it was."""
        self._restore(request)

    def _count(self, request: Request) -> None:
        """Count a page that the browser has marked, or log why it has not."""
        result = _our_result(request) if request in self._before else None
        if result is None:
            return
        if "error" in result:
            self._stats.inc_value(Stat.PAGES_UNMARKED)
            logger.warning("%s is learned from without its looks: %s", request.url, result["error"])
        else:
            self._stats.inc_value(Stat.PAGES_MARKED)

    def _restore(self, request: Request) -> None:
        """Leave nothing of ours in the request's meta, which users copy to other requests."""
        if request not in self._before:
            return
        methods = self._before.pop(request)
        if methods is None:
            request.meta.pop(PAGE_METHODS, None)
        else:
            request.meta[PAGE_METHODS] = methods


async def mark(page: Any) -> dict[str, Any]:
    """Mark a page. Never raises, since that would make the request fail.

    A function of the module, so that requests that have it can be written to disk.

    :param page: Playwright's page.
    :returns: the numbers of blocks and styles; or ``error``.
    """
    try:
        result: dict[str, Any] = await asyncio.wait_for(page.evaluate(SCRIPT), MAX_SECONDS)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return result


def _page_method_class() -> type[Any]:
    try:
        found: type[Any] = import_module("scrapy_playwright.page").PageMethod
    except ImportError as error:
        raise SettingError(
            "STEMMER_VISUAL is on, but scrapy-playwright is not installed: pip install "
            "'scrapy-stemmer[playwright]', or switch it off to learn from pages as they are."
        ) from error
    return found


def _with_ours(methods: Any, ours: Any) -> Any:
    """Page methods with ours as the last, in a new list or dict."""
    if isinstance(methods, dict):
        return {**methods, OWN_NAME: ours}
    return [*(methods or ()), ours]


def _our_result(request: Request) -> dict[str, Any] | None:
    """The result of our page method; ``None`` when it has not been called."""
    methods = request.meta.get(PAGE_METHODS)
    last = list(methods.values() if isinstance(methods, dict) else methods or ())[-1:]
    result = last[0].result if last and getattr(last[0], "method", None) is mark else None
    return result if isinstance(result, dict) else None
