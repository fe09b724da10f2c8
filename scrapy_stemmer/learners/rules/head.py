"""What the head of a page says of it: its titles, and whether it calls itself an article."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from scrapy_stemmer.core.text import collapse

TITLES = ("og:title", "twitter:title", "title")
"""Where a page names itself, most trustworthy first."""

ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
"""Names of ``meta`` elements that only articles have."""

TYPE = "og:type"
"""Name of the ``meta`` element that says what kind of thing the page is."""

DATA_TYPE = "ld+json"
"""Scripts of a type with this in it hold data on the page, JSON-LD."""

_LD_ARTICLE = re.compile(r'"@type"\s*:\s*\[?\s*"(\w*Article|BlogPosting|LiveBlogPosting|Report)"')


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a page says.

    :param texts: titles by name, such as ``og:title``; ``title`` is the title element.
    :param is_article: whether the page's metadata call it an article.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    is_article: bool = False

    @property
    def title(self) -> str:
        """The most trustworthy title, "" when there is none."""
        return next((self.texts[name] for name in TITLES if self.texts.get(name)), "")


def head_of(root: etree._Element) -> Head:
    """The head of a tree. Elements that belong there are found wherever they stand."""
    texts: dict[str, str] = {}
    is_article = False
    for title in root.iter("title", "{*}title"):
        # An svg in the body may have a title too: that of an icon.
        if title.text and next(title.iterancestors("svg", "{*}svg"), None) is None:
            texts["title"] = collapse(title.text)
            break
    for meta in root.iter("meta", "{*}meta"):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        content = meta.get("content") or ""
        if name in TITLES:
            texts.setdefault(name, collapse(content))
        elif name in ARTICLE_TIMES or (name == TYPE and content.lower() == "article"):
            is_article = True
    return Head(texts, is_article or any(map(_LD_ARTICLE.search, _data_of(root))))


def _data_of(root: etree._Element) -> list[str]:
    """The texts of a page's scripts of JSON-LD."""
    return [script.text or "" for script in root.iter("script") if DATA_TYPE in (script.get("type") or "")]
