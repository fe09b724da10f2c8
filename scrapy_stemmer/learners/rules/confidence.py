"""How sure it is that a page was stripped well: the confidence of the whole page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FEW_PAGES = 5
"""Samples of fewer pages tell less."""


LEAST_EXPECTED = 1.5
"""Log-odds of the expected F1 that lower ones count as: rules go by all learned pages, and are surer than blocks."""

ENOUGH = 4.0
"""Log-odds of an expected F1 (98 %) that is trusted on a page however unlike the learned ones."""


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """What counts for the log-odds that at least nine tenths of the words are right (F1).

    Fitted by logistic regression, a site counting by the root of its pages, on 1,311 pages of the two thirds of the
    sites used for development, with scorers that were not trained on them (five folds).

    :param base: of a page of which nothing else is known.
    :param expected: times the log-odds of the F1 that the probabilities of the blocks let expect.
    :param unlike: times the share of the text that stands where no learned page had text, and times how far the
        log-odds fall short of :data:`ENOUGH`.
    :param few_pages: times how many pages the sample falls short of :data:`FEW_PAGES`, as a share of them.
    """

    base: float = -1.4
    expected: float = 1.4
    unlike: float = -1.2
    few_pages: float = -1.0


WEIGHTS = ConfidenceWeights()


def expected_f1(odds: Sequence[float], is_text: Sequence[bool], lengths: Sequence[int]) -> float:
    """The F1 to expect of a page by the probabilities of its blocks; 0 without text."""
    right = wrong = missed = 0.0
    for odd, kept, length in zip(odds, is_text, lengths, strict=True):
        probability = 1 / (1 + math.exp(-odd))
        if kept:
            right += probability * length
            wrong += (1 - probability) * length
        else:
            missed += probability * length
    return 2 * right / (2 * right + wrong + missed) if right else 0.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the confidence in a page is made of; see :class:`ConfidenceWeights`.

    :param expected: log-odds of the expected F1.
    :param unlike: the share of the text that stands where no learned page had text.
    """

    expected: float
    unlike: float
    few_pages: float


def evidence_of(
    odds: Sequence[float], is_text: Sequence[bool], lengths: Sequence[int], similarity: float, pages: int
) -> Evidence | None:
    """What tells how well a page was stripped; ``None`` for a page without text.

    :param odds: for each block the log-odds that it is text.
    :param lengths: for each block its characters.
    :param pages: how many pages were learned.
    """
    if not any(is_text):
        return None
    f1 = min(0.999, max(0.001, expected_f1(odds, is_text, lengths)))
    return Evidence(
        expected=math.log(f1 / (1 - f1)),
        unlike=1 - similarity,
        few_pages=max(0, FEW_PAGES - pages) / FEW_PAGES,
    )


def confidence_of(found: Evidence | None, weights: ConfidenceWeights = WEIGHTS) -> float:
    """The confidence in a page, from 0 to 1; 0 for a page without text."""
    if found is None:
        return 0.0
    odds = (
        weights.base
        + weights.expected * max(LEAST_EXPECTED, found.expected)
        + weights.unlike * found.unlike * max(0.0, ENOUGH - found.expected)
        + weights.few_pages * found.few_pages
    )
    return round(1 / (1 + math.exp(-odds)), 3)
