"""What speaks for and against a block's being text of its page, as log-odds: the prior of the evidence learner.

The model and its weights come from measurements on the project's page sets (quality notes §2): few weights, fixed
signs, round numbers; they are the same for all sites.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.classes import LONG, Profile
from scrapy_stemmer.core.evidence.names import NEGATIVE, Hint
from scrapy_stemmer.core.evidence.outline import Outline, TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree

MAX_MASS = 300
"""A block's weight counts up to this where blocks are summed: ten paragraphs say more than one long one."""

MAX_LOG_ODDS = 4.0
"""Log-odds are cut off here before they are averaged."""

BOILERPLATE_ROLES = frozenset(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar".split()
)
"""ARIA roles of what is not the page's own text."""

MAX_DEPTH = 100
"""Elements that stand deeper count as if they stood here; on real pages hardly any stands below 40."""

NEAR = 3
"""A block's own element and the two around it."""


class Within:
    """Elements that a block stands in, as bits of a whole number."""

    MAIN = 1
    ARTICLE = 2
    NAV = 4
    ASIDE = 8
    FOOTER = 16
    HEADER = 32
    FIGURE = 64
    FIGCAPTION = 128
    FORM = 256
    LIST = 512


WITHIN_TAGS: Mapping[str, int] = {
    "main": Within.MAIN,
    "article": Within.ARTICLE,
    "nav": Within.NAV,
    "aside": Within.ASIDE,
    "footer": Within.FOOTER,
    "header": Within.HEADER,
    "figure": Within.FIGURE,
    "figcaption": Within.FIGCAPTION,
    "form": Within.FORM,
    "ul": Within.LIST,
    "ol": Within.LIST,
    "dl": Within.LIST,
}


@dataclass(frozen=True, slots=True)
class PriorWeights:
    """Weights of the prior; each adds its value, times the measure, to the log-odds of being text.

    :param bias: of every block; with the logarithm it puts short blocks below 0 unless something speaks for them.
    :param repeated: the text stands on another page of the sample.
    :param repeated_share: share of the other pages that have it.
    :param repeated_long: the repeated text's weight over :data:`LONG`, at most 1.
    :param link: share of the text in links.
    :param log_weight: logarithm of the weight.
    :param punctuation: punctuation marks over the weight.
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
    punctuation: float = 0.4
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


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block-level element stands on its page.

    :param path: number of its path.
    :param within: the :class:`Within` of all elements around it, itself included.
    :param own_hints: the :class:`Hint` of its own names.
    :param hinted: number of elements around it, itself included, whose names hint at boilerplate.
    :param in_chrome: whether one of them is named like navigation, a footer or a pop-up.
    :param in_boilerplate_role: whether one of them has such an ARIA role.
    """

    path: int
    within: int
    own_hints: int
    hinted: int
    in_chrome: bool
    in_boilerplate_role: bool


@dataclass(slots=True)
class Evidence:
    """A block with what is known about it.

    :param block: the block.
    :param place: where its innermost block-level element stands.
    :param tag: that element's name.
    :param repeated: whether another page of the sample has the same text.
    :param repeated_share: share of the sample's other pages that have it.
    :param hinted_near: whether one of the nearest three elements is named like boilerplate.
    :param profile: what the blocks of its class are like.
    :param prior: log-odds of being text, by the block's own evidence.
    :param odds: the same together with what blocks of its class have on average.
    """

    block: TextBlock
    place: Place
    tag: str
    repeated: bool
    repeated_share: float
    hinted_near: bool
    profile: Profile
    prior: float = 0.0
    odds: float = 0.0

    @property
    def path(self) -> int:
        """The number of the block's path."""
        return self.place.path

    @property
    def link(self) -> float:
        """Share of the text in links."""
        return self.block.anchor_weight / self.block.weight

    @property
    def mass(self) -> int:
        """The weight that counts in sums."""
        return min(self.block.weight, MAX_MASS)


def places_of(outline: Outline, paths: PathTree, named: Sequence[tuple[str, int]]) -> list[Place]:
    """Where each block-level element of a page stands.

    :param paths: the paths of the page's site; grows by those of the page.
    :param named: for each element its path component, and the hints of its names.
    """
    places: list[Place] = []
    depths: list[int] = []
    for node, (component, hints) in zip(outline.nodes, named, strict=True):
        depths.append(0 if node.parent < 0 else depths[node.parent] + 1)
        if node.parent < 0:
            places.append(Place(0, 0, 0, 0, False, False))
            continue
        above = places[node.parent]
        within = WITHIN_TAGS.get(node.tag, 0) | (Within.MAIN if node.role == "main" else 0)
        places.append(
            Place(
                path=paths.child(above.path, component) if depths[-1] < MAX_DEPTH else above.path,
                within=above.within | within,
                own_hints=hints,
                hinted=above.hinted + bool(_against(hints)),
                in_chrome=above.in_chrome or bool(hints & Hint.CHROME),
                in_boilerplate_role=above.in_boilerplate_role or node.role in BOILERPLATE_ROLES,
            )
        )
    return places


def is_hinted_near(outline: Outline, places: Sequence[Place], node: int) -> bool:
    """Whether an element or one of the two around it is named like boilerplate."""
    for _ in range(NEAR):
        if node < 0:
            return False
        if _against(places[node].own_hints):
            return True
        node = outline.nodes[node].parent
    return False


def prior_of(found: Evidence, weights: PriorWeights = PRIOR) -> float:
    """The log-odds that a block is text of its page, by its own evidence and its class's profile."""
    block, place, profile = found.block, found.place, found.profile
    return (
        weights.bias
        + weights.repeated * found.repeated
        + weights.repeated_share * found.repeated_share
        + weights.repeated_long * found.repeated * min(1.0, block.weight / LONG)
        + weights.link * found.link
        + weights.log_weight * math.log(block.weight)
        + weights.punctuation * block.punctuation / block.weight
        + weights.is_long * (block.weight >= LONG)
        + weights.class_static * profile.static
        + weights.class_link * profile.link
        + weights.class_long * profile.long
        + weights.boilerplate_role * place.in_boilerplate_role
        + weights.hinted * min(NEAR, place.hinted)
        + weights.hinted_itself * bool(_against(place.own_hints))
        + weights.hinted_near * found.hinted_near
        + weights.paragraph * (found.tag == "p")
        + weights.preformatted * (found.tag == "pre")
        + _within_odds(place.within, weights)
    )


def clipped(value: float, most: float = MAX_LOG_ODDS) -> float:
    """A value between ``-most`` and ``most``."""
    return max(-most, min(most, value))


def _within_odds(within: int, weights: PriorWeights) -> float:
    return sum(
        weight
        for flag, weight in (
            (Within.MAIN, weights.main),
            (Within.ARTICLE, weights.article),
            (Within.NAV, weights.nav),
            (Within.ASIDE, weights.aside),
            (Within.FOOTER, weights.footer),
            (Within.HEADER, weights.header),
            (Within.FIGURE, weights.figure),
            (Within.FIGCAPTION, weights.figcaption),
            (Within.FORM, weights.form),
        )
        if within & flag
    )


def _against(hints: int) -> int:
    """The hints that speak against a block."""
    return hints & NEGATIVE
