"""Watch over the layouts and texts of a crawl's sites.

Changed sites are learned again. Texts that return on later pages, such as new boxes, are added to the patterns, see
``learners/rules/returning/new_boxes.py``.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from scrapy.statscollectors import StatsCollector

from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns, PatternWriter
from scrapy_stemmer.crawl.sites.table import CrawlSite, Sites, State
from scrapy_stemmer.crawl.stats import Stat, reporting
from scrapy_stemmer.drift import DRIFT_PAGES, NO_EVIDENCE, unusual_share
from scrapy_stemmer.page.text import counted, cut_short
from scrapy_stemmer.patterns.base import PageCounter, Pattern, level_for
from scrapy_stemmer.patternset import Stripped
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.signals import LayoutDrift, layout_drift

logger = logging.getLogger("scrapy_stemmer")


class Relearner(Protocol):
    """Samples of changed sites: see :class:`~scrapy_stemmer.crawl.session.learner.SiteLearner`."""

    def add_unusual(self, page: ItemPage) -> None: ...
    def drop(self, site: CrawlSite) -> None: ...
    def relearn(self, site: CrawlSite) -> None: ...


@dataclass(frozen=True, slots=True)
class DriftWatch:
    """Watch over the layouts of a crawl's sites."""

    config: StemmerConfig
    patterns: CrawlPatterns
    sites: Sites
    stats: StatsCollector
    send: Callable[[object, LayoutDrift], object]
    relearner: Callable[[], Relearner | None]
    pages: int = DRIFT_PAGES  # unusual pages, at least, of a changed site

    def saw(self, page: ItemPage, stripped: Stripped) -> None:
        """Count a stripped page, once, as evidence for or against a change of the site. Usual pages count only where
        an unusual one came before."""
        if page.is_watched:
            return
        with reporting(self.stats, f"watching the layouts of {page.site}"):
            patterns = self.patterns.of_site(page.site)
            level, is_unusual = level_for(patterns, stripped.pattern), stripped._is_unusual(patterns)
            is_known = page.site in self.sites  # other sites take no memory until a page is unusual
            if level is not None and (is_unusual or (is_known and self.sites[page.site].change.evidence.sum)):
                page.is_watched = True
                self._weigh(self.sites[page.site], page, is_unusual, unusual_share(level))

    def is_unusual(self, page: ItemPage) -> bool:
        patterns = self.patterns.of_site(page.site)
        return page.stripped(patterns, self.config.strip_options)._is_unusual(patterns)

    def watch_anew(self, site: CrawlSite, *, failed: bool) -> bool:
        """Begin without evidence on a learned site, and return true if a change was the reason for learning. Changes of
        a site that failed to be learned are ignored for the rest of the crawl."""
        self.sites.suspect(site, NO_EVIDENCE)
        if site.change.is_found:
            self.sites.relearned(site)
            if failed:
                self.sites.ignore_changes(site)
        return site.change.is_found

    def _weigh(self, site: CrawlSite, page: ItemPage, is_unusual: bool, expected: float) -> None:
        """Add a page to the evidence for a change of the site, and report a change on enough evidence."""
        if site.state is not State.KNOWN or site.change.is_ignored:
            return
        before, relearner = site.change.evidence, self.relearner()
        evidence = before.after(is_unusual, expected)
        self.sites.suspect(site, evidence)
        if relearner is not None and is_unusual:
            relearner.add_unusual(page)
        if not evidence.is_drift(self.pages, expected):
            if evidence == NO_EVIDENCE != before and relearner is not None:
                relearner.drop(site)
            return
        self.sites.suspect(site, NO_EVIDENCE)
        if relearner is None:
            self.sites.ignore_changes(site)
        self.stats.inc_value(f"{Stat.DRIFT}{site.name}")
        message = "%s has changed: %d of its last %d pages are unlike those that it was learned from. %s"
        logger.warning(message, site, evidence.unusual, evidence.pages, self._what_becomes_of_it(relearner))
        self.send(layout_drift, LayoutDrift(site.name, evidence.pages, evidence.unusual))
        if relearner is not None:
            relearner.relearn(site)

    def _what_becomes_of_it(self, relearner: Relearner | None) -> str:
        if relearner is not None:
            return "It is learned again, beside what is known of it."
        if self.config.drift == "relearn" and not self.config.learn:
            return "This crawl does not learn: a crawl with STEMMER_LEARN = 1 learns it again, beside what is known."
        return "To have such sites learned again: STEMMER_DRIFT = 'relearn', and STEMMER_LEARN = 1."


MAX_COUNTED = 200  # patterns with counters, from the last pages
MAX_LOGGED = 60  # characters of a text in the log


class TextWatch:
    """Watch over the texts kept by patterns: texts that return on most later pages are added to the patterns."""

    def __init__(
        self, config: StemmerConfig, patterns: CrawlPatterns, sites: Sites, stats: StatsCollector, writer: PatternWriter
    ) -> None:
        self._config, self._patterns, self._sites, self._stats = config, patterns, sites, stats
        self._writer = writer
        self._counters: OrderedDict[tuple[object, ...], PageCounter] = OrderedDict()

    def saw(self, page: ItemPage) -> None:
        """Count the texts of a stripped page once."""
        if page.is_counted or self._sites[page.site].state is not State.KNOWN:
            return
        page.is_counted = True
        with reporting(self._stats, f"counting the texts of {page.url}"):
            patterns = self._patterns.of_site(page.site)
            stripped = page.stripped(patterns, self._config.strip_options)
            pattern = next((each for each in patterns if each.name == stripped.pattern), None)
            counter = None if pattern is None else self._counter(pattern)
            if pattern is None or counter is None or not (texts := stripped.count_in(counter)):
                return
            counted_in = (each.with_counted(counter) if each is pattern else each for each in patterns)
            self._patterns.replace(page.site, counted_in)
            self._writer.request()
            self._stats.inc_value(Stat.TEXTS_FOUND, len(texts))
            message = "%s of %s returned on most pages since it was learned, and will be left out: %s"
            logger.info(message, counted(len(texts), "text"), page.site, ", ".join(map(_shown, texts)))

    def _counter(self, pattern: Pattern) -> PageCounter | None:
        """Return the counter of a pattern; a pattern learned anew is counted anew."""
        key = pattern.site, pattern.name, pattern.support, pattern.samples
        counter = self._counters.pop(key, None) or pattern.counter()
        if counter is not None:
            self._counters[key] = counter
            if len(self._counters) > MAX_COUNTED:
                self._counters.popitem(last=False)
        return counter


def _shown(text: str) -> str:
    return repr(cut_short(text, MAX_LOGGED))
