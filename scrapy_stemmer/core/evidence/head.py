"""What the head of a page says of it: its titles, and whether it calls itself an article."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from scrapy_stemmer.core.text import collapse

TITLES = ("og:title", "twitter:title", "title")
"""Where a page names itself, most trustworthy first."""

ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
"""Names of ``meta`` elements that only articles have."""

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


class LateHead:
    """The head of a tree, read when it is first asked for.

    :param root: the root of the tree.
    """

    def __init__(self, root: etree._Element) -> None:
        self._root = root

    @cached_property
    def _head(self) -> Head:
        return head_of(self._root)

    @property
    def texts(self) -> Mapping[str, str]:
        """See :class:`Head`."""
        return self._head.texts

    @property
    def is_article(self) -> bool:
        """See :class:`Head`."""
        return self._head.is_article

    @property
    def title(self) -> str:
        """See :attr:`Head.title`."""
        return self._head.title


AnyHead = Head | LateHead


def head_of(root: etree._Element) -> Head:
    """What the head of a tree says. Elements that belong there are found wherever they stand."""
    texts: dict[str, str] = {}
    title = next((title for title in root.iter("title") if title.text and not _is_of_drawing(title)), None)
    if title is not None:
        texts["title"] = collapse(title.text or "")
    is_article = False
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        content = meta.get("content") or ""
        if name in TITLES:
            texts.setdefault(name, collapse(content))
        is_article = is_article or name in ARTICLE_TIMES or (name == "og:type" and content.lower() == "article")
    return Head(texts, is_article or _has_article_data(root))


def _is_of_drawing(title: etree._Element) -> bool:
    """Whether it names an ``svg`` in the body: an icon of a menu, not the page."""
    return next(title.iterancestors("svg"), None) is not None


def _has_article_data(root: etree._Element) -> bool:
    """Whether the page holds JSON-LD of an article."""
    return any(
        "ld+json" in (script.get("type") or "") and _LD_ARTICLE.search(script.text or "")
        for script in root.iter("script")
    )
