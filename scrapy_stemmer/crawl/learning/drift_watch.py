"""Watch over the layouts of a crawl's sites: has changed sites learned again, and retires layouts that no page has."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from scrapy.statscollectors import StatsCollector

from scrapy_stemmer.crawl.learning.crawl_patterns import CrawlPatterns
from scrapy_stemmer.crawl.learning.sites import CrawlSite, Sites, State
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.stats import Stat, reporting
from scrapy_stemmer.drift import NO_EVIDENCE, unusual_share
from scrapy_stemmer.patterns.base import Pattern, in_use, level_for
from scrapy_stemmer.patternset import Stripped
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.signals import LayoutDrift, layout_drift

logger = logging.getLogger("scrapy_stemmer")

MAX_RELEARNED = 3  # most times to relearn a site in a crawl: a site that keeps changing has no layouts to learn


class Learning(Protocol):
    """Learner of a crawl's sites: see :class:`~scrapy_stemmer.crawl.learning.learning_session.LearningSession`."""

    def keep(self, page: ItemPage) -> None: ...
    def forget(self, site: CrawlSite) -> None: ...
    def relearn(self, site: CrawlSite) -> None: ...
    def store_answered(self, site: CrawlSite) -> None: ...
    def save_changed(self) -> None: ...


@dataclass(frozen=True, slots=True)
class DriftWatch:
    """Watch over the layouts of a crawl's sites."""

    config: StemmerConfig
    patterns: CrawlPatterns
    sites: Sites
    stats: StatsCollector
    send: Callable[[object, LayoutDrift], object]
    relearner: Callable[[], Learning | None]

    def saw(self, page: ItemPage, stripped: Stripped) -> None:
        """Count a stripped page once as evidence for or against a change of its site."""
        if page.is_watched:
            return
        page.is_watched = True
        with reporting(self.stats, f"watching the layouts of {page.site}"):
            patterns = self.patterns.of_site(page.site)
            level = level_for(patterns, stripped.pattern)
            if level is not None:
                site, is_unusual = self.sites[page.site], stripped.is_unusual(patterns)
                self._watch_layouts(site, patterns, None if is_unusual else stripped.pattern)
                self._weigh(site, page, is_unusual, unusual_share(level))

    def is_unusual(self, page: ItemPage) -> bool:
        patterns = self.patterns.of_site(page.site)
        return page.stripped(patterns, self.config.match_options).is_unusual(patterns)

    def watch_anew(self, site: CrawlSite, *, failed: bool) -> bool:
        """Forget the evidence on a learned site, and return true if it was learned because of a change. A site that
        failed to be learned is left alone for the rest of the crawl."""
        site.idle.clear()
        self.sites.suspect(site, NO_EVIDENCE)
        if not site.has_changed:
            return False
        site.relearned += 1
        site.is_left = failed or site.relearned >= MAX_RELEARNED
        return True

    def _weigh(self, site: CrawlSite, page: ItemPage, is_unusual: bool, expected: float) -> None:
        """Add a page to the evidence of its site, and report a change when there is enough."""
        if site.state is not State.KNOWN or site.is_left:
            return
        before, relearner = site.evidence, self.relearner() if is_unusual else None
        evidence = before.after(is_unusual, expected)
        self.sites.suspect(site, evidence)
        if relearner is not None:
            relearner.keep(page)
        if not evidence.is_drift(self.config.drift_pages, expected):
            if evidence == NO_EVIDENCE != before and (relearner := self.relearner()) is not None:
                relearner.forget(site)
            return
        self.sites.suspect(site, NO_EVIDENCE)
        site.is_left = relearner is None
        self.stats.inc_value(f"{Stat.DRIFT}{site.name}")
        message = "%s has changed: %d of its last %d pages are unlike those that it was learned from. %s"
        logger.warning(message, site, evidence.unusual, evidence.pages, self._what_becomes_of_it(relearner))
        self.send(layout_drift, LayoutDrift(site.name, evidence.pages, evidence.unusual))
        if relearner is not None:
            relearner.relearn(site)

    def _what_becomes_of_it(self, relearner: Learning | None) -> str:
        if relearner is not None:
            return "It is learned again, beside what is known of it."
        if self.config.drift == "relearn" and not self.config.learn:
            return "This crawl does not learn: a crawl with STEMMER_LEARN = 1 learns it again, beside what is known."
        return "To have such sites learned again: STEMMER_DRIFT = 'relearn', and STEMMER_LEARN = 1."

    def _watch_layouts(self, site: CrawlSite, patterns: Sequence[Pattern], name: str | None) -> None:
        """Retire the layouts of a site that no page had for long, except the last."""
        limit, names = self.config.drift_retire, [pattern.name for pattern in in_use(patterns)]
        if self.config.drift != "relearn" or not limit or len(names) < 2:
            return
        idle = site.idle = {layout: 0 if layout == name else site.idle.get(layout, 0) + 1 for layout in names}
        gone = [layout for layout, pages in idle.items() if pages >= limit]
        if not gone or len(gone) == len(idle):
            return
        if (relearner := self.relearner()) is None:
            if not site.has_logged_idle:
                site.has_logged_idle = True
                message = (
                    "Layouts of %s that none of its last %d pages had: %s. A crawl with STEMMER_LEARN = 1 retires them."
                )
                logger.info(message, site, limit, gone)
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        fewer = [replace(pattern, retired=now) if pattern.name in gone else pattern for pattern in patterns]
        self.patterns.replace(site.name, fewer)
        self.stats.inc_value(Stat.PATTERNS_RETIRED, len(gone))
        logger.info("Layouts of %s that none of its last %d pages had are retired: %s", site, limit, gone)
        relearner.save_changed()
