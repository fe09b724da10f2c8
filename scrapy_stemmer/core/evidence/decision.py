"""The decision on each block of a page: is it text? Relative to the page's region, with the evidence that decided.

A second score adds, to what :mod:`scrapy_stemmer.core.evidence.prior` found, how a block stands to the region: inside
or not, of the class of the running text or beside it, before or after it. What counts depends on the site's type
(``openness``): where a page is one article, all but the running text needs evidence to stay; where it is a list, a
product or a piece of documentation, all in the region stays unless there is evidence against it. The evidence and its
weights are those of :mod:`scrapy_stemmer.core.evidence.weighing`; here is what overrules them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.model import Reading, SiteModel
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import TextBlock
from scrapy_stemmer.core.evidence.places import Place, Within
from scrapy_stemmer.core.evidence.prior import Evidence
from scrapy_stemmer.core.evidence.surroundings import (
    HALF,
    OPEN,
    PlaceScore,
    Standing,
    Surroundings,
    surroundings_of,
)
from scrapy_stemmer.core.evidence.terms import BlockTerms, Term
from scrapy_stemmer.core.evidence.weighing import FIGURES, place_score, weigh_block

TITLE_SCORE = 1.0
"""The score of the title on open pages, of which it is a part; on articles it is so much below 0."""

SUBTITLE_SCORE = 1.0
"""The least score of a subtitle."""

COPY = -3.0
"""What a copy of earlier text of the page gets."""

MIN_DUPLICATE = 40
"""A longer text that stands on the page twice is the second time a copy."""

MIN_SUBTITLE = 25
"""A subtitle weighs at least so much."""

# The same as numbers of C, where they are compiled.
_SUBTITLE_SCORE, _MIN_DUPLICATE, _MIN_SUBTITLE = SUBTITLE_SCORE, MIN_DUPLICATE, MIN_SUBTITLE
_SUBTITLE, _CAPTION_OR_BYLINE = Hint.SUBTITLE, Hint.CAPTION | Hint.BYLINE
_FIGURES_OR_ASIDE, _HALF = FIGURES | Within.ASIDE, HALF

SUBTITLE_TAGS = frozenset("p h2 h3 h4 div".split())


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided on a block, and why.

    :param score: above 0 the block is text of the page; about a log-odds.
    :param place_terms: the evidence that it shares with all blocks of its place, none that adds nothing.
    :param own_terms: the evidence of its own, likewise.
    :param inside: whether the block lies in the page's region.
    :param is_title: whether it is the page's title.
    """

    score: float
    place_terms: Sequence[Term]
    own_terms: Sequence[Term]
    inside: bool
    is_title: bool

    @property
    def terms(self) -> tuple[Term, ...]:
        """All evidence."""
        return (*self.place_terms, *self.own_terms)


@dataclass(frozen=True)
class Verdict:
    """What was decided on a page.

    :param reading: the page.
    :param around: what its blocks were seen against.
    :param scores: one for each block; above 0 it is text of the page; about a log-odds.
    :param shared: for each block what all blocks of its place have.
    :param copies: the numbers of the blocks that are copies of earlier ones.
    """

    __slots__ = ("around", "copies", "reading", "scores", "shared")

    reading: Reading
    around: Surroundings
    scores: Sequence[float]
    shared: Sequence[PlaceScore]
    copies: Sequence[int]

    @property
    def openness(self) -> float:
        """The page's type, see :class:`Surroundings`."""
        return self.around.openness

    @property
    def decisions(self) -> list[Decision]:
        """The decisions on all blocks."""
        return [self.decision(index) for index in range(len(self.scores))]

    def decision(self, index: int) -> Decision:
        """The decision on one block; its evidence is weighed anew."""
        shared, own = self.shared[index], BlockTerms()
        score_of(index, self.reading, self.around, shared, own)
        if index in self.copies:
            own.copy = COPY
        is_title = index == self.around.title
        of_place = [] if is_title else shared.terms.terms()
        return Decision(self.scores[index], of_place, own.terms(), shared.standing.inside, is_title)


def decide(reading: Reading, model: SiteModel) -> Verdict:
    """The decision on each block of a page.

    :param reading: the page as a :class:`SiteReader` of this model sees it.
    """
    around = surroundings_of(reading, model)
    scores: list[float] = []
    shared: list[PlaceScore] = []
    # One for all blocks, since what a score is made of is seldom asked for.
    own = BlockTerms()
    place: Place | None = None
    for index, found in enumerate(reading.evidence):
        # Neighbours mostly share their place.
        if found.place is not place:
            place = found.place
            of_place = place_score(place, around)
        shared.append(of_place)
        scores.append(score_of(index, reading, around, of_place, own))
    copies = _copies(reading.evidence, scores)
    for index in copies:
        scores[index] += COPY
    return Verdict(reading, around, scores, shared, copies)


def score_of(index: int, reading: Reading, around: Surroundings, shared: PlaceScore, own: BlockTerms) -> float:
    """The score of one block, before copies are looked for.

    :param shared: what all blocks of its place have.
    :param own: gets the evidence of its own.
    """
    if index == around.title:
        own.clear()
        own.title = TITLE_SCORE if around.openness >= OPEN else -TITLE_SCORE
        return own.title
    weigh_block(own, reading, around, shared.standing, index)
    score = own.added_to(shared.score)
    if score < _SUBTITLE_SCORE and _is_subtitle(around, index, reading.evidence[index], shared.standing):
        own.subtitle = _SUBTITLE_SCORE - score
        return _SUBTITLE_SCORE
    return score


def _is_subtitle(around: Surroundings, index: int, found: Evidence, standing: Standing) -> bool:
    """Whether a block is named like a subtitle and stands where one does."""
    hints = standing.hints & around.telling
    if not (hints & _SUBTITLE and around.is_below_title(index)):
        return False
    return (
        not hints & _CAPTION_OR_BYLINE
        and not standing.within & _FIGURES_OR_ASIDE
        and not standing.is_running
        and index < around.first
        and found.block.weight >= _MIN_SUBTITLE
        and not found.repeated
        and found.link < _HALF
        and found.tag in SUBTITLE_TAGS
    )


def _copies(evidence: Sequence[Evidence], scores: Sequence[float]) -> list[int]:
    """The numbers of the long texts that were taken earlier on the page."""
    copies: list[int] = []
    taken = taken_up_to(len(scores))
    # Equal texts have equal hashes; others seldom, such as those that differ in a number: they are kept beside.
    others: set[str] = set()
    for index, found in enumerate(evidence):
        block = found.block
        if block.weight >= _MIN_DUPLICATE and scores[index] > 0:
            first = taken.first(block)
            if first is block:
                continue
            if first.text == block.text or block.text in others:
                copies.append(index)
            else:
                others.add(block.text)
    return copies


class Taken:
    """The first block of each hash that was met: a table of them by the hash's last bits, or at the next free slot.

    A dictionary would do, but for the number of Python that it needs for each block.

    Made by :func:`taken_up_to`.
    """

    __slots__ = ("_blocks", "_last")

    _blocks: list[TextBlock | None]
    _last: int

    def first(self, block: TextBlock) -> TextBlock:
        """The first block of the hash that this one has; itself where it is the first."""
        slot = block.hash & self._last
        while True:
            found = self._blocks[slot]
            if found is None:
                self._blocks[slot] = block
                return block
            if found.hash == block.hash:
                return found
            slot = (slot + 1) & self._last


def taken_up_to(most: int) -> Taken:
    """A table for so many blocks, which has more slots than that."""
    size = 2
    while size <= most:
        size += size
    taken = Taken.__new__(Taken)
    taken._blocks = [None] * size
    taken._last = size - 1
    return taken
