"""A crawl of many domains, or of one large one: memory, open files, bytes written, lag of the event loop, time at the
close: ``python -m tests.soak.domains 20000``.

Pages don't go through the network: a download handler of our own answers for every host.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Request, Response
from scrapy.settings import Settings

from scrapy_stemmer import PatternSet
from tests import processes
from tests.crawl.website import Article

PAGES = 12
"""Of each domain."""

AT_ONCE = 200
"""Domains that are crawled at a time, page by page in turn."""

NOISE = 3000
"""Hexadecimal digits in a comment of each page, which then takes 2 kB of the spool."""

REPORT = "report.json"


class Figures(NamedTuple):
    """What a crawl took.

    :param went_in: items that the spider yielded.
    :param came_out: those that came to the last pipeline.
    :param learned: domains.
    :param written: bytes that the process has given to ``write``, of whatever file, by ``/proc/self/io``.
    :param memory: bytes, at most.
    :param files: open at a time, at most.
    :param lag: seconds for which the event loop did nothing else, at most.
    :param closing: seconds from the last response to the end.
    :param seconds: from the start to the end.
    """

    went_in: int
    came_out: int
    learned: int
    written: int
    memory: int
    files: int
    lag: float
    closing: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.learned:,} domains learned, {self.went_in:,} items in and {self.came_out:,} out in "
            f"{self.seconds:.0f} s; {self.memory / 1e6:.0f} MB of memory and {self.files} open files at most, "
            f"{self.written / 1e6:.0f} MB written, lag {self.lag:.2f} s at most, {self.closing:.1f} s at the close"
        )


class Answers:
    """A downloader middleware that answers every request with an article, so that nothing is fetched."""

    def process_request(self, request: Request, spider: Any = None) -> Response | None:
        if not request.url.startswith("http"):
            return None
        number = int(request.url.rpartition("/")[2])
        body = Article(number).html(padding=f"{Random(number).getrandbits(4 * NOISE):x}").encode()
        return HtmlResponse(request.url, body=body, encoding="utf-8", request=request)


class Domains(scrapy.Spider):
    """Asks for a few pages of each of many domains, some of these at a time; sees what is open, and how long the event
    loop takes for a turn."""

    name = "domains"
    count: int
    pages: int
    went_in = came_out = 0
    lag = 0.0

    async def start(self) -> AsyncIterator[Any]:
        self.began = self.answered = time.monotonic()
        self.watching = asyncio.ensure_future(self.watch())
        for first in range(0, self.count, AT_ONCE):
            for page in range(self.pages):
                for number in range(first, min(self.count, first + AT_ONCE)):
                    yield Request(f"http://site{number}.example/{number * self.pages + page}")

    async def watch(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            self.lag = max(self.lag, time.monotonic() - before - 0.01)

    def parse(self, response: Response) -> Iterator[Any]:
        stats = self.crawler.stats
        assert stats is not None
        self.answered = time.monotonic()
        stats.max_value("soak/open_files", sum(1 for _ in Path("/proc/self/fd").iterdir()))
        yield {"url": response.url}
        self.went_in += 1


class Dropping:
    """Keeps no item: memory is to be that of the extension."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Dropping:
        return cls(crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        assert "stemmer_matched" in item
        self._crawler.spider.came_out += 1
        return {}


def bytes_written() -> int:
    """What this process has given to ``write``."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def crawl(job: dict[str, Any]) -> int:
    """Crawl, and write down what it took."""
    folder = Path(job["folder"])
    settings = Settings()
    settings.setdict(
        {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            "DOWNLOADER_MIDDLEWARES": {"tests.soak.domains.Answers": 1},
            "ITEM_PIPELINES": {"tests.soak.domains.Dropping": 900},
            "STEMMER_LEARN": True,
            "STEMMER_PATTERNS": str(folder / "patterns.jsonl"),
            "STEMMER_STATE_DIR": str(folder / "state"),
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
            **job.get("settings", {}),
        },
        priority="project",
    )
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Domains)
    ended: list[float] = []
    crawler.signals.connect(lambda: ended.append(time.monotonic()), signal=signals.engine_stopped, weak=False)
    process.crawl(crawler, count=job["count"], pages=job["pages"])
    process.start()
    spider, stats = crawler.spider, crawler.stats
    assert isinstance(spider, Domains)
    assert stats is not None
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    figures = Figures(
        went_in=spider.went_in,
        came_out=spider.came_out,
        learned=stats.get_value("stemmer/domains/learned", 0),
        written=bytes_written(),
        memory=memory,
        files=stats.get_value("soak/open_files"),
        lag=spider.lag,
        closing=ended[0] - spider.answered,
        seconds=ended[0] - spider.began,
    )
    (folder / REPORT).write_text(json.dumps(figures))
    return 0


def run(count: int, folder: Path, pages: int = PAGES, **settings: Any) -> Figures:
    """Crawl so many domains; raises when one is not in the pattern file."""
    job = {"folder": str(folder), "count": count, "pages": pages, "settings": settings}
    process = processes.start(crawl, job, out=folder / "log.txt")
    assert process.wait(36_000) == 0, (folder / "log.txt").read_text()
    assert len(PatternSet.load(str(folder / "patterns.jsonl")).sites) == count
    return Figures(*json.loads((folder / REPORT).read_text()))


def main(count: int = 20_000, pages: int = PAGES) -> int:
    """Print what a crawl of so many domains takes."""
    with tempfile.TemporaryDirectory() as folder:
        print(run(count, Path(folder), pages))
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
