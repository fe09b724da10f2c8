"""The spool: a SQLite file of sampled pages, each URL and text once, links to them, and waiting items.

With JOBDIR the file stays when the crawl pauses and is used again on resuming; without it the file is temporary.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from scrapy_stemmer.crawl.files import PRIVATE_FOLDER, make_private
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.document import Page, url_key
from scrapy_stemmer.page.text import stable_hash
from scrapy_stemmer.stores.file import renamed_path

logger = logging.getLogger("scrapy_stemmer")

SPOOL_VERSION = 5  # version of the tables; a spool of another version is refused

_TABLES = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, use INTEGER NOT NULL, key INTEGER NOT NULL,
    digest INTEGER NOT NULL, look TEXT NOT NULL, aliases TEXT NOT NULL, links BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE items (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, page INTEGER, item TEXT, request TEXT NOT NULL);
CREATE TABLE learned (site TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX of_site ON pages (site, use);
CREATE INDEX of_page ON items (page);
"""

_UNUSED = "NOT use AND NOT EXISTS (SELECT 1 FROM items WHERE page = pages.id)"  # pages outside samples, without items

_PRAGMAS = (
    # Transactions write whole pages of SQLite's: with 4 kB, the default, three times as much.
    "page_size = 512",
    # The lock shows further crawls that this crawl is running.
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    # No waiting for the disk: a crash of the machine may cost the spool.
    "synchronous = OFF",
    # Some systems' SQLite overwrites deleted data with zeros, as slow as writing it.
    "secure_delete = OFF",
    # A log of 4 MB, so that repeated writes reach the file once; then the log is emptied.
    "wal_autocheckpoint = 8000",
    "journal_size_limit = 0",
)

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors of a damaged file; UnicodeDecodeError if its bytes are in SQLite's message."""

SQLITE_SUFFIXES = ("", "-wal", "-shm", "-journal")  # suffixes of SQLite's files

_HELD = "SELECT items.id, items.url, item, {}, items.request FROM items LEFT JOIN pages ON pages.id = page"

MAX_LINKING = 1000  # most unsampled responses of a site with links kept for learning


class Use(IntEnum):
    """Use of a page in the spool; items may wait for any."""

    ITEMS = 0  # for items alone
    SAMPLE = 1  # page to learn from
    SPARE = 2  # page to learn from until more useful pages come
    LINKS = 3  # page kept for its links, without text


IN_SAMPLE = (Use.SAMPLE, Use.SPARE)


# Contents


def compressed(text: str) -> bytes:
    """Return a compressed text: four times smaller, in nearly the time of parsing the page."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), level=1)


def expanded(body: bytes) -> str:
    try:
        return zlib.decompress(body).decode("utf-8", "surrogatepass")
    except (zlib.error, TypeError) as error:
        raise ValueError(f"a page in the spool is damaged ({error})") from error


def _hash(text: str) -> int:
    return stable_hash(text) - (1 << 63)


def packed(text: str) -> tuple[int, bytes]:
    """Return the hash and the compressed text of a page, which takes long for a large page."""
    return _hash(text), compressed(text)


Row = tuple[bytes, str, str, bytes | None]  # a written page: links, URL and aliases; its text, if sampled


def texts_of(rows: Iterable[Row]) -> list[Page]:
    """Return the sample in rows, which takes long for pages with thousands of links."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    sampled = []
    for links, url, aliases, body in rows:
        if body is not None:
            sampled.append((url, body, dict.fromkeys([url_key(url), *filter(None, aliases.split("\n"))])))
        for key, text in json.loads(expanded(links)):
            texts[key].append(text)
    return [
        Page(url, expanded(body), tuple(text for key in keys for text in sorted(texts[key])))
        for url, body, keys in sampled
    ]


@dataclass(frozen=True, slots=True)
class HeldItem:
    id: int  # in order of arrival
    url: str
    item: str | None  # JSON; None if kept in memory
    body: bytes | None  # page for :func:`expanded`; None if the HTML is in the item
    request: str = ""  # the page's request, by :func:`scrapy_stemmer.crawl.session.held.as_text`


def left_items(path: Path, *, with_pages: bool = True) -> list[HeldItem] | None:
    """Return the items in the spool of a killed crawl; ``None`` for a running crawl. The file is only read, apart from
    SQLite's recovery."""
    items: list[HeldItem] = []
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as db:
            (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not tables:
                return []  # killed before making the tables
            query = _HELD.format("body" if with_pages else "NULL")
            for row in db.execute(f"{query} WHERE typeof(item) IN ('text', 'null') ORDER BY items.id"):
                items.append(HeldItem(*row))  # noqa: PERF401 - keeps items before damage
    except UNREADABLE as error:
        if _is_in_use(error):
            return None
        if not items:
            raise StemmerError(f"{path} can't be read as a spool ({error}).") from error
        logger.warning("%s can't be read behind item %d (%s): what follows is lost.", path, items[-1].id, error)
    return items


def _name_of(error: Exception) -> str:
    return str(getattr(error, "sqlite_errorname", ""))


def _is_in_use(error: Exception) -> bool:
    return _name_of(error).startswith("SQLITE_BUSY")


def delete_spool(path: Path) -> None:
    for suffix in SQLITE_SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


class DamagedSpool(StemmerError):  # noqa: N818 - an object in place of a spool
    """A file in place of a spool, unusable as one."""


def opened(path: Path) -> Spool:
    """Return the spool in a file not used by another crawl. An unusable file is renamed and logged, and a new spool
    begun."""
    try:
        return Spool(path)
    except DamagedSpool as error:
        put = renamed_path(path, "damaged")
        try:
            for suffix in SQLITE_SUFFIXES:
                with suppress(FileNotFoundError):
                    path.with_name(path.name + suffix).rename(put.with_name(put.name + suffix))
        except OSError:
            raise error from None
        message = "%s The crawl goes on without it: it is now %s. To have the items in it: scrapy stemmer recover %s"
        logger.error(message, error, put, put)
    return Spool(path)


class Spool:
    """Pages, links and items of the sites being learned.

    An item is on disk after :meth:`add_item`, with all earlier additions; without items, call :meth:`flush`. A full
    disk may lose everything but items.

    :raises DamagedSpool: for an unusable file.
    :raises StemmerError: if another crawl uses the file, or none can be created.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            files = path, path.with_name(f"{path.name}-wal")
            size, logged = (file.stat().st_size if file.exists() else None for file in files)
            make_private(path)  # SQLite's files beside it get equal rights
            # Only the crawl's own thread uses the file; learning threads get their data.
            self._db = sqlite3.connect(path, isolation_level=None)
            for pragma in _PRAGMAS:
                self._db.execute(f"PRAGMA {pragma}")
            # SQLite takes an empty file for new; logged data is in the file only later.
            whole = self._number("PRAGMA page_count") * self._number("PRAGMA page_size")
            if size == 0 or (size is not None and not logged and size < whole):
                raise sqlite3.DatabaseError("it is empty or cut off")
            version = self._number("PRAGMA user_version")
            if version == 0 and not self._number("SELECT count(*) FROM sqlite_master"):
                self._db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {SPOOL_VERSION}; COMMIT;")
            elif version != SPOOL_VERSION:
                raise sqlite3.DatabaseError(f"version {version} instead of {SPOOL_VERSION}")
            else:
                self._check()
            self._take_stock()
        except (*UNREADABLE, OSError) as error:
            with suppress(AttributeError):  # there is none when the file can't be opened
                self._db.close()
            if _is_in_use(error):
                raise StemmerError(f"{path} is in use by another crawl. Give each a JOBDIR of its own.") from error
            may_pass = _name_of(error).startswith(("SQLITE_FULL", "SQLITE_IOERR")) and os.access(path, os.W_OK)
            kind = DamagedSpool if path.exists() and not may_pass else StemmerError
            raise kind(f"{path} can't be used to go on with the crawl ({error}).") from error

    def _check(self) -> None:
        """Check the spool of an earlier crawl, except texts and pages, which are checked on reading."""
        tables = self._db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        if {sql for (sql,) in tables} != set(filter(None, map(str.strip, _TABLES.split(";")))):
            raise sqlite3.DatabaseError("other tables")
        (verdict,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        self.sampled(), self.held_ids(), self.learned()

    def _take_stock(self) -> None:
        self._db.execute("DELETE FROM items WHERE item IS NULL")  # items in memory ended with their process
        self._db.execute(f"DELETE FROM pages WHERE {_UNUSED}")  # noqa: S608
        self._last = self._number("SELECT max(id) FROM pages")

    def _number(self, query: str, *values: object) -> int:
        row = self._db.execute(query, values).fetchone()
        return int(row[0] or 0) if row else 0

    # Writing

    def _begin(self) -> None:
        if not self._db.in_transaction:
            self._db.execute("BEGIN")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Commit all writes within the context, and earlier additions, or none."""
        try:
            self._begin()
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:  # SQLite may have rolled back on a full disk
                self._db.execute("ROLLBACK")
            raise

    def flush(self) -> None:
        if self._db.in_transaction:
            with self._writing():
                pass

    def add_page(
        self,
        site: str,
        url: str,
        text: tuple[int, bytes],
        use: Use,
        *,
        look: str = "",
        aliases: Iterable[str] = (),
        links: Iterable[tuple[str, str]] = (),
    ) -> int:
        hashes = _hash(url_key(url)), text[0]
        equal = "SELECT 1 FROM pages WHERE site = ? AND use IN (?, ?) AND (key = ? OR digest = ?)"
        if use in IN_SAMPLE and self._number(equal, site, *IN_SAMPLE, *hashes):
            return 0
        beside = "\n".join(aliases), compressed(json.dumps(list(links)))
        self._begin()
        page = self._last = self._last + 1  # never reused, even after deletion
        row = (page, site, url, use, *hashes, look, *beside, text[1])
        self._db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return page

    def add_links(self, site: str, links: Iterable[tuple[str, str]]) -> None:
        """Add the links of an unsampled page, up to a number of pages for each site."""
        if self._number("SELECT count(*) FROM pages WHERE site = ? AND use > 0", site) < MAX_LINKING:
            self.add_page(site, "", packed(""), Use.LINKS, links=links)

    def has(self, page: int) -> bool:
        return self._number("SELECT 1 FROM pages WHERE id = ?", page) > 0

    def add_item(self, site: str, url: str, page: int | None, item: str | None, request: str = "") -> int:
        """Store a waiting item, with the number of its page unless the HTML is in the item, and return the item's
        number."""
        with self._writing():
            query = "INSERT INTO items (site, url, page, item, request) VALUES (?, ?, ?, ?, ?)"
            return self._db.execute(query, (site, url, page, item, request)).lastrowid or 0

    def remove_items(self, items: Iterable[int]) -> None:
        """Remove items, and their pages outside samples with no more items waiting."""
        items = list(items)
        with self._writing():
            pages = {self._number("SELECT page FROM items WHERE id = ?", item) for item in items}
            self._db.executemany("DELETE FROM items WHERE id = ?", zip(items, strict=True))
            self._db.executemany(f"DELETE FROM pages WHERE id = ? AND {_UNUSED}", zip(pages, strict=True))  # noqa: S608

    def drop_spare(self, site: str) -> bool:
        last = self._number("SELECT max(id) FROM pages WHERE site = ? AND use = ?", site, Use.SPARE)
        if last:
            self._remove("id = ?", last)
        return last > 0

    def remove_sample(self, site: str) -> None:
        """Remove a site's sample and links, except pages with waiting items."""
        self._remove("site = ?", site)

    def add_learned(self, site: str) -> None:
        """Record a site as learned for a resumed crawl, and remove the sample."""
        self._begin()
        self._db.execute("INSERT OR IGNORE INTO learned VALUES (?)", (site,))
        self.remove_sample(site)

    def _remove(self, which: str, *values: object) -> None:
        """Take pages out of samples, and delete those without waiting items."""
        with self._writing():
            self._db.execute(f"UPDATE pages SET use = 0 WHERE {which} AND use > 0", values)  # noqa: S608
            self._db.execute(f"DELETE FROM pages WHERE {which} AND {_UNUSED}", values)  # noqa: S608

    # Reading

    def rows(self, site: str) -> list[Row]:
        columns = "links, url, aliases, CASE WHEN use IN (?, ?) THEN body END"
        query = f"SELECT {columns} FROM pages WHERE site = ? AND use > 0 ORDER BY id"  # noqa: S608
        return self._db.execute(query, (*IN_SAMPLE, site)).fetchall()

    def sampled(self) -> dict[str, list[tuple[str, bool]]]:
        looks: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
        for site, look, use in self._db.execute("SELECT site, look, use FROM pages WHERE use IN (1, 2) ORDER BY id"):
            looks[site].append((look, use == Use.SPARE))
        return looks

    def held(self, item: int) -> HeldItem:
        return HeldItem(*self._db.execute(f"{_HELD.format('body')} WHERE items.id = ?", (item,)).fetchone())

    def held_ids(self) -> list[tuple[str, int]]:
        return self._db.execute("SELECT site, id FROM items ORDER BY id").fetchall()

    def learned(self) -> list[str]:
        return [site for (site,) in self._db.execute("SELECT site FROM learned")]

    def close(self, *, remove: bool) -> None:
        """Close the file; ``remove`` deletes it."""
        try:
            if not remove:
                self.flush()
        finally:
            self._db.close()
        if remove:
            delete_spool(self.path)
