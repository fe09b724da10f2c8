"""Which pages of a site make a good sample: of several layouts and kinds, and no placeholders.

A crawl meets what its start page leads to: lists first, or a calendar, or one section. A sample of the first pages
would be of these alone, and nothing would be learned of the articles that follow.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, Signatures, body_of
from scrapy_stemmer.learners.rules.paths import looks_lasting, name_key, names_of
from scrapy_stemmer.learners.rules.placeholders import facts_about
from scrapy_stemmer.learners.rules.roles import TEASER_REACH, TEASER_SHARE, head_of
from scrapy_stemmer.learners.rules.sample_pages import read
from scrapy_stemmer.learners.rules.site import Outline
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.shown import said_in

MIN_TEXT = 200  # characters of running text outside links in one element that make a page content rather than a list
LAYOUT_SHARE = 0.6  # one layout of content has at most this share of a sample: of twenty pages twelve, which is enough
LIST_LAYOUT_SHARE, LISTS_SHARE = 0.2, 0.4  # one layout of lists has at most the one, all lists together the other
PATIENCE = (
    1.5  # this many samples of pages are looked at for other layouts before one with enough content is learned of
)
ENOUGH_CONTENT = 0.5  # this share of a sample is enough content for that
LONG_PATIENCE = 5  # this many samples of pages are looked at before a site is taken to have nothing but lists
RUNNING = 40  # blocks of at least this many characters outside links are running text
PLACEHOLDERS = (PageKind.ERROR, PageKind.CONSENT)  # kinds that no sample takes

_DIGITS = re.compile(r"\d+")


class PageLook(NamedTuple):
    """What a page looks like, as far as samples go by it. The numbers are the same in every process."""

    kind: PageKind  # placeholders are of the kinds error and consent; what is no running text counts as a list
    layout: int  # of the element that holds most of its text

    def __str__(self) -> str:
        return f"{self.kind} {self.layout}"

    @classmethod
    def read(cls, text: str) -> PageLook:
        """The look that was written as a text; that of content of no layout for none."""
        kind, layout = text.split() or (PageKind.CONTENT, 0)
        return cls(PageKind(kind), int(layout))


def look_of(url: str, root: etree._Element) -> PageLook:
    """What a page looks like; it takes the time of reading the page once. Its tree is not changed."""
    signatures = Signatures()
    columns = read(body_of(root), signatures)
    page = Outline(url, head_of(said_in(root)), columns, list(signatures))
    facts = facts_about(page, range(len(page.plain)))
    layout, kind = _layout_of(page)
    return PageLook(facts.kind if facts else kind, layout)


def _layout_of(page: Outline) -> tuple[int, PageKind]:
    """The key of the path right around most running text of a page, and whether that makes it content."""
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
    """For each element a key of its tag and lasting names, and of those around it; the body's names don't count."""
    names = [
        sorted(_DIGITS.sub("", name) for name in names_of(each) if looks_lasting(name)) for each in page.signatures
    ]
    components = [" ".join((each.tag, *of)) for each, of in zip(page.signatures, names, strict=True)]
    keys: list[int] = []
    for number, parent in zip(page.columns.signatures, page.columns.parents, strict=True):
        keys.append(name_key(components[number], keys[parent]) if parent >= 0 else 0)
    return keys


class SampleChoice:
    """Decides, page by page as a crawl meets them, which pages of a site its sample takes: never placeholders, and no
    layout takes the room of others. What was taken is all that it knows, so that the choice of a resumed crawl is made
    of the looks of the pages that its sample has."""

    def __init__(self, size: int, taken: Iterable[PageLook] = ()) -> None:
        self.size = size  # pages of a full sample
        self.taken: Counter[tuple[PageKind, int]] = Counter((look.kind, look.layout) for look in taken)
        self.seen = sum(self.taken.values())  # pages that were offered, without placeholders

    def wants(self, look: PageLook) -> bool:
        """Whether the sample has room for a page of this look; :meth:`take` is to be called when it is put there."""
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
        """Note that a page has been put into the sample."""
        self.taken[look.kind, look.layout] += 1

    @property
    def is_ready(self) -> bool:
        """Whether the site is to be learned now: the sample is full, or what it lacks has not come for long."""
        if sum(self.taken.values()) >= self.size:
            return True
        has_enough = self._count(PageKind.CONTENT) >= ENOUGH_CONTENT * self.size
        return self.seen >= (PATIENCE if has_enough else LONG_PATIENCE) * self.size

    def _count(self, kind: PageKind) -> int:
        return sum(count for (each, _), count in self.taken.items() if each is kind)
