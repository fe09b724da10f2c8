"""Choice of a crawl's sample pages: several layouts and kinds, no placeholders; and when a sample is ready.

A crawl meets pages close to its start first: lists, a calendar, or one section. A sample of the first pages would miss
the articles.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.learners.rules.decide.placeholders import Outline, facts_about
from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS, Signatures, body_of
from scrapy_stemmer.learners.rules.site.paths import looks_lasting, name_key, names_of
from scrapy_stemmer.learners.rules.site.reading import read_page
from scrapy_stemmer.learners.rules.site.roles import TEASER_REACH, TEASER_SHARE
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.shown import head_of, metadata_in

MIN_TEXT = 200  # characters of running text, in one element outside links, on content pages
LAYOUT_SHARE = 0.6  # share of one layout of content; twelve pages of twenty suffice
LIST_LAYOUT_SHARE, LISTS_SHARE = 0.2, 0.4  # share of one layout of lists, and of all lists
PATIENCE = 1.5  # in samples of pages: search for more layouts before learning from enough content
ENOUGH_CONTENT = 0.5  # share of a sample that is enough content
LONG_PATIENCE = 5  # in samples of pages: search for content before learning from lists alone
RUNNING = 40  # characters of a block of running text, outside links
PLACEHOLDERS = (PageKind.ERROR, PageKind.CONSENT)  # kinds excluded from samples

_DIGITS = re.compile(r"\d+")


class PageLook(NamedTuple):
    """Kind and layout of a page, for the choice of a sample. Values don't depend on the process."""

    kind: PageKind  # error and consent for placeholders, list without running text
    layout: int  # key of the element with most of its text

    def __str__(self) -> str:
        return f"{self.kind} {self.layout}"

    @classmethod
    def read(cls, text: str) -> PageLook:
        """Parse a written look; an unreadable look is content without a layout."""
        kind, layout = text.split() or (PageKind.CONTENT, 0)
        return cls(PageKind(kind), int(layout))


def look_of(url: str, root: etree._Element) -> PageLook:
    signatures = Signatures()
    columns = read_page(body_of(root), signatures)
    page = Outline(url, head_of(metadata_in(root)), columns, signatures)
    facts = facts_about(page, range(len(page.plain)))
    layout, kind = _layout_of(page)
    return PageLook(facts.kind if facts else kind, layout)


def _layout_of(page: Outline) -> tuple[int, PageKind]:
    """Return the key of the path around most running text of a page, and its kind."""
    columns, paths = page.columns, _path_keys(page)
    text: Counter[int] = Counter()
    teasers: Counter[int] = Counter()
    reach = 0
    for element, plain, linked in zip(columns.elements, page.plain, columns.linked, strict=True):
        reach = TEASER_REACH + 1 if linked > MOSTLY_LINKS * (plain + linked) else reach - 1
        if plain >= RUNNING:
            path = paths[max(0, columns.parents[element])]
            text[path] += plain
            teasers[path] += plain if reach > 0 else 0
    layout = max(text, key=lambda path: (text[path], path), default=0)
    is_content = text[layout] >= MIN_TEXT and teasers[layout] < TEASER_SHARE * text[layout]
    return layout, PageKind.CONTENT if is_content else PageKind.LIST


def _path_keys(page: Outline) -> list[int]:
    names = [
        sorted(_DIGITS.sub("", name) for name in names_of(each) if looks_lasting(name)) for each in page.signatures
    ]
    components = [" ".join((each.tag, *of)) for each, of in zip(page.signatures, names, strict=True)]
    keys: list[int] = []
    for number, parent in zip(page.columns.signatures, page.columns.parents, strict=True):
        keys.append(name_key(components[number], keys[parent]) if parent >= 0 else 0)
    return keys


class SampleChoice:
    """The choice of sample pages in order of the crawl: no placeholders, and a limited share for each layout."""

    def __init__(self, size: int, taken: Iterable[PageLook] = ()) -> None:
        self.size = size
        self.taken: Counter[tuple[PageKind, int]] = Counter((look.kind, look.layout) for look in taken)
        self.seen = sum(self.taken.values())  # pages offered, without placeholders

    def wants(self, look: PageLook) -> bool:
        """Return True if the sample has room for a page; call :meth:`take` when it is stored."""
        if look.kind in PLACEHOLDERS:
            return False
        self.seen += 1
        count, lists = self.taken[look.kind, look.layout], self._count(PageKind.LIST)
        if self.is_ready:
            return False
        if look.kind is PageKind.CONTENT:
            return count < math.ceil(LAYOUT_SHARE * self.size)
        return count < math.ceil(LIST_LAYOUT_SHARE * self.size) and lists < math.ceil(LISTS_SHARE * self.size)

    def take(self, look: PageLook) -> None:
        self.taken[look.kind, look.layout] += 1

    @property
    def is_ready(self) -> bool:
        """True if the sample is full, or nothing missing has come for long."""
        if sum(self.taken.values()) >= self.size:
            return True
        has_enough = self._count(PageKind.CONTENT) >= ENOUGH_CONTENT * self.size
        return self.seen >= (PATIENCE if has_enough else LONG_PATIENCE) * self.size

    def _count(self, kind: PageKind) -> int:
        return sum(count for (each, _), count in self.taken.items() if each is kind)
