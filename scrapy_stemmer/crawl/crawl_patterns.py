"""The patterns of a crawl: those of its pattern file and those that it has learned since; and saving them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.compat import Condition, call_later, run_in_background, run_in_thread
from scrapy_stemmer.crawl.drift import added
from scrapy_stemmer.crawl.stats import report_error
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patternset import MEMORY, PatternMemory, PatternSet
from scrapy_stemmer.stores.by_uri import open_store
from scrapy_stemmer.stores.merging import Change, Conflict
from scrapy_stemmer.stores.patternfile import BYTES_PER_BYTE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.statscollectors import StatsCollector
    from twisted.internet.defer import Deferred

    from scrapy_stemmer.patterns.base import Pattern

logger = logging.getLogger("scrapy_stemmer")

LEARNED_SHARE = 0.25
"""Share of the budget of memory that learned sites may take before they are read from the file, as all others are."""

SAVE_PAUSE_FACTOR = 9
"""After a save the next one waits this many times as long as the save took: a crawl that learns many sites spends at
most a tenth of its time in writing, however large the file becomes."""


class CrawlPatterns:
    """The patterns of each site in a crawl, and which sites need not be learned.

    :param loaded: the patterns of the pattern file.
    :param relearn: whether sites of the file are to be learned again.
    :param memory: bytes for what is read of the file, and remembered of pages, of all sites together.
    :param conflict: called with each site that somebody else has changed in the file too; may be called in a thread.
    """

    def __init__(
        self,
        loaded: PatternSet,
        *,
        relearn: bool = False,
        memory: int = MEMORY,
        conflict: Callable[[Conflict], None] = lambda _: None,
    ) -> None:
        self._memory = PatternMemory(memory)
        self._loaded = loaded.within(self._memory)
        self._known: set[str] = set() if relearn else set(loaded.sites)
        self._conflict = conflict
        # As they are used: those that are in memory, and those that are read from the file as it was last saved.
        self._learned: dict[str, PatternSet] = {}
        self._saved = PatternSet()
        # As they were learned, without corrections: what the next save puts into the file.
        self._unsaved: dict[str, PatternSet] = {}
        # Of the sites that were saved: a hash of what was written; the bytes of those that are in memory all the same.
        self._digests: dict[str, bytes] = {}
        self._sizes: dict[str, int] = {}
        self._aside: str | None = None
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
        if not len(patterns):
            return
        try:
            earlier = self.of_site(site)
        except PatternFileError as error:
            logger.warning("What was corrected by hand of %s is not used in this crawl: %s", site, error)
            earlier = ()
        if is_beside:
            self.replace(site, added(earlier, patterns.patterns))
            return
        self._learned[site] = patterns.corrected_by(earlier).within(self._memory)
        self._unsaved[site] = patterns

    def replace(self, site: str, patterns: Iterable[Pattern]) -> None:
        """Use these patterns of a site instead of those that there are."""
        found = PatternSet(patterns)
        self._learned[site] = found.within(self._memory)
        self._unsaved[site] = found

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
        # In this order, since a thread that saves puts what is learned into the file before it removes it here.
        learned = self._learned.get(site)
        if learned is not None:
            return learned.of_site(site)
        return (self._saved if site in self._digests else self._loaded).of_site(site)

    def save(self, uri: str) -> None:
        """Put what has been learned since the last save into the pattern file; may be called in a thread.

        All other sites stay as they are in the file, whoever has written them. When much has been learned, it is read
        from the file from then on. What can't be put into the file is put into another one beside it.

        :raises PatternFileError: when the file can't be read or written, or not read again.
        """
        # A copy: the crawl goes on learning while a thread writes.
        unsaved = dict(self._unsaved)
        try:
            merged = open_store(uri).merge({site: self._change(site, found) for site, found in unsaved.items()})
        except PatternFileError as error:
            raise self._put_aside(uri, error) from error
        for site, patterns in unsaved.items():
            there = merged.sites[site]
            self._digests[site] = there.digest
            self._sizes[site] = BYTES_PER_BYTE * sum(map(len, there.lines))
            if self._unsaved.get(site) is patterns:
                del self._unsaved[site]
        for conflict in merged.conflicts:
            self._conflict(conflict)
        self._remove_aside()
        if sum(self._sizes.values()) > LEARNED_SHARE * self._memory.budget:
            self._use_file(uri)

    def _use_file(self, uri: str) -> None:
        """Read what is saved from the file; sites that somebody has deleted there since stay in use in this crawl."""
        saved = PatternSet.load(uri).within(self._memory)
        there = set(saved.sites)
        for site in self._digests.keys() - there - self._learned.keys():
            self._learned[site] = PatternSet(self._saved.of_site(site)).within(self._memory)
        self._saved = saved
        for site in self._learned.keys() & there - self._unsaved.keys():
            del self._learned[site]
            self._sizes.pop(site, None)

    def _change(self, site: str, patterns: PatternSet) -> Change:
        """What was learned of a site, with what is known of the site in the file."""
        return Change(patterns.of_site(site), self._digests.get(site) or self._loaded.digest_of(site))

    def _put_aside(self, uri: str, error: PatternFileError) -> PatternFileError:
        """Put what is not saved into another file, and give an error that names it."""
        sites = list(self._unsaved)
        learned = [pattern for site in sites for pattern in self._learned[site].of_site(site)]
        before = self._aside
        try:
            self._aside = open_store(uri).write_aside(learned)
        except PatternFileError as another:
            message = f"{error.message} Nor could what was learned be put beside it: {another}"
            return PatternFileError(message, uri=uri, line=error.line, field=error.field)
        if before is not None:
            open_store(before).remove()
        return PatternFileError(
            f"{error.message} What this crawl has learned of {len(sites)} sites is in {self._aside} until the pattern "
            f"file can be used again. After the crawl: scrapy stemmer merge {uri} {self._aside} -o {uri}",
            uri=uri,
            line=error.line,
            field=error.field,
        )

    def _remove_aside(self) -> None:
        """Remove the file beside the pattern file: all is in that one now."""
        if self._aside is not None:
            logger.info("What was in %s is in the pattern file now", self._aside)
            open_store(self._aside).remove()
            self._aside = None


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
