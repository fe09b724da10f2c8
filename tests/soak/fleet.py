"""Three crawls of one list of sites with one store, and many writers of it: ``python -m tests.soak.fleet [WRITES]``.

Each site must be learned once by all three together, each item stripped, and no write lost. The stores are Redis and
one that speaks S3, each a real server that this starts; the writers also go to a pattern file and to ``memory:``.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scrapy_stemmer import PatternSet
from scrapy_stemmer.stores.by_uri import open_store
from scrapy_stemmer.stores.shared import SharedStore
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import STATS, Balance, crawl
from tests.stores import servers, writers

CRAWLS, PAGES, SAMPLE = 3, 12, 8

WRITERS = 4
"""Processes, or threads where a store is of one process."""

OWN_SITES = 25
"""Sites of each of them."""

SHARED_SITES = 20
"""Sites that all writers write."""

_LEARNED = re.compile(r"^([\d.]+) Learned (\S+):", re.MULTILINE)
_TAKEN = re.compile(r"^([\d.]+) (\S+) was learned by others", re.MULTILINE)


@dataclass(frozen=True)
class Fleet:
    """What has come of the crawls.

    :param learned: how many of them have learned each site.
    :param seconds: between the moment when a site was learned and those when the others had its patterns.
    :param unmatched: items that passed unstripped.
    """

    seconds_in_all: float
    learned: dict[str, int]
    seconds: list[float]
    unmatched: int
    balances: list[Balance]

    def __str__(self) -> str:
        lost = sum(len(each.lost) + len(each.repeated) for each in self.balances)
        waits = f"{statistics.median(self.seconds):.1f} s ({max(self.seconds):.1f} at most)" if self.seconds else "-"
        return (
            f"{CRAWLS} crawls in {self.seconds_in_all:.0f} s, {len(self.learned)} sites: each learned by "
            f"{min(self.learned.values())} to {max(self.learned.values())} of them; the others had the patterns after "
            f"{waits}; {self.unmatched} items unmatched, {lost} lost or repeated"
        )


def run(uri: str, sites: int, folder: Path) -> Fleet:
    """Crawl a list of sites in three processes at once, with one store."""
    started = time.monotonic()
    with Website("0.0.0.0") as website:
        website.add_articles(PAGES)
        hosts = [f"127.3.{number // 250}.{1 + number % 250}" for number in range(sites)]
        urls = [website.url(f"/article/{page}.html", host) for page in range(PAGES) for host in hosts]
        settings: dict[str, Any] = {
            "STEMMER_PATTERNS": uri,
            "STEMMER_SAMPLE_SIZE": SAMPLE,
            "STEMMER_STORE_LOOK": 2,
            "LOG_FORMAT": "%(created).3f %(message)s",
        }
        crawls = []
        for number in range(CRAWLS):
            mine = folder / str(number)
            mine.mkdir()
            job = {"folder": str(mine), "urls": urls, "settings": settings}
            crawls.append((processes.start(crawl, job, out=mine / "log.txt"), mine))
        for process, mine in crawls:
            assert process.wait(600) == 0, (mine / "log.txt").read_text()
        names = [f"{host}:{website.site.rpartition(':')[2]}" for host in hosts]
    return _fleet([mine for _, mine in crawls], names, time.monotonic() - started)


def _fleet(folders: list[Path], sites: list[str], seconds: float) -> Fleet:
    logs = [(folder / "log.txt").read_text() for folder in folders]
    when = {site: float(time_) for log in logs for time_, site in _LEARNED.findall(log)}
    waits = [float(time_) - when[site] for log in logs for time_, site in _TAKEN.findall(log) if site in when]
    learned = dict.fromkeys(sites, 0)
    for log in logs:
        for _, site in _LEARNED.findall(log):
            learned[site] += 1
    stats = [json.loads((folder / STATS).read_text()) for folder in folders]
    unmatched = sum(each.get("stemmer/items/unmatched", 0) for each in stats)
    return Fleet(seconds, learned, waits, unmatched, [Balance(folder) for folder in folders])


def mark(uri: str, name: str, count: int) -> int:
    """Put so many marks into texts that others put theirs into as well; what ``main`` of a process returns."""
    store = open_store(uri)
    assert isinstance(store, SharedStore)
    for number in range(count):
        site, own = f"shared-{number % SHARED_SITES}.com", f"{name}-{number}".encode()
        while True:
            version, text = store.get(site)
            if own in text.split() or store.put(site, text + own + b" ", version):
                break
    return 0


def lost_marks(uri: str, count: int, folder: Path) -> int:
    """How many of so many marks in the texts of a few sites are missing, when processes make them at a time."""
    _at_once(uri, count, folder, mark)
    store = open_store(uri)
    assert isinstance(store, SharedStore)
    return count - len({own for site in store.changes() for own in store.get(site)[1].split()})


def lost_sites(uri: str, count: int, folder: Path) -> int:
    """How many sites are not as they were written last, when processes write a hundred of them in turn."""
    own = min(OWN_SITES, count // WRITERS)
    _at_once(uri, count, folder, partial(writers.write, sites=own))
    found = {pattern.site: pattern.support for pattern in PatternSet.load(uri).patterns}
    last = {number % own: number for number in range(count // WRITERS)}
    expected = {f"{writer}-{site}.com": number for writer in range(WRITERS) for site, number in last.items()}
    return sum(found.get(site) != number for site, number in expected.items())


def _at_once(uri: str, count: int, folder: Path, write: Any) -> None:
    if uri.startswith("memory:"):
        with ThreadPoolExecutor(WRITERS) as pool:
            assert (
                list(pool.map(write, [uri] * WRITERS, map(str, range(WRITERS)), [count // WRITERS] * WRITERS))
                == [0] * WRITERS
            )
        return
    started = [
        processes.start(write, uri, f"{number}", count // WRITERS, out=folder / f"writer-{number}.txt")
        for number in range(WRITERS)
    ]
    for process in started:
        assert process.wait(3600) == 0, (folder / "writer-0.txt").read_text()


def main(count: int = 10_000) -> int:
    """Print the figures; 1 if anything is lost, or learned twice."""
    bad = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = f"redis://127.0.0.1:{stack.enter_context(servers.redis_server()).port}/0"
        stack.enter_context(servers.s3_server())
        for name, place in (("Redis", redis), ("S3", "s3://bucket")):
            mine = folder / name
            mine.mkdir()
            fleet = run(f"{place}/fleet", 40, mine)
            print(f"{name}: {fleet}", flush=True)
            bad += set(fleet.learned.values()) != {1} or fleet.unmatched > 0
            bad += any(each.lost or each.repeated for each in fleet.balances)
        places = {"memory": "memory://fleet", "Redis": redis, "file": str(folder / "patterns"), "S3": "s3://bucket"}
        for name, place in places.items():
            for what, write in (("sites of their own", lost_sites), ("the same 20 sites", lost_marks)):
                if name == "file" and write is lost_marks:
                    continue
                started = time.monotonic()
                lost = write(f"{place}/{write.__name__}", count, folder)
                seconds = time.monotonic() - started
                print(f"{name}: {count} writes to {what}, {lost} lost; {seconds:.0f} s", flush=True)
                bad += lost > 0
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
