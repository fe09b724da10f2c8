"""What is said of a page: its title, its kind, what it has twice, the roles of its blocks, and the confidence.

Links, amounts of text, numbers and elements tell in any language; names only where sites use the common ones. But for
what it has twice none of this decides whether a block is text.
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

# What its head says

HEADLINE = "headline"  # of JSON-LD
TITLES = ("og:title", HEADLINE, "twitter:title", "title")  # where a page names itself, the most trustworthy first
# Names of ``meta`` elements that only articles have.
ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
NAMES = 3  # of those that a ``meta`` element has; the last, of HTTP, names no title
MAX_NAMED = 1_000  # characters of a title in a head that are read, and half of those of a heading
MAX_TIMES = 3  # a page has at most this many blocks on the path of its title
# Every page that is stripped is asked for these two, which broken JSON has too: to parse it, as those do who read its
# objects (page.shown.json_in), takes twice as long.
_LD_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.)*")')
_LD_ARTICLE = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"(\w*Article|BlogPosting|LiveBlogPosting|Report)"')


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a page says."""

    # titles by name, such as ``og:title``; ``title`` is the title element
    texts: Mapping[str, str] = field(default_factory=dict)
    is_article: bool = False  # whether the page's metadata call it an article
    has_formulas: bool = False  # whether there may be formulas on the page
    has_tasks: bool = False  # whether there may be lists of tasks on it
    has_readings: bool = False  # whether there may be readings of characters on it

    @property
    def title(self) -> str:
        """The most trustworthy title, "" when there is none."""
        return next((self.texts[name] for name in TITLES if self.texts.get(name)), "")


def head_of(said: Said) -> Head:
    """What the head of a page says, by what the page says of itself."""
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
    if len(headlines) == 1:  # those of several articles are of a list
        texts[HEADLINE] = headlines.pop()
    tags = {tag for tag, _, _ in said}
    return Head(texts, is_article, "math" in tags, "input" in tags, "ruby" in tags)


def _named(text: str) -> str:
    """What a head calls its page, which nobody calls longer."""
    return " ".join(text[: 2 * MAX_NAMED].split())[:MAX_NAMED]


def _headlines(data: str) -> set[str]:
    """The headlines in JSON, broken or not."""
    found = set()
    for text in _LD_HEADLINE.findall(data):
        with suppress(ValueError):
            found.add(_named(unescape(UNWRITABLE.sub("", json.loads(text, strict=False)))))
    return found - {""}


# What it is called

MIN_AGREED = 0.5  # the share of a heading's words that the page's head or a link must have, or it of theirs, to agree
MIN_NAME = 5  # words of an article's name, at least, of which a kicker before it is told
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
MAX_CUTS = 40  # places at which a title is cut, half from each end


def _has_quotation(title: str) -> bool:
    """Return True if a title has both quotation marks of a pair, in order."""
    return any(-1 < title.find(opening) < title.rfind(closing) for opening, closing in _PAIRS)


class Cut(NamedTuple):
    """A title in two parts."""

    part: str  # the one at an end
    rest: str
    is_before: bool = False  # whether the part stands before the rest
    is_weak: bool = False  # whether what parts them is more often within names and sentences


def cuts_of(title: str) -> Iterator[Cut]:
    """Cut a title at all that may part it from the name of its site, what stands outermost first."""
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
    """The parts of a title between separators such as dashes and bars."""
    return [title[start:end] for start, end in _spans(title)]


@lru_cache(64)  # several ask for the same titles
def _spans(title: str) -> tuple[tuple[int, int], ...]:
    """Where the parts begin and end."""
    separator = _QUOTED if _has_quotation(title) else _SEPARATOR
    edges = [0, *(edge for found in separator.finditer(title) for edge in found.span()), len(title)]
    return tuple((start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if title[start:end].strip())


def of_several(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """The texts that at least two pages have, such as the names of the site and its departments."""
    counts = Counter(text for texts in pages for text in set(texts))
    return frozenset(text for text, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    """The most trustworthy of :func:`own_titles`; else, as on the home page, a title of common parts as it is; ``None``
    when the page has no title."""
    return next(iter(own_titles(head, common)), head.title) or None


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """All that the head calls this page and no other: its titles without the parts that other pages have in common with
    it at their ends, each once, the most trustworthy first."""
    titles = (without_common(title, common) for title in filter(None, map(head.texts.get, TITLES)))
    return list(dict.fromkeys(filter(None, titles)))


def without_common(title: str, common: frozenset[str]) -> str:
    """A title without parts that others have in common with it at its ends; "" for one of nothing else."""
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
    """The ends of titles that half of the pages of a site have in common, whatever parts them from the rest; and the
    ends that two pages have in common before these."""
    ends = Counter(part for title in titles for part in {cut.part for cut in cuts_of(title)})
    most = frozenset(part for part, times in ends.items() if times >= max(2, len(titles) / 2))
    if not most:
        return most
    cut = [rest for title in titles if (rest := without_common(title, most)) and rest != title]
    return most | of_several({each.part for each in cuts_of(title)} for title in cut)


def naming_texts(texts: Sequence[str], is_heading: Sequence[bool], names: Iterable[str]) -> list[int]:
    """The indices of the texts that name a page: the first heading that agrees with a name, and the first other text
    before it that is one, in upper or lower case.

    They agree where one has all words of the other, and these are half of its own: menus leave out words of a heading,
    such as ``Class`` or a number, and cards add some. Other texts must be the whole name, since short ones are part of
    many: a crumb, a date, a cell of a table.
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
    """The words of a title, in lower case; a search in much more text would hold up all threads."""
    return _WORD.findall(text[: 2 * MAX_NAMED].lower())


def _agree(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether the shorter of two texts has words of the longer one alone, and enough of them."""
    shorter, longer = sorted((words, others), key=len)
    return bool(shorter) and shorter <= longer and len(shorter) >= MIN_AGREED * len(longer)


def best_heading(headings: Sequence[str], wanted: Sequence[str], common: frozenset[str]) -> int | None:
    """The index of the ``h1`` that names the page; ``None`` where none does.

    It is one that has no other words than one of :func:`own_titles`, else the one that is most like that. A text that
    titles or headings of several pages have in common counts only in the first case.
    """
    known = []
    for index, heading in enumerate(headings):
        is_contained = any(_has_words(title, heading) for title in wanted)
        if is_contained or heading not in common:
            likeness = max((ratio(heading[: 2 * MAX_NAMED].lower(), title.lower()) for title in wanted), default=0.0)
            known.append((is_contained, likeness, -index))
    return -max(known)[2] if known else None


def agreed_title(heading: str, head: Head) -> str:
    """What a page's heading and its head agree on: mostly the heading.

    Of an article with a kicker in its heading, as ``Weather: Rain fell``, it is the end that the head calls the page;
    where only marks are missing in it, which style sheets write between its lines, it is what the head says. Parts
    behind a bar of which the head knows nothing, as in ``Rain fell | 2nd edition``, are left out.
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
    """Whether a title has all words of a text."""
    return set(_words(text)).issubset(_words(title))


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """The keys of the texts that may be a page's title: what its head calls it, whole and in parts."""
    titles = [*own_titles(head, common), *head.texts.values()]
    parts = (part for title in head.texts.values() for part in title_parts_of(title))
    texts = {" ".join(text.split()) for text in (*titles, *parts)} - {""}
    return frozenset(text_key(text) for text in texts)


# What a page is there for

LINK_SHARE = 0.4  # a list has this share of its text in links
ARTICLE_LINK_SHARE = 0.6  # or this, where metadata call it an article
TEASER_SHARE = 0.7  # or this share in teasers: links with blocks right behind them
TEASER_REACH = 2  # this many blocks behind each
MIN_TEASERS = 3  # fewer links make no list
MIN_LINK_BLOCKS = 0.2  # nor does a smaller share of blocks that are links


class KindBlock(NamedTuple):
    """A block of a page's text as far as it tells the kind of the page."""

    length: int  # its characters without white space; ``linked`` are those of them in links
    linked: int
    is_own: bool  # whether less than half of the other pages have it
    number: int  # of the block on its page


def page_kind(kept: Sequence[KindBlock], *, is_article: bool) -> PageKind:
    """What a page that is no placeholder is there for, by the blocks of its text and whether its metadata call it an
    article. A list is mostly links, or teasers: links with some text behind each."""
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


# What it has twice: for screens of two sizes, of which a browser shows one, hidden as well, or in quotes of itself

MIN_DOUBLE = 60  # characters of an element that may be the double of another one; less is a label or a price
MIN_COPY = 0.25  # share of the text that an element under another name must say again to be a copy
MOSTLY_COPIED = 0.9  # share of the text of such an element that stands before
CELLS = frozenset({"tr", "td", "th"})  # say the same as others on purpose
_STRIPE = re.compile(r"[^a-z](?:odd|even)(?![a-z])", re.IGNORECASE)


said_again: Callable[[list[str], Sequence[int], list[bool]], int] = native("site.said_again")
"""The characters of the texts that are kept and that others before them say."""


def doubles(columns: Columns, paths: Sequence[int], components: Sequence[Component], is_text: list[bool]) -> list[int]:
    """The numbers of the blocks of text that say again what others of the text say, for another screen, hidden or in a
    quote; only what is text in both places counts. Elements are on these paths, each with its last component."""
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
    """Whether texts that the page has twice stand behind each other, with as much text as an element must have."""
    length = 0
    for text, own in zip(columns.texts, columns.lengths, strict=True):
        length = length + own if text in twice else 0
        if length >= MIN_DOUBLE:
            return True
    return False


def _seconds(
    columns: Columns, elements: Sequence[Component], is_text: Sequence[bool], twice: Container[str]
) -> Iterator[int]:
    """The numbers of the blocks in the second of two elements for different screens.

    Such elements stand beside each other, have the same tag and the same text, and other names: ``d-none d-md-block``
    and ``d-md-none``, ``hero-mobile`` and ``hero``. What is repeated on purpose, as a note in a manual, has the same
    names, but for the stripes of tables.
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
    """Those of some blocks that are hidden, or in a quote, as replies in forums have it, and say what others say that
    are neither."""
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
    """Return those of some blocks that a second element has from a first one, as a layer for printing does.

    The second element has a quarter of the text, under other names, and hardly any text of its own. An excerpt, which
    breaks off before the first one does, is said again on purpose.
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
    end = 0
    for first, behind in _ranges(columns):
        inside = blocks[bisect_left(blocks, first) : bisect_left(blocks, behind)] if first >= end else ()
        again = [block for block in inside if block in said and said[block] < first]
        length = sum([lengths[block] for block in again])
        if length < least or length < MOSTLY_COPIED * sum([lengths[block] for block in inside]):
            continue
        if not _breaks_off(columns, blocks, said[again[-1]], first):
            found += again
            end = behind
    return found


def _names_differ(columns: Columns, elements: Sequence[Component], first: int, second: int) -> bool:
    """Tell whether two blocks stand in elements for different screens, by the innermost that are not alike."""
    one, other = columns.elements[first], columns.elements[second]
    while one != other:
        if elements[one] != elements[other]:
            is_cell = elements[one].tag in CELLS or elements[other].tag in CELLS
            return not is_cell and _screens_differ(elements[one], elements[other])
        one, other = columns.parents[one], columns.parents[other]
    return False


def _breaks_off(columns: Columns, blocks: Sequence[int], last: int, end: int) -> bool:
    """Tell whether the next block behind one, before an end, goes on with the text of its element."""
    following = bisect_right(blocks, last)
    if following == len(blocks) or blocks[following] >= end:
        return False
    parents = [columns.parents[columns.elements[block]] for block in (last, blocks[following])]
    return parents[0] == parents[1]


@lru_cache(4096)  # the elements of a page are alike
def _sets_apart(own: Component) -> bool:
    """Whether an element hides what is in it, or is a quote."""
    return own.hidden or own.tag == "blockquote" or any(name[1:].lower() in HIDDEN_NAMES for name in own.names)


def _screens_differ(one: Component, other: Component) -> bool:
    """Whether elements differ, and not in being odd and even rows."""
    return one != other and not any(map(_STRIPE.search, set(one.names).symmetric_difference(other.names)))


def _ranges(columns: Columns) -> list[tuple[int, int]]:
    """For each element the number of the first block in it, and of the one behind its last; both 0 without any."""
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


# What a block is on its page: which kind of text, or why it is none

BYLINE_LENGTH = 100  # a byline has fewer characters
TEMPLATE_SHARE = 0.5  # text on this share of the other pages is template in any element
_HINT = {group: 1 << number for number, group in enumerate(GROUPS)}
# What blocks that are no text are by the names of the elements around them; the first that holds.
_ROLES_BY_NAME = (
    (_HINT["comment"], Role.COMMENT),
    (_HINT["caption"], Role.CAPTION),
    (_HINT["related"] | _HINT["item"], Role.RELATED),
    (_HINT["byline"], Role.BYLINE),
)
_TELLING = SHAPED | {"figure", "figcaption", "nav", "footer", "aside", "form"}  # of what is in them
_CHROME = _HINT["navigation"] | _HINT["footer"] | _HINT["sidebar"] | _HINT["social"] | _HINT["popup"]


def role_of_names(names: Iterable[str]) -> Role | None:
    """The role of dropped text by the names, ``#id`` and ``.class``, of one element; ``None`` if they hint at none."""
    hints = reduce(or_, (hints_of(name[1:]) for name in names), 0)
    return None if hints & _CHROME else next((role for bits, role in _ROLES_BY_NAME if hints & bits), None)


class PathRoles:
    """The roles that blocks have by the paths of a site that they stand on; the paths may grow."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        # For each path what names on it hint at, and those of _TELLING that it leads through.
        self._known: dict[int, tuple[int, frozenset[str]]] = {}
        self._others: dict[tuple[int, bool, bool, bool], Role] = {}  # what :meth:`of_other` has said

    def of_text(self, path: int) -> Role:
        """The role of text on a path: main text, subtitle, a table's cell or code."""
        tag = self._paths.components[path].tag
        hints, tags = self._around(path)
        if "pre" in tags:
            return Role.CODE
        if tag in ("td", "th", "caption"):
            return Role.TABLE
        may_be = hints & _HINT["subtitle"] and tag in ("h2", "h3", "p", "div")
        return Role.SUBTITLE if may_be and self._own_hints(path) & _HINT["subtitle"] else Role.MAIN

    def of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        """The role of a block that is no text, and may be short enough for a byline, a link as a whole, or between
        text."""
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
            # ``related`` hints at both, and says what it is.
            bits |= found & ~_HINT["sidebar"] if found & _HINT["related"] else found
        return bits


# How sure it is that a page was stripped well

CONFIDENCE = Path(__file__).with_name("confidence.json")  # the weights of the terms; ``training/`` makes it
FEW_PAGES = 10  # samples of fewer pages tell less
# Log-odds of an expected F1 (98 %): more makes no page surer, and is trusted wherever its text stands.
ENOUGH_ODDS = 4.0


expected_f1: Callable[[list[float], list[bool], Sequence[int]], float] = native("site.expected_f1")
"""The F1 to expect of a page by its blocks' log-odds to be text, and their characters; 0 without text."""


class ConfidenceSigns(NamedTuple):
    """What the confidence in a page with text goes by."""

    f1: float  # to expect by the probabilities of its blocks
    similarity: float  # the share of its text that stands where learned pages had text
    pages: int  # how many pages were learned; without any it is as with the page itself


class Terms(NamedTuple):
    """The terms that make up the log-odds that nine tenths of a page's words are right (F1), or their weights."""

    base: float  # the same for all pages
    expected: float  # the log-odds of the F1 to expect
    unknown: float  # how far these are from enough, as much as text stands where no learned page had any
    few: float  # the share of learned pages that are missing


def terms_of(signs: ConfidenceSigns) -> Terms:
    """The terms for a page."""
    f1, similarity, pages = signs if signs.pages else ConfidenceSigns(signs.f1, 1.0, 1)
    f1 = min(0.999, max(0.001, f1))
    expected = min(ENOUGH_ODDS, math.log(f1 / (1 - f1)))
    return Terms(1.0, expected, (1 - similarity) * (ENOUGH_ODDS - expected), max(0, FEW_PAGES - pages) / FEW_PAGES)


def confidence_of(signs: ConfidenceSigns, weights: Terms | None = None) -> float:
    """The confidence in a page with text, from 0 to 1: how likely at least nine tenths of its words are right (F1)."""
    odds = sum(map(mul, weights or confidence_weights(), terms_of(signs)))
    return round(1 / (1 + math.exp(-odds)), 3)


@cache
def confidence_weights(path: Path = CONFIDENCE) -> Terms:
    """The weights of the terms in a file, by default those of this package; each file is read once."""
    return Terms(**json.loads(path.read_bytes())["weights"])
