"""Number of pages on which a text of the content must stand to count as returning."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import ceil

from scrapy_stemmer.learners.rules.returning.arrays import Floats
from scrapy_stemmer.learners.rules.returning.content import ContentPage

MIN_PAGES = 3  # pages with a returning text
FREQUENT_SHARE = 0.5  # share of pages with a frequent text
MIN_TELLING_PAGES = 8  # samples below this size require a larger share for short texts
OFTEN_OF_FEW = 0.6
WEAKLY = 0.3  # share of pages with returning prose, if few texts return as rarely
MAX_WEAK = 3  # number of these texts; more are variants of content, as of similar products
MAX_REPETITIONS = 1.3  # mean repetitions of a returning text on a page; labels repeat more


class Counts:
    """Counts of texts over the pages of a sample.

    :ivar having: pages of each key, for two pages or more.
    :ivar once: keys that stand about once on each page.
    :ivar odds: mean log-odds of each key's blocks.
    :ivar least: pages required of frequent short texts.
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
        self.once = frozenset(key for key in self.having if times[key] <= MAX_REPETITIONS * self._pages_of[key])
        self._on_path: defaultdict[int, set[int]] = defaultdict(set)
        self._varying: set[int] = set()  # paths with text unique to a page
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
        self.least = self.at_least(OFTEN_OF_FEW if self.pages < MIN_TELLING_PAGES else FREQUENT_SHARE)
        self.least_prose = self._least_prose(contents)

    def at_least(self, share: float) -> int:
        """Return the number of pages in a share of the sample, three at least."""
        return max(MIN_PAGES, ceil(share * self.pages))

    def times(self, key: int | None) -> int:
        return self._pages_of[key]

    def returns(self, key: int | None, least: int = 2) -> bool:
        """Return True if a number of pages have a text, about once each."""
        return key in self.once and self._pages_of[key] >= least

    def is_of_few(self, path: int, most: int) -> bool:
        """Return True if a path has few texts, all of which return."""
        return path not in self._varying and len(self._on_path[path]) <= most

    def _least_prose(self, contents: Sequence[ContentPage]) -> int:
        """Return the number of pages required of returning prose."""
        often, weakly = self.at_least(FREQUENT_SHARE), self.at_least(WEAKLY)
        if self.pages < MIN_TELLING_PAGES:
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
