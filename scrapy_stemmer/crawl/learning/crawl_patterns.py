"""Patterns of a crawl: loaded or learned, when they are saved, and where if the store refuses them."""

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
"""Pause after saving a pattern file, as a multiple of the time taken: writing takes at most a tenth of a crawl's time,
however large the file becomes."""

MAX_SAVED_NAMED = 5  # most sites in a log message

MAX_SAVE_PAUSE = 60.0  # most seconds between attempts to save


class CrawlPatterns:
    """The patterns of each site in a crawl.

    :param memory: bytes for patterns in memory and results of pages, of all sites together.
    :param conflict: called with each site that somebody else has changed in the store too, perhaps in a thread.
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
        self.cache = PatternCache(folder)  # texts of saved patterns, parsed again when used
        # Patterns in use instead of the loaded ones: learned here and in memory until saved, or learned by other
        # crawls.
        self._learned: dict[str, PatternSet] = {}
        self._unsaved: dict[str, PatternSet] = {}  # learned patterns without corrections, for the next save
        # Hashes of each site's entry in the store, as last read or written by this crawl.
        self._digests: dict[str, bytes] = {}
        self._broken: set[str] = set()  # sites found unreadable in the pattern file
        # Sites that this crawl has put into the store, with hashes of their earlier entries.
        self._written: dict[str, set[bytes]] = {}
        self._lock = Lock()  # for _learned and _unsaved: the crawl learns while a thread saves
        self._unsaved_file: Path | None = None  # the file of unsaved patterns while the store fails

    def add(self, site: str, patterns: PatternSet, *, beside: bool = False) -> None:
        """Use the patterns learned of a site: with the corrections made by hand in the file, or ``beside`` the earlier
        patterns."""
        if not len(patterns):
            return
        earlier = self.of_site(site)
        if beside:
            self.replace(site, added(earlier, patterns.patterns))
        else:
            self.replace(site, corrected(patterns.patterns, earlier), patterns)

    def replace(self, site: str, patterns: Iterable[Pattern], unsaved: PatternSet | None = None) -> None:
        """Replace the patterns of a site; ``unsaved`` are the patterns for the store, which corrects them again."""
        learned = PatternSet(patterns)
        with self._lock:
            self._learned[site] = learned.within(self._memory)
            self._unsaved[site] = unsaved or learned

    @property
    def unsaved(self) -> frozenset[str]:
        return frozenset(self._unsaved)

    @property
    def written(self) -> Collection[str]:
        return self._written.keys()

    def is_loaded(self, site: str) -> bool:
        is_loaded = bool(self._loaded.of_site(site))
        if self._loaded.has(site) and not is_loaded:
            self._broken.add(site)
        return is_loaded

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        return self._learned.get(site, self._loaded).of_site(site)

    def take(self, site: str, patterns: SitePatterns | None) -> bool:
        """Use the patterns that other crawls learned of a site, and return true if they are new. Patterns of this crawl
        not yet saved take precedence."""
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
        """Save the patterns learned since the last save, and return their sites. On failure the patterns go into a file
        named in the error."""
        unsaved = dict(self._unsaved)  # A copy: the crawl goes on learning while a thread writes.
        try:
            # The learned patterns of each site, with this crawl's digest of the site in the store.
            known = {site: self._known(site) for site in unsaved}
            merged = store.merge({site: Change(own.of_site(site), known[site]) for site, own in unsaved.items()})
        except (PatternFileError, StoreUnavailable) as error:
            raise self._put_into_file(store, error) from error
        for site, patterns in unsaved.items():
            there, cached = merged.sites[site], self._learned[site]
            if there.error is None:  # otherwise somebody is editing the site
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
            self._log_written([site for site in unsaved if merged.sites[site].error is None], store.uri)
            self.reclaim(merged.sites, store.uri)
        if self._unsaved_file is not None:
            logger.info("What was in %s is in the pattern store now", self._unsaved_file)
            self._unsaved_file.unlink(missing_ok=True)
            self._unsaved_file = None
        return list(unsaved)

    def _log_written(self, sites: Sequence[str], uri: str) -> None:
        if sites:
            more = f" and {len(sites) - MAX_SAVED_NAMED} more" if len(sites) > MAX_SAVED_NAMED else ""
            logger.info("Written to %s: %s%s", uri, ", ".join(sites[:MAX_SAVED_NAMED]), more)

    def _known(self, site: str) -> bytes | None:
        """Return the digest of a site in the store as known to this crawl; ``b""`` for a site broken since."""
        is_being_edited = site in self._loaded.broken and site not in self._broken
        return self._digests.get(site) or (b"" if is_being_edited else self._loaded.digest_of(site))

    def reclaim(self, there: Mapping[str, SitePatterns], uri: str) -> None:
        """Have sites saved again that were written by this crawl and are gone or restored to an earlier state, since
        somebody saved an older text of the file in an editor."""
        gone = sorted(
            site
            for site, before in self._written.items()
            if site not in self._unsaved and (site not in there or (before and there[site].digest in before))
        )
        if gone:
            text = "%s has lost sites that this crawl had written, as when an older text is saved in an editor: %s. %s"
            logger.warning(text, uri, ", ".join(gone), "They are written again.")
        with self._lock:
            self._unsaved |= {site: self._learned[site] for site in gone}

    def _put_into_file(self, store: PatternStore, error: PatternFileError | StoreUnavailable) -> StemmerError:
        """Put unsaved patterns into another file, beside the store or in the crawl's folder, and return an error with
        its path."""
        sites, places = list(self._unsaved), [self._folder() / "patterns.jsonl"]
        learned = [pattern for site in sites for pattern in self._learned[site].of_site(site)]
        if isinstance(store, FileStore):
            places.insert(0, store.path)
        message = ""
        for path in [self._unsaved_file] if self._unsaved_file is not None else map(renamed_path, places):
            try:
                save_under_other_name(learned, path)
            except OSError as another:
                message += f"Nor could what was learned be put into {path}: {another}. "
            else:
                self._unsaved_file = path
                message = (
                    f"What this crawl has learned of {len(sites)} sites is in {path} until the pattern store can be "
                    f"used again. After the crawl: scrapy stemmer merge {store.uri} {path} -o {store.uri}"
                )
                break
        if isinstance(error, StoreUnavailable):
            return StoreUnavailable(f"{error.message} {message}", uri=store.uri)
        return PatternFileError(f"{error.message} {message}", uri=store.uri, line=error.line, field=error.field)


class PatternWriter:
    """Writer of the store, in a thread. Patterns learned during a save, or not saved by a failure, go into the next
    save."""

    def __init__(
        self, patterns: CrawlPatterns, store: PatternStore, saved: Callable[[str], None], stats: StatsCollector
    ) -> None:
        # A shared store writes single sites; a pattern file is written as a whole, so saves are few.
        self._pause_factor = 0 if isinstance(store, SharedStore) else SAVE_PAUSE_FACTOR
        self._patterns, self._store, self._saved, self._stats = patterns, store, saved, stats
        self._running = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._changed = Condition()
        self._is_last = False

    def request(self) -> None:
        if self._patterns.unsaved and not self._running:
            self._running = True
            self._task = run_in_background(self._run())

    async def finish(self) -> None:
        """Wait until everything is saved; a failed save is tried once more."""
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
                pause = min(MAX_SAVE_PAUSE, 2.0 ** min(failures, 10))
                report_error(self._stats, error, f"saving the patterns of {len(unsaved)} sites (this crawl uses them)")
                if is_last and failures > 1:
                    break
            if pause and not self._is_last:
                await self._changed.wait(pause)
        self._running = False
        self._changed.notify()
