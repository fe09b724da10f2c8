"""The patterns of a crawl: those of its pattern file and those that it has learned since; and saving them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.compat import Condition, call_later, run_in_background, run_in_thread
from scrapy_stemmer.crawl.stats import report_error
from scrapy_stemmer.drift import added
from scrapy_stemmer.patternset import PatternSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.statscollectors import StatsCollector
    from twisted.internet.defer import Deferred

    from scrapy_stemmer.patterns.base import Pattern


MAX_LEARNED_IN_MEMORY = 100
"""Sites that were learned and are kept in memory, at most; a site takes up to some MB."""

SAVE_PAUSE_FACTOR = 9
"""After a save the next one waits this many times as long as the save took: a crawl that learns many sites spends at
most a tenth of its time in writing, however large the file becomes."""


class CrawlPatterns:
    """The patterns of each site in a crawl, and which sites need not be learned.

    :param loaded: the patterns of the pattern file.
    :param relearn: whether sites of the file are to be learned again.
    """

    def __init__(self, loaded: PatternSet, *, relearn: bool = False) -> None:
        self._loaded = loaded
        self._learned: dict[str, PatternSet] = {}
        self._known: set[str] = set() if relearn else set(loaded.sites)
        self._reopened: set[str] = set()

    def is_known(self, site: str) -> bool:
        """Whether nothing more is to be learned of a site in this crawl, even if it has no patterns."""
        return site in self._known

    @property
    def sites_known(self) -> int:
        """The number of sites that are known."""
        return len(self._known)

    def mark_known(self, sites: Iterable[str]) -> None:
        """Take sites for known with the patterns that they have."""
        self._known.update(sites)

    def add(self, site: str, patterns: PatternSet) -> None:
        """Take a site for known, by these patterns; when there are none, those of the file stay in use.

        What somebody has corrected by hand in those of the file holds for the new ones too. Those of a site that was
        reopened stand beside the ones that it has.
        """
        self._known.add(site)
        is_beside = site in self._reopened
        self._reopened.discard(site)
        if len(patterns) and is_beside:
            self.replace(site, added(self.of_site(site), patterns.patterns))
        elif len(patterns):
            self._learned[site] = patterns.corrected_by(self._loaded.of_site(site))

    def replace(self, site: str, patterns: Iterable[Pattern]) -> None:
        """Use these patterns of a site instead of those that there are."""
        self._learned[site] = PatternSet(patterns)

    def reopen(self, site: str) -> None:
        """Have a site that is known learned once more, beside the patterns that it has."""
        self._known.discard(site)
        self._reopened.add(site)

    def is_reopened(self, site: str) -> bool:
        """Whether a site is being learned once more."""
        return site in self._reopened

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        """The patterns of a site; empty when there are none.

        :raises PatternFileError: when those of the pattern file can't be read.
        """
        learned = self._learned.get(site)
        # Asked in this order, since a thread that saves puts what is learned into the file before it removes it here.
        return (self._loaded if learned is None else learned).of_site(site)

    def save(self, uri: str) -> None:
        """Write all patterns; may be called in a thread.

        When much has been learned, it is read from the file from then on, which holds in memory only the sites that
        were used last.

        :raises PatternFileError: when they can't be written, or read again.
        """
        # A copy: the crawl goes on learning while a thread writes.
        learned = dict(self._learned)
        self._loaded.replace(*learned.values()).save(uri)
        if len(learned) > MAX_LEARNED_IN_MEMORY:
            self._loaded = PatternSet.load(uri)
            for site, patterns in learned.items():
                if self._learned.get(site) is patterns:
                    del self._learned[site]


class PatternWriter:
    """The writer of the pattern file, in a thread; what is learned during a save goes into the next one.

    :param save: writes all patterns; called in a thread.
    :param saved: called with each site whose patterns are then in the file.
    :param stats: counts errors.
    """

    def __init__(self, save: Callable[[], None], saved: Callable[[str], None], stats: StatsCollector) -> None:
        self._save = save
        self._saved = saved
        self._stats = stats
        self._unsaved: list[str] = []
        self._running = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._done = Condition()
        self._pause_over = Condition()
        self._next_save = 0.0  # by the clock of time.monotonic
        self._is_last = False

    def request(self, *sites: str) -> None:
        """Have the patterns of these sites saved, and those of sites that could not be saved before."""
        self._unsaved += sites
        if self._unsaved and not self._running:
            self._running = True
            self._task = run_in_background(self._run())

    async def finish(self) -> None:
        """Wait until everything is saved; what failed is tried once more, and what fails then is logged."""
        self._is_last = True
        self._pause_over.notify()
        await self._idle()
        self.request()
        await self._idle()

    async def _idle(self) -> None:
        while self._running:
            await self._done.wait()

    async def _run(self) -> None:
        while self._unsaved:
            await self._pause()
            if not await self._save_once():
                break
        self._running = False
        self._done.notify()

    async def _pause(self) -> None:
        """Wait as long as two saves are to be apart."""
        seconds = self._next_save - time.monotonic()
        if seconds > 0 and not self._is_last:
            call_later(seconds, self._pause_over.notify)
            await self._pause_over.wait()

    async def _save_once(self) -> bool:
        sites, self._unsaved = self._unsaved, []
        started = time.monotonic()
        try:
            await run_in_thread(self._save)
            self._next_save = time.monotonic() + SAVE_PAUSE_FACTOR * (time.monotonic() - started)
            for site in sites:
                self._saved(site)
        except Exception as error:
            self._unsaved = sites + self._unsaved
            report_error(self._stats, error, f"saving the patterns of {len(sites)} sites (this crawl uses them)")
            return False
        return True
