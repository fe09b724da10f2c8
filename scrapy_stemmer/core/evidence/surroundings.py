"""What the blocks of a page are seen against: the page's region, its running text, its title, its type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.model import Reading, Regions, SiteModel
from scrapy_stemmer.core.evidence.names import WORDS
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree
from scrapy_stemmer.core.evidence.places import WITHIN_TAGS, Place
from scrapy_stemmer.core.evidence.prior import Evidence
from scrapy_stemmer.core.evidence.region import (
    COMMON,
    POOR,
    RegionMass,
    climbed,
    dominant_paths,
    element_values,
    further_regions,
    own_unit_of,
    region_by_complement,
    region_by_vote,
    region_mass,
)
from scrapy_stemmer.core.evidence.sums import ElementSums
from scrapy_stemmer.core.evidence.terms import PlaceTerms
from scrapy_stemmer.core.evidence.titles import best_heading, own_titles
from scrapy_stemmer.core.labels import Role

OPEN = 0.5
"""Above this openness the title is part of the text, as in documentation and product pages."""

MIN_OWN_SHARE = 0.2
"""A region with a smaller share of a page's unrepeated text is the wrong one."""

MAX_UNDER_HINT = 0.5
"""A hint that applies to more than this share of a region's own text tells nothing."""

LONE_TEXT = 500
"""Paragraphs of this weight make an article of a page that calls itself one, where no other page is known."""

HALF = 0.5
"""From this share on a text, a class or a path is mostly linked, or mostly repeated."""

BELOW_TITLE = 6
"""So many blocks behind the title a subtitle, an author or a date stand."""

MAX_VIEWS = 50
"""Regions, each with a running text, that are remembered of a site; and of each of them the types of pages."""

FEW_LINKS, MANY_LINKS = 0.6, 0.8
"""With the one share of links in its own text a page is as open as its site, with the other one it is a list."""

# The same where they are compiled: as numbers of C, and without a look-up in a class.
_COMMON, _BELOW_TITLE = COMMON, BELOW_TITLE
_FEW_LINKS, _MANY_LINKS = FEW_LINKS, MANY_LINKS
_WORDS, _MAX_UNDER_HINT = sum(WORDS), MAX_UNDER_HINT
_REGION, _RUNNING_TEXT = EvidenceKind.REGION, EvidenceKind.RUNNING_TEXT


@dataclass
class Standing:
    """How a place, and so the blocks right in it, stands to the region. It does not change.

    :param inside: whether it is the region or lies in it.
    :param is_running: whether its path is that of running text.
    :param is_sibling: whether it stands beside running text, or around it.
    :param in_text_list: whether it is an item of a list that stands beside running text.
    :param hints: the :class:`Hint` of the elements around it, itself included; below the region where it lies inside.
    :param within: which those elements are, as :class:`Within`.
    :param link: the highest share of links in one of their paths.
    :param static: the highest share of repeated text in one of them.
    """

    __slots__ = ("hints", "in_text_list", "inside", "is_running", "is_sibling", "link", "static", "within")

    inside: bool
    is_running: bool
    is_sibling: bool
    in_text_list: bool
    hints: int
    within: int
    link: float
    static: float


@dataclass
class PlaceScore:
    """What a place adds to the scores of its blocks.

    :param score: in all.
    :param terms: by evidence.
    :param standing: how the place stands to the region.
    :param role: what its text is by the elements around it; ``None`` until that is asked for.
    """

    __slots__ = ("role", "score", "standing", "terms")

    score: float
    terms: PlaceTerms
    standing: Standing
    role: Role | None


class Extent:
    """Which places of a site lie in some regions; worked out when first asked for.

    :param regions: paths of the regions.
    """

    def __init__(self, regions: Regions) -> None:
        self._regions = frozenset(regions)
        self._known: dict[Place, bool] = {}

    def holds(self, place: Place) -> bool:
        """Whether the path of a place is that of a region, or leads through one."""
        is_within = self._known.get(place)
        return self._from_above(place) if is_within is None else is_within

    def _from_above(self, place: Place) -> bool:
        """The same of a place that is not known yet, by the nearest one around it that is, or that is of a region."""
        waiting: list[Place] = []
        around: Place | None = place
        is_within = False
        while around is not None:
            waiting.append(around)
            if around.path in self._regions:
                is_within = True
                break
            around = around.above
            known = None if around is None else self._known.get(around)
            if known is not None:
                is_within = known
                break
        for below in waiting:
            self._known[below] = is_within
        return is_within


class Standings:
    """How the places of a site stand to some regions and their running text; worked out when first asked for.

    :param paths: of the site.
    :param shares: see :class:`SiteModel`.
    :param regions: paths of the regions.
    :param dominant: paths of their running text.
    """

    def __init__(
        self, paths: PathTree, shares: Mapping[int, tuple[float, float]], regions: Regions, dominant: frozenset[int]
    ) -> None:
        self.regions = regions
        self.dominant = dominant
        self.parents = frozenset(paths.parent(path) for path in dominant)
        self._paths = paths
        self._shares = shares
        self._known: dict[Place, Standing] = {}
        self._scores: dict[tuple[float, int], dict[Place, PlaceScore]] = {}

    def of(self, place: Place) -> Standing:
        """How a place stands; from the body down."""
        found = self._known.get(place)
        return self._from_above(place) if found is None else found

    def _from_above(self, place: Place) -> Standing:
        """How a place stands, by the nearest one around it that is known."""
        waiting = [place]
        above = place.above
        while above is not None and above not in self._known:
            waiting.append(above)
            above = above.above
        found = self._standing(waiting[-1], None if above is None else self._known[above])
        self._known[waiting.pop()] = found
        for below in reversed(waiting):
            found = self._known[below] = self._standing(below, found)
        return found

    def scores_of(self, openness: float, telling: int) -> dict[Place, PlaceScore]:
        """What places add to the scores of their blocks, as far as that is known; it grows as they are asked for.

        Pages that are lists to some extent have an openness each, so that there is no end of it.
        """
        known = self._scores.get((openness, telling))
        if known is None:
            if len(self._scores) >= MAX_VIEWS:
                self._scores.clear()
            known = self._scores.setdefault((openness, telling), {})
        return known

    def _standing(self, place: Place, above: Standing | None) -> Standing:
        path = place.path
        standing = Standing.__new__(Standing)
        standing.inside = path in self.regions
        standing.is_running = path in self.dominant
        around = self._paths.parent(path)
        standing.is_sibling = not standing.is_running and (path in self.parents or around in self.parents)
        standing.in_text_list = place.tag == "li" and around > 0 and self._paths.parent(around) in self.parents
        standing.hints = standing.within = 0
        standing.link = standing.static = 0.0
        if standing.inside:
            return standing
        shares = self._shares.get(path)
        if shares is not None:
            standing.link, standing.static = shares
        if above is not None:
            standing.inside = above.inside
            standing.hints = above.hints | place.own_hints
            standing.within = above.within | WITHIN_TAGS.get(place.tag, 0)
            standing.link = max(standing.link, above.link)
            standing.static = max(standing.static, above.static)
        return standing


@dataclass(frozen=True)
class Surroundings:
    """What the blocks of a page are seen against.

    :param standings: how places stand to the page's region and running text.
    :param first: index of the first block of running text.
    :param last: index of the last.
    :param title: index of the title, -1 when there is none.
    :param openness: the site's type, or the page's where it has mostly links.
    :param telling: the hints that tell blocks of the page apart, see :func:`telling_hints`.
    :param threshold: the site's, see :class:`SiteModel`.
    :param dominance: the site's.
    :param scores: what places add to the scores of their blocks on such pages, as far as that is known; it grows.
    """

    __slots__ = (
        "dominance",
        "first",
        "last",
        "openness",
        "scores",
        "standings",
        "telling",
        "threshold",
        "title",
    )

    standings: Standings
    first: int
    last: int
    title: int
    openness: float
    telling: int
    threshold: float
    dominance: float
    scores: dict[Place, PlaceScore]

    def is_below_title(self, index: int) -> bool:
        """Whether the block of an index is one of the :data:`BELOW_TITLE` right behind the title."""
        return 0 <= self.title < index <= self.title + _BELOW_TITLE

    @property
    def regions(self) -> Regions:
        """The paths of the page's regions."""
        return self.standings.regions

    @property
    def dominant(self) -> frozenset[int]:
        """The paths of their running text."""
        return self.standings.dominant


def surroundings_of(reading: Reading, model: SiteModel) -> Surroundings:
    """What the blocks of a page are seen against."""
    openness = page_openness(reading, model)
    regions = reading.regions
    if regions is None:
        values = element_values(reading.outline, reading.evidence, model.threshold)
        regions = regions_of(reading, values, values.by_path(reading.places), model, openness)
    return surroundings_in(reading, model, openness, regions)


def surroundings_in(reading: Reading, model: SiteModel, openness: float, regions: Regions) -> Surroundings:
    """What the blocks of a page of known regions are seen against.

    :param openness: see :func:`page_openness`.
    """
    threshold = model.threshold
    inside = blocks_within(reading, regions) if reading.inside is None else reading.inside
    mass = region_mass(inside, threshold)
    dominant = frozenset() if _RUNNING_TEXT in model.without else dominant_paths(mass)
    standings = standings_of(reading, model, regions, dominant)
    first, last = _running(reading.evidence, dominant, threshold)
    telling = telling_hints(mass, standings)
    title = title_index(reading, model.title_parts)
    if not is_lone_article(reading, model, inside):
        openness = max(openness, openness_of_links(mass))
    scores = standings.scores_of(openness, telling)
    return Surroundings(standings, first, last, title, openness, telling, threshold, model.dominance, scores)


def _running(evidence: Sequence[Evidence], dominant: frozenset[int], threshold: float) -> tuple[int, int]:
    """The indices of the first and the last block of running text; those of all blocks where there is none."""
    first, last = 0, len(evidence) - 1
    while first <= last and not _is_running(evidence[first], dominant, threshold):
        first += 1
    if first > last:
        return 0, len(evidence)
    while not _is_running(evidence[last], dominant, threshold):
        last -= 1
    return first, last


def _is_running(found: Evidence, dominant: frozenset[int], threshold: float) -> bool:
    return found.odds > threshold and found.place.path in dominant


def standings_of(reading: Reading, model: SiteModel, regions: Regions, dominant: frozenset[int]) -> Standings:
    """How places stand to regions; the same for all pages of the same regions and running text."""
    key = (regions, dominant)
    found = reading.views.get(key)
    if found is None:
        if len(reading.views) >= MAX_VIEWS:
            reading.views.clear()
        found = reading.views[key] = Standings(reading.paths, model.shares, regions, dominant)
    return found


def extent_of(views: dict[Any, Any], regions: Regions) -> Extent:
    """Which places lie in some regions; the same for all pages of a site.

    :param views: see :class:`Reading`.
    """
    found: Extent | None = views.get(regions)
    if found is None:
        found = views[regions] = Extent(regions)
    return found


def blocks_within(reading: Reading, regions: Regions) -> list[Evidence]:
    """The blocks of a page whose paths are those of regions, or lead through one."""
    return blocks_in(extent_of(reading.views, regions), reading.evidence)


def blocks_in(extent: Extent, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Those of some blocks that lie in some regions."""
    within: list[Evidence] = []
    place: Place | None = None
    is_within = False
    for found in evidence:
        # Neighbours mostly share their place.
        if found.place is not place:
            place = found.place
            is_within = extent.holds(place)
        if is_within:
            within.append(found)
    return within


def page_openness(reading: Reading, model: SiteModel) -> float:
    """The site's type; the page's own, by its metadata, where only some pages of the site are articles."""
    if 0.0 < model.article_share < 1.0:
        return model.openness_with(float(reading.outline.head.is_article))
    return model.openness


def is_lone_article(reading: Reading, model: SiteModel, inside: Iterable[Evidence]) -> bool:
    """Whether a page is all of the sample, calls itself an article, and has paragraphs.

    Its links say nothing of its type then: they may be those of all pages.

    :param inside: see :func:`openness_of_links`.
    """
    if model.pages > 1 or reading.own is None or not reading.outline.head.is_article:
        return False
    return _text_of_paragraphs(inside, model.threshold) >= LONE_TEXT


def _text_of_paragraphs(inside: Iterable[Evidence], threshold: float) -> int:
    """The weight of the paragraphs among some blocks, but for what is linked."""
    paragraphs = (found for found in inside if found.tag == "p" and found.link < HALF and found.odds > threshold)
    return sum(found.block.weight - found.block.anchor_weight for found in paragraphs)


def openness_of_links(mass: RegionMass) -> float:
    """1 for a page whose own text is mostly links, such as an index; 0 below :data:`FEW_LINKS`."""
    share = 0.0
    if mass.own:
        share = mass.linked / mass.own
    return min(1.0, max(0.0, (share - _FEW_LINKS) / (_MANY_LINKS - _FEW_LINKS)))


def title_index(reading: Reading, title_parts: frozenset[str]) -> int:
    """The index of the ``h1`` that names the page; -1 without one.

    :param title_parts: those of the site, see :class:`SiteModel`.
    """
    indices = _headlines(reading.evidence)
    if not indices:
        return -1
    headings = [reading.evidence[index].block.text for index in indices]
    if len(headings) == 1 and headings[0] not in title_parts:
        return indices[0]
    best = best_heading(headings, own_titles(reading.outline.head, title_parts), title_parts)
    return -1 if best is None else indices[best]


def _headlines(evidence: Sequence[Evidence]) -> list[int]:
    """The indices of the blocks that are main headings."""
    indices: list[int] = []
    for index, found in enumerate(evidence):
        if found.place.is_headline:
            indices.append(index)
    return indices


def regions_of(
    reading: Reading, values: ElementSums, sums: Mapping[int, float], model: SiteModel, openness: float
) -> Regions:
    """The paths of the regions; of articles there is one only.

    :param values: see :func:`element_values`.
    :param sums: for each path its value, see :meth:`ElementSums.by_path`.
    """
    if _REGION in model.without:
        return (ROOT,)
    by_vote = region_by_vote(reading.paths, reading.places, values, sums, model.votes)
    region = _settled(reading, by_vote, sums, openness >= OPEN)
    if openness < OPEN:
        return (region,)
    return (region, *further_regions(reading.paths, region, sums, model.votes))


def _settled(reading: Reading, region: int, sums: Mapping[int, float], is_open: bool) -> int:
    """The region by vote, grown on open pages; by the page's own evidence where the vote leads to a poor place."""
    if is_open:
        region = climbed(reading.paths, region, sums)
    if sums.get(region, 0.0) < POOR or _own_share(reading, region) < MIN_OWN_SHARE:
        other, found = region_by_complement(
            reading.paths, reading.outline, reading.places, reading.evidence, is_open=is_open
        )
        return other if found > 0 else region
    return region


def _own_share(reading: Reading, region: int) -> float:
    """The share of a page's own text that lies in a region.

    In the region all counts that is not common: an article named ``newsletter-post`` is no newsletter.
    """
    extent = extent_of(reading.views, (region,))
    inside = outside = 0
    for found in reading.evidence:
        if extent.holds(found.place):
            if found.repeated_share < _COMMON:
                inside += found.mass
        elif own_unit_of(found) > 0:
            outside += found.mass
    return inside / (inside + outside) if inside + outside else 1.0


def telling_hints(mass: RegionMass, standings: Standings) -> int:
    """The hints that tell blocks of the region apart: not those that most of its own text is under.

    On an index page all that is to be read stands in elements named teaser or card.
    """
    total = all_hints = 0
    under: list[tuple[int, int]] = []
    for place, of_place in mass.places.items():
        if of_place.own:
            total += of_place.own
            hints = standings.of(place).hints & _WORDS
            if hints:
                under.append((hints, of_place.own))
                all_hints |= hints
    telling = ~0
    while all_hints:
        hint = all_hints & -all_hints
        all_hints ^= hint
        weight = 0
        for hints, own in under:
            if hints & hint:
                weight += own
        if weight > _MAX_UNDER_HINT * total:
            telling &= ~hint
    return telling
