"""Held items: on disk, or else in memory, until their site is learned; unreleased, or left by killed crawls."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Headers, HtmlResponse, Response
from scrapy.settings import BaseSettings
from scrapy.statscollectors import StatsCollector
from scrapy.utils.serialize import ScrapyJSONEncoder
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from scrapy_stemmer.crawl.compat import Condition, process_item, run_in_background, scrape, yield_to_event_loop
from scrapy_stemmer.crawl.files import CrawlFiles, make_private
from scrapy_stemmer.crawl.pages import ItemPage, PageRegistry
from scrapy_stemmer.crawl.session import item_json
from scrapy_stemmer.crawl.sites.table import CrawlSite, Sites
from scrapy_stemmer.crawl.spool import UNREADABLE, HeldItem, Spool, Use, expanded, left_items
from scrapy_stemmer.crawl.stats import Stat, report_error, reporting
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.settings import StemmerConfig

logger = logging.getLogger("scrapy_stemmer")

RELEASED_AT_ONCE = 10
"""Most items removed from the spool together after the pipelines; removing each alone writes three times as much."""

IN_A_TURN = 4  # items released in a turn of the event loop; each has a page to be stripped

MAX_META = 2000  # most characters kept of a value of ``Request.meta`` or of a header


@dataclass(frozen=True, slots=True)
class ReleasedItem:
    """An item with no more reason to wait."""

    number: int  # for :meth:`HeldItems.done`, since pipelines may replace the item
    item: Any
    page: ItemPage  # shared by consecutive items of a page
    request: str  # the request of its page, by :func:`as_text`


def as_text(response: Response) -> str:
    """Serialize a request and its response without the page; :func:`response_of` reads both."""
    request = response.request
    if request is None:
        return ""
    of_request = {
        "url": request.url,
        "method": request.method,
        "body": request.body,  # whole, for the request's fingerprint
        "priority": request.priority,
        "headers": _writable(_decoded(request.headers)),
        "meta": _writable(request.meta),
        "cb_kwargs": _writable(request.cb_kwargs),
    }
    flags = [flag for flag in response.flags if isinstance(flag, str)]
    of_response = {"status": response.status, "headers": _writable(_decoded(response.headers)), "flags": flags}
    return item_json.dumps([of_request, of_response])


def _writable(values: Mapping[Any, Any]) -> dict[str, str]:
    """Return the JSON of each short value, without values that JSON can't hold."""
    kept = {}
    for key, value in values.items():
        with suppress(item_json.NotEncodable):
            if isinstance(key, str) and len(written := item_json.dumps(value)) <= MAX_META:
                kept[key] = written
    return kept


def _decoded(headers: Headers) -> dict[str, list[str]]:
    return {name.decode("latin-1"): [value.decode("latin-1") for value in values] for name, values in headers.items()}


def _read(kept: Mapping[str, str]) -> dict[str, Any]:
    """Return the values written by :func:`_writable`, without objects whose class is gone."""
    values = {}
    for key, value in kept.items():
        with suppress(ValueError):
            values[key] = item_json.loads(value)
    return values


def response_of(released: ReleasedItem, **callbacks: Any) -> HtmlResponse:
    """Return the response of a released item; its request equals the page's request, with ``callbacks``."""
    page = released.page
    of_request, of_response = item_json.loads(released.request) if released.request else ({"url": page.url}, {})
    of_request |= {name: _read(of_request.get(name, {})) for name in ("headers", "meta", "cb_kwargs")}
    of_request["headers"] = Headers(of_request["headers"], encoding="latin-1")
    request = Request(**of_request, dont_filter=True, **callbacks)
    headers = Headers(_read(of_response.get("headers", {})), encoding="latin-1")
    if type_ := headers.get("Content-Type"):
        headers["Content-Type"] = type_.partition(b";")[0] + b"; charset=utf-8"  # the encoding of the body below
    own = {"headers": headers, "body": page.text.encode("utf-8", "replace"), "encoding": "utf-8", "request": request}
    return HtmlResponse(page.url, **of_response | own)


class HeldItems:
    """The waiting items, and their release into the pipelines. Each goes on with a response of its own URL and HTML,
    given to Scrapy's scraper as if just downloaded."""

    def __init__(
        self,
        crawler: Crawler,
        spool: Spool,
        sites: Sites,
        stats: StatsCollector,
        files: CrawlFiles,
        pages: PageRegistry,
    ) -> None:
        self._crawler, self._spool, self._sites = crawler, spool, sites
        self._stats, self._files, self._pages = stats, files, pages
        self._unreleased: Path | None = None  # file of unreleased items, made with the first
        self.waiting = 0  # number of items not free to go
        self._ready: deque[int] = deque()  # numbers of items free to go
        for site, number in spool.held_ids():
            sites.hold(sites[site], number)
            self.waiting += 1
        self._most = max(1, crawler.settings.getint("CONCURRENT_ITEMS"))  # most items under way
        self._sent: WeakKeyDictionary[Request, ReleasedItem | None] = WeakKeyDictionary()
        self._is_sending = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._changed = Condition()
        self._memory: dict[int, Any] = {}  # unwritable items, by number
        self._out: set[int] = set()  # items under way in the pipelines
        self._through: list[int] = []  # items through the pipelines, not yet removed from the spool
        self._warned: set[type] = set()  # classes of unwritable items
        self._last_page: tuple[str, bytes | None, ItemPage] | None = None

    def __len__(self) -> int:
        return self.waiting + len(self._ready)

    @property
    def is_done(self) -> bool:
        return not (self._ready or self._out or self._is_sending)

    @property
    def is_kept(self) -> bool:
        held = (number for site in self._sites.waiting for number in site.held.numbers)
        return self.is_done and not any(number in self._memory for number in held)

    def hold(self, item: Any, page: ItemPage, request: str = "", *, number: int = 0) -> None:
        number = number or self.write_to_spool(item, page, request) or self._hold_in_memory(item, page, request)
        if not self._stats.get_value(Stat.HELD):
            logger.info(
                "Items of %s wait, on disk, until the site is learned, or quiet for some time; so do those of other "
                "sites. With STEMMER_HOLD = False none waits.",
                self._sites[page.site],
            )
        self._sites.hold(self._sites[page.site], number)
        self.waiting += 1
        self._stats.inc_value(Stat.HELD)

    def write_to_spool(self, item: Any, page: ItemPage, request: str = "") -> int:
        """Write an item and its page into the spool and return the item's number, or 0 for an unwritable item."""
        try:
            encoded = item_json.dumps(item)
        except item_json.NotEncodable as error:
            kind = type(item)
            if kind not in self._warned:
                self._warned.add(kind)
                message = "Items of %s wait in memory, not on disk, and can't wait for a resumed crawl: %s."
                logger.warning(message, kind.__qualname__, error)
            return 0
        return self._spool.add_item(page.site, page.url, self._page_in_spool(page), encoded, request)

    def _hold_in_memory(self, item: Any, page: ItemPage, request: str) -> int:
        number = self._spool.add_item(page.site, page.url, self._page_in_spool(page), None, request)
        self._memory[number] = item
        return number

    def _page_in_spool(self, page: ItemPage) -> int | None:
        if page.is_own:
            return None
        if not self._spool.has(page.spooled):
            page.spooled = self._spool.add_page(page.site, page.url, page.packed, Use.ITEMS)
        return page.spooled

    def release(self, site: CrawlSite) -> int:
        numbers = self._sites.release(site)
        self._ready += numbers
        self.waiting -= len(numbers)
        return len(numbers)

    def release_in_memory(self) -> None:
        for site in self._sites.waiting:
            self.release(site)
        self._ready = deque(number for number in self._ready if number in self._memory)

    def released(self) -> Iterator[ReleasedItem]:
        """Yield the released items with their pages; each stays in the spool until :meth:`done`."""
        while self._ready:
            held = self._read(self._ready.popleft())
            if held is None:
                continue
            try:
                item = item_json.loads(held.item) if held.item is not None else self._memory[held.id]
                # Consecutive items of a page share an ItemPage, which is stripped once.
                if self._last_page is None or self._last_page[:2] != (held.url, held.body):
                    text = expanded(held.body) if held.body is not None else ""
                    self._last_page = (held.url, held.body, ItemPage(held.url, text))
            except ValueError as error:
                report_error(self._stats, error, f"reading back an item of {held.url}")
                self.write_unreleased(held.item or "")
                self.done(held.id)
                continue
            self._out.add(held.id)
            yield ReleasedItem(held.id, item, self._last_page[2], held.request)

    def _read(self, number: int) -> HeldItem | None:
        try:
            return self._spool.held(number)
        except UNREADABLE as error:
            report_error(self._stats, error, f"reading back an item from {self._spool.path} (it stays there)")
            return None

    def done(self, number: int) -> None:
        """Remove an item that is through the pipelines. Items stay in the spool until then, so a killed crawl loses
        none."""
        self._memory.pop(number, None)
        self._out.discard(number)
        self._through.append(number)
        if len(self._through) >= RELEASED_AT_ONCE or not self._out:
            self._remove_through()

    def _remove_through(self) -> None:
        with reporting(self._stats, f"removing items that have come out from {self._spool.path}"):
            self._spool.remove_items(self._through)
            self._through.clear()

    # Release

    def send(self) -> None:
        if self._ready and not self._is_sending:
            self._is_sending = True
            self._task = run_in_background(self._send_all())

    async def all_through(self) -> None:
        while self._is_sending or self._out:
            await self._changed.wait()

    def owns(self, response: Response) -> bool:
        return response.request in self._sent

    def take(self, response: Response) -> Iterator[Any]:
        request = response.request
        if request is not None and (released := self._sent.get(request)) is not None:
            self._sent[request] = None
            self._pages.put(released.item, released.page, response)
            self._stats.inc_value(Stat.HELD_RELEASED)
            yield released.item

    async def _send_all(self) -> None:
        with reporting(self._stats, "letting items go that have waited"):
            for number, released in enumerate(self.released(), 1):
                while len(self._out) > self._most:
                    await self._changed.wait()
                run_in_background(self._send(released))
                if number % IN_A_TURN == 0:
                    await yield_to_event_loop()
        self._is_sending = False
        self._changed.notify()

    async def _send(self, released: ReleasedItem) -> None:
        try:
            # Our middleware adds the item to the output of callback or errback, behind the middlewares that have seen
            # the item already.
            response = response_of(released, callback=_nothing, errback=_nothing)
            assert response.request is not None  # set by response_of
            self._sent[response.request] = released
            await scrape(self._crawler, response, response.request)
            for item in self.take(response):  # an outer middleware has dropped the response
                await process_item(self._crawler, item, response)
            self.done(released.number)
        except Exception as error:
            self._out.discard(released.number)  # counted with the remaining items
            self._remove_through()
            report_error(self._stats, error, f"letting an item of {released.page.url} go (it stays where it is)")
        self._changed.notify()

    # The end

    def write_remaining(self, *, is_paused: bool) -> bool:
        """Write the waiting items into a file, unless a resumed crawl can release them, and return true if all were
        written."""
        self._through += self._out
        self._remove_through()
        through = set(self._through)
        is_whole, count, spool = True, 0, self._spool.path
        held_ids = [number for _, number in self._spool.held_ids() if number not in through]
        for number in self._memory if is_paused else held_ids:
            held = self._read(number)
            if held is None:
                is_whole = False
                continue
            try:
                if is_whole:
                    self.write_unreleased(as_json(self._memory[number]) if held.item is None else item_line(held))
                    count += 1
                    continue
            except Exception as error:
                is_whole = False
                report_error(self._stats, error, f"writing the items that still wait to {self._unreleased}")
            _log_unwritten(held, self._memory, spool)
        if is_paused and (kept := len(held_ids) - len(self._memory)):
            self._stats.set_value(Stat.HELD_KEPT, kept)
            logger.info("Left waiting for the crawl to be resumed: %s, in %s", counted(kept, "item"), spool)
        if count:
            logger.error(
                "%s still waited when the crawl was closed: now in %s, unstripped and not seen by any pipeline. With "
                "JOBDIR items wait for the crawl to be resumed; with STEMMER_HOLD = False none waits.",
                counted(count, "item"),
                self._unreleased,
            )
        return is_whole

    def write_unreleased(self, text: str) -> None:
        if self._unreleased is None:
            self._unreleased = self._files.unreleased()
            make_private(self._unreleased)
        with self._unreleased.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
        self._stats.inc_value(Stat.HELD_UNRELEASED)


def _nothing(_: Response | Failure, **__: Any) -> Iterator[Any]:
    return iter(())


def _log_unwritten(held: HeldItem, memory: Mapping[int, Any], spool: Path) -> None:
    if held.item is None:
        logger.error("This item of %s waited in memory and could not be written: %r", held.url, memory[held.id])
    else:
        message = "An item of %s could not be written; it stays in %s. To have it: scrapy stemmer recover %s"
        logger.error(message, held.url, spool, spool)


# Unreleased items as JSON


def as_json(item: Any) -> str:
    """Return an item as a line of a JSON lines feed, with texts for values that Scrapy can't write."""

    def default(value: Any) -> Any:
        try:
            return ScrapyJSONEncoder().default(value)
        except TypeError:
            return repr(value)

    try:
        return json.dumps(ItemAdapter(item).asdict(), default=default, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(repr(item), ensure_ascii=False)


def item_line(held: HeldItem, html_field: str | None = None) -> str:
    try:
        item = item_json.loads(held.item or "")
    except ValueError:
        return held.item or ""
    if html_field and held.body is not None:
        try:
            item = {"url": held.url, **ItemAdapter(item).asdict(), html_field: expanded(held.body)}
        except ValueError as error:
            logger.warning("An item of %s has no HTML: %s", held.url, error)
    return as_json(item)


# Spools of killed crawls


def log_left(spools: Iterable[Path], stats: StatsCollector) -> None:
    for path in spools:
        try:
            items = left_items(path, with_pages=False)
        except StemmerError as error:
            logger.warning("A crawl that was killed has left a file that is of no use, delete it: %s", error)
            continue
        if not items:  # in use by another crawl, or without items
            continue
        kept = sum(item.item is not None for item in items)
        stats.inc_value(Stat.HELD_LEFT, kept)
        gone = f"; {len(items) - kept} more were in memory only and are gone" if len(items) > kept else ""
        message = "A crawl that was killed has left %s waiting in %s%s. To have them: scrapy stemmer recover %s"
        logger.warning(message, counted(kept, "item"), path, gone, path)


# Scrapy settings that count scraped items


def warn_of_closing(settings: BaseSettings, config: StemmerConfig) -> None:
    """Log settings that may close the crawl while all items wait."""
    if not config.hold:
        return
    for name, bound, what in (
        ("CLOSESPIDER_TIMEOUT_NO_ITEM", config.max_wait, f"STEMMER_MAX_WAIT = {config.max_wait:g} seconds"),
        ("CLOSESPIDER_PAGECOUNT_NO_ITEM", config.sample_size, f"STEMMER_SAMPLE_SIZE = {config.sample_size} pages"),
    ):
        most = settings.getfloat(name)
        if 0 < most <= bound:
            logger.warning(
                "%s = %g may close this crawl while it works well: until a site is learned its items wait, up to %s. "
                "Use a larger number, or STEMMER_HOLD = False, with which no item waits.",
                *(name, most, what),
            )
