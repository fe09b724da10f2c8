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
from scrapy_stemmer.core.evidence.terms import BlockTerms, Term, terms_of_block
from scrapy_stemmer.core.evidence.weighing import FIGURES, block_terms, place_score

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


class Decision:
    """What was decided on a block; see :func:`decided`.

    :ivar score: above 0 the block is text of the page; about a log-odds.
    :ivar shared: what all blocks of its place have; ``None`` where that was not asked.
    :ivar own: the evidence of its own.
    :ivar inside: whether the block lies in the page's region.
    :ivar is_title: whether it is the page's title.
    """

    __slots__ = ("inside", "is_title", "own", "score", "shared")

    score: float
    shared: PlaceScore | None
    own: BlockTerms
    inside: bool
    is_title: bool

    @property
    def place_terms(self) -> Sequence[Term]:
        """The evidence that it shares with all blocks of its place."""
        return () if self.shared is None else self.shared.terms.terms()

    @property
    def own_terms(self) -> Sequence[Term]:
        """The evidence of its own."""
        return self.own.terms()

    @property
    def terms(self) -> tuple[Term, ...]:
        """All evidence, none that adds nothing."""
        return (*self.place_terms, *self.own_terms)


def decided(score: float, shared: PlaceScore | None, own: BlockTerms, inside: bool, is_title: bool) -> Decision:
    """A decision; compiled, it is made without the detour over Python's arguments."""
    decision = Decision.__new__(Decision)
    decision.score = score
    decision.shared = shared
    decision.own = own
    decision.inside = inside
    decision.is_title = is_title
    return decision


@dataclass(frozen=True)
class Verdict:
    """What was decided on a page.

    :param decisions: one for each block.
    :param around: what they were seen against.
    """

    __slots__ = ("around", "decisions")

    decisions: Sequence[Decision]
    around: Surroundings

    @property
    def openness(self) -> float:
        """The page's type, see :class:`Surroundings`."""
        return self.around.openness


def decide(reading: Reading, model: SiteModel) -> Verdict:
    """The decision on each block of a page.

    :param reading: the page as a :class:`SiteReader` of this model sees it.
    """
    around = surroundings_of(reading, model)
    decisions: list[Decision] = []
    place: Place | None = None
    for index, found in enumerate(reading.evidence):
        # Neighbours mostly share their place.
        if found.place is not place:
            place = found.place
            shared = place_score(place, around)
        decisions.append(decision_on(index, reading, around, shared))
    return Verdict(_without_copies(reading, decisions), around)


def decision_on(index: int, reading: Reading, around: Surroundings, shared: PlaceScore) -> Decision:
    """The decision on one block, before copies are looked for.

    :param shared: what all blocks of its place have.
    """
    found = reading.evidence[index]
    standing = shared.standing
    if index == around.title:
        own = terms_of_block(0.0)
        own.title = TITLE_SCORE if around.openness >= OPEN else -TITLE_SCORE
        return decided(own.title, None, own, standing.inside, True)
    own = block_terms(reading, around, standing, index)
    score = own.added_to(shared.score)
    if score < _SUBTITLE_SCORE and _is_subtitle(around, index, found, standing):
        own.subtitle = SUBTITLE_SCORE - score
        score = SUBTITLE_SCORE
    return decided(score, shared, own, standing.inside, False)


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


def _without_copies(reading: Reading, decisions: list[Decision]) -> list[Decision]:
    """Decide against long texts that were taken earlier on the page."""
    # Equal texts have equal hashes; others seldom, such as those that differ in a number: they are kept beside.
    seen: dict[int, TextBlock] = {}
    others: set[str] = set()
    for index, decision in enumerate(decisions):
        if decision.score <= 0:
            continue
        found = reading.evidence[index]
        block = found.block
        if block.weight >= _MIN_DUPLICATE:
            first = seen.setdefault(block.hash, block)
            if first is block:
                continue
            if first.text == block.text or block.text in others:
                decision.own.copy = COPY
                score = decision.score + COPY
                decisions[index] = decided(score, decision.shared, decision.own, decision.inside, decision.is_title)
            else:
                others.add(block.text)
    return decisions
