"""The spool: a SQLite file of the pages that are learned from, the links to them, and the items that wait; its path.

With JOBDIR the file stays when the crawl pauses and is used again when it is resumed; else it is a temporary file.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir
from scrapy.utils.project import data_path

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import SettingError, StemmerError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_stemmer.crawl.config import StemmerConfig


TOKEN_BYTES = 8
"""What is drawn for the name of a temporary spool; it has two characters a byte."""


def spider_name(crawler: Crawler) -> str:
    """The spider's name, which its class need not have."""
    return getattr(crawler.spider or crawler.spidercls, "name", None) or "spider"


class CrawlFiles:
    """The paths of a crawl's files.

    With JOBDIR the spool is in it, in ``stemmer/``, and stays after the process; else it is a temporary file in
    STEMMER_STATE_DIR, by default the project's ``.scrapy/stemmer/``.

    :param config: gives STEMMER_STATE_DIR.
    """

    def __init__(self, crawler: Crawler, config: StemmerConfig) -> None:
        self._spider = re.sub(r"[^\w.-]", "_", spider_name(crawler))
        job = job_dir(crawler.settings)
        self.lasting = job is not None
        self._job = Path(job) / "stemmer" if job else None
        self._given = Path(config.state_dir) if config.state_dir else None

    @property
    def folder(self) -> Path:
        """The directory, which is made when it isn't there."""
        folder = self._given or self._job or project_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(
                f"STEMMER_STATE_DIR = {str(folder)!r}: the directory can't be made ({error.strerror}); name one that "
                f"can be written into."
            ) from error
        return folder

    def spool(self) -> Path:
        """The file for the spool."""
        if self._job:
            return self._job / f"{self._spider}.sqlite"
        return self.folder / f"{self._spider}-{token_hex(TOKEN_BYTES)}.sqlite"

    def left_spools(self) -> list[Path]:
        """The files of earlier spools of this spider that no JOBDIR holds; crawls that go on have some of them."""
        return sorted(self.folder.glob(f"{self._spider}-{'[0-9a-f]' * 2 * TOKEN_BYTES}.sqlite"))

    @property
    def has_spool(self) -> bool:
        """Whether a paused crawl has left its spool."""
        return self.lasting and self.spool().exists()

    def unreleased(self) -> Path:
        """The file for items that the end of the crawl has left waiting."""
        return self.folder / f"{self._spider}-unreleased-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"


def project_folder() -> Path:
    """The directory for state where STEMMER_STATE_DIR names none."""
    try:
        return Path(data_path("stemmer"))
    except NotConfigured:  # settings from the environment, without a scrapy.cfg
        return Path(".scrapy", "stemmer")


# The spool

VERSION = 1
"""Version of the tables; a spool of another version is refused."""

PLAIN_BYTES = 64_000_000
"""Further pages are compressed once the spool holds this many bytes of pages; that costs nearly as much as parsing
them. A crawl of a few sites holds fewer at a time; one of thousands saves three quarters of its disk space."""

COMPRESSION = 1
"""Level of zlib for pages: four times smaller, for nearly as much time as the page takes to be parsed."""

COMPRESSED_BY = 4
"""Factor by which that makes pages smaller."""

PLAIN = b"\0"
"""First byte of a page that is not compressed; no stream of zlib begins with it."""

DIGEST_BYTES = 16
"""Length of the hash that tells pages apart by content."""

TEMPORARY = ("page_size = 16384", "journal_mode = MEMORY", "locking_mode = EXCLUSIVE", "cache_size = -8000")
"""Pragmas of a file that nobody uses again when the crawl has died. No log is written to disk beside it, in which each
page would be a second time; large blocks, and 8 MB of them in memory, go with large pages. Keeping a page, learning
from it and letting its item go takes a third of the time."""

LASTING = ("journal_mode = WAL",)
"""Pragmas of a file that must be whole when the crawl dies: all that was done before is in the log."""

ALWAYS = ("synchronous = OFF", "secure_delete = OFF")
"""Pragmas of both. No waiting for the disk: a crash of the machine may cost the spool. Some systems' SQLite writes
zeros over what is deleted, which takes as long as writing it did."""

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


class SpooledText(Page):
    """A page to learn from, kept as it is in the spool: its HTML is expanded each time it is read, and not kept.

    :param html: its text; unused when there is a ``body``.
    :param body: its text as :func:`compressed` or :func:`uncompressed` gave it.
    """

    __slots__ = ("_body",)
    _body: bytes

    def __init__(
        self,
        url: str,
        html: str = "",
        anchors: tuple[str, ...] = (),
        charset: str | None = None,
        fetched: str | None = None,
        *,
        body: bytes = b"",
    ) -> None:
        for name, value in (("url", url), ("anchors", anchors), ("charset", charset), ("fetched", fetched)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_body", body or compressed(html))

    @property
    def html(self) -> str:
        """The page's text."""
        return expanded(self._body)

    @property
    def size(self) -> int:
        """The length of its text in bytes, about."""
        return len(self._body) * (1 if self._body.startswith(PLAIN) else COMPRESSED_BY)


@dataclass(frozen=True, slots=True)
class HeldItem:
    """An item in the spool.

    :param id: its number; items that came earlier have smaller ones.
    :param site: the site that it waits for.
    :param url: the URL of its page.
    :param page: the id of its page; ``None`` when the item brings its HTML along.
    :param item: its JSON; ``None`` when it is kept in memory.
    :param body: the text of its page, for :func:`expanded`.
    """

    id: int
    site: str
    url: str
    page: int | None
    item: str | None
    body: bytes | None


def compressed(text: str) -> bytes:
    """A page's text as the spool keeps it."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), COMPRESSION)


def uncompressed(text: str) -> bytes:
    """A page's text as the spool keeps it while it has room."""
    return PLAIN + text.encode("utf-8", "surrogatepass")


def expanded(body: bytes) -> str:
    """The text that :func:`compressed` or :func:`uncompressed` was given."""
    plain = body[len(PLAIN) :] if body.startswith(PLAIN) else zlib.decompress(body)
    return plain.decode("utf-8", "surrogatepass")


def digest_of(content: bytes) -> bytes:
    """A hash that tells pages apart by content."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()


def left_items(path: Path) -> list[HeldItem] | None:
    """The items in a spool that a killed crawl has left, with their pages; ``None`` when a crawl is using the spool.

    The file is only read, but for what SQLite has to undo there. Items that were in memory only have no JSON.

    :raises StemmerError: when the file can't be read as a spool.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as db:
            return [HeldItem(*row) for row in db.execute(f"{_HELD} ORDER BY items.id")]
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
            return None
        raise StemmerError(f"{path} can't be read as a spool ({error}).") from error
    except sqlite3.DatabaseError as error:
        raise StemmerError(f"{path} can't be read as a spool ({error}).") from error


def delete_spool(path: Path) -> None:
    """Delete the file of a spool, and what SQLite has beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


class Spool:
    """Pages, links and items of the sites that are being learned.

    :param path: the file; made when it isn't there.
    :param lasting: whether a later crawl may use it again.
    :raises StemmerError: when the file is there and is no spool that can be used.
    """

    def __init__(self, path: Path, *, lasting: bool = True) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # Learning threads are given what they need; only the crawl's own thread touches the file.
        self._db = sqlite3.connect(path, isolation_level=None)
        try:
            self._open((*(LASTING if lasting else TEMPORARY), *ALWAYS))
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
            self._db.execute("COMMIT")
        except BaseException:
            # On a full disk SQLite may have rolled back already, also when committing.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

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

    def sample(self, site: str) -> Iterator[SpooledText]:
        """The sample of a site, page by page, with the texts of the links to each page.

        Between two pages the spool may be used for other things.
        """
        numbers = self._db.execute("SELECT id FROM pages WHERE site = ? AND sampled ORDER BY id", (site,)).fetchall()
        for (page,) in numbers:
            query = "SELECT url, key, aliases, body FROM pages WHERE id = ?"
            url, key, aliases, body = self._db.execute(query, (page,)).fetchone()
            yield SpooledText(url, anchors=self._anchors_to(site, key, aliases), body=body)

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

    def first_held(self, site: str, up_to: int | None = None, *, after: int = 0) -> HeldItem | None:
        """The item of a site that waits longest, with its page.

        :param up_to: the highest id that is wanted.
        :param after: the highest id that is not.
        """
        limit = 2**62 if up_to is None else up_to
        query = f"{_HELD} WHERE items.site = ? AND items.id > ? AND items.id <= ? ORDER BY items.id LIMIT 1"
        row = self._db.execute(query, (site, after, limit)).fetchone()
        return HeldItem(*row) if row else None

    def held_in_memory(self, site: str) -> Iterator[HeldItem]:
        """The items of a site that are not on disk themselves."""
        query = "SELECT id FROM items WHERE site = ? AND item IS NULL ORDER BY id"
        for (each,) in self._db.execute(query, (site,)).fetchall():
            yield HeldItem(*self._db.execute(f"{_HELD} WHERE items.id = ?", (each,)).fetchone())

    def all_held(self) -> Iterator[HeldItem]:
        """All items, with their pages, in order; they stay."""
        for (each,) in self._db.execute("SELECT id FROM items ORDER BY id").fetchall():
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
            delete_spool(self.path)
