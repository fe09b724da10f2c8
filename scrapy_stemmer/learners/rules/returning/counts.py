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

    :ivar having: for each key the numbers of the pages that have it.
    :ivar odds: for each key the mean log-odds of its blocks.
    :ivar texts_on: for each path the keys of the content there.
    :ivar least: number of pages that have a short text that returns often, at least.
    """

    def __init__(self, contents: Sequence[ContentPage], odds: Sequence[Floats]) -> None:
        self.pages = len(contents)
        self.having: defaultdict[int, set[int]] = defaultdict(set)
        self.texts_on: defaultdict[int, set[int]] = defaultdict(set)
        self._times: Counter[int] = Counter()
        sums: Counter[int] = Counter()
        for number, (page, scored) in enumerate(zip(contents, odds, strict=True)):
            for block, value in zip(page.blocks, scored[page.blocks].tolist(), strict=True):
                key = page.keys[block]
                assert key is not None  # a block of the content
                self.having[key].add(number)
                self.texts_on[page.paths[block]].add(key)
                self._times[key] += 1
                sums[key] += value
        self.odds = {key: total / self._times[key] for key, total in sums.items()}
        self.least = self.at_least(OFTEN_OF_FEW if self.pages < SMALL else OFTEN)
        self.least_prose = self._least_prose(contents)

    def at_least(self, share: float) -> int:
        """Return the number of pages that is a share of the sample, three at least."""
        return max(MIN_PAGES, ceil(share * self.pages))

    def times(self, key: int | None) -> int:
        """Return the number of pages that have a text."""
        return 0 if key is None else len(self.having[key])

    def is_once(self, key: int) -> bool:
        """Tell whether a text stands about once on each page that has it."""
        return self._times[key] <= MAX_TIMES * len(self.having[key])

    def returns(self, key: int | None, least: int = 2) -> bool:
        """Tell whether a number of pages have a text, about once each."""
        return key is not None and len(self.having[key]) >= least and self.is_once(key)

    def _least_prose(self, contents: Sequence[ContentPage]) -> int:
        """Return the number of pages that have running text that returns, at least."""
        often, weakly = self.at_least(OFTEN), self.at_least(WEAKLY)
        if self.pages < SMALL:
            return often
        weak = {
            page.keys[block]
            for page in contents
            for block in page.blocks
            if weakly <= self.times(page.keys[block]) < often
            and self.returns(page.keys[block])
            and page.is_prose(block)
            and not page.is_exempt(block)
        }
        return weakly if len(weak) <= MAX_WEAK else often
