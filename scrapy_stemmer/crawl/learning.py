"""When a site has enough pages: learn its patterns off the event loop, one site at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_stemmer.core.page import Page
from scrapy_stemmer.crawl.anchors import url_key
from scrapy_stemmer.crawl.compat import Change, breathe, often_switching, run_in_thread, spawn, without_collection
from scrapy_stemmer.crawl.names import Stat
from scrapy_stemmer.crawl.pages import PackedPage, expanded_size
from scrapy_stemmer.crawl.reporting import report
from scrapy_stemmer.patternset import PatternSet

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector
    from twisted.internet.defer import Deferred

    from scrapy_stemmer.crawl.knowledge import Knowledge
    from scrapy_stemmer.crawl.sample import Spool, StoredPage

MAX_SAMPLED_CHARS = 10_000_000
"""Larger pages are not learned from (Webstemmer's crawler dropped pages over 1 MB); they are still stripped."""

MAX_READING = 0.005
"""Seconds for which a sample is read from the spool before other things have their turn."""

UNCOLLECTED_BYTES = 10_000_000
"""Samples of at most so many bytes, which take less than half a second, are learned while Python doesn't look for
garbage. Not larger ones: what a crawl has done with would stay for too long, as Scrapy's responses are in cycles."""


@dataclass(frozen=True, slots=True)
class SampleSizes:
    """How many pages are learned from.

    :param full: as soon as a site has so many, it is learned.
    :param least: when there is nothing left to crawl, sites with so many are learned too.
    """

    full: int
    least: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has come of learning a site.

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


class Learning:
    """The sample of each site, and the queue of sites to be learned.

    :param spool: keeps the pages.
    :param knowledge: is given what is learned.
    :param sizes: when sites are learned.
    :param learn: gives the patterns of one site's pages; called in a thread.
    :param learned: called with what has come of each site, on the event loop.
    :param stats: counts.
    """

    def __init__(
        self,
        spool: Spool,
        knowledge: Knowledge,
        sizes: SampleSizes,
        learn: Callable[[Sequence[Page]], PatternSet],
        learned: Callable[[Outcome], None],
        stats: StatsCollector,
    ) -> None:
        self._spool = spool
        self._knowledge = knowledge
        self._sizes = sizes
        self._learn = learn
        self._learned = learned
        self._stats = stats
        self._sampled = spool.sample_sizes()
        self._queue: dict[str, None] = {}  # in order
        self._working = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._stopped = False
        self.changed = Change()
        """Fires when a site has been learned, and when there is nothing left to learn."""

    @property
    def busy(self) -> bool:
        """Whether a site is being learned, or waits for that."""
        return self._working

    def resume(self) -> None:
        """Learn the sites that had enough pages when the crawl was paused."""
        self._learn_from(self._sizes.full)

    def learn_the_rest(self) -> None:
        """Learn all sites that have at least the smallest sample."""
        self._learn_from(self._sizes.least)

    @property
    def learnable(self) -> list[str]:
        """The sites that have at least the smallest sample and are not known yet."""
        return self._with_at_least(self._sizes.least)

    @property
    def unlearned(self) -> int:
        """The number of sites with pages that are not known."""
        return len(self._sampled)

    def sample(
        self,
        site: str,
        url: str,
        text: str,
        redirected: Iterable[str] = (),
        *,
        digest: bytes | None = None,
    ) -> int | None:
        """Put a page into the sample of its site, unless it is there already or the sample is full.

        :param redirected: the URLs that led to the page by redirection.
        :param digest: a hash of its content, see :meth:`Spool.add_page`.
        :returns: its id, if it has been put there now; it stays in the spool until the site is known.
        """
        if self._knowledge.knows(site) or self._sampled.get(site, 0) >= self._sizes.full:
            return None
        if len(text) > MAX_SAMPLED_CHARS:
            self._stats.inc_value(Stat.PAGES_TOO_LARGE)
            return None
        page = self._spool.add_page(site, url, url_key(url), text, aliases=map(url_key, redirected), digest=digest)
        if not self._spool.take_into_sample(page):
            return None
        self._sampled[site] = self._sampled.get(site, 0) + 1
        self._stats.inc_value(Stat.PAGES_SAMPLED)
        self._learn_from(self._sizes.full, [site])
        return page

    async def stop(self) -> None:
        """Wait for the site that is being learned; learn no other."""
        self._stopped = True
        self._queue.clear()
        while self._working:
            await self.changed.wait()

    def _with_at_least(self, pages: int) -> list[str]:
        return [site for site, count in self._sampled.items() if count >= pages and not self._knowledge.knows(site)]

    def _learn_from(self, pages: int, sites: Iterable[str] | None = None) -> None:
        for site in self._with_at_least(pages) if sites is None else sites:
            if self._sampled[site] >= pages and site not in self._queue and not self._stopped:
                self._queue[site] = None
        if self._queue and not self._working:
            self._working = True
            self._task = spawn(self._work())

    async def _work(self) -> None:
        while self._queue:
            # Left in the queue while it is learned, so that it isn't queued again.
            site = next(iter(self._queue))
            await self._learn_site(site)
            self._queue.pop(site, None)
            self.changed.notify()
        self._working = False
        self.changed.notify()

    async def _learn_site(self, site: str) -> None:
        started = time.monotonic()
        pages, patterns, failed = 0, PatternSet(), False
        try:
            stored = await self._stored(site)
            pages = len(stored)
            patterns = await run_in_thread(self._learn_stored, stored)
        except Exception as error:
            failed = True
            report(self._stats, error, f"learning {site} (its items pass unmatched)")
        self._knowledge.add(site, patterns)
        self._sampled.pop(site, None)
        self._settle(Outcome(site, pages, patterns, time.monotonic() - started, failed))

    async def _stored(self, site: str) -> list[StoredPage]:
        """The sample of a site; large pages take their time to be read."""
        stored: list[StoredPage] = []
        until = time.monotonic() + MAX_READING
        for page in self._spool.pages_of_sample(site):
            stored.append(page)
            if time.monotonic() > until:
                await breathe()
                until = time.monotonic() + MAX_READING
        return stored

    def _learn_stored(self, stored: Sequence[StoredPage]) -> PatternSet:
        size = sum(expanded_size(page.body) for page in stored)
        pages = [PackedPage(page.url, anchors=page.anchors, body=page.body) for page in stored]
        with often_switching(), without_collection() if size <= UNCOLLECTED_BYTES else nullcontext():
            return self._learn(pages)

    def _settle(self, outcome: Outcome) -> None:
        try:
            self._learned(outcome)
        except Exception as error:
            report(self._stats, error, f"settling {outcome.site}")
