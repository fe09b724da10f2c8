"""Crawls of many domains, of a large domain and of hostile pages: ``python -m tests.soak.domains 20000``.

Pages don't go through the network: a downloader middleware answers for every host.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from itertools import cycle
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
from tests.soak.figures import EXTENSION, Figures, figures

PAGES = 12
"""Of each domain."""

AT_ONCE = 200
"""Domains crawled at a time, page by page in turn."""

NOISE = 3000
"""Hexadecimal digits in a comment of each page, which then takes 2 kB of the spool."""

COUNTS = "counts.json"


def article(number: int) -> str:
    """Return a page with unique text."""
    return Article(number).html(padding=f"{Random(number).getrandbits(4 * NOISE):x}")


@cache
def hostile(number: int) -> str:
    """Return an article for every second page, else a page of a kind that crawls have stumbled over."""
    if number % 2 == 0:
        return article(number)
    attack = ATTACKS[number // 2 % len(ATTACKS)]
    return Article(number).html(links=attack(100_000 + number))


ATTACKS: tuple[Callable[[int], str], ...] = (
    lambda n: f"<p {' '.join(f'a{each}' for each in range(n // 5))}>attributes</p>",
    lambda n: "<div>" * n + "deep",
    lambda n: "".join(f"<p class=c{each}>block {each}</p>" for each in range(n)),
    lambda n: f"<p>{'long ' * (20 * n)}</p>",
    lambda n: f"<p class='{' '.join(f'c{each}' for each in range(n))}'>classes</p>",
    lambda n: f"<p id={'x' * 10 * n}>a long name</p>",
    lambda n: f"<p>{'&#0;&#xd800;&lt;' * n}</p>",
    lambda n: "<table><tr><td>" * (n // 3),
    lambda n: f"<meta charset=hex><p>{'</p><b><i></b>' * n}",
    lambda n: "".join(f"<a href='/{each}'>link {each}</a>" for each in range(n)),
)


class Answers:
    """Downloader middleware that answers every request with a page, so that nothing is fetched."""

    def process_request(self, request: Request, spider: Any = None) -> Response | None:
        if not request.url.startswith("http"):
            return None
        page = hostile if "hostile" in request.url else article
        body = page(int(request.url.rpartition("/")[2])).encode()
        return HtmlResponse(request.url, body=body, encoding="utf-8", request=request)


class Domains(scrapy.Spider):
    """Spider of a few pages of each of many domains, some domains at a time, which counts items."""

    name = "domains"
    count: int
    pages: int
    items: int
    host: str
    went_in = came_out = at_half = 0

    async def start(self) -> AsyncIterator[Any]:
        for first in range(0, self.count, AT_ONCE):
            for page in range(self.pages):
                for number in range(first, min(self.count, first + AT_ONCE)):
                    yield Request(f"http://{self.host}{number}.example/{number * self.pages + page}")

    def parse(self, response: Response) -> Iterator[Any]:
        for number in range(self.items):
            yield {"url": response.url, "number": number}
            self.went_in += 1
            if 2 * self.went_in == self.count * self.pages * self.items:
                self.at_half = self.came_out


class Dropping:
    """Pipeline that keeps no item, so that memory is the extension's alone."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Dropping:
        return cls(crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        assert "stemmer_reason" in item
        self._crawler.spider.came_out += 1
        return {}


class Jumping:
    """Extension with a clock of the day that jumps with each response, by an hour or a day, forward and back."""

    def __init__(self, crawler: Any) -> None:
        self._now, self._jumps = time.time, cycle((3_600, -3_600, 86_400, -86_400))
        crawler.signals.connect(self._jump, signals.response_received)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Jumping:
        return cls(crawler)

    def _jump(self) -> None:
        ahead = next(self._jumps)
        time.time = lambda: self._now() + ahead


def crawl(job: dict[str, Any]) -> int:
    folder = Path(job["folder"])
    settings = Settings()
    settings.setdict(
        {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            "DOWNLOADER_MIDDLEWARES": {"tests.soak.domains.Answers": 1},
            "EXTENSIONS": EXTENSION,
            "ITEM_PIPELINES": {"tests.soak.domains.Dropping": 900},
            "STEMMER_LEARN": True,
            "STEMMER_PATTERNS": str(folder / "patterns.jsonl"),
            "STEMMER_STATE_DIR": str(folder / "state"),
            "SOAK_FOLDER": str(folder),
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
            **job["settings"],
        },
        priority="project",
    )
    if job["host"] == "hostile":
        for number in range(job["pages"]):  # making the pages takes as long as reading
            hostile(number)
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Domains)
    process.crawl(crawler, **{name: job[name] for name in ("count", "pages", "items", "host")})
    process.start()
    spider, stats = crawler.spider, crawler.stats
    assert isinstance(spider, Domains)
    assert stats is not None
    counts = spider.went_in, spider.came_out, spider.at_half, stats.get_value("stemmer/domains/learned", 0)
    (folder / COUNTS).write_text(json.dumps(counts))
    return 0


class Found(NamedTuple):
    """Results of a crawl of many domains."""

    went_in: int
    came_out: int
    at_half: int  # learned domains when half of the pages had come
    learned: int
    took: Figures


def run(count: int, folder: Path, pages: int = PAGES, host: str = "site", items: int = 1, **settings: Any) -> Found:
    """Crawl many domains; raise if a domain is missing in the pattern file."""
    job = {"folder": str(folder), "count": count, "pages": pages, "items": items, "host": host}
    process = processes.start(crawl, {**job, "settings": settings}, out=folder / "log.txt")
    assert process.wait(36_000) == 0, (folder / "log.txt").read_text()
    assert len(PatternSet.load(str(folder / "patterns.jsonl")).sites) == count
    return Found(*json.loads((folder / COUNTS).read_text()), figures(folder))


def main(count: int = 20_000, pages: int = PAGES, items: int = 1) -> int:
    """Print the costs of a crawl of many domains."""
    with tempfile.TemporaryDirectory() as folder:
        print(run(count, Path(folder), pages, items=items))
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
