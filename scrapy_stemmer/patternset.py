"""The patterns of many sites, which strip pages, are loaded and saved, and share a budget of memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any, Self

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, Page, PageParser
from scrapy_stemmer.patterns.base import MatchOptions, Pattern
from scrapy_stemmer.stores.base import SitePatterns, by_site, corrected
from scrapy_stemmer.stores.by_uri import open_store
from scrapy_stemmer.stores.merging import Change
from scrapy_stemmer.strip import Stripped, strip

MEMORY = 100_000_000
"""Bytes that all sites together may hold in memory, unless said otherwise."""


class PatternMemory:
    """What sites hold in memory between their pages, within one budget. May be used by several threads.

    :param budget: bytes for all sites together.
    """

    def __init__(self, budget: int = MEMORY) -> None:
        self.budget = budget
        self._lock = Lock()
        self._total = 0
        self._held: dict[str, tuple[SitePatterns, int]] = {}  # the sites used last are at the end

    def use(self, site: str, patterns: SitePatterns) -> None:
        """Note that a site is used now. The sites that were used longest ago forget what is beyond the budget.

        What a site holds grows while its page is stripped, so it is measured when the next one is used.
        """
        with self._lock:
            self._measure_last()
            before, size = self._held.pop(site, (None, 0))
            if before is not patterns:
                self._total -= size
                size = 0
            self._held[site] = patterns, size
            while self._total > self.budget:
                self._forget_oldest()
            # It may have been too large by itself.
            self._held.setdefault(site, (patterns, 0))

    def _measure_last(self) -> None:
        if self._held:
            site, (patterns, before) = self._held.popitem()
            size = patterns.held_bytes
            self._held[site] = patterns, size
            self._total += size - before

    def _forget_oldest(self) -> None:
        site = next(iter(self._held))
        patterns, size = self._held.pop(site)
        self._total -= size
        patterns.forget()


class PatternSet:
    """Patterns of any number of sites; never changes once made.

    Those of a pattern file are read when their site is used. A line that can't be read raises
    :class:`PatternFileError` then, if it has not done so when the file was loaded.

    :param patterns: the patterns, in any order.
    """

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self._by_site: Mapping[str, SitePatterns] = by_site(patterns)
        self._parser = PageParser()
        self._memory = PatternMemory()

    @classmethod
    def _of(cls, by_site: Mapping[str, SitePatterns]) -> Self:
        made = cls()
        made._by_site = by_site
        return made

    def within(self, memory: PatternMemory) -> PatternSet:
        """The same set, which shares a budget of memory with others; on its own it has 100 MB for what it reads of its
        file and remembers of pages."""
        made = PatternSet._of(self._by_site)
        made._memory = memory
        return made

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """All patterns, by site, then by falling score."""
        return tuple(pattern for of_site in self._by_site.values() for pattern in of_site.patterns)

    @property
    def sites(self) -> tuple[str, ...]:
        """The sites that have patterns, sorted."""
        return tuple(self._by_site)

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        """The patterns of a site, empty when it is unknown."""
        found = self._by_site.get(site)
        if found is None:
            return ()
        patterns = found.kept()
        self._memory.use(site, found)
        return patterns

    def digest_of(self, site: str) -> bytes | None:
        """A hash of the patterns of a site as they stand in pattern files; ``None`` when it is unknown.

        :raises PatternFileError: when they can't be read.
        """
        found = self._by_site.get(site)
        return found.digest if found is not None else None

    def replace(self, *others: PatternSet) -> PatternSet:
        """This set with the sites of other sets in place of its own; later sets take the place of earlier ones."""
        merged: dict[str, SitePatterns] = dict(self._by_site)
        for other in others:
            merged.update(other._by_site)
        return PatternSet._of({site: merged[site] for site in sorted(merged)})

    def without(self, sites: Iterable[str]) -> PatternSet:
        """This set without some sites; those that it doesn't have make no difference."""
        left = set(sites)
        return PatternSet._of({site: found for site, found in self._by_site.items() if site not in left})

    def corrected_by(self, earlier: Iterable[Pattern]) -> PatternSet:
        """This set with what somebody has corrected by hand in earlier patterns of the same sites."""
        corrections = by_site(earlier)
        if not corrections:
            return self
        known = {site: there.patterns for site, there in corrections.items()}
        sites = self._by_site.items()
        return PatternSet(each for site, found in sites for each in corrected(found.patterns, known.get(site, ())))

    def stamped(self, learned: str) -> PatternSet:
        """This set with the time ``learned`` on all patterns that have none.

        :param learned: an ISO 8601 time in UTC.
        """
        return PatternSet(pattern if pattern.learned else pattern.stamped(learned) for pattern in self.patterns)

    def strip(
        self, page: Page, options: MatchOptions | None = None, *, default_charset: str = DEFAULT_CHARSET
    ) -> Stripped:
        """Strip a page of its template; a tree in the page is not changed.

        :param options: thresholds; the defaults of extract.py when ``None``.
        :param default_charset: for bytes that declare no charset.
        :returns: what is left, with ``matched`` false when no pattern of the page's site fits.
        """
        return strip(self.of_site(page.site), Document(page, default_charset, self._parser), options)

    def save(self, uri: str) -> None:
        """Write the patterns, replacing what is there only when all is written; see also :meth:`merge_into`.

        :param uri: a file's path, or ``file:`` URI.
        :raises PatternFileError: when it can't be written.
        """
        open_store(uri).write(self._by_site.values())

    def merge_into(self, uri: str) -> None:
        """Put the patterns into a pattern file, in which all other sites stay as they are, whoever writes to it too.

        What somebody has corrected by hand there is kept, and so are patterns that were learned later than these.

        :param uri: a file's path, or ``file:`` URI; made when it isn't there.
        :raises PatternFileError: when what is there can't be read, or nothing can be written.
        """
        open_store(uri).merge({site: Change(found.patterns) for site, found in self._by_site.items()})

    @classmethod
    def load(cls, uri: str) -> Self:
        """Read patterns; of a large file only where each site's patterns are.

        :raises PatternFileError: when there are none, or they can't be read; names the line and field.
        """
        return cls._of(open_store(uri).open())

    def __len__(self) -> int:
        return sum(map(len, self._by_site.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PatternSet) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.patterns,)

    def __repr__(self) -> str:
        return f"<PatternSet of {len(self)} patterns for {len(self._by_site)} sites>"
