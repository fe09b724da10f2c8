"""Two crawls that learn into a shared pattern file for some time.

Each learns its own sites, again and again; no learned site may be missing in the end.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from scrapy_stemmer import PatternSet
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import Balance, crawl

PAGES = 4

SITES = 5
"""Of each crawl."""


def run(seconds: float, folder: Path) -> tuple[int, set[str], set[str], list[Balance]]:
    """Crawl in pairs, with a shared pattern file; return the number of crawls, the sites learned and found, and the
    items."""
    learned: set[str] = set()
    balances, rounds, until = [], 0, time.monotonic() + seconds
    patterns = folder / "patterns.jsonl"
    with Website("0.0.0.0") as website:
        website.add_articles(PAGES)
        while rounds == 0 or time.monotonic() < until:
            pair = []
            for writer in range(2):
                mine = folder / f"{rounds}-{writer}"
                mine.mkdir()
                first = (rounds * 2 + writer) * SITES
                hosts = [f"127.1.{number // 250}.{1 + number % 250}" for number in range(first, first + SITES)]
                urls = [website.url(f"/article/{page}.html", host) for host in hosts for page in range(PAGES)]
                settings: dict[str, Any] = {"STEMMER_PATTERNS": str(patterns), "STEMMER_SAMPLE_SIZE": PAGES}
                job = {"folder": str(mine), "urls": urls, "settings": settings}
                pair.append((processes.start(crawl, job, out=mine / "log.txt"), mine))
                learned |= {f"{host}:{website.site.rpartition(':')[2]}" for host in hosts}
            for process, mine in pair:
                assert process.wait() == 0, (mine / "log.txt").read_text()
                balances.append(Balance(mine))
            rounds += 1
    return 2 * rounds, learned, set(PatternSet.load(str(patterns)).sites), balances
