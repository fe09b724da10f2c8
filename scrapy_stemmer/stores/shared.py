"""Stores for concurrent crawls on many machines, with each site on its own: object stores and Redis."""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from urllib.parse import quote, unquote, urlsplit

from scrapy_stemmer.exceptions import MissingExtra, PatternFileError, StoreUnavailable, needed, place_of_errors
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.stores.base import Change, PatternStore, SitePatterns, changed, file_lines

PATTERNS_TEXT = "jsonl"
MAX_PUTS = 50  # merges of a site restarted after concurrent writes


def text_of(patterns: SitePatterns) -> bytes:
    """Return the text of a pattern file with one site; raise the errors of :attr:`SitePatterns.lines`."""
    return b"".join(file_lines([patterns]))


def lines_of_text(text: bytes) -> list[codec.Line]:
    """Return the lines of a site's text; raise PatternFileError for a newer version."""
    try:
        return codec.lines_of(text) if text else []
    except PatternFileError as error:
        if error.field == "version":
            raise
        return [codec.Line(1, text)]  # damaged: parsing it as a pattern raises the error


class SharedStore(PatternStore):
    """Store with a text and a version for each site.

    A writer names the version on which its text is based, and merges again after a concurrent write, so no update is
    lost.
    """

    _unusable = "The store can't be used: {}."

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self._errors: tuple[type[Exception], ...] = (Exception,)  # errors differ by file system

    @abstractmethod
    def changes(self, since: int = 0) -> Mapping[str, int]:
        """Return the version of each site; sites with versions up to ``since`` may be left out."""

    @abstractmethod
    def get(self, site: str) -> tuple[int, bytes]:
        """Return version and text of a site's patterns; 0 and an empty text for a missing site."""

    @abstractmethod
    def put(self, site: str, text: bytes, after: int) -> bool:
        """Replace the text of a site, at once for all readers.

        :returns: False after a concurrent write: nothing was written, or the other writer has replaced the text.
        """

    def close(self) -> None:
        """Close connections."""

    def exists(self) -> bool:
        return bool(self.changes())

    def open(self) -> Mapping[str, SitePatterns]:
        """See :meth:`PatternStore.open`; each site is read on access."""
        sites = sorted(self.changes())
        if not sites:
            raise PatternFileError(
                "There are no patterns there yet. Learn some with `scrapy crawl SPIDER -s STEMMER_LEARN=1`.",
                uri=self.uri,
            )
        return {site: SitePatterns(site, partial(self._lines, site), self.uri) for site in sites}

    def write(self, sites: Iterable[SitePatterns]) -> None:
        gone = set(self.changes())
        with place_of_errors(uri=self.uri):
            for patterns in sites:
                gone.discard(patterns.site)
                if patterns.site:
                    self._replace(patterns.site, text_of(patterns))
        for site in gone:
            self._replace(site, b"")

    def merge(self, changes: Mapping[str, Change]) -> Mapping[str, SitePatterns]:
        """See :meth:`PatternStore.merge`; an edit that fails writes nothing."""
        merged: dict[str, SitePatterns] = {}
        first = {site: self._changed(site, change) for site, change in changes.items()}
        for site, (version, text, new) in first.items():
            for attempt in self._attempts(site):
                if attempt:
                    version, text, new = self._changed(site, changes[site])
                if text is None or self.put(site, text, version):
                    break
            if new is not None:
                merged[site] = new
        return merged

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            reason = f"{type(error).__name__}: {str(error).rstrip('.')}"
            raise StoreUnavailable(self._unusable.format(reason), uri=self.uri) from error

    def _lines(self, site: str) -> list[codec.Line]:
        return lines_of_text(self.get(site)[1])

    def _changed(self, site: str, change: Change) -> tuple[int, bytes | None, SitePatterns | None]:
        """Change a site; return the version read, the new text (``None`` if unchanged), and the patterns."""
        version, text = self.get(site)
        stored = SitePatterns(site, partial(lines_of_text, text), self.uri) if text else None
        with place_of_errors(uri=self.uri):
            new = changed(stored, change)
            return version, None if new is stored else b"" if new is None else text_of(new), new

    def _replace(self, site: str, text: bytes) -> None:
        for _ in self._attempts(site):
            if self.put(site, text, self.get(site)[0]):
                break

    def _attempts(self, site: str) -> Iterator[int]:
        """Yield attempts to write a site, with pauses after concurrent writes."""
        for attempt in range(MAX_PUTS):
            yield attempt
            # random pauses up to a second keep concurrent writers apart
            time.sleep(random.uniform(0, min(1.0, 0.01 * 2**attempt)))  # noqa: S311 - no secret
        raise PatternFileError(
            f"Others change {site} all the time; nothing was written of it. Try again later.", uri=self.uri
        )


# Object store through fsspec: a folder a site, with an object for each version


class ObjectStore(SharedStore):
    """Folder of any fsspec file system with atomic objects, such as ``s3://bucket/news``.

    The service must have two properties: objects can be created only if missing, and listings are complete. A
    writer creates the version after the known version, and deletes the new version if a listing shows a rival.

    :raises MissingExtra: if fsspec, or the package for the URI's scheme, is not installed.
    :raises PatternFileError: for an unknown scheme, and for local folders.
    """

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        core = needed("fsspec.core", "fsspec", f"for {uri}")
        try:
            self._files, root = core.url_to_fs(uri)
        except ImportError as error:
            raise MissingExtra(f"{uri} needs another package: {error}.") from error
        except ValueError as error:
            raise PatternFileError(
                f"There is no store for this: {error}. Use a file's path, such as patterns/news.jsonl, redis: or what "
                "fsspec knows.",
                uri=uri,
            ) from error
        except OSError as error:  # some file systems connect at once
            raise PatternFileError(f"The store can't be used: {error}. Is its address right?", uri=uri) from error
        if "local" in self._files.protocol:
            raise PatternFileError(
                "Files of a folder don't appear as a whole, as objects do. Name one file: patterns/news.jsonl.", uri=uri
            )
        self._root = root.rstrip("/")

    def changes(self, since: int = 0) -> Mapping[str, int]:
        """See :meth:`SharedStore.changes`; returns all sites, since each counts its own versions."""
        versions: dict[str, int] = {}
        with self._reached():
            self._files.invalidate_cache()
            for path in self._files.find(self._root):
                folder, _, name = path[len(self._root) :].strip("/").rpartition("/")
                number, _, end = name.partition(".")
                if end == PATTERNS_TEXT and number.isdecimal() and "/" not in folder:
                    site = unquote(folder.replace("!", "%"))
                    versions[site] = max(int(number), versions.get(site, 0))
        return versions

    def get(self, site: str) -> tuple[int, bytes]:
        with self._reached():
            while number := max(self._numbers(site), default=0):
                with suppress(FileNotFoundError):  # a newer version may have replaced it
                    return number, self._files.cat_file(self._path(site, number))
            return 0, b""

    def put(self, site: str, text: bytes, after: int) -> bool:
        """See :meth:`SharedStore.put`; creates the next version or removes the site."""
        with self._reached():
            before, own = self._numbers(site), after + 1
            if max(before, default=0) != after:
                return False
            is_first = True
            if text:
                try:
                    self._files.pipe_file(self._path(site, own), text, mode="create")
                except FileExistsError:
                    return False
                except OSError:  # raised by some services for an existing object, or after a lost answer
                    if own not in self._numbers(site):
                        raise
                    return False
                # Several writers may have been faster, with their first version deleted already.
                is_first = max(self._numbers(site), default=0) <= own
            for number in before if is_first else {own}:
                with suppress(FileNotFoundError):
                    self._files.rm_file(self._path(site, number))
            return is_first

    def _numbers(self, site: str) -> set[int]:
        folder = self._path(site)
        self._files.invalidate_cache(folder)
        try:
            names = [path.rpartition("/")[2].partition(".") for path in self._files.ls(folder, detail=False)]
        except FileNotFoundError:
            return set()
        return {int(number) for number, _, its in names if its == PATTERNS_TEXT and number.isdecimal()}

    def _path(self, site: str, number: int | None = None) -> str:
        """Return the path of a version or of a site's folder, in characters allowed by all services."""
        name = quote(site, safe="").replace("%", "!")
        if not name.strip("."):
            name = name.replace(".", "!2E")
        return f"{self._root}/{name}" if number is None else f"{self._root}/{name}/{number:09d}.{PATTERNS_TEXT}"


# Redis: a hash with the text of each site, and a sorted set with its version


SECONDS = 10.0  # time limit of a command

PUT = """
local texts, versions, site, text, after = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3])
if tonumber(redis.call('ZSCORE', versions, site) or 0) ~= after then return 0 end
if text == '' then
  redis.call('HDEL', texts, site)
  redis.call('ZREM', versions, site)
  return 1
end
redis.call('HSET', texts, site, text)
redis.call('ZADD', versions, redis.call('INCR', KEYS[3]), site)
return 1
"""
"""Lua script that replaces a text with a known version."""


class RedisStore(SharedStore):
    """Sites under a name in a Redis server: ``redis://host:6379/0/NAME``, or ``rediss:`` for TLS.

    :raises MissingExtra: if redis-py is not installed.
    :raises PatternFileError: for an invalid address.
    """

    _unusable = "Redis can't be used: {}. Does the server run, and is its address right?"

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        user, _, host = parts.netloc.rpartition("@")
        # keep the password out of the log
        super().__init__(parts._replace(netloc=f"{user.partition(':')[0]}:***@{host}").geturl() if user else uri)
        redis = needed("redis", "redis", f"for {self.uri}")
        try:
            wrong = "" if parts.port or parts.hostname else "The host is missing"
        except ValueError as error:
            wrong = str(error)
        if wrong:
            raise PatternFileError(f"{wrong}. Write redis://HOST:PORT/DATABASE/NAME.", uri=self.uri)
        first, _, rest = parts.path.strip("/").partition("/")
        database, name = (first, rest) if first.isdecimal() else ("0", parts.path.strip("/"))
        self._errors = (redis.RedisError, OSError, ValueError, OverflowError)  # the last two of damaged versions
        address = parts._replace(path=f"/{database}").geturl()
        self._redis = redis.Redis.from_url(address, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
        # Braces put all keys of a name on one server of a cluster.
        texts = f"stemmer:{{{unquote(name) or 'patterns'}}}"
        self._keys = texts, f"{texts}:versions", f"{texts}:counter"
        self._put = self._redis.register_script(PUT)

    def changes(self, since: int = 0) -> Mapping[str, int]:
        """See :meth:`SharedStore.changes`; versions of all sites form one sequence."""
        with self._reached():
            _, versions, counter = self._keys
            last = int(self._redis.get(counter) or 0)
            above = f"({since}" if since <= last else "-inf"  # the server was emptied meanwhile
            newer = self._redis.zrangebyscore(versions, above, "+inf", withscores=True)
            return {site.decode(): int(version) for site, version in newer}

    def get(self, site: str) -> tuple[int, bytes]:
        texts, versions, _ = self._keys
        with self._reached():
            both = self._redis.pipeline(transaction=True).zscore(versions, site).hget(texts, site)
            version, text = both.execute()
            return int(version or 0), text or b""

    def put(self, site: str, text: bytes, after: int) -> bool:
        with self._reached():
            return bool(self._put(keys=self._keys, args=[site, text, after]))

    def close(self) -> None:
        self._redis.close()
