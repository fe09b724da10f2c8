"""What a page is called: what its head says, and which of its headings is its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from lxml import etree
from rapidfuzz.fuzz import ratio

from scrapy_stemmer.learners.rules.read_py import key_of, local_name

TITLES = ("og:title", "twitter:title", "title")  # where a page names itself, the most trustworthy first
# Names of ``meta`` elements that only articles have.
ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAX_TIMES = 3  # a page has at most so many blocks on the path of its title
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
        elif not is_article and "ld+json" in (get("type") or ""):
            is_article = _LD_ARTICLE.search(element.text or "") is not None
    return Head(texts, is_article)


MIN_AGREED = 0.5  # the share of a heading's words that the page's head or a link must have, or it of theirs, to agree
_WORD = re.compile(r"\w+")
_BOUNDARY = re.compile(r"\s*(?:[:|\u2013\u2014\u00bb\u00b7\uff5c]|\s-\s|$)")
_SEPARATOR = re.compile(r"\s+[-\u2013\u2014:\u00b7\u2022/]\s+|\s*[|\u00bb\uff5c]\s*")


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
    """A page's title without parts that other pages have at its ends; ``None`` when it has no title.

    A title of common parts alone, such as that of the home page, is kept as it is.

    :param common: texts that titles or headings of several pages share.
    """
    return next(iter(own_titles(head, common)), None)


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """All that the head calls the page, each once and without the parts that other pages have at its ends; the most
    trustworthy first."""
    found = []
    for title in filter(None, map(head.texts.get, TITLES)):
        own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
        found.append(title[own[0][0] : own[-1][1]] if own else title)
    return list(dict.fromkeys(found))


def distinct_titles(head: Head, common: frozenset[str]) -> list[str]:
    """What the head calls this page and no other: :func:`own_titles` without those of common parts alone."""
    return [title for title in own_titles(head, common) if not common.issuperset(parts_of(title))]


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


def agreed_title(heading: str, wanted: Sequence[str]) -> str:
    """What a page's heading and its head agree on: the heading, or its start where the rest is in none of the titles.

    The start is a run of words that ends where a title has an end or a colon, or parts between separators; such as
    ``Rain fell`` of ``Rain fell [Video]`` and of ``Rain fell | 2nd edition``.

    :param wanted: see :func:`own_titles`.
    """
    if any(_has_words(title, heading) for title in wanted):
        return heading
    spans = _spans(heading)
    agreed = [_common_start(heading, title) for title in wanted]
    for title in wanted:
        kept = list(takewhile(partial(_has_words, title), [heading[slice(*span)] for span in spans]))
        agreed += [heading[spans[0][0] : spans[len(kept) - 1][1]]] if kept else []
    best = max(agreed, key=len, default="")
    enough = len(_WORD.findall(best)) >= MIN_AGREED * len(_WORD.findall(heading))
    return best if best and enough else heading


def _has_words(title: str, text: str) -> bool:
    """Whether a title has all words of a text."""
    return set(_WORD.findall(text.lower())).issubset(_WORD.findall(title.lower()))


def _common_start(heading: str, title: str) -> str:
    """The words at the start of a heading that the title has in one run, up to an end or a colon; "" without any."""
    spans, others = list(_WORD.finditer(heading)), list(_WORD.finditer(title))
    # Each in lower case by itself: some letters become two characters so, and a word two words.
    words, titles = [span.group().lower() for span in spans], [other.group().lower() for other in others]
    best = 0
    for begin in [index for index, word in enumerate(titles) if word in words[:1]]:
        pairs = zip(words, titles[begin:], strict=False)
        run = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        if run > best and _BOUNDARY.match(title, others[begin + run - 1].end()):
            best = run
    return heading[: spans[best - 1].end()] if best else ""


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """The keys of the texts that may be a page's title: what its head calls it, whole and in parts."""
    titles = [*own_titles(head, common), *head.texts.values()]
    parts = (part for title in head.texts.values() for part in parts_of(title))
    texts = {" ".join(text.split()) for text in (*titles, *parts)} - {""}
    return frozenset(key_of(text) for text in texts)
