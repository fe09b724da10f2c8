"""Counts of the texts of a sample's content: how many pages have each, how often, and how it is scored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import ceil

from scrapy_stemmer.learners.rules.features import Floats
from scrapy_stemmer.learners.rules.returning.content import ContentPage

MIN_PAGES = 3  # pages that have a returning text, at least
OFTEN = 0.5  # share of the pages that have a text that returns often
SMALL = 8  # samples of fewer pages tell less: short texts need a larger share of them
OFTEN_OF_FEW = 0.6
WEAKLY = 0.3  # share of the pages that have running text that returns, where few such texts do
MAX_WEAK = 3  # distinct texts that return so; more of them are what some pages have in common, as like products do
MAX_TIMES = 1.3  # a returning text stands at most so often on a page, in the mean; labels stand more often


class Counts:
    """Counts of texts over the pages of a sample.

    :ivar having: for each key of two pages or more the numbers of these pages.
    :ivar once: the keys of two pages or more that stand about once on each.
    :ivar odds: for each of the keys of two pages or more the mean log-odds of its blocks.
    :ivar least: number of pages that have a short text that returns often, at least.
    """

    def __init__(self, contents: Sequence[ContentPage], odds: Sequence[Floats]) -> None:
        self.pages = len(contents)
        times, self._pages_of = Counter[int | None](), Counter[int | None]()
        for page in contents:
            keys = [page.keys[block] for block in page.blocks]
            times.update(keys)
            self._pages_of.update(set(keys))
        self.having: dict[int, set[int]] = {
            key: set() for key, pages in self._pages_of.items() if pages > 1 and key is not None
        }
        self.once = frozenset(key for key in self.having if times[key] <= MAX_TIMES * self._pages_of[key])
        self._on_path: defaultdict[int, set[int]] = defaultdict(set)
        self._varying: set[int] = set()  # the paths that have text of one page alone
        self.odds = dict.fromkeys(self.having, 0.0)
        for number, (page, scored) in enumerate(zip(contents, odds, strict=True)):
            for block in page.blocks:
                key = page.keys[block]
                if key in self.having:
                    self.having[key].add(number)
                    self.odds[key] += float(scored[block]) / times[key]
                    self._on_path[page.paths[block]].add(key)
                else:
                    self._varying.add(page.paths[block])
        self.least = self.at_least(OFTEN_OF_FEW if self.pages < SMALL else OFTEN)
        self.least_prose = self._least_prose(contents)

    def at_least(self, share: float) -> int:
        """Return the number of pages that is a share of the sample, three at least."""
        return max(MIN_PAGES, ceil(share * self.pages))

    def times(self, key: int | None) -> int:
        """Return the number of pages that have a text."""
        return self._pages_of[key]

    def returns(self, key: int | None, least: int = 2) -> bool:
        """Tell whether a number of pages have a text, about once each."""
        return key in self.once and self._pages_of[key] >= least

    def is_of_few(self, path: int, most: int) -> bool:
        """Tell whether a path has at most a number of texts, all of which stand on several pages."""
        return path not in self._varying and len(self._on_path[path]) <= most

    def _least_prose(self, contents: Sequence[ContentPage]) -> int:
        """Return the number of pages that have running text that returns, at least."""
        often, weakly = self.at_least(OFTEN), self.at_least(WEAKLY)
        if self.pages < SMALL:
            return often
        weak = {
            page.keys[block]
            for page in contents
            for block in page.blocks
            if page.keys[block] in self.once
            and weakly <= self.times(page.keys[block]) < often
            and page.is_prose(block)
            and not page.is_exempt(block)
            and not page.is_quotation(block)
        }
        return weakly if len(weak) <= MAX_WEAK else often
