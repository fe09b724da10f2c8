"""A spider whose pages are rendered: ``scrapy runspider tests/crawl/visual_spider.py -a start=URL,URL``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.http import Response, TextResponse
from scrapy_playwright.page import PageMethod

from tests.browser import ARGUMENTS, EXECUTABLE, VIEWPORT

HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"

COUNT = "() => document.querySelectorAll('p').length"


class Rendered(scrapy.Spider):
    """Yields what the spider sees of each page.

    :param start: URLs, separated by commas.
    :param render: ``0`` to load them without a browser.
    :param methods: the forms in which pages in turn have a page method of the spider's own: ``list``, ``dict``.
    """

    name = "rendered"
    custom_settings = {  # noqa: RUF012
        "ADDONS": {"scrapy_stemmer.Addon": 500},
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": EXECUTABLE, "args": ARGUMENTS},
        "PLAYWRIGHT_CONTEXTS": {"default": {"viewport": VIEWPORT}},
        "TELNETCONSOLE_ENABLED": False,
        "STEMMER_FIELDS": ["matched"],
        "STEMMER_LEARNER": "visual",
    }

    def __init__(self, start: str, render: str = "1", methods: str = "", **more: Any) -> None:
        super().__init__(**more)
        self.start_urls = start.split(",")
        self.render = render == "1"
        self.forms = methods.split(",") if methods else []

    async def start(self) -> AsyncIterator[Any]:
        for number, url in enumerate(self.start_urls):
            meta: dict[str, Any] = {"playwright": True} if self.render else {}
            if self.forms:
                own = PageMethod("evaluate", COUNT)
                is_list = self.forms[number % len(self.forms)] == "list"
                meta["playwright_page_methods"] = [own] if is_list else {"own": own}
            yield scrapy.Request(url, meta=meta, dont_filter=True)

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        assert isinstance(response, TextResponse)
        methods = response.meta.get("playwright_page_methods")
        own = list(methods.values() if isinstance(methods, dict) else methods or ())
        yield {
            "url": response.url,
            "body": response.text,
            "form": type(methods).__name__,
            "methods": None if methods is None else len(own),
            "own_result": own[0].result if own else None,
        }
