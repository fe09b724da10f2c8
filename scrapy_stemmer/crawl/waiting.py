"""Items that wait until their site is learned: held outside Scrapy's hands, on disk, and let go later."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_stemmer.crawl import itemcodec
from scrapy_stemmer.crawl.anchors import url_key
from scrapy_stemmer.crawl.names import Stat
from scrapy_stemmer.crawl.pages import OwnPage, PageSource, ResponsePage, SpooledPage, root_of
from scrapy_stemmer.crawl.reporting import report

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from scrapy_stemmer.crawl.learning import Learning
    from scrapy_stemmer.crawl.sample import HeldItem, Spool
    from scrapy_stemmer.crawl.trees import Trees

logger = logging.getLogger("scrapy_stemmer")


class Released(NamedTuple):
    """An item that has waited, and its page."""

    item: Any
    source: PageSource


class Waiting:
    """The items that wait.

    :param spool: keeps those that can be written as JSON, and the pages of all.
    :param stats: counts.
    :param rescue: is given the JSON of an item that can't be read back, so that it isn't lost.
    :param trees: keeps those of the pages that Scrapy has parsed.
    """

    def __init__(self, spool: Spool, stats: StatsCollector, rescue: Callable[[str], None], trees: Trees) -> None:
        self._spool = spool
        self._stats = stats
        self._rescue = rescue
        self._trees = trees
        self._counts = spool.held_counts()
        self._ready: dict[str, None] = {}  # in order
        self._memory: dict[int, Any] = {}
        self._told: set[type] = set()
        self._last_page: tuple[int | None, PageSource] | None = None
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

    def hold(self, item: Any, source: PageSource) -> None:
        """Let an item wait, and its page, unless the item brings it along."""
        encoded = self._encoded(item)
        page = None
        if isinstance(source, ResponsePage):
            page = source.sampled_as or self._spooled(source)
            if source.own_charset is None:
                self._trees.keep(page, root_of(source.response), len(source.response.body))
        held = self._spool.hold(source.site, source.url, page, encoded)
        if encoded is None:
            self._memory[held] = item
            self._stats.inc_value(Stat.HELD_MEMORY)
        self._counts[source.site] = self.of_site(source.site) + 1
        self._stats.inc_value(Stat.HELD)

    def _spooled(self, source: ResponsePage) -> int:
        return self._spool.add_page(source.site, source.url, url_key(source.url), source.text, digest=source.digest)

    def ready(self, site: str) -> None:
        """Let the items of a site go, as responses come along."""
        if site in self._counts:
            self._ready[site] = None

    def take_ready(self) -> Released | None:
        """An item that may go, or ``None``."""
        while self._ready:
            site = next(iter(self._ready))
            if (released := self.take(site)) is not None:
                return released
            del self._ready[site]
        return None

    def take(self, site: str, up_to: int | None = None) -> Released | None:
        """The item of a site that waits longest, whether it may go or not; ``None`` when there is none.

        :param up_to: leaves alone what was held later than the item of this number.
        """
        while (held := self._spool.first_held(site, up_to)) is not None:
            self._spool.release(held)
            self._count_down(site)
            if (released := self._opened(held)) is not None:
                return released
        return None

    def in_memory(self) -> Iterator[Released]:
        """Let those go that can't be kept on disk."""
        for site in self.sites:
            yield from self._in_memory_of(site)

    def _in_memory_of(self, site: str) -> Iterator[Released]:
        for held in self._spool.held_in_memory(site):
            self._spool.release(held)
            self._count_down(site)
            if (released := self._opened(held)) is not None:
                yield released

    def _encoded(self, item: Any) -> str | None:
        try:
            return itemcodec.dumps(item)
        except itemcodec.NotEncodable as error:
            if type(item) not in self._told:
                self._told.add(type(item))
                logger.warning(
                    "Items of %s wait in memory, not on disk, and can't wait for a resumed crawl: %s.",
                    type(item).__qualname__,
                    error,
                )
            return None

    def _count_down(self, site: str) -> None:
        self._counts[site] -= 1
        if not self._counts[site]:
            del self._counts[site]

    def _opened(self, held: HeldItem) -> Released | None:
        if held.item is None:
            item = self._memory.pop(held.id)
        else:
            try:
                item = itemcodec.loads(held.item)
            except ValueError as error:
                report(self._stats, error, f"reading back an item of {held.url}")
                self._rescue(held.item)
                return None
        return Released(item, self._source(held))

    def _source(self, held: HeldItem) -> PageSource:
        if held.body is None:
            return OwnPage(held.url)
        if self._last_page is None or self._last_page[0] != held.page or self._last_page[1].url != held.url:
            root = self._trees.take(held.page)
            self._last_page = (held.page, SpooledPage(held.url, held.body, root))
        return self._last_page[1]


async def release_all(waiting: Waiting, learning: Learning, spool: Spool) -> AsyncIterator[Released]:
    """Learn every site that can be, and let all items go that wait now; each as soon as its site is known.

    Those of sites with too few pages come last.
    """
    last = spool.last_held()
    learning.learn_the_rest()
    while True:
        while (released := waiting.take_ready()) is not None:
            yield released
        if not learning.busy:
            break
        await learning.changed.wait()
    for site in waiting.sites:
        while (released := waiting.take(site, up_to=last)) is not None:
            yield released
