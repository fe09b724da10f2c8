"""A spider whose callbacks are given stripped pages and page objects."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy_poet import DummyResponse

from scrapy_stemmer import Stripped
from scrapy_stemmer.poet import StrippedArticlePage


class PoetSpider(scrapy.Spider):
    """Visits the pages of ``start``, separated by commas."""

    name = "poet"

    async def start(self) -> AsyncIterator[Any]:
        """The first requests."""
        for url in self.urls.split(","):  # type: ignore[attr-defined]
            yield scrapy.Request(url, self.parse_text)
            yield scrapy.Request(url, self.parse_article, dont_filter=True)

    def parse_text(self, response: scrapy.http.Response, stripped: Stripped) -> Iterator[dict[str, Any]]:
        """A callback that asks for the stripped page."""
        found = {name: getattr(stripped, name) for name in ("matched", "reason", "text")}
        yield {"url": response.url, **found}

    async def parse_article(self, response: DummyResponse, page: StrippedArticlePage) -> AsyncIterator[Any]:
        """A callback that asks for a page object."""
        yield await page.to_item()
