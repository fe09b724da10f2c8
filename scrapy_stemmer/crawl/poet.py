"""Stripped pages in callbacks and page objects, through scrapy-poet. Needs the extra ``poet``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, PageParser, site_of
from scrapy_stemmer.crawl.items import ResponsePage
from scrapy_stemmer.crawl.responses import why_skipped
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import report_error
from scrapy_stemmer.exceptions import MissingExtra
from scrapy_stemmer.outputs.article import article_from
from scrapy_stemmer.patternset import UNMATCHED, Stripped, strip

try:
    from scrapy_poet.page_input_providers import PageObjectInputProvider
    from web_poet import field
    from zyte_common_items import Article, Author
    from zyte_common_items.pages import ArticlePage
except ImportError as missing:
    raise MissingExtra(
        f"scrapy-poet and zyte-common-items are needed: pip install 'scrapy-stemmer[poet]' ({missing})."
    ) from missing


class StrippedProvider(PageObjectInputProvider):
    """Provides :class:`Stripped`: to be named in SCRAPY_POET_PROVIDERS.

    It has the patterns of the crawl. Pages of sites that are not learned yet are unmatched, as is what is no HTML.
    """

    provided_classes = {Stripped}  # noqa: RUF012 - as scrapy-poet declares it
    name = "scrapy_stemmer"

    def __init__(self, injector: Any) -> None:
        super().__init__(injector)  # type: ignore[no-untyped-call]
        self._parser = PageParser()

    def __call__(self, to_provide: set[Callable[..., Any]], response: Response, crawler: Crawler) -> Sequence[Any]:
        """Called by scrapy-poet."""
        return [self._stripped(response, crawler)]

    def _stripped(self, response: Response, crawler: Crawler) -> Stripped:
        try:
            state = CrawlState.of(crawler)
        except NotConfigured:
            return UNMATCHED
        config = state.config
        if why_skipped(response, config) is not None:
            return UNMATCHED
        try:
            page = ResponsePage(response, None, config.default_charset).page()
            document = Document(page, config.default_charset or DEFAULT_CHARSET, self._parser)
            return strip(state.patterns.of_site(site_of(response.url)), document, config.match_options)
        except Exception as error:
            report_error(state.stats, error, f"stripping {response.url} for a page object (it counts as unmatched)")
            return UNMATCHED


@attrs.define
class StrippedArticlePage(ArticlePage):
    """A page object whose fields are those of :func:`scrapy_stemmer.outputs.article.article_of`.

    Subclasses replace single fields for the sites where they know better.
    """

    stripped: Stripped
    _made: Article | None = attrs.field(default=None, init=False, eq=False, repr=False)

    @property
    def _article(self) -> Article:
        if self._made is None:
            self._made = article_from(str(self.response.url), self.response.selector.root, self.stripped)
        return self._made

    @field
    def headline(self) -> str | None:
        """The title."""
        return self._article.headline

    @field
    def articleBody(self) -> str | None:  # noqa: N802 - the names are those of zyte-common-items
        """The text."""
        return self._article.articleBody

    @field
    def articleBodyHtml(self) -> str | None:  # noqa: N802
        """The text as HTML."""
        return self._article.articleBodyHtml

    @field
    def authors(self) -> list[Author] | None:
        """Who has written it."""
        return self._article.authors

    @field
    def datePublished(self) -> str | None:  # noqa: N802
        """When, where that is a date of ISO 8601."""
        return self._article.datePublished

    @field
    def datePublishedRaw(self) -> str | None:  # noqa: N802
        """When, as it is written."""
        return self._article.datePublishedRaw

    @field
    def dateModified(self) -> str | None:  # noqa: N802
        """When it was changed, where that is a date of ISO 8601."""
        return self._article.dateModified

    @field
    def dateModifiedRaw(self) -> str | None:  # noqa: N802
        """When it was changed, as it is written."""
        return self._article.dateModifiedRaw

    @field
    def inLanguage(self) -> str | None:  # noqa: N802
        """The language, by its code."""
        return self._article.inLanguage

    @field
    def description(self) -> str | None:
        """What it is about."""
        return self._article.description

    @field
    def canonicalUrl(self) -> str | None:  # noqa: N802
        """The URL that the page calls its own."""
        return self._article.canonicalUrl
