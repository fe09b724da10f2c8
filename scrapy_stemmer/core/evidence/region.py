"""Where on a page its text lies: a vote of the sample's pages, checked against the page's own evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import Outline
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place, Within
from scrapy_stemmer.core.evidence.prior import Evidence
from scrapy_stemmer.core.evidence.sums import ElementSums, element_sums

TEXT_TAGS = frozenset("p li h1 h2 h3 h4 h5 h6 pre blockquote dd dt td th tr ul ol tbody figcaption".split())
"""Elements that hold pieces of a text; the region is the element around them."""

MIN_SHARE_OF_BEST = 0.2
"""A path can be the region of a page where its value is at least this share of the page's best element's."""

DEEP_SHARE = 0.8
"""Of the paths with this share of the highest vote the deepest is taken: its ancestors hold the same text."""

CLIMB = 1.1
"""On sites that are not made of articles the region grows to an ancestor of a value this much higher."""

FURTHER_SHARE = 0.5
"""Elsewhere on open pages a path of this share of the highest vote is a region too."""

POOR = 100.0
"""A region of less value than this is no region; the page's own unrepeated text decides then."""

COMPLEMENT_SHARE = 0.9
"""Then the deepest element with this share of the unrepeated text is taken."""

COMMON = 0.3
"""Text on this share of the other pages is common to the site."""

DOMINANT_SHARE = 0.15
"""A class with this share of a region's text is dominant: the site's running text is of that class."""

# The same where they are compiled: as numbers of C, and without a look-up in a class.
_COMMON = COMMON
_HIDDEN = Hint.HIDDEN
_NAV_OR_FOOTER = Within.NAV | Within.FOOTER
_BESIDE_TEXT = Within.NAV | Within.FOOTER | Within.ASIDE


@dataclass(frozen=True)
class UnitWeights:
    """What a unit of a block's mass adds to its elements, beside its odds.

    :param against: when the block is repeated, static, or in navigation, a footer or a hidden element.
    :param chrome: when an element around it is named like chrome.
    :param hinted: when one is named like other boilerplate.
    :param hinted_link: the same, of mostly linked text.
    :param free: when nothing of this speaks against it.
    """

    against: float = -1.0
    chrome: float = -0.5
    hinted: float = 0.3
    hinted_link: float = 0.2
    free: float = 1.0


UNIT = UnitWeights()


def unit_of(found: Evidence, weights: UnitWeights = UNIT) -> float:
    """Whether a block looks like text of the page by the plainest evidence, from -1 to 1."""
    place = found.place
    if found.repeated or _is_against(place):
        return weights.against
    if place.in_chrome:
        return weights.chrome
    if place.hinted:
        return weights.hinted_link if found.link > 0.5 else weights.hinted
    return weights.free


def _is_against(place: Place) -> bool:
    return bool(
        place.profile.static_share > 0.5
        or place.within & _NAV_OR_FOOTER
        or place.in_boilerplate_role
        or place.own_hints & _HIDDEN
    )


def element_values(outline: Outline, evidence: Sequence[Evidence], threshold: float) -> ElementSums:
    """For each element the value of the text in it: odds above a threshold, times mass.

    :param threshold: odds, relative to the site's best class, from which a block counts as text.
    """
    values = element_sums(outline.parents)
    for found in evidence:
        values.add(found.block.node, value_of(found, threshold))
    values.sum_up()
    return values


def value_of(found: Evidence, threshold: float) -> float:
    """The value of one block; see :func:`element_values`."""
    return (found.odds - threshold + unit_of(found)) * found.mass


def value_of_all(evidence: Sequence[Evidence], threshold: float) -> float:
    """The value of some blocks together."""
    value = 0.0
    for found in evidence:
        value += value_of(found, threshold)
    return value


class PlaceMass:
    """What the blocks of one place in a page's regions weigh together.

    :ivar text: those of them that count as text.
    :ivar own: those that are not common to the site; each up to :data:`MAX_MASS`.
    """

    __slots__ = ("own", "text")

    text: int
    own: int


class RegionMass:
    """What the blocks in a page's regions weigh together.

    :ivar weight: all of them.
    :ivar own: those that no other page has.
    :ivar linked: what of those is in links.
    :ivar places: the same by place.
    """

    __slots__ = ("linked", "own", "places", "weight")

    weight: int
    own: int
    linked: int
    places: dict[Place, PlaceMass]


def region_mass(inside: Iterable[Evidence], threshold: float) -> RegionMass:
    """What the blocks in a page's regions weigh together.

    :param inside: those blocks.
    :param threshold: odds above which a block counts as text.
    """
    mass = RegionMass.__new__(RegionMass)
    mass.weight = mass.own = mass.linked = 0
    mass.places = {}
    place: Place | None = None
    for found in inside:
        # Neighbours mostly share their place.
        if found.place is not place:
            place = found.place
            of_place = _mass_of(mass.places, place)
        block = found.block
        mass.weight += block.weight
        if found.odds > threshold:
            of_place.text += block.weight
        if found.repeated_share < _COMMON:
            of_place.own += found.mass
        if not found.repeated:
            mass.own += block.weight
            mass.linked += block.anchor_weight
    return mass


def _mass_of(places: dict[Place, PlaceMass], place: Place) -> PlaceMass:
    """The sums of a place; at first they are 0."""
    found = places.get(place)
    if found is None:
        found = places[place] = PlaceMass.__new__(PlaceMass)
        found.text = found.own = 0
    return found


def dominant_paths(mass: RegionMass) -> frozenset[int]:
    """The paths that a large share of a region's text is of."""
    sums: dict[int, int] = {}
    for place, of_place in mass.places.items():
        if of_place.text:
            sums[place.path] = sums.get(place.path, 0) + of_place.text
    least = DOMINANT_SHARE * mass.weight
    return frozenset([path for path, weight in sums.items() if weight >= least])


def votes_of(highest: float, sums: Mapping[int, float]) -> dict[int, float]:
    """A page's vote: for each path its value over that of the page's best element, at most 1.

    :param highest: the value of that element, see :func:`element_values`.
    :param sums: for each path its value, see :meth:`ElementSums.by_path`.
    """
    if highest <= 0:
        return {}
    return {path: min(1.0, value / highest) for path, value in sums.items() if value > 0}


def region_by_vote(
    paths: PathTree,
    places: Sequence[Place],
    values: ElementSums,
    sums: Mapping[int, float],
    votes: Mapping[int, float],
) -> int:
    """The path of a page's region: the deepest among those with the most votes of the site that has text here.

    :param values: for each element its value, see :func:`element_values`.
    :param sums: for each path its value, see :meth:`ElementSums.by_path`.
    :param votes: for each path of the site the sum of the votes of the sample's pages.
    """
    least = MIN_SHARE_OF_BEST * values.highest
    most = 0.0
    candidates: list[int] = []
    for path, value in sums.items():
        if value > least and path in votes:
            candidates.append(path)
            most = max(most, votes[path])
    if values.highest <= 0 or not candidates:
        return around_text(paths, places[values.best].path)
    deep = [(len(paths.line(path)), votes[path], -path) for path in candidates if votes[path] >= DEEP_SHARE * most]
    return around_text(paths, -max(deep)[2])


def climbed(paths: PathTree, region: int, sums: Mapping[int, float]) -> int:
    """The ancestor of a region, short of the body, to which value grows by steps of :data:`CLIMB`.

    :param sums: for each path of a page its value, see :meth:`ElementSums.by_path`.
    """
    line = paths.line(region)
    for ancestor in reversed(line[1:-1]):
        if sums.get(ancestor, 0.0) > CLIMB * sums.get(region, 0.0):
            region = ancestor
    return region


def further_regions(paths: PathTree, region: int, sums: Mapping[int, float], votes: Mapping[int, float]) -> list[int]:
    """The paths of a page's other regions, those with the most votes first: the parts of a product, beside each other.

    :param region: its first region; the others are neither in it nor around it, nor in one another.
    :param sums: for each path of the page its value, see :meth:`ElementSums.by_path`.
    :param votes: see :func:`region_by_vote`.
    """
    most = 0.0
    for path in sums:
        most = max(most, votes.get(path, 0.0))
    least = FURTHER_SHARE * most
    held: list[tuple[float, int, int]] = []
    for path, value in sums.items():
        if value > POOR:
            vote = votes.get(path, 0.0)
            if vote >= least > 0:
                held.append((-vote, len(paths.line(path)), path))
    regions = [region]
    for _, _, path in sorted(held):
        found = around_text(paths, path)
        if found and not _is_near(paths, found, regions):
            regions.append(found)
    return regions[1:]


def _is_near(paths: PathTree, path: int, others: Sequence[int]) -> bool:
    """Whether a path is one of some others, or lies in it or around it."""
    for other in others:  # noqa: SIM110 - compiled, it makes no generator
        if paths.is_within(path, other) or paths.is_within(other, path):
            return True
    return False


def own_unit_of(found: Evidence, weights: UnitWeights = UNIT) -> float:
    """The same on pages that are no articles, whose text may well return on some other pages, as teasers do."""
    place = found.place
    if (
        found.repeated_share >= _COMMON
        or place.within & _BESIDE_TEXT
        or place.in_boilerplate_role
        or place.own_hints & _HIDDEN
    ):
        return weights.against
    return weights.chrome if place.in_chrome else weights.free


def region_by_complement(
    paths: PathTree, outline: Outline, places: Sequence[Place], evidence: Sequence[Evidence], *, is_open: bool
) -> tuple[int, float]:
    """The path of the deepest element that holds nearly all of a page's own text, and how much that is.

    :param evidence: the page's blocks, as all that is given is of one page.
    :param is_open: whether the page is no article.
    """
    sums = _own_sums(outline, evidence, is_open)
    deepest = sums.deepest(COMPLEMENT_SHARE * sums.highest)
    return around_text(paths, places[deepest].path), sums.highest


def _own_sums(outline: Outline, evidence: Sequence[Evidence], is_open: bool) -> ElementSums:
    """For each element the masses of its blocks times their units."""
    sums = element_sums(outline.parents)
    for found in evidence:
        unit = own_unit_of(found) if is_open else unit_of(found)
        sums.add(found.block.node, unit * found.mass)
    sums.sum_up()
    return sums


def around_text(paths: PathTree, path: int) -> int:
    """The nearest path up that is not that of a piece of text."""
    while path and paths.tag(path) in TEXT_TAGS:
        path = paths.parent(path)
    return path
