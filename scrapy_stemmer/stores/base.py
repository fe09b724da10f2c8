"""The class that all stores of patterns implement, the patterns of one site in it, and merging with those of others."""

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

from scrapy_stemmer.core.text import counted
from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern

logger = logging.getLogger("scrapy_stemmer")

BYTES_PER_BYTE = 10  # bytes that a pattern takes in memory for each byte of its line

Edit = Callable[[tuple[Pattern, ...]], tuple[Pattern, ...]]
"""A function from the patterns that a store has of a site to those that it shall have. It is called once more when
somebody else has written meanwhile."""


class _Kept(NamedTuple):
    """Patterns in memory."""

    patterns: tuple[Pattern, ...]
    size: int = 0  # about how many bytes they take, but for what they remember of pages
    state: tuple[int, int, int] | None = None  # that of their file when they were read


def state_of(file: int | Path) -> tuple[int, int, int] | None:
    """What tells whether a file, open or by its path, is still the same: its number on the disk, its size and its time;
    ``None`` when it isn't there."""
    try:
        status = os.fstat(file) if isinstance(file, int) else file.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


@dataclass(eq=False, slots=True)
class SitePatterns:
    """The patterns of one site, by falling score, then by name, which are read when they are asked for."""

    site: str
    # gives the lines of a site in a pattern file, as they are now, each with its number there; none when the site is
    # gone. May raise PatternFileError, which all that asks for it does then
    read: Callable[[str], Iterable[tuple[int, bytes]]]
    uri: str | None = None  # where they are, for errors
    file: int | None = None  # the number of the open file that they are in, if any; written to, they are read again
    count: int | None = None  # how many they are; ``None`` where only reading them tells
    _kept: _Kept | None = None
    error: PatternFileError | None = None  # why they could not be read when that was tried the last time
    logged: str | None = None  # what has been logged of that

    def __len__(self) -> int:
        return len(self.lines) if self.count is None else self.count

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns; read now, unless they are kept."""
        return self._current().patterns

    def check(self) -> None:
        """See whether they can be understood; :attr:`error` tells. Raises when they can't even be fetched."""
        try:
            _ = self.patterns
        except PatternFileError:
            if self.error is None:
                raise

    def readable(self, *, keep: bool = False) -> tuple[Pattern, ...]:
        """The patterns, which may stay in memory until :meth:`forget` is called; none where they can't be read, which
        is logged once. A :class:`StoreUnavailable` when their store can't be reached."""
        try:
            current = self._current()
        except PatternFileError as error:
            tell([(self, error)])
            return ()
        if keep:
            self._kept = current
        return current.patterns

    @property
    def held_bytes(self) -> int:
        """About how many bytes :meth:`forget` would give back: what is kept, and remembered of pages."""
        kept = self._kept
        return 0 if kept is None else kept.size + sum([pattern.remembered_bytes for pattern in kept.patterns])

    def forget(self) -> None:
        """Give back the memory that the patterns can do without; may be called while they are used elsewhere."""
        self._kept = None

    @property
    def lines(self) -> tuple[bytes, ...]:
        """Their lines as they are stored, without line ends; a PatternFileError for a number that JSON has no place
        for, too."""
        return tuple([line for _, line in self.read(self.site)])

    @property
    def digest(self) -> bytes:
        """A hash of their lines, by which others are told apart from them."""
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
            # Others can't be reached, or are being written.
            self.error = error if lines is not None or error.field == "version" else None
            raise
        return _Kept(patterns, BYTES_PER_BYTE * sum([len(line) for _, line in lines]), state)


class PatternsInMemory(SitePatterns):
    """Patterns of one site that are there, in order."""

    __slots__ = ()

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        def lines(_site: str) -> Iterator[tuple[int, bytes]]:
            return enumerate(codec.line_of(pattern).encode() for pattern in patterns)

        super().__init__(patterns[0].site if patterns else "", lines, count=len(patterns), _kept=_Kept(patterns))

    def forget(self) -> None:
        """Have them forget what they remember of pages."""
        for pattern in self.patterns:
            pattern.forget()


def by_site(patterns: Iterable[Pattern]) -> dict[str, SitePatterns]:
    """Patterns in any order as those of each site, sorted."""
    ordered = groupby(sorted(patterns, key=codec.line_head_of), key=attrgetter("site"))
    return {site: PatternsInMemory(tuple(of_site)) for site, of_site in ordered}


MOST_TOLD = 10  # sites that one message names, at most
MOST_SHOWN = 2000  # characters of replaced lines that are logged


def tell(broken: Iterable[tuple[SitePatterns, PatternFileError]]) -> None:
    """Log once which sites can't be read, in one warning."""
    new = [(patterns, str(error)) for patterns, error in broken if patterns.logged != str(error)]
    for patterns, error in new:
        patterns.logged = error
    if new:
        texts = [f"{_site_name(patterns.site)} ({error})" for patterns, error in new[:MOST_TOLD]]
        texts += [f"and {len(new) - MOST_TOLD} more"] if len(new) > MOST_TOLD else []
        logger.warning(
            "Lines of %s can't be read: %s. They stay as they are until they are mended; until then these sites are as "
            "unknown ones, and a crawl that learns one replaces its lines.",
            counted(len(new), "site"),
            ", ".join(texts),
        )


def _site_name(site: str) -> str:
    return "no site" if "\0" in site else site or "(no host)"


def file_lines(sites: Iterable[SitePatterns]) -> Iterator[bytes]:
    """The lines of a pattern file, with line ends; raises what :attr:`SitePatterns.lines` raises."""
    yield codec.header().encode() + b"\n"
    yield from (line + b"\n" for patterns in sites for line in patterns.lines)


def corrected(patterns: Iterable[Pattern], earlier: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """Patterns of a site with what somebody has corrected by hand in earlier ones of it, in order."""
    earlier = tuple(earlier)
    return tuple(reduce(lambda known, other: known.corrected_by(other), earlier, pattern) for pattern in patterns)


def added(patterns: Sequence[Pattern], learned: Sequence[Pattern]) -> list[Pattern]:
    """The patterns of a site with those that were learned of it later beside them; a name that is taken gets a number.
    What somebody has written by hand into the earlier ones holds for all."""
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
    """A place for a set of patterns, named by a URI."""

    def __init__(self, uri: str) -> None:
        self.uri = uri

    @abstractmethod
    def open(self) -> Mapping[str, SitePatterns]:
        """The patterns as they are now, by site, sorted. A store may read those of a site when they are asked for.

        Lines that can't be read cost their site, whose :attr:`SitePatterns.error` says why, as far as it is known.

        :raises PatternFileError: when there are none, or they can't be read.
        """

    @abstractmethod
    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Replace the patterns, all or nothing.

        :param sites: the patterns of each site, sorted by site.
        :raises PatternFileError: when they can't be written; what was there before is left as it was.
        """

    @abstractmethod
    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """Replace or edit the patterns of some sites, and leave those of all others as they are now; all or nothing.

        Of several writers at a time each waits for the one before.

        :raises PatternFileError: when what is there can't be read, or nothing can be written; it is left as it was.
        """

    @abstractmethod
    def exists(self) -> bool:
        """Whether something is stored there."""


@dataclass(frozen=True, slots=True)
class Change:
    """New patterns of a site."""

    # as they were learned; what somebody has corrected in those of the store is put into them. Without any the site is
    # removed.
    patterns: tuple[Pattern, ...]
    # the digest of the site's patterns in the store, as the writer knows them from reading or writing it the last time;
    # ``None`` when it knew of none
    before: bytes | None = None


class Conflict(NamedTuple):
    """A site that somebody else has changed in the store since the writer has read or written it."""

    site: str
    ours: str | None  # when the writer's patterns were learned, as far as they say
    theirs: str | None  # the same of those in the store
    # whether the writer's patterns have taken the place of the others: unless those are newer, or can't be read: then
    # somebody is at work on them
    is_ours_kept: bool
    error: PatternFileError | None = None  # why those in the store can't be read

    @property
    def told(self) -> str:
        """What people are told of it."""
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
    """The patterns of all sites that are to be written, sorted by site, and the sites that two have changed."""

    sites: Mapping[str, SitePatterns]
    conflicts: tuple[Conflict, ...]
    replaced: tuple[SitePatterns, ...] = ()  # the sites whose lines could not be read, and now are replaced

    def logged(self, uri: str) -> Merged:
        """The same; what was replaced is logged."""
        for there in self.replaced:
            lines = b"\n".join(there.lines).decode("utf-8", "replace").splitlines()
            text = "\n".join(line for line in lines if not line.startswith(f' "{codec.OPAQUE}'))
            shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
            message = "%s: the lines of %s could not be read (%s), and are replaced. They were:\n%s"
            logger.warning(message, uri, _site_name(there.site), there.error, shown)
        return self


def merged(current: Mapping[str, SitePatterns], changes: Mapping[str, Change | Edit]) -> Merged:
    """The patterns of a store with those of changed sites replaced; all others are as they are, readable or not, but
    for those that are to be edited, which must be."""
    sites = dict(current)
    conflicts, replaced = list[Conflict](), list[SitePatterns]()
    for site, change in changes.items():
        there = current.get(site)
        if not isinstance(change, Change):
            new = PatternsInMemory(change(there.patterns if there is not None else ()))
        elif there is None:
            new = PatternsInMemory(change.patterns)
        else:
            there.check()
            before = () if there.error else there.patterns
            new = PatternsInMemory(corrected(change.patterns, before))
            if (conflict := _conflict(there, before, change, new)) is not None:
                conflicts.append(conflict)
                if not conflict.is_ours_kept:
                    continue
            replaced += [there] if there.error else []
        if len(new):
            sites[site] = new
        else:
            sites.pop(site, None)
    return Merged({site: sites[site] for site in sorted(sites)}, tuple(conflicts), tuple(replaced))


def _conflict(there: SitePatterns, before: Sequence[Pattern], change: Change, new: SitePatterns) -> Conflict | None:
    """The conflict of a change with what is there, as far as it can be read, if somebody else has written that."""
    ours, theirs = _last_learned(change.patterns), _last_learned(before)
    our_time, their_time = (None if time is None else time.isoformat() for time in (ours, theirs))
    if there.error is not None:
        if there.error.field != "version" and (change.before is None or there.digest == change.before):
            return None
        return Conflict(there.site, our_time, None, is_ours_kept=False, error=there.error)
    # The writer's own patterns may be there already, though it was told that they could not be written.
    if there.digest in (change.before, new.digest):
        return None
    is_ours_kept = ours is None or theirs is None or ours >= theirs
    return Conflict(there.site, our_time, their_time, is_ours_kept)


def _last_learned(patterns: Iterable[Pattern]) -> datetime | None:
    """When the last of some patterns was learned; ``None`` when none of them says so."""
    times = []
    for pattern in patterns:
        with suppress(ValueError):
            time = datetime.fromisoformat(pattern.learned or "")
            times.append(time if time.tzinfo else time.replace(tzinfo=UTC))
    return max(times, default=None)
