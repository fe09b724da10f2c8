"""The class that all stores of patterns implement, and the patterns of one site in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern


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

    @property
    @abstractmethod
    def lines(self) -> tuple[bytes, ...]:
        """Their lines in a pattern file, without line ends.

        :raises PatternFileError: when they can't be read.
        :raises ValueError: for a number or character that JSON in UTF-8 has no place for.
        """


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

    @cached_property
    def lines(self) -> tuple[bytes, ...]:
        """Their lines; see :attr:`SitePatterns.lines`. A crawl that learns many sites writes them many times."""
        return tuple(codec.line_of(pattern).encode() for pattern in self._patterns)


def by_site(patterns: Iterable[Pattern]) -> dict[str, SitePatterns]:
    """Patterns in any order as those of each site, sorted."""
    found: defaultdict[str, list[Pattern]] = defaultdict(list)
    for pattern in sorted(patterns, key=lambda pattern: codec.head_of(pattern).order):
        found[pattern.site].append(pattern)
    return {site: PatternsInMemory(tuple(of_site)) for site, of_site in found.items()}


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
