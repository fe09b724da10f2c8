"""Costs of a crawl of the soak tests: an extension of Scrapy's writes them at the end."""

from __future__ import annotations

import asyncio
import json
import resource
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

FIGURES = "figures.json"


@dataclass(frozen=True)
class Figures:
    """Costs of a crawl's process.

    :param written: bytes given to ``write``, of whatever file, by ``wchar`` of ``/proc/self/io``.
    :param memory: bytes, at most.
    :param files: open at a time, at most.
    :param lag: seconds for which the event loop did nothing else, at most.
    :param closing: seconds from the last response to the end.
    :param seconds: from the start to the end.
    """

    written: int
    memory: int
    files: int
    lag: float
    closing: float
    seconds: float


def figures(folder: Path) -> Figures:
    return Figures(**json.loads((folder / FIGURES).read_text()))


def bytes_written() -> int:
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


class Measuring:
    """Watches the event loop, and writes the figures into the folder of the crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._folder = Path(crawler.settings["SOAK_FOLDER"])
        self._began = self._answered = time.monotonic()
        self._files, self._lag = 0, 0.0
        crawler.signals.connect(self._start, signal=signals.engine_started)
        crawler.signals.connect(self._see, signal=signals.response_received)
        crawler.signals.connect(self._write, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Measuring:
        return cls(crawler)

    def _start(self) -> None:
        self._task = asyncio.ensure_future(self._watch())

    async def _watch(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            self._lag = max(self._lag, time.monotonic() - before - 0.01)

    def _see(self) -> None:
        self._answered = time.monotonic()
        self._files = max(self._files, sum(1 for _ in Path("/proc/self/fd").iterdir()))

    def _write(self) -> None:
        now, memory = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        took = {"closing": now - self._answered, "seconds": now - self._began}
        found = Figures(written=bytes_written(), memory=memory, files=self._files, lag=self._lag, **took)
        (self._folder / FIGURES).write_text(json.dumps(asdict(found)))


EXTENSION: dict[str, Any] = {"tests.soak.figures.Measuring": 0}
