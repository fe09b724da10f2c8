"""A scorer on trial: sites are learned with it and stripped, as by the learner, on pages that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.protocol import splits
from benchmarks.scoring import PageResult, score
from scrapy_stemmer.learners.rules.features import features
from scrapy_stemmer.learners.rules.rules import KEEP, Rule, decisions, learned_rules
from training.pages import LabelledPage, Site
from training.samples import Known, Sample, sample_of

Odds = Callable[[NDArray[np.float32]], NDArray[np.float64]]
"""Gives rows of features log-odds."""

CLIP = 1.5
"""Log-odds count up to this: beyond, a block is sure enough, and one mistake must not outvote ten others."""

PRICE = 0.001
"""A rule must be worth this share of the learned text times its odds."""

UNDECIDED = 0.2
"""Where the odds of this share of a path's text speak against the rule, the scorer decides."""

LEAST = 0.04
"""Up to this share of a page's text, what stands on paths that rules do not decide is left to them anyway."""


@dataclass(frozen=True, eq=False)
class Tested:
    """A page to strip.

    :param number: of the page within the site.
    :param rows: its features, seen as a page of the site that was not learned.
    :param path: for each block the number of its path.
    """

    number: int
    rows: NDArray[np.float32]
    path: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Trial:
    """A site, the pages that are learned of it, and those that are stripped."""

    learned: Sample
    tested: tuple[Tested, ...]

    @property
    def site(self) -> Site:
        """The site."""
        return self.learned.site


class Layout(NamedTuple):
    """What was learned of a site.

    :param keeps: for each path whether its rule keeps it.
    :param decided: for each path whether a rule decides: it was learned, and the rule agrees with the scores.
    """

    rules: list[Rule]
    keeps: NDArray[np.bool_]
    decided: NDArray[np.bool_]


class Methods(NamedTuple):
    """Which blocks of a page are kept.

    :param rules: by rules alone.
    :param scorer: by the scorer alone.
    :param both: as the learner does it.
    """

    rules: NDArray[np.bool_]
    scorer: NDArray[np.bool_]
    both: NDArray[np.bool_]


def trials_of(site: Site, most: int | None = None) -> Iterator[Trial]:
    """The trials of a site, by the protocol of the benchmarks.

    :param most: pages that are tested of one sample; ``None`` stands for all.
    """
    for split in splits(len(site.pages)):
        pages = [site.pages[number] for number in split.learned]
        if any(page.measures for page in pages):
            learned = sample_of(site, split.learned)
            known = Known(pages)
            yield Trial(learned, tuple(tested_of(learned, known, number) for number in split.tested[:most]))


def tested_of(learned: Sample, known: Known, number: int) -> Tested:
    """A page of a site to strip."""
    page = learned.site.pages[number]
    facts = known.facts(learned.site, page, learned.placer)
    rows = np.zeros((0, len(learned.names)), np.float32)
    if page.measures:
        rows, _ = features([facts], learned.placer.paths)
    if number in learned.numbers:  # a page among those that were learned does not repeat itself
        rows = learned.rows[learned.page == learned.numbers.index(number)]
    path = np.array([facts.paths[element] for element in page.columns.elements], np.int64)
    return Tested(number, rows, path)


def layout_of(learned: Sample, odds: NDArray[np.float64]) -> Layout:
    """What is learned of the pages of a sample by the log-odds of their blocks."""
    paths = learned.placer.paths
    size = len(paths)
    by_path = np.bincount(learned.path, np.clip(odds, -CLIP, CLIP) * learned.length, minlength=size)
    rules = learned_rules(paths, by_path.tolist(), PRICE)
    keeps = np.array([rules[number].action == KEEP for number in decisions(paths, rules)], bool)
    against = np.minimum(1.0, np.abs(odds)) * ((odds > 0) != keeps[learned.path])
    wrong = np.bincount(learned.path, learned.length * against, minlength=size)
    length = np.bincount(learned.path, learned.length, minlength=size)
    return Layout(rules, keeps, (length > 0) & (wrong <= UNDECIDED * length))


def kept(layout: Layout, page: LabelledPage, path: NDArray[np.int64], odds: NDArray[np.float64]) -> Methods:
    """Which blocks of a page are kept."""
    by_rules, by_scorer = layout.keeps[path], odds > 0
    open_to_scorer = ~layout.decided[path]
    length = page.lengths
    if (length * open_to_scorer).sum() <= LEAST * length.sum():
        return Methods(by_rules, by_scorer, by_rules)
    return Methods(by_rules, by_scorer, np.where(open_to_scorer, by_scorer, by_rules))


class Outcome(NamedTuple):
    """The result of a page by each of :class:`Methods`, and the number of rules of its layout."""

    rules: PageResult
    scorer: PageResult
    both: PageResult
    rule_count: int


def outcomes(trials: Iterable[Trial], odds: Odds) -> Iterator[Outcome]:
    """The results of trials.

    :param odds: of a scorer that was not trained on the site.
    """
    for trial in trials:
        layout = layout_of(trial.learned, odds(trial.learned.rows))
        for tested in trial.tested:
            page = trial.site.pages[tested.number]
            methods = kept(layout, page, tested.path, odds(tested.rows))
            rules, scorer, both = (result_of(trial.site, page, method) for method in methods)
            yield Outcome(rules, scorer, both, len(layout.rules))


def result_of(site: Site, page: LabelledPage, keeps: Sequence[bool] | NDArray[np.bool_]) -> PageResult:
    """The score of the text that is kept of a page."""
    text = "\n".join(text for text, keep in zip(page.columns.texts, keeps, strict=True) if keep)
    return PageResult(site.set_name, site.name, page.id, score(text, page.gold, page.optional), page.type)
