"""A request of our own that carries out the items that wait when a crawl has nothing left to do."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import DontCloseSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from scrapy_stemmer.crawl.collector import Collector, Left
    from scrapy_stemmer.crawl.waiting import Released

logger = logging.getLogger("scrapy_stemmer")

CARRIER_URL = "data:text/plain,scrapy-stemmer"
"""Answered by Scrapy itself, without any network."""

MAX_IDLE_CARRIERS = 3
"""So many carriers in a row may come back without having changed anything; then the crawl is let go."""


class Carriers:
    """Keeps the crawl open while items wait, and carries them.

    While one is under way the crawl isn't idle, so that closing it waits for the learning that goes on.

    :param collector: has the items.
    :param register: notes an item's page for the pipeline and gives the item.
    """

    def __init__(self, crawler: Crawler, collector: Collector, register: Callable[[Released, Any], Any]) -> None:
        self._crawler = crawler
        self._collector = collector
        self._register = register
        self._numbers = count(1)
        self._left_before: Left | None = None
        self._in_vain = 0

    def idle(self) -> None:
        """The handler of ``spider_idle``.

        :raises DontCloseSpider: when a carrier has been sent.
        """
        left = self._collector.left_to_do()
        self._in_vain = self._in_vain + 1 if left == self._left_before else 0
        self._left_before = left
        if not (left.items or left.sites) or self._in_vain >= MAX_IDLE_CARRIERS:
            return
        self._crawler.engine.crawl(self._request())
        raise DontCloseSpider

    def is_carrier(self, response: Response) -> bool:
        """Whether a response answers a carrier. Told by its callback, which nobody copies, as users copy meta."""
        return response.request is not None and response.request.callback == self._parse

    def _request(self) -> Request:
        number = next(self._numbers)
        meta = {
            "download_slot": f"scrapy-stemmer-{number}",  # one of its own has no DOWNLOAD_DELAY to wait for
            "allow_offsite": True,
            "dont_cache": True,
            "dont_merge_cookies": True,
            "dont_obey_robotstxt": True,
            "dont_redirect": True,
            "dont_retry": True,
            "handle_httpstatus_all": True,
        }
        return Request(CARRIER_URL, callback=self._parse, errback=self._carry_nevertheless, dont_filter=True, meta=meta)

    def _parse(self, response: Response) -> Iterator[Any]:
        # process_spider_output adds the items, so that middlewares that have seen them don't see them again.
        return iter(())

    async def _carry_nevertheless(self, failure: Failure) -> AsyncIterator[Any]:
        logger.warning("A request of our own failed (%s); the items that wait come all the same.", failure.value)
        async for released in self._collector.last_items(closing=False):
            yield self._register(released, failure.request)  # type: ignore[attr-defined]
