"""Crawls with JOBDIR, killed at random moments and resumed until they are done: ``python -m tests.soak.kills 200``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from scrapy_stemmer import PatternSet
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import DONE, Balance, crawl, noted

HOSTS = tuple(f"127.0.0.{number}" for number in range(1, 7))

PAGES = 30
"""Of each host; all of them wait, as those that pass at once are lost with a crawl that is killed, whoever looks."""

SETTINGS = {"STEMMER_SAMPLE_SIZE": PAGES, "CONCURRENT_REQUESTS": 4, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}


def crawls(kills: int, folder: Path, seed: int = 0) -> Iterator[tuple[int, Balance]]:
    """Crawls until there were so many kills; of each how often it was killed, and its items.

    :param folder: is given a folder for each crawl.
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
            job = {"folder": str(mine), "urls": urls, "settings": {**SETTINGS, "JOBDIR": str(mine / "job")}}
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
    """Print what came of each crawl; 1 if an item was lost.

    One that had just been through the pipelines when its crawl was killed comes once more.
    """
    lost = repeated = total = came_out = 0
    with tempfile.TemporaryDirectory() as folder:
        for times, balance in crawls(kills, Path(folder), seed):
            total += times
            lost += len(balance.lost)
            repeated += len(balance.repeated)
            came_out += balance.came_out
            print(f"{times} kills: {balance}", flush=True)
    print(f"{total} kills, {came_out:,} items: {lost} lost, {repeated} repeated; each pattern file is whole")
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
