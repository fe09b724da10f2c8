"""Patterns in a file of JSON Lines."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.stores.base import PatternStore, SitePatterns
from scrapy_stemmer.stores.patternfile import PatternFile, PatternsOnDisk


class FileStore(PatternStore):
    """A pattern file on the local disk.

    :param uri: its path, or a ``file:`` URI.
    """

    @property
    def path(self) -> Path:
        """The file."""
        is_uri = self.uri.lower().startswith("file:")
        return Path(url2pathname(urlsplit(self.uri).path)) if is_uri else Path(self.uri)

    def exists(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    def open(self) -> Mapping[str, SitePatterns]:
        """The patterns of the file; see :meth:`PatternStore.open`. Only the beginnings of its lines are read now."""
        try:
            file = PatternFile(self.path, self.uri)
        except FileNotFoundError as error:
            raise PatternFileError(
                "There is no such pattern file. Learn one with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.",
                uri=self.uri,
            ) from error
        except OSError as error:
            raise PatternFileError(f"The pattern file can't be read: {error}.", uri=self.uri) from error
        return {site: PatternsOnDisk(file, site, count) for site, count in file.counts.items()}

    def write(self, sites: Iterable[SitePatterns]) -> None:
        """Write a new file beside the old one, then put it in its place."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _write_atomically(self.path, _all_lines(sites))
        except (OSError, ValueError) as error:
            # ValueError: a number or character that JSON in UTF-8 has no place for.
            raise PatternFileError(
                f"The pattern file can't be written: {error}. The old one, if any, is as it was.", uri=self.uri
            ) from error


def _all_lines(sites: Iterable[SitePatterns]) -> Iterator[bytes]:
    yield codec.header().encode()
    for site in sites:
        yield from site.lines


def _write_atomically(path: Path, lines: Iterable[bytes]) -> None:
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for line in lines:
                file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode if target.exists() else 0o644)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
