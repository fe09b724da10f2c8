"""Held items: those that wait until their site is learned, on disk; and the requests of our own that bring them out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request
from scrapy.exceptions import DontCloseSpider

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.anchors import url_key
from scrapy_stemmer.crawl.items import ItemPage, OwnPage, ResponsePage, SpooledPage
from scrapy_stemmer.crawl.responses import root_of
from scrapy_stemmer.crawl.stats import Stat, report_error

if TYPE_CHECKING:
    from lxml import etree
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector
    from twisted.python.failure import Failure

    from scrapy_stemmer.crawl.learning_queue import LearningQueue
    from scrapy_stemmer.crawl.learning_session import LearningSession
    from scrapy_stemmer.crawl.spool import HeldItem, Spool


logger = logging.getLogger("scrapy_stemmer")

TREE_BYTES = 8_000_000
"""Trees are kept of pages of this many bytes together; they take several times as much memory."""

ReleasedItem = tuple[Any, ItemPage]
"""An item that need not wait any more, and its page."""


class TreeCache:
    """Trees of pages whose items wait, by the page's id in the spool, so that they are not parsed again.

    Only the crawl's own thread may use it.

    :param most: see :data:`TREE_BYTES`.
    """

    def __init__(self, most: int = TREE_BYTES) -> None:
        self._most = most
        self._trees: dict[int, tuple[etree._Element, int]] = {}
        self._bytes = 0

    def put(self, page: int, root: etree._Element, size: int) -> None:
        """Keep the tree of a page, if there is room.

        :param size: bytes of the page.
        """
        if page not in self._trees and self._bytes + size <= self._most:
            self._trees[page] = (root, size)
            self._bytes += size

    def take(self, page: int | None) -> etree._Element | None:
        """The tree of a page, once; ``None`` when it is not there."""
        if page not in self._trees:
            return None
        root, size = self._trees.pop(page)
        self._bytes -= size
        return root

    def __len__(self) -> int:
        return len(self._trees)


class RemainingItem(NamedTuple):
    """An item that waits at the end of a crawl.

    :param url: the URL of its page.
    :param json: as :mod:`item_json` has written it; ``None`` when it is in memory only.
    :param item: the item, if it is in memory.
    """

    url: str
    json: str | None
    item: Any


class HeldItems:
    """The items that wait, by site, and those of them that may go.

    :param spool: keeps those that can be written as JSON, and the pages of all.
    :param stats: counts.
    :param unreadable: is given the JSON of an item that can't be read back, so that it isn't lost.
    :param trees: keeps those of the pages that Scrapy has parsed.
    """

    def __init__(
        self, spool: Spool, stats: StatsCollector, unreadable: Callable[[str], None], trees: TreeCache
    ) -> None:
        self._spool = spool
        self._stats = stats
        self._unreadable = unreadable
        self._trees = trees
        self._counts = spool.held_counts()
        self._ready: dict[str, None] = {}  # in order
        self._memory: dict[int, Any] = {}
        # For each site the last item that went out.
        self._after: dict[str, int] = {}
        # Items on their way through the pipelines, by their ``id``.
        self._out: dict[int, tuple[Any, HeldItem]] = {}
        self._warned: set[type] = set()
        self._last_page: tuple[int | None, ItemPage] | None = None
        if self._counts:
            stats.inc_value(Stat.HELD_RESUMED, len(self))

    def __len__(self) -> int:
        return sum(self._counts.values())

    @property
    def sites(self) -> list[str]:
        """The sites that items wait for."""
        return list(self._counts)

    def of_site(self, site: str) -> int:
        """The number of items that wait for a site."""
        return self._counts.get(site, 0)

    def hold(self, item: Any, page: ItemPage) -> None:
        """Let an item wait, and its page, unless the item brings it along."""
        encoded = self._encoded(item)
        number = None
        if isinstance(page, ResponsePage):
            number = page.sampled_as or self._spooled(page)
            if page.own_charset is None:
                self._trees.put(number, root_of(page.response), len(page.response.body))
        held = self._spool.hold(page.site, page.url, number, encoded)
        if encoded is None:
            self._memory[held] = item
            self._stats.inc_value(Stat.HELD_MEMORY)
        self._counts[page.site] = self.of_site(page.site) + 1
        self._stats.inc_value(Stat.HELD)

    def _spooled(self, page: ResponsePage) -> int:
        return self._spool.add_page(page.site, page.url, url_key(page.url), page.text, digest=page.digest)

    def allow(self, site: str) -> None:
        """Let the items of a site go, as responses come along."""
        if site in self._counts:
            self._ready[site] = None

    def take_ready(self) -> ReleasedItem | None:
        """An item that may go; ``None`` when there is none."""
        while self._ready:
            site = next(iter(self._ready))
            if (released := self.take(site)) is not None:
                return released
            del self._ready[site]
        return None

    def take(self, site: str, up_to: int | None = None) -> ReleasedItem | None:
        """The item of a site that waits longest, whether it may go or not; ``None`` when there is none.

        :param up_to: leaves alone what was held later than the item of this number.
        """
        while (held := self._spool.first_held(site, up_to, after=self._after.get(site, 0))) is not None:
            if (released := self._released(held)) is not None:
                return released
        return None

    def done(self, item: Any) -> None:
        """Forget an item that has been through the pipelines; one that has not waited is left alone.

        Until then it is in the spool: a crawl that is killed loses none that it had in hand.
        """
        out = self._out.get(id(item))
        if out is not None and out[0] is item:
            self._spool.release(out[1])
            del self._out[id(item)]

    def all_done(self) -> None:
        """Forget all items that went out."""
        for item, _ in list(self._out.values()):
            self.done(item)

    def remaining(self) -> Iterator[RemainingItem]:
        """All items that wait, as they are; they stay."""
        for held in self._spool.all_held():
            yield RemainingItem(held.url, held.item, self._memory.get(held.id))

    def take_in_memory(self) -> Iterator[ReleasedItem]:
        """The items that can't be kept on disk, whether they may go or not."""
        for site in self.sites:
            for held in self._spool.held_in_memory(site):
                if (released := self._released(held)) is not None:
                    yield released

    def _encoded(self, item: Any) -> str | None:
        try:
            return item_json.dumps(item)
        except item_json.NotEncodable as error:
            if type(item) not in self._warned:
                self._warned.add(type(item))
                logger.warning(
                    "Items of %s wait in memory, not on disk, and can't wait for a resumed crawl: %s.",
                    type(item).__qualname__,
                    error,
                )
            return None

    def _released(self, held: HeldItem) -> ReleasedItem | None:
        """An item that goes out; ``None`` when it can't be read back. It is in the spool until it is :meth:`done`."""
        self._counts[held.site] -= 1
        if not self._counts[held.site]:
            del self._counts[held.site]
        if held.item is None:
            self._spool.release(held)
            return self._memory.pop(held.id), self._page(held)
        self._after[held.site] = held.id
        try:
            item = item_json.loads(held.item)
        except ValueError as error:
            report_error(self._stats, error, f"reading back an item of {held.url}")
            self._unreadable(held.item)
            self._spool.release(held)
            return None
        self._out[id(item)] = (item, held)
        return item, self._page(held)

    def _page(self, held: HeldItem) -> ItemPage:
        if held.body is None:
            return OwnPage(held.url)
        if self._last_page is None or self._last_page[0] != held.page or self._last_page[1].url != held.url:
            root = self._trees.take(held.page)
            self._last_page = (held.page, SpooledPage(held.url, held.body, root))
        return self._last_page[1]


async def learn_and_release(held: HeldItems, queue: LearningQueue, spool: Spool) -> AsyncIterator[ReleasedItem]:
    """Learn every site that can be, and let all items go that wait now; each as soon as its site is known.

    Those of sites with too few pages come last.
    """
    last = spool.last_held()
    queue.learn_the_rest()
    while True:
        while (released := held.take_ready()) is not None:
            yield released
        if not queue.busy:
            break
        await queue.changed.wait()
    for site in held.sites:
        while (released := held.take(site, up_to=last)) is not None:
            yield released


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
