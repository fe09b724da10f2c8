"""The spool: a SQLite file of the pages that are learned from, the links to them, and the items that wait; its path.

With JOBDIR the file stays when the crawl pauses and is used again when it is resumed; else it is a temporary file.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir
from scrapy.utils.project import data_path

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.exceptions import SettingError, StemmerError

MAX_SAMPLED_CHARS = 10_000_000
"""Larger pages are not learned from (Webstemmer's crawler dropped pages over 1 MB); they are still stripped."""

VERSION = 2
"""Version of the tables; those of version 1 are extended, a spool of another version is refused."""

_TABLES = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL,
    aliases TEXT NOT NULL, body BLOB NOT NULL, sampled INTEGER NOT NULL, look TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX pages_by_content ON pages (site, digest);
CREATE UNIQUE INDEX pages_by_url ON pages (site, key) WHERE sampled;
CREATE TABLE anchors (
    site TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, repeats INTEGER NOT NULL,
    PRIMARY KEY (site, key, text)) WITHOUT ROWID;
CREATE TABLE items (id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, page INTEGER, item TEXT,
    request TEXT NOT NULL DEFAULT '');
CREATE INDEX items_by_page ON items (page);
CREATE TABLE done (site TEXT PRIMARY KEY) WITHOUT ROWID;
"""

SPARE = 2
"""Marks spare pages of a sample in the column ``sampled``."""

_FROM_1 = """
ALTER TABLE items ADD COLUMN request TEXT NOT NULL DEFAULT '';
ALTER TABLE pages ADD COLUMN look TEXT NOT NULL DEFAULT '';
"""

_UNUSED = "NOT sampled AND NOT EXISTS (SELECT 1 FROM items WHERE page = pages.id)"

_HELD = "SELECT items.id, items.url, item, {}, {} FROM items LEFT JOIN pages ON pages.id = page"


# Where it is


def spider_name(crawler: Crawler) -> str:
    """The spider's name, which its class need not have."""
    return getattr(crawler.spider or crawler.spidercls, "name", None) or "spider"


def state_folder(config: StemmerConfig) -> Path:
    """The directory of the state of crawls without JOBDIR."""
    if config.state_dir:
        return Path(config.state_dir)
    try:
        return Path(data_path("stemmer"))
    except NotConfigured:  # settings from the environment, without a scrapy.cfg
        return Path(".scrapy", "stemmer")


class CrawlFiles:
    """The paths of a crawl's files.

    With JOBDIR the spool is in it, in ``stemmer/``, and stays after the process; else it is a temporary file in
    STEMMER_STATE_DIR, by default the project's ``.scrapy/stemmer/``.
    """

    def __init__(self, crawler: Crawler, config: StemmerConfig) -> None:
        self._spider = re.sub(r"[^\w.-]", "_", spider_name(crawler))
        job = job_dir(crawler.settings)
        self._job = Path(job) / "stemmer" if job else None
        self._folder = self._job if self._job and not config.state_dir else state_folder(config)
        self.lasting = self._job is not None

    @property
    def folder(self) -> Path:
        """The directory for what is no spool in a JOBDIR; made when it isn't there."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(
                f"STEMMER_STATE_DIR = {str(self._folder)!r}: the directory can't be made ({error.strerror}); name one "
                f"that can be written into."
            ) from error
        return self._folder

    def spool(self) -> Path:
        """The file for the spool."""
        if self._job:
            return self._job / f"{self._spider}.sqlite"
        return self.folder / f"{self._spider}-{token_hex(8)}.sqlite"

    def left_spools(self) -> list[Path]:
        """The files of earlier spools of this spider that no JOBDIR holds; crawls that go on have some of them."""
        return sorted(self.folder.glob(f"{self._spider}-{'[0-9a-f]' * 16}.sqlite"))

    def unreleased(self) -> Path:
        """The file for items that the end of the crawl has left waiting."""
        return self.folder / f"{self._spider}-unreleased-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"


# What is in it


def compressed(text: str) -> bytes:
    """A page's text as the spool keeps it: four times smaller, for nearly as much time as it takes to be parsed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), level=1)


def expanded(body: bytes) -> str:
    """The text that :func:`compressed` was given."""
    # A paused crawl of an earlier version may have pages that are not compressed, behind a zero.
    text = body[1:] if body.startswith(b"\0") else zlib.decompress(body)
    return text.decode("utf-8", "surrogatepass")


def digest_of(content: bytes) -> bytes:
    """A hash that tells pages apart by content."""
    return blake2b(content, digest_size=16).digest()


class SpooledText(Page):
    """A page to learn from, kept as it is in the spool: its HTML is expanded each time it is read, and not kept.

    :param html: its text, or what :func:`compressed` has made of that.
    """

    __slots__ = ("_body",)
    _body: bytes

    def __post_init__(self) -> None:
        """Nothing is to be checked; that would expand the page."""

    @property
    def html(self) -> str:
        """The page's text."""
        return expanded(self._body)

    @html.setter
    def html(self, html: Any) -> None:
        object.__setattr__(self, "_body", html if isinstance(html, bytes) else compressed(html))


def append_pages(path: str, pages: Iterable[Page], fields: tuple[str, str]) -> None:
    """Append pages to a feed, which is compressed if its name ends in ``.gz``; at once, so that no line is torn.

    :param fields: the fields with the URL and with the HTML.
    """
    rows = (dict(zip(fields, (page.url, str(page.html)), strict=True)) for page in pages)
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    content = lines.encode("utf-8", "backslashreplace")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("ab") as file:
        file.write(gzip.compress(content) if path.endswith(".gz") else content)


@dataclass(frozen=True, slots=True)
class HeldItem:
    """An item in the spool.

    :param id: its number; items that came earlier have smaller ones.
    :param item: its JSON; ``None`` when it is kept in memory.
    :param body: the text of its page, for :func:`expanded`; ``None`` when the item brings its HTML along.
    :param request: what :func:`scrapy_stemmer.crawl.releasing.as_text` has made of the request of its page.
    """

    id: int
    url: str
    item: str | None
    body: bytes | None
    request: str = ""


def left_items(path: Path, *, with_pages: bool = True) -> list[HeldItem] | None:
    """The items in a spool that a killed crawl has left; ``None`` when a crawl is using the spool.

    The file is only read, but for what SQLite has to undo there. Items that were in memory only have no JSON.

    :param with_pages: whether their pages are wanted as well, which are much larger.
    :raises StemmerError: when the file can't be read as a spool.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as db:
            query = _HELD.format("body" if with_pages else "NULL", "''")  # also of version 1
            return [HeldItem(*row) for row in db.execute(f"{query} ORDER BY items.id")]
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
            return None
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
        try:
            # Learning threads are given what they need; only the crawl's own thread touches the file.
            self._db = sqlite3.connect(path, isolation_level=None)
            # One that lasts must be whole when the crawl dies: all that was done before is in the log. Of another one
            # each page would be on disk a second time in there; its lock tells other crawls that this one goes on.
            own = ("journal_mode = WAL",) if lasting else ("journal_mode = MEMORY", "locking_mode = EXCLUSIVE")
            # No waiting for the disk: a crash of the machine may cost the spool. Some systems' SQLite writes zeros over
            # what is deleted, which takes as long as writing it did.
            for pragma in (*own, "synchronous = OFF", "secure_delete = OFF"):
                self._db.execute(f"PRAGMA {pragma}")
            version = self._number("PRAGMA user_version")
            if version == 0:
                self._db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
            elif version == 1:
                self._db.executescript(f"BEGIN; {_FROM_1} PRAGMA user_version = {VERSION}; COMMIT;")
            elif version != VERSION:
                raise sqlite3.DatabaseError(f"version {version} instead of {VERSION}")
            # Items that were in memory only are gone with the process that had them.
            self._db.execute("DELETE FROM items WHERE item IS NULL")
        except sqlite3.DatabaseError as error:
            with suppress(AttributeError):  # there is none when the file can't be opened
                self._db.close()
            raise StemmerError(
                f"{path} can't be used to go on with the crawl ({error}). Move the file away to go on without the "
                f"pages and items in it."
            ) from error

    def _number(self, query: str, *values: object) -> int:
        row = self._db.execute(query, values).fetchone()
        return int(row[0]) if row else 0

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN")
        with self._db:  # commits, or rolls back; but on a full disk SQLite may have done that already
            yield

    def add_page(self, site: str, url: str, key: str, text: str, aliases: Iterable[str] = ()) -> int:
        """Keep a page and give its id; a page of the same content is kept once a site.

        :param key: its canonical URL.
        :param aliases: canonical URLs that were redirected to it.
        """
        digest = digest_of(text.encode("utf-8", "surrogatepass"))
        if known := self._number("SELECT id FROM pages WHERE site = ? AND digest = ?", site, digest):
            return known
        cursor = self._db.execute(
            "INSERT INTO pages (site, url, key, digest, aliases, body, sampled) VALUES (?, ?, ?, ?, ?, ?, 0)",
            (site, url, key, digest, "\n".join(aliases), compressed(text)),
        )
        return cursor.lastrowid or 0

    def take_into_sample(self, page: int, look: str = "", *, is_spare: bool = False) -> bool:
        """Make a kept page part of its site's sample; False when it, or another page of its URL, already is.

        :param look: by which the sample of a resumed crawl goes on.
        :param is_spare: whether it is to make room for others that are of more use.
        """
        query = "UPDATE OR IGNORE pages SET sampled = ?, look = ? WHERE id = ? AND NOT sampled"
        return self._db.execute(query, (SPARE if is_spare else 1, look, page)).rowcount > 0

    def drop_spare(self, site: str) -> bool:
        """Remove the last spare page from the sample of a site; False when there is none."""
        with self._transaction():
            last = self._number("SELECT coalesce(max(id), 0) FROM pages WHERE site = ? AND sampled = ?", site, SPARE)
            self._db.execute("UPDATE pages SET sampled = 0 WHERE id = ?", (last,))
            self._db.execute(f"DELETE FROM pages WHERE id = ? AND {_UNUSED}", (last,))  # noqa: S608 - no value in it
        return last > 0

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
            anchors: list[str] = []
            for each in dict.fromkeys([key, *filter(None, aliases.split("\n"))]):
                query = "SELECT text, repeats FROM anchors WHERE site = ? AND key = ? ORDER BY text"
                for text, repeats in self._db.execute(query, (site, each)):
                    anchors += [text] * repeats
            yield SpooledText(url, body, tuple(anchors))

    def sampled(self) -> dict[str, list[tuple[str, bool]]]:
        """The looks of the sampled pages of each site, and whether they are spare."""
        found: dict[str, list[tuple[str, bool]]] = {}
        for site, look, sampled in self._db.execute("SELECT site, look, sampled FROM pages WHERE sampled ORDER BY id"):
            found.setdefault(site, []).append((look, sampled == SPARE))
        return found

    def forget_sample(self, site: str) -> None:
        """Remove a site's sample and links; pages that items wait for stay."""
        with self._transaction():
            self._db.execute("UPDATE pages SET sampled = 0 WHERE site = ?", (site,))
            self._db.execute("DELETE FROM anchors WHERE site = ?", (site,))
            self._db.execute(f"DELETE FROM pages WHERE site = ? AND {_UNUSED}", (site,))  # noqa: S608 - no value in it

    def hold(self, site: str, url: str, page: int | None, item: str | None, request: str = "") -> int:
        """Keep an item that waits, with the id of its page if it brings no HTML along, and give its own id."""
        query = "INSERT INTO items (site, url, page, item, request) VALUES (?, ?, ?, ?, ?)"
        return self._db.execute(query, (site, url, page, item, request)).lastrowid or 0

    def held(self, item: int) -> HeldItem:
        """An item that waits, with its page."""
        query = _HELD.format("body", "items.request") + " WHERE items.id = ?"
        return HeldItem(*self._db.execute(query, (item,)).fetchone())

    def held_ids(self) -> list[tuple[str, int]]:
        """The site and the id of each item, in order."""
        return self._db.execute("SELECT site, id FROM items ORDER BY id").fetchall()

    def release(self, item: int) -> None:
        """Forget an item, and its page when no other item waits for it and it is not in a sample."""
        with self._transaction():
            page = self._number("SELECT coalesce(page, 0) FROM items WHERE id = ?", item)
            self._db.execute("DELETE FROM items WHERE id = ?", (item,))
            self._db.execute(f"DELETE FROM pages WHERE id = ? AND {_UNUSED}", (page,))  # noqa: S608 - no value in it

    def finish(self, site: str) -> None:
        """Remember that a site is done, so that a resumed crawl doesn't learn it again."""
        self._db.execute("INSERT OR IGNORE INTO done VALUES (?)", (site,))

    def finished(self) -> set[str]:
        """The sites that are done."""
        return {site for (site,) in self._db.execute("SELECT site FROM done")}

    def close(self, *, remove: bool) -> None:
        """Close the file.

        :param remove: whether to delete it, for nothing in it is needed any more.
        """
        self._db.close()
        if remove:
            delete_spool(self.path)
