"""How sure it is that a page was stripped well: the confidence of the whole page.

A probability that at least nine tenths of the words are right (F1), by what the page's region shows: how much text was
found, how clear the decisions were, what was left out beside it, and how well the page fits what is known of its site.
The weights are round, their signs fixed; ``docs/learners/evidence.md`` has the table that they were checked by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.classes import DIGITS
from scrapy_stemmer.core.evidence.decision import Verdict
from scrapy_stemmer.core.evidence.model import Reading, SiteModel
from scrapy_stemmer.core.evidence.prior import Evidence
from scrapy_stemmer.core.evidence.weighing import COMMON_TEXT

ENOUGH = 1000
"""A text of this weight is long enough to be the page's."""

CLEAR = 1.5
"""A block of a score nearer to 0 than this might as well have been decided the other way."""

SHORT = 40
"""Blocks of less weight are short."""

FEW = 0.1
"""So large a share, against the text, of what is doubtful or was left out counts in full."""

PIECE = 250
"""A text of pieces of this weight, with other things between them, is in pieces altogether."""

UNLIKE = 0.5
"""A page that is known to a smaller share fits nothing that was learned."""

# The same as numbers of C, where they are compiled.
_SHORT, _CLEAR, _COMMON_TEXT = SHORT, CLEAR, COMMON_TEXT


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """What each weakness takes from the log-odds of a page; all are shares from 0 to 1.

    :param best: the log-odds of a page without any.
    :param little: how much the text falls short of :data:`ENOUGH`.
    :param openness: how far the page is from being one article.
    :param unvoted: how many pages of the sample did not vote for the region.
    :param unknown: how much of the page lies in elements that the site does not have.
    :param unlike: more than half of it does.
    :param repeated: how much of the text other pages have too.
    :param short: how much of the text are short blocks.
    :param unsure: how much was a close decision, up to :data:`FEW`.
    :param rivals: how much of the page's own text was left out, up to :data:`FEW`.
    :param pieces: whether the text is in pieces of :data:`PIECE`.
    :param few_pages: over the number of pages in the sample.
    :param single: there was but one.
    """

    best: float = 4.0
    little: float = -1.5
    openness: float = -1.5
    unvoted: float = -1.5
    unknown: float = -2.0
    unlike: float = -3.0
    repeated: float = -2.0
    short: float = -3.0
    unsure: float = -1.0
    rivals: float = -0.5
    pieces: float = -0.5
    few_pages: float = -1.5
    single: float = -0.5


CONFIDENCE = ConfidenceWeights()


class RegionWeights:
    """The weights of the blocks of a page's region, the title left out, summed up by what they show.

    :ivar text: of the text.
    :ivar repeated: of the text that other pages have too.
    :ivar short_blocks: of its short blocks.
    :ivar unsure: of close decisions, either way.
    :ivar rivals: of what was left out, and is not common to the site.
    :ivar changes: how often text and other things follow each other.
    """

    __slots__ = ("changes", "repeated", "rivals", "short_blocks", "text", "unsure")

    def __init__(self) -> None:
        self.text = self.repeated = self.short_blocks = self.unsure = self.rivals = self.changes = 0


def region_weights(reading: Reading, verdict: Verdict) -> RegionWeights:
    """What the blocks of a page's region show."""
    sums = RegionWeights()
    was_text = -1
    title = verdict.around.title
    for index, shared in enumerate(verdict.shared):
        if not shared.standing.inside or index == title:
            continue
        score = verdict.scores[index]
        is_text = score > 0
        sums.changes += was_text >= 0 and is_text != was_text
        was_text = is_text
        _count(sums, reading.evidence[index], score)
    return sums


def _count(sums: RegionWeights, found: Evidence, score: float) -> None:
    """Count a block of a score."""
    weight = found.block.weight
    if score > 0:
        sums.text += weight
        sums.repeated += weight * found.repeated
        sums.short_blocks += weight * (weight < _SHORT)
        sums.unsure += weight * (score < _CLEAR)
    elif found.repeated_share < _COMMON_TEXT:
        sums.rivals += weight
        sums.unsure += weight * (score > -_CLEAR)


def confidence_of(
    reading: Reading,
    verdict: Verdict,
    model: SiteModel,
    similarity: float,
    weights: ConfidenceWeights = CONFIDENCE,
) -> float:
    """The confidence in a page, from 0 to 1; 0 for a page without text.

    :param similarity: share of the page's text in elements that the site has.
    """
    sums = region_weights(reading, verdict)
    text = sums.text
    if not text:
        return 0.0
    votes = model.votes.get(verdict.around.regions[0], 0.0) / model.pages
    odds = (
        weights.best
        + weights.little * (1 - min(1.0, text / ENOUGH))
        + weights.openness * verdict.openness
        + weights.unvoted * (1 - min(1.0, votes))
        + weights.unknown * (1 - similarity)
        + weights.unlike * (similarity < UNLIKE)
        + weights.repeated * sums.repeated / text
        + weights.short * sums.short_blocks / text
        + weights.unsure * min(1.0, sums.unsure / (text + sums.rivals) / FEW)
        + weights.rivals * min(1.0, sums.rivals / text / FEW)
        + weights.pieces * min(1.0, sums.changes * PIECE / text)
        + weights.few_pages / model.pages
        + weights.single * (model.pages == 1)
    )
    return round(1.0 / (1.0 + math.exp(-odds)), DIGITS)
