"""What a crawl knows of sites: the patterns of its file and those that it has learned since; and saving them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.compat import Change, call_later, run_in_thread, spawn
from scrapy_stemmer.crawl.reporting import report
from scrapy_stemmer.patternset import PatternSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.statscollectors import StatsCollector
    from twisted.internet.defer import Deferred


KEPT_SITES = 100
"""So many sites that were learned are kept in memory; a site takes up to some MB."""

REST = 9
"""After a save the next one waits so many times as long as the save took: a crawl that learns many sites spends at
most a tenth of its time in writing, however large the file becomes."""


class Knowledge:
    """The patterns of each site.

    :param loaded: what the pattern file holds.
    :param relearn: whether sites of the file are to be learned again.
    """

    def __init__(self, loaded: PatternSet, *, relearn: bool = False) -> None:
        self._loaded = loaded
        self._learned: dict[str, PatternSet] = {}
        self._known: set[str] = set() if relearn else set(loaded.sites)

    def knows(self, site: str) -> bool:
        """Whether nothing more is to be learned of a site in this crawl, even if it has no patterns."""
        return site in self._known

    @property
    def sites_known(self) -> int:
        """The number of sites that are known."""
        return len(self._known)

    def settle(self, sites: Iterable[str]) -> None:
        """Take sites for known as they are."""
        self._known.update(sites)

    def add(self, site: str, patterns: PatternSet) -> None:
        """Take a site for known, by these patterns; when there are none, those of the file stay in use.

        What somebody has corrected by hand in those of the file holds for the new ones too.
        """
        self._known.add(site)
        if len(patterns):
            self._learned[site] = patterns.corrected_by(self._loaded.of_site(site))

    def of_site(self, site: str) -> PatternSet:
        """A set that holds the patterns of a site, among others."""
        return self._learned.get(site, self._loaded)

    def merged(self) -> PatternSet:
        """All patterns: the file's, with those that were learned in their places."""
        # The copy lets the crawl go on learning while a thread writes.
        return self._loaded.replace(*dict(self._learned).values())

    def save(self, uri: str) -> None:
        """Write all patterns; may be called in a thread.

        What has been learned is then used from there, when it is much: a set of patterns that was loaded holds in
        memory only what was used last.

        :raises PatternFileError: when they can't be written, or read again.
        """
        learned = dict(self._learned)
        self._loaded.replace(*learned.values()).save(uri)
        if len(learned) > KEPT_SITES:
            self._loaded = PatternSet.load(uri)
            for site, patterns in learned.items():
                if self._learned.get(site) is patterns:
                    del self._learned[site]


class PatternWriter:
    """Saves the patterns off the event loop; what is learned during a save goes into the next one.

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
        self._done = Change()
        self._rested = Change()
        self._rested_at = 0.0  # by the clock of time.monotonic
        self._is_last = False

    def request(self, *sites: str) -> None:
        """See to it that the patterns of these sites, and of those that could not be saved before, are saved."""
        self._unsaved += sites
        if self._unsaved and not self._running:
            self._running = True
            self._task = spawn(self._run())

    async def finish(self) -> None:
        """Wait until everything is saved; what failed is tried once more, and what fails then is logged."""
        self._is_last = True
        self._rested.notify()
        await self._idle()
        self.request()
        await self._idle()

    async def _idle(self) -> None:
        while self._running:
            await self._done.wait()

    async def _run(self) -> None:
        while self._unsaved:
            await self._wait()
            if not await self._save_once():
                break
        self._running = False
        self._done.notify()

    async def _wait(self) -> None:
        """Let the time go by that lies between two saves."""
        seconds = self._rested_at - time.monotonic()
        if seconds > 0 and not self._is_last:
            call_later(seconds, self._rested.notify)
            await self._rested.wait()

    async def _save_once(self) -> bool:
        sites, self._unsaved = self._unsaved, []
        started = time.monotonic()
        try:
            await run_in_thread(self._save)
            self._rested_at = time.monotonic() + REST * (time.monotonic() - started)
            for site in sites:
                self._saved(site)
        except Exception as error:
            self._unsaved = sites + self._unsaved
            report(self._stats, error, f"saving the patterns of {len(sites)} sites (this crawl uses them)")
            return False
        return True
