"""Base class of pattern stores, and the patterns of one site."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import groupby, islice
from operator import attrgetter

from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.page.text import counted, cut_short
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.codec import Line

logger = logging.getLogger("scrapy_stemmer")

MAX_LISTED = 10  # sites named in a message
MAX_CHARS_LOGGED = 2000  # characters of replaced lines in the log

Change = tuple[Pattern, ...] | Callable[[tuple[Pattern, ...]], tuple[Pattern, ...]]
"""New patterns of a site, merged with corrections by hand in the store; an empty tuple removes the site. Or a function
of the stored patterns, called again after a concurrent write."""


class SitePatterns:
    """Patterns of one site as lines of a pattern file, parsed by :meth:`read`.

    :param lines: the lines, or a function that fetches them and may raise PatternFileError or StoreUnavailable.
    :param uri: place of the lines, for errors.
    """

    __slots__ = ("_lines", "error", "site", "uri")

    def __init__(self, site: str, lines: Sequence[Line] | Callable[[], Sequence[Line]], uri: str | None = None) -> None:
        self.site, self.uri, self._lines = site, uri, lines
        self.error: PatternFileError | None = None  # the error of a failed :meth:`read`

    @property
    def lines(self) -> Sequence[Line]:
        """The given lines, or lines fetched or written now.

        :raises PatternFileError: for a store's text of a newer version, or a number without a form in JSON.
        :raises StoreUnavailable: if the store can't be reached.
        """
        return self._lines() if callable(self._lines) else self._lines

    def __len__(self) -> int:
        return len(self.lines)

    def read(self) -> tuple[Pattern, ...]:
        """Return the patterns by falling score, then by name; set :attr:`error` and raise it if a line is invalid."""
        try:
            with place_of_errors(uri=self.uri):
                return tuple(codec.read_lines(self.lines, self.site))
        except PatternFileError as error:
            self.error = error.at()  # without a traceback, whose frames hold all lines in memory
            raise

    def readable(self) -> tuple[Pattern, ...]:
        """Return the patterns; log unreadable patterns once, and return an empty tuple."""
        if self.error is None:
            try:
                return self.read()
            except PatternFileError:
                log_unreadable([self])
        return ()


class PatternsInMemory(SitePatterns):
    """Patterns of one site in memory, in order."""

    __slots__ = ("_patterns",)

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        super().__init__(patterns[0].site if patterns else "", self._written)
        self._patterns = patterns

    def _written(self) -> list[Line]:
        return [Line(number, codec.line_of(pattern).encode()) for number, pattern in enumerate(self._patterns, 2)]

    def __len__(self) -> int:
        return len(self._patterns)

    def read(self) -> tuple[Pattern, ...]:
        return self._patterns


def by_site(patterns: Iterable[Pattern]) -> dict[str, SitePatterns]:
    ordered = groupby(sorted(patterns, key=codec.line_head_of), key=attrgetter("site"))
    return {site: PatternsInMemory(tuple(of_site)) for site, of_site in ordered}


def read_all(sites: Iterable[SitePatterns]) -> None:
    """Read all sites, and set the errors of sites with invalid lines."""
    for patterns in sites:
        with suppress(PatternFileError):
            patterns.read()


def own_fields_of(sites: Iterable[SitePatterns]) -> tuple[str, ...]:
    """Return the names of users' fields, in the order of sites; only sites with such fields are parsed."""
    having = (site for site in sites if any(b'"field"' in line.text for line in site.lines))
    return tuple(dict.fromkeys(name for site in having for pattern in site.readable() for name in pattern.own_fields))


def log_unreadable(sites: Iterable[SitePatterns]) -> None:
    """Log unreadable sites in one warning."""
    texts = [f"{_site_name(each.site)} ({each.error})" for each in sites if each.error is not None]
    if texts:
        logger.warning(
            "Lines of %s can't be read: %s. They stay as they are until they are mended; until then these sites are as "
            "unknown ones, and a crawl that learns one replaces its lines.",
            counted(len(texts), "site"),
            listed(texts),
        )


def listed(names: Collection[str]) -> str:
    """Return names for the log, and the number of those beyond :data:`MAX_LISTED`."""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(islice(names, MAX_LISTED)) + more


def _site_name(site: str) -> str:
    return site or "(no host)"


def file_lines(sites: Iterable[SitePatterns]) -> Iterator[bytes]:
    """Yield the lines of a pattern file with line ends; raise the errors of :attr:`SitePatterns.lines`."""
    yield codec.header().encode() + b"\n"
    yield from (line.text + b"\n" for patterns in sites for line in patterns.lines)


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


def changed(stored: SitePatterns | None, change: Change) -> SitePatterns | None:
    """Return a site's patterns after a change; ``None`` for no patterns.

    Learned patterns replace unreadable lines, which are logged; lines of a newer version stay.

    :raises PatternFileError: for a function of unreadable patterns.
    """
    if callable(change):
        new = change(() if stored is None else stored.read())
    elif stored is None:
        new = change
    else:
        new = corrected(change, stored.readable())
        if stored.error is not None and stored.error.field == "version":
            return stored
        if stored.error is not None:
            text = b"\n".join(line.text for line in stored.lines).decode("utf-8", "replace")
            shown = "\n".join(line for line in text.splitlines() if not line.startswith(f' "{codec.OPAQUE}'))
            message = "%s: the lines of %s could not be read, and are replaced. They were:\n%s"
            logger.warning(message, stored.uri, _site_name(stored.site), cut_short(shown, MAX_CHARS_LOGGED))
    return PatternsInMemory(new) if new else None


class PatternStore(ABC):
    """Place for a set of patterns, named by a URI."""

    def __init__(self, uri: str) -> None:
        self.uri = uri

    @abstractmethod
    def open(self) -> Mapping[str, SitePatterns]:
        """Return the current patterns by site, sorted; a store may fetch a site on access.

        Unreadable lines cost only their site, whose :attr:`SitePatterns.error` gives the reason once known.

        :raises PatternFileError: for missing or unreadable patterns.
        """

    @abstractmethod
    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Replace the patterns, all or nothing.

        :raises PatternFileError: if writing fails; the old patterns are kept.
        """

    @abstractmethod
    def merge(self, changes: Mapping[str, Change]) -> Mapping[str, SitePatterns]:
        """Change the patterns of some sites, all or nothing, and keep the current patterns of all other sites.

        Concurrent writers wait for each other. If both have learned a site, the patterns of the last writer are kept.

        :returns: at least the changed sites that still have patterns.
        :raises PatternFileError: if reading or writing fails; the old patterns are kept.
        """

    @abstractmethod
    def exists(self) -> bool:
        """Return True if the store has patterns."""
