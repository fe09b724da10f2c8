"""Idle requests: requests of our own that bring out the items that wait when a crawl has nothing left to do."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import DontCloseSpider

from scrapy_stemmer.crawl.stats import report_error

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector
    from twisted.python.failure import Failure

    from scrapy_stemmer.crawl.held_items import ReleasedItem
    from scrapy_stemmer.crawl.learning_session import LearningSession

logger = logging.getLogger("scrapy_stemmer")

IDLE_URL = "data:text/plain,scrapy-stemmer"
"""URL of these requests; answered by Scrapy itself, without any network."""

MAX_WITHOUT_PROGRESS = 3
"""Idle requests in a row that may come back without having changed anything; then the crawl may end."""


class IdleRequests:
    """The requests that keep a crawl open while items wait; the items come out in their output.

    While one is under way the crawl isn't idle, so that closing it waits for the learning that goes on.

    :param crawler: sends them.
    :param session: has the items.
    :param register: notes an item's page for the pipeline and gives the item.
    """

    def __init__(
        self, crawler: Crawler, session: LearningSession, register: Callable[[ReleasedItem, Any], Any]
    ) -> None:
        self._crawler = crawler
        self._session = session
        self._stats: StatsCollector = crawler.stats
        self._register = register
        self._numbers = count(1)
        self._progress_before = -1
        self._without_progress = 0

    def send(self) -> None:
        """The handler of ``spider_idle``.

        :raises DontCloseSpider: when a request has been sent.
        """
        progress = self._session.progress
        self._without_progress = self._without_progress + 1 if progress == self._progress_before else 0
        self._progress_before = progress
        if self._session.is_done or self._without_progress >= MAX_WITHOUT_PROGRESS:
            return
        self._crawler.engine.crawl(self._request())
        raise DontCloseSpider

    def is_answered_by(self, response: Response) -> bool:
        """Whether a response is of such a request. Its callback says so, as users copy meta to other requests."""
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
        return Request(IDLE_URL, callback=self._parse, errback=self._release_nevertheless, dont_filter=True, meta=meta)

    def _parse(self, response: Response) -> Iterator[Any]:
        # process_spider_output adds the items, so that middlewares that have seen them don't see them again.
        return iter(())

    async def _release_nevertheless(self, failure: Failure) -> AsyncIterator[Any]:
        logger.warning("A request of our own failed (%s); the items that wait come all the same.", failure.value)
        try:
            async for released in self._session.last_items(closing=False):
                yield self._register(released, failure.request)  # type: ignore[attr-defined]
        except Exception as error:
            report_error(self._stats, error, "letting items go that have waited")
