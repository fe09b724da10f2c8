"""Crawls beside synchronous spider middlewares and callbacks."""

from __future__ import annotations

import pytest
import scrapy

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Website

SYNCHRONOUS = {"tests.crawl.spiders.Synchronous": 100}
RECOVERING = {"tests.crawl.spiders.Recovering": 900}


def crawled(crawl: Crawler, website: Website, middlewares: dict[str, int]) -> Crawl:
    """A crawl whose callbacks raise behind each item."""
    website.add_articles(4)
    urls = [website.url(f"/article/{number}.html") for number in range(4)]
    return crawl("half_broken", *urls, SPIDER_MIDDLEWARES=middlewares, **LEARN)


def test_items_in_place_of_exceptions_come_out_beside_those_before_them(crawl: Crawler, website: Website) -> None:
    done = crawled(crawl, website, RECOVERING)
    assert len(done.by_url) == 8
    assert sum("error" in item for item in done.items) == 4
    assert all(item["text"] for item in done.items)


@pytest.mark.skipif(scrapy.version_info >= (2, 16), reason="Scrapy has no output that is not async")
def test_synchronous_middlewares_get_synchronous_output(crawl: Crawler, website: Website) -> None:
    done = crawled(crawl, website, SYNCHRONOUS | RECOVERING)
    assert "downgraded" not in done.log
    assert len(done.by_url) == 8
    assert {tuple(item["passed"]) for item in done.items} == {("middleware",)}
