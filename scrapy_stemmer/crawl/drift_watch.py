"""The watch over the domains of a crawl: it sees each stripped page, and tells when a domain's layouts have changed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from scrapy_stemmer import signals
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, PageParser
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.drift import (
    NOTHING,
    Evidence,
    LayoutDrift,
    Signs,
    idle_after,
    in_use,
    is_unusual,
    level_for,
    retired,
    unusual_share,
)
from scrapy_stemmer.strip import Stripped, strip

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from scrapy_stemmer.crawl.config import StemmerConfig
    from scrapy_stemmer.crawl.crawl_patterns import CrawlPatterns
    from scrapy_stemmer.crawl.pages import ItemPage
    from scrapy_stemmer.patterns.base import Pattern

logger = logging.getLogger("scrapy_stemmer")

RELEARN = "relearn"
"""The value of STEMMER_DRIFT with which changed domains are learned again."""

MAX_RELEARNED = 3
"""Times that a domain is learned again in a crawl: one that goes on changing has no layouts to learn."""


class Relearner(Protocol):
    """What learns changed domains; the learning session."""

    def keep(self, page: ItemPage) -> None:
        """Keep an unusual page, of which its domain may be learned."""

    def forget(self, site: str) -> None:
        """Forget the pages of a domain that were kept: it has not changed."""

    def relearn(self, site: str) -> None:
        """Learn a domain again, from the pages that were kept and others to come."""

    def save_changed(self, site: str) -> None:
        """Save the patterns of a domain."""


class DriftWatch:
    """Watches the layouts of the domains of a crawl.

    :param config: the settings.
    :param patterns: those of the crawl.
    :param stats: counts.
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
        self._pages = config.drift_pages
        self._retire = config.drift_retire
        self._options = config.match_options
        self._default_charset = config.default_charset or DEFAULT_CHARSET
        self._parser = PageParser()
        self._patterns = patterns
        self._stats = stats
        self._send = send
        self._evidence: dict[str, Evidence] = {}  # only of domains that there is any of
        self._idle: dict[str, dict[str, int]] = {}
        self._changed: set[str] = set()
        self._relearned: dict[str, int] = {}

    def saw(self, page: ItemPage, stripped: Stripped) -> None:
        """Take note of a page that was stripped, once; an error is counted, and changes nothing for its items."""
        if page.is_watched:
            return
        page.is_watched = True
        try:
            self._saw(page, stripped)
        except Exception as error:
            report_error(self._stats, error, f"watching the layouts of {page.site}")

    def is_unusual(self, page: ItemPage) -> bool:
        """Whether a page is unlike those that its domain was learned from."""
        if page.is_unusual is None:
            patterns = self._patterns.of_site(page.site)
            document = Document(page.page(), self._default_charset, self._parser)
            page.is_unusual = self._is_unusual(patterns, strip(patterns, document, self._options))
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

    def _is_unusual(self, patterns: Sequence[Pattern], stripped: Stripped) -> bool:
        level = level_for(patterns, stripped.pattern)
        return level is not None and is_unusual(Signs.of(stripped), level)

    def _saw(self, page: ItemPage, stripped: Stripped) -> None:
        site = page.site
        patterns = self._patterns.of_site(site)
        level = level_for(patterns, stripped.pattern)
        if level is None:
            return
        page.is_unusual = is_unusual(Signs.of(stripped), level)
        self._watch_layouts(site, patterns, None if page.is_unusual else stripped.pattern)
        if site in self._changed:
            return
        expected, before = unusual_share(level), self._evidence.get(site, NOTHING)
        evidence = before.after(page.is_unusual, expected)
        if page.is_unusual and self.relearner is not None:
            self.relearner.keep(page)
        if evidence.is_drift(self._pages, expected):
            self._found(site, evidence)
        elif evidence != NOTHING:
            self._evidence[site] = evidence
        elif before != NOTHING:
            del self._evidence[site]
            if self.relearner is not None:
                self.relearner.forget(site)

    def _found(self, site: str, evidence: Evidence) -> None:
        self._evidence.pop(site, None)
        self._changed.add(site)
        self._stats.inc_value(f"{Stat.DRIFT}{site}")
        logger.warning(
            "%s has changed: %d of its last %d pages are unlike those that it was learned from. %s",
            site,
            evidence.unusual,
            evidence.pages,
            "It is learned again, beside what is known of it."
            if self.relearner is not None
            else "To have such sites learned again: STEMMER_DRIFT = 'relearn'.",
        )
        self._send(signals.layout_drift, LayoutDrift(site, evidence.pages, evidence.unusual))
        if self.relearner is not None:
            self.relearner.relearn(site)

    def _watch_layouts(self, site: str, patterns: Sequence[Pattern], name: str | None) -> None:
        """Retire the layouts of a domain that none of its pages has had for long; one always stays.

        :param name: of the pattern whose layout a page has.
        """
        if self.relearner is None or not self._retire or len(in_use(patterns)) < 2:
            return
        idle = self._idle[site] = idle_after(self._idle.get(site, {}), patterns, name)
        gone = [each for each, pages in idle.items() if pages >= self._retire]
        if not gone or len(gone) == len(idle):
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._patterns.replace(site, retired(patterns, gone, now))
        self._stats.inc_value(Stat.PATTERNS_RETIRED, len(gone))
        logger.info("Layouts of %s that none of its last %d pages had are retired: %s", site, self._retire, gone)
        self.relearner.save_changed(site)
