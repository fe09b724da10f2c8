"""What is said of a page that was stripped: its kind, the roles of its blocks, and the confidence.

Links, amounts of text, numbers and elements tell in any language; names only where sites use the common ones. None of
this decides whether a block is text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scrapy_stemmer.core.blocks import PageKind, Role
from scrapy_stemmer.learners.rules.hints import GROUPS, hints_of
from scrapy_stemmer.learners.rules.paths import Paths
from scrapy_stemmer.learners.rules.read_py import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.titles import Head, parts_of

# What a page is there for

LINK_SHARE = 0.4
"""A page with this share of its text in links is a list."""

ARTICLE_LINK_SHARE = 0.6
"""The same where metadata call the page an article."""

TEASER_SHARE = 0.7
"""So is one with this share of its text in teasers: links, and what stands right behind them."""

MIN_TEASERS = 3
"""But one or two links make no list."""

MIN_LINK_BLOCKS = 0.2
"""Of the blocks of a list at least so many are links."""

TEASER_REACH = 2
"""A teaser is a link and so many blocks behind it."""

LITTLE = 300
"""A page of errors or of consent has less text than this outside links; about fifty words."""

ERRORS = frozenset({403, 404, 410, 502, 503})
"""The states of HTTP that such pages name; others, such as 500, count where nothing stands beside them."""

_NUMBER = re.compile(r"^\W*(?:\w+\W+)?(\d{3})(?!\d)|(?<!\d)(\d{3})\W{0,3}$")
_ERROR_NAME = re.compile(r"error-?_?(?:404|page)|(?:404|page)-?_?error|page-?_?404|not-?_?found", re.IGNORECASE)
_CONSENT_NAME = re.compile("consent|gdpr|cookie", re.IGNORECASE)


class KindBlock(NamedTuple):
    """A block of a page's text as far as it tells the kind of the page.

    :param length: its characters without white space.
    :param linked: those of them that stand in links.
    :param is_own: whether less than half of the other pages have it.
    :param number: of the block on its page.
    """

    length: int
    linked: int
    is_own: bool
    number: int

    @property
    def is_link(self) -> bool:
        """Whether it is a link as a whole."""
        return self.linked > MOSTLY_LINKS * self.length


Names = Callable[[int], Sequence[str]]
"""Gives the identifiers and class names of the elements around the block of a number."""


def kind_of(head: Head, kept: Sequence[KindBlock], headlines: Callable[[], Sequence[str]], names: Names) -> PageKind:
    """What a page is there for.

    :param kept: the blocks of its text.
    :param headlines: gives its main headings; they count, as names do, where there is little text.
    """
    own = [block for block in kept if block.is_own]
    plain = sum(block.length - block.linked for block in own)
    if plain < LITTLE and not head.is_article:
        if _is_error(head, kept, headlines(), names):
            return PageKind.ERROR
        if _asks_consent(own, names):
            return PageKind.CONSENT
    return PageKind.LIST if _is_list(kept, own, head.is_article) else PageKind.CONTENT


def _is_error(head: Head, kept: Sequence[KindBlock], headlines: Sequence[str], names: Names) -> bool:
    """Whether a page's title or headline names an error of HTTP, or the names around its text tell of one."""
    if any(_names_error(part) for text in (head.title, *headlines) for part in parts_of(text)):
        return True
    return any(_ERROR_NAME.search(name) for block in kept for name in names(block.number))


def _names_error(part: str) -> bool:
    """Whether a part of a title begins or ends with the number of an error, maybe behind a word."""
    if part.isdecimal() and 400 <= int(part) < 600:
        return True
    found = _NUMBER.search(part)
    return found is not None and int(found[1] or found[2]) in ERRORS


def _asks_consent(own: Sequence[KindBlock], names: Names) -> bool:
    """Whether most of a page's text stands in elements that are named after consent."""
    total = sum(block.length for block in own)
    asked = sum(block.length for block in own if any(map(_CONSENT_NAME.search, names(block.number))))
    return asked > 0.5 * total


def _is_list(kept: Sequence[KindBlock], own: Sequence[KindBlock], is_article: bool) -> bool:
    """Whether a page is mostly links, or teasers: links with some text behind each."""
    total = sum(block.length for block in own)
    if not total:
        return False
    if sum(block.linked for block in own) >= (ARTICLE_LINK_SHARE if is_article else LINK_SHARE) * total:
        return True
    links = sum(block.is_link for block in own)
    if is_article or links < max(MIN_TEASERS, MIN_LINK_BLOCKS * len(own)):
        return False
    return _teaser_length(kept) >= TEASER_SHARE * total


def _teaser_length(kept: Sequence[KindBlock]) -> int:
    """The length of a page's own blocks that are links, or stand right behind one."""
    length = reach = 0
    for block in kept:
        reach = TEASER_REACH + 1 if block.is_link else reach - 1
        if reach > 0 and block.is_own:
            length += block.length
    return length


# What a block is on its page: which kind of text, or why it is none

LONG = 100
"""Characters of a block that is no byline."""

OFTEN = 0.5
"""Text on this share of the other pages is template, whatever it is called."""

_HINT = {group: 1 << number for number, group in enumerate(GROUPS)}

_ROLES_BY_NAME = (
    (_HINT["comment"], Role.COMMENT),
    (_HINT["caption"], Role.CAPTION),
    (_HINT["related"] | _HINT["item"], Role.RELATED),
    (_HINT["byline"], Role.BYLINE),
)
"""What blocks that are no text are by the names of the elements around them; the first that holds."""

_TELLING = frozenset({"figure", "figcaption", "nav", "footer", "aside", "form", "pre"})
"""Elements that tell what a block in them is there for."""

_CHROME = _HINT["navigation"] | _HINT["footer"] | _HINT["sidebar"] | _HINT["social"] | _HINT["popup"]


def role_of_names(names: Iterable[str]) -> Role | None:
    """The role of dropped text by the names of one element; ``None`` where they hint at none.

    :param names: as ``#id`` and ``.class``.
    """
    hints = 0
    for name in names:
        hints |= hints_of(name[1:])
    if hints & _CHROME:
        return None
    return next((role for bits, role in _ROLES_BY_NAME if hints & bits), None)


class PathRoles:
    """The roles that blocks have by the paths that they stand on; worked out when first asked for.

    :param paths: of a site; they may grow.
    """

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._of_text: dict[int, Role] = {}
        self._of_other: dict[tuple[int, bool, bool, bool], Role] = {}
        self._hints: dict[int, int] = {-1: 0}
        self._tags: dict[int, frozenset[str]] = {-1: frozenset()}

    def of_text(self, path: int) -> Role:
        """The role of text on a path: main text, subtitle, a table's cell or code."""
        found = self._of_text.get(path)
        if found is None:
            found = self._of_text[path] = self._text_role(path)
        return found

    def of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        """The role of a block that is no text.

        :param is_short: whether it is short enough for a byline.
        :param is_link: whether it is a link as a whole.
        :param is_inside: whether it stands between blocks of text.
        """
        key = (path, is_short, is_link, is_inside)
        found = self._of_other.get(key)
        if found is None:
            found = self._of_other[key] = self._other_role(path, is_short, is_link, is_inside)
        return found

    def _other_role(self, path: int, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        hints = self._hints_of(path)
        tags = self._tags_of(path)
        if hints & _ROLES_BY_NAME[0][0] and not is_link:
            return Role.COMMENT
        if tags & {"figure", "figcaption"}:
            return Role.CAPTION
        for bits, role in _ROLES_BY_NAME[1:]:
            if hints & bits and not (role is Role.BYLINE and not is_short) and not hints & _CHROME:
                return role
        if tags & {"nav", "footer", "aside", "form"} or hints & _CHROME:
            return Role.TEMPLATE
        if is_inside:
            return Role.RELATED if is_link else Role.SUB
        return Role.TEMPLATE

    def _text_role(self, path: int) -> Role:
        tag = self._paths.components[path].tag
        if "pre" in self._tags_of(path):
            return Role.CODE
        if tag in ("td", "th", "caption"):
            return Role.TABLE
        if self._hints_of(path) & _HINT["subtitle"] and tag in ("h2", "h3", "p", "div"):
            return Role.SUBTITLE if _HINT["subtitle"] & self._own_hints(path) else Role.MAIN
        return Role.MAIN

    def _hints_of(self, path: int) -> int:
        new = []
        while path not in self._hints:
            new.append(path)
            path = self._paths.parents[path]
        found = self._hints[path]
        for each in reversed(new):
            found = self._hints[each] = found | self._own_hints(each)
        return found

    def _own_hints(self, path: int) -> int:
        bits = 0
        for name in self._paths.components[path].names:
            found = hints_of(name[1:])
            # ``related`` hints at both, and says what it is.
            bits |= found & ~_HINT["sidebar"] if found & _HINT["related"] else found
        return bits

    def _tags_of(self, path: int) -> frozenset[str]:
        """Those of :data:`_TELLING` that a path leads through."""
        new = []
        while path not in self._tags:
            new.append(path)
            path = self._paths.parents[path]
        found = self._tags[path]
        for each in reversed(new):
            tag = self._paths.components[each].tag
            found = self._tags[each] = found | {tag} if tag in _TELLING else found
        return found


# How sure it is that a page was stripped well

FEW_PAGES = 5
"""Samples of fewer pages tell less."""


LEAST_EXPECTED = 1.5
"""Log-odds of the expected F1 that lower ones count as: rules go by all learned pages, and are surer than blocks."""

ENOUGH = 4.0
"""Log-odds of an expected F1 (98 %) that is trusted on a page however unlike the learned ones."""


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """What counts for the log-odds that at least nine tenths of the words are right (F1).

    Fitted by logistic regression, a site counting by the root of its pages, on 1,311 pages of the two thirds of the
    sites used for development, with scorers that were not trained on them (five folds).

    :param base: of a page of which nothing else is known.
    :param expected: times the log-odds of the F1 that the probabilities of the blocks let expect.
    :param unlike: times the share of the text that stands where no learned page had text, and times how far the
        log-odds fall short of :data:`ENOUGH`.
    :param few_pages: times how many pages the sample falls short of :data:`FEW_PAGES`, as a share of them.
    """

    base: float = -1.4
    expected: float = 1.4
    unlike: float = -1.2
    few_pages: float = -1.0


WEIGHTS = ConfidenceWeights()


def expected_f1(odds: Sequence[float], is_text: Sequence[bool], lengths: Sequence[int]) -> float:
    """The F1 to expect of a page by the probabilities of its blocks; 0 without text."""
    right = wrong = missed = 0.0
    for odd, kept, length in zip(odds, is_text, lengths, strict=True):
        probability = 1 / (1 + math.exp(-odd))
        if kept:
            right += probability * length
            wrong += (1 - probability) * length
        else:
            missed += probability * length
    return 2 * right / (2 * right + wrong + missed) if right else 0.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the confidence in a page is made of; see :class:`ConfidenceWeights`.

    :param expected: log-odds of the expected F1.
    :param unlike: the share of the text that stands where no learned page had text.
    """

    expected: float
    unlike: float
    few_pages: float


def evidence_of(
    odds: Sequence[float], is_text: Sequence[bool], lengths: Sequence[int], similarity: float, pages: int
) -> Evidence | None:
    """What tells how well a page was stripped; ``None`` for a page without text.

    :param odds: for each block the log-odds that it is text.
    :param lengths: for each block its characters.
    :param pages: how many pages were learned.
    """
    if not any(is_text):
        return None
    f1 = min(0.999, max(0.001, expected_f1(odds, is_text, lengths)))
    return Evidence(
        expected=math.log(f1 / (1 - f1)),
        unlike=1 - similarity,
        few_pages=max(0, FEW_PAGES - pages) / FEW_PAGES,
    )


def confidence_of(found: Evidence | None, weights: ConfidenceWeights = WEIGHTS) -> float:
    """The confidence in a page, from 0 to 1; 0 for a page without text."""
    if found is None:
        return 0.0
    odds = (
        weights.base
        + weights.expected * max(LEAST_EXPECTED, found.expected)
        + weights.unlike * found.unlike * max(0.0, ENOUGH - found.expected)
        + weights.few_pages * found.few_pages
    )
    return round(1 / (1 + math.exp(-odds)), 3)
