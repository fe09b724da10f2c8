"""Titles, kinds of pages, repeated elements, roles of blocks, and the confidence.

Links, lengths, numbers and elements tell in any language; names only on sites that use common names. Only repeated
elements decide on text.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial, reduce
from html import unescape
from itertools import accumulate, compress, takewhile
from operator import mul, or_
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, Columns, text_key
from scrapy_stemmer.learners.rules.hints import GROUPS, HIDDEN_NAMES, hints_of
from scrapy_stemmer.learners.rules.paths import Component, Paths
from scrapy_stemmer.page.blocks import PageKind, Role
from scrapy_stemmer.page.shown import Said
from scrapy_stemmer.page.text import UNWRITABLE
from scrapy_stemmer.writing.plain_text import SHAPED

# Metadata

HEADLINE = "headline"  # of JSON-LD
TITLES = ("og:title", HEADLINE, "twitter:title", "title")  # names of titles, the most trustworthy first
# ``meta`` names of articles alone
ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
NAMES = 3  # of a ``meta`` element; the last, of HTTP, names no title
MAX_NAMED = 1_000  # characters read of a title in the head; a heading has twice as many
MAX_TIMES = 3  # blocks on the path of a title, at most
# Both are searched on every page, in broken JSON too. To parse it, as page.shown.json_in does, takes twice as long.
_LD_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.)*")')
_LD_ARTICLE = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"(\w*Article|BlogPosting|LiveBlogPosting|Report)"')


@dataclass(frozen=True, slots=True)
class Head:
    """Titles and facts in the head of a page."""

    # by name, such as ``og:title``; ``title`` is the element
    texts: Mapping[str, str] = field(default_factory=dict)
    is_article: bool = False  # by metadata
    has_formulas: bool = False  # True if formulas may follow,
    has_tasks: bool = False  # lists of tasks,
    has_readings: bool = False  # or readings of characters

    @property
    def title(self) -> str:
        """The most trustworthy title, or ""."""
        return next((self.texts[name] for name in TITLES if self.texts.get(name)), "")


def head_of(said: Said) -> Head:
    texts: dict[str, str] = {}
    headlines: set[str] = set()
    is_article = False
    for tag, names, value in said:
        if tag == "title":
            texts.setdefault(tag, _named(value))
        elif tag == "meta":
            lower = next(filter(None, names[:NAMES]), "").lower()
            if lower in TITLES:
                texts.setdefault(lower, _named(value))
            is_article |= lower in ARTICLE_TIMES or (lower == "og:type" and value.lower() == "article")
        elif tag == "script":
            is_article = is_article or _LD_ARTICLE.search(value) is not None
            headlines.update(_headlines(value))
    if len(headlines) == 1:  # several headlines are of a list
        texts[HEADLINE] = headlines.pop()
    tags = {tag for tag, _, _ in said}
    return Head(texts, is_article, "math" in tags, "input" in tags, "ruby" in tags)


def _named(text: str) -> str:
    """Return a title with collapsed white space, cut to :data:`MAX_NAMED` characters."""
    return " ".join(text[: 2 * MAX_NAMED].split())[:MAX_NAMED]


def _headlines(data: str) -> set[str]:
    found = set()
    for text in _LD_HEADLINE.findall(data):
        with suppress(ValueError):
            found.add(_named(unescape(UNWRITABLE.sub("", json.loads(text, strict=False)))))
    return found - {""}


# Titles

MIN_AGREED = 0.5  # share of words in common, at least, where a heading agrees with a title or a link
MIN_NAME = 5  # words of an article's name, at least, behind a kicker
_WORD = re.compile(r"\w+")
_BAR = re.compile(r"(?:(?<!\s)\s++)?[|\u00bb\uff5c]\s*+")
_SEPARATOR = re.compile(
    r"(?<!\s)\s++(?:[-\u2013\u2014:\u00b7\u2022/\u00ab\u2039\u203a<>~]|::|--)\s++|(?:(?<!\s)\s++)?[|\u00bb\uff5c]\s*+|:\s++|"
    r"(?<!\s)\s++(?=\([^()]++\)$)"
)
_QUOTED = re.compile(r"(?<!\s)\s++(?:[-\u2013\u2014:\u00b7\u2022/~]|::|--)\s++|(?:(?<!\s)\s++)?[|\uff5c]\s*+|:\s++")
_CUT = re.compile(
    rf"{_SEPARATOR.pattern}|(?:(?<!\s)\s++)?(?:[-_,\u2013\u2014~\uff1a\uff0d\u00b7]|::)+\s*+|"
    r"(?<!\s)\s++(?:at|on|bei|auf|sur|en|su|\u043d\u0430|@)\s++"
)
_PAIRS = (("\u00ab", "\u00bb"), ("\u00bb", "\u00ab"), ("\u2039", "\u203a"), ("\u203a", "\u2039"))  # quotation marks
MAX_CUTS = 40  # cuts in a title, half from each end


def _has_quotation(title: str) -> bool:
    """Return True if a title has both quotation marks of a pair, in order."""
    return any(-1 < title.find(opening) < title.rfind(closing) for opening, closing in _PAIRS)


class Cut(NamedTuple):
    """A title in two parts."""

    part: str  # at an end
    rest: str
    is_before: bool = False  # True if the part comes first
    is_weak: bool = False  # True if the separator is more frequent within names and sentences


def cuts_of(title: str) -> Iterator[Cut]:
    """Yield the cuts of a title where the site's name may begin or end, the outermost first."""
    separator = _QUOTED if _has_quotation(title) else _CUT
    found = [
        (*each.span(), separator is _CUT and not _SEPARATOR.fullmatch(each[0]), each[0])
        for each in separator.finditer(title)
    ]
    able = [each for each in found if title[: each[0]].strip() and title[each[1] :].strip()]
    for start, end, is_weak, sign in able[: -MAX_CUTS // 2 - 1 : -1]:
        if not (sign.strip().isalpha() and title[end].islower()):  # ``on the beach`` is no name
            yield Cut(title[end:], title[:start], is_weak=is_weak or sign[0] == ":")
    for start, end, is_weak, sign in able[: MAX_CUTS // 2]:
        if not sign.strip().isalpha():
            yield Cut(title[:start], title[end:], is_before=True, is_weak=is_weak or sign[0] == ":")


def title_parts_of(title: str) -> list[str]:
    """Return the parts of a title between separators such as dashes and bars."""
    return [title[start:end] for start, end in _spans(title)]


@lru_cache(64)  # asked several times for a title
def _spans(title: str) -> tuple[tuple[int, int], ...]:
    separator = _QUOTED if _has_quotation(title) else _SEPARATOR
    edges = [0, *(edge for found in separator.finditer(title) for edge in found.span()), len(title)]
    return tuple((start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if title[start:end].strip())


def of_several(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the texts of at least two pages, such as names of the site and its departments."""
    counts = Counter(text for texts in pages for text in set(texts))
    return frozenset(text for text, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    """Return the first of :func:`own_titles`, else, as on the home page, the whole title; ``None`` without a title."""
    return next(iter(own_titles(head, common)), head.title) or None


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """Return the titles in the head without common parts at their ends, the most trustworthy first."""
    titles = (without_common(title, common) for title in filter(None, map(head.texts.get, TITLES)))
    return list(dict.fromkeys(filter(None, titles)))


def without_common(title: str, common: frozenset[str]) -> str:
    """Return a title without common parts at its ends, "" if nothing is left."""
    own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
    found = title[own[0][0] : own[-1][1]] if own else ""
    while found and common:
        if found in common:
            return ""
        shorter = next((cut.rest for cut in cuts_of(found) if cut.part in common), None)
        if shorter is None:
            break
        found = shorter
    return found


def shared_ends(titles: Sequence[str]) -> frozenset[str]:
    """Return the ends of titles of half of the pages, with any separator, and ends of two pages before a common end."""
    ends = Counter(part for title in titles for part in {cut.part for cut in cuts_of(title)})
    most = frozenset(part for part, times in ends.items() if times >= max(2, len(titles) / 2))
    if not most:
        return most
    cut = [rest for title in titles if (rest := without_common(title, most)) and rest != title]
    return most | of_several({each.part for each in cuts_of(title)} for title in cut)


def naming_texts(texts: Sequence[str], is_heading: Sequence[bool], names: Iterable[str]) -> list[int]:
    """Return the indices of the texts that name a page: the first heading that agrees with a name, and before it the
    first further text equal to a name.

    A heading agrees with a name if all words of the shorter are in the longer, and are half of its words: menus leave
    out words such as ``Class`` or a number, and cards add some. Further texts must equal a name, in any case: short
    texts, as of breadcrumbs, dates and cells, are part of many names.
    """
    known = {name.lower() for name in names} - {""}
    known_words = [frozenset(_words(name)) for name in known]
    others: list[int] = []
    for index, text in enumerate(map(str.lower, texts)):
        if not is_heading[index]:
            others += [index] if text in known else []
        elif text in known or any(_agree(frozenset(_words(text)), words) for words in known_words):
            return [*others[:1], index]
    return others[:1]


def _words(text: str) -> list[str]:
    """Return the words of a title, in lower case. A search in much more text would hold up all threads."""
    return _WORD.findall(text[: 2 * MAX_NAMED].lower())


def _agree(words: frozenset[str], others: frozenset[str]) -> bool:
    """Return True if the longer text has all words of the shorter, and not too many more."""
    shorter, longer = sorted((words, others), key=len)
    return bool(shorter) and shorter <= longer and len(shorter) >= MIN_AGREED * len(longer)


def best_heading(headings: Sequence[str], wanted: Sequence[str], common: frozenset[str]) -> int | None:
    """Return the index of the ``h1`` that names the page, or ``None``.

    Best are headings without words that a wanted title lacks, then the most similar. A text in common with further
    pages counts only in the first case.
    """
    known = []
    for index, heading in enumerate(headings):
        is_contained = any(_has_words(title, heading) for title in wanted)
        if is_contained or heading not in common:
            likeness = max((ratio(heading[: 2 * MAX_NAMED].lower(), title.lower()) for title in wanted), default=0.0)
            known.append((is_contained, likeness, -index))
    return -max(known)[2] if known else None


def agreed_title(heading: str, head: Head) -> str:
    """Return the title that heading and head agree on: mostly the heading.

    The kicker of an article, as in ``Weather: Rain fell``, is left out if a title in the head lacks it. Marks that
    style sheets write between lines are taken from the head. Parts behind a bar, as in ``Rain fell | 2nd edition``, are
    left out if unknown to the head.
    """
    names = [head.texts[name] for name in TITLES if name in head.texts]
    if len(heading) > 2 * MAX_NAMED:
        return heading
    if head.is_article:
        known = {tuple(_words(name)): name for name in reversed(names)}
        words = _words(heading)
        for start, _ in _spans(heading)[1:]:
            end = _words(heading[start:])
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
    return set(_words(text)).issubset(_words(title))


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """Return the keys of texts that may be a page's title: titles in the head, whole and in parts."""
    titles = [*own_titles(head, common), *head.texts.values()]
    parts = (part for title in head.texts.values() for part in title_parts_of(title))
    texts = {" ".join(text.split()) for text in (*titles, *parts)} - {""}
    return frozenset(text_key(text) for text in texts)


# Kinds of pages

LINK_SHARE = 0.4  # share of a list's text in links,
ARTICLE_LINK_SHARE = 0.6  # or if metadata call the page an article;
TEASER_SHARE = 0.7  # or share of text in teasers: links, with blocks behind
TEASER_REACH = 2  # blocks behind each link
MIN_TEASERS = 3  # links in a list, at least
MIN_LINK_BLOCKS = 0.2  # share of link blocks in a list, at least


class KindBlock(NamedTuple):
    """A block of text for :func:`page_kind`."""

    length: int  # characters without white space,
    linked: int  # and in links
    is_own: bool  # on less than half of the learned pages
    number: int  # of the block on its page


def page_kind(kept: Sequence[KindBlock], *, is_article: bool) -> PageKind:
    """Return the kind of a regular page. A list is mostly links, or teasers: links with some text behind each."""
    own = [block for block in kept if block.is_own]
    total, linked = sum(block.length for block in own), sum(block.linked for block in own)
    if total and linked >= (ARTICLE_LINK_SHARE if is_article else LINK_SHARE) * total:
        return PageKind.LIST
    links = {block.number for block in kept if block.linked > MOSTLY_LINKS * block.length}
    if is_article or sum(block.number in links for block in own) < max(MIN_TEASERS, MIN_LINK_BLOCKS * len(own)):
        return PageKind.CONTENT
    teasers = reach = 0
    for block in kept:
        reach = TEASER_REACH + 1 if block.number in links else reach - 1
        teasers += block.length if reach > 0 and block.is_own else 0
    return PageKind.LIST if teasers >= TEASER_SHARE * total else PageKind.CONTENT


# Repeated elements: for screens of two sizes, hidden, or quoted from the page

MIN_DOUBLE = 60  # characters of a repeated element, at least; fewer are a label or a price
MIN_COPY = 0.25  # share of the page's text in a copy under different names, at least
MOSTLY_COPIED = 0.9  # share of the copy's text found before
MAX_READINGS = 60  # elements around a block in which copies are looked for; the deepest of 4,828 real pages has 55
CELLS = frozenset({"tr", "td", "th"})  # repeat texts on purpose
_STRIPE = re.compile(r"[^a-z](?:odd|even)(?![a-z])", re.IGNORECASE)


said_again: Callable[[list[str], Sequence[int], list[bool]], int] = native("site.said_again")
"""Characters of the kept texts with an equal kept text before."""


def doubles(columns: Columns, paths: Sequence[int], components: Sequence[Component], is_text: list[bool]) -> list[int]:
    """Return the blocks of text repeated for a second screen, hidden or in a quote, by number. Both places must be
    text.

    :param paths: path of each element.
    :param components: last component of each path.
    """
    texts, lengths = columns.texts, columns.lengths
    if said_again(texts, lengths, is_text) < MIN_DOUBLE:
        return []  # most pages
    elements = [components[path] for path in paths]
    twice = {text for text, times in Counter(texts).items() if times > 1}
    seconds = set(_seconds(columns, elements, is_text, twice)) if _has_run_of(columns, twice) else set()
    left = [block for block in compress(range(len(texts)), is_text) if block not in seconds]
    copies = _copies(columns, elements, [block for block in left if lengths[block] >= MIN_DOUBLE])
    again = _said_again(columns, elements, sorted(set(left).difference(copies)))
    return [*sorted(seconds), *copies, *again]


def _has_run_of(columns: Columns, twice: Container[str]) -> bool:
    """Return True if :data:`MIN_DOUBLE` characters of repeated texts stand in a row."""
    length = 0
    for text, own in zip(columns.texts, columns.lengths, strict=True):
        length = length + own if text in twice else 0
        if length >= MIN_DOUBLE:
            return True
    return False


def _seconds(
    columns: Columns, elements: Sequence[Component], is_text: Sequence[bool], twice: Container[str]
) -> Iterator[int]:
    """Yield the blocks in the second of two elements for different screens.

    Both are siblings of equal tag and text, but different names: ``d-none d-md-block`` and ``d-md-none``,
    ``hero-mobile`` and ``hero``. Intended repetitions, as of a note in a manual, have equal names, but for the stripes
    of tables.
    """
    texts, before = columns.texts, list(accumulate(columns.lengths, initial=0))
    beside: dict[tuple[int, str, str, int, int], tuple[int, Component]] = {}
    for own, parent, (first, end) in zip(elements, columns.parents, _ranges(columns), strict=True):
        length = before[end] - before[first]
        if length < MIN_DOUBLE or texts[first] not in twice or own.tag in CELLS:
            continue
        start, other = beside.setdefault((parent, own.tag, texts[first], end - first, length), (first, own))
        if _screens_differ(other, own) and texts[start : start + end - first] == texts[first:end]:
            yield from (block for block in range(first, end) if is_text[block] and is_text[start + block - first])


def _copies(columns: Columns, elements: Sequence[Component], blocks: Sequence[int]) -> list[int]:
    """Return the hidden or quoted blocks that repeat a plain block, as replies in forums do."""
    if len({columns.texts[block] for block in blocks}) == len(blocks):
        return []
    is_apart: list[bool] = []
    for element, parent in zip(elements, columns.parents, strict=True):
        is_apart.append((parent >= 0 and is_apart[parent]) or _sets_apart(element))
    among: tuple[list[int], list[int]] = [], []
    for block in blocks:
        among[is_apart[columns.elements[block]]].append(block)
    others, apart = among
    said = {columns.texts[block] for block in others}
    return [block for block in apart if columns.texts[block] in said]


def _said_again(columns: Columns, elements: Sequence[Component], blocks: Sequence[int]) -> list[int]:
    """Return the blocks that a second element repeats from a first, as a layer for printing does.

    The second element has a quarter of the text, different names, and hardly any text of its own. An excerpt, cut off
    before the end of the first, is repeated on purpose.
    """
    lengths = columns.lengths
    firsts: dict[str, int] = {}
    said = {
        block: first
        for block in blocks
        if (first := firsts.setdefault(columns.texts[block], block)) != block
        and _names_differ(columns, elements, first, block)
    }
    least = max(MIN_DOUBLE, MIN_COPY * sum([lengths[block] for block in blocks]))
    if sum([lengths[block] for block in said]) < least:
        return []  # nearly all pages
    found: list[int] = []
    end, left = 0, MAX_READINGS * len(blocks)
    for first, behind in _ranges(columns):
        inside = blocks[bisect_left(blocks, first) : bisect_left(blocks, behind)] if first >= end else ()
        left -= len(inside)
        if left < 0:
            break
        again = [block for block in inside if block in said and said[block] < first]
        length = sum([lengths[block] for block in again])
        if length < least or length < MOSTLY_COPIED * sum([lengths[block] for block in inside]):
            continue
        if not _breaks_off(columns, blocks, said[again[-1]], first):
            found += again
            end = behind
    return found


def _names_differ(columns: Columns, elements: Sequence[Component], first: int, second: int) -> bool:
    """Return True if the innermost different elements around two blocks are for different screens."""
    one, other = columns.elements[first], columns.elements[second]
    for _ in range(MAX_READINGS):
        if one == other or min(one, other) < 0:
            break
        if elements[one] != elements[other]:
            is_cell = elements[one].tag in CELLS or elements[other].tag in CELLS
            return not is_cell and _screens_differ(elements[one], elements[other])
        one, other = columns.parents[one], columns.parents[other]
    return False


def _breaks_off(columns: Columns, blocks: Sequence[int], last: int, end: int) -> bool:
    """Return True if the next block behind ``last``, before ``end``, goes on with the text of its element."""
    following = bisect_right(blocks, last)
    if following == len(blocks) or blocks[following] >= end:
        return False
    parents = [columns.parents[columns.elements[block]] for block in (last, blocks[following])]
    return parents[0] == parents[1]


@lru_cache(4096)  # elements of a page are alike
def _sets_apart(own: Component) -> bool:
    """Return True if an element hides its content, or is a quote."""
    return own.hidden or own.tag == "blockquote" or any(name[1:].lower() in HIDDEN_NAMES for name in own.names)


def _screens_differ(one: Component, other: Component) -> bool:
    """Return True if elements differ, but not as odd and even rows."""
    return one != other and not any(map(_STRIPE.search, set(one.names).symmetric_difference(other.names)))


def _ranges(columns: Columns) -> list[tuple[int, int]]:
    """Return the first block of each element, and the end of its blocks; both 0 without blocks."""
    parents = columns.parents
    firsts, ends = [0] * len(parents), [0] * len(parents)
    for block, element in enumerate(columns.elements):
        if not ends[element]:
            firsts[element] = block
        ends[element] = block + 1
    for element in range(len(parents) - 1, 0, -1):
        above = parents[element]
        if ends[element] and (firsts[element] < firsts[above] or not ends[above]):
            firsts[above] = firsts[element]
        if ends[element] > ends[above]:
            ends[above] = ends[element]
    return list(zip(firsts, ends, strict=True))


# Roles of blocks

BYLINE_LENGTH = 100  # a byline has fewer characters
TEMPLATE_SHARE = 0.5  # text on this share of pages is template in any element
_HINT = {group: 1 << number for number, group in enumerate(GROUPS)}
# Roles of dropped blocks by names of the elements around; the first match counts.
_ROLES_BY_NAME = (
    (_HINT["comment"], Role.COMMENT),
    (_HINT["caption"], Role.CAPTION),
    (_HINT["related"] | _HINT["item"], Role.RELATED),
    (_HINT["byline"], Role.BYLINE),
)
_TELLING = SHAPED | {"figure", "figcaption", "nav", "footer", "aside", "form"}  # tags with a hint for their content
_CHROME = _HINT["navigation"] | _HINT["footer"] | _HINT["sidebar"] | _HINT["social"] | _HINT["popup"]


def role_of_names(names: Iterable[str]) -> Role | None:
    """Return the role of dropped text by the names ``#id`` and ``.class`` of an element; ``None`` without a hint."""
    hints = reduce(or_, (hints_of(name[1:]) for name in names), 0)
    return None if hints & _CHROME else next((role for bits, role in _ROLES_BY_NAME if hints & bits), None)


class PathRoles:
    """Roles of blocks by paths of a site. The paths may grow."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        # Hints of names, and tags of _TELLING, along each path.
        self._known: dict[int, tuple[int, frozenset[str]]] = {}
        self._others: dict[tuple[int, bool, bool, bool], Role] = {}  # answers of :meth:`of_other`

    def of_text(self, path: int) -> Role:
        """Return the role of text on a path: main text, subtitle, table or code."""
        tag = self._paths.components[path].tag
        hints, tags = self._around(path)
        if "pre" in tags:
            return Role.CODE
        if tag in ("td", "th", "caption"):
            return Role.TABLE
        may_be = hints & _HINT["subtitle"] and tag in ("h2", "h3", "p", "div")
        return Role.SUBTITLE if may_be and self._own_hints(path) & _HINT["subtitle"] else Role.MAIN

    def of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        """Return the role of a dropped block.

        :param is_short: short enough for a byline.
        :param is_link: a link as a whole.
        :param is_inside: between text.
        """
        key = path, is_short, is_link, is_inside
        role = self._others.get(key)
        if role is None:
            role = self._others[key] = self._of_other(path, is_short=is_short, is_link=is_link, is_inside=is_inside)
        return role

    def _of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        hints, tags = self._around(path)
        if hints & _HINT["comment"] and not is_link:
            return Role.COMMENT
        if tags & {"figure", "figcaption"}:
            return Role.CAPTION
        if hints & _CHROME:
            return Role.TEMPLATE
        for bits, role in _ROLES_BY_NAME[1:]:
            if hints & bits and (role is not Role.BYLINE or is_short):
                return role
        if tags & {"nav", "footer", "aside", "form"} or not is_inside:
            return Role.TEMPLATE
        return Role.RELATED if is_link else Role.SUB

    def _around(self, path: int) -> tuple[int, frozenset[str]]:
        new = []
        while path >= 0 and path not in self._known:
            new.append(path)
            path = self._paths.parents[path]
        hints, tags = self._known.get(path, (0, frozenset()))
        for each in reversed(new):
            hints, tags = hints | self._own_hints(each), tags | (_TELLING & {self._paths.components[each].tag})
            self._known[each] = hints, tags
        return hints, tags

    def _own_hints(self, path: int) -> int:
        bits = 0
        for name in self._paths.components[path].names:
            found = hints_of(name[1:])
            # ``related`` is a hint of a sidebar too, but more telling.
            bits |= found & ~_HINT["sidebar"] if found & _HINT["related"] else found
        return bits


# Confidence

CONFIDENCE = Path(__file__).with_name("confidence.json")  # weights of the terms, made by ``training/``
FEW_PAGES = 10  # samples of fewer pages tell less
# Log-odds of an expected F1 of 98 %: a higher F1 makes no page surer, and is trusted on any path.
ENOUGH_ODDS = 4.0


expected_f1: Callable[[list[float], list[bool], Sequence[int]], float] = native("site.expected_f1")
"""Expected F1 of a page by the log-odds and characters of its blocks; 0 without text."""


class ConfidenceSigns(NamedTuple):
    """Inputs for the confidence in a page with text."""

    f1: float  # expected by the probabilities of the blocks
    similarity: float  # share of text on paths with text on learned pages
    pages: int  # learned; 0 counts as the page itself


class Terms(NamedTuple):
    """Terms of the log-odds that nine tenths of a page's words are right (F1), or weights of the terms."""

    base: float  # constant
    expected: float  # log-odds of the expected F1
    unknown: float  # gap between expected and enough odds, times the share of text on unknown paths
    few: float  # missing share of learned pages


def terms_of(signs: ConfidenceSigns) -> Terms:
    f1, similarity, pages = signs if signs.pages else ConfidenceSigns(signs.f1, 1.0, 1)
    f1 = min(0.999, max(0.001, f1))
    expected = min(ENOUGH_ODDS, math.log(f1 / (1 - f1)))
    return Terms(1.0, expected, (1 - similarity) * (ENOUGH_ODDS - expected), max(0, FEW_PAGES - pages) / FEW_PAGES)


def confidence_of(signs: ConfidenceSigns, weights: Terms | None = None) -> float:
    """Return the confidence in a page with text: the probability that nine tenths of the words are right (F1)."""
    odds = sum(map(mul, weights or confidence_weights(), terms_of(signs)))
    return round(1 / (1 + math.exp(-odds)), 3)


@cache
def confidence_weights(path: Path = CONFIDENCE) -> Terms:
    """Return the weights in a file, by default the package's. Files are read once."""
    return Terms(**json.loads(path.read_bytes())["weights"])
