"""Addresses found by the sub-command ``crawl``, in an SQLite file: the queue to ask, and the written pages.

With ``--new`` the file is kept, so that the next crawl goes on, asks lists again and writes only new pages; with
``--changed`` written pages are asked for again as well.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.addresses import is_phrase, names_in, shape_of

VERSION = 3
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, key BLOB UNIQUE, url TEXT, host TEXT, shape TEXT, role TEXT, depth INTEGER, rank INTEGER,
    tries INTEGER DEFAULT 0, state TEXT, day TEXT, misses INTEGER DEFAULT 0, digests TEXT, etag TEXT, modified TEXT,
    published TEXT, links INTEGER DEFAULT 1, brought INTEGER DEFAULT 0);
CREATE INDEX IF NOT EXISTS best ON pages (host, rank, day, depth, id) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS nearest ON pages (host, depth, id) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS alike ON pages (shape) WHERE state = 'waiting';
CREATE TABLE IF NOT EXISTS shapes (
    shape TEXT PRIMARY KEY, content INTEGER DEFAULT 0, lists INTEGER DEFAULT 0, other INTEGER DEFAULT 0);
CREATE TABLE IF NOT EXISTS outputs (path TEXT PRIMARY KEY, size INTEGER);
PRAGMA user_version = {VERSION};
"""

# States of an address, beside reasons for pages left out.
WAITING, ASKED, CONTENT, LIST, READ, MOVED = "waiting", "asked", "content", "list", "read", "moved"

_TEMPORARY = "HTTP status 403", "HTTP status 408", "HTTP status 425", "HTTP status 429"  # asked by each later crawl
_MISSING = re.compile("HTTP status (?!410)|of the kind error")  # for likely content, asked if linked
MAX_MISSES = 5  # crawls in a row that ask for a missing page

# Ranks of addresses, the lowest asked first: start pages and sitemaps; likely content; lists and unknown addresses;
# addresses of a shape without content and lists; known lists with new links at the last reading, then lists without
# any; written pages; failed addresses.
FIRST, LIKELY, OPEN, UNLIKELY, KNOWN_LIST, STALE_LIST, KNOWN_PAGE, FAILED = range(8)

_NEXT = "SELECT id, url, role, depth, tries, etag, modified FROM pages WHERE host = ? AND state = 'waiting'"

SURE = 3  # pages with a shape of address before the share of content among them counts
OFTEN, SELDOM = 0.6, 0.2  # shares of content among the pages of a shape
FEWEST_WORDS = 5  # words in the text of a link to content
FEWEST_LINKS, USUAL = 3, 0.5  # pages with a link in the menu of a site, also as a share of the pages read
SAMPLED = 20  # first pages of a host, the sample for learning
NEAREST_OF, NEAREST_LATER = 5, 20  # every fifth sampled page is the nearest, every twentieth later, of any rank

_LISTS = frozenset("author authors categories category label labels page search tag tags topic topics".split())
_DATED = re.compile(r"/(?:19|20)\d\d/(?:\d\d?/)*[^/\d][^/]*$")


def looks_like_content(url: str, text: str = "") -> bool:
    """Return True for an address that looks like the address of a single page.

    Its name has several words or follows a date, or the text of the link is as long as a headline.
    """
    names = names_in(url)
    if not (names or urlsplit(url).query) or _LISTS.intersection(names[:-1]):
        return False
    is_name = (names and is_phrase(names[-1].partition(".")[0])) or _DATED.search("/" + "/".join(names)) is not None
    return is_name or len(text.split()) >= FEWEST_WORDS


def _latest_moment(changed: str) -> datetime | None:
    """Return the latest moment that a date of a sitemap may mean, or ``None`` for an unknown form."""
    try:
        moment = datetime.fromisoformat(changed)
    except ValueError:
        return None
    if moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC) + timedelta(hours=38)  # the day ends last at UTC-12; with a margin


class Asked(NamedTuple):
    """Address to ask now."""

    url: str
    role: str
    depth: int
    tries: int
    etag: str | None
    modified: str | None


class Version(NamedTuple):
    """State of a written page: digests by field, the server's ``ETag`` and ``Last-Modified``, and its date."""

    digests: Mapping[str, str]
    etag: str | None = None
    modified: str | None = None
    published: str = ""


class KnownPages:
    """Addresses of a crawl with their states.

    :param name: the file; ``None`` for a temporary one.
    :param outputs: files that grow by pages; rows that a killed crawl has not noted are cut off.
    :raises StemmerError: for a file in use or an unreadable file.
    """

    def __init__(self, name: Path | None, outputs: Iterable[Path] = ()) -> None:
        self._outputs = list(outputs)
        self.began = datetime.now(UTC).isoformat(timespec="seconds")
        self.fresh_hosts: set[str] = set()  # hosts whose sitemaps or feeds have announced something new
        self._read: Counter[str] = Counter()  # pages with noted links, by host
        try:
            if name is not None:
                name.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(name or "", isolation_level=None, timeout=0)
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise sqlite3.DatabaseError("it is of another version of scrapy-stemmer")
            self.is_later = bool(version)
            self._db.executescript(_SCHEMA)
            self._begin()
        except sqlite3.Error as error:
            is_locked = "locked" in str(error)
            delete = "" if isinstance(error, sqlite3.OperationalError) else "; delete it to begin anew"  # a full disk
            advice = "another crawl is using it" if is_locked else f"{error}{delete}"
            raise StemmerError(f"{name} can't be used: {advice}.") from error
        self._count()
        asked = self._db.execute("SELECT host, count(*) FROM pages WHERE state != 'waiting' GROUP BY host")
        self._chosen = Counter(dict(asked))  # addresses asked, by host
        self._found_before = self.found

    def _count(self) -> None:
        waiting = self._db.execute("SELECT host, count(*) FROM pages WHERE state = 'waiting' GROUP BY host")
        self.hosts = Counter(dict(waiting))  # the number of waiting addresses

    def _begin(self) -> None:
        noted: Mapping[str, int] = dict(self._db.execute("SELECT path, size FROM outputs"))
        for path in self._outputs:
            if (size := noted.get(str(path))) is not None and path.is_file() and path.stat().st_size > size:
                with path.open("r+b") as file:
                    file.truncate(size)
        self._db.execute("DELETE FROM outputs")
        again = "state = 'asked' OR state LIKE 'failed%' OR state LIKE 'forbidden%' OR state LIKE 'HTTP status 5%'"
        again = f"{again} OR state IN {_TEMPORARY}"
        self._db.execute(f"UPDATE pages SET state = 'waiting', tries = 0 WHERE {again}")  # noqa: S608
        self._db.execute("UPDATE pages SET state = 'content' WHERE state = 'waiting' AND role = 'written'")
        self._db.execute("BEGIN")
        self.save()

    def save(self) -> None:
        """Commit all changes, with the sizes of the outputs."""
        for path in self._outputs:
            size = path.stat().st_size if path.is_file() else 0
            self._db.execute("INSERT OR REPLACE INTO outputs VALUES (?, ?)", (str(path), size))
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def fail(self) -> None:
        """Close the file without saving, as after a killed crawl: the next crawl cuts off rows that are not noted."""
        self._db.close()

    def close(self) -> None:
        """Save all changes, and forget the sizes of the outputs, so that lines added by hand are not cut off."""
        self._db.execute("DELETE FROM outputs")
        self._db.execute("COMMIT")
        self._db.close()

    def is_new(self, key: bytes) -> bool:
        return self._db.execute("SELECT 1 FROM pages WHERE key = ?", (key,)).fetchone() is None

    @property
    def found(self) -> int:
        """The number of addresses found."""
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM pages").fetchone()[0])

    def is_fresh(self, key: bytes) -> bool:
        """Return True for an address that no earlier crawl has found."""
        found = self._db.execute("SELECT id FROM pages WHERE key = ?", (key,)).fetchone()
        return found is None or found[0] > self._found_before

    def note_links(self, key: bytes, host: str, brought: int, known: Sequence[bytes]) -> None:
        """Note the links of a page: the number of new addresses, and the known addresses.

        Links on most pages belong to the menu, which leads to lists and to pages about the site.
        """
        self._read[host] += 1
        self._db.execute("UPDATE pages SET brought = ? WHERE key = ?", (brought, key))
        most = max(FEWEST_LINKS, USUAL * self._read[host])
        waiting = "key = ? AND state = 'waiting'"
        self._db.executemany(f"UPDATE pages SET links = links + 1 WHERE {waiting}", ((each,) for each in known))  # noqa: S608
        in_menu = f"{waiting} AND rank = {LIKELY} AND role = 'page' AND links >= {most}"
        self._db.executemany(f"UPDATE pages SET rank = {OPEN} WHERE {in_menu}", ((each,) for each in known))  # noqa: S608
        for each in known if self.is_later else ():
            self._ask_missing(each)

    def _ask_missing(self, key: bytes) -> None:
        """Ask for likely content again that was missing in a few earlier crawls, and is linked now."""
        missing = f"day < ? AND misses BETWEEN 1 AND {MAX_MISSES - 1} AND state NOT IN ('waiting', 'asked')"
        which = f"SELECT rank, shape FROM pages WHERE key = ? AND {missing}"  # noqa: S608
        found = self._db.execute(which, (key, self.began)).fetchone()
        if found is not None and LIKELY in (found[0], self._learned_rank(found[1])):
            self.try_again(key, 0, LIKELY)

    def is_earlier_list(self, key: bytes) -> bool:
        """Return True for a list read by an earlier crawl, which may have new links."""
        found = self._db.execute("SELECT 1 FROM pages WHERE key = ? AND state = ? AND day < ?", (key, LIST, self.began))
        return found.fetchone() is not None

    def put(
        self, key: bytes, url: str, host: str, *, role: str, depth: int, is_likely: bool = False, state: str = WAITING
    ) -> bool:
        """Add an address, or ask again for a known start page, sitemap or list; return False otherwise."""
        is_page, shape, rank = role == "page", shape_of(url), FIRST
        if is_page:
            rank = self._learned_rank(shape) or (LIKELY if is_likely else OPEN)
        values = (key, url, host, shape, role, depth, rank, state)
        columns = "key, url, host, shape, role, depth, rank, state"
        added = self._db.execute(f"INSERT OR IGNORE INTO pages ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608
        if not added.rowcount and not is_page:
            known_list = f"CASE WHEN brought > 0 THEN {KNOWN_LIST} ELSE {STALE_LIST} END"
            rank_now = known_list if role == "list" else str(FIRST)
            added = self._db.execute(
                f"UPDATE pages SET state = ?, rank = {rank_now}, role = ? WHERE key = ? AND state != ? AND day < ?",  # noqa: S608
                (state, "page" if role == "list" else role, key, WAITING, self.began),
            )
        if added.rowcount and state == WAITING:
            self.hosts[host] += 1
        return bool(added.rowcount)

    def ask_written_again(self, since: str, fields: Iterable[str] = ()) -> None:
        """Ask for written pages again after new pages, except for pages published before a day.

        Pages read longest ago come first, and before them, without conditions, pages never compared by all fields.
        """
        unread = f"etag = NULL, modified = NULL, day = '{datetime.min.replace(tzinfo=UTC).isoformat()}'"
        lacking = f"UPDATE pages SET {unread} WHERE digests IS NOT NULL AND instr(digests, ?) = 0"  # noqa: S608
        self._db.executemany(lacking, ((json.dumps(name),) for name in fields))
        which = "digests IS NOT NULL AND state = 'content' AND (published = '' OR published >= ?)"
        values = (KNOWN_PAGE, since)
        self._db.execute(f"UPDATE pages SET state = 'waiting', role = 'written', rank = ? WHERE {which}", values)  # noqa: S608
        self._count()

    def announced(self, key: bytes, changed: str) -> None:
        """Ask for a written page soon if its site dates a change after the last reading, otherwise not at all.

        A missing page is asked for again.
        """
        self._ask_missing(key)
        which = "key = ? AND state = 'waiting' AND role = 'written'"
        found = self._db.execute(f"SELECT host, day FROM pages WHERE {which}", (key,)).fetchone()  # noqa: S608
        if found is None or (moment := _latest_moment(changed)) is None:
            return
        if moment >= datetime.fromisoformat(found[1]):
            self._db.execute("UPDATE pages SET rank = ? WHERE key = ?", (LIKELY, key))
        else:
            self._db.execute("UPDATE pages SET state = 'content' WHERE key = ?", (key,))
            self.hosts[found[0]] -= 1

    def try_again(self, key: bytes, tries: int, rank: int = FAILED) -> None:
        """Ask for an address once more, by default after all waiting addresses."""
        found = self._db.execute("SELECT host FROM pages WHERE key = ? AND state != 'waiting'", (key,)).fetchone()
        if found is not None:
            again = "UPDATE pages SET state = 'waiting', rank = ?, tries = ? WHERE key = ?"
            self._db.execute(again, (rank, tries, key))
            self.hosts[found[0]] += 1

    def has_state(self, key: bytes, *states: str) -> bool:
        """Return True if an address is known, with one of some states."""
        found = self._db.execute("SELECT state FROM pages WHERE key = ?", (key,)).fetchone()
        return found is not None and found[0] in states

    def ask_again(self, key: bytes) -> None:
        """Mark a known address as asked once more, after a redirect back to it."""
        self._db.execute("UPDATE pages SET state = ? WHERE key = ?", (ASKED, key))

    def ask(self, host: str) -> Asked | None:
        """Return the best address of a host, and mark it as asked."""
        if host in self.fresh_hosts:  # sitemaps and feeds announce the links of the lists
            known = f"host = ? AND state = 'waiting' AND rank IN ({KNOWN_LIST}, {STALE_LIST})"
            done = self._db.execute(f"UPDATE pages SET state = 'list' WHERE {known}", (host,))  # noqa: S608
            self.hosts[host] -= done.rowcount
        self._chosen[host] += 1
        nearest = NEAREST_OF if self._chosen[host] <= SAMPLED else NEAREST_LATER
        is_nearest = self._chosen[host] % nearest == 0
        order = f"rank > 0, rank > {UNLIKELY}, day, depth, id" if is_nearest else "rank, day, depth, id"
        found = self._db.execute(f"{_NEXT} ORDER BY {order} LIMIT 1", (host,)).fetchone()
        if found is None:
            del self.hosts[host]
            return None
        self._db.execute("UPDATE pages SET state = 'asked' WHERE id = ?", found[:1])
        self.hosts[host] -= 1
        return Asked(*found[1:])

    def digests_of(self, key: bytes) -> Mapping[str, str] | None:
        """Return the digests of a page's last values by field; ``None`` for an unwritten page."""
        (digests,) = self._db.execute("SELECT digests FROM pages WHERE key = ?", (key,)).fetchone() or (None,)
        return None if digests is None else json.loads(digests)

    def done(self, key: bytes, state: str, version: Version | None = None) -> None:
        """Note the outcome of a page, and rank waiting addresses of its shape by the outcomes so far.

        :param version: the state of a written page.
        """
        noted = "UPDATE pages SET state = ?, day = ?, misses = (misses + 1) * ? WHERE key = ?"
        self._db.execute(noted, (state, self.began, _MISSING.match(state) is not None, key))
        if version is not None:
            columns = "digests = ?, etag = ?, modified = ?, published = ?"
            self._db.execute(f"UPDATE pages SET {columns} WHERE key = ?", (json.dumps(version[0]), *version[1:], key))  # noqa: S608
        found = self._db.execute("SELECT shape FROM pages WHERE key = ?", (key,)).fetchone()
        if found is None or state in (READ, MOVED):
            return
        before = self._learned_rank(found[0])
        column = {CONTENT: "content", LIST: "lists"}.get(state, "other")
        self._db.execute("INSERT OR IGNORE INTO shapes (shape) VALUES (?)", found)
        self._db.execute(f"UPDATE shapes SET {column} = {column} + 1 WHERE shape = ?", found)  # noqa: S608
        after = self._learned_rank(found[0])
        if after is not None and after != before:
            most = max(FEWEST_LINKS, USUAL * self._read[urlsplit(f"//{found[0]}").hostname or ""])
            rank = f"CASE WHEN links >= {most} THEN max({after}, {OPEN}) ELSE {after} END"
            which = "shape = ? AND state = 'waiting' AND rank BETWEEN ? AND ?"
            self._db.execute(f"UPDATE pages SET rank = {rank} WHERE {which}", (found[0], LIKELY, UNLIKELY))  # noqa: S608

    def _learned_rank(self, shape: str) -> int | None:
        found = self._db.execute("SELECT content, lists, other FROM shapes WHERE shape = ?", (shape,)).fetchone()
        if found is None or sum(found) < SURE:
            return None
        content, lists, other = found
        share = content / sum(found)
        return LIKELY if share >= OFTEN else UNLIKELY if share <= SELDOM and other > lists else OPEN
