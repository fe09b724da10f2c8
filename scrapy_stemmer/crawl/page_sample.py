"""A sample of the pages of each site of an archive, kept in a temporary file."""

from __future__ import annotations

import sqlite3
import tempfile
import zlib
from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.anchors import url_key
from scrapy_stemmer.crawl.learning_queue import MAX_SAMPLED_CHARS
from scrapy_stemmer.crawl.spool import COMPRESSION, PLAIN_BYTES, digest_of

_TABLE = "CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT, charset TEXT, form INTEGER, body BLOB)"
_PRAGMAS = ("page_size = 16384", "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE")

_BYTES, _TEXT, _PACKED = 0, 1, 2
"""Forms of a page in the file: as bytes, as text; either may be compressed."""


@dataclass(frozen=True, slots=True, order=True)
class _Sampled:
    """A page of the sample.

    :param rank: hash of its URL; those with the smallest are in the sample.
    :param key: its URL in the form in which pages are compared.
    :param digest: hash of its content.
    :param id: its row in the file.
    """

    rank: bytes
    key: str
    digest: bytes
    id: int


class PageSample:
    """The pages of each site whose URLs have the smallest hashes, so many at most; pages with equal content count once.

    It does not depend on the order of the pages, except where an URL comes with several contents: the first counts.

    :param size: pages a site.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._folder = tempfile.TemporaryDirectory(prefix="scrapy-stemmer-")
        self._db = sqlite3.connect(Path(self._folder.name, "pages.sqlite"), isolation_level=None)
        for pragma in _PRAGMAS:
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute(_TABLE)
        self._sites: dict[str, list[_Sampled]] = {}
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._db.close()
        self._folder.cleanup()

    def add(self, page: Page) -> bool:
        """Take a page, if its site can do with it.

        :returns: whether pages of its size are learned from.
        """
        key = url_key(page.url)
        rank = digest_of(key.encode("utf-8", "surrogatepass"))
        site = page.site
        sampled = self._sites.get(site, [])
        if len(sampled) >= self._size and rank >= sampled[-1].rank:
            return True
        is_text = isinstance(page.html, str)
        body = str(page.html).encode("utf-8", "surrogatepass") if is_text else bytes(page.html)  # type: ignore[arg-type]
        if len(body) > MAX_SAMPLED_CHARS:
            return False
        digest = digest_of(body)
        equal = next((other for other in sampled if other.key == key or other.digest == digest), None)
        if equal is not None:
            if equal.rank <= rank:
                return True
            self._remove(sampled, equal)
        self._sites[site] = sampled
        insort(sampled, _Sampled(rank, key, digest, self._write(page, body, is_text=is_text)))
        if len(sampled) > self._size:
            self._remove(sampled, sampled[-1])
        return True

    @property
    def sites(self) -> dict[str, int]:
        """How many pages there are of each site, by site."""
        return {site: len(self._sites[site]) for site in sorted(self._sites)}

    def pages(self, site: str) -> list[Page]:
        """The pages of a site, by URL."""
        return sorted(self._read(page.id for page in self._sites[site]), key=lambda page: page.url)

    def _write(self, page: Page, body: bytes, *, is_text: bool) -> int:
        form = _TEXT if is_text else _BYTES
        self._bytes += len(body)
        if self._bytes > PLAIN_BYTES:
            form, body = form | _PACKED, zlib.compress(body, COMPRESSION)
        row = self._db.execute(
            "INSERT INTO pages (url, charset, form, body) VALUES (?, ?, ?, ?)", (page.url, page.charset, form, body)
        )
        if row.lastrowid is None:
            raise RuntimeError("SQLite gave no number to a row")
        return row.lastrowid

    def _remove(self, sampled: list[_Sampled], page: _Sampled) -> None:
        sampled.remove(page)
        self._db.execute("DELETE FROM pages WHERE id = ?", (page.id,))

    def _read(self, ids: Iterable[int]) -> Iterable[Page]:
        for number in ids:
            url, charset, form, body = self._db.execute(
                "SELECT url, charset, form, body FROM pages WHERE id = ?", (number,)
            ).fetchone()
            content = zlib.decompress(body) if form & _PACKED else bytes(body)
            html = content.decode("utf-8", "surrogatepass") if form & _TEXT else content
            yield Page(url, html, charset=charset)
