"""What a page is called: what its head says, and which of its headings is its name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from itertools import takewhile

from lxml import etree
from rapidfuzz.fuzz import ratio

from scrapy_stemmer.learners.rules.read_py import key_of, local_name

HEADLINE = "headline"  # of JSON-LD
TITLES = ("og:title", HEADLINE, "twitter:title", "title")  # where a page names itself, the most trustworthy first
# Names of ``meta`` elements that only articles have.
ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAX_TIMES = 3  # a page has at most so many blocks on the path of its title
_LD_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.)*")')
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
    headlines: set[str] = set()
    is_article = False
    space = root.tag[: root.tag.index("}") + 1] if isinstance(root.tag, str) and root.tag.startswith("{") else ""
    for element in root.iter(f"{space}title", f"{space}meta", f"{space}script"):
        tag, get = local_name(element.tag), element.get
        if tag == "title":
            # An svg in the body may have a title too: that of an icon.
            if element.text and "title" not in texts and next(element.iterancestors(f"{space}svg"), None) is None:
                texts["title"] = " ".join(element.text.split())
        elif tag == "meta":
            name = (get("property") or get("name") or get("itemprop") or "").lower()
            content = get("content") or ""
            if name in TITLES:
                texts.setdefault(name, " ".join(content.split()))
            is_article |= name in ARTICLE_TIMES or (name == "og:type" and content.lower() == "article")
        elif "ld+json" in (get("type") or ""):
            is_article = is_article or _LD_ARTICLE.search(element.text or "") is not None
            headlines.update(_headlines(element.text or ""))
    if len(headlines) == 1:  # those of several articles are of a list
        texts[HEADLINE] = headlines.pop()
    return Head(texts, is_article)


def _headlines(data: str) -> set[str]:
    """The headlines in JSON, broken or not."""
    found = set()
    for text in _LD_HEADLINE.findall(data):
        with suppress(ValueError):
            found.add(" ".join(unescape(json.loads(text, strict=False)).split()))
    return found - {""}


MIN_AGREED = 0.5  # the share of a heading's words that the page's head or a link must have, or it of theirs, to agree
MIN_NAME = 5  # words of an article's name, at least, of which a kicker before it is told
_WORD = re.compile(r"\w+")
_BAR = re.compile(r"\s*[|\u00bb\uff5c]\s*")
_SEPARATOR = re.compile(r"\s+[-\u2013\u2014:\u00b7\u2022/]\s+|\s*[|\u00bb\uff5c]\s*|:\s+|\s+(?=\([^()]+\)$)")


def parts_of(title: str) -> list[str]:
    """The parts of a title between separators such as dashes and bars."""
    return [title[start:end] for start, end in _spans(title)]


def _spans(title: str) -> list[tuple[int, int]]:
    """Where the parts begin and end."""
    edges = [0, *(edge for found in _SEPARATOR.finditer(title) for edge in found.span()), len(title)]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if title[start:end].strip()]


def of_several(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """The texts that at least two pages have, such as the names of the site and its departments."""
    counts = Counter(text for texts in pages for text in set(texts))
    return frozenset(text for text, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    """The most trustworthy of :func:`own_titles`; else, as on the home page, a title of common parts as it is; ``None``
    when the page has no title."""
    return next(iter(own_titles(head, common)), head.title) or None


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """All that the head calls this page and no other: its titles without the parts that other pages have at their ends,
    each once, the most trustworthy first.

    :param common: texts that titles or headings of several pages share.
    """
    found = []
    for title in filter(None, map(head.texts.get, TITLES)):
        own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
        found += [title[own[0][0] : own[-1][1]]] if own else []
    return list(dict.fromkeys(found))


def naming_texts(texts: Sequence[str], is_heading: Sequence[bool], names: Iterable[str]) -> list[int]:
    """The indices of the texts that name a page: the first heading that agrees with a name, and the first other text
    before it that is one, in upper or lower case.

    They agree where one has all words of the other, and these are half of its own: menus leave out words of a heading,
    such as ``Class`` or a number, and cards add some. Other texts must be the whole name, since short ones are part of
    many: a crumb, a date, a cell of a table.

    :param texts: the texts of a page, in their order.
    :param is_heading: for each whether it is a heading.
    :param names: what heads and links call the page.
    """
    known = {name.lower() for name in names} - {""}
    known_words = [frozenset(_WORD.findall(name)) for name in known]
    others: list[int] = []
    for index, text in enumerate(map(str.lower, texts)):
        if not is_heading[index]:
            others += [index] if text in known else []
        elif text in known or any(_agree(frozenset(_WORD.findall(text)), words) for words in known_words):
            return [*others[:1], index]
    return others[:1]


def _agree(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether the shorter of two texts has words of the longer one alone, and enough of them."""
    shorter, longer = sorted((words, others), key=len)
    return bool(shorter) and shorter <= longer and len(shorter) >= MIN_AGREED * len(longer)


def best_heading(headings: Sequence[str], wanted: Sequence[str], common: frozenset[str]) -> int | None:
    """The index of the heading that names the page; ``None`` where none does.

    It is one that has no other words than what the head calls the page, else the one that is most like that. The
    heading of several pages counts only in the first case.

    :param headings: the texts of the page's ``h1``.
    :param wanted: see :func:`own_titles`.
    :param common: texts that titles or headings of several pages share.
    """
    known = []
    for index, heading in enumerate(headings):
        is_contained = any(_has_words(title, heading) for title in wanted)
        if is_contained or heading not in common:
            likeness = max((ratio(heading.lower(), title.lower()) for title in wanted), default=0.0)
            known.append((is_contained, likeness, -index))
    return -max(known)[2] if known else None


def agreed_title(heading: str, head: Head) -> str:
    """What a page's heading and its head agree on: mostly the heading.

    Of an article with a kicker in its heading, as ``Weather: Rain fell``, it is the end that the head calls the page;
    where only marks are missing in it, which style sheets write between its lines, it is what the head says. Parts
    behind a bar of which the head knows nothing, as in ``Rain fell | 2nd edition``, are left out.
    """
    names = [head.texts[name] for name in TITLES if name in head.texts]
    if head.is_article:
        known = {tuple(_WORD.findall(name.lower())): name for name in reversed(names)}
        words = _WORD.findall(heading.lower())
        for start, _ in _spans(heading)[1:]:
            end = _WORD.findall(heading[start:].lower())
            if len(end) >= max(MIN_NAME, MIN_AGREED * len(words)) and tuple(end) in known:
                return heading[start:]
        if len(name := known.get(tuple(words), "")) > len(heading):
            return name
    if not any(_has_words(name, heading) for name in names):
        parts = _BAR.split(heading)
        for name in names:
            kept = list(takewhile(partial(_has_words, name), parts))
            if kept:
                return heading[: heading.index(kept[-1]) + len(kept[-1])]
    return heading


def _has_words(title: str, text: str) -> bool:
    """Whether a title has all words of a text."""
    return set(_WORD.findall(text.lower())).issubset(_WORD.findall(title.lower()))


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """The keys of the texts that may be a page's title: what its head calls it, whole and in parts."""
    titles = [*own_titles(head, common), *head.texts.values()]
    parts = (part for title in head.texts.values() for part in parts_of(title))
    texts = {" ".join(text.split()) for text in (*titles, *parts)} - {""}
    return frozenset(key_of(text) for text in texts)
