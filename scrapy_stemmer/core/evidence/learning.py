"""How the evidence learner learns a site from a sample of its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

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
from scrapy_stemmer.core.evidence.names import names_of
from scrapy_stemmer.core.evidence.outline import HEADLINE, Outline, Shape, TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.prior import Evidence, clipped, with_class
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.core.evidence.region import (
    POOR,
    dominant_paths,
    element_values,
    path_values,
    region_by_vote,
    region_mass,
    value_of_all,
    votes_of,
)
from scrapy_stemmer.core.evidence.surroundings import (
    Surroundings,
    blocks_within,
    page_openness,
    regions_of,
    surroundings_in,
)
from scrapy_stemmer.core.evidence.terms import BlockTerms
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
    model, places = _learned(outlines, without)
    return SiteReader(model, (reader, places))


def _learned(outlines: Sequence[Outline], without: frozenset[EvidenceKind]) -> tuple[SiteModel, Places]:
    """What is learned of a site, and the places of its pages.

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
    known = model.text_filter()
    readings = [
        Reading(outline, paths, where, weighed(outline, paths, where, model, known, number), number, None, views, None)
        for number, (outline, where) in enumerate(zip(one_by_one(outlines), placed, strict=True))
    ]
    model = replace(model, classes=joined(profiles, _worths(readings, paths)))
    _give_odds(readings, model.classes)
    model = replace(model, threshold=_threshold(readings, model))
    model = replace(model, votes=_votes(readings, model.threshold))
    model = replace(model, dominance=_dominance(_typical(readings), model))
    return _with_route(readings[:ROUTE_PAGES], model), places


def headings_of(outline: Outline) -> list[str]:
    """The main headings of a page."""
    return [block.text for block in outline.blocks if outline.shapes[block.node].tag == HEADLINE]


def common_names(outlines: Sequence[Outline]) -> frozenset[str] | None:
    """The names that stand on at least two pages; ``None`` for a single page."""
    if len(outlines) < 2:
        return None
    known: dict[Shape, list[str]] = {}
    counts: Counter[str] = Counter()
    for outline in outlines:
        of_page: set[str] = set()
        for shape in set(outline.shapes):
            names = known.get(shape)
            if names is None:
                names = known[shape] = names_of(shape)
            of_page.update(names)
        counts.update(of_page)
    return frozenset(name for name, count in counts.items() if count >= 2)


def _texts(outlines: Sequence[Outline]) -> tuple[dict[int, int], dict[int, int]]:
    """For each text of several pages how many have it; of a small sample for each other one the number of its page."""
    counts = Counter(text for outline in outlines for text in {block.hash for block in outline.blocks})
    repeats = {text: count for text, count in counts.items() if count >= 2}
    if len(outlines) >= MANY_PAGES:
        return repeats, {}
    numbered = enumerate(outlines)
    return repeats, {
        block.hash: number for number, outline in numbered for block in outline.blocks if block.hash not in repeats
    }


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
    for block in blocks:
        path = places[block.node].path
        tally = tallies.get(path)
        if tally is None:
            tally = tallies[path] = ProfileTally()
        tally.count(block.weight, block.anchor_weight, block.hash in repeats)


def _shares(tallies: Mapping[int, ProfileTally], paths: PathTree) -> dict[int, tuple[float, float]]:
    size = len(paths)
    totals, linked, static = [0.0] * size, [0.0] * size, [0.0] * size
    for path, tally in tallies.items():
        totals[path], linked[path], static[path] = tally.weights[0], tally.totals[1], tally.totals[0]
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
    for found in evidence:
        tally = tallies.get(found.place.path)
        if tally is None:
            tally = tallies[found.place.path] = WorthTally()
        tally.count(found.mass, clipped(found.prior))


def _give_odds(readings: Iterable[Reading], classes: ClassMeans) -> None:
    """Work out the odds of blocks, now that the worths of their classes are known."""
    for reading in readings:
        _give_page_odds(reading.evidence, classes.by_path)


def _give_page_odds(evidence: Sequence[Evidence], means: Mapping[int, Means]) -> None:
    for found in evidence:
        of_path = means.get(found.place.path)
        found.odds = with_class(found.prior, of_path[-1] if of_path else None)


def _threshold(readings: Sequence[Reading], model: SiteModel) -> float:
    """So much below the best of the classes that hold a good share of the site's own text."""
    mass: Counter[int] = Counter()
    for reading in readings:
        for found in reading.evidence:
            if not found.repeated:
                mass[found.place.path] += found.block.weight - found.block.anchor_weight
    total = sum(mass.values()) or 1
    worths = [
        profile_of(model.classes, model.paths, path)[0].worth or 0.0
        for path, weight in mass.items()
        if weight >= MIN_CLASS_SHARE * total
    ]
    return round(max(worths, default=0.0) - BELOW_BEST, DIGITS)


def _votes(readings: Iterable[Reading], threshold: float) -> dict[int, float]:
    votes: defaultdict[int, float] = defaultdict(float)
    for reading in one_by_one(readings):
        values = element_values(reading.outline, reading.evidence, threshold)
        for path, vote in votes_of(reading.places, values).items():
            votes[path] += vote
    kept = {path: round(vote, DIGITS) for path, vote in votes.items()}
    return {path: vote for path, vote in kept.items() if vote}


def _typical(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The pages by which the site's type is told: of those that call themselves articles, if there are any."""
    articles = [reading for reading in readings if reading.outline.head.is_article]
    return (articles or readings)[:TYPE_PAGES]


def _dominance(readings: Iterable[Reading], model: SiteModel) -> float:
    """The mean share of dominant classes in the unrepeated text of the pages' regions."""
    shares = []
    for reading in one_by_one(readings):
        values = element_values(reading.outline, reading.evidence, model.threshold)
        sums = path_values(reading.places, values)
        region = region_by_vote(reading.paths, reading.places, values, sums, model.votes)
        inside = blocks_within(reading, (region,))
        dominant = dominant_paths(region_mass(inside, model.threshold))
        counted = [found for found in inside if found.odds > -2 and not found.repeated]
        total = sum(found.block.weight for found in counted)
        if total:
            shares.append(sum(found.block.weight for found in counted if found.place.path in dominant) / total)
    return round(sum(shares) / len(shares), DIGITS) if shares else 0.0


def _with_route(readings: Iterable[Reading], model: SiteModel) -> SiteModel:
    """The model with the places where some pages have their text."""
    known: dict[Regions, float] = {}
    outposts: set[int] = set()
    for reading in one_by_one(readings):
        openness = page_openness(reading, model)
        values = element_values(reading.outline, reading.evidence, model.threshold)
        regions = regions_of(reading, values, model, openness)
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
        standing = around.standings.of(found.place)
        if not found.repeated and not standing.inside:
            score = score_of(index, reading, around, place_score(found.place, around), own)
            is_lead = index < around.first and around.is_below_title(index)
            if is_lead or (score > 0 and index != around.title):
                outposts.append(found.place.path)
    return outposts
