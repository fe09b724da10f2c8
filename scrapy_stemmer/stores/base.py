"""What a store of patterns is, and how one is chosen by the scheme of its URI."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from urllib.parse import urlsplit

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns.base import Pattern


class PatternStore(ABC):
    """A place for a set of patterns.

    :param uri: names the place.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri

    @abstractmethod
    def load(self) -> list[Pattern]:
        """The patterns.

        :raises PatternFileError: when there are none, or they can't be read.
        """

    @abstractmethod
    def save(self, patterns: Iterable[Pattern]) -> None:
        """Replace the patterns, all or nothing.

        :raises PatternFileError: when they can't be written; what was there before is left as it was.
        """

    @abstractmethod
    def exists(self) -> bool:
        """Whether something is stored there."""


def open_store(uri: str) -> PatternStore:
    """The store of a URI: a path or a ``file:`` URI is a pattern file.

    :raises PatternFileError: for a scheme that no store serves.
    """
    from scrapy_stemmer.stores.file import FileStore

    scheme = urlsplit(uri).scheme.lower()
    # One letter is a drive of Windows, not a scheme.
    if len(scheme) <= 1 or scheme == "file":
        return FileStore(uri)
    raise PatternFileError(
        f"There is no store for {scheme!r}; use a file's path, such as patterns/news.jsonl.", uri=uri
    )
