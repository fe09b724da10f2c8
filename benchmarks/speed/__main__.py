"""The command: ``python -m benchmarks.speed``."""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers import PEERS, PeerMissingError, load_peers, versions
from benchmarks.sets import BUNDLED, ROOT, GoldPage, SetError, as_pages, bundled_set, find_sets
from benchmarks.speed.crawls import ROUNDS, CrawlOptions, lateness, rates
from benchmarks.speed.pages import MAX_PAGES, all_patterns, time_set
from benchmarks.speed.replay import replayed
from benchmarks.speed.report import Speed, report
from benchmarks.speed.scale import growth, memory, pattern_file
from benchmarks.tables import publish
from scrapy_stemmer import UnknownLearner, __version__, learn
from scrapy_stemmer.learners.base import get_learner
from scrapy_stemmer.learning import DEFAULT_LEARNER
from scrapy_stemmer.page.text import visible
from scrapy_stemmer.patterns.base import Pattern

TARGET = ROOT / "benchmarks" / "results" / "speed.md"

HEAD = """# Speed: measured

Written by `make bench` (`python -m benchmarks.speed --write`). How it is measured:
[benchmarks](../README.md)."""

PARTS = ("pages", "growth", "memory", "patterns", "crawl", "replay", "loop")


def english_pages() -> list[GoldPage]:
    """Return the pages that generated pages are made from: the English half of the bundled site."""
    return bundled_set().sites["heron.example"]


def run(options: argparse.Namespace, work: Path) -> Speed:
    """Measure what is asked for."""
    peers = {} if options.no_peers or "pages" not in options.only else load_peers()
    get_learner(options.learner)
    golds, only = english_pages(), options.only
    crawl = CrawlOptions(options.learner, options.site_folder, options.rounds)
    chosen = find_sets(options.sets, options.data) if "pages" in only else iter(())
    sets = [time_set(page_set, options.learner, peers, options.max_pages) for page_set in chosen]
    real = find_sets(options.sets, options.data) if "replay" in only else iter(())
    return Speed(
        sets,
        growth(golds, options.learner) if "growth" in only else None,
        memory(golds, options.learner, work) if "memory" in only else None,
        pattern_file(all_patterns(sets) or _patterns(golds, options.learner), work) if "patterns" in only else None,
        rates(golds, crawl, work) if "crawl" in only else None,
        lateness(golds, crawl, work) if "loop" in only else {},
        [replayed(page_set, options.learner, work / page_set.name, options.rounds) for page_set in real],
    )


def _patterns(golds: Sequence[GoldPage], learner: str) -> Sequence[Pattern]:
    return learn(as_pages(golds)[:20], learner).patterns


def machine(options: argparse.Namespace) -> str:
    """Return the compared versions and the machine."""
    known = {"scrapy-stemmer": __version__, **({} if options.no_peers else versions(PEERS))}
    line = ", ".join(f"{name} {number}" for name, number in known.items())
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"Learner {options.learner}; {line}; {python}."


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    command.add_argument("sets", nargs="*", help=f"names of sets, paths, or {BUNDLED!r}; none: all")
    command.add_argument("--data", type=Path, help="folder of sets; default: ../shared/data, else the bundled site")
    command.add_argument("--learner", default=DEFAULT_LEARNER, help="default: %(default)s")
    command.add_argument("--no-peers", action="store_true", help="do not time the peers")
    command.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    command.add_argument(
        "--max-pages", type=int, default=MAX_PAGES, metavar="N", help="timed of each set, about; default: %(default)s"
    )
    command.add_argument("--rounds", type=int, default=ROUNDS, help="of crawls (default: %(default)s)")
    command.add_argument("--site-folder", type=Path, help="crawl this folder of HTML, from its index.html on")
    command.add_argument("--write", action="store_true", help="write benchmarks/results/speed.md")
    options = command.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as work:
            speed = run(options, Path(work))
        text = report(speed, machine(options))
    except (SetError, PeerMissingError, UnknownLearner) as error:
        print(visible(f"benchmarks.speed: {error}"), file=sys.stderr)
        return 1
    publish(text, TARGET, HEAD, write=options.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
