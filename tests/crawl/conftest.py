"""Crawls in processes of their own against a local website."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import scrapy
from scrapy import Spider
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.reactor import install_reactor

from scrapy_stemmer import PatternSet
from scrapy_stemmer.crawl import compat
from scrapy_stemmer.settings import RESULT_FIELDS
from tests import processes
from tests.crawl import run_crawl
from tests.crawl.website import Website

EVERY_RESULT = [name for name in RESULT_FIELDS if name not in ("markdown", "headings", "images")]
"""For STEMMER_FIELDS, where a test looks at more than what items have by default."""

if scrapy.version_info < (2, 14):
    # The kind of reactor is asked for even if nothing runs in a reactor.
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")


def idle_crawler(**settings: Any) -> Any:
    """Return the part of a crawler that components read; Scrapy's own needs a reactor."""
    given = Settings(settings)
    stats = MemoryStatsCollector(SimpleNamespace(settings=given))  # type: ignore[arg-type]
    given_spider = {"spider": None, "spidercls": Spider}
    return SimpleNamespace(settings=given, stats=stats, signals=SignalManager(), crawling=True, **given_spider)


def on_asyncio(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    """Run the background work of a module on the event loop of the test, without Scrapy's reactor."""
    monkeypatch.setattr(module, "run_in_background", asyncio.ensure_future)
    monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))


class Disk:
    """A disk for SQLite, full as long as certain commands are refused."""

    def __init__(self) -> None:
        self.refused: Collection[str] = ()

    def connect(self, *arguments: Any, **more: Any) -> sqlite3.Connection:
        disk = self

        class Connection(sqlite3.Connection):
            def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
                if query.split()[0] in disk.refused:
                    if query == "COMMIT":  # which SQLite may roll back by itself
                        super().execute("ROLLBACK")
                    raise sqlite3.OperationalError("database or disk is full")
                return super().execute(query, *values)

        return Connection(*arguments, **more)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk that spools are on."""
    disk = Disk()
    monkeypatch.setattr(sqlite3, "connect", disk.connect)
    return disk


@pytest.fixture
def website() -> Iterator[Website]:
    """A website of our own."""
    with Website() as site:
        yield site


@dataclass
class Crawl:
    """The outcome of a crawl."""

    folder: Path
    log: str
    exit_code: int
    stats: dict[str, Any]

    @cached_property
    def items(self) -> list[dict[str, Any]]:
        """The items of the feed, of all crawls in the folder, in order."""
        feed = self.folder / "items.jsonl"
        return [json.loads(line) for line in feed.read_text().splitlines()] if feed.exists() else []

    @cached_property
    def by_url(self) -> dict[str, dict[str, Any]]:
        """The items, when there is one a URL."""
        found = {item["url"]: item for item in self.items}
        assert len(found) == len(self.items), "an item came twice"
        return found

    @property
    def patterns(self) -> PatternSet:
        """The pattern file."""
        return PatternSet.load(str(self.folder / "patterns.jsonl"))

    @property
    def leftovers(self) -> list[str]:
        """The files in the directory for state."""
        state = self.folder / "state"
        return sorted(path.name for path in state.iterdir()) if state.exists() else []


class Crawler:
    """Starter of crawls in a folder, so that later crawls find the files of earlier crawls."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, spider: str, *start: str, ok: bool = True, arguments: Any = None, **settings: Any) -> Crawl:
        """Crawl to the end.

        :param start: the start URLs.
        :param ok: whether the log must be free of errors.
        """
        process = self.start(spider, *start, arguments=arguments, **settings)
        return self.wait(process, ok=ok)

    def start(self, spider: str, *start: str, arguments: Any = None, **settings: Any) -> processes.Started:
        """Begin a crawl."""
        everything = {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            "FEEDS": {str(self.folder / "items.jsonl"): {"format": "jsonlines", "overwrite": False}},
            # These tests are about crawls, and expect this learner's main text.
            "STEMMER_LEARNER": "layout",
            "STEMMER_FIELDS": EVERY_RESULT,
            "STEMMER_PATTERNS": str(self.folder / "patterns.jsonl"),
            "STEMMER_STATE_DIR": str(self.folder / "state"),
            "TELNETCONSOLE_ENABLED": False,
            # With each response Scrapy starts so many tasks, and reads the source of the callback: half of the time.
            "CONCURRENT_ITEMS": 4,
            "WARN_ON_GENERATOR_RETURN_VALUE": False,
            "LOG_LEVEL": "DEBUG",
            **settings,
        }
        job = {
            "spider": spider,
            "settings": {name: value for name, value in everything.items() if value is not ...},
            "arguments": {"start_urls": list(start), **(arguments or {})},
            "stats": str(self.folder / "stats.json"),
        }
        return processes.start(run_crawl.main, job, out=self.folder / "log.txt")

    def logged(self, text: str, times: int = 1) -> Callable[[], bool]:
        """Return a condition: the log of the crawl has a text so many times."""
        log = self.folder / "log.txt"
        return lambda: log.exists() and log.read_text(errors="replace").count(text) >= times

    def wait(self, process: processes.Started, *, ok: bool = True) -> Crawl:
        """Wait for the end; a crawl that hangs is an error."""
        code = process.wait()
        log = (self.folder / "log.txt").read_text(errors="replace")
        assert "ScrapyDeprecationWarning" not in log, log
        left_open = [line for line in log.splitlines() if "ResourceWarning: unclosed file" in line]
        # Scrapy 2.13 leaves the queues of a JOBDIR open.
        assert [line for line in left_open if "requests.queue" not in line] == []
        if ok:
            assert code == 0, log
            assert " ERROR: " not in log, log
            assert "Traceback" not in log, log
        stats = self.folder / "stats.json"
        return Crawl(self.folder, log, code, json.loads(stats.read_text()) if stats.exists() else {})


@pytest.fixture
def crawl(tmp_path: Path) -> Callable[..., Crawl]:
    """Runs crawls."""
    return Crawler(tmp_path)
