"""A spider of scrapy-redis, which stays open and waits for URLs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.http import TextResponse
from scrapy_redis.spiders import RedisSpider

# scrapy-redis itself uses what Scrapy deprecates.
warnings.filterwarnings("ignore", category=ScrapyDeprecationWarning)


class Following(RedisSpider):
    """Crawls the URLs of a list in Redis, and what they link to; an item a page."""

    name = "following"
    redis_key = "urls"

    def parse(self, response: TextResponse) -> Iterator[Any]:
        """An item, and requests that go through Redis."""
        yield {"url": response.url}
        for link in response.css("ul.links a"):
            yield response.follow(link)
