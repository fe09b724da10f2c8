"""Three crawls of a list of sites with a shared store, also killed and resumed, and many writers of the store.

Each site must be learned once by all three together, each item stripped, and no write lost. The stores are real servers
of Redis and of S3; the writers also go to a pattern file and to ``memory:``.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from scrapy_stemmer import PatternSet
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.shared import SharedStore
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import DONE, IN, OUT, STATS, Balance, crawl, noted
from tests.soak.kills import left_in
from tests.stores import writers

CRAWLS, PAGES, SAMPLE = 3, 12, 8

FIRST_ITEMS = 4
"""Items after which a crawl is killed: too few to learn all sites of the list."""

WRITERS = 4
"""Processes, or threads where a store belongs to a single process."""

OWN_SITES = 25
"""Sites of each writer."""

SHARED_SITES = 20
"""Sites common to all writers."""

_LEARNED = re.compile(r"^([\d.]+) Learned (\S+):", re.MULTILINE)
_TAKEN = re.compile(r"^([\d.]+) (\S+) is stripped by patterns that another crawl learned", re.MULTILINE)


@dataclass(frozen=True)
class Fleet:
    """Results of the crawls.

    :param learned: the number of crawls that learned each site.
    :param seconds: between learning a site and its patterns' arrival in the remaining crawls.
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
    """Crawl a list of sites in three processes at once, with a shared store."""
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
    """Put marks into texts that several processes mark; return the exit code."""
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
    """Return the number of lost marks in the texts of a few sites, marked by processes at a time."""
    _at_once(uri, count, folder, mark)
    store = open_store(uri)
    assert isinstance(store, SharedStore)
    return count - len({own for site in store.changes() for own in store.get(site)[1].split()})


def lost_sites(uri: str, count: int, folder: Path) -> int:
    """Return the number of sites that differ from their last version, when processes write a hundred sites in turn."""
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


@dataclass(frozen=True)
class Killed:
    """Results of killed crawls.

    :param waited: waiting items of killed crawls.
    :param lost: waiting items that never came out.
    :param sites: sites of the list.
    :param untold: sites missing in the store, or learned by two crawls without a message.
    """

    kills: int
    went_in: int
    came_out: int
    waited: int
    lost: int
    sites: int
    untold: list[str]


def killed(uri: str, sites: int, kills: int, folder: Path, seed: int = 0) -> Killed:
    """Crawl a list of sites in three processes with a shared store, each killed so many times and resumed.

    Items that pass at once, since a crawl has learned their site, are not promised to survive.
    """
    with Website("0.0.0.0") as website:
        website.add_articles(PAGES)
        for answer in website.answers.values():
            answer.seconds = 0.2  # so that sites are far from whole when a crawl is killed
        hosts = [f"127.4.{number // 250}.{1 + number % 250}" for number in range(sites)]
        urls = [website.url(f"/article/{page}.html", host) for page in range(PAGES) for host in hosts]
        folders = [folder / str(number) for number in range(CRAWLS)]
        randoms = [Random(f"{seed} {number}") for number in range(CRAWLS)]
        with ThreadPoolExecutor(CRAWLS) as pool:
            resumed = list(pool.map(partial(_resumed, uri, urls, kills), folders, randoms))
        names = [f"{host}:{website.site.rpartition(':')[2]}" for host in hosts]
    balances = [Balance(each) for each in folders]
    out = {line.split()[0] for each in folders for line in noted(each / OUT)}
    waited = [items for _, items in resumed]
    lost = sum(len(each - out) for each in waited)
    # A crawl killed between learning and saving leaves the site to another crawl; the last crawls are not killed.
    log = "".join(_last_log(each).read_text() for each in folders)
    there = set(PatternSet.load(uri).sites)
    untold = [
        name
        for name in names
        if name not in there or log.count(f" Learned {name}:") > 1 + log.count(f"patterns of {name} were changed")
    ]
    counts = sum(each.went_in for each in balances), sum(each.came_out for each in balances)
    return Killed(sum(times for times, _ in resumed), *counts, sum(map(len, waited)), lost, sites, untold)


def _resumed(uri: str, urls: list[str], kills: int, folder: Path, random: Random) -> tuple[int, set[str]]:
    """Crawl, killed at most so many times soon after the first items; return the kills, and the items waiting then."""
    folder.mkdir()
    settings: dict[str, Any] = {
        "JOBDIR": str(folder / "job"),
        "CONCURRENT_REQUESTS": 4,
        "STEMMER_PATTERNS": uri,
        "STEMMER_SAMPLE_SIZE": SAMPLE,
        "STEMMER_STORE_LOOK": 1,
        "LOG_FORMAT": "%(created).3f %(message)s",
    }
    job, waited, times = {"folder": str(folder), "urls": urls, "settings": settings}, set[str](), 0
    while not noted(folder / DONE):
        soon = len(noted(folder / IN)) + FIRST_ITEMS
        process = processes.start(crawl, job, out=folder / f"log-{times}.txt").process
        while times < kills and process.is_alive() and len(noted(folder / IN)) < soon:
            process.join(0.02)
        process.join(random.uniform(0, 0.5) if times < kills else 600)
        assert process.exitcode in ((0, None) if times < kills else (0,)), _last_log(folder).read_text()
        if process.is_alive():
            process.kill()
            process.join()
            waited |= left_in(folder)
            times += 1
    return times, waited


def _last_log(folder: Path) -> Path:
    return max(folder.glob("log-*.txt"), key=lambda path: int(path.stem.removeprefix("log-")))
