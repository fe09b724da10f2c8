"""A process that puts patterns into a pattern file again and again, while others do too."""

from __future__ import annotations

import threading
from dataclasses import replace

from scrapy_stemmer import PatternSet
from tests.stores.contract import PATTERNS


def write(uri: str, name: str, count: int) -> int:
    """Put so many sites into a file, one by one; what ``main`` of a process returns."""
    for number in range(count):
        PatternSet([replace(PATTERNS[0], site=f"{name}-{number}.com")]).merge_into(uri)
    return 0


def write_in_threads(uri: str, name: str, count: int, threads: int) -> int:
    """The same from several threads of one process."""
    workers = [threading.Thread(target=write, args=(uri, f"{name}-{number}", count)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return 0
