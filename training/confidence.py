"""Fitting the weights of confidence: pages stripped alone, with small and with full samples, by scorers that have seen
nothing of their sites; see :func:`scrapy_stemmer.learners.rules.decide.confidence.confidence_of`."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benchmarks.folds import FIVE, Fold, brand_of, learner_for, weights_of, with_fold
from benchmarks.protocol import Split, splits
from benchmarks.quality.plan import Workers
from benchmarks.scoring import GOOD, PageResult, score
from benchmarks.sets import ALONE as ONE_PAGE
from benchmarks.sets import PageSet, as_pages, set_files
from scrapy_stemmer import Stripped, learn, strip
from scrapy_stemmer.learners.rules.decide.confidence import ConfidenceSigns, Terms, terms_of
from scrapy_stemmer.learners.rules.decide.page import RulesPage
from training.export import digest, rounded, versions
from training.pages import sites_of, training_sets

KINDS = ALONE, SMALL, FULL = ("page alone", "small sample", "full sample")
"""Kinds of samples; confidence is to mean the same in each."""

SIZES = (1, 2, 3, 5) * 2  # of the small samples of a site

MOST_ALONE, MOST_SMALL, MOST_FULL = 8, 6, 30
"""Most pages of a site stripped alone, with a small sample, with a full sample."""

MOST_SAMPLES = 6  # full samples of a site, at most

NO_GOLD = frozenset({f"{ONE_PAGE}/fixtures"})
"""Sets whose gold texts come from extractors: they don't tell which pages are good."""

SIGNS = Terms(base=0, expected=1, unknown=-1, few=-1)
"""Signs of the weights: a term of the opposite sign is left out, so that more knowledge never lowers the confidence."""

DIGITS = 3  # significant digits of a weight
RIDGE = 1.0  # of all weights; in pages, so that it decides only with next to none
STEPS = 30  # Newton's; ten are enough

LIBRARIES = ("numpy", "lxml", "rapidfuzz")  # what reads the pages and fits the weights


@dataclass(frozen=True, slots=True)
class Seen:
    """A page that was stripped."""

    result: PageResult  # the resulting score; its confidence is unknown
    brand: str  # of its site; see :func:`benchmarks.folds.brand_of`
    kind: str  # one of :data:`KINDS`
    signs: ConfidenceSigns  # the signs behind the confidence

    @property
    def site(self) -> tuple[str, str, str]:
        """The sample's kind and the site, by its set."""
        return self.kind, self.result.set_name, self.result.site


# Pages


def seen_in(folder: Path, workers: Workers) -> list[Seen]:
    """Pages of all sets of a folder, stripped by the scorers of the five folds."""
    seen: list[Seen] = []
    for page_set in training_sets(folder):
        if page_set.name not in NO_GOLD:
            by_fold = workers.start(partial(seen_of_fold, page_set), FIVE, f"{page_set.name}: fold ")()
            seen += chain.from_iterable(by_fold.values())
    return seen


def seen_of_fold(page_set: PageSet, fold: Fold) -> list[Seen]:
    """Return pages of a set's sites of a fold, stripped by a scorer trained without the fold."""
    learner, scorer, seen = learner_for(fold), with_fold(fold), []
    for name, golds in sites_of(page_set).items():
        brand = brand_of(golds)
        if not fold.holds(brand):
            continue
        pages = as_pages(golds)
        for kind, split in drawn(name, len(golds)):
            patterns = learn([pages[number] for number in split.learned], learner=learner) if split.learned else None
            for number in split.tested:
                page = replace(pages[number], anchors=())  # as in a crawl
                stripped = patterns.strip(page) if patterns else strip(page, scorer=scorer)
                signs = signs_of(stripped)
                if signs:
                    scored = score(stripped.text, golds[number].text, golds[number].optional)
                    result = PageResult(page_set.name, name, golds[number].id, scored)
                    seen.append(Seen(result, brand, kind, signs))
    return seen


def signs_of(stripped: Stripped) -> ConfidenceSigns | None:
    """Return the signs behind the confidence in a page; ``None`` without text."""
    labels = stripped._labels
    return labels.signs if stripped.text and isinstance(labels, RulesPage) else None


def drawn(name: str, count: int) -> Iterator[tuple[str, Split]]:
    """Return learned and tested pages of a site, and the kind of sample; equal at each call.

    :param count: the pages of the site. A single page gives no learned pages.
    """
    dice = random.Random(crc32(name.encode()))
    yield ALONE, Split((), tuple(dice.sample(range(count), min(count, MOST_ALONE))))
    for size in SIZES:
        if size < count:
            order = dice.sample(range(count), count)
            yield SMALL, Split(tuple(order[:size]), tuple(order[size : size + MOST_SMALL]))
    full = list(splits(count)) if count > 1 else []
    for split in dice.sample(full, min(len(full), MOST_SAMPLES)):
        yield FULL, Split(split.learned, split.tested[:MOST_FULL])


# Weights


def weights_of_pages(seen: Sequence[Seen]) -> NDArray[np.float64]:
    """Return the weight of each page: equal for the kinds of samples, and within a kind by site with the root of its
    pages."""
    pages = Counter(page.site for page in seen)
    weights: NDArray[np.float64] = np.array([pages[page.site] ** -0.5 for page in seen])
    kinds = np.array([page.kind for page in seen])
    for kind in set(kinds.tolist()):
        weights[kinds == kind] /= weights[kinds == kind].sum()
    weights *= len(seen) / weights.sum()
    return weights


def fitted_weights(seen: Sequence[Seen]) -> Terms:
    """Return the weights of terms whose log-odds of good pages are nearest to the observed pages."""
    rows = np.array([terms_of(page.signs) for page in seen])
    good = np.array([page.result.score.f1 >= GOOD for page in seen], np.float64)
    counts, signs = weights_of_pages(seen), np.array(SIGNS)
    chosen = np.ones(len(signs), bool)
    while True:
        weights = np.zeros(len(signs))
        weights[chosen] = logistic(rows[:, chosen], good, counts)
        if not (weights * signs < 0).any():
            return Terms(*(rounded(value, DIGITS) for value in weights.tolist()))
        chosen &= weights * signs >= 0


def logistic(
    rows: NDArray[np.float64], good: NDArray[np.float64], counts: NDArray[np.float64], ridge: float = RIDGE
) -> NDArray[np.float64]:
    """Return the weights of a logistic regression, by Newton's method.

    :param rows: the terms of each page.
    :param good: 1 for good pages, else 0.
    :param counts: the weight of each page.
    :param ridge: the factor of the squared weights.
    """
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (good - chances)) - ridge * weights
        bend = (rows.T * (counts * chances * (1 - chances))) @ rows + ridge * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


# The file


def provenance(folder: Path, seen: Iterable[Seen]) -> dict[str, Any]:
    """Return the data and versions behind the weights."""
    return {
        "data": digest([*set_files(folder), *set_files(folder / ONE_PAGE)]),
        "scorers": digest(map(weights_of, FIVE)),
        "pages": dict(sorted(Counter(page.kind for page in seen).items())),
        "versions": versions(LIBRARIES),
    }


def write(weights: Terms, made_from: Mapping[str, Any], path: Path) -> None:
    """Write the weights to a file, each by its name."""
    record = {"provenance": made_from, "weights": weights._asdict()}
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
