"""Crawls with JOBDIR, killed at random moments and resumed until they are done: ``python -m tests.soak.kills 200``.

So many kills each of plain crawls, of crawls with pipelines that replace items, and of crawls of scrapy-redis.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from scrapy_stemmer import PatternSet
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import DONE, Balance, crawl, noted
from tests.stores import servers

HOSTS = tuple(f"127.0.0.{number}" for number in range(1, 7))

PAGES = 30
"""Of each host; all of them wait, as those that pass at once are lost with a crawl that is killed, whoever looks."""

CONCURRENT_ITEMS = 30

SETTINGS = {
    "STEMMER_SAMPLE_SIZE": PAGES,
    "CONCURRENT_ITEMS": CONCURRENT_ITEMS,
    "CONCURRENT_REQUESTS": 4,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
}

REPLACING = {
    "ITEM_PIPELINES": {
        "tests.soak.crawling.Replacing": 500,
        "tests.soak.crawling.OutNotes": 900,
    }
}


def of_scrapy_redis(port: int) -> dict[str, Any]:
    """The settings of crawls whose requests are in Redis."""
    return {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_PERSIST": True,
        "SCHEDULER_QUEUE_KEY": "{folder}:requests",
        "REDIS_PORT": port,
    }


def bound(kills: int) -> int:
    """So many items come twice at most: those that are in the pipelines when a crawl is killed."""
    return kills * CONCURRENT_ITEMS


def crawls(
    kills: int, folder: Path, seed: int = 0, settings: Mapping[str, Any] | None = None
) -> Iterator[tuple[int, Balance]]:
    """Crawls until there were so many kills; of each how often it was killed, and its items.

    :param folder: is given a folder for each crawl; ``{folder}`` in a setting is its path.
    """
    random, killed, number = Random(seed), 0, 0
    with Website("0.0.0.0") as website:
        website.add_articles(PAGES)
        for answer in website.answers.values():
            answer.seconds = 0.03
        urls = [website.url(f"/article/{page}.html", host) for page in range(PAGES) for host in HOSTS]
        while killed < kills:
            mine = folder / str(number)
            mine.mkdir()
            given = {
                name: value.format(folder=mine) if isinstance(value, str) else value
                for name, value in {**SETTINGS, **(settings or {}), "JOBDIR": "{folder}/job"}.items()
            }
            job = {"folder": str(mine), "urls": urls, "settings": given}
            times = 0
            while not noted(mine / DONE):
                process = processes.start(crawl, job, out=mine / f"log-{times}.txt")
                process.process.join(random.uniform(0.5, 3.0) if killed + times < kills else 120)
                if process.process.is_alive():
                    process.kill()
                    times += 1
                process.process.join()
            PatternSet.load(str(mine / "patterns.jsonl"))
            killed, number = killed + times, number + 1
            yield times, Balance(mine)


def main(kills: int = 200, seed: int = 0) -> int:
    """Print what came of each crawl; 1 if an item was lost, or too many came again.

    One that had just been through the pipelines when its crawl was killed comes once more.
    """
    bad = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(servers.redis_server()).port
        ways = {"plain": {}, "replacing pipelines": REPLACING, "scrapy-redis": of_scrapy_redis(port)}
        for name, settings in ways.items():
            total = came_out = lost = repeated = 0
            (mine := folder / name).mkdir()
            for times, balance in crawls(kills, mine, seed, settings):
                total += times
                came_out += balance.came_out
                lost += len(balance.lost)
                repeated += len(balance.repeated)
                bad += bool(balance.lost) or len(balance.repeated) > bound(times)
                print(f"{times} kills: {balance}", flush=True)
            told = f"{total} kills, {came_out:,} items: {lost} lost, {repeated} repeated; each pattern file is whole"
            print(f"{name}: {told}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
