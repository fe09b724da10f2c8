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
from twisted.internet.defer import Deferred


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
    process = crawler_process(settings)
    crawler = process.create_crawler(spider)
    failures: list[Any] = []
    crawling: Any = process.crawl(crawler, **job["arguments"])
    if isinstance(crawling, Deferred):
        crawling.addErrback(lambda failure: failures.append(failure) or failure)
    process.start()
    stats = crawler.stats.get_stats() if crawler.stats else {}
    Path(job["stats"]).write_text(json.dumps(stats, default=str), encoding="utf-8")
    code = 1 if failures or process.bootstrap_failed else 0
    del process, crawler, crawling
    gc.collect()  # a file that was left open is a warning in the log then
    return code


def crawler_process(settings: Settings) -> Any:
    """Return a process with Twisted's reactor, or on asyncio alone."""
    if settings.getbool("TWISTED_REACTOR_ENABLED", True):
        return CrawlerProcess(settings)
    from scrapy.crawler import AsyncCrawlerProcess

    return AsyncCrawlerProcess(settings)
