"""What stripping tells of pages and sites: shares, confidence and drift in the order of time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from math import ceil
from statistics import fmean, median

from scrapy_stemmer.core.blocks import Role
from scrapy_stemmer.core.document import Page
from scrapy_stemmer.core.text import file_name, stable_hash
from scrapy_stemmer.patternset import Stripped


@dataclass(frozen=True, slots=True)
class PageFigures:
    """What stripping tells of one page."""

    url: str
    layout: str | None  # name of the pattern that labelled it; ``None`` for a page of none
    matched: bool
    confidence: float | None  # ``None`` where the learner gives none
    chars: int  # characters of all its text
    kept: int  # characters of what is left
    unusual: bool | None  # whether it is unlike the learned pages; ``None`` where nobody knows what is usual
    expected: float  # the share of unusual pages that its site is expected to have
    fetched: str | None  # when it was fetched, as an ISO 8601 time, of sources that say so
    title: str | None = None  # what stripping has found
    kind: str | None = None  # what the page is there for, where the learner can say
    reason: str | None = None  # why it has no text; ``None`` where it has some

    @classmethod
    def of(cls, page: Page, stripped: Stripped, unusual: bool | None = None, expected: float = 0.0) -> PageFigures:
        """Those of a page that was stripped."""
        chars, kept = len(replace(stripped, text_roles=frozenset(Role)).text), len(stripped.text)
        said = stripped.pattern, stripped.matched, stripped.confidence
        named = stripped.title, stripped.kind, stripped.reason
        return cls(page.url, *said, chars, kept, unusual, expected, page.fetched, *named)

    @property
    def name(self) -> str:
        """What tells the page from others: its title, or the end of its URL."""
        return self.title or self.url.rstrip("/").rpartition("/")[2] or self.url

    @property
    def removed(self) -> float | None:
        """The share of characters that is taken away, from 0 to 1; ``None`` of a page without any."""
        return 1 - self.kept / self.chars if self.chars else None

    @property
    def health(self) -> float:
        """How well it was stripped, from 0 to 1, to find the worst: the confidence, 0 of a page without text."""
        return 0.0 if self.reason else self.sure

    @property
    def sure(self) -> float:
        """The confidence; a page without one counts as sure if it matches."""
        return float(self.matched) if self.confidence is None else self.confidence


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """The pages of a site, or of one of its layouts, in the order of time."""

    pages: tuple[PageFigures, ...]  # as :func:`in_time` has them
    drifted_at: int | None = None  # how many pages it took to find that the site has changed; ``None`` when it has not
    site: str = ""  # its host, empty for pages without one
    layouts: tuple[str | None, ...] = ()  # names of its patterns; ``None`` among them stands for pages of none

    @property
    def name(self) -> str:
        """What people call the site."""
        return self.site or "(no host)"

    @property
    def folder(self) -> str:
        """The folder of the site's documents: its name, as every system takes it; no other site's is the same."""
        plain = file_name(re.sub(r"[^a-z0-9.-]", "_", self.site))
        return plain if plain == self.site else f"{plain}-{stable_hash(self.site):016x}"

    @property
    def matched(self) -> float:
        """The share of pages that match, from 0 to 1."""
        return sum(page.matched for page in self.pages) / max(1, len(self.pages))

    @property
    def confidence(self) -> float | None:
        """The mean confidence; ``None`` where the learner gives none."""
        known = [page.confidence for page in self.pages if page.confidence is not None]
        return sum(known) / len(known) if known else None

    @property
    def removed(self) -> float | None:
        """The share of characters that is taken away of a page, the median of all; ``None`` where none has any."""
        known = [page.removed for page in self.pages if page.removed is not None]
        return median(known) if known else None

    def steps(self, most: int) -> list[tuple[PageFigures, ...]]:
        """The pages in at most ``most`` steps of equally many pages in a row; the last step may have fewer."""
        size = max(1, ceil(len(self.pages) / most))
        return [self.pages[start : start + size] for start in range(0, len(self.pages), size)]

    @property
    def reasons(self) -> Counter[str]:
        """How many pages have no text, for each reason."""
        return Counter(page.reason for page in self.pages if page.reason)

    @property
    def health(self) -> float:
        """The mean of that of its pages; 0 of a site that has changed, which comes first among all."""
        return 0.0 if self.drifted_at else fmean([page.health for page in self.pages] or [0.0])

    @property
    def unusual(self) -> int | None:
        """How many pages are unlike the learned ones; ``None`` where nobody knows what is usual."""
        known = [page.unusual for page in self.pages if page.unusual is not None]
        return sum(known) if known else None

    @property
    def drift(self) -> str:
        """What is known of drift, in words."""
        if self.unusual is None:
            return "not watched"
        if self.drifted_at:
            return f"changed by page {self.drifted_at}"
        return f"{self.unusual} unusual" if self.unusual else "none"

    @property
    def dates(self) -> tuple[str, str] | None:
        """The days on which the first and the last page were fetched, of sources that say so."""
        known = [page.fetched for page in self.pages if page.fetched]
        return (known[0][:10], known[-1][:10]) if len(known) == len(self.pages) and known else None

    def of_layout(self, name: str | None) -> SiteFigures:
        """Those of the pages that one pattern has labelled; where there are several, drift is not a matter of one."""
        if len(self.layouts) == 1:
            return self
        return SiteFigures(tuple(page for page in self.pages if page.layout == name))


def worst_first(pages: Iterable[PageFigures]) -> list[PageFigures]:
    """Pages by how well they were stripped."""
    return sorted(pages, key=lambda page: (page.health, page.matched, page.url))


def in_time(pages: Sequence[PageFigures]) -> tuple[PageFigures, ...]:
    """Pages of a site by the time at which they were fetched where that is known of all of them, else as they are."""
    if all(page.fetched for page in pages):
        pages = sorted(pages, key=lambda page: page.fetched or "")
    return tuple(pages)


def sampled(pages: Sequence[PageFigures], number: int) -> list[int]:
    """Which pages of a site to show: by turns of each layout, there by turns the least sure one and any one.

    :returns: the places of at most ``number`` pages, sorted.
    """
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
