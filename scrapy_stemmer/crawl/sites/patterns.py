"""Patterns of a crawl: loaded or learned, and when they are saved."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from threading import Lock

from scrapy.statscollectors import StatsCollector
from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread
from scrapy_stemmer.crawl.stats import report_error
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternMemory, PatternSet
from scrapy_stemmer.stores.base import PatternStore, SitePatterns, added, by_site, corrected, listed
from scrapy_stemmer.stores.file import FileStore
from scrapy_stemmer.stores.shared import SharedStore

logger = logging.getLogger("scrapy_stemmer")

SAVE_PAUSE_FACTOR = 9
"""Pause after saving a pattern file, as a multiple of the time taken: writing takes at most a tenth of a crawl's time,
however large the file becomes."""

PAUSE_AFTER_FAILURE = 15.0  # seconds to the next attempt to save


class CrawlPatterns:
    """The patterns of each site in a crawl.

    :param loaded: the patterns of a pattern file, by site.
    """

    def __init__(self, loaded: Mapping[str, SitePatterns]) -> None:
        self._memory = PatternMemory()
        self._sites = dict(loaded)  # in use: loaded, learned here, or learned by other crawls
        self._unsaved: dict[str, tuple[Pattern, ...]] = {}  # learned, without corrections, for the next save
        self._lock = Lock()  # keeps ``_sites`` and ``_unsaved`` in step: a thread saves while the crawl learns

    def add(self, site: str, patterns: PatternSet, *, beside: bool = False) -> None:
        """Use the patterns learned of a site: with the corrections made by hand in the file, or ``beside`` the earlier
        patterns."""
        if not len(patterns):
            return
        earlier = self.of_site(site)
        if beside:
            self.replace(site, added(earlier, patterns.patterns))
        else:
            self.replace(site, corrected(patterns.patterns, earlier), patterns.patterns)

    def replace(self, site: str, patterns: Iterable[Pattern], unsaved: Iterable[Pattern] | None = None) -> None:
        """Replace the patterns of a site; the store applies corrections to the ``unsaved`` patterns again."""
        patterns = tuple(patterns)
        with self._lock:
            self._sites[site] = by_site(patterns)[site]
            self._unsaved[site] = patterns if unsaved is None else tuple(unsaved)

    @property
    def unsaved(self) -> frozenset[str]:
        return frozenset(self._unsaved)

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        stored = self._sites.get(site)
        return () if stored is None else self._memory.patterns(stored)

    def take(self, patterns: SitePatterns) -> bool:
        """Use the patterns of a site learned by concurrent crawls; return true for new patterns. Patterns of this crawl
        not yet saved take precedence."""
        site, known = patterns.site, self._sites.get(patterns.site)
        if site in self._unsaved or not patterns.readable():
            return False
        if known is not None and [line.text for line in known.lines] == [line.text for line in patterns.lines]:
            return False
        self._sites[site] = patterns
        return True

    def save(self, store: PatternStore) -> None:
        """Save the patterns learned since the last save."""
        unsaved = dict(self._unsaved)  # a copy: the crawl goes on learning while a thread writes
        merged = store.merge(unsaved)
        for site, patterns in unsaved.items():
            with self._lock:
                if self._unsaved.get(site) is not patterns:
                    continue
                del self._unsaved[site]
                if merged[site].error is None:  # the store keeps unreadable lines of a newer version
                    # Lines need a tenth of the memory of patterns, and are parsed on use.
                    self._sites[site] = SitePatterns(site, merged[site].lines, store.uri)
        if isinstance(store, FileStore):
            logger.info("Written to %s: %s", store.uri, listed(unsaved))


class PatternWriter:
    """Writer of the store, in a thread. Patterns learned during a save, or not saved by a failure, go into the next
    save."""

    def __init__(self, patterns: CrawlPatterns, store: PatternStore, stats: StatsCollector) -> None:
        # A shared store writes single sites; a pattern file is written as a whole, so saves are few.
        self._pause_factor = 0 if isinstance(store, SharedStore) else SAVE_PAUSE_FACTOR
        self._patterns, self._store, self._stats = patterns, store, stats
        self._running = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._changed = Condition()
        self._is_last = False

    def request(self) -> None:
        if self._patterns.unsaved and not self._running:
            self._running = True
            self._task = run_in_background(self._run())

    async def finish(self) -> None:
        """Wait until everything is saved; a failed save is tried once more."""
        self._is_last = True
        self._changed.notify()
        while self._running:
            await self._changed.wait()

    async def _run(self) -> None:
        has_failed = False
        while unsaved := self._patterns.unsaved:
            is_last, started = self._is_last, time.monotonic()
            try:
                await run_in_thread(self._patterns.save, self._store)
                has_failed, pause = False, self._pause_factor * (time.monotonic() - started)
            except Exception as error:
                report_error(self._stats, error, f"saving the patterns of {len(unsaved)} sites (this crawl uses them)")
                if is_last and has_failed:
                    break
                has_failed, pause = True, PAUSE_AFTER_FAILURE
            if pause and not self._is_last:
                await self._changed.wait(pause)
        self._running = False
        self._changed.notify()
