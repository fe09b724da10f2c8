"""What a crawl knows of sites: the patterns of its file and those that it has learned since; and saving them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.compat import Change, run_in_thread, spawn
from scrapy_stemmer.crawl.reporting import report
from scrapy_stemmer.patternset import PatternSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.statscollectors import StatsCollector
    from twisted.internet.defer import Deferred


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
        """Take a site for known, by these patterns; when there are none, those of the file stay in use."""
        self._known.add(site)
        if len(patterns):
            self._learned[site] = patterns

    def of_site(self, site: str) -> PatternSet:
        """A set that holds the patterns of a site, among others."""
        return self._learned.get(site, self._loaded)

    def merged(self) -> PatternSet:
        """All patterns: the file's, with those that were learned in their places."""
        # The copy lets the crawl go on learning while a thread writes.
        learned = [pattern for patterns in dict(self._learned).values() for pattern in patterns.patterns]
        return self._loaded.replace(PatternSet(learned))


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

    def request(self, *sites: str) -> None:
        """See to it that the patterns of these sites, and of those that could not be saved before, are saved."""
        self._unsaved += sites
        if self._unsaved and not self._running:
            self._running = True
            self._task = spawn(self._run())

    async def finish(self) -> None:
        """Wait until everything is saved; what failed is tried once more, and what fails then is logged."""
        await self._idle()
        self.request()
        await self._idle()

    async def _idle(self) -> None:
        while self._running:
            await self._done.wait()

    async def _run(self) -> None:
        while self._unsaved and await self._save_once():
            pass
        self._running = False
        self._done.notify()

    async def _save_once(self) -> bool:
        sites, self._unsaved = self._unsaved, []
        try:
            await run_in_thread(self._save)
            for site in sites:
                self._saved(site)
        except Exception as error:
            self._unsaved = sites + self._unsaved
            report(self._stats, error, f"saving the patterns of {len(sites)} sites (this crawl uses them)")
            return False
        return True
