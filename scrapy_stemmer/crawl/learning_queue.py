"""The learning queue: sites that have enough pages are learned one at a time, in a thread."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread, yield_to_event_loop
from scrapy_stemmer.crawl.responses import url_key
from scrapy_stemmer.crawl.spool import MAX_SAMPLED_CHARS, Spool, SpooledText
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.patternset import PatternSet

logger = logging.getLogger("scrapy_stemmer")

READ_AT_ONCE = 10
"""Pages of a sample that are read from the spool before the event loop has its turn."""

MAX_TOP_UPS = 2
"""So many times a sample of which too few pages are distinct waits for as many pages again."""


@dataclass(frozen=True, slots=True)
class LearnedSite:
    """The result of learning a site.

    :param pages: number of pages that it was learned from.
    :param patterns: what was learned; empty when no layout was found.
    :param seconds: how long it took.
    :param failed: whether the learner has raised an exception.
    """

    site: str
    pages: int
    patterns: PatternSet
    seconds: float
    failed: bool


class LearningQueue:
    """The sample of each site, and the queue of sites to be learned.

    :param spool: keeps the pages.
    :param state: of the crawl; learns in a thread, is given what is learned, and knows which sites others learn.
    :param learned: called with the result for each site, on the event loop.
    """

    def __init__(self, spool: Spool, state: CrawlState, learned: Callable[[LearnedSite], None]) -> None:
        self._spool = spool
        self._state = state
        self._patterns = state.patterns
        self._shared = state.shared
        self._stats = state.stats
        self._full = state.config.sample_size  # a site is learned as soon as it has so many pages
        self._least = state.config.min_sample  # and with so many when there is nothing left to crawl
        self._learned = learned
        self._sampled = spool.sample_sizes()
        self._wanted: dict[str, int] = {}  # pages of each site whose sample is topped up
        self._is_last = False
        self._queue: dict[str, None] = {}  # in order
        self._working = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._stopped = False
        self.changed = Condition()
        """Fires when a site has been learned, and when there is nothing left to learn."""

    @property
    def busy(self) -> bool:
        """Whether a site is being learned, here or by others, or waits for that."""
        return self._working or (self._shared is not None and self._shared.is_busy)

    @property
    def learnable(self) -> list[str]:
        """The sites that have at least the smallest sample and are not known yet."""
        return self._with_at_least(self._least)

    @property
    def unlearned(self) -> int:
        """The number of sites with pages that are not known."""
        return len(self._with_at_least(0))

    # Samples

    def sample(self, site: str, url: str, text: str, redirected: Iterable[str] = ()) -> None:
        """Put a page into the sample of its site, unless it is there already or the sample is full.

        :param redirected: the URLs that led to the page by redirection.
        """
        if not self._patterns.is_known(site) and self.keep(site, url, text, redirected):
            self._enqueue([site], self._full)

    def keep(self, site: str, url: str, text: str, redirected: Iterable[str] = ()) -> bool:
        """Put a page into the sample of its site, which is not learned for that: it may be known.

        :returns: whether the page was put there now.
        """
        if self._sampled.get(site, 0) >= self._wanted.get(site, self._full):
            return False
        if len(text) > MAX_SAMPLED_CHARS:
            self._stats.inc_value(Stat.PAGES_TOO_LARGE)
            return False
        page = self._spool.add_page(site, url, url_key(url), text, map(url_key, redirected))
        if not self._spool.take_into_sample(page):
            return False
        self._sampled[site] = self._sampled.get(site, 0) + 1
        self._stats.inc_value(Stat.PAGES_SAMPLED)
        return True

    def forget(self, site: str) -> None:
        """Give up the sample of a known site."""
        self._wanted.pop(site, None)
        if self._sampled.pop(site, 0):
            self._spool.forget_sample(site)

    # The queue

    def resume(self) -> None:
        """Learn the sites that had enough pages when the crawl was paused."""
        self._enqueue(self._with_at_least(self._full), self._full)

    def learn_again(self, site: str) -> None:
        """Learn a site that was reopened, if enough of its pages were kept; else when there are."""
        self._enqueue([site], self._full)

    def learn_the_rest(self) -> None:
        """Learn all sites that have at least the smallest sample, however few of its pages are distinct."""
        self._is_last = True
        self._enqueue(self.learnable, self._least)

    async def stop(self) -> None:
        """Wait for the site that is being learned; learn no other."""
        self._stopped = True
        self._queue.clear()
        while self._working:
            await self.changed.wait()

    def _with_at_least(self, pages: int) -> list[str]:
        return [site for site, count in self._sampled.items() if count >= pages and not self._patterns.is_known(site)]

    def _enqueue(self, sites: Iterable[str], pages: int) -> None:
        """Have sites learned that have so many pages, or so many as their samples wait for."""
        for site in sites:
            enough = pages if self._is_last else self._wanted.get(site, pages)
            if self._sampled.get(site, 0) >= enough and not self._stopped:
                self._queue[site] = None
        if self._queue and not self._working:
            self._working = True
            self._task = run_in_background(self._work())

    async def _work(self) -> None:
        while self._queue:
            refused = 0
            for site in list(self._queue):
                if self._stopped:
                    break
                if self._shared is None or await self._shared.claim(site):
                    try:
                        await self._learn_site(site)
                    except Exception as error:
                        report_error(self._stats, error, f"settling {site}")
                elif not self._patterns.is_known(site):
                    # Others learn it: it is asked for again after the rest.
                    refused += 1
                    continue
                # Left in the queue until now, so that it wasn't queued again.
                self._queue.pop(site, None)
                self.changed.notify()
            if self._shared is not None and refused and refused >= len(self._queue):
                await self._shared.pause()
        self._working = False
        self.changed.notify()

    async def _learn_site(self, site: str) -> None:
        started = time.monotonic()
        sample: list[SpooledText] = []
        patterns, failed = PatternSet(), False
        try:
            for page in self._spool.sample(site):
                sample.append(page)
                if len(sample) % READ_AT_ONCE == 0:
                    await yield_to_event_loop()
            patterns = await run_in_thread(self._state.learn_site, sample)
        except Exception as error:
            failed = True
            report_error(self._stats, error, f"learning {site} (its items pass unmatched)")
        if not failed and self._has_to_be_topped_up(site, patterns):
            self._wanted[site] = len(sample) + self._full
            self._stats.inc_value(Stat.SAMPLES_TOPPED_UP)
            logger.info(
                "Fewer than %d of %d pages of %s are distinct: it is learned when there are %d.",
                self._least,
                len(sample),
                site,
                self._wanted[site],
            )
            if self._shared is not None:
                self._shared.give_back(site)
            return
        self._patterns.add(site, patterns)
        self._sampled.pop(site, None)
        self._wanted.pop(site, None)
        self._learned(LearnedSite(site, len(sample), patterns, time.monotonic() - started, failed))

    def _has_to_be_topped_up(self, site: str, patterns: PatternSet) -> bool:
        """Whether too few pages of a sample are distinct: copies, soft errors, walls of consent, shells of scripts.

        Only learners of one pattern for all pages of a site tell how many are: in its ``support``.
        """
        found = patterns.patterns
        if self._is_last or self._wanted.get(site, 0) > MAX_TOP_UPS * self._full:
            return False
        return all(pattern.site_wide for pattern in found) and sum(each.support for each in found) < self._least
