"""What the head of a page says of it: its titles, and whether it calls itself an article."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.text import collapse

TITLES = ("og:title", "twitter:title", "title")
"""Where a page names itself, most trustworthy first."""

ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
"""Names of ``meta`` elements that only articles have."""

TYPE = "og:type"
"""Name of the ``meta`` element that says what kind of thing the page is."""

METAS = frozenset({*TITLES, *ARTICLE_TIMES, TYPE})
"""The ``meta`` elements that are looked at."""

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


class Parts(NamedTuple):
    """What stands in a head.

    :param title: the text of the title element.
    :param metas: names and contents of ``meta`` elements, at least of those in :data:`METAS`.
    :param scripts: the texts of scripts of :data:`DATA_TYPE`.
    """

    title: str | None
    metas: list[tuple[str, str]]
    scripts: list[str]


class LateHead:
    """The head of a tree, of which each thing is read when it is first asked for.

    :param read: gets what stands in it, by its root.
    """

    __slots__ = ("_is_article", "_parts", "_read", "_root", "_texts")

    def __init__(self, read: Callable[[etree._Element], Parts], root: etree._Element) -> None:
        self._read = read
        self._root = root
        self._parts: Parts | None = None
        self._texts: Mapping[str, str] | None = None
        self._is_article: bool | None = None

    def _given(self) -> Parts:
        """What stands in it."""
        if self._parts is None:
            self._parts = self._read(self._root)
        return self._parts

    @property
    def now(self) -> Head:
        """All that it says."""
        return Head(self.texts, self.is_article)

    @property
    def texts(self) -> Mapping[str, str]:
        """See :class:`Head`."""
        if self._texts is None:
            self._texts = titles_in(self._given())
        return self._texts

    @property
    def is_article(self) -> bool:
        """See :class:`Head`."""
        if self._is_article is None:
            self._is_article = says_article(self._given())
        return self._is_article

    @property
    def title(self) -> str:
        """See :attr:`Head.title`."""
        return Head(self.texts).title


AnyHead = Head | LateHead


def parts_of(root: etree._Element) -> Parts:
    """What stands in the head of a tree. Elements that belong there are found wherever they stand."""
    title = next((title.text for title in root.iter("title") if title.text and not _is_of_drawing(title)), None)
    metas = [
        (meta.get("property") or meta.get("name") or meta.get("itemprop") or "", meta.get("content") or "")
        for meta in root.iter("meta")
    ]
    scripts = [script.text or "" for script in root.iter("script") if DATA_TYPE in (script.get("type") or "")]
    return Parts(title, metas, scripts)


def titles_in(parts: Parts) -> dict[str, str]:
    """The titles of a page, as of :class:`Head`; of those of one name the first."""
    title, metas, _ = parts
    texts: dict[str, str] = {}
    if title is not None:
        texts["title"] = collapse(title)
    for given, content in metas:
        name = given.lower()
        if name in TITLES:
            texts.setdefault(name, collapse(content))
    return texts


def says_article(parts: Parts) -> bool:
    """Whether a head calls its page an article."""
    _, metas, scripts = parts
    for given, content in metas:
        name = given.lower()
        if name in ARTICLE_TIMES or (name == TYPE and content.lower() == "article"):
            return True
    return any(map(_LD_ARTICLE.search, scripts))


def _is_of_drawing(title: etree._Element) -> bool:
    """Whether it names an ``svg`` in the body: an icon of a menu, not the page."""
    return next(title.iterancestors("svg"), None) is not None
