"""Outputs of the sub-command ``crawl``: files that grow with new and changed pages, progress, and pages left out."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from itemadapter import ItemAdapter
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter
from scrapy.http import Response

from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.known_pages import CONTENT, Version
from scrapy_stemmer.commands.stored_pages import digest_of, seconds_between_lines
from scrapy_stemmer.crawl.compat import abandon_downloads, call_later, close_spider, drop_queued, is_closing
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.rules import PAGE_FIELDS
from scrapy_stemmer.outputs.files import text_cell
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.settings import RESULT_FIELDS

MAX_PRINTED = 10  # printed addresses of pages left out
KEPT = "failed, so its row of an earlier crawl stays"  # reason for a page left out
SECONDS_TO_END = 3  # seconds for running downloads when the crawl is ended


class Flushed(io.BufferedWriter):
    """Binary file flushed after each write, so that a killed process loses nothing."""

    def write(self, content: Any) -> int:
        size = super().write(content)
        self.flush()
        return size


class OutputStorage:
    """Storage for a growing file, at the path in the feed's option ``path``.

    A missing line break at the end of the file, as editors leave it, is added.
    With the option ``earlier``, the first page renames an existing file to the name in the option.
    """

    def __init__(self, uri: str, *, feed_options: Mapping[str, Any]) -> None:
        self._path: Path = feed_options["path"]
        self._earlier: Path | None = feed_options["earlier"]
        self._encoding: str = feed_options["encoding"]

    def open(self, spider: Spider) -> IO[bytes]:
        """Return the opened file; called by Scrapy."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._earlier is not None:
            self._path.replace(self._earlier)
        file = Flushed(io.FileIO(self._path, "a"))
        if not _ends_a_line(self._path):
            file.write(_line_break(self._encoding))
        return file

    def store(self, file: IO[bytes]) -> None:
        """Close the file; called by Scrapy."""
        file.close()


def _ends_a_line(path: Path) -> bool:
    """Return True for an empty file, a device, or a file with a line break at its end."""
    size = path.stat().st_size if path.is_file() else 0
    if not size:
        return True
    with path.open("rb") as file:
        file.seek(max(size - 4, 0))
        return file.read().rstrip(b"\0").endswith(b"\n")  # zeros of UTF-16 and UTF-32


def _line_break(encoding: str) -> bytes:
    """Return a line break without a mark of byte order."""
    return "\n\n".encode(encoding)[len("\n".encode(encoding)) :]


def earlier_name(path: Path) -> Path | None:
    """Return an unused name for an existing file, such as ``x.csv.1``; ``None`` for a missing or empty file."""
    if not path.is_file() or not path.stat().st_size:
        return None
    number = 1
    while (name := path.with_name(f"{path.name}.{number}")).exists():
        number += 1
    return name


class PagesLeftOut:
    """Addresses found but not written by a crawl, with reasons.

    :param name: CSV file for all addresses, with ``url`` and ``reason``.
    """

    def __init__(self, name: str | None) -> None:
        self.reasons: Counter[str] = Counter()
        self._first: list[tuple[str, str]] = []
        self._file = Path(name).open("w", encoding="utf-8", newline="") if name else None  # noqa: SIM115
        self._name = name
        self._write("url", "reason")

    def add(self, url: str, reason: str) -> None:
        self.reasons[reason] += 1
        if len(self._first) < MAX_PRINTED:
            self._first.append((url, reason))
        self._write(url, reason)

    def _write(self, *cells: str) -> None:
        if self._file is not None:
            csv.writer(self._file).writerow(map(text_cell, cells))
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def lines(self) -> Iterator[str]:
        for reason, count in self.reasons.most_common():
            more = reason.replace("(STEMMER_KINDS)", "(for all kinds: -s STEMMER_KINDS=)")
            yield f"left out: {counted(count, 'page', ',')}: {more}"
        for url, reason in self._first:
            yield f"  {url} ({reason})"
        if self._name:
            yield f"all of them: {self._name}"
        elif self.reasons.total() > MAX_PRINTED:
            yield "all of them: --left-out FILE"


_NOT_COMPARED = {"url", "changed", *RESULT_FIELDS.values(), *RESULT_FIELDS, *PAGE_FIELDS}.difference(PRODUCT_FIELDS)


def compared_fields(names: Iterable[str]) -> set[str]:
    """Return the fields of products and the user among some names, compared to notice changes."""
    return set(names) - _NOT_COMPARED


def _version_of(values: ItemAdapter, response: Response | None, day: str) -> Version:
    """Return the version of a written page, with digests of its title and text together, and of compared fields."""
    compared = {"text": [values.get("title"), values.get("text")]}
    compared |= {name: values[name] for name in sorted(compared_fields(values))}
    digests = {name: digest_of(json.dumps(value, default=str).encode()).hex() for name, value in compared.items()}
    return Version(digests, _header(response, "ETag"), _header(response, "Last-Modified"), day)


def _header(response: Response | None, name: str) -> str | None:
    value = response.headers.get(name) if response is not None else None
    return value.decode("latin-1") if value else None


class PageFeeds(FeedExporter):
    """Scrapy's feeds, extended to print the progress, and to end the crawl when writing an output fails.

    :ivar pages: number of pages written.
    :ivar changed: number of changed pages among them, written by an earlier crawl too.
    :ivar error: the first error of an output, or of the file of addresses.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.pages = self.changed = 0
        self.error: OSError | sqlite3.Error | None = None
        self._noted, self._every = time.monotonic(), seconds_between_lines()
        self._beats_of_end = 0
        self._is_closed = False
        self._is_markdown = all(feed["format"] == "md" for feed in self.feeds.values())

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect signals; called by Scrapy."""
        feeds = super().from_crawler(crawler)
        crawler.signals.connect(feeds._beat, signal=signals.engine_started)
        crawler.signals.connect(feeds._closed, signal=signals.spider_closed)
        crawler.signals.connect(feeds._dropped, signal=signals.item_dropped)
        crawler.signals.connect(feeds._failed, signal=signals.item_error)
        return feeds

    @property
    def _spider(self) -> Any:
        return self.crawler.spider

    def item_scraped(self, item: Any, spider: Spider, response: Response | None = None) -> None:
        """Write the item of a new page, or with ``--changed`` of a changed page, into all outputs; called by Scrapy."""
        if self.error is not None:
            return
        values = ItemAdapter(item)
        day = str(values.get("published") or "")[:10]
        if day and day < self._spider.since:
            self._spider.leave_out(values["url"], f"published before {self._spider.since}")
            return
        try:
            with self.failing():  # Scrapy would only log that the disk is full
                version = _version_of(values, response, day)
                before = self._spider.digests_of(values["url"])
                if before is not None and values.get("reason") == Reason.FAILED:
                    self._spider.leave_out(values["url"], KEPT)
                    return
                now = version.digests
                is_changed = before is not None and any(before[name] != now[name] for name in before.keys() & now)
                if self._is_markdown and (reason := values.get("reason")):
                    self._spider.leave_out(values["url"], f"without text ({reason})")
                elif before is None or (self._spider.asks_again and is_changed):
                    values["changed"] = self._spider.known_pages.began if before else None
                    super().item_scraped(item, spider)
                    self.pages += 1
                    self.changed += before is not None
                self._spider.note_done(values["url"], CONTENT, version._replace(digests={**(before or {}), **now}))
                self._spider.known_pages.save()
        except Exception as error:  # one page must not end the crawl
            self._spider.leave_out(values["url"], f"not written ({type(error).__name__})")

    def fail(self, error: OSError | sqlite3.Error) -> None:
        """End the crawl with an error. Only the first error is kept, and no page is noted later."""
        if self.error is None:
            self.error = error
            self._spider.known_pages.fail()
            close_spider(self.crawler, "output")

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Turn an error within the context into the end of the crawl, and go on behind the context."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            self.fail(error)

    def _dropped(self, item: Any, exception: Exception) -> None:
        url = ItemAdapter(item)["url"]
        self._spider.leave_out(url, " ".join(str(exception).replace(url, "").split()).removeprefix("is "))

    def _failed(self, item: Any, failure: Any) -> None:
        self._spider.leave_out(ItemAdapter(item)["url"], f"failed ({type(failure.value).__name__})")

    def _closed(self) -> None:
        self._is_closed = True

    def _beat(self) -> None:
        """Print the progress; while the crawl ends, abandon downloads from slow servers."""
        if self._is_closed:
            return
        with self.failing():
            self._note_progress()
            self._spider.known_pages.save()
        if is_closing(self.crawler):
            drop_queued(self.crawler)
            self._beats_of_end += 1
            if self._beats_of_end > SECONDS_TO_END:
                abandon_downloads(self.crawler)
        call_later(1.0, self._beat)

    def _note_progress(self) -> None:
        now = time.monotonic()
        if now - self._noted >= self._every:
            self._noted = now
            found = self._spider.known_pages.found
            asked = found - self._spider.known_pages.hosts.total()
            written = f"{counted(self.pages, 'page', ',')} written"
            note(f"crawling: {asked:,} of {found:,} addresses found so far, {written}")
