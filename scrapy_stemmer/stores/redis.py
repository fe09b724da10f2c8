"""Patterns in Redis: a hash with the text of each site, and a sorted set with its version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

from scrapy_stemmer.exceptions import StoreUnavailable, needed
from scrapy_stemmer.stores.shared import PATTERNS, SharedStore

SECONDS = 10.0  # how long a command may take

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
"""Puts a text in the place of one whose version is known; each change of any site has a version of its own."""


class RedisStore(SharedStore):
    """The sites of one name in a Redis server: ``redis://host:6379/0/NAME``, or ``rediss:`` for TLS.

    :param uri: its address, the number of the database and the name; these two may be left out.
    :raises MissingExtra: when redis-py is not installed.
    """

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        user, _, host = parts.netloc.rpartition("@")
        # What is logged has no password.
        super().__init__(parts._replace(netloc=f"{user.partition(':')[0]}:***@{host}").geturl() if user else uri)
        redis = needed("redis", "redis", f"for {self.uri}")
        first, _, rest = parts.path.strip("/").partition("/")
        database, name = (first, rest) if first.isdecimal() else ("0", parts.path.strip("/"))
        self._errors = (redis.RedisError, OSError)
        address = parts._replace(path=f"/{database}").geturl()
        self._redis = redis.Redis.from_url(address, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
        # In braces what decides, in a cluster, on which server a key is: all of a name are on one.
        self._prefix = f"stemmer:{{{unquote(name) or 'patterns'}}}"
        self._put = self._redis.register_script(PUT)

    def changes(self, since: int = 0) -> Mapping[str, int]:
        """See :meth:`SharedStore.changes`. The versions of all sites are of one sequence."""
        with self._reached():
            _, versions, counter = self._keys(PATTERNS)
            last = int(self._redis.get(counter) or 0)
            above = f"({since}" if since <= last else "-inf"  # the server has been emptied meanwhile
            newer = self._redis.zrangebyscore(versions, above, "+inf", withscores=True)
        return {site.decode(): int(version) for site, version in newer}

    def get(self, site: str, kind: str = PATTERNS) -> tuple[int, bytes]:
        texts, versions, _ = self._keys(kind)
        with self._reached():
            both = self._redis.pipeline(transaction=True).zscore(versions, site).hget(texts, site)
            version, text = both.execute()
        return int(version or 0), text or b""

    def put(self, site: str, text: bytes, after: int, kind: str = PATTERNS) -> bool:
        keys = self._keys(kind)
        with self._reached():
            return bool(self._put(keys=keys, args=[site, text, after]))

    def _keys(self, kind: str) -> tuple[str, str, str]:
        """The keys of the texts, of their versions and of the last version."""
        prefix = self._prefix if kind == PATTERNS else f"{self._prefix}:{kind}"
        return prefix, f"{prefix}:versions", f"{self._prefix}:counter"

    def close(self) -> None:
        self._redis.close()

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            reason = f"{type(error).__name__}: {str(error).rstrip('.')}"
            message = f"Redis can't be used: {reason}. Does the server run, and is its address right?"
            raise StoreUnavailable(message, uri=self.uri) from error
