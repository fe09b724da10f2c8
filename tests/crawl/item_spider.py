"""A spider that knows zyte-common-items alone, as for a service that extracts items."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy_poet import DummyResponse
from zyte_common_items import Article, ArticleList, ArticleNavigation, Product


class ItemSpider(scrapy.Spider):
    """Visits a list, its next page, and the pages that they link to."""

    name = "items"

    async def start(self) -> AsyncIterator[Any]:
        """The first request."""
        yield scrapy.Request(self.urls, self.parse_list)  # type: ignore[attr-defined]

    def parse_list(self, response: DummyResponse, navigation: ArticleNavigation, listed: ArticleList) -> Iterator[Any]:
        """A callback that asks for the links of a list and its articles."""
        yield listed
        for found in navigation.items or ():
            yield found.to_scrapy(self.parse_item)
        if navigation.nextPage:
            yield navigation.nextPage.to_scrapy(self.parse_list)

    def parse_item(self, response: DummyResponse, article: Article, product: Product) -> Iterator[Any]:
        """A callback that asks for an article and a product."""
        yield article
        yield product
