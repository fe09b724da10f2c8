"""Items of zyte-common-items made from stripped pages: articles, products, and lists of articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree

from scrapy_stemmer.exceptions import needed
from scrapy_stemmer.fields.dates import first_date
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.reading import Fields
from scrapy_stemmer.fields.rules import PAGE_FIELDS
from scrapy_stemmer.page.addresses import safe_address
from scrapy_stemmer.page.arguments import check
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.patterns.base import LabelledBlock
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


# Entries of a list page: links in the kept content with teasers, and the next page

MAX_LEVELS = 8  # elements between a text and the link around
MAX_BESIDE = 0.3  # share of text outside links in the name of an entry
MAX_NEXT = 40  # characters of a link to the next page

_NEXT = re.compile(
    r"\W*(?:next(?: page)?|older(?: (?:posts|entries|articles))?|nächste(?: seite)?|weiter|suivante?|page suivante|"
    r"siguiente|successiv[ao]|próxim[ao]|volgende|следующая|далее|下一页|下一頁|次へ|次のページ|다음)\W*",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    url: str
    name: str
    teaser: str = ""
    day: str = ""  # date in the ``time`` element, unparsed


class _Name(NamedTuple):
    entry: Entry
    place: str  # path of the block, shared by the entries of a list
    is_heading: bool


def entries_of(stripped: Stripped) -> list[Entry]:
    """Return the entries of the list with most of the linked text, each address once."""
    names: dict[str, _Name] = {}
    last = ""
    for block in stripped._shown(stripped.text_roles):
        name = _name_of(block, stripped._url)
        if name is not None and name.entry.url not in names:
            names[name.entry.url], last = name, name.entry.url
        elif last and (name is None or name.entry.url == last):
            before = names[last]
            teaser = " ".join(filter(None, (before.entry.teaser, block.text)))
            day = before.entry.day or next(_days(block), "")
            names[last] = before._replace(entry=before.entry._replace(teaser=teaser, day=day))
    places = Counter[str]()
    for each in names.values():
        places[each.place] += len(each.entry.name)
    most = max(places, key=lambda place: places[place], default="")
    has_headings = any(each.is_heading for each in names.values() if each.place == most)
    return [each.entry for each in names.values() if each.place == most or (each.is_heading and has_headings)]


def _name_of(block: LabelledBlock, base: str) -> _Name | None:
    """Return a block as the name of an entry, if the block links to a different page."""
    layout = block.block
    if not layout.pieces or layout.weight_noanchor > MAX_BESIDE * layout.weight:
        return None
    holder = layout.pieces[0].holder
    line = [holder, *islice(holder.iterancestors(), MAX_LEVELS)]
    link = next((each for each in line if each.tag == "a" and each.get("href")), None)
    url = None if link is None else safe_address(link.get("href") or "", base)
    if url is None or url.partition("#")[0] == base.partition("#")[0] or not url.startswith("http"):
        return None
    return _Name(Entry(url, block.text), block.path, any(each.tag in HEADINGS for each in line))


def _days(block: LabelledBlock) -> Iterator[str]:
    for piece in block.block.pieces[:3]:
        for each in (piece.holder, *islice(piece.holder.iterancestors(), 2)):
            if each.tag == "time" and (day := each.get("datetime")):
                yield day


def next_page(root: etree._Element, url: str) -> str | None:
    """Return the address of the next page of a list."""
    for link in root.iter("link", "a"):
        href = link.get("href")
        is_named = "next" in (link.get("rel") or "").lower().split()
        if href and (is_named or (link.tag == "a" and _NEXT.fullmatch("".join(islice(link.itertext(), 5))[:MAX_NEXT]))):
            return safe_address(href, url)
    return None
