"""When Python is not to look for garbage."""

from __future__ import annotations

import gc
from threading import Lock


class _Pauses:
    """Counts the pauses under way, in whatever threads; the last one to end lets Python look for garbage again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._before = False

    def __enter__(self) -> None:
        with self._lock:
            if not self._count:
                self._before = gc.isenabled()
                gc.disable()
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count and self._before:
                gc.enable()


_PAUSES = _Pauses()


def without_collection() -> _Pauses:
    """Keep Python from looking for garbage while a page is stripped, or a site learned.

    Many thousand objects are made for it that are gone when it is done, none of them in a cycle. While they are there
    each search would look at all of them, and take them for objects that stay: then Python searches everything that a
    crawl has in memory several times as often, which takes longer than stripping the pages.
    """
    return _PAUSES
