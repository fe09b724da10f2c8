"""For each block of some pages the selectors that a correction may have, and what each of them takes along."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import reduce
from itertools import chain, islice
from operator import or_
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.selectors import Selector, written
from scrapy_stemmer.learners.rules.columns import Signature, Signatures, body_of
from scrapy_stemmer.learners.rules.paths import Component, Placer, looks_lasting, names_of
from scrapy_stemmer.learners.rules.rules import PathIndex, candidates
from scrapy_stemmer.learners.rules.sample_pages import read

MAX_OFFERED_LEVELS = 8  # elements around a block that selectors are offered of, besides the body

MAX_PATHS = 3000
"""Selectors are offered for at most this many paths of all pages: real sites have fewer, and time grows with them."""

SHOWN_LEVELS = 4  # elements around a block that are shown
MAX_TRIED = 8  # selectors of each element that are tried, the shortest first

MAX_OF_ELEMENT = 2
"""Selectors of each element that are offered at most. Each takes other blocks; a person has to look through them."""


class Offer(NamedTuple):
    """A selector with what it takes."""

    selector: str
    here: tuple[int, ...]  # the numbers of the blocks of one page
    blocks: int  # how many blocks of all pages
    pages: int  # how many pages have some of them


class Offers(NamedTuple):
    """Where blocks of one path stand, and what is offered for them."""

    path: str  # the innermost elements around them, as far as they are shown
    # selectors of the elements around them, that which takes least first; empty where no rule can be made
    around: tuple[Offer, ...] = ()
    start: int = 0  # the place of the one to begin with
    own: tuple[Offer, ...] = ()  # selectors of the innermost element alone, which rules for titles are about


class _NamingPlacer(Placer):
    """Places elements by the names that count on a site; one that has none of them by those that look as if people had
    chosen them for all pages."""

    def component(self, signature: Signature) -> Component:
        """The component of an element."""
        placed = super().component(signature)
        lasting = () if placed.names else sorted({name for name in names_of(signature) if looks_lasting(name)})
        return placed._replace(names=placed.names or tuple(lasting))


class SelectorOffers:
    """The selectors that the blocks of some pages of a site may have. Trees of pages are not changed.

    Sets of blocks are numbers here, of which bit i stands for block i of all pages.

    :param names: identifiers and class names that count on the site.
    """

    def __init__(self, roots: Iterable[etree._Element], names: Container[str]) -> None:
        signatures = Signatures()
        placer = _NamingPlacer(names)
        self._paths = placer.paths
        self._pages: list[list[int]] = []
        for root in roots:
            columns = read(body_of(root), signatures)
            placed = placer.place(columns, list(signatures))
            self._pages.append([placed[element] for element in columns.elements])
        self._own = [0] * len(self._paths)
        for number, path in enumerate(chain.from_iterable(self._pages)):
            self._own[path] |= 1 << number
        self._below = list(self._own)
        for path in range(len(self._paths) - 1, 0, -1):
            self._below[self._paths.parents[path]] |= self._below[path]
        self._index = PathIndex(self._paths)
        self._matching: dict[str, list[int]] = {}
        self._distinct: dict[tuple[int, bool], dict[int, Selector]] = {}
        self._offers: dict[tuple[str, int, int], Offer] = {}

    def of_page(self, page: int) -> list[Offers]:
        """For each block of a page what is offered; blocks of one path have the same."""
        known = {path: self._of_path(path, page) for path in set(self._pages[page])}
        return [known[path] for path in self._pages[page]]

    def _of_path(self, path: int, page: int) -> Offers:
        line = [path]
        while (above := self._paths.parents[line[-1]]) >= 0:
            line.append(above)
        shown = [written(*self._paths.components[step][:2]) for step in reversed(line[:SHOWN_LEVELS])]
        text = " > ".join(["…", *shown] if len(line) > SHOWN_LEVELS else shown)
        if len(self._paths) > MAX_PATHS:
            return Offers(text)
        around: dict[int, Selector] = {}
        for place in (*line[:MAX_OFFERED_LEVELS], 0):
            inner = self._distinct_of(place, is_own=False)
            new = [taken for taken in inner if taken not in around and (place in (path, 0) or inner[taken].names)]
            around.update((taken, inner[taken]) for taken in new[:MAX_OF_ELEMENT])
        first = next((taken for taken, selector in around.items() if selector.names), next(iter(around)))
        start = sorted(around, key=int.bit_count).index(first)
        own = self._distinct_of(path, is_own=True)
        return Offers(text, self._offered(around, page), start, self._offered(own, page))

    def _distinct_of(self, path: int, *, is_own: bool) -> dict[int, Selector]:
        """For each set of blocks that selectors of a path take, of their elements alone or all in these, the first of
        them, if possible one with names."""
        blocks, known = self._own if is_own else self._below, self._distinct.get((path, is_own))
        if known is None:
            known = self._distinct[path, is_own] = {}
            selectors = chain.from_iterable(group for _, group in candidates(self._paths, path))
            for selector in islice(selectors, MAX_TRIED):
                if selector.text not in self._matching:
                    self._matching[selector.text] = list(self._index.matching(selector))
                taken = reduce(or_, (blocks[matching] for matching in self._matching[selector.text]))
                if taken not in known or (selector.names and not known[taken].names):
                    known[taken] = selector
        return known

    def _offered(self, selectors: Mapping[int, Selector], page: int) -> tuple[Offer, ...]:
        """What selectors take, that which takes least first."""
        offers = []
        for taken in sorted(selectors, key=int.bit_count):
            key = selectors[taken].text, taken, page
            if key not in self._offers:
                on_pages, rest = [], taken
                for blocks in self._pages:
                    on_pages.append(rest & ((1 << len(blocks)) - 1))
                    rest >>= len(blocks)
                here = tuple(index for index, bit in enumerate(reversed(f"{on_pages[page]:b}")) if bit == "1")
                self._offers[key] = Offer(key[0], here, taken.bit_count(), sum(map(bool, on_pages)))
            offers.append(self._offers[key])
        return tuple(offers)
