"""Three crawls of a list of sites with a shared store, each killed soon after its first items, and resumed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from scrapy_stemmer import PatternSet
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import DONE, IN, OUT, Balance, crawl, noted
from tests.soak.kills import left_in

CRAWLS, PAGES, SAMPLE = 3, 12, 8

FIRST_ITEMS = 4
"""Items after which a crawl is killed: too few to learn all sites of the list."""


class Killed(NamedTuple):
    """Results of killed crawls."""

    kills: int
    went_in: int
    came_out: int
    waited: int  # items that waited when a crawl was killed
    lost: int  # those that never came out
    missing: list[str]  # sites that the store does not have


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
        names = {f"{host}:{website.site.rpartition(':')[2]}" for host in hosts}
    balances = [Balance(each) for each in folders]
    out = {line.split()[0] for each in folders for line in noted(each / OUT)}
    waited = [items for _, items in resumed]
    counts = sum(each.went_in for each in balances), sum(each.came_out for each in balances)
    lost = sum(len(each - out) for each in waited)
    missing = sorted(names - {*PatternSet.load(uri).sites})
    return Killed(sum(times for times, _ in resumed), *counts, sum(map(len, waited)), lost, missing)


def _resumed(uri: str, urls: list[str], kills: int, folder: Path, random: Random) -> tuple[int, set[str]]:
    """Crawl, killed at most so many times soon after the first items; return the kills, and the items waiting then."""
    folder.mkdir()
    settings: dict[str, Any] = {
        "JOBDIR": str(folder / "job"),
        "CONCURRENT_REQUESTS": 4,
        "STEMMER_PATTERNS": uri,
        "STEMMER_SAMPLE_SIZE": SAMPLE,
    }
    job, waited, times = {"folder": str(folder), "urls": urls, "settings": settings}, set[str](), 0
    while not noted(folder / DONE):
        log = folder / f"log-{times}.txt"
        soon = len(noted(folder / IN)) + FIRST_ITEMS
        process = processes.start(crawl, job, out=log).process
        while times < kills and process.is_alive() and len(noted(folder / IN)) < soon:
            process.join(0.02)
        process.join(random.uniform(0, 0.5) if times < kills else 600)
        assert process.exitcode in ((0, None) if times < kills else (0,)), log.read_text()
        if process.is_alive():
            process.kill()
            process.join()
            waited |= left_in(folder)
            times += 1
    return times, waited
