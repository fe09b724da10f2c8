"""Patterns of a shared store in a crawl, and when they are fetched."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial

from scrapy.statscollectors import StatsCollector
from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns
from scrapy_stemmer.crawl.sites.table import CrawlSite, Sites, State
from scrapy_stemmer.crawl.stats import Stat, report_error, reporting
from scrapy_stemmer.exceptions import StoreUnavailable
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores.base import SitePatterns
from scrapy_stemmer.stores.shared import SharedStore, lines_of_text

logger = logging.getLogger("scrapy_stemmer")

LOOK_SECONDS = 3.0  # between two looks at the store
PATIENCE = 60.0  # seconds without the store after which a crawl goes on alone
MAX_BACKOFF = 15.0  # seconds between two attempts to reach a store, at most


class SharedPatterns:
    """The sites of a crawl in a shared store.

    The crawl asks for each site it comes to, and gets patterns learned later too. Methods don't raise: failures are
    tried again.
    """

    def __init__(
        self,
        store: SharedStore,
        patterns: CrawlPatterns,
        sites: Sites,
        config: StemmerConfig,
        store_answered: Callable[[CrawlSite], None],
        is_closing: Callable[[], bool],
        stats: StatsCollector,
    ) -> None:
        self._store, self._patterns, self._sites, self._stats = store, patterns, sites, stats
        self._store_answered, self._is_closing = store_answered, is_closing
        self._relearns = config.relearns
        self._versions: dict[str, int] = {}  # in the store
        self._seen = 0  # the highest version of the last look; fetched versions may be beyond changes of unseen sites
        self._failures = 0  # since the store was last reached
        self._is_reached = False
        self._answered_last = time.monotonic()  # when no question was left open; at first, when the crawl began
        self._next_look = 0.0
        self._woken = Condition()
        self._task: Deferred[None] | None = None
        self._stopped = False

    def start(self) -> None:
        self._task = run_in_background(self._follow())

    @property
    def is_alone(self) -> bool:
        """Return true if the crawl goes on without the store, which has left questions open for long, or the crawl is
        ending."""
        lost = not self._is_reached and time.monotonic() - self._answered_last > PATIENCE
        return lost or self._stopped or self._is_closing()

    @property
    def is_busy(self) -> bool:
        return bool(self._asked) and not self.is_alone

    @property
    def _asked(self) -> list[CrawlSite]:
        return sorted((site for site in self._sites if site.state is State.ASKED), key=lambda site: site.name)

    def ask(self, site: CrawlSite) -> None:
        if (self._is_reached and site.name not in self._versions) or self.is_alone:
            self._answered(site, 0, is_learned=False)
        else:
            self._woken.notify()

    async def stop(self) -> None:
        self._stopped = True
        self._woken.notify()
        while self._task is not None:
            await self._woken.wait()
        with reporting(self._stats, f"closing {self._store.uri}"):  # waiting items are yet to be written
            await run_in_thread(self._store.close)

    async def _follow(self) -> None:
        while not self._stopped:
            has_failed = False
            try:
                if time.monotonic() >= self._next_look:
                    await self._look()
                if self._is_reached:
                    # Unanswered sites, and sites with a newer version in the store.
                    for site in (*self._asked, *filter(self._is_outdated, self._sites)):
                        if site.state is not State.LEARNING:
                            await self._fetch(site)
                    self._answered_last = time.monotonic()
            except StoreUnavailable as error:
                self._note(error)
            except Exception as error:
                self._next_look = time.monotonic() + MAX_BACKOFF
                report_error(self._stats, error, f"following {self._store.uri}")
                has_failed = True
            if has_failed or self.is_alone:
                for site in self._asked:
                    self._answered(site, 0, is_learned=False)
            await self._woken.wait(min(0.5, LOOK_SECONDS))  # the crawl may be being closed
        self._task = None
        self._woken.notify()

    async def _look(self) -> None:
        started = time.monotonic()
        changes = await run_in_thread(self._store.changes, self._seen)
        self._versions.update(changes)
        self._seen = max(changes.values(), default=self._seen)
        # To list thousands of objects takes a while: then the store is left alone for three times as long.
        now = time.monotonic()
        self._next_look = now + max(LOOK_SECONDS, 3 * (now - started))
        self._is_reached = True
        if self._failures:
            logger.info("%s can be reached again", self._store.uri)
            self._failures = 0

    def _is_outdated(self, site: CrawlSite) -> bool:
        used = site.version
        return used is not None and self._versions.get(site.name, used) != used

    async def _fetch(self, site: CrawlSite) -> None:
        is_first = site.version is None
        version, text = await run_in_thread(self._store.get, site.name)
        is_new = bool(text) and version != site.version and self._take(site.name, text)
        is_learned = is_new and not (self._relearns and is_first)
        if is_learned:
            self._stats.inc_value(Stat.SITES_FETCHED)
            logger.info("%s is stripped by patterns that another crawl learned", site.name)
        self._versions[site.name] = version
        self._answered(site, version, is_learned=is_learned)

    def _take(self, site: str, text: bytes) -> bool:
        patterns = SitePatterns(site, partial(lines_of_text, text), f"{self._store.uri}, {site}")
        is_new = self._patterns.take(patterns)
        if patterns.error is not None:
            self._stats.inc_value(Stat.SITES_BROKEN)
        return is_new

    def _answered(self, site: CrawlSite, version: int, *, is_learned: bool) -> None:
        self._sites.answer(site, version, is_learned=is_learned)
        with reporting(self._stats, f"releasing {site.name}"):
            self._store_answered(site)

    def _note(self, error: StoreUnavailable) -> None:
        self._stats.inc_value(Stat.STORE_FAILURES)
        if not self._failures:
            message = "%s Items of sites that are not known yet wait; after %g seconds this crawl goes on alone."
            logger.warning(message, error, PATIENCE)
        self._is_reached = False
        self._failures += 1
        self._next_look = time.monotonic() + min(MAX_BACKOFF, LOOK_SECONDS * 2.0 ** min(self._failures, 10))
