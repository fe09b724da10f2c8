"""The spool: a SQLite file of the pages that are learned from, the links to them, and the items that wait; its path.

With JOBDIR the file stays when the crawl pauses and is used again when it is resumed; else it is a temporary file.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import re
import sqlite3
import struct
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir
from scrapy.utils.project import data_path

from scrapy_stemmer.core.document import Page, url_key
from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.exceptions import SettingError, StemmerError
from scrapy_stemmer.settings import StemmerConfig, project_folder
from scrapy_stemmer.stores.file import renamed_path

logger = logging.getLogger("scrapy_stemmer")

VERSION = 3  # version of the tables; a spool of another version is refused

_TABLES = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, use INTEGER NOT NULL, key INTEGER NOT NULL,
    digest INTEGER NOT NULL, look TEXT NOT NULL, aliases TEXT NOT NULL, links BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE items (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, page INTEGER, item TEXT, request TEXT NOT NULL);
CREATE TABLE done (site TEXT PRIMARY KEY, is_saved INTEGER NOT NULL) WITHOUT ROWID;
"""

_PRAGMAS = (
    # Each transaction writes whole pages of SQLite's: with the usual 4 kB it is three times as much.
    "page_size = 512",
    # The lock tells other crawls that this one goes on. Whenever the crawl dies, all that was done is in the log.
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    # No waiting for the disk: a crash of the machine may cost the spool.
    "synchronous = OFF",
    # Some systems' SQLite writes zeros over what is deleted, which takes as long as writing it did.
    "secure_delete = OFF",
    # Of a log: 4 MB, so that what is written again and again goes into the file once.
    "wal_autocheckpoint = 8000",
)

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What is raised for a damaged file; the latter where bytes of it are in SQLite's message."""

LOG_HEADER, FRAME = 32, 24 + 512  # bytes of the header of SQLite's log, and of each frame in it: a header, and one page
BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite adds to the name of a file for those beside it

_HELD = "SELECT items.id, items.url, item, {}, items.request FROM items LEFT JOIN pages ON pages.id = page"

MAX_LINKING = 1000  # responses of a site that were not sampled of which the links are kept until it is learned


class Use(IntEnum):
    """What a page in the spool is for; items may wait for any of them."""

    ITEMS = 0  # for items alone
    SAMPLE = 1  # to be learned from
    SPARE = 2  # the same, as long as there are no others that are of more use
    LINKS = 3  # for the links on it; it is not there itself


IN_SAMPLE = (Use.SAMPLE, Use.SPARE)


# Where it is


def spider_name(crawler: Crawler) -> str:
    """The spider's name, which its class need not have."""
    return getattr(crawler.spider or crawler.spidercls, "name", None) or "spider"


def state_folder(config: StemmerConfig) -> Path:
    """The directory of the state of crawls without JOBDIR, which need not be there, nor be writable."""
    if config.state_dir:
        return Path(config.state_dir)
    try:
        return Path(data_path("stemmer"))
    except NotConfigured:  # settings from the environment, without a scrapy.cfg
        return project_folder() / ".scrapy" / "stemmer"
    except OSError as error:  # Scrapy makes its folder at once, in a project that may be read alone
        return Path(error.filename or ".scrapy", "stemmer")


class CrawlFiles:
    """The paths of a crawl's files. With JOBDIR the spool is in it, in ``stemmer/``, and stays after the process; else
    it is a temporary file in STEMMER_STATE_DIR, by default the project's ``.scrapy/stemmer/``."""

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
            self._folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
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
        return sorted(self._folder.glob(f"{self._spider}-{'[0-9a-f]' * 16}.sqlite"))

    def unreleased(self) -> Path:
        """The file for items that the end of the crawl has left waiting."""
        return self.folder / f"{self._spider}-unreleased-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"


# What is in it


def compressed(text: str) -> bytes:
    """A page's text as the spool keeps it: four times smaller, for nearly as much time as it takes to be parsed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), level=1)


def expanded(body: bytes) -> str:
    """The text that :func:`compressed` was given; a ValueError when it is damaged."""
    try:
        return zlib.decompress(body).decode("utf-8", "surrogatepass")
    except (zlib.error, TypeError) as error:
        raise ValueError(f"a page in the spool is damaged ({error})") from error


def _hash(text: str) -> int:
    """A hash in the range of SQLite's integers."""
    return stable_hash(text) - (1 << 63)


def packed(text: str) -> tuple[int, bytes]:
    """A page's text as it is written, which takes long for a large one: its hash, and what it is compressed to."""
    return _hash(text), compressed(text)


class SpooledText(Page):
    """A page to learn from, kept as it is in the spool: its HTML, given as text or :func:`compressed`, is expanded each
    time it is read, and not kept."""

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


Row = tuple[bytes, str, str, bytes | None]  # a page as it is written: its links, URL and aliases; its text, if sampled


def texts_of(rows: Iterable[Row]) -> list[SpooledText]:
    """The sample that is written so; of pages with thousands of links that takes long."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    sampled = []
    for links, url, aliases, body in rows:
        if body is not None:
            sampled.append((url, body, dict.fromkeys([url_key(url), *filter(None, aliases.split("\n"))])))
        for key, text in json.loads(expanded(links)):
            texts[key].append(text)
    return [
        SpooledText(url, body, tuple(text for key in keys for text in sorted(texts[key])))
        for url, body, keys in sampled
    ]


PRIVATE_FOLDER = 0o700  # of folders for what waits


def make_private(path: Path) -> None:
    """Make a file that its owner alone may read, or take the rights of others from one that is there: bodies of
    requests may hold passwords, and their meta keys."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def append_pages(path: str, pages: Iterable[Page], fields: tuple[str, str]) -> None:
    """Append pages to a feed, their URL and HTML in these fields; it is compressed if its name ends in ``.gz``. At
    once, so that no line is torn."""
    rows = (dict(zip(fields, (page.url, str(page.html)), strict=True)) for page in pages)
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    content = lines.encode("utf-8", "backslashreplace")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("ab") as file:
        file.write(gzip.compress(content) if path.endswith(".gz") else content)


def check_feed(path: str) -> None:
    """Check that pages can be appended to a feed; a SettingError when they can't."""
    feed = Path(path)
    try:
        feed.parent.mkdir(parents=True, exist_ok=True)
        is_new = not feed.exists()
        feed.open("ab").close()
        if is_new:
            feed.unlink()
    except OSError as error:
        raise SettingError(f"STEMMER_KEEP_PAGES = {path!r} can't be written: {error.strerror}.") from None


@dataclass(frozen=True, slots=True)
class HeldItem:
    """An item in the spool."""

    id: int  # items that came earlier have smaller ones
    url: str
    item: str | None  # its JSON; none when it is kept in memory
    body: bytes | None  # the text of its page, for :func:`expanded`; none when the item brings its HTML along
    request: str = ""  # what :func:`scrapy_stemmer.crawl.held_items.as_text` has made of the request of its page


def left_items(path: Path, *, with_pages: bool = True) -> list[HeldItem] | None:
    """The items in a spool that a killed crawl has left; ``None`` when a crawl is using it. The file is only read, but
    for what SQLite has to undo there. Items that were in memory only have no JSON. Of a damaged file those are given
    that stand before the damage. Their pages are much larger, and not always wanted."""
    items: list[HeldItem] = []
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as db:
            (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            warn_of_unread(db, path)
            if not tables:
                return []  # the crawl was killed before it had made them
            query = _HELD.format("body" if with_pages else "NULL")
            for row in db.execute(f"{query} WHERE typeof(item) IN ('text', 'null') ORDER BY items.id"):
                items.append(HeldItem(*row))  # noqa: PERF401 - those before a damage are kept
    except UNREADABLE as error:
        if _is_in_use(error):
            return None
        if not items:
            raise StemmerError(f"{path} can't be read as a spool ({error}).") from error
        logger.warning("%s can't be read behind item %d (%s): what follows is lost.", path, items[-1].id, error)
    return items


def warn_of_unread(db: sqlite3.Connection, path: Path) -> None:
    """Tell, before anything is written, of damage in the log that a killed crawl has left: SQLite reads what stands
    before it, and says nothing. A log that ends too early is that of a crawl that was killed earlier."""
    with suppress(sqlite3.DatabaseError, OSError):  # such as no room for the checkpoint, or no log
        (_, frames, _) = db.execute("PRAGMA wal_checkpoint").fetchone()
        with path.with_name(f"{path.name}-wal").open("rb") as log:
            if unread := _unread(log, frames):
                told = "%s is damaged: its last %d bytes can't be read, and the items and pages there are lost."
                logger.warning(told, log.name, unread)


def _unread(log: BinaryIO, frames: int) -> int:
    """The bytes behind so many frames of a log, up to the last frame that SQLite should have read as well: not one from
    before it began the log anew, nor of a transaction that was not over."""
    header, unread = log.read(LOG_HEADER).ljust(LOG_HEADER, b"\0"), 0
    sequence, *salts = struct.unpack(">3I", header[12:24])
    sequence = min(sequence, 2**20)  # it may be damaged too
    begin = log.seek(LOG_HEADER + frames * FRAME)
    while len(frame := log.read(FRAME)) == FRAME:
        is_last, *its = struct.unpack(">3I", frame[4:16])
        is_older = 0 < (salts[0] - its[0]) % 2**32 <= sequence
        if not is_older and (is_last or its != salts):
            unread = log.tell() - begin
    return unread


def _name_of(error: Exception) -> str:
    """The name that SQLite has for an error; "" for one that is not of SQLite."""
    return str(getattr(error, "sqlite_errorname", ""))


def _is_in_use(error: Exception) -> bool:
    return _name_of(error).startswith("SQLITE_BUSY")


def delete_spool(path: Path) -> None:
    """Delete the file of a spool, and what SQLite has beside it."""
    for suffix in BESIDE:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


class DamagedSpool(StemmerError):  # noqa: N818 - what there is instead of a spool
    """What is there under the name of a spool can't be used as one."""


def opened(path: Path) -> Spool:
    """The spool in a file, unless another crawl is using it. What is there and can't be used gets another name, which
    is logged, and a new one is begun."""
    try:
        return Spool(path)
    except DamagedSpool as error:
        put = renamed_path(path, "damaged")
        try:
            for suffix in BESIDE:
                with suppress(FileNotFoundError):
                    path.with_name(path.name + suffix).rename(put.with_name(put.name + suffix))
        except OSError:
            raise error from None
        told = "%s The crawl goes on without it: it is now %s. To have the items in it: scrapy stemmer recover %s"
        logger.error(told, error, put, put)
    return Spool(path)


class Spool:
    """Pages, links and items of the sites that are being learned.

    Which pages belong to the sample of a site, and how many items wait for each, is in memory as well, so that little
    but pages and items is written. An item is on disk when :meth:`hold` is back, and so is all that was added before;
    without items :meth:`flush` sees to that. On a full disk that may be lost, but for the items.

    :param path: the file; made when it isn't there.
    :raises DamagedSpool: when what is there is no spool that can be used.
    :raises StemmerError: when another crawl is using it, or no file can be made there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        numbers = partial(array, "q")
        self._pages: defaultdict[str, array[int]] = defaultdict(numbers)  # of each site's sample, and with links to it
        self._seen: defaultdict[str, array[int]] = defaultdict(numbers)  # hashes of the URLs and contents of a sample
        self._uses: dict[int, int] = {}  # of each page: the items that wait for it, and its site's sample
        try:
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            files = path, path.with_name(f"{path.name}-wal")
            size, logged = (file.stat().st_size if file.exists() else None for file in files)
            make_private(path)  # SQLite gives the files beside it the same rights
            # Learning threads are given what they need; only the crawl's own thread touches the file.
            self._db = sqlite3.connect(path, isolation_level=None)
            for pragma in _PRAGMAS:
                self._db.execute(f"PRAGMA {pragma}")
            # SQLite takes an empty file for a new one; what the log has is in the file only later.
            whole = self._number("PRAGMA page_count") * self._number("PRAGMA page_size")
            if size == 0 or (size is not None and not logged and size < whole):
                raise sqlite3.DatabaseError("it is empty or cut off")
            warn_of_unread(self._db, path)
            version = self._number("PRAGMA user_version")
            if version == 0 and not self._number("SELECT count(*) FROM sqlite_master"):
                self._db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
            elif version != VERSION:
                raise sqlite3.DatabaseError(f"version {version} instead of {VERSION}")
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
        """See whether what an earlier crawl has left is whole, but for texts and pages: these are seen when they are
        read."""
        tables = self._db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        if sorted(sql for (sql,) in tables) != sorted(filter(None, map(str.strip, _TABLES.split(";")))):
            raise sqlite3.DatabaseError("other tables")
        (verdict,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        for table in ("pages", "items"):
            kinds = [(name, kind.lower()) for _, name, kind, *_ in self._db.execute(f"PRAGMA table_info({table})")]
            wrong = " OR ".join(f"typeof({name}) NOT IN ('{kind}', 'null')" for name, kind in kinds)
            if self._number(f"SELECT count(*) FROM {table} WHERE {wrong}"):  # noqa: S608 - of the names above
                raise sqlite3.DatabaseError("values of other types")
        self.sampled(), self.held_ids(), self.finished()

    def _take_stock(self) -> None:
        """See what an earlier crawl has left."""
        # Items that were in memory only are gone with the process that had them.
        self._db.execute("DELETE FROM items WHERE item IS NULL")
        self._db.execute("DELETE FROM pages WHERE NOT use AND id NOT IN (SELECT page FROM items WHERE page)")
        for (page,) in self._db.execute("SELECT page FROM items WHERE page"):
            self._use(page)
        for page, *collected in self._db.execute("SELECT id, site, use, key, digest FROM pages WHERE use ORDER BY id"):
            self._collect(page, *collected)
        self._last = self._number("SELECT max(id) FROM pages")

    def _number(self, query: str, *values: object) -> int:
        row = self._db.execute(query, values).fetchone()
        return int(row[0] or 0) if row else 0

    def _use(self, page: int, count: int = 1) -> int:
        """Count uses of a page, or fewer of them; how many there are then."""
        uses = self._uses.pop(page, 0) + count
        if uses > 0:
            self._uses[page] = uses
        return uses

    def _collect(self, page: int, site: str, use: int, *hashes: int) -> None:
        self._use(page)
        self._pages[site].append(page)
        if use != Use.LINKS:
            self._seen[site].extend(hashes)

    # What is written

    def _begin(self) -> None:
        if not self._db.in_transaction:
            self._db.execute("BEGIN")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """What is written in between is on disk afterwards, with what was added before, or none of it."""
        try:
            self._begin()
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:  # on a full disk SQLite may have rolled it back already
                self._db.execute("ROLLBACK")
            raise

    def flush(self) -> None:
        """See to it that all is on disk that was added."""
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
        """Add a page and give its number; 0, and nothing is added, when a sample has its URL or its content already.

        :param text: of the page, :func:`packed`.
        :param look: by which the sample of a resumed crawl goes on.
        :param aliases: canonical URLs that were redirected to it.
        :param links: those on it, as pairs of the target's canonical URL and the link's text, repeats kept.
        """
        hashes = _hash(url_key(url)), text[0]
        if use in IN_SAMPLE and any(key in self._seen[site] for key in hashes):
            return 0
        beside = "\n".join(aliases), compressed(json.dumps(list(links)))
        self._begin()
        page = self._last = self._last + 1  # never that of another one, though it be gone
        row = (page, site, url, use, *hashes, look, *beside, text[1])
        self._db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        if use != Use.ITEMS:
            self._collect(page, site, use, *hashes)
        return page

    def add_links(self, site: str, links: Iterable[tuple[str, str]]) -> None:
        """Add the links on a page that is not sampled, unless there are many such pages."""
        if len(self._pages[site]) < MAX_LINKING:
            self.add_page(site, "", packed(""), Use.LINKS, links=links)

    def has(self, page: int) -> bool:
        """Whether a page is there."""
        return self._number("SELECT 1 FROM pages WHERE id = ?", page) > 0

    def hold(self, site: str, url: str, page: int | None, item: str | None, request: str = "") -> int:
        """Keep an item that waits, with the number of its page if it brings no HTML along, and give its own number."""
        with self._writing():
            query = "INSERT INTO items (site, url, page, item, request) VALUES (?, ?, ?, ?, ?)"
            number = self._db.execute(query, (site, url, page, item, request)).lastrowid or 0
        if page is not None:
            self._use(page)
        return number

    def release(self, items: Iterable[int]) -> None:
        """Forget items, and those of their pages that are in no sample, and that no other item waits for."""
        items = list(items)
        with self._writing():
            pages = Counter(self._number("SELECT page FROM items WHERE id = ?", item) for item in items)
            self._db.executemany("DELETE FROM items WHERE id = ?", zip(items, strict=True))
            self._delete(page for page, count in pages.items() if self._uses.get(page, 0) <= count)
        for page, count in pages.items():
            self._use(page, -count)

    def drop_spare(self, site: str) -> bool:
        """Remove the last spare page from the sample of a site; False when there is none."""
        for page in reversed(self._pages[site]):
            if self._number("SELECT use FROM pages WHERE id = ?", page) == Use.SPARE:
                self._forget([page])
                self._pages[site].remove(page)
                return True
        return False

    def forget_sample(self, site: str) -> None:
        """Remove a site's sample and links; pages that items wait for stay."""
        self._forget(self._pages.pop(site, ()))
        self._seen.pop(site, None)

    def finish(self, site: str, *, is_saved: bool) -> None:
        """Remember that a resumed crawl need not learn a site, and whether its patterns are saved; forget its
        sample."""
        self._begin()
        self._db.execute("INSERT OR REPLACE INTO done VALUES (?, ?)", (site, is_saved))
        self.forget_sample(site)

    def _forget(self, pages: Sequence[int]) -> None:
        with self._writing():
            self._delete(page for page in pages if self._uses.get(page, 0) <= 1)
        for page in pages:
            self._use(page, -1)

    def _delete(self, pages: Iterable[int]) -> None:
        self._db.executemany("DELETE FROM pages WHERE id = ?", zip(pages, strict=True))

    # What is read

    def rows(self, site: str) -> Iterator[Row]:
        """The sample of a site as it is written, page by page, for :func:`texts_of`; between two of them the spool may
        be used for other things."""
        query = "SELECT links, url, aliases, CASE WHEN use IN (?, ?) THEN body END FROM pages WHERE id = ?"
        for number in list(self._pages[site]):
            yield from self._db.execute(query, (*IN_SAMPLE, number)).fetchall()

    def sampled(self) -> dict[str, list[tuple[str, bool]]]:
        """The looks of the sampled pages of each site, and whether they are spare."""
        looks: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
        for site, look, use in self._db.execute("SELECT site, look, use FROM pages WHERE use IN (1, 2) ORDER BY id"):
            looks[site].append((look, use == Use.SPARE))
        return looks

    def held(self, item: int) -> HeldItem:
        """An item that waits, with its page."""
        return HeldItem(*self._db.execute(f"{_HELD.format('body')} WHERE items.id = ?", (item,)).fetchone())

    def held_ids(self) -> list[tuple[str, int]]:
        """The site and the number of each item, in order."""
        return self._db.execute("SELECT site, id FROM items ORDER BY id").fetchall()

    def finished(self) -> dict[str, bool]:
        """The sites that are done, and whether there were patterns of them in the pattern file then."""
        return {site: bool(is_saved) for site, is_saved in self._db.execute("SELECT site, is_saved FROM done")}

    def close(self, *, remove: bool) -> None:
        """Close the file, and remove it if nothing in it is needed any more."""
        try:
            if not remove:
                self.flush()
        finally:
            self._db.close()
        if remove:
            delete_spool(self.path)
