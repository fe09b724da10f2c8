"""Process that puts patterns into a pattern file repeatedly, concurrently with others."""

from __future__ import annotations

import threading
from dataclasses import replace

from scrapy_stemmer import PatternSet
from tests.stores.contract import PATTERNS


def write(uri: str, name: str, count: int, sites: int | None = None) -> int:
    """Put sites into a store, one by one; return the status of the process.

    :param count: number of writes.
    :param sites: number of sites, written in turn, each write with its number.
    """
    for number in range(count):
        site = f"{name}-{number % (sites or count)}.com"
        PatternSet([replace(PATTERNS[0], site=site, support=number)]).merge_into(uri)
    return 0


def write_in_threads(uri: str, name: str, count: int, threads: int) -> int:
    """Put sites into a store from several threads."""
    workers = [threading.Thread(target=write, args=(uri, f"{name}-{number}", count)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return 0
