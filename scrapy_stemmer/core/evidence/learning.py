"""How the evidence learner learns a site from a sample of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scrapy_stemmer.core.evidence.ablation import EvidenceKind, blind_outline
from scrapy_stemmer.core.evidence.classes import (
    DIGITS,
    ClassMeans,
    Means,
    ProfileTally,
    WorthTally,
    class_means,
    joined,
    profile_of,
    rounded,
    to_digits,
)
from scrapy_stemmer.core.evidence.decision import score_of
from scrapy_stemmer.core.evidence.model import Reading, Regions, SiteModel, weighed
from scrapy_stemmer.core.evidence.names import class_name, id_name
from scrapy_stemmer.core.evidence.outline import HEADLINE, Outline, Shape, TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.prior import Evidence, clipped, with_class
from scrapy_stemmer.core.evidence.reading import Learned, SiteReader
from scrapy_stemmer.core.evidence.region import (
    POOR,
    dominant_paths,
    element_values,
    region_by_vote,
    region_mass,
    value_of_all,
    votes_of,
)
from scrapy_stemmer.core.evidence.sums import ElementSums
from scrapy_stemmer.core.evidence.surroundings import (
    Surroundings,
    blocks_within,
    page_openness,
    regions_of,
    surroundings_in,
)
from scrapy_stemmer.core.evidence.terms import BlockTerms
from scrapy_stemmer.core.evidence.texts import KnownTexts
from scrapy_stemmer.core.evidence.titles import common_headings, common_parts
from scrapy_stemmer.core.evidence.turns import one_by_one
from scrapy_stemmer.core.evidence.walk import Reader
from scrapy_stemmer.core.evidence.weighing import place_score

MIN_CLASS_SHARE = 0.1
"""A class with this share of a site's unrepeated text outside links can set the site's threshold."""

BELOW_BEST = 3.0
"""Text is what is at most so much worse, in log-odds, than the site's best class."""

TYPE_PAGES = 6
"""Pages by which the site's type is told."""

MANY_PAGES = 5
"""In a sample of so many pages a text that one of them has is not taken for one that returns: measured, it makes no
difference, and such texts are most of what would have to be kept."""

ROUTE_PAGES = 20
"""Pages by which it is told where on a page there is text at all."""


def learn_site(outlines: Sequence[Outline], without: frozenset[EvidenceKind] = frozenset()) -> SiteModel:
    """What is learned of a site; see :func:`learn_reader`."""
    return _learned(outlines, without)[0]


def learn_reader(
    outlines: Sequence[Outline], reader: Reader, without: frozenset[EvidenceKind] = frozenset()
) -> SiteReader:
    """Learn a site from a sample of distinct pages.

    :param outlines: of at least one page, in a fixed order: a path's number is its place in that order.
    :param reader: read them, and knows their elements.
    :param without: the kinds of evidence that are switched off, for learning and for whoever uses the model.
    :returns: a reader with what was learned; it knows the places of the sample that matter.
    """
    model, places, texts = _learned(outlines, without)
    return SiteReader(model, Learned(reader, places, texts))


def _learned(outlines: Sequence[Outline], without: frozenset[EvidenceKind]) -> tuple[SiteModel, Places, KnownTexts]:
    """What is learned of a site, the places of its pages, and their texts.

    All numbers are rounded before anything is decided by them, so that a model that was saved decides alike.
    """
    if without:
        outlines = [blind_outline(outline, without) for outline in outlines]
    names = common_names(outlines)
    paths = PathTree()
    places = Places(paths, names, without)
    placed = [places.of(outline) for outline in one_by_one(outlines)]
    repeats, singles = ({}, {}) if EvidenceKind.REPETITION in without else _texts(outlines)
    profiles, shares = _counted(outlines, placed, paths, repeats)
    if EvidenceKind.CLASSES in without:
        profiles, shares = ClassMeans({}, {}), {}
    headings = [headings_of(outline) for outline in outlines]
    model = SiteModel(
        pages=len(outlines),
        names=names,
        repeats=repeats,
        singles=singles,
        paths=paths,
        classes=profiles,
        votes={},
        shares=shares,
        without=without,
        article_share=_share(sum(outline.head.is_article for outline in outlines), len(outlines)),
        title_parts=common_parts(outline.head for outline in outlines) | common_headings(headings),
    )
    views: dict[Any, Any] = {}
    known = model.known_texts()
    readings = [
        Reading(outline, paths, where, weighed(outline, paths, where, model, known, number), number, None, views, None)
        for number, (outline, where) in enumerate(zip(one_by_one(outlines), placed, strict=True))
    ]
    model = replace(model, classes=joined(profiles, _worths(readings, paths)))
    _give_odds(readings, model.classes)
    model = replace(model, threshold=_threshold(readings, model))
    typical, first = _typical(readings), range(min(ROUTE_PAGES, len(readings)))
    votes, pages = _votes(readings, model.threshold, {*typical, *first})
    model = replace(model, votes=votes)
    model = replace(model, dominance=_dominance([pages[number] for number in typical], model))
    return _with_route([pages[number] for number in first], model), places, known


class ValuedPage(NamedTuple):
    """A page of the sample with what its elements are worth.

    :param values: for each element its value, see :func:`element_values`.
    :param sums: for each path its value, see :meth:`ElementSums.by_path`.
    """

    reading: Reading
    values: ElementSums
    sums: dict[int, float]


def _valued(reading: Reading, threshold: float) -> ValuedPage:
    values = element_values(reading.outline, reading.evidence, threshold)
    return ValuedPage(reading, values, values.by_path(reading.places))


def texts_of(outline: Outline) -> tuple[int, ...]:
    """The hashes of a page's texts."""
    hashes: list[int] = []
    for block in outline.blocks:
        hashes.append(block.hash)  # noqa: PERF401
    return tuple(hashes)


def headings_of(outline: Outline) -> list[str]:
    """The main headings of a page."""
    shapes = outline.shapes
    headings: list[str] = []
    for block in outline.blocks:
        # Most blocks were read without their texts.
        if block.text:
            shape = shapes[block.node]
            if shape.tag == HEADLINE:
                headings.append(block.text)
    return headings


def common_names(outlines: Sequence[Outline]) -> frozenset[str] | None:
    """The names that stand on at least two pages; ``None`` for a single page."""
    if len(outlines) < 2:
        return None
    classes, ids = NamesMet(), NamesMet()
    for number, outline in enumerate(one_by_one(outlines)):
        _meet_names(number, set(outline.shapes), classes, ids)
    return frozenset(ids.common.union(map(class_name, classes.common)))


class NamesMet:
    """Names of the pages of a sample.

    :ivar pages: for each name the number of the first page that has it.
    :ivar common: the names of several pages.
    """

    __slots__ = ("common", "pages")

    def __init__(self) -> None:
        self.pages: dict[str, int] = {}
        self.common: set[str] = set()

    def meet(self, name: str, number: int) -> None:
        """Note that a page has a name."""
        if self.pages.setdefault(name, number) != number:
            self.common.add(name)


def _meet_names(number: int, shapes: set[Shape], classes: NamesMet, ids: NamesMet) -> None:
    """Note the names of a page's elements, of which each is given once."""
    for shape in shapes:
        if shape.id:
            ids.meet(id_name(shape.id), number)
        for name in shape.classes:
            classes.meet(name, number)


def _texts(outlines: Sequence[Outline]) -> tuple[dict[int, int], dict[int, int]]:
    """For each text of several pages how many have it; of a small sample for each other one the number of its page."""
    repeats: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, outline in enumerate(one_by_one(outlines)):
        _meet_texts(number, outline.blocks, last, repeats)
    if len(outlines) >= MANY_PAGES:
        return repeats, {}
    return repeats, {text: number for text, number in last.items() if text not in repeats}


def _meet_texts(number: int, blocks: Sequence[TextBlock], last: dict[int, int], repeats: dict[int, int]) -> None:
    """Note the texts of a page.

    :param last: for each text the number of the last page that has it.
    :param repeats: for each text of several pages how many have it.
    """
    for block in blocks:
        text: int = block.hash
        before = last.get(text)
        if before is None:
            last[text] = number
        elif before != number:
            last[text] = number
            repeats[text] = repeats.get(text, 1) + 1


def _counted(
    outlines: Sequence[Outline], placed: Sequence[Sequence[Place]], paths: PathTree, repeats: Mapping[int, int]
) -> tuple[ClassMeans, dict[int, tuple[float, float]]]:
    """What blocks of each class are like; and for each path the share of linked and of repeated text below it."""
    tallies: dict[int, ProfileTally] = {}
    for outline, places in zip(one_by_one(outlines), placed, strict=True):
        _count_profiles(outline.blocks, places, repeats, tallies)
    return rounded(class_means(paths, tallies)), _shares(tallies, paths)


def _count_profiles(
    blocks: Sequence[TextBlock], places: Sequence[Place], repeats: Mapping[int, int], tallies: dict[int, ProfileTally]
) -> None:
    """Count the blocks of a page by path."""
    place: Place | None = None
    for block in blocks:
        # Neighbours mostly share their place.
        if places[block.node] is not place:
            place = places[block.node]
            tally = _profiles_at(place.path, tallies)
        tally.count(block.weight, block.anchor_weight, block.hash in repeats)


def _profiles_at(path: int, tallies: dict[int, ProfileTally]) -> ProfileTally:
    found = tallies.get(path)
    if found is None:
        found = tallies[path] = ProfileTally()
    return found


def _shares(tallies: Mapping[int, ProfileTally], paths: PathTree) -> dict[int, tuple[float, float]]:
    size = len(paths)
    totals, linked, static = [0.0] * size, [0.0] * size, [0.0] * size
    for path, tally in tallies.items():
        totals[path], linked[path], static[path] = tally.weight, tally.linked, tally.static
    for path in range(size - 1, 0, -1):
        above = paths.parent(path)
        totals[above] += totals[path]
        linked[above] += linked[path]
        static[above] += static[path]
    shares: dict[int, tuple[float, float]] = {}
    for path in range(size):
        shares[path] = (_share(linked[path], totals[path]), _share(static[path], totals[path]))
    return shares


def _share(part: float, whole: float) -> float:
    return to_digits(part / whole) if whole else 0.0


def _worths(readings: Iterable[Reading], paths: PathTree) -> ClassMeans:
    tallies: dict[int, WorthTally] = {}
    for reading in one_by_one(readings):
        _count_worths(reading.evidence, tallies)
    return class_means(paths, tallies)


def _count_worths(evidence: Sequence[Evidence], tallies: dict[int, WorthTally]) -> None:
    """Count the blocks of a page by path."""
    place: Place | None = None
    for found in evidence:
        if found.place is not place:
            place = found.place
            tally = _worths_at(place.path, tallies)
        tally.count(found.mass, clipped(found.prior))


def _worths_at(path: int, tallies: dict[int, WorthTally]) -> WorthTally:
    found = tallies.get(path)
    if found is None:
        found = tallies[path] = WorthTally()
    return found


def _give_odds(readings: Iterable[Reading], classes: ClassMeans) -> None:
    """Work out the odds of blocks, now that the worths of their classes are known."""
    for reading in one_by_one(readings):
        _give_page_odds(reading.evidence, classes.by_path)


def _give_page_odds(evidence: Sequence[Evidence], means: Mapping[int, Means]) -> None:
    place: Place | None = None
    worth: float | None = None
    for found in evidence:
        if found.place is not place:
            place = found.place
            of_path = means.get(place.path)
            worth = of_path[-1] if of_path else None
        found.odds = with_class(found.prior, worth)


def _threshold(readings: Sequence[Reading], model: SiteModel) -> float:
    """So much below the best of the classes that hold a good share of the site's own text."""
    mass: dict[int, int] = {}
    for reading in readings:
        _count_mass(reading.evidence, mass)
    total = sum(mass.values()) or 1
    worths = [
        profile_of(model.classes, model.paths, path)[0].worth or 0.0
        for path, weight in mass.items()
        if weight >= MIN_CLASS_SHARE * total
    ]
    return round(max(worths, default=0.0) - BELOW_BEST, DIGITS)


def _count_mass(evidence: Sequence[Evidence], mass: dict[int, int]) -> None:
    """Count the page's own text outside links by path."""
    for found in evidence:
        if not found.repeated:
            path: int = found.place.path
            block = found.block
            mass[path] = mass.get(path, 0) + (block.weight - block.anchor_weight)


def _votes(
    readings: Iterable[Reading], threshold: float, kept: Collection[int]
) -> tuple[dict[int, float], dict[int, ValuedPage]]:
    """The votes of all pages for paths; and some pages with what their elements are worth.

    :param kept: the numbers of those pages. What the elements of all pages are worth takes too much memory.
    """
    votes: defaultdict[int, float] = defaultdict(float)
    pages: dict[int, ValuedPage] = {}
    for number, reading in enumerate(one_by_one(readings)):
        page = _valued(reading, threshold)
        for path, vote in votes_of(page.values.highest, page.sums).items():
            votes[path] += vote
        if number in kept:
            pages[number] = page
    rounded_votes = {path: round(vote, DIGITS) for path, vote in votes.items()}
    return {path: vote for path, vote in rounded_votes.items() if vote}, pages


def _typical(readings: Sequence[Reading]) -> Sequence[int]:
    """The numbers of the pages by which the site's type is told: of those that call themselves articles, if any do."""
    articles = [number for number, reading in enumerate(readings) if reading.outline.head.is_article]
    return (articles or range(len(readings)))[:TYPE_PAGES]


def _dominance(pages: Iterable[ValuedPage], model: SiteModel) -> float:
    """The mean share of dominant classes in the unrepeated text of the pages' regions."""
    shares = []
    for page in one_by_one(pages):
        reading = page.reading
        region = region_by_vote(reading.paths, reading.places, page.values, page.sums, model.votes)
        inside = blocks_within(reading, (region,))
        share = _dominant_share(inside, dominant_paths(region_mass(inside, model.threshold)))
        if share is not None:
            shares.append(share)
    return round(sum(shares) / len(shares), DIGITS) if shares else 0.0


def _dominant_share(inside: Sequence[Evidence], dominant: frozenset[int]) -> float | None:
    """The share of dominant classes in the unrepeated text of a region; ``None`` where there is none."""
    total = held = 0
    for found in inside:
        if found.odds > -2 and not found.repeated:
            weight = found.block.weight
            total += weight
            if found.place.path in dominant:
                held += weight
    return held / total if total else None


def _with_route(pages: Iterable[ValuedPage], model: SiteModel) -> SiteModel:
    """The model with the places where some pages have their text."""
    known: dict[Regions, float] = {}
    outposts: set[int] = set()
    for page in one_by_one(pages):
        reading = page.reading
        openness = page_openness(reading, model)
        regions = regions_of(reading, page.values, page.sums, model, openness)
        value = round(value_of_all(blocks_within(reading, regions), model.threshold), 1)
        if value >= POOR:
            known[regions] = min(known.get(regions, value), value)
        outposts.update(_outposts(reading, surroundings_in(reading, model, openness, regions)))
    # A new tree, since the one that was learned with remembers much that is not needed any more.
    paths = PathTree(model.paths.rows)
    return replace(model, paths=paths, regions=known, outposts=frozenset(outposts))


def _outposts(reading: Reading, around: Surroundings) -> list[int]:
    """The paths outside a page's regions where some of its text, or a line below its title, stands.

    Only what no other page has counts.
    """
    outposts: list[int] = []
    own = BlockTerms()
    for index, found in enumerate(reading.evidence):
        if not found.repeated and not _is_inside(found.place, around):
            score = score_of(index, reading, around, place_score(found.place, around), own)
            is_lead = index < around.first and around.is_below_title(index)
            if is_lead or (score > 0 and index != around.title):
                outposts.append(found.place.path)
    return outposts


def _is_inside(place: Place, around: Surroundings) -> bool:
    standing = around.standings.of(place)
    return standing.inside
