"""Base class of pattern stores, the patterns of one site, and the choice between those of two writers."""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import reduce
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.page.text import counted, cut_short
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern

logger = logging.getLogger("scrapy_stemmer")

BYTES_PER_BYTE = 10  # memory of a pattern for each byte of its line

Edit = Callable[[tuple[Pattern, ...]], tuple[Pattern, ...]]
"""Function from a site's stored patterns to its new ones. It is called again after a concurrent write."""


class _Kept(NamedTuple):
    patterns: tuple[Pattern, ...]
    size: int = 0  # approximate bytes, without data remembered of pages
    state: tuple[int, int, int] | None = None  # state of their file when they were read


def state_of(file: int | Path) -> tuple[int, int, int] | None:
    """Return the inode, size and time of an open file or path, by which a change is noticed."""
    try:
        status = os.fstat(file) if isinstance(file, int) else file.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


@dataclass(eq=False, slots=True)
class SitePatterns:
    """Patterns of one site by falling score, then by name, read on access."""

    site: str
    # returns the current lines of a site with their numbers, none if the site is gone; raises PatternFileError
    read: Callable[[str], Iterable[tuple[int, bytes]]]
    uri: str | None = None  # their place, for errors
    file: int | None = None  # descriptor of their open file; they are read again after a change
    count: int | None = None  # their number, if known without reading
    _kept: _Kept | None = None
    error: PatternFileError | None = None  # error of the last attempt to read them
    logged: str | None = None  # error logged last

    def __len__(self) -> int:
        return len(self.lines) if self.count is None else self.count

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns, read now unless they are kept."""
        return self._current().patterns

    def check(self) -> None:
        """Read the patterns and set :attr:`error`; raise only if they cannot be fetched."""
        try:
            _ = self.patterns
        except PatternFileError:
            if self.error is None:
                raise

    def readable(self, *, keep: bool = False) -> tuple[Pattern, ...]:
        """Return the patterns, or none if they are unreadable, which is logged once.

        :param keep: keep them in memory until :meth:`forget` is called.
        :raises StoreUnavailable: if their store cannot be reached.
        """
        try:
            current = self._current()
        except PatternFileError as error:
            log_unreadable([(self, error)])
            return ()
        if keep:
            self._kept = current
        return current.patterns

    @property
    def held_bytes(self) -> int:
        kept = self._kept
        return 0 if kept is None else kept.size + sum([pattern.remembered_bytes for pattern in kept.patterns])

    def forget(self) -> None:
        """Free memory; may be called while the patterns are in use."""
        self._kept = None

    @property
    def lines(self) -> tuple[bytes, ...]:
        """The stored lines without line ends; raises PatternFileError for a number without a form in JSON."""
        return tuple([line for _, line in self.read(self.site)])

    @property
    def digest(self) -> bytes:
        """A hash of the lines, to notice changes."""
        return blake2b(b"\n".join(self.lines), digest_size=16).digest()

    def _current(self) -> _Kept:
        kept, state = self._kept, None if self.file is None else state_of(self.file)
        if kept is not None and kept.state == state:
            return kept
        self.error, lines = None, None
        try:
            lines = list(self.read(self.site))
            with place_of_errors(uri=self.uri):
                patterns = tuple(codec.read_lines(lines, self.site))
        except PatternFileError as error:
            # Other errors mean that the store is unreachable or being written.
            # Without a traceback: frames hold all lines in memory.
            self.error = error.at() if lines is not None or error.field == "version" else None
            raise
        return _Kept(patterns, BYTES_PER_BYTE * sum([len(line) for _, line in lines]), state)


class PatternsInMemory(SitePatterns):
    """Patterns of one site in memory, in order."""

    __slots__ = ()

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        def lines(_site: str) -> Iterator[tuple[int, bytes]]:
            return enumerate(codec.line_of(pattern).encode() for pattern in patterns)

        super().__init__(patterns[0].site if patterns else "", lines, count=len(patterns), _kept=_Kept(patterns))

    def forget(self) -> None:
        """Forget data remembered of pages."""
        for pattern in self.patterns:
            pattern.forget()


def by_site(patterns: Iterable[Pattern]) -> dict[str, SitePatterns]:
    ordered = groupby(sorted(patterns, key=codec.line_head_of), key=attrgetter("site"))
    return {site: PatternsInMemory(tuple(of_site)) for site, of_site in ordered}


MAX_SITES_LOGGED = 10  # sites named in one message
MAX_CHARS_LOGGED = 2000  # characters of replaced lines in the log


def log_unreadable(broken: Iterable[tuple[SitePatterns, PatternFileError]]) -> None:
    """Log unreadable sites once, in one warning."""
    new = [(patterns, str(error)) for patterns, error in broken if patterns.logged != str(error)]
    for patterns, error in new:
        patterns.logged = error
    if new:
        texts = [f"{_site_name(patterns.site)} ({error})" for patterns, error in new[:MAX_SITES_LOGGED]]
        texts += [f"and {len(new) - MAX_SITES_LOGGED} more"] if len(new) > MAX_SITES_LOGGED else []
        logger.warning(
            "Lines of %s can't be read: %s. They stay as they are until they are mended; until then these sites are as "
            "unknown ones, and a crawl that learns one replaces its lines.",
            counted(len(new), "site"),
            ", ".join(texts),
        )


def _site_name(site: str) -> str:
    return "no site" if "\0" in site else site or "(no host)"


def file_lines(sites: Iterable[SitePatterns]) -> Iterator[bytes]:
    """Yield the lines of a pattern file with line ends; raises as :attr:`SitePatterns.lines` does."""
    yield codec.header().encode() + b"\n"
    yield from (line + b"\n" for patterns in sites for line in patterns.lines)


def corrected(patterns: Iterable[Pattern], earlier: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """Return patterns with the corrections made by hand in earlier patterns of their site."""
    earlier = tuple(earlier)
    return tuple(reduce(lambda known, other: known.corrected_by(other), earlier, pattern) for pattern in patterns)


def added(patterns: Sequence[Pattern], learned: Sequence[Pattern]) -> list[Pattern]:
    """Add patterns learned later to a site's patterns, numbering names already taken."""
    taken = {pattern.name for pattern in patterns}
    result = list(patterns)
    for pattern in corrected(learned, patterns):
        name, number = pattern.name, 2
        while name in taken:
            name, number = f"{pattern.name} {number}", number + 1
        taken.add(name)
        result.append(replace(pattern, name=name))
    return result


class PatternStore(ABC):
    """Place for a set of patterns, named by a URI."""

    def __init__(self, uri: str) -> None:
        self.uri = uri

    @abstractmethod
    def open(self) -> Mapping[str, SitePatterns]:
        """Return the current patterns by site, sorted; a store may read a site on access.

        Unreadable lines cost only their site, whose :attr:`SitePatterns.error` gives the reason once known.

        :raises PatternFileError: without patterns, or if they are unreadable.
        """

    @abstractmethod
    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Replace the patterns, all or nothing.

        :raises PatternFileError: if writing fails; the old patterns are kept.
        """

    @abstractmethod
    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """Replace or edit the patterns of some sites, all or nothing, and keep the current patterns of all other sites.

        Concurrent writers wait for each other.

        :raises PatternFileError: if reading or writing fails; the old patterns are kept.
        """

    @abstractmethod
    def exists(self) -> bool:
        """Return True if the store has patterns."""


@dataclass(frozen=True, slots=True)
class Change:
    """New patterns of a site."""

    # as learned; corrections by hand in the store are merged into them. Empty to remove the site
    patterns: tuple[Pattern, ...]
    # digest of the site's patterns when the writer last read or wrote them; ``None`` if it knew of none
    seen_digest: bytes | None = None


class Conflict(NamedTuple):
    """Site changed in the store by another writer since this writer read or wrote it."""

    site: str
    ours: str | None  # learning time of the writer's patterns, if known
    theirs: str | None  # learning time of the store's patterns, if known
    # the writer's patterns replaced the store's, unless these are newer or unreadable: then somebody is editing them
    is_ours_kept: bool
    error: PatternFileError | None = None  # reason why the store's patterns are unreadable

    @property
    def message(self) -> str:
        """The message for users."""
        ours = f"those of this crawl, learned {self.ours or 'at an unknown time'}"
        theirs = f"those in the store, learned {self.theirs or 'at an unknown time'}"
        if self.error is not None:
            theirs = f"those in the store, though they can't be read ({self.error})"
        kept, left = (ours, theirs) if self.is_ours_kept else (theirs, ours)
        by_hand = ", with what was corrected by hand in the others" if self.is_ours_kept else ""
        return (
            f"the patterns of {self.site} were changed by somebody else since this crawl has read them. Kept are "
            f"{kept}{by_hand}; given up are {left}."
        )


class Merged(NamedTuple):
    sites: Mapping[str, SitePatterns]
    conflicts: tuple[Conflict, ...]
    replaced: tuple[SitePatterns, ...] = ()  # sites whose unreadable lines are replaced

    def logged(self, uri: str) -> Merged:
        """Log replaced lines and return self."""
        for there in self.replaced:
            lines = b"\n".join(there.lines).decode("utf-8", "replace").splitlines()
            text = "\n".join(line for line in lines if not line.startswith(f' "{codec.OPAQUE}'))
            shown = cut_short(text, MAX_CHARS_LOGGED)
            message = "%s: the lines of %s could not be read (%s), and are replaced. They were:\n%s"
            logger.warning(message, uri, _site_name(there.site), there.error, shown)
        return self


def merged(current: Mapping[str, SitePatterns], changes: Mapping[str, Change | Edit]) -> Merged:
    """Merge changes into the patterns of a store; other sites stay unchanged, readable or not.

    Of a site that another writer changed too, the patterns learned later win, or stored ones that are being edited.
    """
    sites = dict(current)
    conflicts, replaced = list[Conflict](), list[SitePatterns]()
    for site, change in changes.items():
        stored = current.get(site)
        if not isinstance(change, Change):
            new = PatternsInMemory(change(stored.patterns if stored is not None else ()))
        elif stored is None:
            new = PatternsInMemory(change.patterns)
        else:
            stored.check()
            readable = () if stored.error else stored.patterns
            new = PatternsInMemory(corrected(change.patterns, readable))
            if (conflict := _conflict(stored, readable, change, new)) is not None:
                conflicts.append(conflict)
                if not conflict.is_ours_kept:
                    continue
            replaced += [stored] if stored.error else []
        if len(new):
            sites[site] = new
        else:
            sites.pop(site, None)
    return Merged({site: sites[site] for site in sorted(sites)}, tuple(conflicts), tuple(replaced))


def _conflict(stored: SitePatterns, readable: Sequence[Pattern], change: Change, new: SitePatterns) -> Conflict | None:
    """Return the conflict, if another writer changed the site; the patterns learned later are kept."""
    ours, theirs = _last_learned(change.patterns), _last_learned(readable)
    our_time, their_time = (None if time is None else time.isoformat() for time in (ours, theirs))
    if stored.error is not None:
        if stored.error.field != "version" and (change.seen_digest is None or stored.digest == change.seen_digest):
            return None
        return Conflict(stored.site, our_time, None, is_ours_kept=False, error=stored.error)
    # After a failed write the writer's own patterns may be stored nevertheless.
    if stored.digest in (change.seen_digest, new.digest):
        return None
    is_ours_kept = ours is None or theirs is None or ours >= theirs
    return Conflict(stored.site, our_time, their_time, is_ours_kept)


def _last_learned(patterns: Iterable[Pattern]) -> datetime | None:
    times = []
    for pattern in patterns:
        with suppress(ValueError):
            time = datetime.fromisoformat(pattern.learned or "")
            times.append(time if time.tzinfo else time.replace(tzinfo=UTC))
    return max(times, default=None)
