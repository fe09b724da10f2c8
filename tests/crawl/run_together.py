"""Several crawls in a process: spiders of a shared ``CrawlerProcess``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings


def main(job: dict[str, Any]) -> int:
    """Crawl with a spider for each start URL, and write their stats."""
    from tests.crawl.spiders import Plain

    settings = Settings()
    settings.setdict(job["settings"], priority="project")
    process = CrawlerProcess(settings)
    crawlers = [process.create_crawler(Plain) for _ in job["starts"]]
    for crawler, start in zip(crawlers, job["starts"], strict=True):
        process.crawl(crawler, start_urls=[start])
    process.start()
    stats = [crawler.stats.get_stats() for crawler in crawlers]
    Path(job["stats"]).write_text(json.dumps(stats, default=str), encoding="utf-8")
    return 0
