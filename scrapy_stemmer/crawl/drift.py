"""Layout drift: whether the pages of a domain are still like those that were learned, as a sequential test; the watch.

Each page is usual or unusual, by what was usual on the domain's own sample. A cumulative sum of log-likelihood ratios
(CUSUM, Page 1954) weighs two hypotheses: unusual pages are as rare as they were, or they are half of all. It falls with
each usual page, to zero at least, and grows with each unusual one. How large it has to be is measured in pages.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from scrapy.statscollectors import StatsCollector

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, Page
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.crawl_patterns import CrawlPatterns
from scrapy_stemmer.crawl.items import ItemPage
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.patterns.base import Level, MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip
from scrapy_stemmer.signals import LayoutDrift, layout_drift

logger = logging.getLogger("scrapy_stemmer")

LOW = 0.1
"""The share of a sample's pages that is below the confidence and path share of its level."""

LESS_PATHS = 0.15
"""A page is unusual whose path share is by more than this below the level. With .1 to .2 about as many of the pairs of
sites are found (``docs/benchmarks/drift.md``), and false alarms are as rare."""

LESS_CONFIDENCE = 0.2
"""And one whose confidence is. Sites that were learned well differ from page to page by less."""

MOSTLY = 0.8
"""Whether a page fits counts only where so many of the sample did: some sites' pages never do."""

DRIFTED = 0.5
"""The share of unusual pages that is tested for: with fewer, the old layouts are still those of most pages."""

LEAST_UNUSUAL = 0.15
"""So many unusual pages are expected of every site: crawls come to kinds of pages that were not in the sample."""

MOST_UNUSUAL = 0.3
"""More are expected of none, or drift could not be told from them."""


def level_of(sample: Iterable[Stripped]) -> Level | None:
    """The level of a sample, from its stripped pages; ``None`` without any."""
    # Pages are not kept, as each holds its tree.
    signs = [(page.matched, page.confidence, page.path_share) for page in sample]
    if not signs:
        return None

    def low(values: Iterable[float | None]) -> float | None:
        known = sorted(value for value in values if value is not None)
        return round(known[int(LOW * (len(known) - 1))], 3) if known else None

    fits, confidences, path_shares = zip(*signs, strict=True)
    return Level(len(signs), round(sum(fits) / len(signs), 3), low(confidences), low(path_shares))


def is_unusual(page: Stripped, level: Level) -> bool:
    """Whether a page is unlike the pages of the sample."""
    shares = (page.path_share, level.path_share, LESS_PATHS), (page.confidence, level.confidence, LESS_CONFIDENCE)
    return (not page.matched and level.fits >= MOSTLY) or any(
        value is not None and usual is not None and value < usual - margin for value, usual, margin in shares
    )


def unusual_share(level: Level) -> float:
    """The share of unusual pages that is expected of a site as long as it doesn't change, from its sample."""
    unfit = level.pages * (1 - level.fits) if level.fits >= MOSTLY else 0.0
    return min(MOST_UNUSUAL, max(LEAST_UNUSUAL, (unfit + 1) / (level.pages + 4)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the pages of a domain have told so far; a new one with each page.

    :param sum: the cumulative sum. It is zero before the first unusual page, and again when usual ones prevail.
    :param pages: pages since it was zero last.
    :param unusual: those of them that are unusual.
    """

    sum: float = 0.0
    pages: int = 0
    unusual: int = 0

    def after(self, unusual: bool, expected: float) -> Evidence:
        """The evidence after one more page, of a site where this :func:`unusual_share` is expected."""
        weight = math.log(DRIFTED / expected) if unusual else math.log((1 - DRIFTED) / (1 - expected))
        total = self.sum + weight
        return NOTHING if total <= 0 else Evidence(total, self.pages + 1, self.unusual + unusual)

    def is_drift(self, pages: int, expected: float) -> bool:
        """Whether it weighs as much as so many unusual pages in a row."""
        return self.unusual >= pages and self.sum >= pages * math.log(DRIFTED / expected) - 1e-9


NOTHING = Evidence()
"""The evidence before any page."""


def in_use(patterns: Iterable[Pattern]) -> list[Pattern]:
    """The patterns of a site that are not retired."""
    return [pattern for pattern in patterns if pattern.retired is None]


def level_for(patterns: Iterable[Pattern], name: str | None) -> Level | None:
    """The level with which a page is compared: that of its pattern, else the first that there is.

    :param name: of the pattern that labelled the page, of a site's ``patterns``.
    """
    levels = {pattern.name: pattern.level for pattern in in_use(patterns) if pattern.level is not None}
    return levels.get(name or "") or next(iter(levels.values()), None)


def levelled(
    patterns: Sequence[Pattern],
    pages: Iterable[Page],
    options: MatchOptions | None = None,
    charset: str = DEFAULT_CHARSET,
) -> list[Pattern]:
    """What was learned of one site, with the level of its sample.

    :param options: with which pages are stripped.
    :param charset: that of pages that declare none.
    """
    level = level_of(strip(patterns, Document(page, charset), options) for page in pages)
    return [replace(pattern, level=level) for pattern in patterns]


MAX_RELEARNED = 3
"""Times that a domain is learned again in a crawl: one that goes on changing has no layouts to learn."""


class Relearner(Protocol):
    """Learns changed domains: the :class:`~scrapy_stemmer.crawl.learning_session.LearningSession` of a crawl."""

    def keep(self, page: ItemPage) -> None: ...
    def forget(self, site: str) -> None: ...
    def relearn(self, site: str) -> None: ...
    def save_changed(self, site: str) -> None: ...


class DriftWatch:
    """Watches the layouts of the domains of a crawl.

    :param send: sends the signal :data:`scrapy_stemmer.signals.layout_drift`.
    :ivar relearner: learns changed domains; ``None`` as long as nothing does.
    """

    def __init__(
        self,
        config: StemmerConfig,
        patterns: CrawlPatterns,
        stats: StatsCollector,
        send: Callable[[object, LayoutDrift], object],
    ) -> None:
        self.relearner: Relearner | None = None
        self._config = config
        self._patterns = patterns
        self._stats = stats
        self._send = send
        self._evidence: dict[str, Evidence] = {}  # only of domains that there is any of
        self._idle: dict[str, dict[str, int]] = {}  # pages since a domain last had one, for each layout in use
        self._changed: set[str] = set()
        self._relearned: dict[str, int] = {}

    def saw(self, page: ItemPage, stripped: Stripped) -> None:
        """Take note of a page that was stripped, once; an error is counted, and changes nothing for its items."""
        if page.is_watched:
            return
        page.is_watched = True
        try:
            patterns = self._patterns.of_site(page.site)
            level = level_for(patterns, stripped.pattern)
            if level is not None:
                page.is_unusual = is_unusual(stripped, level)
                self._watch_layouts(page.site, patterns, None if page.is_unusual else stripped.pattern)
                if page.site not in self._changed:
                    self._weigh(page, page.is_unusual, unusual_share(level))
        except Exception as error:
            report_error(self._stats, error, f"watching the layouts of {page.site}")

    def is_unusual(self, page: ItemPage) -> bool:
        """Whether a page is unlike those that its domain was learned from."""
        if page.is_unusual is None:
            patterns = self._patterns.of_site(page.site)
            stripped = page.stripped(patterns, self._config.match_options)
            level = level_for(patterns, stripped.pattern)
            page.is_unusual = level is not None and is_unusual(stripped, level)
        return page.is_unusual

    def settle(self, site: str, *, failed: bool) -> bool:
        """Watch a domain again after it was learned; whether that was because it had changed.

        :param failed: whether nothing was learned of it: then it is left alone for the rest of the crawl.
        """
        self._idle.pop(site, None)
        if site not in self._changed:
            return False
        self._relearned[site] = self._relearned.get(site, 0) + 1
        if not failed and self._relearned[site] < MAX_RELEARNED:
            self._changed.discard(site)
        return True

    def _weigh(self, page: ItemPage, unusual: bool, expected: float) -> None:
        """Add a page to the evidence of its domain, and tell when that is enough."""
        site, relearner = page.site, self.relearner
        before = self._evidence.get(site, NOTHING)
        evidence = before.after(unusual, expected)
        if unusual and relearner is not None:
            relearner.keep(page)
        self._evidence.pop(site, None)
        if not evidence.is_drift(self._config.drift_pages, expected):
            if evidence != NOTHING:
                self._evidence[site] = evidence
            elif before != NOTHING and relearner is not None:
                relearner.forget(site)
            return
        self._changed.add(site)
        self._stats.inc_value(f"{Stat.DRIFT}{site}")
        told = "%s has changed: %d of its last %d pages are unlike those that it was learned from. " + (
            "To have such sites learned again: STEMMER_DRIFT = 'relearn'."
            if relearner is None
            else "It is learned again, beside what is known of it."
        )
        logger.warning(told, site, evidence.unusual, evidence.pages)
        self._send(layout_drift, LayoutDrift(site, evidence.pages, evidence.unusual))
        if relearner is not None:
            relearner.relearn(site)

    def _watch_layouts(self, site: str, patterns: Sequence[Pattern], name: str | None) -> None:
        """Retire the layouts of a domain that no page has had for long, after one of such a name; one always stays."""
        limit, names = self._config.drift_retire, [pattern.name for pattern in in_use(patterns)]
        if self.relearner is None or not limit or len(names) < 2:
            return
        before = self._idle.get(site, {})
        idle = self._idle[site] = {each: 0 if each == name else before.get(each, 0) + 1 for each in names}
        gone = [each for each, pages in idle.items() if pages >= limit]
        if not gone or len(gone) == len(idle):
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        fewer = [replace(pattern, retired=now) if pattern.name in gone else pattern for pattern in patterns]
        self._patterns.replace(site, fewer)
        self._stats.inc_value(Stat.PATTERNS_RETIRED, len(gone))
        logger.info("Layouts of %s that none of its last %d pages had are retired: %s", site, limit, gone)
        self.relearner.save_changed(site)
