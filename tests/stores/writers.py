"""A process that writes patterns again and again, beside other writers."""

from __future__ import annotations

import threading
from dataclasses import replace

from scrapy_stemmer import PatternSet
from tests.stores.contract import PATTERNS


def write(uri: str, name: str, count: int, sites: int | None = None) -> int:
    """Put sites into a store, one by one; what ``main`` of a process returns.

    :param count: how many writes.
    :param sites: how many sites; they are written in turn, each write with its number.
    """
    for number in range(count):
        site = f"{name}-{number % (sites or count)}.com"
        PatternSet([replace(PATTERNS[0], site=site, support=number)]).merge_into(uri)
    return 0


def write_in_threads(uri: str, name: str, count: int, threads: int) -> int:
    """Write from several threads of one process."""
    workers = [threading.Thread(target=write, args=(uri, f"{name}-{number}", count)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return 0
