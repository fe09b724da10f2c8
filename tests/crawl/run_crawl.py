"""A crawl in its own process."""

from __future__ import annotations

import gc
import json
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.settings import Settings
from scrapy.utils.misc import load_object


def main(job: dict[str, Any]) -> int:
    """Crawl, and write the stats. A spider with a point in its name is an import path, and a setting with a colon is a
    constant of a module."""
    # First of all: a warning that a component causes is an error of ours.
    warnings.simplefilter("error", ScrapyDeprecationWarning)
    warnings.filterwarnings("always", "unclosed file", ResourceWarning)
    from tests.crawl import spiders

    found = {cls.name: cls for cls in vars(spiders).values() if hasattr(cls, "name") and hasattr(cls, "from_crawler")}
    spider = load_object(job["spider"]) if "." in job["spider"] else found[job["spider"]]
    settings = Settings()
    for name, value in job["settings"].items():
        if ":" in name:
            place, _, constant = name.partition(":")
            setattr(import_module(place), constant, value)
        else:
            settings.set(name, value, priority="project")
    if not settings.getbool("TWISTED_REACTOR_ENABLED", True):
        return crawl_without_reactor(job, spider, settings)
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    failures: list[Any] = []
    process.crawl(crawler, **job["arguments"]).addErrback(lambda failure: failures.append(failure) or failure)
    process.start()
    write_stats(job, crawler)
    code = 1 if failures or process.bootstrap_failed else 0
    del process, crawler
    gc.collect()  # a file that was left open is a warning in the log then
    return code


def crawl_without_reactor(job: dict[str, Any], spider: type[Any], settings: Settings) -> int:
    """Run the crawl on asyncio alone."""
    from scrapy.crawler import AsyncCrawlerProcess

    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    process.crawl(crawler, **job["arguments"])
    process.start()
    write_stats(job, crawler)
    return 1 if process.bootstrap_failed else 0


def write_stats(job: dict[str, Any], crawler: Any) -> None:
    """Write the stats for the test."""
    stats = crawler.stats.get_stats() if crawler.stats else {}
    Path(job["stats"]).write_text(json.dumps(stats, default=str), encoding="utf-8")
