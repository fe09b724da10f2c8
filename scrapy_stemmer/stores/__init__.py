"""Stores of patterns.

===========  =====================================================================================================
base         the base class of stores, and the patterns of one site
file         a file of JSON Lines: read and written as a whole, parsed site by site
shared       stores for many crawls at a time, with versions: object stores, Redis
===========  =====================================================================================================

``open_store`` chooses a store by the scheme of a URI.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.page.arguments import check
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.file import FileStore
from scrapy_stemmer.stores.shared import ObjectStore, RedisStore


def open_store(uri: str | os.PathLike[str]) -> PatternStore:
    """Return the store of a URI: a pattern file for a path or ``file:``, Redis for ``redis:`` and ``rediss:``, else
    fsspec's.

    :raises MissingExtra: if a package for it is not installed.
    :raises PatternFileError: for a scheme without a store.
    """
    check("uri", uri, str | os.PathLike, "a path, or the URI of a store")
    uri = os.fspath(uri)
    try:
        scheme = urlsplit(uri).scheme.lower()
    except ValueError as error:
        raise PatternFileError(f"This is no address: {error}.", uri=uri.rpartition("@")[2]) from error
    # One letter is a drive of Windows, not a scheme.
    if len(scheme) <= 1 or scheme == "file":
        return FileStore(uri)
    return RedisStore(uri) if scheme in ("redis", "rediss") else ObjectStore(uri)
