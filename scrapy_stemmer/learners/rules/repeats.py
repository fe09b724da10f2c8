"""Which texts and links return: how many pages of a sample have each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from urllib.parse import urljoin, urlsplit
from zlib import crc32


def link_key(base: str, href: str) -> tuple[int, bool]:
    """A 32-bit hash of where a link leads, and whether that is the same site; (0, False) when it is no address."""
    try:
        target = urlsplit(urljoin(base, href.strip()))
        host = target.netloc.lower().removeprefix("www.")
        same = host == urlsplit(base).netloc.lower().removeprefix("www.")
    except ValueError:
        return 0, False
    return crc32(f"{host}{target.path or '/'}?{target.query}".encode("utf-8", "surrogatepass")), same


class Repeats:
    """How many of some pages have each key."""

    def __init__(self, pages: Sequence[Collection[int]]) -> None:
        self._pages = [frozenset(keys) for keys in pages]
        self.counts: Counter[int] = Counter(key for keys in self._pages for key in keys)

    def shares_on_others(self, page: int, keys: Iterable[int]) -> list[float]:
        """For each key of a page the share of the other pages that have it."""
        others = len(self._pages) - 1
        return [(self.counts[key] - 1) / others for key in keys]
