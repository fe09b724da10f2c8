"""The patterns of a crawl: those of its store and those that it has learned since; and saving them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock

from scrapy.statscollectors import StatsCollector
from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread
from scrapy_stemmer.crawl.stats import report_error, reporting
from scrapy_stemmer.exceptions import PatternFileError, StemmerError, StoreUnavailable
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import MEMORY, PatternMemory, PatternSet
from scrapy_stemmer.stores.base import Change, Conflict, PatternStore, SitePatterns, added, corrected
from scrapy_stemmer.stores.file import FileStore, renamed_path, save_under_other_name
from scrapy_stemmer.stores.shared import PatternCache, SharedStore, text_of

logger = logging.getLogger("scrapy_stemmer")

SAVE_PAUSE_FACTOR = 9
"""After a save of a pattern file the next one waits this many times as long as the save took: a crawl that learns many
sites spends at most a tenth of its time in writing, however large the file becomes."""

NAMED = 5  # sites that the log names with each save

MAX_BACKOFF = 60.0  # seconds between two attempts to save, at most, where one fails after the other


class CrawlPatterns:
    """The patterns of each site in a crawl.

    :param loaded: the patterns of the pattern file; none of a store that is followed.
    :param memory: bytes for what is read of patterns, and remembered of pages, of all sites together.
    :param conflict: called with each site that somebody else has changed in the store too; may be called in a thread.
    :param folder: gives the directory for what can't be saved, and for a temporary file.
    """

    def __init__(
        self,
        loaded: PatternSet,
        *,
        memory: int = MEMORY,
        conflict: Callable[[Conflict], None] = lambda _: None,
        folder: Callable[[], Path] = Path,
    ) -> None:
        self._memory = PatternMemory(memory)
        self._loaded = loaded.within(self._memory)
        self._conflict = conflict
        self._folder = folder
        self.cache = PatternCache(folder)  # of patterns that are read again when they are used
        # Those in use in place of what was loaded: learned, and in memory until they are saved; or learned by others.
        self._learned: dict[str, PatternSet] = {}
        # As they were learned, without corrections: what the next save puts into the store.
        self._unsaved: dict[str, PatternSet] = {}
        # What the store has of sites, by a hash, as far as this crawl has read or written it.
        self._digests: dict[str, bytes] = {}
        self._broken: set[str] = set()  # sites of the pattern file that could not be read when the crawl came to them
        # The sites that this crawl has put into the store, with hashes of what that had of them before.
        self._written: dict[str, set[bytes]] = {}
        self._lock = Lock()  # for a site in these two: a save in a thread, and what is learned meanwhile
        self._aside: Path | None = None  # where the unsaved ones are, as long as the store can't be used

    def add(self, site: str, patterns: PatternSet, *, beside: bool = False) -> None:
        """Use the patterns that were learned of a site, with what somebody has corrected by hand in those of the file,
        or beside these; when there are none, those that it has stay in use."""
        if not len(patterns):
            return
        earlier = self.of_site(site)
        if beside:
            self.replace(site, added(earlier, patterns.patterns))
        else:
            self.replace(site, corrected(patterns.patterns, earlier), patterns)

    def replace(self, site: str, patterns: Iterable[Pattern], unsaved: PatternSet | None = None) -> None:
        """Use these patterns of a site from now on; ``unsaved`` is what is written to the store, which corrects it once
        more."""
        learned = PatternSet(patterns)
        with self._lock:
            self._learned[site] = learned.within(self._memory)
            self._unsaved[site] = unsaved or learned

    @property
    def unsaved(self) -> frozenset[str]:
        """The sites whose patterns are yet to be put into the store."""
        return frozenset(self._unsaved)

    @property
    def written(self) -> Collection[str]:
        """The sites that this crawl has put into the store."""
        return self._written.keys()

    def is_loaded(self, site: str) -> bool:
        """Whether the pattern file has a site, and it can be read."""
        is_loaded = bool(self._loaded.of_site(site))
        if self._loaded.has(site) and not is_loaded:
            self._broken.add(site)
        return is_loaded

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        """The patterns of a site; empty when there are none that can be read."""
        return self._learned.get(site, self._loaded).of_site(site)

    def take(self, site: str, patterns: SitePatterns | None) -> bool:
        """Use what others have learned of a site, unless this crawl has something to save; whether it is new. Of what
        can't be read is noted that it is there, so that it is replaced when this crawl learns the site."""
        if patterns is None or site in self._unsaved:
            return False
        digest = patterns.digest
        if digest == self._digests.get(site):
            return False
        self._digests[site] = digest
        if patterns.error is None:
            self._learned[site] = PatternSet.of_sites({site: patterns}).within(self._memory)
        return patterns.error is None

    def save(self, store: PatternStore) -> list[str]:
        """Put what has been learned since the last save into the store, and give its sites; may be called in a thread.
        All other sites stay as they are there, whoever has written them. What can't be put there is put into a file,
        which the error names."""
        # A copy: the crawl goes on learning while a thread writes.
        unsaved = dict(self._unsaved)
        try:
            # What was learned of each site, with what is known of the site in the file.
            known = {site: self._known(site) for site in unsaved}
            merged = store.merge({site: Change(own.of_site(site), known[site]) for site, own in unsaved.items()})
        except (PatternFileError, StoreUnavailable) as error:
            raise self._put_aside(store, error) from error
        for site, patterns in unsaved.items():
            there, cached = merged.sites[site], self._learned[site]
            if there.error is None:  # else somebody is at work on them there
                digest = self._digests[site] = there.digest
                before = {earlier for earlier in (known[site],) if earlier}
                self._written[site] = (self._written.get(site, set()) | before) - {digest}
                read_again = self.cache.put(site, text_of(there), store.uri)
                cached = PatternSet.of_sites({site: read_again}).within(self._memory)
            with self._lock:
                if self._unsaved.get(site) is patterns:
                    self._learned[site] = cached
                    del self._unsaved[site]
        for conflict in merged.conflicts:
            self._conflict(conflict)
        if isinstance(store, FileStore):
            self._tell_written([site for site in unsaved if merged.sites[site].error is None], store.uri)
            self.reclaim(merged.sites, store.uri)
        if self._aside is not None:
            logger.info("What was in %s is in the pattern store now", self._aside)
            self._aside.unlink(missing_ok=True)
            self._aside = None
        return list(unsaved)

    def _tell_written(self, sites: Sequence[str], uri: str) -> None:
        """Log a write to a pattern file."""
        if sites:
            more = f" and {len(sites) - NAMED} more" if len(sites) > NAMED else ""
            logger.info("Written to %s: %s%s", uri, ", ".join(sites[:NAMED]), more)

    def _known(self, site: str) -> bytes | None:
        """The digest of what this crawl knows of a site in the store; of none, where somebody has broken it since."""
        is_being_edited = site in self._loaded.broken and site not in self._broken
        return self._digests.get(site) or (b"" if is_being_edited else self._loaded.digest_of(site))

    def reclaim(self, there: Mapping[str, SitePatterns], uri: str) -> None:
        """Have those sites saved again that this crawl has written, and that are gone from what the store has, or as
        they were before: somebody has saved an older text of the file in an editor."""
        gone = sorted(
            site
            for site, before in self._written.items()
            if site not in self._unsaved and (site not in there or (before and there[site].digest in before))
        )
        if gone:
            told = "%s has lost sites that this crawl had written, as when an older text is saved in an editor: %s. %s"
            logger.warning(told, uri, ", ".join(gone), "They are written again.")
        with self._lock:
            self._unsaved |= {site: self._learned[site] for site in gone}

    def _put_aside(self, store: PatternStore, error: PatternFileError | StoreUnavailable) -> StemmerError:
        """Put what is not saved into another file, beside it or in the crawl's folder; an error that names that."""
        sites, places = list(self._unsaved), [self._folder() / "patterns.jsonl"]
        learned = [pattern for site in sites for pattern in self._learned[site].of_site(site)]
        if isinstance(store, FileStore):
            places.insert(0, store.path)
        told = ""
        for path in [self._aside] if self._aside is not None else map(renamed_path, places):
            try:
                save_under_other_name(learned, path)
            except OSError as another:
                told += f"Nor could what was learned be put into {path}: {another}. "
            else:
                self._aside = path
                told = (
                    f"What this crawl has learned of {len(sites)} sites is in {path} until the pattern store can be "
                    f"used again. After the crawl: scrapy stemmer merge {store.uri} {path} -o {store.uri}"
                )
                break
        if isinstance(error, StoreUnavailable):
            return StoreUnavailable(f"{error.message} {told}", uri=store.uri)
        return PatternFileError(f"{error.message} {told}", uri=store.uri, line=error.line, field=error.field)


class PatternWriter:
    """The writer of the store, in a thread; what is learned during a save goes into the next one, what fails too.
    ``saved`` is called with each site whose patterns are then in the store."""

    def __init__(
        self, patterns: CrawlPatterns, store: PatternStore, saved: Callable[[str], None], stats: StatsCollector
    ) -> None:
        # A shared store writes each site by itself; each save of a file writes all there is, so that saves are few.
        self._pause_factor = 0 if isinstance(store, SharedStore) else SAVE_PAUSE_FACTOR
        self._patterns, self._store, self._saved, self._stats = patterns, store, saved, stats
        self._running = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._changed = Condition()
        self._is_last = False

    def request(self) -> None:
        """Have all patterns saved that are not."""
        if self._patterns.unsaved and not self._running:
            self._running = True
            self._task = run_in_background(self._run())

    async def finish(self) -> None:
        """Wait until everything is saved; what failed is tried once more, and what fails then is logged."""
        self._is_last = True
        if not self._running and self._pause_factor and self._patterns.written:
            with reporting(self._stats, "looking for what this crawl has saved", PatternFileError):
                await run_in_thread(self._reclaim)
            self.request()
        self._changed.notify()
        while self._running:
            await self._changed.wait()

    def _reclaim(self) -> None:
        there = self._store.open() if self._store.exists() else {}
        self._patterns.reclaim(there, self._store.uri)

    async def _run(self) -> None:
        failures = 0
        while unsaved := self._patterns.unsaved:
            is_last, started = self._is_last, time.monotonic()
            try:
                sites = await run_in_thread(self._patterns.save, self._store)
                failures, pause = 0, self._pause_factor * (time.monotonic() - started)
                for site in sites:
                    self._saved(site)
            except Exception as error:
                failures += 1
                pause = min(MAX_BACKOFF, 2.0 ** min(failures, 10))
                report_error(self._stats, error, f"saving the patterns of {len(unsaved)} sites (this crawl uses them)")
                if is_last and failures > 1:
                    break
            if pause and not self._is_last:
                await self._changed.wait(pause)
        self._running = False
        self._changed.notify()
