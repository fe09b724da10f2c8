"""The confidence in the text of a page."""

from __future__ import annotations

import json
import math
from functools import cache
from operator import mul
from pathlib import Path
from typing import NamedTuple

from scrapy_stemmer.learners.rules.decide.decide import Decisions
from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.site.site import PlacedPage

CONFIDENCE = Path(__file__).with_name("confidence.json")  # weights of the terms, made by ``training/``
FEW_PAGES = 10  # samples of fewer pages tell less
ENOUGH_ODDS = 4.0  # log-odds of an expected F1 of 98 %: a higher F1 makes no page surer, and is trusted on any path
# Highest log-odds, for the confidence, of kept text and of links found on several learned pages. With both 97.7 % of
# the pages above .9 are good in ``sites``, and 96.2 in ``daniel``; without 97.1 and 93.5.
TRUST, LINK_TRUST = 1.0, 0.0


class ConfidenceSigns(NamedTuple):
    """Inputs for the confidence in a page with text."""

    f1: float  # expected by the probabilities of the blocks
    similarity: float  # share of text on paths with text on learned pages
    pages: int  # learned; 0 counts as the page itself


class Terms(NamedTuple):
    """Terms of the log-odds that nine tenths of a page's words are right (F1), or weights of the terms."""

    base: float  # constant
    expected: float  # log-odds of the expected F1
    unknown: float  # gap between expected and enough odds, times the share of text on unknown paths
    few: float  # missing share of learned pages


def terms_of(signs: ConfidenceSigns) -> Terms:
    f1, similarity, pages = signs if signs.pages else ConfidenceSigns(signs.f1, 1.0, 1)
    f1 = min(0.999, max(0.001, f1))
    expected = min(ENOUGH_ODDS, math.log(f1 / (1 - f1)))
    return Terms(1.0, expected, (1 - similarity) * (ENOUGH_ODDS - expected), max(0, FEW_PAGES - pages) / FEW_PAGES)


def confidence_of(signs: ConfidenceSigns, weights: Terms | None = None) -> float:
    """Return the confidence in a page with text: the probability that nine tenths of the words are right (F1)."""
    odds = sum(map(mul, weights or confidence_weights(), terms_of(signs)))
    return round(1 / (1 + math.exp(-odds)), 3)


@cache
def confidence_weights(path: Path = CONFIDENCE) -> Terms:
    """Return the weights in a file, by default the package's. Files are read once."""
    return Terms(**json.loads(path.read_bytes())["weights"])


def expected_f1(page: PlacedPage, decisions: Decisions) -> float:
    """Return the expected F1 of a page by the log-odds and characters of its blocks; 0 without text.

    Kept text of several learned pages is trusted less, unless kept by a rule by hand.
    """
    are_several = page.site.knowledge.pages >= 2
    return decisions.verdicts.expected_f1(are_several, page.site.users, TRUST, LINK_TRUST, MOSTLY_LINKS)
