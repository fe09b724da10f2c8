"""Stores that keep each site by itself, so that many crawls on many machines can learn into them at a time."""

from __future__ import annotations

import random
import tempfile
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import IO, NamedTuple

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores.base import Change, Conflict, Edit, Merged, PatternStore, SitePatterns, merged
from scrapy_stemmer.stores.file import BYTES_PER_BYTE, FileStore, lines_in

MAX_ATTEMPTS = 50
"""How often a site is merged anew because somebody else was quicker."""

LONGEST_PAUSE = 1.0
"""Seconds between two of these attempts, at most."""


class StoredPatterns(SitePatterns):
    """The patterns of a site as the text of a pattern file of their own, which is read when they are asked for.

    :param site: the site.
    :param read: gives the text; empty when the site is gone.
    :param uri: where it is, for errors.
    """

    def __init__(self, site: str, read: Callable[[], bytes], uri: str) -> None:
        self._site = site
        self._read = read
        self._uri = uri
        self._kept: tuple[tuple[Pattern, ...], int] | None = None

    def __len__(self) -> int:
        return len(self.patterns)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns; read now, unless they are kept."""
        return self._kept[0] if self._kept is not None else self._parsed()[0]

    def kept(self) -> tuple[Pattern, ...]:
        """The patterns; see :meth:`SitePatterns.kept`."""
        kept = self._kept
        if kept is None:
            kept = self._kept = self._parsed()
        return kept[0]

    @property
    def held_bytes(self) -> int:
        """What the patterns take that are kept, with what they remember of pages."""
        patterns, size = self._kept or ((), 0)
        return BYTES_PER_BYTE * size + sum([pattern.remembered_bytes for pattern in patterns])

    def forget(self) -> None:
        """Keep them no longer."""
        self._kept = None

    @property
    def lines(self) -> tuple[bytes, ...]:
        """Their lines, as they stand in the text."""
        return tuple(line for _, line in self._rows(self._read()))

    def _parsed(self) -> tuple[tuple[Pattern, ...], int]:
        text = self._read()
        found = [(number, self._pattern(number, line)) for number, line in self._rows(text)]
        try:
            codec.check_unique((number, codec.head_of(pattern)) for number, pattern in found)
        except PatternFileError as error:
            raise error.at(uri=self._uri) from error
        return tuple(sorted((each for _, each in found), key=lambda each: codec.head_of(each).order)), len(text)

    def _rows(self, text: bytes) -> list[tuple[int, bytes]]:
        if not text:
            return []
        rows = [(number, line) for number, _, line, _ in lines_in(BytesIO(text))]
        try:
            if not rows:
                raise codec.empty_file()
            codec.check_header(*rows[0])
        except PatternFileError as error:
            raise error.at(uri=self._uri) from error
        return rows[1:]

    def _pattern(self, number: int, line: bytes) -> Pattern:
        try:
            pattern = codec.read_line(number, line)
            if pattern.site != self._site:
                raise PatternFileError(f"The line is of another site, {pattern.site!r}. Delete it.", field="site")
        except PatternFileError as error:
            raise error.at(uri=self._uri, line=number) from error
        return pattern


def text_of(patterns: SitePatterns) -> bytes:
    """The text of a pattern file with the patterns of one site.

    :raises PatternFileError: when they can't be read.
    :raises ValueError: for a number that JSON has no place for.
    """
    return b"".join(line + b"\n" for line in (codec.header().encode(), *patterns.lines))


class PatternCache:
    """Texts of sites in a temporary file, from which they are read again when they are used.

    :param folder: gives the directory of the file; called when there is something to write.
    """

    def __init__(self, folder: Callable[[], Path | None] = lambda: None) -> None:
        self._folder = folder
        self._lock = Lock()
        self._file: IO[bytes] | None = None

    def put(self, site: str, text: bytes, uri: str) -> StoredPatterns:
        """Write the text of a site, and give its patterns; any thread may do so.

        :param uri: what errors name.
        :raises OSError: when it can't be written.
        """
        with self._lock:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder())  # noqa: SIM115 - open as long as the crawl
            start = self._file.seek(0, 2)
            self._file.write(text)
        return StoredPatterns(site, partial(self._read, start, len(text)), uri)

    def _read(self, start: int, length: int) -> bytes:
        with self._lock:
            assert self._file is not None
            self._file.seek(start)
            return self._file.read(length)


class _Merging(NamedTuple):
    """What is to be written of a site: the version that it rests on, and its text, unless that stays as it is."""

    version: int
    found: Merged
    text: bytes | None


class SharedStore(PatternStore):
    """A store with a text and a version for each site, and leases, by which one of many crawls learns a site.

    Whoever writes a site says on which version that rests; it is merged once more when somebody else was quicker, so
    that no update is lost. A lease keeps others from learning the same at the same time; nothing is lost without it.

    All methods may raise :class:`StoreUnavailable`, and may take long: crawls call them in threads.
    """

    @abstractmethod
    def changes(self, since: int = 0) -> Mapping[str, int]:
        """The version of each site; those that are not above ``since`` may be left out."""

    @abstractmethod
    def get(self, site: str) -> tuple[int, bytes]:
        """The version and the text of a site; 0 and nothing when it is not there."""

    @abstractmethod
    def put(self, site: str, text: bytes, after: int) -> bool:
        """Replace the text of a site, at once for all readers.

        :param text: nothing removes the site.
        :param after: the version that is there.
        :returns: whether it was; else nothing has changed, or others have gone on from this text already.
        """

    @abstractmethod
    def lease(self, site: str, seconds: float) -> bool:
        """Take the lease of a site for some time, or make one's own last that long; whether nobody else has it."""

    @abstractmethod
    def give_back(self, site: str) -> None:
        """Let others have the lease of a site, if it is one's own."""

    def close(self) -> None:
        """Give connections back."""

    def exists(self) -> bool:
        """Whether there is any site."""
        return bool(self.changes())

    def open(self) -> Mapping[str, SitePatterns]:
        """The patterns by site, sorted; each site is read when it is asked for, as it is then."""
        sites = sorted(self.changes())
        if not sites:
            raise PatternFileError(
                "There are no patterns there yet. Learn some with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.",
                uri=self.uri,
            )
        return {site: self._stored(site) for site in sites}

    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Replace the patterns, all or nothing for each site."""
        gone = set(self.changes())
        for patterns in sites:
            text = self._text(patterns)
            for line in patterns.lines[:1]:
                site = (codec.glance(line) or codec.head_of(codec.read_line(1, line))).site
                gone.discard(site)
                self._replace(site, text)
        for site in gone:
            self._replace(site, b"")

    def merge(self, changes: Mapping[str, Change | Edit]) -> Merged:
        """See :meth:`PatternStore.merge`; gives the changed sites only.

        Nothing is written when one of them can't be merged; of each site, all is written or nothing.
        """
        sites: dict[str, SitePatterns] = {}
        conflicts: list[Conflict] = []
        for site, merging in {site: self._merging(site, change) for site, change in changes.items()}.items():
            found = self._put_merged(site, changes[site], merging)
            sites.update(found.sites)
            conflicts += found.conflicts
        return Merged(sites, tuple(conflicts))

    def write_aside(self, patterns: Iterable[Pattern], folder: Path) -> str:
        """See :meth:`PatternStore.write_aside`: a pattern file in the directory of the crawl's state."""
        name = f"patterns-unsaved-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{token_hex(4)}.jsonl"
        beside = FileStore(str(folder / name))
        beside.save(patterns)
        return beside.uri

    def remove(self) -> None:
        """Remove all sites."""
        self.write(())

    def _stored(self, site: str) -> StoredPatterns:
        return StoredPatterns(site, lambda: self.get(site)[1], self.uri)

    def _merging(self, site: str, change: Change | Edit) -> _Merging:
        version, text = self.get(site)
        there = StoredPatterns(site, lambda: text, self.uri)
        found = merged({site: there} if text else {}, {site: change})
        new = found.sites.get(site)
        written = None if new is there else b"" if new is None else self._text(new)
        return _Merging(version, found, written)

    def _put_merged(self, site: str, change: Change | Edit, merging: _Merging) -> Merged:
        for attempt in range(MAX_ATTEMPTS):
            if merging.text is None or self.put(site, merging.text, merging.version):
                return merging.found
            _wait(attempt)
            merging = self._merging(site, change)
        raise self._restless(site)

    def _replace(self, site: str, text: bytes) -> None:
        for attempt in range(MAX_ATTEMPTS):
            if self.put(site, text, self.get(site)[0]):
                return
            _wait(attempt)
        raise self._restless(site)

    def _text(self, patterns: SitePatterns) -> bytes:
        try:
            return text_of(patterns)
        except ValueError as error:
            raise PatternFileError(
                f"The patterns can't be written: {error}. The old ones, if any, are as they were.", uri=self.uri
            ) from error

    def _restless(self, site: str) -> PatternFileError:
        return PatternFileError(
            f"Others change {site} all the time; nothing was written of it. Try again later.", uri=self.uri
        )


def _wait(attempt: int) -> None:
    """Wait at random, so that two that were at it at a time are not so again."""
    time.sleep(random.uniform(0, min(LONGEST_PAUSE, 0.01 * 2**attempt)))  # noqa: S311 - no secret
