"""What speaks for and against a block's being text of its page, as log-odds: the prior of the evidence learner.

The model and its weights come from measurements on the project's page sets (quality notes §2): few weights, fixed
signs, round numbers; they are the same for all sites.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.classes import LONG, Profile
from scrapy_stemmer.core.evidence.names import NEGATIVE
from scrapy_stemmer.core.evidence.outline import TextBlock
from scrapy_stemmer.core.evidence.places import NEAR, Place, Within

MAX_MASS = 300
"""A block's weight counts up to this where blocks are summed: ten paragraphs say more than one long one."""

MAX_LOG_ODDS = 4.0
"""Log-odds are cut off here before they are averaged."""

CLASS_SHARE = 0.5
"""How much a block's odds owe to its class; the rest is its own."""

LOGARITHMS = [math.log(max(1, weight)) for weight in range(1000)]
"""Of the weights that nearly all blocks have, by weight."""

# The same where they are compiled: as numbers of C, and without a look-up in a class.
_MAIN, _ARTICLE, _NAV, _ASIDE, _FOOTER = Within.MAIN, Within.ARTICLE, Within.NAV, Within.ASIDE, Within.FOOTER
_HEADER, _FIGURE, _FIGCAPTION, _FORM = Within.HEADER, Within.FIGURE, Within.FIGCAPTION, Within.FORM
_LONG, _MAX_MASS, _CLASS_SHARE = LONG, MAX_MASS, CLASS_SHARE


@dataclass(frozen=True)
class PriorWeights:
    """Weights of the prior; each adds its value, times the measure, to the log-odds of being text.

    :param bias: of every block; with the logarithm it puts short blocks below 0 unless something speaks for them.
    :param repeated: the text stands on another page of the sample.
    :param repeated_share: share of the other pages that have it.
    :param repeated_long: the repeated text's weight over :data:`LONG`, at most 1.
    :param link: share of the text in links.
    :param log_weight: logarithm of the weight.
    :param is_long: the weight is at least :data:`LONG`.
    :param class_static: share of the text of its class that stands on several pages.
    :param class_link: share of the text of its class in links.
    :param class_long: share of long blocks in its class.
    :param boilerplate_role: an element around it has a role of :data:`BOILERPLATE_ROLES`.
    :param hinted: for each of up to three elements around it with a name that hints at boilerplate.
    :param hinted_itself: its own element has such a name.
    :param hinted_near: one of the nearest three has, see :data:`NEAR`.
    :param paragraph: its element is a ``p``.
    :param preformatted: its element is a ``pre``.
    :param main: it stands in ``main``, or an element of that role; the following likewise for their elements.
    """

    bias: float = 0.5
    repeated: float = -1.7
    repeated_share: float = -1.5
    repeated_long: float = -1.4
    link: float = -0.8
    log_weight: float = 0.7
    is_long: float = 0.1
    class_static: float = -1.2
    class_link: float = -0.9
    class_long: float = 0.1
    boilerplate_role: float = -0.5
    hinted: float = -1.0
    hinted_itself: float = -0.8
    hinted_near: float = -1.0
    paragraph: float = 1.1
    preformatted: float = 0.5
    main: float = 0.4
    article: float = 0.2
    nav: float = -0.1
    aside: float = -0.5
    footer: float = -0.4
    header: float = -0.3
    figure: float = -2.3
    figcaption: float = -1.5
    form: float = -0.4


PRIOR = PriorWeights()
"""Fitted on one half of the page sets, checked on the other, then rounded (quality notes §2.3)."""


class Evidence:
    """A block with what is known about it.

    :ivar block: the block.
    :ivar place: where its innermost block-level element stands.
    :ivar repeated: whether another page of the sample has the same text.
    :ivar repeated_share: share of the sample's other pages that have it.
    :ivar prior: log-odds of being text, by the block's own evidence.
    :ivar odds: the same together with what blocks of its class have on average.
    :ivar link: share of the text in links.
    :ivar mass: the weight that counts in sums.
    """

    __slots__ = ("block", "link", "mass", "odds", "place", "prior", "repeated", "repeated_share")

    block: TextBlock
    place: Place
    repeated: bool
    repeated_share: float
    prior: float
    odds: float
    link: float
    mass: int

    def __init__(
        self, block: TextBlock, place: Place, repeated_share: float = 0.0, prior: float = 0.0, odds: float = 0.0
    ) -> None:
        _fill(self, block, place, repeated_share, prior, odds)

    @property
    def path(self) -> int:
        """The number of the block's path."""
        return self.place.path

    @property
    def tag(self) -> str:
        """The name of its innermost block-level element."""
        return self.place.tag

    @property
    def profile(self) -> Profile:
        """What the blocks of its class are like."""
        return self.place.profile


def evidence_of(block: TextBlock, place: Place, repeated_share: float, prior: float, odds: float) -> Evidence:
    """What is known about a block; compiled, it is made without the detour over Python's arguments."""
    found = Evidence.__new__(Evidence)
    _fill(found, block, place, repeated_share, prior, odds)
    return found


def _fill(found: Evidence, block: TextBlock, place: Place, repeated_share: float, prior: float, odds: float) -> None:
    found.block = block
    found.place = place
    found.repeated = repeated_share > 0
    found.repeated_share = repeated_share
    found.prior = prior
    found.odds = odds
    found.link = block.anchor_weight / block.weight
    found.mass = min(block.weight, _MAX_MASS)


def prior_of(found: Evidence, weights: PriorWeights = PRIOR) -> float:
    """The log-odds that a block is text of its page, by its own evidence and its class's profile."""
    return place_odds(found.place, weights) + block_odds(found.block, found.repeated_share, weights)


def block_odds(block: TextBlock, repeated_share: float, weights: PriorWeights = PRIOR) -> float:
    """What a block adds to the log-odds of its place.

    :param repeated_share: share of the other pages that have its text.
    """
    weight = block.weight
    odds = weights.log_weight * _logarithm(weight) + weights.link * block.anchor_weight / weight
    if weight >= _LONG:
        odds += weights.is_long
    if repeated_share:
        odds += weights.repeated + weights.repeated_share * repeated_share
        odds += weights.repeated_long * min(1.0, weight / _LONG)
    return odds


def _logarithm(weight: int) -> float:
    return LOGARITHMS[weight] if weight < len(LOGARITHMS) else math.log(weight)


def place_odds(place: Place, weights: PriorWeights = PRIOR) -> float:
    """The log-odds that all blocks of a place have."""
    profile = place.profile
    return (
        weights.bias
        + weights.class_static * profile.static_share
        + weights.class_link * profile.link_share
        + weights.class_long * profile.long_share
        + weights.boilerplate_role * place.in_boilerplate_role
        + weights.hinted * min(NEAR, place.hinted)
        + weights.hinted_itself * bool(place.own_hints & NEGATIVE)
        + weights.hinted_near * place.hinted_near
        + weights.paragraph * (place.tag == "p")
        + weights.preformatted * (place.tag == "pre")
        + _within_odds(place.within, weights)
    )


def with_class(prior: float, worth: float | None) -> float:
    """The odds of a block: its prior, and half of it that of its class.

    :param worth: mean prior of its class; ``None`` when the site has no such class.
    """
    own = clipped(prior)
    if worth is None:
        return own
    mean: float = worth
    return (1 - _CLASS_SHARE) * own + _CLASS_SHARE * mean


def clipped(value: float, most: float = MAX_LOG_ODDS) -> float:
    """A value between ``-most`` and ``most``."""
    if value > most:
        return most
    return -most if value < -most else value


def _within_odds(within: int, weights: PriorWeights) -> float:
    """What the elements around a block add."""
    odds = 0.0
    if within & _MAIN:
        odds += weights.main
    if within & _ARTICLE:
        odds += weights.article
    if within & _NAV:
        odds += weights.nav
    if within & _ASIDE:
        odds += weights.aside
    if within & _FOOTER:
        odds += weights.footer
    if within & _HEADER:
        odds += weights.header
    if within & _FIGURE:
        odds += weights.figure
    if within & _FIGCAPTION:
        odds += weights.figcaption
    if within & _FORM:
        odds += weights.form
    return odds
