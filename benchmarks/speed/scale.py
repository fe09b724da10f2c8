"""Growth: more learned pages, and more known sites."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.progress import say
from benchmarks.sets import ROOT, GoldPage
from benchmarks.speed.clock import Work, seconds
from benchmarks.speed.generate import Generator
from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.crawl.spool import Spool, Use, packed
from scrapy_stemmer.patterns.base import Pattern

HOST = "made.example"  # site of the pages that are made
FEW, MANY = 200, 2000  # pages learned of one site
PAGE_SIZE = 50_000  # characters of a page when memory is measured
DOMAINS = 10_000  # domains of the pattern file


LONG = 5.0  # seconds from which on a measurement is not repeated


@dataclass(frozen=True, slots=True)
class Growth:
    """Learning few and many pages of one site."""

    few: float  # seconds for :data:`FEW` pages, the best of two; ``many`` for :data:`MANY` of them
    many: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the times of many and few pages."""
        return self.many / self.few


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory for learning many pages of a site in a new process, in bytes."""

    pages: int
    size: float
    input: float  # the compressed pages as the spool gives them
    peak: float  # the most above the process with all imported; the input is in it
    seconds: float


@dataclass(frozen=True, slots=True)
class PatternFile:
    """Loading a pattern file in a process of its own."""

    domains: int
    file: int  # its size in bytes
    seconds: float  # the median of three, or the only one where the first takes longer than :data:`LONG`
    each: float  # resident bytes a domain


def in_process(module: str, *arguments: str) -> Any:
    """Return the JSON printed by a module in a new process."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} has failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def made_pages(golds: Sequence[GoldPage], count: int, size: int = 0) -> list[Page]:
    """Pages of one site."""
    generator = Generator(golds)
    return [Page(f"http://{HOST}/page/{number}.html", generator.page(number, size)) for number in range(count)]


def growth(golds: Sequence[GoldPage], learner: str, few: int = FEW, many: int = MANY) -> Growth:
    """Learn few pages, many, few again."""
    pages = made_pages(golds, many)
    times = []
    for count in (few, many, few):
        say(f"learning {count} pages")
        times.append(seconds(Work(lambda _, count=count: learn(pages[:count], learner))))  # type: ignore[misc]
    return Growth(min(times[0], times[2]), times[1])


def spooled(path: Path, pages: Sequence[Page]) -> None:
    """Put pages into a spool as a crawl does."""
    spool = Spool(path)
    for page in pages:
        spool.add_page(HOST, page.url, packed(str(page.html)), Use.SAMPLE)
    spool.close(remove=False)


def memory(golds: Sequence[GoldPage], learner: str, folder: Path, count: int = MANY) -> Memory:
    """Learn many pages of 50 kB from a spool, as a crawl does."""
    say(f"memory of learning {count} pages")
    pages = made_pages(golds, count, PAGE_SIZE)
    size = statistics.fmean(len(str(page.html)) for page in pages)
    path = folder / "spool.sqlite"
    spooled(path, pages)
    figures = in_process("benchmarks.speed.memory", "learn", str(path), HOST, learner)
    return Memory(len(pages), size, figures["input"], figures["peak"], figures["seconds"])


def pattern_file(patterns: Sequence[Pattern], folder: Path, domains: int = DOMAINS, runs: int = 3) -> PatternFile:
    """Load a file with learned patterns under the names of further sites, in turn."""
    say(f"loading patterns of {domains} domains")
    path = folder / "patterns.jsonl"
    copies = (replace(patterns[number % len(patterns)], site=f"site{number}.example") for number in range(domains))
    PatternSet(copies).save(str(path))
    runs_of = [in_process("benchmarks.speed.memory", "load", str(path))]
    while len(runs_of) < runs and runs_of[-1]["seconds"] < LONG:
        runs_of.append(in_process("benchmarks.speed.memory", "load", str(path)))
    kept = statistics.median(run["bytes"] / run["domains"] for run in runs_of)
    spent = statistics.median(run["seconds"] for run in runs_of)
    return PatternFile(int(runs_of[0]["domains"]), path.stat().st_size, spent, kept)
