"""What a page is called: what its head says, which of its headings is its name, and where titles stand on a site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from lxml import etree
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from scrapy_stemmer.learners.rules.paths import Paths, Selector
from scrapy_stemmer.learners.rules.read_py import MOSTLY_LINKS, key_of
from scrapy_stemmer.learners.rules.rules import TITLE, Rule, SelectorIndex

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.reading import SamplePage


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
                texts["title"] = " ".join(element.text.split())
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
        texts.setdefault(name, " ".join(content.split()))
    return name in ARTICLE_TIMES or (name == TYPE and content.lower() == "article")


def _says_article(script: etree._Element) -> bool:
    return DATA_TYPE in (script.get("type") or "") and _LD_ARTICLE.search(script.text or "") is not None


MIN_AGREED = 0.5
"""What a heading and the page's head agree on is the title where it is at least this share of the heading's words."""

_WORD = re.compile(r"\w+")
_BOUNDARY = re.compile(r"\s*(?:[:|\u2013\u2014\u00bb\u00b7\uff5c]|\s-\s|$)")
_ALWAYS = "|\u00bb\uff5c"
"""Characters that separate parts with white space around them or without."""

_SEPARATOR = re.compile(f"[-\u2013\u2014:\u00b7\u2022/{_ALWAYS}](?:(?<=[{_ALWAYS}])\\s*|(?<=\\s.)\\s+)")
"""One of these, or of those that separate parts only with white space on both sides; and the white space behind it."""


def parts_of(title: str) -> list[str]:
    """The parts of a title between separators such as dashes and bars."""
    return [title[start:end] for start, end in _spans(title)]


def _spans(title: str) -> list[tuple[int, int]]:
    """Where the parts begin and end; white space belongs to the separator before it rather than to the next."""
    spans = []
    begin = 0
    for separator in _SEPARATOR.finditer(title):
        at, following = separator.span()
        if at > begin or title[at] in _ALWAYS:
            spans.append((begin, begin + len(title[begin:at].rstrip())))
            begin = following
    spans.append((begin, len(title)))
    return [(start, end) for start, end in spans if title[start:end].strip()]


def common_parts(heads: Iterable[Head]) -> frozenset[str]:
    """The parts that the titles of at least two pages have: the names of the site and its departments."""
    counts = Counter(part for head in heads for part in set(parts_of(head.title)))
    return frozenset(part for part, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    """A page's title without parts that other pages have at its ends; ``None`` when it has no title.

    A title of common parts alone, such as that of the home page, is kept as it is.

    :param common: see :func:`common_parts`.
    """
    return _without_common(head.title, common) or None


def _without_common(title: str, common: frozenset[str]) -> str:
    if not _SEPARATOR.search(title):
        return title
    own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
    return title[own[0][0] : own[-1][1]] if own else title


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """All that the head calls the page, each once and without the parts that other pages have at its ends."""
    titles = dict.fromkeys(map(head.texts.get, TITLES))
    return list(dict.fromkeys([_without_common(title, common) for title in titles if title]))


def common_headings(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """The main headings that at least two pages have, such as a site's name.

    :param pages: for each page the texts of its ``h1``.
    """
    counts = Counter(text for headings in pages for text in set(headings))
    return frozenset(text for text, count in counts.items() if count >= 2)


def best_heading(headings: Sequence[str], wanted: Sequence[str], common: frozenset[str]) -> int | None:
    """The index of the heading that names the page; ``None`` where none does.

    It is one that has no other words than what the head calls the page, else the one that is most like that. The
    heading of several pages counts only in the first case.

    :param headings: the texts of the page's ``h1``.
    :param wanted: see :func:`own_titles`.
    :param common: see :func:`common_headings`.
    """
    titles = set(map(str.lower, wanted))
    texts = list(map(str.lower, headings))
    for index, text in enumerate(texts):
        if text in titles:
            return index
    candidates = {index: text for index, text in enumerate(texts) for title in titles if _has_words(title, text)}
    if not candidates:
        candidates = {index: texts[index] for index, heading in enumerate(headings) if heading not in common}
    return _most_like(titles, candidates) if len(candidates) > 1 else next(iter(candidates), None)


def _most_like(titles: Iterable[str], candidates: Mapping[int, str]) -> int:
    """The index of the candidate that is most like one of the titles; the first of equals, as all are to no title."""
    best = (0.0, min(candidates))
    for title in titles:
        _, likeness, index = extractOne(title, candidates, scorer=ratio)
        best = min(best, (-likeness, index))
    return best[1]


def agreed_title(heading: str, wanted: Sequence[str]) -> str:
    """What a page's heading and its head agree on: the heading, or its start where the rest is in none of the titles.

    The start is a run of words that ends where a title has an end or a colon, or parts between separators; such as
    ``Rain fell`` of ``Rain fell [Video]`` and of ``Rain fell | 2nd edition``.

    :param wanted: see :func:`own_titles`.
    """
    if heading in wanted or any(_has_words(title.lower(), heading.lower()) for title in wanted):
        return heading
    agreed = [_common_start(heading, title) for title in wanted] + [_parts_of_title(heading, title) for title in wanted]
    best = max(agreed, key=len, default="")
    enough = len(_WORD.findall(best)) >= MIN_AGREED * len(_WORD.findall(heading))
    return best if best and enough else heading


def _has_words(title: str, text: str) -> bool:
    """Whether a title has all words of a text; both in lower case."""
    first = _WORD.search(text)
    # Most texts that have other words begin with one, so the rest need not be taken apart.
    if first and first.group() not in title:
        return False
    return set(_WORD.findall(text)).issubset(_WORD.findall(title))


def _common_start(heading: str, title: str) -> str:
    """The words at the start of a heading that the title has in one run, up to an end or a colon; "" without any."""
    spans, others = list(_WORD.finditer(heading)), list(_WORD.finditer(title))
    # Each in lower case by itself: some letters become two characters so, and a word two words.
    words, titles = [span.group().lower() for span in spans], [other.group().lower() for other in others]
    first = words[:1]
    best = 0
    for begin in [index for index, word in enumerate(titles) if word in first]:
        pairs = takewhile(lambda pair: pair[0] == pair[1], zip(words, titles[begin:], strict=False))
        run = sum(1 for _ in pairs)
        if run > best and _BOUNDARY.match(title, others[begin + run - 1].end()):
            best = run
    return heading[: spans[best - 1].end()] if best else ""


def _parts_of_title(heading: str, title: str) -> str:
    """The parts at the start of a heading whose words are all in the title."""
    text = title.lower()
    kept = list(takewhile(lambda span: _has_words(text, heading[span[0] : span[1]].lower()), _spans(heading)))
    return heading[kept[0][0] : kept[-1][1]] if kept else ""


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """The keys of the texts that may be a page's title: what its head calls it, whole and in parts."""
    found = set(own_titles(head, common))
    for title in head.texts.values():
        found.add(title)
        found.update(parts_of(title))
    texts = [" ".join(text.split()) for text in found]
    return frozenset(key_of(text, sum(map(str.isdigit, text))) for text in texts if text)


# Where the titles of a site's pages stand: a vote of the links that lead to them and of what their heads say

MAX_TITLE_RULES = 3
"""Pages of different layouts may have their titles at different places."""

MAX_TIMES = 3
"""A page has at most so many blocks on the path of its title."""

MIN_RIGHT = 0.5
"""Of the pages that have a block on the path at least this share vote for it."""

MIN_VOTES = 0.1
"""A path holds titles where it has the votes of this share of the pages, at least of two."""


def learned_title_rules(
    paths: Paths, pages: Sequence[SamplePage], placed: Sequence[Sequence[int]], title_parts: frozenset[str]
) -> list[Rule]:
    """Rules for the elements whose text is what links and heads call the pages.

    :param placed: for each page the paths of its elements.
    :param title_parts: texts that titles of several pages share.
    """
    shared = _shared_anchors(pages)
    votes: Counter[int] = Counter()
    having: Counter[int] = Counter()
    for page, page_paths in zip(pages, placed, strict=True):
        votes.update(_votes_of(page, page_paths, title_parts, shared))
        having.update({page_paths[element] for element in page.columns.elements})
    least = max(min(2, len(pages)), MIN_VOTES * len(pages))
    chosen = [path for path, count in votes.items() if count >= max(least, MIN_RIGHT * having[path])]
    titles = sorted(chosen, key=lambda path: (-votes[path], path))[:MAX_TITLE_RULES]
    index = SelectorIndex(paths, [path in set(titles) for path in range(len(paths))], [True] * len(paths))
    found: dict[Selector, Rule] = {}
    for path in titles:
        selector = index.selector(path)
        if selector is not None:
            found.setdefault(selector, Rule(TITLE, selector, sure=round(votes[path] / len(pages), 2)))
    return list(found.values())


def _shared_anchors(pages: Sequence[SamplePage]) -> frozenset[str]:
    """The texts of links that lead to several pages, such as ``Next``."""
    counts = Counter(text for page in pages for text in {_folded(text) for text in page.anchors})
    return frozenset(text for text, count in counts.items() if count > 1)


def _votes_of(page: SamplePage, placed: Sequence[int], title_parts: frozenset[str], shared: frozenset[str]) -> set[int]:
    """The paths of the blocks of a page that are called what the page is called; the first block of each text votes.

    Webstemmer takes the text of most links that lead to a page for its title (Shinyama 2005); here links and head
    have a vote alike. Links do not vote: a menu calls each page by its name.
    """
    names = {_folded(text) for text in own_titles(page.head, title_parts)}
    names |= {_folded(text) for text in page.anchors} - shared
    columns = page.columns
    times = Counter(placed[element] for element in columns.elements)
    found: set[int] = set()
    seen: set[str] = set()
    for element, text, linked, measures in zip(
        columns.elements, columns.texts, columns.linked, page.measures, strict=True
    ):
        lower, path = text.lower(), placed[element]
        is_candidate = linked <= MOSTLY_LINKS * measures.length and times[path] <= MAX_TIMES
        if is_candidate and lower in names and lower not in seen and text not in title_parts:
            seen.add(lower)
            found.add(path)
    return found


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()
