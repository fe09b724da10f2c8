"""What stripping tells of pages and sites: shares, confidence and drift in the order of time; and of each block."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from pathlib import Path

from scrapy_stemmer.core.blocks import SUB_ROLES, Role
from scrapy_stemmer.core.document import Document, Page, PageParser
from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.learners.rules.paths import HashedNames
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip
from scrapy_stemmer.report.drawing import drawn
from scrapy_stemmer.report.selecting import Offers, SelectorOffers


@dataclass(frozen=True, slots=True)
class PageFigures:
    """What stripping tells of one page.

    :param layout: name of the pattern that labelled it; ``None`` for a page of none.
    :param confidence: ``None`` where the learner gives none.
    :param chars: characters of all its text.
    :param kept: characters of what is left.
    :param unusual: whether it is unlike the learned pages; ``None`` where nobody knows what is usual.
    :param expected: the share of unusual pages that its site is expected to have.
    :param fetched: when it was fetched, as an ISO 8601 time, of sources that say so.
    """

    url: str
    layout: str | None
    matched: bool
    confidence: float | None
    chars: int
    kept: int
    unusual: bool | None
    expected: float
    fetched: str | None

    @classmethod
    def of(cls, page: Page, stripped: Stripped, unusual: bool | None = None, expected: float = 0.0) -> PageFigures:
        """Those of a page that was stripped."""
        chars, kept = len(replace(stripped, text_roles=frozenset(Role)).text), len(stripped.text)
        said = stripped.pattern, stripped.matched, stripped.confidence
        return cls(page.url, *said, chars, kept, unusual, expected, page.fetched)


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """The pages of a site, or of one of its layouts, in the order of time.

    :param pages: as :func:`in_time` has them.
    :param drifted_at: how many pages it took to find that the site has changed; ``None`` when it has not.
    """

    pages: tuple[PageFigures, ...]
    drifted_at: int | None = None

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
        """The share of characters that is taken away, from 0 to 1; ``None`` where no page was labelled."""
        total = sum(page.chars for page in self.pages)
        return 1 - sum(page.kept for page in self.pages) / total if total else None

    @property
    def unusual(self) -> int | None:
        """How many pages are unlike the learned ones; ``None`` where nobody knows what is usual."""
        known = [page.unusual for page in self.pages if page.unusual is not None]
        return sum(known) if known else None

    @property
    def dates(self) -> tuple[str, str] | None:
        """The days on which the first and the last page were fetched, of sources that say so."""
        known = [page.fetched for page in self.pages if page.fetched]
        return (known[0][:10], known[-1][:10]) if len(known) == len(self.pages) and known else None

    def of_layout(self, name: str | None) -> SiteFigures:
        """Those of the pages that one pattern has labelled; drift is a matter of the whole site."""
        return SiteFigures(tuple(page for page in self.pages if page.layout == name))


def in_time(pages: Sequence[PageFigures]) -> tuple[PageFigures, ...]:
    """Pages of a site by the time at which they were fetched where that is known of all of them, else as they are."""
    if all(page.fetched for page in pages):
        pages = sorted(pages, key=lambda page: page.fetched or "")
    return tuple(pages)


def sampled(pages: Sequence[PageFigures], number: int) -> list[int]:
    """Which pages of a site to show: by turns of each layout, there by turns the least sure one and any one.

    :param pages: of the site.
    :param number: how many, at most.
    :returns: their places in ``pages``, sorted.
    """
    by_layout: defaultdict[str | None, list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        by_layout[page.layout].append(place)
    turns = []
    for places in by_layout.values():
        unsure = sorted(places, key=lambda place: (pages[place].matched, pages[place].confidence or 0.0))
        anyone = sorted(places, key=lambda place: stable_hash(pages[place].url))
        turns.append(dict.fromkeys(chain.from_iterable(zip(unsure, anyone, strict=True))))
    found = (place for place in chain.from_iterable(zip_longest(*turns)) if place is not None)
    return sorted(islice(dict.fromkeys(found), number))


GROUPS = ("title", "text", "sub", "template")
"""The groups of roles that are told apart by colour."""


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A sample page as the report shows it.

    :param title: what stripping has found, else what tells the page from others.
    :param kind: what the page is there for, where the learner can say.
    :param groups: for each block its group of roles, one of :data:`GROUPS`.
    :param offers: for each block where it stands, and selectors for corrections.
    :param frame: the document that shows the page.
    """

    figures: PageFigures
    title: str
    kind: str | None
    blocks: tuple[LabelledBlock, ...]
    groups: tuple[str, ...]
    offers: tuple[Offers, ...]
    frame: str


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is made.

    :param uri: the pattern file.
    :param folder: of the report.
    :param match: thresholds.
    :param charset: that of pages that declare none.
    :param is_online: whether shown pages may load images and style sheets.
    """

    uri: str
    folder: Path
    match: MatchOptions
    charset: str
    is_online: bool = False


def read_samples(patterns: Sequence[Pattern], pages: Sequence[Page], options: ReportOptions) -> list[SamplePage]:
    """The sample pages of a site, the least sure ones first."""
    parser = PageParser()
    documents = [Document(page, options.charset, parser) for page in pages]
    rules = next((pattern for pattern in patterns if isinstance(pattern, RulesPattern)), None)
    offers: list[list[Offers]] = [[] for _ in documents]
    if rules is not None:
        selecting = SelectorOffers((document.root for document in documents), HashedNames(rules.knowledge.names))
        offers = list(map(selecting.of_page, range(len(documents))))
    found = [_read(patterns, *each, options) for each in zip(documents, offers, strict=True)]
    return sorted(found, key=lambda page: (page.figures.confidence or 0.0, page.figures.url))


def _read(
    patterns: Sequence[Pattern], document: Document, offers: Sequence[Offers], options: ReportOptions
) -> SamplePage:
    page = document.page
    stripped = strip(patterns, document, options.match)
    blocks = tuple(stripped.blocks)
    groups = tuple(_group(block, stripped) for block in blocks)
    figures, kind = PageFigures.of(page, stripped), stripped.kind
    title = stripped.title or page.url.rstrip("/").rpartition("/")[2] or page.url
    if len(offers) != len(blocks):  # another learner, which has other blocks and no rules
        offers = [Offers(block.path) for block in blocks]
    # From here on the tree is changed: nothing is asked of what was stripped.
    kept = [group in ("title", "text") for group in groups]
    frame = drawn(document.root, blocks, kept, groups, page.url if options.is_online else None)
    return SamplePage(figures, title, kind, blocks, groups, tuple(offers), frame)


def _group(block: LabelledBlock, stripped: Stripped) -> str:
    if block.role is Role.TITLE:
        return "title"
    if block.role in stripped.text_roles:
        return "text"
    return "sub" if block.role in SUB_ROLES else "template"


def decided(pages: Sequence[SamplePage], layout: str | None) -> Counter[str]:
    """For each reason that decided on blocks the characters of their texts; the scorer's decisions count together."""
    found: Counter[str] = Counter()
    for block in (block for page in pages if page.figures.layout == layout for block in page.blocks):
        reason = block.evidence[0] if block.evidence else ""
        found["scored" if reason.startswith("scored ") else reason] += len(block.text)
    return found
