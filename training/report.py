"""Tables of ``training/results.md``: results, and the worth of features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.folds import ASIDE, FIVE, Fold
from benchmarks.quality.runs import run_alone, run_fold
from benchmarks.scoring import GOOD, PageResult, reliability, summary, sure, unsure
from benchmarks.sets import PageSet, is_of_single_pages
from benchmarks.tables import percent, replace_marked, table
from scrapy_stemmer.learners.rules.decide.confidence import Terms, confidence_of
from training.confidence import KINDS, Seen
from training.definitions import definition_of
from training.fit import Fitted
from training.pages import all_sets

RESULTS, FEATURES, CONFIDENCE = "results", "features", "confidence"  # the marks between which the tables stand

NAMED = 4  # of features that share a definition at most this many are named
WORTH = 0.01  # share of the gain from which on a feature has a row of its own
LEAST = 0.1  # confidence below which crawls write no text unless they are asked to, and told of here
HALF = 0.5  # a page of a lower F1 has more wrong words than right ones

PARTS = ("fitted on", "third aside")  # the sites, by membership in the third set aside
TYPES_OF = ("sites", "onepage/wcxb")  # the sets whose results are told by page type too


def write_report(path: Path, folder: Path, fitted: Fitted) -> None:
    """Put the tables into a file with their marks."""
    replace_marked(path, RESULTS, results_table(list(all_sets(folder))))
    replace_marked(path, FEATURES, features_table(fitted))


def results_table(sets: Sequence[PageSet]) -> str:
    """F1 of the learner by sets and page types, with scorers that were not trained on the sites.

    Single pages are stripped alone.
    """
    rows = []
    for page_set in sets:
        if not page_set.pages:
            continue  # such as a set of products, whose gold is no text
        five, aside = _results(page_set, FIVE), _results(page_set, [ASIDE])
        rows.append(_row(page_set.name, five, aside))
        types = sorted({result.type for result in five if result.type}) if page_set.name in TYPES_OF else []
        for kind in types:
            of_kind = [[result for result in results if result.type == kind] for results in (five, aside)]
            rows.append(_row(f"... {kind}", *of_kind))
    heads = ["set", "pages", "F1, five folds", "sites >= .95", "pages aside", "F1, third aside", "sites >= .95"]
    return table(heads, rows)


def _results(page_set: PageSet, folds: Iterable[Fold]) -> list[PageResult]:
    run = run_alone if is_of_single_pages(page_set.name) else run_fold
    return [result for fold in folds for result in run(page_set, fold)]


def _row(name: str, *results: Sequence[PageResult]) -> list[str]:
    cells = [name]
    for mean in map(summary, results):
        cells += [str(mean.pages), percent(mean.f1), percent(mean.good_sites, 0)] if mean else ["0", "", ""]
    return cells


def features_table(fitted: Fitted) -> str:
    """Return the groups of features with their shares of the total gain by splits, and the features worth most."""
    gain = np.asarray(fitted.booster.feature_importance("gain"), np.float64)
    shares = dict(zip(fitted.names, (gain / max(gain.sum(), 1e-9)).tolist(), strict=True))
    by_definition: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in fitted.names:
        by_definition[definition_of(name)].append(name)
    groups: defaultdict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for (group, text), names in by_definition.items():
        groups[group].append((text, names))
    rows = []
    for group, features in groups.items():
        total = sum(shares[name] for _, names in features for name in names)
        rows.append([f"**{group}**", "", f"**{percent(total, 1)}**"])
        for text, names in features:
            worth = sum(shares[name] for name in names)
            if worth >= WORTH:
                rows.append([_named(names), text, percent(worth, 1)])
    return table(["feature", "what it is", "% of gain"], rows)


def _named(names: Sequence[str]) -> str:
    """Some names, of many the first ones."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:NAMED]) + more


# Confidence

Parts = Mapping[tuple[str, str], Sequence[PageResult]]
"""Pages with a confidence, by part of the sites and kind of sample."""


def write_confidence(path: Path, seen: Sequence[Seen], weights: Terms) -> None:
    """Put the tables about confidence into a file with their marks.

    :param weights: weights fitted without the third set aside.
    """
    parts: dict[tuple[str, str], list[PageResult]] = {(name, kind): [] for name in PARTS for kind in KINDS}
    for page in seen:
        result = replace(page.result, confidence=confidence_of(page.signs, weights))
        parts[PARTS[ASIDE.holds(page.brand)], page.kind].append(result)
    replace_marked(path, CONFIDENCE, sure_table(parts))


def sure_table(parts: Parts) -> str:
    """Return the numbers of sure pages, and of good pages among the sure; of unsure pages, and of bad pages among the
    unsure."""
    heads = ["sites", "sample", "pages", "confidence, mean %", "good %", f"% above {GOOD}", "good %"]
    heads += [f"% below {LEAST}", f"F1 < {HALF} %"]
    return table(heads, [[*part, *_sure_cells(results)] for part, results in parts.items()])


def _sure_cells(results: Sequence[PageResult]) -> list[str]:
    (all_,), above, below = reliability(results, (0.0, 1.0)), sure(results), unsure(results, LEAST)
    bad = sum(result.score.f1 < HALF for result in results if (result.confidence or 0) < LEAST)
    shares = [all_.confidence, all_.good, above.pages / max(1, len(results)), above.good if above.pages else None]
    shares += [below.pages / max(1, len(results)), bad / below.pages if below.pages else None]
    return [str(len(results)), *(percent(share, 1) for share in shares)]
