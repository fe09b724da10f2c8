"""Boxes added after a site was learned: kept running text that returns on later pages at a new place.

Writers copy text too, but to places of varying text: a place with text of learned pages, or with many texts, is no
evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scrapy_stemmer.learners.rules.decide.page import RulesPage
from scrapy_stemmer.learners.rules.decide.scorer import measures_of
from scrapy_stemmer.learners.rules.returning.content import ContentPage
from scrapy_stemmer.learners.rules.returning.places import MIN_PAGES, WEAKLY
from scrapy_stemmer.learners.rules.returning.template import MAX_ON_PATH
from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.learners.rules.site.known_texts import ReturningText, returning_key
from scrapy_stemmer.learners.rules.site.paths import MASK
from scrapy_stemmer.learners.rules.site.site import Knowledge, PlacedPage, end_key
from scrapy_stemmer.patterns.base import Labels

ON_SOME = WEAKLY  # share of later pages with a template: a box may have variants
MAX_SEEN = 0.5  # share of a page's running text on earlier pages above which the page may be a copy
LEAST_PAGES = 20  # pages since the first with a text before the text is judged
ALL_PAGES = 60  # first pages of a site, all counted
COUNTED_EVERY = 8  # interval between counted pages after the first
PRUNED_AFTER = 5  # pages after which rare texts are forgotten
MAX_COUNTS = 500  # most texts counted of a site at a time
MAX_PLACES = 200  # most places of a site with texts told apart
MAX_OF_PAGE = 100  # most texts of a page


class LaterText(NamedTuple):
    """A kept running text of a page."""

    key: int
    end: int  # key of the last two components of the path


def content_of(page: PlacedPage, kept: Sequence[int]) -> ContentPage:
    """Return the content of a page for judging its running texts.

    :param kept: numbers of the kept blocks.
    """
    columns = page.columns
    keys: list[int | None] = [None] * len(columns.texts)
    letters = [0] * len(keys)
    measured = measures_of(columns)
    for block in kept:
        keys[block], letters[block] = int(measured["key"][block]), int(measured["length"][block])
    return ContentPage(columns, page.site.paths, keys, letters)


def running_texts(page: PlacedPage, content: ContentPage) -> dict[LaterText, int]:
    """Return the first block of each running text."""
    blocks = [block for block in content.blocks if content.is_prose(block)][:MAX_OF_PAGE]
    texts, paths, own = page.columns.texts, page.site.paths, page.columns.block_paths
    return {LaterText(returning_key(texts[block]), end_key(paths, own[block])): block for block in reversed(blocks)}


class _Count:
    """The number of counted pages with a text, and the number of the first."""

    __slots__ = ("first", "times")

    def __init__(self, first: int) -> None:
        self.first, self.times = first, 0


class NewBoxes:
    """Counts of the running texts kept by a site's pattern on later pages, in bounded memory.

    A text is template on :data:`ON_SOME` of at least :data:`LEAST_PAGES` pages since the first, at a place without
    kept text in the sample, and with few texts since. Texts that returned in the sample were judged in the sample.
    Pages with a known title, or with mostly known text, are not counted.

    :param known: the knowledge of the site's pattern.
    """

    def __init__(self, known: Knowledge) -> None:
        returned = max(MIN_PAGES, ON_SOME * known.pages)
        self._judged = {key for key, times in known.texts.items() if times >= returned}
        self._dismissed, self._written = known.dismissed, known.ends
        self.found: list[ReturningText] = []
        self._seen = self._pages = 0
        self._counts: dict[LaterText, _Count] = {}
        self._judged_here: set[LaterText] = set()  # found, or kept by their elements
        self._at: dict[int, set[int] | None] = {}  # texts of each place; None for many
        self._titles: dict[int, None] = {}  # keys of the titles of the last pages

    def add(self, labels: Labels) -> list[str]:
        """See :meth:`PageCounter.add`."""
        if not isinstance(labels, RulesPage) or not labels.fits or not self._wants_page():
            return []
        found = self._add(labels.placed, labels.decisions.verdicts.kept)
        self.found += found
        return [line.text for line in found]

    def _wants_page(self) -> bool:
        """Return True if the next page is to be counted: all at first, then some."""
        self._seen += 1
        return self._seen <= ALL_PAGES or self._seen % COUNTED_EVERY == 0

    def _add(self, page: PlacedPage, kept: Sequence[int]) -> list[ReturningText]:
        content = content_of(page, kept)
        texts = running_texts(page, content)
        if self._is_copy(page.shown.head.title, content, texts):
            return []
        self._pages += 1
        for text in texts.keys() - self._judged_here:
            self._tell_apart(text)
            if text in self._counts or len(self._counts) < MAX_COUNTS:
                self._counts.setdefault(text, _Count(self._pages)).times += 1
        ripe = [text for text in texts if self._is_template(text)]
        found = [self._line(page, texts[at], self._counts[at]) for at in ripe if self._is_eligible(content, texts[at])]
        for text in ripe:
            del self._counts[text]
        if len(self._judged_here) < MAX_COUNTS:
            self._judged_here.update(ripe)
        if self._pages % PRUNED_AFTER == 0:
            self._prune()
        return found

    def _is_copy(self, title: str, content: ContentPage, texts: Mapping[LaterText, int]) -> bool:
        """Return True if a page may be an earlier page at a new address, or with further text."""
        lengths = {text: content.lengths[block] for text, block in texts.items()}
        seen = sum(length for text, length in lengths.items() if text in self._counts)
        is_titled, key = title != "", text_key(title)
        if seen > MAX_SEEN * sum(lengths.values()) or (is_titled and key in self._titles):
            return True
        if is_titled:
            self._titles[key] = None
        if len(self._titles) > MAX_COUNTS:
            del self._titles[next(iter(self._titles))]
        return False

    def _tell_apart(self, text: LaterText) -> None:
        if text.end in self._at or len(self._at) < MAX_PLACES:
            keys = self._at.setdefault(text.end, set())
            if keys is not None:
                keys.add(text.key)
                if len(keys) > MAX_ON_PATH:
                    self._at[text.end] = None

    def _is_template(self, text: LaterText) -> bool:
        count = self._counts.get(text)
        since = 0 if count is None else self._pages - count.first + 1
        if count is None or since < LEAST_PAGES or text.end in self._written or not self._at.get(text.end):
            return False
        return count.times >= ON_SOME * since

    def _is_eligible(self, content: ContentPage, block: int) -> bool:
        """Return True for text unjudged in the sample, and no quotation, code, data or list item."""
        text, element = content.texts[block], content.columns.elements[block]
        if text_key(text) & MASK in self._judged or returning_key(text) & MASK in self._dismissed:
            return False
        if content.is_quotation(block) or content.is_exempt(block):
            return False
        return not (content.is_item(element) or content.is_item(content.columns.parents[element]))

    def _line(self, page: PlacedPage, block: int, count: _Count) -> ReturningText:
        within = page.site.paths.end_selector(page.columns.block_paths[block])
        return ReturningText(page.columns.texts[block], within, count.times, self._pages - count.first + 1)

    def _prune(self) -> None:
        self._counts = {
            at: count
            for at, count in self._counts.items()
            if (since := self._pages - count.first + 1) < PRUNED_AFTER or count.times > ON_SOME / 2 * since
        }
