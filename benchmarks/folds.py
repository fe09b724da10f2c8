"""Folds of sites, and the default learner with weights trained without a fold.

Figures of a learner with trained weights are too good on the training sites. Each site is therefore stripped with
weights trained without its fold. Sites of one brand, such as ``bbc.com`` and ``bbc.co.uk``, are in one fold, in any
sets: they share their makers and their tools.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tldextract import TLDExtract

from benchmarks.sets import ROOT, GoldPage
from scrapy_stemmer.learners.base import Learner, get_learner
from scrapy_stemmer.learning import DEFAULT_LEARNER

WEIGHTS = ROOT / "training" / "folds"  # where the weights of the folds are, a file each

SCORER = "scrapy_stemmer.learners.rules.decide.scorer:Scorer"  # the class whose ``load`` reads a file of weights


class FoldError(Exception):
    """The default learner can't be had without a fold; the message says what is missing."""


class Fold(NamedTuple):
    """One of several parts of all sites."""

    part: int  # its number, from 1
    parts: int  # how many there are

    def __str__(self) -> str:
        return f"{self.part}/{self.parts}"

    def holds(self, brand: str) -> bool:
        """Return True if the sites of a brand are in this fold."""
        return fold_of(brand, self.parts) == self.part


FIVE = tuple(Fold(part, 5) for part in range(1, 6))
"""Five folds: enough that four fifths of the sites train the weights, few enough to train as often."""

ASIDE = Fold(3, 3)  # the third of the sites set aside: its weights were trained on the rest


def fold_of(brand: str, folds: int) -> int:
    """Return the number, from 1, of a brand's fold; by its name alone, for any set of brands."""
    return int(hashlib.sha1(brand.encode()).hexdigest(), 16) // 2 % folds + 1


def brand_of(pages: Iterable[GoldPage]) -> str:
    """Return the brand of a site: the commonest name of its pages' hosts before their public suffix."""
    counts = Counter(_brand(urlsplit(page.url).hostname or page.site) for page in pages)
    return min(counts, key=lambda brand: (-counts[brand], brand))


@cache
def _brand(host: str) -> str:
    parts = _suffixes()(host)
    return parts.domain if parts.suffix else host


@cache
def _suffixes() -> TLDExtract:
    """Public suffixes as they come with tldextract, ``github.io`` among them; none are fetched."""
    return TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)


def weights_of(fold: Fold) -> Path:
    """The file of the weights that were trained without a fold."""
    return WEIGHTS / ("scorer-holdout.json" if fold == ASIDE else f"scorer-{fold.part}.json")


def with_fold(fold: Fold) -> Any:
    """Return the scorer of a fold, trained on the sites of all further folds.

    :raises FoldError: when the scorer is missing.
    """
    path = weights_of(fold)
    if not path.is_file():
        raise FoldError(f"no {path}: train the weights without fold {fold}, or do without --folds.")
    try:
        return resolve_name(SCORER).load(path)
    except (ImportError, AttributeError) as error:
        raise FoldError(f"--folds needs {SCORER}: {error}") from error


def learner_for(fold: Fold) -> Learner:
    """Return the default learner as trained without the sites of a fold."""
    chosen: Any = get_learner(DEFAULT_LEARNER)
    learner: Learner = chosen(scorer=with_fold(fold))
    return learner
