"""Stripped pages in callbacks and page objects, through scrapy-poet. Needs the extra ``poet``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import report_error
from scrapy_stemmer.exceptions import MissingExtra, installing
from scrapy_stemmer.outputs import article_list_of, article_navigation_of, article_of, product_of
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.patternset import Stripped

try:
    from scrapy_poet.page_input_providers import PageObjectInputProvider
    from web_poet import field
    from zyte_common_items import Article, ArticleList, ArticleNavigation, Product
    from zyte_common_items.pages import ArticlePage
except ImportError as missing:
    raise MissingExtra(f"scrapy-poet and zyte-common-items are needed: {installing('poet')} ({missing}).") from missing


class StrippedProvider(PageObjectInputProvider):
    """Provider of :class:`Stripped` for SCRAPY_POET_PROVIDERS.

    Pages are stripped by the crawl's patterns. Pages of unlearned sites are unmatched; unstripped responses have a
    :attr:`Stripped.reason`.
    """

    provided_classes = {Stripped}  # noqa: RUF012 - as scrapy-poet declares it
    name = "scrapy_stemmer"

    async def __call__(
        self, to_provide: set[Callable[..., Any]], response: Response, crawler: Crawler
    ) -> Sequence[Any]:
        return [_stripped(response, crawler)]


def _stripped(response: Response, crawler: Crawler) -> Stripped:
    stripped = Stripped(matched=False, skipped=Reason.OPTED_OUT)
    with suppress(NotConfigured):
        state = CrawlState.of(crawler)
        try:
            page = state.pages.of(response)
            stripped = page.stripped(state.patterns.of_site(page.site), state.config.strip_options)
        except Exception as error:
            stripped = Stripped(matched=False, skipped=Reason.FAILED)
            report_error(state.stats, error, f"stripping {response.url} for a page object (it has no text)")
    return stripped


ITEMS: Mapping[type, Callable[[Page, Stripped], Any]] = {
    Article: article_of,
    ArticleList: article_list_of,
    ArticleNavigation: article_navigation_of,
    Product: product_of,
}


class StrippedItemProvider(PageObjectInputProvider):
    """Provider of items of zyte-common-items for SCRAPY_POET_PROVIDERS, in place of a provider that asks a service.

    Spiders whose callbacks take an ``Article``, ``ArticleList``, ``ArticleNavigation`` or ``Product`` need no change.
    """

    provided_classes = {*ITEMS}  # noqa: RUF012 - as scrapy-poet declares it
    name = "scrapy_stemmer_items"

    async def __call__(
        self, to_provide: set[Callable[..., Any]], response: Response, crawler: Crawler
    ) -> Sequence[Any]:
        stripped, page = _stripped(response, crawler), Page(response.url, "")
        return [make(page, stripped) for kind, make in ITEMS.items() if kind in to_provide]


def _of_article(name: str) -> Any:
    """Return a page object's field that reads the field ``name`` of the page's article."""

    def of_page(page: StrippedArticlePage) -> Any:
        return getattr(page._article, name)

    of_page.__name__ = name  # web-poet looks the field up by name after validation
    return field(of_page)


@attrs.define
class StrippedArticlePage(ArticlePage):
    """Page object with the fields of :func:`scrapy_stemmer.outputs.article_of`."""

    stripped: Stripped

    @cached_property
    def _article(self) -> Article:
        return article_of(Page(str(self.response.url), ""), self.stripped)

    headline = _of_article("headline")
    articleBody = _of_article("articleBody")  # noqa: N815 - named by zyte-common-items
    articleBodyHtml = _of_article("articleBodyHtml")  # noqa: N815
    authors = _of_article("authors")
    datePublished = _of_article("datePublished")  # noqa: N815
    datePublishedRaw = _of_article("datePublishedRaw")  # noqa: N815
    dateModified = _of_article("dateModified")  # noqa: N815
    dateModifiedRaw = _of_article("dateModifiedRaw")  # noqa: N815
    inLanguage = _of_article("inLanguage")  # noqa: N815
    description = _of_article("description")
    canonicalUrl = _of_article("canonicalUrl")  # noqa: N815
