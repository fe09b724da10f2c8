"""The class that all stores of patterns implement, and the patterns of one site in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern

if TYPE_CHECKING:
    from scrapy_stemmer.stores.merging import Change, Edit, Merged

DIGEST_BYTES = 16
"""Length of the hash that tells whether the patterns of a site are others."""


class SitePatterns(ABC):
    """The patterns of one site, by falling score, then by name; they may still be where they are stored."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """The number of the patterns; to know it they need not be read."""

    @property
    @abstractmethod
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns.

        :raises PatternFileError: when they can't be read.
        """

    def kept(self) -> tuple[Pattern, ...]:
        """The patterns, which stay in memory until :meth:`forget` is called; raises what :attr:`patterns` raises."""
        return self.patterns

    @property
    @abstractmethod
    def held_bytes(self) -> int:
        """About how many bytes :meth:`forget` would give back."""

    @abstractmethod
    def forget(self) -> None:
        """Give back the memory that the patterns can do without; may be called while they are used elsewhere."""

    @property
    @abstractmethod
    def lines(self) -> tuple[bytes, ...]:
        """Their lines in a pattern file, without line ends.

        :raises PatternFileError: when they can't be read.
        :raises ValueError: for a number that JSON has no place for.
        """

    @property
    def digest(self) -> bytes:
        """A hash of their lines; raises what these raise."""
        return blake2b(b"\n".join(self.lines), digest_size=DIGEST_BYTES).digest()


class PatternsInMemory(SitePatterns):
    """Patterns that are there.

    :param patterns: those of one site, in order.
    """

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self._patterns = patterns

    def __len__(self) -> int:
        return len(self._patterns)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns."""
        return self._patterns

    @property
    def held_bytes(self) -> int:
        """What they remember of pages."""
        return sum([pattern.remembered_bytes for pattern in self._patterns])

    def forget(self) -> None:
        """Have them forget what they remember of pages."""
        for pattern in self._patterns:
            pattern.forget()

    @property
    def lines(self) -> tuple[bytes, ...]:
        """Their lines; see :attr:`SitePatterns.lines`."""
        return tuple(codec.line_of(pattern).encode() for pattern in self._patterns)


def by_site(patterns: Iterable[Pattern]) -> dict[str, SitePatterns]:
    """Patterns in any order as those of each site, sorted."""
    found: defaultdict[str, list[Pattern]] = defaultdict(list)
    for pattern in sorted(patterns, key=lambda pattern: codec.head_of(pattern).order):
        found[pattern.site].append(pattern)
    return {site: PatternsInMemory(tuple(of_site)) for site, of_site in found.items()}


def corrected(patterns: Iterable[Pattern], earlier: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """Patterns of a site with what somebody has corrected by hand in earlier ones of it, in order."""
    earlier = tuple(earlier)
    found: list[Pattern] = []
    for pattern in patterns:
        for other in earlier:
            pattern = pattern.corrected_by(other)
        found.append(pattern)
    return tuple(found)


class PatternStore(ABC):
    """A place for a set of patterns.

    :param uri: names the place.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri

    @abstractmethod
    def open(self) -> Mapping[str, SitePatterns]:
        """The patterns as they are now, by site, sorted. A store may read those of a site when they are asked for.

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
    def write_aside(self, patterns: Iterable[Pattern], folder: Path) -> str:
        """Put patterns into a new pattern file beside this place, which can't be used, and give the file's URI.

        :param folder: a directory for the file, where nothing on this machine is beside this place.
        :raises PatternFileError: when they can't be written.
        """

    @abstractmethod
    def remove(self) -> None:
        """Delete what is stored, if anything is.

        :raises PatternFileError: when it can't be deleted.
        """

    @abstractmethod
    def exists(self) -> bool:
        """Whether something is stored there."""

    def load(self) -> list[Pattern]:
        """All patterns.

        :raises PatternFileError: when there are none, or they can't be read.
        """
        return [pattern for site in self.open().values() for pattern in site.patterns]

    def save(self, patterns: Iterable[Pattern]) -> None:
        """Replace the patterns, all or nothing; see :meth:`write`."""
        self.write(by_site(patterns).values())
