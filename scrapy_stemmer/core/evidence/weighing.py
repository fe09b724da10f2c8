"""What the evidence for a block adds to its score, with a name for each piece of evidence.

The weights are few, round and the same for all sites; their signs are fixed by what the evidence means (quality notes
§2.5). Some differ between the region and the rest of the page, so that there are two sets of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.classes import LONG
from scrapy_stemmer.core.evidence.model import Reading
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.places import Place, Within
from scrapy_stemmer.core.evidence.prior import Evidence, clipped
from scrapy_stemmer.core.evidence.surroundings import HALF, PlaceScore, Standing, Surroundings
from scrapy_stemmer.core.evidence.terms import BlockTerms, PlaceTerms

MAX_ODDS = 3.0
"""Odds count up to this, either way."""

POOR_ODDS = -2.0
"""Odds below this count against a block once more."""

MOSTLY_LINKS = 0.9
"""A block with this share of its text in links is a link."""

OFTEN_LINK, SELDOM_LINK = 0.6, 0.3
"""A link of a class of this share of links tells the less, or the more."""

COMMON_TEXT = 0.5
"""Text on this share of the other pages is surely template."""

HEADINGS = frozenset("h2 h3 h4 h5 h6".split())

FIGURES = Within.FIGURE | Within.FIGCAPTION

# The same where they are compiled: as numbers of C, and without a look-up in a class.
_FIGURES, _ASIDE, _NAV, _FOOTER = FIGURES, Within.ASIDE, Within.NAV, Within.FOOTER
_HEADER, _FORM, _LIST = Within.HEADER, Within.FORM, Within.LIST
_CAPTION, _BYLINE, _RELATED, _SOCIAL = Hint.CAPTION, Hint.BYLINE, Hint.RELATED, Hint.SOCIAL
_COMMENT, _NAVIGATION, _HIDDEN, _REVIEW = Hint.COMMENT, Hint.NAVIGATION, Hint.HIDDEN, Hint.REVIEW
_NO_TEXT_OF_LIST = Hint.BYLINE | Hint.RELATED | Hint.SOCIAL | Hint.CAPTION
_MAX_ODDS, _POOR_ODDS, _MOSTLY_LINKS = MAX_ODDS, POOR_ODDS, MOSTLY_LINKS
_OFTEN_LINK, _SELDOM_LINK, _COMMON_TEXT = OFTEN_LINK, SELDOM_LINK, COMMON_TEXT
_HALF, _LONG = HALF, LONG


@dataclass(frozen=True, kw_only=True)
class DecisionWeights:
    """What each piece of evidence adds to the score of a block that it applies to. About log-odds.

    Reliefs say how much of a weight is waived on open pages: with 0.5, half of it at an openness of 1.

    :param region: for being where it is: in the region, or not.
    :param region_open: the same once more, times the page's openness.
    :param list_open: in a list, times openness.
    :param running: of the class of the running text.
    :param beside: beside the running text, or around it.
    :param other: not of that class; times the site's dominance, so that it counts where there is one class of text.
    :param other_relief: waived of it.
    :param repeated: its text stands on other pages of the sample.
    :param repeated_often: on half of them or more.
    :param repeated_long: times its weight over :data:`LONG`, at most 1.
    :param repeated_relief: waived of all three.
    :param link: it is a link as a whole.
    :param link_seldom: and blocks of its class seldom are.
    :param link_class: blocks of its class often are, whether it is or not.
    :param link_relief: waived of all three.
    :param among_links: an element around it holds mostly links; not for running text.
    :param among_links_relief: waived of it.
    :param among_repeated: an element around it holds mostly text of several pages.
    :param class_repeated: blocks of its class are mostly text of several pages.
    :param among_repeated_relief: waived of both.
    :param figure: in ``figure`` or ``figcaption``; the next five likewise.
    :param after: behind the last running text; not for running text.
    :param before: before the first.
    :param poor_odds: its odds are below :data:`POOR_ODDS`.
    :param preformatted: a ``pre``.
    :param long_text: of a weight of at least :data:`LONG`.
    :param hidden: named or declared as not shown; not on open pages, which unfold what they hide.
    :param whole_link: it is a link as a whole; not on open pages.
    :param review: named as a review; not for running text.
    :param braces: it holds ``{{``, the mark of a template that a script was to fill.
    :param odds: times its odds, up to :data:`MAX_ODDS`.
    :param paragraph: a ``p``.
    :param heading: an ``h2`` to ``h6``.
    :param next_odds: times the odds of the block behind it, above the site's threshold.
    :param previous_odds: times those of the block before it.
    :param list_of_text: an item of a list that stands amid the running text.
    :param caption: named as a caption: against other text, against running text; the next five likewise.
    """

    region: float
    region_open: float
    list_open: float = 0.0
    running: float = 2.0
    beside: float = 0.5
    other: float = -1.5
    other_relief: float = 0.0
    repeated: float = -0.5
    repeated_often: float = -3.0
    repeated_long: float = -1.5
    repeated_relief: float = 0.0
    link: float = -1.0
    link_seldom: float = -1.0
    link_class: float = -0.5
    link_relief: float = 0.0
    among_links: float = -0.7
    among_links_relief: float = 0.0
    among_repeated: float = -2.0
    class_repeated: float = -1.0
    among_repeated_relief: float = 0.0
    figure: float = -2.5
    aside: float = -2.0
    nav: float = -3.0
    footer: float = -2.5
    header: float = -1.0
    form: float = -2.5
    after: float = -1.0
    before: float = -0.3
    poor_odds: float = -1.0
    preformatted: float = 1.0
    long_text: float = 0.3
    hidden: float = -6.0
    whole_link: float = -5.0
    review: float = -6.0
    braces: float = -4.0
    odds: float = 0.9
    paragraph: float = 1.0
    heading: float = 0.0
    next_odds: float = 0.15
    previous_odds: float = 0.5
    list_of_text: float = 0.0
    caption: tuple[float, float] = (-3.5, -5.0)
    byline: tuple[float, float] = (-2.0, -0.5)
    related: tuple[float, float] = (-2.0, -0.5)
    social: tuple[float, float] = (-1.2, -0.3)
    comment: tuple[float, float] = (-2.0, -1.0)
    navigation: tuple[float, float] = (-0.8, 0.0)


OUTSIDE = DecisionWeights(region=-3.0, region_open=1.0)
"""For blocks outside the region."""

INSIDE = DecisionWeights(
    region=1.0,
    region_open=4.0,
    list_open=1.0,
    other_relief=0.5,
    repeated_relief=0.8,
    link_relief=0.5,
    among_links=-1.5,
    among_links_relief=1.0,
    among_repeated_relief=0.5,
    figure=-4.0,
    aside=-3.0,
    odds=0.4,
    paragraph=0.5,
    heading=1.0,
    previous_odds=0.15,
    list_of_text=2.0,
    caption=(-3.5, -6.0),
)
"""For blocks in the region: its odds count less there, since being there says most of it already."""

# The same where they are compiled, without a look-up in the module.
_INSIDE, _OUTSIDE = INSIDE, OUTSIDE


def weights_of(standing: Standing) -> DecisionWeights:
    """The weights for where a block stands."""
    return _INSIDE if standing.inside else _OUTSIDE


def place_score(place: Place, around: Surroundings) -> PlaceScore:
    """What a place adds to the scores of its blocks; the same for all pages of like surroundings."""
    found = around.scores.get(place)
    if found is None:
        terms = place_terms(place, around)
        found = around.scores[place] = PlaceScore(terms.total(), terms, around.standings.of(place), None)
    return found


def place_terms(place: Place, around: Surroundings) -> PlaceTerms:
    """The evidence that all blocks of a place share."""
    standing = around.standings.of(place)
    weights = weights_of(standing)
    terms = PlaceTerms(standing.inside)
    _weigh_region(terms, place, standing, around)
    _weigh_template(terms, place, standing, around)
    if standing.within:
        _weigh_elements(terms, standing.within, weights)
    _weigh_tag(terms, place.tag, weights)
    hints = standing.hints & around.telling
    if hints:
        _weigh_hints(terms, hints, standing, around)
    return terms


def _weigh_region(terms: PlaceTerms, place: Place, standing: Standing, around: Surroundings) -> None:
    """Where a place stands to the region and to the running text."""
    weights = weights_of(standing)
    terms.region = weights.region + weights.region_open * around.openness
    if standing.within & _LIST or place.tag == "li":
        terms.in_list = weights.list_open * around.openness
    terms.running = weights.running * standing.is_running
    terms.beside = weights.beside * standing.is_sibling
    if not standing.is_running and (around.dominant or not standing.inside):
        terms.other = weights.other * around.dominance * _left(weights.other_relief, around)


def _left(relief: float, around: Surroundings) -> float:
    """What is left of a weight on a page as open as this."""
    return 1 - relief * around.openness


def _weigh_template(terms: PlaceTerms, place: Place, standing: Standing, around: Surroundings) -> None:
    """Whether links, or texts that return, are what stands there."""
    weights = weights_of(standing)
    if not standing.is_running and standing.link > _HALF:
        terms.among_links = weights.among_links * _left(weights.among_links_relief, around)
    repeated = weights.among_repeated * (standing.static > _HALF)
    repeated += weights.class_repeated * (place.profile.static_share > _HALF)
    terms.among_repeated = repeated * _left(weights.among_repeated_relief, around)


def _weigh_elements(terms: PlaceTerms, within: int, weights: DecisionWeights) -> None:
    """Which elements a place is in, below the region."""
    if within & _FIGURES:
        terms.figure = weights.figure
    if within & _ASIDE:
        terms.aside = weights.aside
    if within & _NAV:
        terms.nav = weights.nav
    if within & _FOOTER:
        terms.footer = weights.footer
    if within & _HEADER:
        terms.header = weights.header
    if within & _FORM:
        terms.form = weights.form


def _weigh_tag(terms: PlaceTerms, tag: str, weights: DecisionWeights) -> None:
    """What element a place is."""
    if tag == "p":
        terms.paragraph = weights.paragraph
    elif tag in HEADINGS:
        terms.heading = weights.heading
    elif tag == "pre":
        terms.preformatted = weights.preformatted


def _weigh_hints(terms: PlaceTerms, hints: int, standing: Standing, around: Surroundings) -> None:
    """What the names of elements hint at; less so for running text, but for captions."""
    weights, running = weights_of(standing), standing.is_running
    if hints & _CAPTION:
        terms.caption = weights.caption[running]
    if hints & _BYLINE:
        terms.byline = weights.byline[running]
    if hints & _RELATED:
        terms.related = weights.related[running]
    if hints & _SOCIAL:
        terms.social = weights.social[running]
    if hints & _COMMENT:
        terms.comment = weights.comment[running]
    if hints & _NAVIGATION:
        terms.navigation = weights.navigation[running]
    if hints & _HIDDEN:
        terms.hidden = weights.hidden * (1 - around.openness)
    if hints & _REVIEW and not running:
        terms.review = weights.review


def weigh_block(terms: BlockTerms, reading: Reading, around: Surroundings, standing: Standing, index: int) -> None:
    """The evidence that is a block's own.

    :param terms: get it; what they held before is gone.
    :param standing: of the block's place.
    :param index: the number of the block on its page.
    """
    found = reading.evidence[index]
    block, place, odds = found.block, found.place, found.odds
    weights = weights_of(standing)
    terms.clear()
    terms.odds = weights.odds * clipped(odds, _MAX_ODDS)
    if found.repeated:
        terms.repeated = _repeated(found, weights) * _left(weights.repeated_relief, around)
    is_link = block.anchor_weight > _MOSTLY_LINKS * block.weight
    if is_link or place.profile.link_share > _OFTEN_LINK:
        terms.links = _links(place, weights, is_link) * _left(weights.link_relief, around)
    if is_link and around.openness < 1:
        terms.whole_link = weights.whole_link * (1 - around.openness)
    if not standing.is_running:
        _weigh_side(terms, around, weights, index)
        if standing.in_text_list and _is_text_of_list(found, standing, around):
            terms.in_list = weights.list_of_text
    if odds < _POOR_ODDS:
        terms.poor = weights.poor_odds
    if block.weight >= _LONG:
        terms.size = weights.long_text
    if block.has_braces and place.tag != "pre":
        terms.braces = weights.braces
    terms.following = weights.next_odds * _neighbour(reading.evidence, around.threshold, index + 1)
    terms.previous = weights.previous_odds * _neighbour(reading.evidence, around.threshold, index - 1)


def _weigh_side(terms: BlockTerms, around: Surroundings, weights: DecisionWeights, index: int) -> None:
    """On which side of the running text a block stands that is not of it."""
    if index > around.last:
        terms.after = weights.after
    if index < around.first:
        terms.before = weights.before


def _repeated(found: Evidence, weights: DecisionWeights) -> float:
    """Against text that stands on other pages: more for half of the pages, and for longer texts."""
    often = weights.repeated_often * (found.repeated_share >= _COMMON_TEXT)
    return often + weights.repeated + weights.repeated_long * min(1.0, found.block.weight / _LONG)


def _links(place: Place, weights: DecisionWeights, is_link: bool) -> float:
    """Against links, more so where its class is not always a link, less where it often is."""
    often = weights.link_class * (place.profile.link_share > _OFTEN_LINK)
    return often + is_link * (weights.link + weights.link_seldom * (place.profile.link_share < _SELDOM_LINK))


def _neighbour(evidence: Sequence[Evidence], threshold: float, index: int) -> float:
    """The odds of a neighbouring block above the site's threshold; the lowest at the ends of a page."""
    if not 0 <= index < len(evidence):
        return -_MAX_ODDS
    found = evidence[index]
    return clipped(found.odds - threshold, _MAX_ODDS)


def _is_text_of_list(found: Evidence, standing: Standing, around: Surroundings) -> bool:
    """Whether an item of a list that stands among the running text is no link or aside."""
    return found.link < _HALF and not found.repeated and not standing.hints & around.telling & _NO_TEXT_OF_LIST
