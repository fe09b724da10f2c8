"""Gains by a teacher that is asked about three pages of each site.

    python -m benchmarks.teacher                     # the sets of ../shared/data
    python -m benchmarks.teacher portals news --write

The teachers are an extractor, trafilatura, and the gold text itself: no teacher can be better. The default learner has
weights trained without the tested sites. Without shared data there is nothing to measure.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from benchmarks.folds import ASIDE, FIVE, Fold
from benchmarks.peers import attempt, trafilatura
from benchmarks.progress import say
from benchmarks.quality.plan import Workers, processors
from benchmarks.quality.runs import run_fold
from benchmarks.scoring import PageResult, summary
from benchmarks.sets import BUNDLED, ROOT, PageSet, SetError, find_sets
from benchmarks.tables import percent, publish, section, table
from scrapy_stemmer.learners.base import TEACHER_PAGES, Teacher

TARGET = ROOT / "benchmarks" / "results" / "teacher.md"

Task = tuple[str, Fold]  # a teacher, and the fold of the sites that are tested

Results = Mapping[Task, Sequence[PageResult]]


def no_teacher(_: PageSet) -> None:
    """The learner alone."""


def of_trafilatura(_: PageSet) -> Teacher:
    """Return trafilatura's text; each page is extracted once, for all learning."""
    extract = cache(trafilatura())
    return lambda url, html: attempt(extract, html, url)[0]


def of_gold(page_set: PageSet) -> Teacher:
    """The gold text."""
    known = {(page.url, page.html): page.text for page in page_set.pages}
    return lambda url, html: known[url, html]


TEACHERS: Mapping[str, Callable[[PageSet], Teacher | None]] = {
    "alone": no_teacher,
    "trafilatura": of_trafilatura,
    "gold": of_gold,
}


def run(page_set: PageSet, task: Task) -> list[PageResult]:
    """The results on a fold of a set, with a teacher."""
    name, fold = task
    return run_fold(page_set, fold, teacher=TEACHERS[name](page_set))


def report(sets: Mapping[str, Results]) -> str:
    """The tables."""
    parts = [("Folds", _FOLDS, FIVE), ("Sites that were kept aside", _ASIDE, (ASIDE,))]
    return "\n\n".join(section(title, text, _table(sets, folds)) for title, text, folds in parts)


_FOLDS = "All sites, each with weights of the four fifths that it is not in."
_ASIDE = (
    "The third of the sites on which nothing was tried when the weight of the teacher was chosen, with weights of the "
    "other two."
)


def _table(sets: Mapping[str, Results], folds: Sequence[Fold]) -> str:
    rows = []
    for name, results in sets.items():
        by_teacher = {teacher: [result for fold in folds for result in results[teacher, fold]] for teacher in TEACHERS}
        sums = [summary(of_teacher) for of_teacher in by_teacher.values()]
        sites = len({result.site for result in by_teacher["alone"]})
        rows.append([name, str(sites), *(percent(result.f1 if result else None) for result in sums)])
    return table(["set", "sites", *TEACHERS], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.teacher", description=__doc__)
    command.add_argument("sets", nargs="*", metavar="SET", help="names of sets; default: all of them")
    command.add_argument("--data", type=Path, help="folder of the sets; default: ../shared/data")
    command.add_argument("--jobs", type=int, default=processors(), help="processes at a time (default: all processors)")
    command.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    options = command.parse_args(arguments)
    tasks = [(teacher, fold) for teacher in TEACHERS for fold in (*FIVE, ASIDE)]
    measured: dict[str, Results] = {}
    try:
        with Workers(options.jobs) as workers:
            for page_set in find_sets(options.sets, options.data):
                if page_set.name != BUNDLED:
                    measured[page_set.name] = workers.start(partial(run, page_set), tasks, f"{page_set.name}: ")()
    except SetError as error:
        say(f"Teachers are not measured: {error}")
        return 0
    if not measured:
        say("Teachers are not measured: there are no sets but the bundled site, which teaches nothing of others")
        return 0
    publish(report(measured), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = f"""# Teachers: measured

Written by `make bench` (`python -m benchmarks.teacher --write`). Mean F1 of the pages that were not learned (of sites
of two pages: of both), of the default learner alone and with a [teacher](../../docs/howto/teacher.md) that is asked
about {TEACHER_PAGES} pages of each site: another extractor, and the gold text, which no teacher can better."""

if __name__ == "__main__":
    sys.exit(main())
