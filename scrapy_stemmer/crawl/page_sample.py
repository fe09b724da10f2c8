"""A sample of the pages of each site of an archive, kept in a temporary file."""

from __future__ import annotations

import sqlite3
import tempfile
import zlib
from bisect import insort
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.anchors import url_key
from scrapy_stemmer.crawl.learning_queue import MAX_SAMPLED_CHARS
from scrapy_stemmer.crawl.spool import COMPRESSION, PLAIN_BYTES, digest_of

_TABLE = "CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT, charset TEXT, form INTEGER, body BLOB)"
_PRAGMAS = ("page_size = 16384", "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE")

_BYTES, _TEXT, _PACKED = 0, 1, 2
"""Forms of a page in the file: as bytes, as text; either may be compressed."""


def rank_of(url: str) -> bytes:
    """The hash of a URL in the form in which pages are compared; those with the smallest are in the sample."""
    return digest_of(url_key(url).encode("utf-8", "surrogatepass"))


class Rank(NamedTuple):
    """The place of a page among those of its site; the first ones are in the sample.

    :param url: see :func:`rank_of`.
    :param digest: hash of its content.
    :param id: hash of these, the URL as it stands and the charset: it tells apart what differs in no more, and is
        never equal by intent.
    """

    url: bytes
    digest: bytes
    id: int

    @classmethod
    def of(cls, page: Page, body: bytes, url: bytes | None = None) -> Self:
        """The place of a page.

        :param body: its content.
        :param url: its :func:`rank_of`, if it is known.
        """
        url, digest = url or rank_of(page.url), digest_of(body)
        told_apart = f"{page.url} {page.charset}".encode("utf-8", "surrogatepass")
        return cls(url, digest, int.from_bytes(digest_of(url + digest + told_apart)[:8], "big", signed=True))


class _Sampled(NamedTuple):
    """A page of the sample, with its row in the file."""

    rank: Rank
    row: int


class PageSample:
    """The pages of each site whose URLs have the smallest hashes, so many at most; pages with equal content count once.

    Of one URL's contents the one with the smallest hash counts. So it does not depend on the order of the pages, and
    samples of parts can be joined; except where one of several contents of a URL is that of another URL too.

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
        url, site = rank_of(page.url), page.site
        sampled = self._sites.get(site, [])
        if len(sampled) >= self._size and url > sampled[-1].rank.url:
            return True
        is_text = isinstance(page.html, str)
        body = str(page.html).encode("utf-8", "surrogatepass") if is_text else bytes(page.html)  # type: ignore[arg-type]
        if len(body) > MAX_SAMPLED_CHARS:
            return False
        rank = Rank.of(page, body, url)
        equal = [each for each in sampled if each.rank.url == url or each.rank.digest == rank.digest]
        if any(each.rank <= rank for each in equal):
            return True
        for each in equal:
            self._remove(sampled, each)
        self._sites[site] = sampled
        insort(sampled, _Sampled(rank, self._write(page, body, is_text=is_text)))
        if len(sampled) > self._size:
            self._remove(sampled, sampled[-1])
        return True

    @property
    def sites(self) -> dict[str, int]:
        """How many pages there are of each site, by site."""
        return {site: len(self._sites[site]) for site in sorted(self._sites)}

    def pages(self, site: str) -> list[Page]:
        """The pages of a site, by URL."""
        return sorted(self._read(page.row for page in self._sites[site]), key=lambda page: page.url)

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
        self._db.execute("DELETE FROM pages WHERE id = ?", (page.row,))

    def _read(self, ids: Iterable[int]) -> Iterable[Page]:
        for number in ids:
            url, charset, form, body = self._db.execute(
                "SELECT url, charset, form, body FROM pages WHERE id = ?", (number,)
            ).fetchone()
            content = zlib.decompress(body) if form & _PACKED else bytes(body)
            html = content.decode("utf-8", "surrogatepass") if form & _TEXT else content
            yield Page(url, html, charset=charset)
