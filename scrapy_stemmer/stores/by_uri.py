"""A store is chosen by the scheme of its URI."""

from __future__ import annotations

from urllib.parse import urlsplit

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.file import FileStore


def open_store(uri: str) -> PatternStore:
    """The store of a URI: a path or a ``file:`` URI is a pattern file.

    :raises PatternFileError: for a scheme that no store serves.
    """
    scheme = urlsplit(uri).scheme.lower()
    # One letter is a drive of Windows, not a scheme.
    if len(scheme) <= 1 or scheme == "file":
        return FileStore(uri)
    raise PatternFileError(
        f"There is no store for {scheme!r}; use a file's path, such as patterns/news.jsonl.", uri=uri
    )
