"""Learning of queued sites, one at a time, in a thread; samples with too few distinct pages are topped up."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread, yield_to_event_loop
from scrapy_stemmer.crawl.files import append_pages
from scrapy_stemmer.crawl.sites.table import CrawlSite
from scrapy_stemmer.crawl.spool import Row, Spool, SpooledText, texts_of
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error, reporting
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patternset import PatternSet

logger = logging.getLogger("scrapy_stemmer")

READ_AT_ONCE = 10  # pages read from the spool in one turn of the event loop


class SiteLearner:
    """Learner of queued sites, which saves their patterns."""

    def __init__(self, state: CrawlState, spool: Spool, release: Callable[[CrawlSite], int]) -> None:
        self._state, self._config, self._stats, self._sites = state, state.config, state.stats, state.sites
        self._patterns, self._drift = state.patterns, state.drift
        self._spool, self._release = spool, release
        self._task: Deferred[None] | None = None  # only kept alive
        self._stopped = False
        self.is_working, self.is_releasing_all = False, False  # the latter: no further page is expected
        self.changed = Condition()  # when a site has been learned, and when there is nothing left to learn

    def work(self) -> None:
        if self._sites.queue and not (self.is_working or self._stopped):
            self.is_working = True
            self._task = run_in_background(self._learn_queued())

    async def _learn_queued(self) -> None:
        while self._sites.queue and not self._stopped:
            site = next(iter(self._sites.queue.values()))
            try:
                await self._learn(site)
            except Exception as error:
                report_error(self._stats, error, f"releasing {site}")
                self._sites.learned(site, site.sample.pages, is_last=True)
                self._release(site)
            self.changed.notify()
        self.is_working = False
        self.changed.notify()

    async def _learn(self, site: CrawlSite) -> None:
        started = time.monotonic()
        self._sites.begin(site)
        rows: list[Row] = []
        sample: list[SpooledText] = []
        patterns, failed, taken = PatternSet(), False, site.sample.pages
        try:
            for row in self._spool.rows(site.name):
                rows.append(row)
                if len(rows) % READ_AT_ONCE == 0:
                    await yield_to_event_loop()
            sample = await run_in_thread(texts_of, rows)
            patterns = await run_in_thread(self._state.learn_site, sample)
        except Exception as error:
            failed = True
            report_error(self._stats, error, f"learning {site} (the scorer strips its pages)")
        if not (failed or len(patterns)) and self._can_be_topped_up(site):
            self._top_up(site)
            return
        is_first = not (site.sample.learned_from or site.change.is_found)
        self._patterns.add(site.name, patterns, beside=site.change.is_found)
        is_done = self._sites.learned(site, len(sample), is_last=False, late=site.sample.pages - taken)
        if site.is_ready:  # pages have come meanwhile
            self._sites.enqueue(site)
        if is_done:
            with reporting(self._stats, f"noting in {self._spool.path} that {site} is learned"):
                self._spool.add_learned(site.name)
        self._count(site, len(patterns), is_first=is_first)
        if path := self._config.keep_pages:
            with reporting(self._stats, f"keeping the pages of {site} in {path} (STEMMER_KEEP_PAGES)", OSError):
                await run_in_thread(append_pages, path, sample, self._config.feed_fields)
        is_early = not (is_done or self.is_releasing_all)
        self._log_learned(site, len(sample), patterns, time.monotonic() - started, failed=failed, is_early=is_early)
        self._state.writer.request()

    def _can_be_topped_up(self, site: CrawlSite) -> bool:
        return site.is_ready and site.sample.full <= 2 * self._config.sample_size and not self.is_releasing_all

    def _top_up(self, site: CrawlSite) -> None:
        pages = site.sample.pages  # with pages lost on a full disk: otherwise the sample would be topped up for ever
        self._sites.top_up(site, pages + self._config.sample_size)
        message = "Fewer than %d of %d pages of %s are distinct: it is learned when there are %d."
        logger.info(message, self._config.min_sample, pages, site, site.sample.full)

    def _count(self, site: CrawlSite, number: int, *, is_first: bool) -> None:
        stats = self._stats
        if self._drift is not None and self._drift.watch_anew(site, failed=not number) and number:
            stats.inc_value(Stat.SITES_RELEARNED)
        if is_first:
            stats.inc_value(Stat.SITES_LEARNED if number else Stat.SITES_EMPTY)
        # The teacher has logged the errors of the learning thread's questions.
        teacher = self._state.learner.teacher
        for error in teacher.taken() if teacher else ():
            stats.inc_value(Stat.TEACHER_FAILED)
            stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")

    def _log_learned(
        self, site: CrawlSite, pages: int, patterns: PatternSet, seconds: float, *, failed: bool, is_early: bool
    ) -> None:
        released = self._release(site)
        before = self._stats.get_value(Stat.LEARNING_SECONDS, 0.0)
        self._stats.set_value(Stat.LEARNING_SECONDS, round(before + seconds, 3))
        message = "%s %s%s: %s from %s in %.2f s; %s waited for it"
        counts = counted(len(patterns), "pattern"), counted(pages, "page"), seconds, counted(released, "item")
        early = " early" if is_early and not failed else ""
        logger.info(message, "Failed to learn" if failed else "Learned", site, early, *counts)
        if not (failed or len(patterns) or is_early):
            logger.warning(
                "No pattern found in the %s of %s: the scorer strips its pages. A larger STEMMER_SAMPLE_SIZE or "
                "another STEMMER_LEARNER may help.",
                counted(pages, "page"),
                site,
            )

    async def finish(self) -> None:
        self._stopped = True
        while self.is_working:
            await self.changed.wait()
        await self._state.writer.finish()
