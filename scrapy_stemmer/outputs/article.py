"""Stripped pages, and what they say of themselves, as ``Article`` items of zyte-common-items (extra ``zyte``)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy_stemmer.core.blocks import Role
from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import needed
from scrapy_stemmer.patternset import Stripped

if TYPE_CHECKING:
    from zyte_common_items import Article


def article_of(page: Page, stripped: Stripped) -> Article:
    """A stripped page as an item.

    Headline and body are title and text of the stripped page, the body without the title; authors, dates and the rest
    its :attr:`Stripped.fields`.

    :raises MissingExtra: without the extra ``zyte``.
    """
    items, fields = needed("zyte_common_items", "zyte", "for Article items"), stripped.fields
    body = replace(stripped, text_roles=stripped.text_roles - {Role.TITLE})
    article: Article = items.Article(
        url=page.url,
        headline=stripped.title,
        articleBody=body.text or None,
        articleBodyHtml=body.html or stripped.html or None,
        authors=[items.Author(name=name, nameRaw=name) for name in fields.authors] or None,
        datePublished=utc_date(fields.published),
        datePublishedRaw=fields.published,
        dateModified=utc_date(fields.modified),
        dateModifiedRaw=fields.modified,
        inLanguage=fields.language,
        description=fields.description,
        canonicalUrl=fields.canonical_url,
        mainImage=items.Image(url=fields.image) if fields.image else None,
        metadata=items.ArticleMetadata(probability=stripped.confidence if stripped.confidence is not None else 1.0),
    )
    return article


def utc_date(text: str | None) -> str | None:
    """An ISO 8601 date as ``2024-05-01T12:00:00Z``, in UTC where it has a time zone."""
    if text is None:
        return None
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        return found.isoformat(timespec="seconds")
    return found.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
