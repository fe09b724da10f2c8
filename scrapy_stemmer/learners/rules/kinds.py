"""What a page is there for: its own content, links to other pages, an error, a question for consent.

Crawls meet all of them. What counts are links, amounts of text and numbers, so that it works in any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scrapy_stemmer.core.labels import PageKind
from scrapy_stemmer.learners.rules.head import Head
from scrapy_stemmer.learners.rules.roles import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.titles import parts_of

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
