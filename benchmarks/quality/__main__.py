"""The command: ``python -m benchmarks.quality``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.folds import ASIDE, FIVE, FoldError, learner_for
from benchmarks.peers import PEERS, PeerMissingError, load_peers, versions
from benchmarks.quality.plan import Measured, Plan, Workers, measure, measure_alone, processors
from benchmarks.quality.report import Told, alone_sets, alone_table, comparison_table, f1_table, report
from benchmarks.sets import (
    ALONE,
    BUNDLED,
    ROOT,
    SHARED,
    PageSet,
    SetError,
    find_sets,
    is_of_single_pages,
    set_files,
    set_name,
)
from benchmarks.tables import publish, replace_marked
from scrapy_stemmer import UnknownLearner, __version__
from scrapy_stemmer.learners.base import get_learner, learner_names
from scrapy_stemmer.learning import DEFAULT_LEARNER
from scrapy_stemmer.page.text import visible

TARGET = ROOT / "benchmarks" / "results" / "quality.md"
README = ROOT / "README.md"
LITERATURE = ROOT / "docs" / "learners" / "literature.md"
MARK, MARK_ALONE, MARK_LITERATURE = "comparison", "alone", "measured"

OF_SINGLE_PAGES = ("publishers", "aeb", "trafeval", "wcxb")
"""Sets of single pages measured by default; gold texts of further sets tell little."""

HEAD = """# Quality: measured

Written by `make bench` (`python -m benchmarks.quality --write`). How it is measured:
[benchmarks](../README.md)."""


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    command.add_argument("sets", nargs="*", help=f"names of sets, folders, paths, or {BUNDLED!r}; none: all")
    command.add_argument("--data", type=Path, help="folder of sets; default: ../shared/data, else the bundled site")
    command.add_argument("--learners", nargs="+", metavar="NAME", default=learner_names(), help="default: all")
    command.add_argument("--peers", nargs="+", choices=list(PEERS), default=list(PEERS), help="default: all")
    command.add_argument("--no-peers", action="store_true", help="learners only: the extra [bench] is not needed")
    command.add_argument("--brief", action="store_true", help="no learning curve and single title rules")
    command.add_argument("--folds", action="store_true", help="strip each site with weights trained without its fold")
    command.add_argument("--max-pages", type=int, metavar="N", help="take at most N pages of each set")
    command.add_argument("--worst", type=int, default=0, metavar="N", help="list the N worst pages (default: none)")
    command.add_argument("--jobs", type=int, default=processors(), help="processes at a time (default: all processors)")
    command.add_argument("--write", action="store_true", help="write benchmarks/results/quality.md")
    command.add_argument(
        "--readme",
        action="store_true",
        help="put the comparisons into README.md and docs/learners",
    )
    return command


def run(options: argparse.Namespace) -> list[Measured]:
    """Measure the chosen parts; missing data and packages are found out first."""
    peers = [] if options.no_peers else options.peers
    load_peers(peers)
    for name in options.learners:
        get_learner(name)
    for fold in (*FIVE, ASIDE) if options.folds else ():
        learner_for(fold)
    plan = Plan(options.learners, peers, more=not options.brief, jobs=options.jobs, folds=options.folds)
    with Workers(plan.jobs) as workers:
        sets = (page_set.capped(options.max_pages) for page_set in chosen_sets(options))
        measures = ((measure_alone if is_of_single_pages(page_set.name) else measure, page_set) for page_set in sets)
        return [by(page_set, plan, workers) for by, page_set in measures]


def chosen_sets(options: argparse.Namespace) -> Iterator[PageSet]:
    """Return the named sets; else all, and the existing sets of single pages."""
    yield from find_sets(options.sets, options.data)
    there = set(map(set_name, set_files((options.data or SHARED) / ALONE))) if not options.sets else set()
    names = [f"{ALONE}/{name}" for name in OF_SINGLE_PAGES if name in there]
    yield from find_sets(names, options.data) if names else ()


def versions_line(options: argparse.Namespace) -> str:
    """Return the compared versions."""
    peers = {} if options.no_peers else versions(options.peers)
    known = {"scrapy-stemmer": __version__, **peers}
    line = ", ".join(f"{name} {number}" for name, number in known.items())
    return f"{line}, Python {sys.version_info.major}.{sys.version_info.minor}."


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    options = parser().parse_args(arguments)
    try:
        sets = run(options)
    except (SetError, PeerMissingError, UnknownLearner, FoldError) as error:
        print(visible(f"benchmarks.quality: {error}"), file=sys.stderr)
        return 1
    publish(report(sets, Told(versions_line(options), options.worst)), TARGET, HEAD, write=options.write)
    if options.readme:
        learned, alone = [measured for measured in sets if not measured.is_alone], alone_sets(sets)
        for mark, text in ((MARK, comparison_table(learned) if learned else ""), (MARK_ALONE, alone_table(alone))):
            if text:
                replace_marked(README, mark, text)
        literature = [name for name in options.learners if name != DEFAULT_LEARNER]
        if learned and literature:
            replace_marked(LITERATURE, MARK_LITERATURE, f1_table(learned, literature))
    return 0


if __name__ == "__main__":
    sys.exit(main())
