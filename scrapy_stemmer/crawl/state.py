"""The shared state of a crawl: settings, patterns, pages of items and stats."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from scrapy_stemmer.crawl.compat import has_all_requests_in_memory
from scrapy_stemmer.crawl.files import check_feed, spider_name
from scrapy_stemmer.crawl.pages import PageRegistry, ResponsePages
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns, PatternWriter
from scrapy_stemmer.crawl.sites.table import Sites
from scrapy_stemmer.crawl.sites.watch import DriftWatch, Relearner, TextWatch
from scrapy_stemmer.crawl.stats import Stat, show_controls, summary
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learning import learn
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.settings import StemmerConfig, warn_of_unknown
from scrapy_stemmer.signals import LayoutDrift
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import SitePatterns, log_unreadable, own_fields_of
from scrapy_stemmer.stores.file import FileStore
from scrapy_stemmer.stores.shared import SharedStore

logger = logging.getLogger("scrapy_stemmer")


class CrawlState:
    """The configuration, the patterns, the pages of items and the stats of one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        stats, name = crawler.stats, spider_name(crawler)
        config = StemmerConfig.from_settings(crawler.settings, name)
        if crawler.spider is not None:
            config = config.for_spider(crawler.spider)
        if not config.enabled or stats is None:  # stats are only typed so, before Scrapy 2.19
            raise NotConfigured
        logger.addFilter(show_controls)  # added once, for any number of crawls in a process
        self.config, self.stats = config, stats
        self.learner = config.make_learner()
        self.pages = ResponsePages(config)
        self.item_pages = PageRegistry()
        self.marked_pages: WeakKeyDictionary[Request, str] = WeakKeyDictionary()  # their HTML, until they are sampled
        warn_of_unknown(crawler.settings)
        self.no_patterns_message = ""  # message for the first stripped page: there is no pattern file
        self.store = store = open_store(config.patterns)
        if config.learn:
            self._check_writable()
        loaded = {} if isinstance(store, SharedStore) else self._loaded(name)
        if config.own_fields and not isinstance(store, SharedStore):  # a shared store's sites are read on demand
            config.check_own_fields(own_fields_of(loaded.values()))
        self.patterns = CrawlPatterns(loaded)
        self.writer = PatternWriter(self.patterns, store, stats)
        self.relearner: Relearner | None = None  # set by the learning session
        self.has_spider_middleware = False
        self.sites = Sites(
            full=config.sample_size,
            least=config.min_sample,
            is_known=lambda site: not config.learn or (bool(self.patterns.of_site(site)) and not config.relearns),
            asks=isinstance(store, SharedStore),
            knows_all_requests=has_all_requests_in_memory(crawler),
            holds=config.hold,
        )
        relearns = config.drift == "relearn" and bool(config.learn)  # a crawl that does not learn writes nothing

        def send(signal: object, drift: LayoutDrift) -> None:
            crawler.signals.send_catch_log(signal, spider=crawler.spider, drift=drift)

        watched = config, self.patterns, self.sites, stats
        drift = DriftWatch(*watched, send, lambda: self.relearner if relearns else None)
        self.drift = None if config.drift == "off" else drift
        self.texts = TextWatch(*watched, self.writer) if relearns else None

    def _check_writable(self) -> None:
        """Check now that files can be written, perhaps hours before the first write."""
        if isinstance(self.store, FileStore):
            self.store.check_writable()
        if self.config.keep_pages:
            check_feed(self.config.keep_pages)

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlState:
        """Return the state of a crawl, made on first use. Raises :class:`NotConfigured` for a disabled extension, and
        :class:`StemmerError` for a bad setting or pattern file, or a missing package."""
        # The crawler holds the state for the length of the crawl.
        state = vars(crawler).get("_scrapy_stemmer")
        if not isinstance(state, cls):
            try:
                state = vars(crawler)["_scrapy_stemmer"] = cls(crawler)
            except StemmerError as error:
                raise error from None  # the message is enough: one traceback in the log
        return state

    def summarize(self) -> None:
        stats = self.stats.get_stats()
        if message := summary(stats):
            logger.info(message)
        learned = stats.get(Stat.SITES_LEARNED, 0) + stats.get(Stat.SITES_RELEARNED, 0)
        if (learned := learned - len(self.patterns.unsaved)) > 0:
            logger.info("Written to %s: %s. To look: %s", *self._where_to_look(learned))

    def _where_to_look(self, learned: int) -> tuple[str, str, str]:
        """Return the pattern store, the number of sites, and a command to show the patterns, with any kept pages."""
        uri, pages = self.config.patterns, self.config.keep_pages
        names = (_short(uri), counted(learned, "site", ","))
        if pages is None:
            return (*names, f"scrapy stemmer show {shlex.quote(_short(uri))}")
        shown, kept = shlex.quote(_short(uri)), shlex.quote(_short(pages))
        return (*names, f"scrapy stemmer report {shown} --pages {kept} -o report, then open report/index.html")

    def learn_site(self, pages: Sequence[Page]) -> PatternSet:
        options, least = self.config.strip_options, self.config.min_sample
        learned = learn(pages, self.learner, options=options, min_sample=least)
        return learned._stamped(datetime.now(UTC).isoformat(timespec="seconds"))

    def _loaded(self, spider: str) -> Mapping[str, SitePatterns]:
        if self.store.exists():
            patterns = self.store.open()
            readable = [each for each in patterns.values() if each.error is None]
            log_unreadable(patterns.values())
            self.stats.set_value(Stat.SITES_LOADED, len(readable))
            if broken := len(patterns) - len(readable):
                self.stats.set_value(Stat.SITES_BROKEN, broken)
            return patterns
        if not self.config.learn:
            self.no_patterns_message = (
                f"There is no pattern file {self.config.patterns}: pages are stripped by the scorer alone, which knows "
                f"nothing of their sites. To learn one: scrapy crawl {spider} -s STEMMER_LEARN=1"
            )
        return {}


def _short(path: str) -> str:
    return str(Path(path).relative_to(Path.cwd())) if Path(path).is_relative_to(Path.cwd()) else path
