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
    space = root.tag[: root.tag.index("}") + 1] if isinstance(root.tag, str) and root.tag.startswith("{") else ""
    for element in root.iter(f"{space}title", f"{space}meta", f"{space}script"):
        name = str(element.tag).rpartition("}")[2]
        if name == "title":
            # An svg in the body may have a title too: that of an icon.
            if element.text and "title" not in texts and next(element.iterancestors(f"{space}svg"), None) is None:
                texts["title"] = collapse(element.text)
        elif name == "script":
            is_article = is_article or _says_article(element)
        else:
            is_article = _read_meta(element, texts) or is_article
    return Head(texts, is_article)


def _read_meta(meta: etree._Element, texts: dict[str, str]) -> bool:
    """Note the title that a ``meta`` element may have; whether it says that the page is an article."""
    name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
    content = meta.get("content") or ""
    if name in TITLES:
        texts.setdefault(name, collapse(content))
    return name in ARTICLE_TIMES or (name == TYPE and content.lower() == "article")


def _says_article(script: etree._Element) -> bool:
    return DATA_TYPE in (script.get("type") or "") and _LD_ARTICLE.search(script.text or "") is not None
