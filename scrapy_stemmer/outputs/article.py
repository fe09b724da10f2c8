"""Stripped pages as ``Article`` items of zyte-common-items. Needs the extra ``zyte``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.extras import needed
from scrapy_stemmer.outputs.metadata import iso_date, metadata_of
from scrapy_stemmer.patternset import Stripped

if TYPE_CHECKING:
    from zyte_common_items import Article


def article_of(page: Page, stripped: Stripped, *, default_charset: str = DEFAULT_CHARSET) -> Article:
    """A stripped page as an item.

    Text and headline are those of the stripped page; authors, dates and the rest what the page says of itself.
    ``datePublished`` is there only where that is a date of ISO 8601, ``datePublishedRaw`` as it is written.

    :param default_charset: for bytes that declare no charset.
    :raises MissingExtra: without the extra ``zyte``.
    """
    return article_from(page.url, root_of(page, default_charset), stripped)


def article_from(url: str, root: etree._Element, stripped: Stripped) -> Article:
    """The same, of a page that has been parsed."""
    items = needed("zyte_common_items", "zyte", "for Article items")
    said = metadata_of(root, stripped)
    article: Article = items.Article(
        url=url,
        headline=said.headline,
        articleBody=stripped.text or None,
        articleBodyHtml=stripped.html or None,
        authors=[items.Author(name=name, nameRaw=name) for name in said.authors] or None,
        datePublished=iso_date(said.published),
        datePublishedRaw=said.published,
        dateModified=iso_date(said.modified),
        dateModifiedRaw=said.modified,
        inLanguage=said.language.partition("-")[0].lower() if said.language else None,
        description=said.description,
        canonicalUrl=said.canonical,
        mainImage=items.Image(url=said.image) if said.image else None,
        metadata=items.ArticleMetadata(probability=stripped.confidence if stripped.confidence is not None else 1.0),
    )
    return article
