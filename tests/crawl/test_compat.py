"""Crawls that are kept open, and where their requests are."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import Request
from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import KeptOpen, has_all_requests_in_memory
from tests.crawl.conftest import idle_crawler


@pytest.mark.parametrize("is_over", [False, True])
def test_a_crawl_is_kept_open_unless_all_but_the_closing_of_components_is_over(is_over: bool) -> None:
    """Nobody would see then that the request of ours is gone again, and the crawl would never end."""
    crawler, requests = idle_crawler(), set[Request]()
    closing: Deferred[None] = Deferred()
    scraped = set[Request]()
    crawler.engine = SimpleNamespace(
        _slot=SimpleNamespace(closing=closing, add_request=requests.add, remove_request=requests.remove),
        scraper=SimpleNamespace(slot=SimpleNamespace(active=scraped)),
    )
    if is_over:
        closing.callback(None)
    kept = KeptOpen(crawler)
    kept.set(True)
    assert len(requests) == len(scraped) == (not is_over)
    kept.set(False)
    assert len(requests) == len(scraped) == 0


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, True), ({"JOBDIR": "job"}, False), ({"SCHEDULER": "scrapy.core.scheduler.BaseScheduler"}, False)],
)
def test_where_requests_are_in_memory_alone(settings: dict[str, str], expected: bool) -> None:
    assert has_all_requests_in_memory(idle_crawler(**settings)) is expected
