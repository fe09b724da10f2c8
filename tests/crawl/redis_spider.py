"""A spider of scrapy-redis for a process of its own; the spider stays open and waits for URLs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse
from scrapy_redis.spiders import RedisSpider


class Following(RedisSpider):
    """Crawls the URLs of a list in Redis, and what they link to; an item a page."""

    name = "following"
    redis_key = "urls"

    def parse(self, response: TextResponse) -> Iterator[Any]:
        """An item, and requests that go through Redis."""
        yield {"url": response.url}
        for link in response.css("ul.links a"):
            yield response.follow(link)


def main(settings: dict[str, Any]) -> int:
    """Crawl until somebody stops it."""
    process = CrawlerProcess(settings)
    process.crawl(Following)
    process.start()
    return int(process.bootstrap_failed)
