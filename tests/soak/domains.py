"""A crawl of many domains: memory, open files, bytes written: ``python -m tests.soak.domains 20000``.

Pages don't go through the network: a download handler of our own answers for every host.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Request, Response
from scrapy.settings import Settings

from scrapy_stemmer import PatternSet
from tests import processes
from tests.crawl.website import Article

PAGES = 3
"""Of each domain."""


class Answers:
    """A downloader middleware that answers every request with an article, so that nothing is fetched."""

    def process_request(self, request: Request, spider: Any = None) -> Response | None:
        if not request.url.startswith("http"):
            return None
        number = int(request.url.rpartition("/")[2])
        return HtmlResponse(request.url, body=Article(number).html().encode(), encoding="utf-8", request=request)


class Domains(scrapy.Spider):
    """Asks for a few pages of each of many domains, one domain after the other, and counts what is open."""

    name = "domains"
    count: int

    async def start(self) -> AsyncIterator[Any]:
        for number in range(self.count):
            for page in range(PAGES):
                yield Request(f"http://site{number}.example/{number * PAGES + page}")

    def parse(self, response: Response) -> Iterator[Any]:
        stats = self.crawler.stats
        assert stats is not None
        stats.max_value("soak/open_files", sum(1 for _ in Path("/proc/self/fd").iterdir()))
        yield {"url": response.url}


class Dropping:
    """Keeps no item: memory is to be that of the extension."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        assert "stemmer_matched" in item
        return {}


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
            "STEMMER_SAMPLE_SIZE": PAGES,
            "STEMMER_PATTERNS": str(folder / "patterns.jsonl"),
            "STEMMER_STATE_DIR": str(folder / "state"),
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
        },
        priority="project",
    )
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Domains)
    started = time.monotonic()
    process.crawl(crawler, count=job["count"])
    process.start()
    assert crawler.stats is not None
    found = crawler.stats.get_stats()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    written = next(
        int(line.split()[1]) for line in Path("/proc/self/io").read_text().splitlines() if line.startswith("wchar")
    )
    learned, out = found.get("stemmer/domains/learned", 0), found.get("item_scraped_count", 0)
    unmatched, size = found.get("stemmer/items/unmatched", 0), (folder / "patterns.jsonl").stat().st_size
    Path(folder, "report.txt").write_text(
        f"{learned:,} domains learned, {out:,} items out, {unmatched:,} of them unmatched, in "
        f"{time.monotonic() - started:.0f} s; {usage.ru_maxrss / 1024:.0f} MB of memory and {found['soak/open_files']} "
        f"open files at most, {written / 1e6:.0f} MB written; the pattern file has {size / 1e6:.1f} MB"
    )
    return 0


def run(count: int, folder: Path) -> str:
    """Crawl so many domains; the report. Raises when one is not in the pattern file."""
    process = processes.start(crawl, {"folder": str(folder), "count": count}, out=folder / "log.txt")
    assert process.wait(3600) == 0, (folder / "log.txt").read_text()
    assert len(PatternSet.load(str(folder / "patterns.jsonl")).sites) == count
    return (folder / "report.txt").read_text()


def main(count: int = 20_000) -> int:
    """Print what a crawl of so many domains takes."""
    with tempfile.TemporaryDirectory() as folder:
        print(run(count, Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
