"""Stripped pages, and what they say of themselves, as ``Article`` items of zyte-common-items (extra ``zyte``)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lxml import etree

from scrapy_stemmer.core.blocks import Role
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.exceptions import needed
from scrapy_stemmer.patternset import Stripped

if TYPE_CHECKING:
    from zyte_common_items import Article

ARTICLE_TYPES = re.compile(r"(?:[A-Za-z]*Article|BlogPosting|Report|LiveBlogPosting|Review|CreativeWork|WebPage)")
"""Types of schema.org whose author and dates are those of the page; the more special one counts."""

LAST_TYPES = frozenset({"CreativeWork", "WebPage"})
"""Those among them that count when there is no other."""

PUBLISHED = (
    "article:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "parsely-pub-date", "pubdate"
)  # fmt: skip
MODIFIED = ("article:modified_time", "datemodified", "og:updated_time", "last-modified")
AUTHOR = ("author", "article:author", "dc.creator", "parsely-author", "byl")
"""Names of ``meta`` elements, in lower case, the best first."""

_BY = re.compile(r"(?<!\w)(?:by|von|par|por|di|door|av|af)\s+(?=[^\W\d_])", re.IGNORECASE)
_END_OF_NAME = re.compile(r"\s*(?:[|•·–—/\d@(]|\s-\s|\bon\b|\bpublished\b|\bupdated\b|$)", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(r"\s*(?:,|;|&|\band\b|\bund\b|\bet\b|\by\b)\s*")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def article_of(page: Page, stripped: Stripped, *, default_charset: str = DEFAULT_CHARSET) -> Article:
    """A stripped page as an item.

    Text and headline are those of the stripped page; authors, dates and the rest what the page says of itself, of each
    what its JSON-LD says, else its ``meta`` elements, else its byline. ``datePublished`` is there only where that is a
    date of ISO 8601, ``datePublishedRaw`` as it is written.

    :param default_charset: for bytes that declare no charset.
    :raises MissingExtra: without the extra ``zyte``.
    """
    items = needed("zyte_common_items", "zyte", "for Article items")
    root = root_of(page, default_charset)
    data, meta = _article_data(root), _meta(root)
    byline = [block for block in stripped.blocks if block.role is Role.BYLINE]
    dated = next((block.text for block in byline if _YEAR.search(block.text)), None)
    published = _text(data.get("datePublished")) or _first(meta, PUBLISHED) or _time_in(root, byline) or dated
    modified = _text(data.get("dateModified")) or _first(meta, MODIFIED)
    authors = _names(data.get("author")) or _names(_first(meta, AUTHOR))
    behind = (block.text[by.end() :] for block in byline if (by := _BY.search(block.text)))
    in_byline = (_names(_END_OF_NAME.split(text, maxsplit=1)[0]) for text in behind)
    language = _text(data.get("inLanguage")) or (root.get("lang") or "").strip()
    image = data.get("image")
    image = image[0] if isinstance(image, list) and image else image
    image = _text(image.get("url") if isinstance(image, dict) else image) or meta.get("og:image")
    article: Article = items.Article(
        url=page.url,
        headline=stripped.title or _text(data.get("headline")) or meta.get("og:title"),
        articleBody=stripped.text or None,
        articleBodyHtml=stripped.html or None,
        authors=[items.Author(name=name, nameRaw=name) for name in authors or next(filter(None, in_byline), ())]
        or None,
        datePublished=iso_date(published),
        datePublishedRaw=published,
        dateModified=iso_date(modified),
        dateModifiedRaw=modified,
        inLanguage=language.partition("-")[0].lower() or None,
        description=_text(data.get("description")) or meta.get("og:description") or meta.get("description"),
        canonicalUrl=next((link.get("href") for link in root.iter("link") if link.get("rel") == "canonical"), None),
        mainImage=items.Image(url=image) if image else None,
        metadata=items.ArticleMetadata(probability=stripped.confidence if stripped.confidence is not None else 1.0),
    )
    return article


def iso_date(text: str | None) -> str | None:
    """A date of ISO 8601 as ``2024-05-01T12:00:00Z``, in UTC where it has a time zone; ``None`` for any other text."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        if found.tzinfo is None:
            return found.isoformat(timespec="seconds")
        return found.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
    except (ValueError, OverflowError):
        return None


def _article_data(root: etree._Element) -> Mapping[str, Any]:
    """The object of JSON-LD that is about the page; empty without one."""
    last: Mapping[str, Any] = {}
    for script in root.iter("script"):
        if script.get("type", "").partition(";")[0].strip().lower() != "application/ld+json":
            continue
        try:
            stack = [json.loads(script.text or "", strict=False)]
        except (ValueError, RecursionError):
            continue
        while stack:
            node = stack.pop()
            if isinstance(node, list):
                stack += reversed(node)
            elif isinstance(node, dict):
                types = node.get("@type")
                names = {name for name in (types if isinstance(types, list) else [types]) if isinstance(name, str)}
                if any(map(ARTICLE_TYPES.fullmatch, names)):
                    if not names <= LAST_TYPES:
                        return node
                    last = last or node
                stack += [node[name] for name in ("mainEntity", "@graph") if name in node]
    return last


def _meta(root: etree._Element) -> dict[str, str]:
    """The contents of ``meta`` elements by name in lower case; of equal names the first."""
    found: dict[str, str] = {}
    for element in root.iter("meta"):
        name = element.get("property") or element.get("name") or element.get("itemprop")
        content = " ".join((element.get("content") or "").split())
        if name and content:
            found.setdefault(name.strip().lower(), content)
    return found


def _first(meta: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((meta[name] for name in names if name in meta and not meta[name].startswith(("http:", "https:"))), None)


def _text(value: object) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _names(value: object) -> tuple[str, ...]:
    """The names of authors, however JSON-LD or a ``meta`` element gives them; each once."""
    if isinstance(value, list):
        return tuple(dict.fromkeys(name for each in value for name in _names(each)))
    if isinstance(value, dict):
        return _names(value.get("name"))
    text = _text(value)
    if text is None or text.startswith(("http:", "https:")):
        return ()
    by = _BY.match(text)
    names = _BETWEEN_NAMES.split(text[by.end() :] if by else text)
    return tuple(dict.fromkeys(name for name in names if 0 < len(name) <= 60))  # longer ones are sentences


def _time_in(root: etree._Element, byline: list[Any]) -> str | None:
    """The date of a ``time`` element of the byline; of the only one of the page where there is no byline."""
    for block in byline:
        for element, _ in block.block.pieces:
            for near in (element, *element.iterancestors("time"), *element.iterchildren("time")):
                if near.tag == "time" and near.get("datetime"):
                    return str(near.get("datetime"))
    times = [element.get("datetime") for element in root.iter("time") if element.get("datetime")]
    return times[0] if len(times) == 1 and not byline else None
