"""Held items: those that wait until their site is learned, on disk; at the end of a crawl, those that still wait."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy.statscollectors import StatsCollector

from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.items import ItemPage, ResponsePage
from scrapy_stemmer.crawl.responses import url_key
from scrapy_stemmer.crawl.spool import CrawlFiles, Spool, expanded
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.crawl.unreleased_items import as_json, line_of

logger = logging.getLogger("scrapy_stemmer")

ReleasedItem = tuple[Any, ItemPage]
"""An item that need not wait any more, and its page."""


class HeldItems:
    """The items that wait, by site, and those of them that may go.

    :param spool: keeps those that can be written as JSON, and the pages of all.
    :param files: names the file for items that can't come out.
    """

    def __init__(self, spool: Spool, stats: StatsCollector, files: CrawlFiles) -> None:
        self._spool = spool
        self._stats = stats
        self._files = files
        self._unreleased: Path | None = None  # that file, which is made with the first of them
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

    def of_site(self, site: str) -> int:
        """The number of items that wait for a site."""
        return len(self._waiting.get(site, ()))

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
            self.write_unreleased(held.item or "")
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

    def write_remaining(self, *, is_paused: bool) -> bool:
        """Write the items that still wait into a file; they have not been through any pipeline.

        :param is_paused: whether those that are on disk can wait for a resumed crawl.
        :returns: whether all were written; else the log names those that were not, and where they are.
        """
        count, failure, spool = 0, None, self._spool.path
        gone = {number for _, number in self._out.values()}
        for _, number in self._spool.held_ids():
            held = self._spool.held(number)
            if number in gone or (is_paused and held.item is not None):
                continue
            try:
                if failure is None:
                    self.write_unreleased(as_json(self._memory[number]) if held.item is None else line_of(held))
                    count += 1
                    continue
            except Exception as error:
                failure = error
                report_error(self._stats, error, f"writing the items that still wait to {self._unreleased}")
            if held.item is None:
                item = self._memory[number]
                logger.error("This item of %s waited in memory and could not be written: %r", held.url, item)
            else:
                told = "An item of %s could not be written; it stays in %s. To have it: scrapy stemmer recover %s"
                logger.error(told, held.url, spool, spool)
        if count:
            logger.error(
                "%s still waited when the crawl was closed: now in %s, unstripped and not seen by any pipeline. With "
                "JOBDIR items wait for the crawl to be resumed; with STEMMER_HOLD = False none waits.",
                counted(count, "item"),
                self._unreleased,
            )
        return failure is None

    def write_unreleased(self, text: str) -> None:
        """Write the JSON of an item that can't come out."""
        if self._unreleased is None:
            self._unreleased = self._files.unreleased()
        with self._unreleased.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
        self._stats.inc_value(Stat.HELD_UNRELEASED)
