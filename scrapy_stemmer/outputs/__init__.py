"""Outputs for stripped pages and patterns: Markdown, items of other packages, rules of other programs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.exceptions import needed
from scrapy_stemmer.fields.reading import Fields
from scrapy_stemmer.outputs.markdown import HEAD as HEAD
from scrapy_stemmer.outputs.markdown import markdown_file as markdown_file
from scrapy_stemmer.outputs.markdown import markdown_of as markdown_of
from scrapy_stemmer.outputs.markdown import markdown_page as markdown_page
from scrapy_stemmer.page.arguments import check
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import file_name
from scrapy_stemmer.patternset import Stripped

if TYPE_CHECKING:
    from zyte_common_items import Article

    from scrapy_stemmer.learners.rules.pattern import RulesPattern

FIELDS_OF_ARTICLES = ("authors", "published", "modified", "language", "description", "canonical_url", "image")
MAX_TEST_URLS = 3  # in a file of ftr-site-config


# Articles of zyte-common-items


def article_of(page: Page, stripped: Stripped) -> Article:
    """Return a stripped page as an item.

    Headline and body are its title and text, the body without the title; other values come from
    :attr:`Stripped.fields`.

    :raises TypeError: for a value of a wrong type.
    """
    check("page", page, Page, "a Page")
    check("stripped", stripped, Stripped, "a Stripped")
    items, fields = needed("zyte_common_items", "zyte", "for Article items"), stripped.read_fields(FIELDS_OF_ARTICLES)
    values = article_values(fields)
    body = replace(stripped, text_roles=stripped.text_roles - {Role.TITLE})
    article: Article = items.Article(
        url=page.url,
        headline=stripped.title,
        articleBody=body.text or None,
        articleBodyHtml=body.html or stripped.html or None,
        authors=values["authors"],
        datePublished=values["published"],
        datePublishedRaw=fields.published,
        dateModified=values["modified"],
        dateModifiedRaw=fields.modified,
        inLanguage=fields.language,
        description=fields.description,
        canonicalUrl=fields.canonical_url,
        mainImage=values["image"],
        metadata=items.ArticleMetadata(probability=stripped.confidence if stripped.confidence is not None else 1.0),
    )
    return article


def article_values(fields: Fields) -> dict[str, Any]:
    """Return page fields, by the names of :class:`Fields`, as values of a zyte-common-items article."""
    items = needed("zyte_common_items", "zyte", "for Article items")
    return {
        **fields.as_dict(),
        "authors": [items.Author(name=name, nameRaw=name) for name in fields.authors] or None,
        "published": utc_date(fields.published),
        "modified": utc_date(fields.modified),
        "image": items.Image(url=fields.image) if fields.image else None,
    }


def utc_date(text: str | None) -> str | None:
    """Return an ISO 8601 date as ``2024-05-01T12:00:00Z``, in UTC if it has a time zone."""
    if text is None:
        return None
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        return found.isoformat(timespec="seconds")
    return found.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


# Files of ftr-site-config for Full-Text RSS, wallabag and others


def config_name(site: str) -> str:
    return f"{file_name(site.partition(':')[0])}.txt"


def site_config(pattern: RulesPattern) -> str:
    """Return the text of a site's file: rules for title, text and removals, and test pages."""
    found = pattern.to_selectors()
    lines = [
        *(f"title: {xpath}" for xpath in found.title_xpath),
        *(f"author: {xpath}" for xpath in found.fields_xpath.get("authors", ())),
        *(f"date: {xpath}" for xpath in found.fields_xpath.get("published", ())),
        f"body: {found.body_xpath}",
        *([f"strip: {found.strip_xpath}"] if set(found.drop) - {"body"} else []),
        "prune: no",
        "tidy: no",
        *(f"test_url: {sample.url}" for sample in pattern.samples[:MAX_TEST_URLS]),
    ]
    return "".join(f"{line}\n" for line in lines)
