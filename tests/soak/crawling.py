"""Crawls for the soak tests, which note each incoming and outgoing item in a file at once."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings

from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.page.document import site_of

KNOWN = "known"  # mark of an item whose site is known already

IN, OUT, DONE, STATS = "in.txt", "out.txt", "done.txt", "stats.json"


def note(path: Path, line: str) -> None:
    """Add a line to a file, safe even if the process is killed right after."""
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(number, f"{line}\n".encode())
    finally:
        os.close(number)


def noted(path: Path) -> list[str]:
    """Return the lines of a file of notes."""
    return path.read_text().splitlines() if path.exists() else []


class Noting(scrapy.Spider):
    """Spider that requests the pages without a noted item, and notes each item at once."""

    name = "noting"
    urls: list[str]
    folder: str

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.taken: WeakKeyDictionary[Response, str] = WeakKeyDictionary()  # lines to note

    async def start(self) -> AsyncIterator[Any]:
        known = {line.split()[1] for line in noted(Path(self.folder, IN))}
        for url in self.urls:
            if url not in known:
                yield scrapy.Request(url, dont_filter=True)

    def parse(self, response: Response) -> Iterator[Any]:
        number = uuid4().hex
        yield {"id": number, "url": response.url}
        self.taken[response] = f"{number} {response.url}"


class InNotes:
    """Spider middleware next to the engine: notes incoming items when the callback's output has been taken.

    The first item of a page is kept back until the callback is through, since a second may come. Items of known sites
    pass at once, so a killed crawl loses them: they are noted as known.
    """

    def __init__(self, crawler: Any) -> None:
        self._crawler, self._folder = crawler, Path(crawler.settings["SOAK_FOLDER"])

    @classmethod
    def from_crawler(cls, crawler: Any) -> InNotes:
        return cls(crawler)

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        is_known = bool(CrawlState.of(self._crawler).patterns.of_site(site_of(response.url)))
        async for output in result:
            yield output
        if (line := self._crawler.spider.taken.pop(response, None)) is not None:
            note(self._folder / IN, f"{line} {KNOWN}" if is_known else line)


class OutNotes:
    """The last pipeline, which notes outgoing items."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def from_crawler(cls, crawler: Any) -> OutNotes:
        return cls(Path(crawler.settings["SOAK_FOLDER"]))

    def process_item(self, item: Any, spider: Any = None) -> Any:
        note(self._folder / OUT, f"{item['id']} {item['url']}")
        return item


class Replacing:
    """A pipeline that replaces each item by a new one."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return dict(item)


def crawl(job: dict[str, Any]) -> int:
    folder = Path(job["folder"])
    settings = Settings()
    settings.setdict(
        {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            "ITEM_PIPELINES": {"tests.soak.crawling.OutNotes": 900},
            "SPIDER_MIDDLEWARES": {"tests.soak.crawling.InNotes": 10},
            "STEMMER_LEARN": True,
            "STEMMER_PATTERNS": str(folder / "patterns.jsonl"),
            "STEMMER_STATE_DIR": str(folder / "state"),
            "SOAK_FOLDER": str(folder),
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "INFO",
            **job.get("settings", {}),
        },
        priority="project",
    )
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Noting)
    process.crawl(crawler, urls=job["urls"], folder=str(folder))
    process.start()
    assert crawler.stats is not None
    (folder / STATS).write_text(json.dumps(crawler.stats.get_stats(), default=str))
    note(folder / DONE, f"{crawler.stats.get_value('finish_reason')} {crawler.stats.get_value('stemmer/held/left', 0)}")
    return 0


class Balance:
    """Incoming and outgoing items of the crawls of a folder.

    An item of a known site that was under way in a killed crawl is not lost against a promise.

    :param left: items still in spools.
    """

    def __init__(self, folder: Path, left: Collection[str] = ()) -> None:
        self.left = left
        went_in, came_out = noted(folder / IN), noted(folder / OUT)
        self.went_in = len(went_in)
        self.came_out = len(came_out)
        counts = Counter(line.split()[0] for line in came_out)
        there = {*counts, *left}
        self.lost = [line for line in went_in if not line.endswith(KNOWN) and line.split()[0] not in there]
        self.repeated = [number for number, count in counts.items() if count > 1]

    def __str__(self) -> str:
        return (
            f"{self.went_in:,} items went in and {self.came_out:,} came out: {len(self.lost)} lost, "
            f"{len(self.repeated)} repeated"
        )
