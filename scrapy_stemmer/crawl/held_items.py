"""Held items: those that wait until their site is learned, on disk; and the requests of our own that bring them out."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from twisted.python.failure import Failure

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.items import ItemPage, ResponsePage
from scrapy_stemmer.crawl.responses import url_key
from scrapy_stemmer.crawl.spool import HeldItem, Spool, expanded
from scrapy_stemmer.crawl.stats import Stat, report_error

if TYPE_CHECKING:
    from scrapy_stemmer.crawl.learning_session import LearningSession

logger = logging.getLogger("scrapy_stemmer")

ReleasedItem = tuple[Any, ItemPage]
"""An item that need not wait any more, and its page."""


class HeldItems:
    """The items that wait, by site, and those of them that may go.

    :param spool: keeps those that can be written as JSON, and the pages of all.
    :param stats: counts.
    :param unreadable: is given the JSON of an item that can't be read back, so that it isn't lost.
    """

    def __init__(self, spool: Spool, stats: StatsCollector, unreadable: Callable[[str], None]) -> None:
        self._spool = spool
        self._stats = stats
        self._unreadable = unreadable
        self._waiting: dict[str, deque[int]] = {}  # their ids in the spool, by site, in order
        for site, number in spool.held_ids():
            self._waiting.setdefault(site, deque()).append(number)
        if self._waiting:
            stats.inc_value(Stat.HELD_RESUMED, len(self))
        self._ready: dict[str, None] = {}  # sites whose items may go, in order
        self._memory: dict[int, Any] = {}  # items that can't be written, by id
        self._out: dict[int, tuple[Any, int]] = {}  # items on their way through the pipelines, by ``id()``
        self._warned: set[type] = set()
        self._last_page: tuple[str, bytes | None, ItemPage] | None = None

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def counts(self) -> dict[str, int]:
        """The number of items that wait for each site."""
        return {site: len(numbers) for site, numbers in self._waiting.items()}

    def hold(self, item: Any, page: ItemPage) -> None:
        """Let an item wait, and its page, unless the item brings it along."""
        try:
            encoded = item_json.dumps(item)
        except item_json.NotEncodable as error:
            encoded = None
            if type(item) not in self._warned:
                self._warned.add(type(item))
                logger.warning(
                    "Items of %s wait in memory, not on disk, and can't wait for a resumed crawl: %s.",
                    type(item).__qualname__,
                    error,
                )
        kept = None
        if isinstance(page, ResponsePage):
            kept = self._spool.add_page(page.site, page.url, url_key(page.url), page.text)
        number = self._spool.hold(page.site, page.url, kept, encoded)
        if encoded is None:
            self._memory[number] = item
            self._stats.inc_value(Stat.HELD_MEMORY)
        self._waiting.setdefault(page.site, deque()).append(number)
        self._stats.inc_value(Stat.HELD)

    def allow(self, site: str) -> None:
        """Let the items of a site go, as responses come along."""
        if site in self._waiting:
            self._ready[site] = None

    def take_ready(self) -> ReleasedItem | None:
        """An item that may go; ``None`` when there is none."""
        while self._ready:
            site = next(iter(self._ready))
            if (released := self.take(site)) is not None:
                return released
            del self._ready[site]
        return None

    def take(self, site: str) -> ReleasedItem | None:
        """The item of a site that waits longest, whether it may go or not; ``None`` when there is none."""
        while site in self._waiting:
            if (released := self._take(site, self._waiting[site][0])) is not None:
                return released
        return None

    def take_in_memory(self) -> Iterator[ReleasedItem]:
        """The items that can't be kept on disk, whether they may go or not."""
        for site, numbers in list(self._waiting.items()):
            for number in [each for each in numbers if each in self._memory]:
                if (released := self._take(site, number)) is not None:
                    yield released

    def _take(self, site: str, number: int) -> ReleasedItem | None:
        """An item that goes out; ``None`` when it can't be read back. It is in the spool until it is :meth:`done`."""
        held = self._spool.held(number)
        self._waiting[site].remove(number)
        if not self._waiting[site]:
            del self._waiting[site]
        try:
            item = item_json.loads(held.item) if held.item is not None else self._memory.pop(number)
        except ValueError as error:
            report_error(self._stats, error, f"reading back an item of {held.url}")
            self._unreadable(held.item or "")
            self._spool.release(number)
            return None
        self._out[id(item)] = (item, number)
        # Items of one page come one after the other; it is stripped once for them.
        if self._last_page is None or self._last_page[:2] != (held.url, held.body):
            text = expanded(held.body) if held.body is not None else ""
            self._last_page = (held.url, held.body, ItemPage(held.url, text))
        return item, self._last_page[2]

    def done(self, item: Any) -> None:
        """Forget an item that has been through the pipelines; one that has not waited is left alone.

        Until then it is in the spool: a crawl that is killed loses none that it had in hand.
        """
        found, number = self._out.get(id(item), (None, 0))
        if found is item:
            self._spool.release(number)
            del self._out[id(item)]

    @property
    def out(self) -> list[Any]:
        """The items that went out and are not :meth:`done`."""
        return [item for item, _ in self._out.values()]

    def remaining(self) -> Iterator[tuple[HeldItem, Any]]:
        """All items in the spool that did not go out, each with itself if it is in memory only; they stay."""
        gone = {number for _, number in self._out.values()}
        for _, number in self._spool.held_ids():
            if number not in gone:
                yield self._spool.held(number), self._memory.get(number)


# Idle requests: requests of our own that bring out the items that wait when a crawl has nothing left to do

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
        meta = {
            # A slot of its own has no DOWNLOAD_DELAY to wait for.
            "download_slot": f"scrapy-stemmer-{next(self._numbers)}",
            "allow_offsite": True,
            "dont_cache": True,
            "dont_merge_cookies": True,
            "dont_obey_robotstxt": True,
            "dont_redirect": True,
            "dont_retry": True,
            "handle_httpstatus_all": True,
        }
        ours = Request(IDLE_URL, self._parse, errback=self._release_nevertheless, dont_filter=True, meta=meta)
        self._crawler.engine.crawl(ours)
        raise DontCloseSpider

    def is_answered_by(self, response: Response) -> bool:
        """Whether a response is of such a request. Its callback says so, as users copy meta to other requests."""
        return response.request is not None and response.request.callback == self._parse

    def _parse(self, response: Response) -> Iterator[Any]:
        # process_spider_output adds the items, so that middlewares that have seen them don't see them again.
        return iter(())

    async def _release_nevertheless(self, failure: Failure) -> AsyncIterator[Any]:
        logger.warning("A request of our own failed (%s); the items that wait come all the same.", failure.value)
        try:
            async for released in self._session.last_items(closing=False):
                yield self._register(released, failure.request)  # type: ignore[attr-defined]
        except Exception as error:
            report_error(self._crawler.stats, error, "letting items go that have waited")
