"""Crawls of a local server, with the extension and without it, in turn."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.progress import say
from benchmarks.sets import ROOT, GoldPage
from benchmarks.speed.generate import Generator, Link
from benchmarks.speed.scale import in_process
from benchmarks.speed.server import LOCAL

PLAIN, STRIPPING, LEARNING = "without", "stripping", "learning"

IDLE, READING = "the spider does nothing", "the spider parses pages and follows their links"
"""The crawls whose event loop is watched."""

SITES = 8  # ports of the server: each is a site
PAGES = 60  # pages of each site when they are made
PAGE_SIZE = 50_000  # characters of a page, at least

TEXT_SHARE = 0.2
"""Share of text in the content added to enlarge a page. The pages of the project's sets have between a thirtieth (news)
and a third (documentation) of seen text."""

LINKS = 10  # links of a page to others
LARGE_PAGES, LARGE_SIZE = 20, 400_000  # the site of the crawl whose event loop is watched

ROUNDS = 7

MADE = r"/page/\d+\.html$"  # links followed on generated pages


@dataclass(frozen=True, slots=True)
class Rates:
    """Pages a second of each round, by what the crawl does."""

    pages: int
    rates: Mapping[str, Sequence[float]]

    def rate(self, mode: str) -> float:
        """The median over rounds."""
        return statistics.median(self.rates[mode])

    def ratio(self, mode: str) -> float:
        """Return the speed relative to the crawl of the round without the extension, the median over rounds.

        A shared machine may be half as fast a minute later.
        """
        pairs = zip(self.rates[mode], self.rates[PLAIN], strict=True)
        return statistics.median(rate / plain for rate, plain in pairs)


@dataclass(frozen=True, slots=True)
class Lateness:
    """Greatest delay of the event loop, in seconds: the median over rounds, of crawls by a spider."""

    learning: float  # while the site is learned
    whole: float  # in the whole crawl, with stripping the pages that waited
    plain: float  # in the same crawl without the extension


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """Options of crawls."""

    learner: str
    # pages to serve instead of generated pages; links to all pages are followed from ``/index.html`` on
    folder: Path | None = None
    rounds: int = ROUNDS
    sites: int = SITES
    pages: int = PAGES


def write_site(golds: Sequence[GoldPage], folder: Path, pages: int, size: int) -> None:
    """Write a folder of generated pages; each can be reached from the first page."""
    generator = Generator(golds)
    (folder / "page").mkdir(parents=True)
    for number in range(pages):
        html = generator.page(number, size, list(_links_of(number, pages)), TEXT_SHARE)
        (folder / "page" / f"{number}.html").write_text(html, encoding="utf-8")


def _links_of(number: int, pages: int) -> Iterator[Link]:
    draw = random.Random(number)
    # Not the first page: as a start page it would be asked for twice.
    others = [draw.randrange(1, pages) for _ in range(LINKS - 2)]
    for target in dict.fromkeys([2 * number + 1, 2 * number + 2, *others]):
        if target < pages:
            yield Link(f"/page/{target}.html", f"More of what page {target} says")


@contextmanager
def serving(folder: Path, sites: int) -> Iterator[list[str]]:
    """Run a server in a new process; yield the roots of its sites."""
    command = [sys.executable, "-m", "benchmarks.speed.server", str(folder), str(sites)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            yield [f"http://{LOCAL}:{port}" for port in json.loads(server.stdout.readline())]
        finally:
            server.stdin.close()
            server.wait(10)


class Crawls:
    """Crawls of a server.

    :param urls: the first pages.
    :param allow: links to follow; empty for all, ``None`` for a spider that reads no page.
    :param work: a folder for files.
    :param proxy: address of a proxy.
    """

    def __init__(self, urls: Sequence[str], allow: str | None, work: Path, learner: str, *, proxy: str = "") -> None:
        self._urls = list(urls)
        self._allow = allow
        self._work = work
        self._learner = learner
        self._proxy = proxy

    def run(self, mode: str, *, watch: bool = False) -> dict[str, Any]:
        """One crawl."""
        job = {"urls": self._urls, "allow": self._allow, "settings": self._settings(mode, watch), "proxy": self._proxy}
        path = self._work / "job.json"
        path.write_text(json.dumps(job), encoding="utf-8")
        figures: dict[str, Any] = in_process("benchmarks.speed.crawl", str(path))
        if figures["errors"] or not figures["items"]:
            raise RuntimeError(f"the crawl {mode} of {self._urls[0]} went wrong: {figures}")
        return figures

    def _settings(self, mode: str, watch: bool) -> dict[str, Any]:
        settings: dict[str, Any] = {"BENCH_WATCH": watch}
        if mode == PLAIN:
            return settings
        settings |= {"ADDONS": {"scrapy_stemmer.Addon": 500}, "STEMMER_LEARNER": self._learner}
        if mode == STRIPPING:
            return settings | {"STEMMER_PATTERNS": str(self.known)}
        new = self._work / "new.jsonl"
        new.unlink(missing_ok=True)
        return settings | {"STEMMER_PATTERNS": str(new), "STEMMER_LEARN": True}

    @property
    def known(self) -> Path:
        """The patterns of all sites, once :meth:`learn` was called."""
        return self._work / "known.jsonl"

    def learn(self) -> int:
        """Learn all sites; gives the number of pages crawled, each of which is an item."""
        figures = self.run(LEARNING)
        (self._work / "new.jsonl").replace(self.known)
        return int(figures["items"])


def rates(golds: Sequence[GoldPage], options: CrawlOptions, work: Path) -> Rates:
    """Return pages a second of crawls that only read pages, that strip pages, and that learn and strip pages."""
    folder, start, allow = options.folder, "/index.html", ""
    if folder is None:
        folder, start, allow = work / "site", "/page/0.html", MADE
        write_site(golds, folder, options.pages, PAGE_SIZE)
    with serving(folder, options.sites) as roots:
        crawls = Crawls([root + start for root in roots], allow, work, options.learner)
        pages = crawls.learn()
        by_mode: defaultdict[str, list[float]] = defaultdict(list)
        for number in range(options.rounds):
            for mode in (PLAIN, STRIPPING, LEARNING):
                figures = crawls.run(mode)
                by_mode[mode].append(figures["items"] / figures["seconds"])
                say(f"crawl {number + 1} of {options.rounds}, {mode}: {by_mode[mode][-1]:.0f} pages a second")
    return Rates(pages, by_mode)


def lateness(golds: Sequence[GoldPage], options: CrawlOptions, work: Path) -> dict[str, Lateness]:
    """Return the delays of the event loop while a site of large pages is learned, by spider.

    The first spider does nothing, which leaves the extension's delays; the second parses pages and follows their links
    on the event loop.
    """
    write_site(golds, work / "large", LARGE_PAGES, LARGE_SIZE)
    with serving(work / "large", 1) as (root,):
        urls = [f"{root}/page/{number}.html" for number in range(LARGE_PAGES)]
        spiders = {
            IDLE: Crawls(urls, None, work, options.learner),
            READING: Crawls(urls[:1], MADE, work, options.learner),
        }
        return {name: _lateness_of(name, crawls, options.rounds) for name, crawls in spiders.items()}


def _lateness_of(name: str, crawls: Crawls, rounds: int) -> Lateness:
    learning = [crawls.run(LEARNING, watch=True) for _ in range(rounds)]
    plain = [crawls.run(PLAIN, watch=True) for _ in range(rounds)]
    if any(figures["learned"] != 1 or not figures["late_learning"] for figures in learning):
        raise RuntimeError(f"{name}: a crawl has learned nothing while its event loop was watched: {learning}")
    late = [round(1000 * figures["late_learning"]) for figures in learning]
    say(f"event loop late while learning, {name}: {late} ms")
    return Lateness(
        statistics.median(figures["late_learning"] for figures in learning),
        statistics.median(figures["late"] for figures in learning),
        statistics.median(figures["late"] for figures in plain),
    )
