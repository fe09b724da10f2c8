"""The learning session of a crawl: when a site is learned, and when its waiting items are released."""

from __future__ import annotations

import logging
import time
from functools import partial

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import KeptOpen, call_later, is_closing, run_in_background, sites_under_way
from scrapy_stemmer.crawl.files import CrawlFiles
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.session.held import HeldItems, as_text
from scrapy_stemmer.crawl.session.learner import SiteLearner
from scrapy_stemmer.crawl.sites.shared import SharedPatterns
from scrapy_stemmer.crawl.sites.table import CrawlSite, State
from scrapy_stemmer.crawl.spool import opened
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error, reporting
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.stores.base import listed
from scrapy_stemmer.stores.shared import SharedStore

logger = logging.getLogger("scrapy_stemmer")

SOONER = 0.5  # share of the bounds of waiting at which sites are learned early, before their items must go
TICK = 0.25  # seconds between checks of the sites with waiting items


class LearningSession:
    """Session that samples and learns the sites of a crawl, saves the patterns, and releases items."""

    def __init__(self, crawler: Crawler, state: CrawlState) -> None:
        files = CrawlFiles(crawler, state.config)
        self._crawler, self._state, self._config, self._stats = crawler, state, state.config, state.stats
        self._sites, self._drift = state.sites, state.drift
        self._is_lasting = files.lasting
        self._spool = opened(files.spool())
        self._shared: SharedPatterns | None = None  # patterns of other crawls; None for a pattern file
        if isinstance(state.store, SharedStore):
            calls = self._store_answered, partial(is_closing, crawler)
            self._shared = SharedPatterns(state.store, state.patterns, state.sites, state.config, *calls, state.stats)
        else:
            for name in filter(state.patterns.of_site, self._spool.learned()):
                self._sites.know(name)
        self.held = HeldItems(crawler, self._spool, self._sites, self._stats, files, state.item_pages)
        self.learner = state.relearner = SiteLearner(state, self._spool, self._release, self._shared)
        self._task: Deferred[None] | None = None  # only kept alive
        self._end = KeptOpen(crawler)
        self._stopped = False
        self._log_interval = crawler.settings.getfloat("LOGSTATS_INTERVAL") or float("inf")
        self._next_log = time.monotonic() + self._log_interval
        crawler.signals.connect(self._sites.requested, signal=signals.request_scheduled)
        crawler.signals.connect(self._sites.answered, signal=signals.response_received)

    def resume(self) -> None:
        """Continue a paused crawl; needs a running event loop."""
        if self._shared is not None:
            self._shared.start()
        for name, looks in self._spool.sampled().items():
            site = self.learner.site(name)
            if site.state is State.KNOWN:
                self._spool.remove_sample(name)
            else:
                self.learner.restore(site, looks)
        for site in self._sites.waiting:
            self.learner.site(site.name)
            if not site.has_to_wait:
                self._release(site)
        self.learner.work()
        self._tick()

    def is_learning(self, name: str) -> bool:
        return self.learner.site(name).state is not State.KNOWN

    # Held items

    def has_to_wait(self, page: ItemPage) -> bool:
        site = self.learner.site(page.site)
        return site.has_to_wait and not self.learner.is_served(site, page)

    def hold(self, item: object, page: ItemPage, response: Response, *, number: int = 0) -> None:
        self.held.hold(item, page, "" if number else as_text(response), number=number)
        self._end.set(True)
        if self.held.waiting > self._config.max_held:
            for site in self._sites.longest_waiting(1):
                self._stop_waiting_for(site)
        self._sites.touch(self._sites[page.site])

    @property
    def is_done(self) -> bool:
        """Return true if no item waits or is under way, and no site can be learned."""
        if self.held.waiting or self.learner.is_working or not self.held.is_done:
            return False
        return not any(map(self._sites.can_be_learned, self._sites))

    def _release(self, site: CrawlSite) -> int:
        if self._stopped or self._is_paused:
            return 0  # pipelines and feeds may be closed: they wait for the resumed crawl, or are written into a file
        count = self.held.release(site)
        self.held.send()
        return count

    def _stop_waiting_for(self, site: CrawlSite) -> None:
        if self._sites.can_be_learned(site):
            self._sites.enqueue(site)
        self._sites.free(site)
        self._release(site)

    def _tick(self) -> None:
        """Learn or release the sites with too many items, or with items waiting in vain or too long."""
        if self._stopped:
            return
        with reporting(self._stats, "looking after the items that wait"):
            # Only the waiting items may keep the crawl from being idle.
            if is_closing(self._crawler) or (self._end.is_alone and not self.is_done):
                self.release_all_soon()
            now, config = time.monotonic(), self._config
            under_way = sites_under_way(self._crawler) if len(self.held) else ()
            for site in self._sites.quiet(config.quiet, now, under_way=under_way):
                (self._sites.enqueue if self._sites.can_be_learned(site) else self._stop_waiting_for)(site)
            early = self._sites.overdue(SOONER * config.max_wait, now)
            if self.held.waiting > SOONER * config.max_held:
                early += self._sites.longest_waiting(self.held.waiting - SOONER * config.max_held)
            for site in filter(self._sites.can_be_learned, early):
                self._sites.enqueue(site)
            for site in self._sites.overdue(config.max_wait - TICK, now):
                self._stop_waiting_for(site)
            self.learner.work()
            if now >= self._next_log:
                self._next_log = now + self._log_interval
                self._log_waiting()
            self._end.set(not self._may_end)
            self._spool.flush()
        call_later(TICK, self._tick)

    def _log_waiting(self) -> None:
        if self.held.waiting:
            message = "%s of %s wait until these are learned; %s learned so far"
            waiting = counted(self.held.waiting, "item"), counted(len(self._sites.waiting), "site")
            logger.info(message, *waiting, counted(self._stats.get_value(Stat.SITES_LEARNED, 0), "site"))

    # The end of the crawl, or a pause

    def release_all_soon(self) -> None:
        """Learn and release all sites in the background: there may be nothing left to crawl."""
        if not self.learner.is_releasing_all:
            self.learner.is_releasing_all = True
            self._task = run_in_background(self._release_all_in_background())

    async def _release_all_in_background(self) -> None:
        with reporting(self._stats, "releasing all waiting items"):
            await self.release_all()
            await self.held.all_through()
        self.learner.is_releasing_all = False
        self._end.set(not self._may_end)

    @property
    def _is_paused(self) -> bool:
        """Return true if the crawl is being stopped, by Ctrl-C or the program, and can be resumed."""
        return self._is_lasting and not self._crawler.crawling

    @property
    def _may_end(self) -> bool:
        return not self.learner.is_releasing_all and (self.held.is_kept if self._is_paused else self.is_done)

    async def release_all(self) -> None:
        """Learn all sites with enough pages and release all items; at a pause, only the items in memory."""
        if self._is_paused:
            self.held.release_in_memory()
            self.held.send()
            return
        while True:
            for site in self._sites:
                if self._sites.can_be_learned(site):
                    self._sites.enqueue(site)
            self.learner.work()
            if not (self.learner.is_working or (self._shared is not None and self._shared.is_busy)):
                break
            await self.learner.changed.wait()
        for site in self._sites.waiting:
            self._sites.free(site)
            self._release(site)
        self.held.send()

    def _store_answered(self, site: CrawlSite) -> None:
        """Handle the store's answer for a site, or its patterns from another crawl."""
        if site.state is State.KNOWN:
            self.learner.drop(site)
            if self._drift is not None:
                self._drift.watch_anew(site, failed=False)
        elif site.is_ready:  # in a resumed crawl
            self._sites.enqueue(site)
            self.learner.work()
        if not site.has_to_wait:
            self._release(site)
        self.learner.changed.notify()

    async def close(self, reason: str) -> None:
        """Save the patterns, and write waiting items into a file if no later crawl can release them."""
        self._stopped = True
        await self.learner.finish()
        if self._shared is not None:
            await self._shared.stop()
        is_paused = self._is_lasting and reason != "finished"
        # At a pause the samples stay for the resumed crawl.
        self._log_unlearned([] if is_paused else list(map(str, self._sites.unlearned)))
        has_unknown = any(site.state is not State.KNOWN for site in self._sites)
        if self._config.html_field and has_unknown and not self._stats.get_value(Stat.PAGES_SAMPLED):
            message = "No item had HTML in its field %r (STEMMER_HTML_FIELD); with that, responses are not learned."
            logger.warning(message, self._config.html_field)
        try:
            is_empty = self.held.write_remaining(is_paused=is_paused)
            self._spool.close(remove=not is_paused and is_empty)
        except Exception as error:
            path, how = self._spool.path, f"to have them: scrapy stemmer recover {self._spool.path}"
            report_error(self._stats, error, f"closing {path}, where {len(self.held)} items still wait ({how})")

    def _log_unlearned(self, names: list[str]) -> None:
        self._stats.set_value(Stat.SITES_UNLEARNED, len(names))
        if names:
            message = "Fewer than %d pages that differ and are no errors, so stripped by the scorer alone: %s"
            logger.info(message, self._config.min_sample, listed(names))
