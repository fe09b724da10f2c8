"""Crawls that are killed at random moments, and resumed with JOBDIR or begun anew without, until they are done.

Without JOBDIR all waiting items are in the remaining spools.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from scrapy_stemmer import PatternSet
from scrapy_stemmer.crawl.session.held import RELEASED_AT_ONCE, item_line
from scrapy_stemmer.crawl.spool import left_items
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import DONE, Balance, crawl, noted

HOSTS = tuple(f"127.0.0.{number}" for number in range(1, 7))

PAGES = 30
"""Pages of each host. All items wait, since items that pass at once are lost with any killed crawl."""

CONCURRENT_ITEMS = 30

SETTINGS = {
    "STEMMER_SAMPLE_SIZE": PAGES,
    "CONCURRENT_ITEMS": CONCURRENT_ITEMS,
    "CONCURRENT_REQUESTS": 4,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
}

JOB = {"JOBDIR": "{folder}/job"}

REPLACING = {"ITEM_PIPELINES": {"tests.soak.crawling.Replacing": 500, "tests.soak.crawling.OutNotes": 900}}


def of_scrapy_redis(port: int) -> dict[str, Any]:
    """Return the settings of crawls with requests in Redis."""
    return {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_PERSIST": True,
        "SCHEDULER_QUEUE_KEY": "{folder}:requests",
        "REDIS_PORT": port,
    }


def ways(redis_port: int) -> dict[str, dict[str, Any]]:
    """The settings of crawls of several kinds."""
    return {
        "plain": JOB,
        "replacing pipelines": {**JOB, **REPLACING},
        "scrapy-redis": {**JOB, **of_scrapy_redis(redis_port)},
        # Sites learned before the kill are learned again: items of known sites pass at once.
        "without JOBDIR": {"STEMMER_LEARN": "again"},
    }


def bound(kills: int) -> int:
    """Return the most items that come twice: items in the pipelines when a crawl is killed, or just through."""
    return kills * (CONCURRENT_ITEMS + RELEASED_AT_ONCE)


def left_in(folder: Path) -> set[str]:
    """The items in the spools of a folder."""
    return {json.loads(item_line(item))["id"] for path in folder.rglob("*.sqlite") for item in left_items(path) or []}


def crawls(kills: int, folder: Path, seed: int = 0, settings: Mapping[str, Any] = JOB) -> Iterator[tuple[int, Balance]]:
    """Yield crawls until enough kills, each with its kills and its items.

    :param folder: gets a folder for each crawl; ``{folder}`` in a setting is its path.
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
                for name, value in {**SETTINGS, **settings}.items()
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
            if (mine / "patterns.jsonl").exists():  # the last crawl may have had nothing to do
                PatternSet.load(str(mine / "patterns.jsonl"))
            killed, number = killed + times, number + 1
            yield times, Balance(mine, left_in(mine))
