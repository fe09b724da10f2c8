"""Delay of noticing a changed site, false alarms on unchanged sites, and F1 before and after.

A site is learned; then its host serves the pages of a second site:

    python -m benchmarks.drift                   # 236 pairs of ../shared/data/sites.jsonl.gz
    python -m benchmarks.drift --pairs 1 --write

Both sites of a pair are of one fold, whose scorer was trained without them. Without shared data there is nothing to
measure.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path

from benchmarks.folds import FIVE, Fold, brand_of, learner_for
from benchmarks.progress import say
from benchmarks.protocol import LARGE, LEARNED, shuffled
from benchmarks.quality.plan import Workers, processors
from benchmarks.scoring import score
from benchmarks.sets import ROOT, GoldPage, PageSet, SetError, find_sets
from benchmarks.tables import percent, publish, section, table
from scrapy_stemmer import Page, learn
from scrapy_stemmer.drift import DRIFT_PAGES, NO_EVIDENCE, unusual_share
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.page.document import Document, root_of
from scrapy_stemmer.patterns.base import Level, Pattern, level_for
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.stores.base import added

TARGET = ROOT / "benchmarks" / "results" / "drift.md"

SET = "sites"

HOST = "http://changing.example"  # where all pages are said to be from
WATCHED = 50  # pages after which a change has to be found
WATCHED_MIXED = 100  # most pages until it is found, while half of the pages are old
WATCHED_UNCHANGED = 300  # pages of a site that did not change
SEED = 0  # of pairs, and of the order in which pages are met


@dataclass(frozen=True, slots=True)
class Site:
    """A site of which some pages are learned; they are parsed."""

    name: str
    learned: tuple[Page, ...]  # those
    tested: tuple[tuple[Page, GoldPage], ...]  # the others, with their gold texts

    @classmethod
    def of(cls, golds: Sequence[GoldPage]) -> Site:
        """The site of some pages, of which ten are learned as in all benchmarks."""
        pages = []
        for number, gold in enumerate(golds):
            url = f"{HOST}/{gold.site}/{number}"
            pages.append(Page(url, root_of(Page(url, gold.html))))
        order = shuffled(len(golds))
        tested = tuple((pages[number], golds[number]) for number in order[LEARNED:])
        return cls(golds[0].site, tuple(pages[number] for number in order[:LEARNED]), tested)

    def f1(self, patterns: Sequence[Pattern]) -> float:
        """The mean F1 of the pages that were not learned."""
        scores = [score(stripped(patterns, page).text, gold.text, gold.optional).f1 for page, gold in self.tested]
        return statistics.fmean(scores)


@dataclass(frozen=True, slots=True)
class Change:
    """Results for a pair of sites."""

    sites: tuple[str, str]
    found: int | None  # pages until the change was found; ``None`` when it was not, within :data:`WATCHED`
    found_mixed: int | None  # pages until noticed while half of the pages are old, within :data:`WATCHED_MIXED`
    before: float  # F1 of the old site, as it was learned
    changed: float  # F1 of the new site by the patterns of the old site
    relearned: float  # F1 of the new site by patterns learned later, beside the old layouts
    fresh: float  # F1 of the new site had it been learned alone
    old: float  # F1 of the old site's pages when the layouts of both stand side by side


@dataclass(frozen=True, slots=True)
class FoldResult:
    """Results for a fold."""

    changes: tuple[Change, ...]
    # by unchanged site, the page of a false alarm; ``None`` without
    alarms: Mapping[str, int | None]


def stripped(patterns: Iterable[Pattern], page: Page) -> Stripped:
    """A page stripped."""
    return strip_by(patterns, Document(page))


@dataclass(frozen=True, slots=True)
class Watched:
    """Results of watching."""

    found: int | None  # the number of the page at which the change was found
    unusual: tuple[Page, ...]  # the unusual pages since it has begun


def usual_on(patterns: Sequence[Pattern]) -> Level:
    """Return the usual features of a learned site's sample."""
    level = level_for(patterns, None)
    assert level is not None
    return level


def watch(patterns: Sequence[Pattern], pages: Iterable[Page]) -> Watched:
    """Meet pages until they are found to have changed."""
    usual = usual_on(patterns)
    evidence, unusual, share = NO_EVIDENCE, list[Page](), unusual_share(usual)
    for number, page in enumerate(pages, start=1):
        is_new = usual.is_unusual(stripped(patterns, page))
        evidence = evidence.after(is_new, share)
        unusual = [*unusual, page] if is_new else unusual if evidence.pages else []
        if evidence.is_drift(DRIFT_PAGES, share):
            return Watched(number, tuple(unusual))
    return Watched(None, tuple(unusual))


def drawn(pages: Sequence[Page], rng: random.Random) -> Iterator[Page]:
    """Pages at random, without end; a site has too few of them to be watched for long."""
    while True:
        yield rng.choice(pages)


def mixed(old: Sequence[Page], new: Sequence[Page], rng: random.Random) -> Iterator[Page]:
    """Old and new pages at random, half of each, without end."""
    while True:
        yield rng.choice(old if rng.random() < 0.5 else new)


def change(old: Site, new: Site, learner: Learner) -> Change:
    """Learn a site, go on with the second, learn again once the change is noticed."""
    patterns = learn(old.learned, learner).patterns
    rng = random.Random(f"{SEED} {old.name} {new.name}")
    seen = watch(patterns, islice(drawn(new.learned, rng), WATCHED))
    olds = [page for page, _ in old.tested]
    seen_mixed = watch(patterns, islice(mixed(olds, new.learned, rng), WATCHED_MIXED))
    sample = relearning_sample(seen, patterns, new.learned)
    again = added(patterns, learn(sample, learner).patterns) if seen.found else patterns
    return Change(
        (old.name, new.name),
        seen.found,
        seen_mixed.found,
        before=old.f1(patterns),
        changed=new.f1(patterns),
        relearned=new.f1(again),
        fresh=new.f1(learn(new.learned, learner).patterns),
        old=old.f1(again),
    )


def relearning_sample(seen: Watched, patterns: Sequence[Pattern], following: Iterable[Page]) -> Sequence[Page]:
    """Return the pages for relearning a changed site: unusual pages, the pages before the notice first."""
    chosen = {page.url: page for page in seen.unusual}
    for page in following:
        if usual_on(patterns).is_unusual(stripped(patterns, page)):
            chosen.setdefault(page.url, page)
    return list(chosen.values())[:LEARNED]


def false_alarm(site: Site, learner: Learner) -> int | None:
    """Return the page of a false alarm on an unchanged site."""
    patterns = learn(site.learned, learner).patterns
    pages = drawn([page for page, _ in site.tested], random.Random(f"{SEED} {site.name}"))
    return watch(patterns, islice(pages, WATCHED_UNCHANGED)).found


def pairs_of(names: Sequence[str], count: int) -> Iterator[tuple[str, str]]:
    """Return for each site some random partners."""
    for name in names:
        others = sorted(set(names) - {name})
        rng = random.Random(f"{SEED} {name}")
        yield from ((name, other) for other in rng.sample(others, min(count, len(others))))


def run_fold(page_set: PageSet, pairs: int, fold: Fold, make: Callable[[Fold], Learner] = learner_for) -> FoldResult:
    """Return all measurements of a fold."""
    golds = {name: of for name, of in page_set.sites.items() if fold.holds(brand_of(of)) and len(of) >= LARGE}
    sites = {name: Site.of(of) for name, of in golds.items()}
    learner = make(fold)
    changes = tuple(change(sites[old], sites[new], learner) for old, new in pairs_of(sorted(sites), pairs))
    return FoldResult(changes, {name: false_alarm(site, learner) for name, site in sites.items()})


# Report


def _share_found(pages: Sequence[int | None]) -> str:
    return percent(sum(number is not None for number in pages) / len(pages), 1)


def _middle(pages: Sequence[int | None]) -> str:
    known = [number for number in pages if number is not None]
    return f"{statistics.median(known):g}" if known else ""


def report(folds: Mapping[Fold, FoldResult]) -> str:
    """The tables."""
    groups = {str(fold): result for fold, result in folds.items()}
    changes = tuple(change for result in folds.values() for change in result.changes)
    groups["all"] = FoldResult(
        changes, {name: alarm for result in folds.values() for name, alarm in result.alarms.items()}
    )
    rows = [_found_row(name, result) for name, result in groups.items() if result.changes]
    heads = ["fold", "pairs", f"found in {WATCHED} %", "median", f"mixed, in {WATCHED_MIXED} %", "median", "false"]
    return "\n\n".join(
        (
            section("Found", _FOUND, table(heads, rows)),
            section("F1", _F1, _f1_table(changes)),
        )
    )


_FOUND = (
    "Pairs of sites: pages of the second one come from the host of which the first one was learned. Median: pages "
    "until it was found. Mixed: half of the pages, at random, are still old ones. False: of the sites that did not "
    f"change, those that are taken for changed within {WATCHED_UNCHANGED} pages."
)
_F1 = (
    "Mean over pairs, of pages that were not learned. Before: the old site. At the change: the new site with the old "
    "layouts. Relearned: the new site with its own layouts beside the old ones, learned from the unusual pages. Fresh: "
    "the new site learned alone. Old pages after: the old site with the layouts of both."
)


def _found_row(name: str, result: FoldResult) -> list[str]:
    pages = [change.found for change in result.changes]
    pages_mixed = [change.found_mixed for change in result.changes]
    alarms = sum(alarm is not None for alarm in result.alarms.values())
    return [
        name,
        str(len(pages)),
        _share_found(pages),
        _middle(pages),
        _share_found(pages_mixed),
        _middle(pages_mixed),
        f"{alarms} of {len(result.alarms)}",
    ]


def _f1_table(changes: Sequence[Change]) -> str:
    groups = {
        "all": changes,
        "found": [change for change in changes if change.found is not None],
        "not found": [change for change in changes if change.found is None],
        "F1 fell by .15 and more": [change for change in changes if change.changed < change.fresh - 0.15],
    }
    columns = ("before", "changed", "relearned", "fresh", "old")
    rows = [
        [name, str(len(group)), *(percent(statistics.fmean(map(attrgetter(column), group))) for column in columns)]
        for name, group in groups.items()
        if group
    ]
    return table(["pairs", "", "before", "at the change", "relearned", "fresh", "old pages after"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.drift", description=__doc__)
    command.add_argument("--data", type=Path, help="folder of the set; default: ../shared/data")
    command.add_argument("--pairs", type=int, default=2, metavar="N", help="pairs a site (default: %(default)s)")
    command.add_argument("--jobs", type=int, default=processors(), help="processes at a time (default: all processors)")
    command.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    options = command.parse_args(arguments)
    try:
        page_set = next(find_sets([SET], options.data))
    except SetError as error:
        say(f"Drift is not measured: {error}")
        return 0
    with Workers(options.jobs) as workers:
        folds = workers.start(partial(run_fold, page_set, options.pairs), FIVE, "drift: fold ")()
    publish(report(folds), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = """# Changed sites: measured

Written by `make bench` (`python -m benchmarks.drift --write`). What is watched, and how:
[when a site changes](../../docs/howto/changes.md)."""

if __name__ == "__main__":
    sys.exit(main())
