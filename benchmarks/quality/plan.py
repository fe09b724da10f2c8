"""Measurements of a set, and their work, shared out among processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from benchmarks.folds import ASIDE, FIVE, Fold
from benchmarks.peers import PEERS
from benchmarks.progress import say
from benchmarks.protocol import CURVE
from benchmarks.quality.runs import (
    Run,
    first_heading,
    likest_heading,
    run_alone,
    run_curve,
    run_fold,
    run_folds,
    run_learner,
    run_peer,
)
from benchmarks.scoring import PageResult, same_title
from benchmarks.sets import GoldPage, PageSet, is_of_single_pages
from scrapy_stemmer.learning import DEFAULT_LEARNER

ITSELF = 0  # size of a sample that is the page itself

SIZES = (ITSELF, *CURVE)

Results = list[PageResult]

TitlesRight = dict[tuple[str, str], bool]  # True for right titles, by site and name of a page

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Plan:
    """Measurements to take."""

    learners: Sequence[str]  # by the protocol
    peers: Sequence[str] = tuple(PEERS)  # on all pages
    more: bool = True  # whether the default learner's curve and titles are measured too
    jobs: int = 1  # processes at a time
    # the default learner gets weights trained without the tested sites
    folds: bool = False

    @property
    def chief(self) -> str:
        """Return the learner to look at closely: the default learner, or the first; empty without any."""
        is_default = self.folds or DEFAULT_LEARNER in self.learners
        return DEFAULT_LEARNER if is_default else next(iter(self.learners), "")

    def chief_run(self, page_set: PageSet) -> Run:
        """The run of that learner over a set."""
        return partial(run_folds, page_set) if self.folds else partial(run_learner, page_set, self.chief)


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of a set."""

    name: str
    pages: int
    site_names: tuple[str, ...]
    # results on the tested pages, by learner. The default learner's are from the five folds, if these were
    # asked for
    learners: Mapping[str, Results]
    peers: Mapping[str, Results] = field(default_factory=dict)  # results on all pages, by peer
    # results of the default learner by the size of the sample
    curve: Mapping[int, Results] = field(default_factory=dict)
    # by single rules, True for right titles, of each page with a gold title
    titles: Mapping[str, TitlesRight] = field(default_factory=dict)
    # besides the folds, results of the default learner with the shipped weights
    shipped: Results = field(default_factory=list)
    # results on the third of the sites set aside, with weights of the rest
    aside: Results = field(default_factory=list)

    @property
    def is_alone(self) -> bool:
        """Return True if each page was stripped alone."""
        return is_of_single_pages(self.name)

    @property
    def default(self) -> Results:
        """Return the results of the default learner, or of the only learner."""
        return self.learners.get(DEFAULT_LEARNER) or next(iter(self.learners.values()), [])


TITLE_RULES: Mapping[str, Callable[[GoldPage], str | None]] = {
    "first h1": first_heading,
    "h1 most like the head's title": likest_heading,
}


def run_title_rule(page_set: PageSet, rule: str) -> TitlesRight:
    """Return the gold titles found by a rule."""
    find = TITLE_RULES[rule]
    return {(page.site, page.id): same_title(find(page), page.title) for page in page_set.pages if page.title}


def _named_peer(page_set: PageSet, name: str) -> Results:
    return run_peer(page_set, PEERS[name]())


class Workers:
    """Runs tasks in processes, or at once when there is to be one process only.

    :param jobs: processes at a time.
    """

    def __init__(self, jobs: int) -> None:
        self._pool = ProcessPoolExecutor(jobs) if jobs > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def start(self, work: Callable[[K], V], keys: Iterable[K], what: str) -> Callable[[], dict[K, V]]:
        """Start the work for each key; the result waits for the work.

        :param what: the message for each finished key.
        """
        if self._pool is None:
            results = {key: _said(work(key), f"{what}{key}") for key in keys}
            return lambda: results
        started = {key: self._pool.submit(work, key) for key in keys}
        return lambda: {key: _said(future.result(), f"{what}{key}") for key, future in started.items()}


def _said(result: V, what: str) -> V:
    say(what)
    return result


def measure(page_set: PageSet, plan: Plan, workers: Workers) -> Measured:
    """Everything that the plan wants of a set."""
    name = page_set.name
    say(f"{name}: {len(page_set.pages)} pages, {len(page_set.sites)} sites")
    more = plan.more and bool(plan.chief)
    chief = plan.chief_run(page_set)
    learners = workers.start(partial(run_learner, page_set), plan.learners, f"{name}: ")
    folds = workers.start(partial(run_fold, page_set), (*FIVE, ASIDE) if plan.folds else (), f"{name}: fold ")
    peers = workers.start(partial(_named_peer, page_set), plan.peers, f"{name}: ")
    curve = workers.start(partial(run_curve, chief), SIZES if more else (), f"{name}: pages learned: ")
    titles = workers.start(partial(run_title_rule, page_set), TITLE_RULES if more else (), f"{name}: title: ")
    measured = Measured(name, len(page_set.pages), tuple(page_set.sites), learners(), peers(), curve(), titles())
    return with_folds(measured, folds()) if plan.folds else measured


def measure_alone(page_set: PageSet, plan: Plan, workers: Workers) -> Measured:
    """Return the measurements of a set of single pages, each stripped alone, as the default learner's."""
    name = page_set.name
    say(f"{name}: {len(page_set.pages)} pages")
    ours = workers.start(partial(run_alone, page_set), FIVE if plan.folds else (None,), f"{name}: alone, without fold ")
    peers = workers.start(partial(_named_peer, page_set), plan.peers, f"{name}: ")
    results = {DEFAULT_LEARNER: [result for of_fold in ours().values() for result in of_fold]}
    return Measured(name, len(page_set.pages), tuple(page_set.sites), results, peers())


def with_folds(measured: Measured, by_fold: Mapping[Fold, Results]) -> Measured:
    """Return the measurements with the results of the folds in place of the default learner's with its own weights."""
    five = [result for fold in FIVE for result in by_fold[fold]]
    return replace(
        measured,
        learners={**measured.learners, DEFAULT_LEARNER: five},
        shipped=measured.learners.get(DEFAULT_LEARNER, []),
        aside=by_fold[ASIDE],
    )


def processors() -> int:
    """The processors of this machine."""
    return os.cpu_count() or 1
