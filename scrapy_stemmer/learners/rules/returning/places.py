"""Places with text that returns as a whole, alone or in variants (A/B), and menus; counts of returning texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from scrapy_stemmer.learners.rules.returning.arrays import Floats
from scrapy_stemmer.learners.rules.returning.content import ContentPage
from scrapy_stemmer.learners.rules.site.paths import Paths, Selector

MIN_PAGES = 3  # pages with a returning text
FREQUENT_SHARE = 0.5  # share of pages with a frequent text
MIN_TELLING_PAGES = 8  # samples below this size require a larger share for short texts
OFTEN_OF_FEW = 0.6
WEAKLY = 0.3  # share of pages with returning prose, if few texts return as rarely
MAX_WEAK = 3  # number of these texts; more are variants of content, as of similar products
MAX_REPETITIONS = 1.3  # mean repetitions of a returning text on a page; labels repeat more


class Counts:
    """Counts of texts over the pages of a sample.

    :ivar once: keys that stand about once on each page.
    :ivar odds: mean log-odds of each key's blocks, for keys of two pages or more.
    :ivar least: pages required of frequent short texts.
    """

    def __init__(self, contents: Sequence[ContentPage], odds: Sequence[Floats]) -> None:
        self.pages = len(contents)
        times, self._pages_of = Counter[int | None](), Counter[int | None]()
        for page in contents:
            keys = [page.keys[block] for block in page.blocks]
            times.update(keys)
            self._pages_of.update(set(keys))
        several = (key for key, pages in self._pages_of.items() if pages > 1 and key is not None)
        self.odds = dict.fromkeys(several, 0.0)
        self.once = frozenset(key for key in self.odds if times[key] <= MAX_REPETITIONS * self._pages_of[key])
        self._on_path: defaultdict[int, set[int]] = defaultdict(set)
        self._varying: set[int] = set()  # paths with text unique to a page
        for page, scored in zip(contents, odds, strict=True):
            for block in page.blocks:
                key = page.keys[block]
                if key in self.odds:
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

    def returns(self, key: int | None, least: int) -> bool:
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


SHARE = 0.4  # share of pages with the place
MOSTLY_WHOLE = 0.6  # share of elements that return as a whole
MAX_OTHERS = 0.2  # share of elements without returning text; two are allowed in a small sample
MAX_DISTINCT = 0.6  # distinct contents as a share of the elements
NEARLY_ALL_PAGES = 0.9  # share of pages with variants, at places with more returning texts
MIN_BALANCE = 0.4  # pages of the rarest variant, as a share of the most frequent
MAX_VARIANTS = 4  # variants


class _Instance(NamedTuple):
    page: int
    element: int
    returns: bool  # True if the whole text returns


def places_in(contents: Sequence[ContentPage], counts: Counts, paths: Paths) -> set[int]:
    """Return the outermost paths of elements with returning text only.

    So a box with a text drawn anew for each page is found: each text is rare, but the element is frequent.
    """
    wholes: Counter[int] = Counter()  # by path, elements with wholly returning text
    mixed, elements = {0}, list[tuple[set[int], set[int]]]()
    for page in contents:
        returning = [block for block in page.blocks if page.keys[block] in counts.once]
        with_returning = page.around(returning)
        with_other = page.around(set(page.blocks).difference(returning))
        mixed.update(page.placed[element] for element in with_returning & with_other)
        elements.append((with_returning, with_other))
        wholes.update(page.placed[element] for element in with_returning - with_other)
    able = {path for path, times in wholes.items() if times >= MIN_PAGES and path not in mixed}
    by_path: defaultdict[int, list[_Instance]] = defaultdict(list)
    for number, (page, (with_returning, with_other)) in enumerate(zip(contents, elements, strict=True)):
        for element in with_returning | with_other if able else ():
            if page.placed[element] in able:
                by_path[page.placed[element]].append(_Instance(number, element, element in with_returning))
    found: set[int] = set()
    for path in sorted(able):
        if found.isdisjoint(paths.line(path)) and _returns_as_a_whole(by_path[path], contents, counts):
            found.add(path)
    return found


def _returns_as_a_whole(instances: Sequence[_Instance], contents: Sequence[ContentPage], counts: Counts) -> bool:
    """Return True if elements of a path return as a whole or not at all, and mostly do."""
    pages = len({each.page for each in instances})
    if pages < counts.at_least(SHARE) or len(instances) > MAX_REPETITIONS * pages:
        return False
    whole = sum(each.returns for each in instances)
    if whole < MOSTLY_WHOLE * len(instances) or len(instances) - whole > max(2, MAX_OTHERS * len(instances)):
        return False
    blocks = [(contents[each.page], contents[each.page].blocks_in(each.element)) for each in instances]
    if whole < len(instances) and not all(any(map(page.is_prose, own)) for page, own in blocks):
        return False  # differing short texts are no variants
    texts = {frozenset(page.keys[block] for block in own) for page, own in blocks}
    if len(texts) == 1:
        return pages >= counts.least  # a single text counts as elsewhere
    return len(texts) <= MAX_DISTINCT * len(instances)


def variants_in(contents: Sequence[ContentPage], counts: Counts, paths: Paths) -> set[int]:
    """Return the keys of running texts that are variants of a text in similar elements.

    Together the variants cover half of the pages, with a variant on each page. Where similar elements have many further
    returning texts, variants must cover nearly all pages.
    """
    by_path: defaultdict[Selector, dict[int, set[int]]] = defaultdict(dict)
    for number, page in enumerate(contents):
        for block in page.blocks:
            key = page.keys[block]
            if key is not None and key in counts.once and page.is_prose(block) and not page.is_exempt(block):
                by_path[paths.end_selector(page.paths[block])].setdefault(key, set()).add(number)
    found: set[int] = set()
    for texts in by_path.values():
        group, covered, most = set[int](), set[int](), max(map(len, texts.values()))
        for key in sorted(texts, key=lambda key: (-len(texts[key]), key)):
            is_alike = len(texts[key]) > MIN_BALANCE * most
            if len(texts[key]) >= 2 and is_alike and texts[key].isdisjoint(covered):
                group.add(key)
                covered |= texts[key]
        share = FREQUENT_SHARE if len(texts) <= 2 * len(group) else NEARLY_ALL_PAGES
        if 2 <= len(group) <= MAX_VARIANTS and len(covered) >= counts.at_least(share):
            found |= group
    return found
