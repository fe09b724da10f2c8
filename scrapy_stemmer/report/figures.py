"""Figures of stripped pages and sites: shares, confidence, drift over time, and a ranking of the worst pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from math import ceil
from statistics import fmean, median

from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import file_name, stable_hash
from scrapy_stemmer.patternset import Stripped


@dataclass(frozen=True, slots=True)
class PageFigures:
    url: str
    layout: str | None  # name of its pattern
    matched: bool
    confidence: float | None  # ``None`` from learners without confidences
    chars: int  # characters of the whole text
    kept: int  # characters after stripping
    unusual: bool | None  # unlike the learned pages; ``None`` without a level
    expected: float  # expected share of unusual pages on its site
    fetched: str | None  # ISO 8601 time of fetching, if known
    title: str | None = None
    kind: str | None = None  # purpose of the page, if known
    reason: str | None = None  # reason for missing text

    @classmethod
    def of(cls, page: Page, stripped: Stripped, unusual: bool | None = None, expected: float = 0.0) -> PageFigures:
        chars, kept = len(replace(stripped, text_roles=frozenset(Role)).text), len(stripped.text)
        results = stripped.pattern, stripped.matched, stripped.confidence
        named = stripped.title, stripped.kind, stripped.reason
        return cls(page.url, *results, chars, kept, unusual, expected, page.fetched, *named)

    @property
    def name(self) -> str:
        return self.title or self.url.rstrip("/").rpartition("/")[2] or self.url

    @property
    def removed(self) -> float | None:
        return 1 - self.kept / self.chars if self.chars else None

    @property
    def health(self) -> float:
        """The quality from 0 to 1, to find the worst pages: the confidence, or 0 without text."""
        return 0.0 if self.reason else self.sure

    @property
    def sure(self) -> float:
        """The confidence; without one, 1 for a matching page."""
        return float(self.matched) if self.confidence is None else self.confidence


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """Pages of a site or a layout, in the order of time."""

    pages: tuple[PageFigures, ...]  # in the order of :func:`in_time`
    drifted_at: int | None = None  # number of pages after which drift was found, if any
    site: str = ""  # host, empty for pages without one
    layouts: tuple[str | None, ...] = ()  # pattern names, with ``None`` for pages of none

    @property
    def name(self) -> str:
        return self.site or "(no host)"

    @property
    def folder(self) -> str:
        plain = file_name(re.sub(r"[^a-z0-9.-]", "_", self.site))
        return plain if plain == self.site else f"{plain}-{stable_hash(self.site):016x}"

    @property
    def matched(self) -> float:
        return sum(page.matched for page in self.pages) / max(1, len(self.pages))

    @property
    def confidence(self) -> float | None:
        known = [page.confidence for page in self.pages if page.confidence is not None]
        return sum(known) / len(known) if known else None

    @property
    def removed(self) -> float | None:
        known = [page.removed for page in self.pages if page.removed is not None]
        return median(known) if known else None

    def steps(self, most: int) -> list[tuple[PageFigures, ...]]:
        """Split the pages into at most ``most`` equal steps; the last may be shorter."""
        size = max(1, ceil(len(self.pages) / most))
        return [self.pages[start : start + size] for start in range(0, len(self.pages), size)]

    @property
    def reasons(self) -> Counter[str]:
        return Counter(page.reason for page in self.pages if page.reason)

    @property
    def health(self) -> float:
        """The mean quality of the site's pages; 0 for a changed site, to be listed first."""
        return 0.0 if self.drifted_at else fmean([page.health for page in self.pages] or [0.0])

    @property
    def unusual(self) -> int | None:
        """The number of unusual pages; ``None`` without levels."""
        known = [page.unusual for page in self.pages if page.unusual is not None]
        return sum(known) if known else None

    @property
    def drift(self) -> str:
        if self.unusual is None:
            return "not watched"
        if self.drifted_at:
            return f"changed by page {self.drifted_at}"
        return f"{self.unusual} unusual" if self.unusual else "none"

    @property
    def dates(self) -> tuple[str, str] | None:
        known = [page.fetched for page in self.pages if page.fetched]
        return (known[0][:10], known[-1][:10]) if len(known) == len(self.pages) and known else None

    def of_layout(self, name: str | None) -> SiteFigures:
        """Return the figures of one pattern's pages; with several layouts, without drift."""
        if len(self.layouts) == 1:
            return self
        return SiteFigures(tuple(page for page in self.pages if page.layout == name))


def worst_first(pages: Iterable[PageFigures]) -> list[PageFigures]:
    return sorted(pages, key=lambda page: (page.health, page.matched, page.url))


def in_time(pages: Sequence[PageFigures]) -> tuple[PageFigures, ...]:
    if all(page.fetched for page in pages):
        pages = sorted(pages, key=lambda page: page.fetched or "")
    return tuple(pages)


def sampled(pages: Sequence[PageFigures], number: int) -> list[int]:
    """Choose pages to show: each layout in turn, alternating its least confident page and any page."""
    by_layout: defaultdict[str | None, list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        by_layout[page.layout].append(place)
    turns = []
    for places in by_layout.values():
        unsure = sorted(places, key=lambda place: (pages[place].matched, pages[place].health))
        anyone = sorted(places, key=lambda place: stable_hash(pages[place].url))
        turns.append(dict.fromkeys(chain.from_iterable(zip(unsure, anyone, strict=True))))
    by_turns = (place for place in chain.from_iterable(zip_longest(*turns)) if place is not None)
    return sorted(islice(dict.fromkeys(by_turns), number))
