"""Stores of patterns.

===========  =====================================================================================================
base         the class that all stores implement; the patterns of one site; merging where others write too
file         a store that is a file of JSON Lines: written as a whole, read site by site
shared       stores that many crawls learn into at a time, by versions and leases: object stores, Redis
===========  =====================================================================================================

``open_store`` chooses one by the scheme of a URI.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.file import FileStore
from scrapy_stemmer.stores.shared import ObjectStore, RedisStore


def open_store(uri: str) -> PatternStore:
    """The store of a URI: a path or a ``file:`` URI is a pattern file, ``redis:`` and ``rediss:`` are Redis, and all
    else is what fsspec takes it for.

    :raises MissingExtra: when a package for it is not installed.
    :raises PatternFileError: for a scheme that no store serves.
    """
    try:
        scheme = urlsplit(uri).scheme.lower()
    except ValueError as error:
        raise PatternFileError(f"This is no address: {error}.", uri=uri.rpartition("@")[2]) from error
    # One letter is a drive of Windows, not a scheme.
    if len(scheme) <= 1 or scheme == "file":
        return FileStore(uri)
    return RedisStore(uri) if scheme in ("redis", "rediss") else ObjectStore(uri)
