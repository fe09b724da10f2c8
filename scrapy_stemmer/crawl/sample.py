"""The spool: pages that are kept to learn from, the links to them, and items that wait; one SQLite file a crawl.

With JOBDIR the file stays when the crawl pauses and is taken up again; else it is a temporary file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from scrapy_stemmer.crawl.pages import compressed, digest_of, uncompressed
from scrapy_stemmer.exceptions import StemmerError

VERSION = 1
"""Of the tables; a spool of another version is refused."""

PLAIN_BYTES = 64_000_000
"""So large pages may be together before further ones are compressed, which costs nearly as much as parsing them. A
crawl of a few sites has fewer at a time; one of thousands saves three quarters of its disk space."""

PASSING = ("page_size = 16384", "journal_mode = MEMORY", "locking_mode = EXCLUSIVE", "cache_size = -8000")
"""Of a file that nobody takes up again when the crawl has died. No log is written to disk beside it, in which each page
would stand a second time; large blocks, and 8 MB of them in memory, go with large pages. Keeping a page, learning from
it and letting its item go takes a third of the time."""

LASTING = ("journal_mode = WAL",)
"""Of a file that must be whole when the crawl dies: whatever happens, all that was done before is in the log."""

ALWAYS = ("synchronous = OFF", "secure_delete = OFF")
"""A crash of the machine may cost the spool: no waiting for the disk. Some systems' SQLite writes zeros over what is
deleted, which takes as long as writing it did."""

_TABLES = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL,
    aliases TEXT NOT NULL, body BLOB NOT NULL, sampled INTEGER NOT NULL);
CREATE UNIQUE INDEX pages_by_content ON pages (site, digest);
CREATE UNIQUE INDEX pages_by_url ON pages (site, key) WHERE sampled;
CREATE TABLE anchors (
    site TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, repeats INTEGER NOT NULL,
    PRIMARY KEY (site, key, text)) WITHOUT ROWID;
CREATE TABLE items (id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, page INTEGER, item TEXT);
CREATE INDEX items_by_site ON items (site);
CREATE INDEX items_by_page ON items (page);
CREATE TABLE done (site TEXT PRIMARY KEY) WITHOUT ROWID;
"""

_HELD = "SELECT items.id, items.site, items.url, page, item, body FROM items LEFT JOIN pages ON pages.id = page"

_ALIAS_SEPARATOR = "\n"


class StoredPage(NamedTuple):
    """A page of the sample; ``body`` is for :func:`scrapy_stemmer.crawl.pages.expanded`."""

    id: int
    url: str
    body: bytes
    anchors: tuple[str, ...]


class HeldItem(NamedTuple):
    """An item that waited; ``item`` is its JSON, ``None`` when it is in memory; ``body`` its compressed page."""

    id: int
    site: str
    url: str
    page: int | None
    item: str | None
    body: bytes | None


class Spool:
    """Pages, links and items of the sites that are being learned.

    :param path: the file; made when it isn't there.
    :param lasting: whether a later crawl may take it up again.
    :raises StemmerError: when the file is there and is no spool that can be used.
    """

    def __init__(self, path: Path, *, lasting: bool = True) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # Learning threads are given what they need; only the crawl's own thread touches the file.
        self._db = sqlite3.connect(path, isolation_level=None)
        try:
            self._open((*(LASTING if lasting else PASSING), *ALWAYS))
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise StemmerError(
                f"{path} can't be used to go on with the crawl ({error}). Move the file away to go on without the "
                f"pages and items in it."
            ) from error

    def _open(self, pragmas: Iterable[str]) -> None:
        for pragma in pragmas:
            self._db.execute(f"PRAGMA {pragma}")
        version = self._number("PRAGMA user_version")
        if version == 0:
            self._db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise sqlite3.DatabaseError(f"version {version} instead of {VERSION}")
        # Items that were in memory only are gone with the process that had them.
        self._db.execute("DELETE FROM items WHERE item IS NULL")
        self._bytes = self._number("SELECT coalesce(sum(length(body)), 0) FROM pages")

    def _number(self, query: str, *values: object) -> int:
        row = self._db.execute(query, values).fetchone()
        return int(row[0]) if row else 0

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add_page(
        self, site: str, url: str, key: str, text: str, *, aliases: Iterable[str] = (), digest: bytes | None = None
    ) -> int:
        """Keep a page and give its id; a page of the same content is kept once a site.

        :param key: its canonical URL.
        :param aliases: canonical URLs that were redirected to it.
        :param digest: a hash of its content; that of its text when ``None``.
        """
        digest = digest or digest_of(text.encode("utf-8", "surrogatepass"))
        if known := self._number("SELECT id FROM pages WHERE site = ? AND digest = ?", site, digest):
            return known
        body = uncompressed(text) if self._bytes < PLAIN_BYTES else compressed(text)
        cursor = self._db.execute(
            "INSERT INTO pages (site, url, key, digest, aliases, body, sampled) VALUES (?, ?, ?, ?, ?, ?, 0)",
            (site, url, key, digest, _ALIAS_SEPARATOR.join(aliases), body),
        )
        self._bytes += len(body)
        return cursor.lastrowid or 0

    def take_into_sample(self, page: int) -> bool:
        """Make a kept page part of its site's sample; False when it, or another page of its URL, already is."""
        cursor = self._db.execute("UPDATE OR IGNORE pages SET sampled = 1 WHERE id = ? AND NOT sampled", (page,))
        return cursor.rowcount > 0

    def add_anchors(self, site: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Add links, as pairs of the target's canonical URL and the link's text; repeats count."""
        with self._transaction():
            self._db.executemany(
                "INSERT INTO anchors VALUES (?, ?, ?, 1) "
                "ON CONFLICT (site, key, text) DO UPDATE SET repeats = repeats + 1",
                ((site, key, text) for key, text in anchors),
            )

    def sample(self, site: str) -> list[StoredPage]:
        """The sample of a site, with the texts of the links to each page."""
        return list(self.pages_of_sample(site))

    def pages_of_sample(self, site: str, known: Container[int] = ()) -> Iterator[StoredPage]:
        """The same one by one; between two of them the spool may be used for other things.

        :param known: ids of pages to leave out.
        """
        numbers = self._db.execute("SELECT id FROM pages WHERE site = ? AND sampled ORDER BY id", (site,)).fetchall()
        for (page,) in numbers:
            if page in known:
                continue
            query = "SELECT url, key, aliases, body FROM pages WHERE id = ?"
            url, key, aliases, body = self._db.execute(query, (page,)).fetchone()
            yield StoredPage(page, url, body, self._anchors_to(site, key, aliases))

    def _anchors_to(self, site: str, key: str, aliases: str) -> tuple[str, ...]:
        keys = dict.fromkeys([key, *filter(None, aliases.split(_ALIAS_SEPARATOR))])
        query = "SELECT text, repeats FROM anchors WHERE site = ? AND key = ? ORDER BY text"
        found = [row for each in keys for row in self._db.execute(query, (site, each))]
        return tuple(text for text, repeats in found for _ in range(repeats))

    def sample_sizes(self) -> dict[str, int]:
        """The number of sampled pages of each site."""
        return dict(self._db.execute("SELECT site, count(*) FROM pages WHERE sampled GROUP BY site"))

    def hold(self, site: str, url: str, page: int | None, item: str | None) -> int:
        """Keep an item that waits and give its id.

        :param page: the id of its page; ``None`` when the item brings its HTML along.
        :param item: its JSON; ``None`` when it is kept in memory.
        """
        cursor = self._db.execute(
            "INSERT INTO items (site, url, page, item) VALUES (?, ?, ?, ?)", (site, url, page, item)
        )
        return cursor.lastrowid or 0

    def held_counts(self) -> dict[str, int]:
        """The number of items that wait, by site."""
        return dict(self._db.execute("SELECT site, count(*) FROM items GROUP BY site"))

    def last_held(self) -> int:
        """The id of the item that was held last; 0 when none waits."""
        return self._number("SELECT coalesce(max(id), 0) FROM items")

    def first_held(self, site: str, up_to: int | None = None) -> HeldItem | None:
        """The item of a site that waits longest, with its page.

        :param up_to: the highest id that is wanted.
        """
        limit = 2**62 if up_to is None else up_to
        row = self._db.execute(
            f"{_HELD} WHERE items.site = ? AND items.id <= ? ORDER BY items.id LIMIT 1", (site, limit)
        ).fetchone()
        return HeldItem(*row) if row else None

    def held_in_memory(self, site: str) -> Iterator[HeldItem]:
        """The items of a site that are not on disk themselves."""
        query = "SELECT id FROM items WHERE site = ? AND item IS NULL ORDER BY id"
        for (each,) in self._db.execute(query, (site,)).fetchall():
            yield HeldItem(*self._db.execute(f"{_HELD} WHERE items.id = ?", (each,)).fetchone())

    def release(self, held: HeldItem) -> None:
        """Forget an item, and its page when no other item waits for it and it is not in a sample."""
        with self._transaction():
            self._db.execute("DELETE FROM items WHERE id = ?", (held.id,))
            self._delete_pages("id = ? AND NOT sampled", held.page)

    def finish(self, site: str) -> None:
        """Remember that a site is done, so that a resumed crawl doesn't learn it again."""
        self._db.execute("INSERT OR IGNORE INTO done VALUES (?)", (site,))

    def finished(self) -> set[str]:
        """The sites that are done."""
        return {site for (site,) in self._db.execute("SELECT site FROM done")}

    def forget_sample(self, site: str) -> None:
        """Remove a site's sample and links; pages that items wait for stay."""
        with self._transaction():
            self._db.execute("UPDATE pages SET sampled = 0 WHERE site = ?", (site,))
            self._db.execute("DELETE FROM anchors WHERE site = ?", (site,))
            self._delete_pages("site = ?", site)

    def _delete_pages(self, which: str, value: object) -> None:
        """Delete those of some pages that no item waits for."""
        found = f"FROM pages WHERE {which} AND NOT EXISTS (SELECT 1 FROM items WHERE page = pages.id)"  # noqa: S608
        self._bytes -= self._number(f"SELECT coalesce(sum(length(body)), 0) {found}", value)
        self._db.execute(f"DELETE {found}", (value,))

    def close(self, *, remove: bool) -> None:
        """Close the file.

        :param remove: whether to delete it, for nothing in it is needed any more.
        """
        self._db.close()
        if remove:
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
