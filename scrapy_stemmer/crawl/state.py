"""The state of a crawl that its components share: settings, patterns, pages of items and stats."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from scrapy_stemmer import _native
from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.compat import is_closing
from scrapy_stemmer.crawl.config import SpiderAttribute, StemmerConfig, unknown_settings
from scrapy_stemmer.crawl.crawl_files import CrawlFiles, spider_name
from scrapy_stemmer.crawl.crawl_patterns import CrawlPatterns
from scrapy_stemmer.crawl.drift import DriftWatch, levelled
from scrapy_stemmer.crawl.items import PageRegistry
from scrapy_stemmer.crawl.setting_types import switch
from scrapy_stemmer.crawl.shared_patterns import Patience, SharedPatterns
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.learning import learn
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.signals import LayoutDrift
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.by_uri import open_store
from scrapy_stemmer.stores.merging import Conflict
from scrapy_stemmer.stores.shared import SharedStore

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger("scrapy_stemmer")

MEGABYTE = 1_000_000
"""Bytes of the unit of STEMMER_MEMORY."""

_ATTRIBUTE = "_scrapy_stemmer"
"""Attribute of the crawler that holds our state, for as long as the crawl lasts."""


class CrawlState:
    """The configuration, the patterns, the pages of items and the stats of one crawl.

    :param config: the settings.
    :param patterns: the patterns of each site.
    :param stats: counts.
    :param store: where the patterns are.
    :param shared: what others learn into the store; ``None`` for a pattern file.
    :param drift: watches the layouts of domains; ``None`` when STEMMER_DRIFT is off.
    """

    def __init__(
        self,
        config: StemmerConfig,
        patterns: CrawlPatterns,
        stats: StatsCollector,
        store: PatternStore,
        shared: SharedPatterns | None = None,
        drift: DriftWatch | None = None,
    ) -> None:
        self.config = config
        self.patterns = patterns
        self.item_pages = PageRegistry()
        self.stats = stats
        self.store = store
        self.shared = shared
        self.drift = drift
        self.learner = config.make_learner()

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlState:
        """The state of a crawl; made when a component asks for it first.

        :raises NotConfigured: when the extension is switched off.
        :raises SettingError: when a setting is wrong.
        :raises PatternFileError: when the pattern file is there and can't be used, or no store serves its scheme.
        :raises MissingExtra: when the store needs a package that is not installed.
        """
        found = getattr(crawler, _ATTRIBUTE, None)
        if not isinstance(found, cls):
            found = cls._start(crawler)
            setattr(crawler, _ATTRIBUTE, found)
        return found

    @classmethod
    def _start(cls, crawler: Crawler) -> CrawlState:
        spider = crawler.spider
        config = StemmerConfig.from_settings(crawler.settings, spider_name(crawler))
        wanted = getattr(spider, SpiderAttribute.ENABLED, True)
        if not config.enabled or not switch(SpiderAttribute.ENABLED, wanted):
            raise NotConfigured
        if spider is not None:
            config = config.for_spider(spider)
        stats = crawler.stats
        if stats is None:  # only typed so, before Scrapy 2.19
            raise NotConfigured("the crawl has no stats yet")
        _log_build(stats)
        _log_unknown(crawler.settings)
        store = open_store(config.patterns)
        patterns = _patterns(config, crawler, store, stats)
        shared = None
        if isinstance(store, SharedStore):
            patience = Patience(config.store_look, config.store_patience)
            relearn = config.learn and config.relearn
            shared = SharedPatterns(store, patterns, patience, lambda: is_closing(crawler), stats, relearn=relearn)
        if config.drift == "off":
            return cls(config, patterns, stats, store, shared)

        def send(signal: object, drift: LayoutDrift) -> None:
            crawler.signals.send_catch_log(signal, spider=crawler.spider, drift=drift)

        return cls(config, patterns, stats, store, shared, DriftWatch(config, patterns, stats, send))

    def make_learn(self) -> Callable[[Sequence[Page]], PatternSet]:
        """A function that learns the patterns of one site's pages; may be called in a thread."""
        learner, seed = self.learner, self.config.seed
        is_watched, options = self.config.drift != "off", self.config.match_options

        def learn_site(pages: Sequence[Page]) -> PatternSet:
            learned = learn(pages, learner, seed)
            return _stamped(PatternSet(levelled(learned.patterns, pages, options)) if is_watched else learned)

        return learn_site

    def save(self) -> None:
        """Put what was learned into STEMMER_PATTERNS; may be called in a thread."""
        self.patterns.save(self.store)


def _stamped(patterns: PatternSet) -> PatternSet:
    """Patterns that say when they were learned: now."""
    return patterns.stamped(datetime.now(UTC).isoformat(timespec="seconds"))


def _log_unknown(settings: BaseSettings) -> None:
    """Warn of settings that nobody reads, as after a slip of the keyboard."""
    for name, nearest in unknown_settings(settings).items():
        meant = f"; did you mean {nearest}?" if nearest else ", see the list of settings in the documentation."
        logger.warning("There is no setting %s%s", name, meant)


def _log_build(stats: StatsCollector) -> None:
    """Count and log whether the native modules are in use: without them all is the same, but takes longer."""
    missing = _native.missing()
    stats.set_value(Stat.COMPILED, not missing)
    if not missing:
        return
    if _native.is_pure_wanted():
        logger.info("Pages are learned and stripped in pure Python, which takes longer: %s is set", _native.PURE)
    else:
        logger.info(
            "Pages are learned and stripped in pure Python, which takes longer. For the native modules, install a C "
            "compiler, then: pip install --force-reinstall --no-deps --no-cache-dir scrapy-stemmer"
        )


def _patterns(config: StemmerConfig, crawler: Crawler, store: PatternStore, stats: StatsCollector) -> CrawlPatterns:
    def report(conflict: Conflict) -> None:
        stats.inc_value(Stat.CONFLICTS)
        logger.warning("%s: %s", store.uri, text_of(conflict))

    return CrawlPatterns(
        PatternSet() if isinstance(store, SharedStore) else _loaded(config, store, spider_name(crawler), stats),
        relearn=config.learn and config.relearn,
        memory=int(config.memory * MEGABYTE),
        conflict=report,
        folder=lambda: CrawlFiles(crawler, config).folder,
    )


def _loaded(config: StemmerConfig, store: PatternStore, spider: str, stats: StatsCollector) -> PatternSet:
    """The patterns of a pattern file, as it is now."""
    if store.exists():
        patterns = PatternSet.of_sites(store.open())
        stats.set_value(Stat.PATTERNS_LOADED, len(patterns))
        stats.set_value(Stat.DOMAINS_LOADED, len(patterns.sites))
        return patterns
    if not config.learn:
        logger.warning(
            "There is no pattern file %s: items pass unmatched. To learn one: scrapy crawl %s -s STEMMER_LEARN=1",
            config.patterns,
            spider,
        )
    return PatternSet()


def text_of(conflict: Conflict) -> str:
    """What people are told of a site that two have changed."""
    ours = f"those of this crawl, learned {conflict.ours or 'at an unknown time'}"
    theirs = f"those in the store, learned {conflict.theirs or 'at an unknown time'}"
    kept, left = (ours, theirs) if conflict.is_ours_kept else (theirs, ours)
    by_hand = ", with what was corrected by hand in the others" if conflict.is_ours_kept else ""
    return (
        f"the patterns of {conflict.site} were changed by somebody else since this crawl has read them. Kept are "
        f"{kept}{by_hand}; given up are {left}."
    )
