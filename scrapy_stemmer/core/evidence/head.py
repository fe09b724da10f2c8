"""What the head of a page says of it: its titles, and whether it calls itself an article."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

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


class LateHead:
    """The head of a tree, read when it is first asked for.

    :param read: reads it.
    :param of: what it reads it of.
    """

    __slots__ = ("_now", "_of", "_read")

    def __init__(self, read: Callable[..., Head], *of: object) -> None:
        self._read = read
        self._of = of
        self._now: Head | None = None

    @property
    def now(self) -> Head:
        """What is read."""
        if self._now is None:
            self._now = self._read(*self._of)
        return self._now

    @property
    def texts(self) -> Mapping[str, str]:
        """See :class:`Head`."""
        return self.now.texts

    @property
    def is_article(self) -> bool:
        """See :class:`Head`."""
        return self.now.is_article

    @property
    def title(self) -> str:
        """See :attr:`Head.title`."""
        return self.now.title


AnyHead = Head | LateHead


def head_of(root: etree._Element) -> Head:
    """What the head of a tree says. Elements that belong there are found wherever they stand."""
    title = next((title.text for title in root.iter("title") if title.text and not _is_of_drawing(title)), None)
    metas = (
        (meta.get("property") or meta.get("name") or meta.get("itemprop") or "", meta.get("content") or "")
        for meta in root.iter("meta")
    )
    scripts = (script.text or "" for script in root.iter("script") if DATA_TYPE in (script.get("type") or ""))
    return head_from(title, metas, scripts)


def head_from(title: str | None, metas: Iterable[tuple[str, str]], scripts: Iterable[str]) -> Head:
    """What the parts of a head say.

    :param title: the text of the title element.
    :param metas: names and contents of ``meta`` elements, at least of those in :data:`METAS`.
    :param scripts: the texts of scripts of :data:`DATA_TYPE`.
    """
    texts: dict[str, str] = {}
    if title is not None:
        texts["title"] = collapse(title)
    is_article = False
    for given, content in metas:
        name = given.lower()
        if name in TITLES:
            texts.setdefault(name, collapse(content))
        is_article = is_article or name in ARTICLE_TIMES or (name == TYPE and content.lower() == "article")
    return Head(texts, is_article or any(map(_LD_ARTICLE.search, scripts)))


def _is_of_drawing(title: etree._Element) -> bool:
    """Whether it names an ``svg`` in the body: an icon of a menu, not the page."""
    return next(title.iterancestors("svg"), None) is not None
