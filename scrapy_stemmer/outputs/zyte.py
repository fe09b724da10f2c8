"""Items of zyte-common-items made from stripped pages: articles, products, and lists of articles."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.exceptions import needed
from scrapy_stemmer.fields.dates import first_date
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.reading import Fields
from scrapy_stemmer.fields.rules import PAGE_FIELDS
from scrapy_stemmer.outputs.lists import entries_of, next_page
from scrapy_stemmer.page.arguments import check
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.patternset import Stripped

if TYPE_CHECKING:
    from zyte_common_items import Article, ArticleList, ArticleNavigation, Product

FIELDS_OF_ARTICLES = (
    *("authors", "published", "modified", "language", "description", "canonical_url", "image", "breadcrumbs"),
)
FIELDS_OF_PRODUCTS = (*PRODUCT_FIELDS, "breadcrumbs", "image", "canonical_url")

_AVAILABLE = ("InStoreOnly", "LimitedAvailability", "MadeToOrder", "OnlineOnly", "PreOrder", "PreSale")
_IN_STOCK = {**dict.fromkeys(_AVAILABLE, "InStock"), **dict.fromkeys(("SoldOut", "Discontinued"), "OutOfStock")}
"""Availability for the items, which know two values, by further values of schema.org."""


def article_of(page: Page, stripped: Stripped) -> Article:
    """Return a stripped page as an item.

    Headline and body are the page's title and the text without the title; further values come from
    :attr:`Stripped.fields`.

    :raises TypeError: for a value of a wrong type.
    """
    items, fields = _items(page, stripped), stripped.read_fields(FIELDS_OF_ARTICLES)
    values, body = article_values(fields), _body_of(stripped)
    article: Article = items.Article(
        url=page.url,
        headline=stripped.title,
        articleBody=body.text or None,
        articleBodyHtml=body.html or stripped.html or None,
        datePublishedRaw=fields.published,
        dateModifiedRaw=fields.modified,
        metadata=items.ArticleMetadata(probability=_probability(stripped)),
        **{PAGE_FIELDS[name]: values.get(name) for name in FIELDS_OF_ARTICLES},
    )
    return article


def article_values(fields: Fields) -> dict[str, Any]:
    """Return page fields, by the names of :class:`Fields`, as values of a zyte-common-items article."""
    items = _zyte()
    return {
        **fields.as_dict(),
        "authors": [items.Author(name=name, nameRaw=name) for name in fields.authors] or None,
        "published": utc_date(fields.published),
        "modified": utc_date(fields.modified),
        "image": items.Image(url=fields.image) if fields.image else None,
        "brand": items.Brand(name=fields.brand) if fields.brand else None,
        "rating": items.AggregateRating(ratingValue=float(fields.rating)) if fields.rating else None,
        "availability": _IN_STOCK.get(fields.availability or "", fields.availability),
        "breadcrumbs": [items.Breadcrumb(name=name) for name in fields.breadcrumbs] or None,
    }


def utc_date(text: str | None) -> str | None:
    """Return an ISO 8601 date as ``2024-05-01T12:00:00Z``, in UTC if the date has a time zone."""
    if text is None:
        return None
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        return found.isoformat(timespec="seconds")
    return found.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def product_of(page: Page, stripped: Stripped) -> Product:
    """Return a stripped page as a product: title, text, declared data, and the user's fields.

    :raises TypeError: for a value of a wrong type.
    """
    items, fields = _items(page, stripped), stripped.fields
    values, body = article_values(fields), _body_of(stripped)
    more = [items.AdditionalProperty(name=name, value=_joined(value)) for name, value in fields.own.items()]
    product: Product = items.Product(
        url=page.url,
        name=stripped.title,
        description=body.text or None,
        descriptionHtml=body.html or None,
        images=[items.Image(url=image.url) for image in stripped.images] or None,
        additionalProperties=more or None,
        metadata=items.ProductMetadata(probability=_probability(stripped)),
        **{PAGE_FIELDS[name]: values.get(name) for name in FIELDS_OF_PRODUCTS},
    )
    return product


def article_list_of(page: Page, stripped: Stripped) -> ArticleList:
    """Return a stripped page as a list of articles: the entries of the main list with teasers.

    :raises TypeError: for a value of a wrong type.
    """
    items, fields = _items(page, stripped), stripped.read_fields(("breadcrumbs", "canonical_url", "language"))
    articles = [
        items.ArticleFromList(
            url=entry.url,
            headline=entry.name,
            articleBody=entry.teaser or None,
            datePublished=utc_date(first_date(entry.day)) if entry.day else None,
            datePublishedRaw=entry.day or None,
            inLanguage=fields.language,
            metadata=items.ProbabilityMetadata(probability=_probability(stripped)),
        )
        for entry in entries_of(stripped)
    ]
    found: ArticleList = items.ArticleList(
        url=page.url,
        articles=articles or None,
        breadcrumbs=article_values(fields)["breadcrumbs"],
        canonicalUrl=fields.canonical_url,
        metadata=items.ArticleListMetadata(),
    )
    return found


def article_navigation_of(page: Page, stripped: Stripped) -> ArticleNavigation:
    """Return a stripped page as links to articles, and to the next page.

    :raises TypeError: for a value of a wrong type.
    """
    items, reader = _items(page, stripped), stripped._reads_fields
    sure = _probability(stripped)
    links = [
        items.ProbabilityRequest(url=entry.url, name=entry.name, metadata=items.ProbabilityMetadata(probability=sure))
        for entry in entries_of(stripped)
    ]
    following = next_page(reader.shown.root, page.url) if reader is not None else None
    found: ArticleNavigation = items.ArticleNavigation(
        url=page.url,
        categoryName=stripped.title,
        items=links or None,
        nextPage=items.Request(url=following, name="next") if following else None,
        metadata=items.ArticleNavigationMetadata(),
    )
    return found


def _items(page: Page, stripped: Stripped) -> Any:
    check("page", page, Page, "a Page")
    check("stripped", stripped, Stripped, "a Stripped")
    return _zyte()


def _zyte() -> Any:
    return needed("zyte_common_items", "zyte", "for its items")


def _body_of(stripped: Stripped) -> Stripped:
    """Return a page without the title in the text."""
    return replace(stripped, text_roles=stripped.text_roles - {Role.TITLE})


def _probability(stripped: Stripped) -> float:
    return stripped.confidence if stripped.confidence is not None else 1.0


def _joined(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
