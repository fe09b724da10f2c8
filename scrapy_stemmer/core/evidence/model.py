"""What the evidence learner knows of a site, and how it learns it from a sample of pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scrapy_stemmer.core.evidence.classes import (
    DIGITS,
    ClassMeans,
    Contribution,
    Observed,
    Profile,
    class_means,
    joined,
    profile_of,
    profiles,
)
from scrapy_stemmer.core.evidence.names import MAX_KNOWN, NameHints
from scrapy_stemmer.core.evidence.outline import Node, Outline
from scrapy_stemmer.core.evidence.paths import PagePaths, PathTree
from scrapy_stemmer.core.evidence.prior import (
    Evidence,
    Place,
    clipped,
    is_hinted_near,
    places_of,
    prior_of,
)
from scrapy_stemmer.core.evidence.region import element_values, region_by_vote, votes_of
from scrapy_stemmer.core.evidence.titles import common_parts
from scrapy_stemmer.core.hashing import stable_hash

CLASS_SHARE = 0.5
"""How much a block's odds owe to its class; the rest is its own."""

MIN_CLASS_SHARE = 0.1
"""A class with this share of a site's unrepeated text outside links can set the site's threshold."""

BELOW_BEST = 3.0
"""Text is what is at most so much worse, in log-odds, than the site's best class."""

DOMINANT_SHARE = 0.15
"""A class with this share of a region's text is dominant: the site's running text is of that class."""

TYPE_PAGES = 6
"""Pages by which the site's type is told."""

FULL_DOMINANCE, NO_DOMINANCE = 0.6, 0.4
"""With the one share of dominant classes in its regions a site is made of articles, with the other it is not."""

MIN_LETTERS = 4
"""Texts with so many letters are the same whatever their numbers."""

HIDDEN = ".hidden!"
"""Marks the component of an element that an attribute hides."""

_DIGITS = re.compile(r"\d+")
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_MIXED = re.compile(r"[A-Z]|\d[a-z]|[a-z]\d")


@dataclass(frozen=True, slots=True)
class Reading:
    """A page seen with what is known of its site.

    :param outline: the page.
    :param paths: the site's paths, with those that only this page has.
    :param places: where its block-level elements stand, one for each node of the outline.
    :param evidence: what is known of its texts, one for each block of the outline.
    """

    outline: Outline
    paths: PathTree
    places: tuple[Place, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteModel:
    """What was learned of a site.

    :param pages: number of distinct pages in the sample.
    :param names: identifiers (``#a``) and class names (``.b``) that count in paths: those on two pages or more;
        ``None`` when there was one page only.
    :param fingerprints: hashes of the sample's pages, so that a page is not compared with itself.
    :param repeats: hash of a block's text -> number of pages that have it.
    :param paths: the site's paths.
    :param classes: what blocks are like, by class: the values of :class:`Profile`.
    :param threshold: odds from which a block counts as text.
    :param votes: how many pages have their text at a path.
    :param shares: for each path the share of the text in it that is linked, and that is repeated.
    :param dominance: share of the regions' text that is of dominant classes.
    :param article_share: share of pages whose metadata call them articles.
    :param title_parts: parts of titles that several pages have, such as the site's name.
    """

    pages: int
    names: frozenset[str] | None
    fingerprints: frozenset[int]
    repeats: Mapping[int, int]
    paths: PathTree
    classes: ClassMeans
    threshold: float = 0.0
    votes: Mapping[int, float]
    shares: Mapping[int, tuple[float, float]]
    dominance: float = 0.0
    article_share: float = 0.0
    title_parts: frozenset[str] = frozenset()

    @property
    def openness(self) -> float:
        """The site's type: 0 for one article a page, 1 for lists, products, documentation, where all text counts."""
        spread = (FULL_DOMINANCE - self.dominance) / (FULL_DOMINANCE - NO_DOMINANCE)
        return max(1.0 - self.article_share, min(1.0, max(0.0, spread)))


def fingerprint(outline: Outline) -> int:
    """A hash of a page's texts, whatever the elements around them."""
    return stable_hash(*(block.sig for block in outline.blocks))


def text_hash(sig: str) -> int:
    """A hash of a block's significant text, the same for ``5 minutes ago`` and ``17 minutes ago``.

    Numbers alone keep their digits: the cells of a table are not one text.
    """
    without = _DIGITS.sub("0", sig)
    return stable_hash(without if len(without) - without.count("0") >= MIN_LETTERS else sig)


def names_of(nodes: Iterable[Node]) -> set[str]:
    """The identifiers and class names of a page, as they stand in components."""
    return {name for node in nodes for name in _names(node)}


class Namer:
    """Tells the path component and the name hints of elements, and remembers them, since a site repeats few.

    :param known: the names that count in components; ``None``: those that don't look made for one page.
    """

    def __init__(self, known: frozenset[str] | None) -> None:
        self._known = known
        self._hints = NameHints()
        self._found: dict[tuple[str, str, tuple[str, ...], bool], tuple[str, int]] = {}

    def of(self, node: Node) -> tuple[str, int]:
        """An element's component, and its hints as bits of :class:`Hint`."""
        key = (node.tag, node.id, node.classes, node.hidden)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MAX_KNOWN:
                self._found.clear()
            hints = self._hints.of(node.id, node.classes, hidden=node.hidden)
            found = self._found[key] = (component_of(node, self._known), hints)
        return found


def component_of(node: Node, known: frozenset[str] | None) -> str:
    """An element as a part of paths: its tag, and those of its names that count; see :class:`Namer`."""
    kept = (name for name in _names(node) if (_looks_lasting(name) if known is None else name in known))
    return node.tag + "".join(kept) + (HIDDEN if node.hidden else "")


def _names(node: Node) -> list[str]:
    identifier = [f"#{_DIGITS.sub('0', node.id)}"] if node.id else []
    return identifier + [f".{name}" for name in node.classes]


def _looks_lasting(name: str) -> bool:
    """Whether a name looks as if people had chosen it, for all pages."""
    if _THREE_DIGITS.search(name):
        return False
    has_both = any(char.isdigit() for char in name) and any("a" <= char <= "z" for char in name)
    return not (len(name) > 6 and has_both and _MIXED.search(name))


def dominant_paths(evidence: Sequence[Evidence], threshold: float) -> frozenset[int]:
    """The paths that a large share of a region's text is of.

    :param evidence: the blocks of the region.
    :param threshold: odds above which a block counts as text.
    """
    total = sum(found.block.weight for found in evidence)
    mass: Counter[int] = Counter()
    for found in evidence:
        if found.odds > threshold:
            mass[found.path] += found.block.weight
    return frozenset(path for path, weight in mass.items() if weight >= DOMINANT_SHARE * total)


def read(outline: Outline, model: SiteModel, namer: Namer) -> Reading:
    """A page with the evidence for each of its blocks.

    :param model: of the page's site; it is not changed.
    :param namer: of the model's names; worth keeping from page to page.
    """
    seen = _look(outline, PagePaths(model.paths), namer)
    known = fingerprint(outline) in model.fingerprints
    return _weighed(seen, model, is_own=known)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page with its places, before anything is known of its blocks."""

    outline: Outline
    paths: PathTree
    places: tuple[Place, ...]
    hashes: tuple[int, ...]


def _look(outline: Outline, paths: PathTree, namer: Namer) -> _Seen:
    places = places_of(outline, paths, [namer.of(node) for node in outline.nodes])
    return _Seen(outline, paths, tuple(places), tuple(text_hash(block.sig) for block in outline.blocks))


def learn_site(outlines: Sequence[Outline]) -> SiteModel:
    """Learn a site from a sample of distinct pages.

    All numbers are rounded before anything is decided by them, so that a model that was saved decides alike.

    :param outlines: of at least one page, in a fixed order: a path's number is its place in that order.
    """
    names = common_names(outlines)
    paths, namer = PathTree(), Namer(names)
    pages = [_look(outline, paths, namer) for outline in outlines]
    repeats = Counter(text for page in pages for text in set(page.hashes))
    model = SiteModel(
        pages=len(pages),
        names=names,
        fingerprints=frozenset(map(fingerprint, outlines)),
        repeats=repeats,
        paths=paths,
        classes=_profiles(pages, paths, repeats),
        votes={},
        shares=_shares(pages, paths, repeats),
    )
    worths = _worths([_weighed(page, model, is_own=True) for page in pages], paths)
    model = replace(model, classes=joined(model.classes, worths))
    readings = [_weighed(page, model, is_own=True) for page in pages]
    model = replace(model, threshold=_threshold(readings, model))
    model = replace(model, votes=_votes(readings, model.threshold))
    return replace(
        model,
        dominance=_dominance(_typical(readings), model),
        article_share=_share(sum(outline.head.is_article for outline in outlines), len(outlines)),
        title_parts=common_parts(outline.head for outline in outlines),
    )


def common_names(outlines: Sequence[Outline]) -> frozenset[str] | None:
    """The names that stand on at least two pages; ``None`` for a single page."""
    if len(outlines) < 2:
        return None
    counts = Counter(name for outline in outlines for name in names_of(outline.nodes))
    return frozenset(name for name, count in counts.items() if count >= 2)


def _profiles(pages: Sequence[_Seen], paths: PathTree, repeats: Mapping[int, int]) -> ClassMeans:
    return profiles(
        paths,
        (
            Observed(
                page.places[block.node].path,
                block.weight,
                repeats[text] >= 2,
                block.anchor_weight,
            )
            for page in pages
            for block, text in zip(page.outline.blocks, page.hashes, strict=True)
        ),
    )


def _shares(pages: Sequence[_Seen], paths: PathTree, repeats: Mapping[int, int]) -> dict[int, tuple[float, float]]:
    total: Counter[int] = Counter()
    linked: Counter[int] = Counter()
    static: Counter[int] = Counter()
    for page in pages:
        for block, text in zip(page.outline.blocks, page.hashes, strict=True):
            path = page.places[block.node].path
            total[path] += block.weight
            linked[path] += block.anchor_weight
            static[path] += block.weight * (repeats[text] >= 2)
    for path in range(len(paths) - 1, 0, -1):
        for sums in (total, linked, static):
            sums[paths.parent(path)] += sums[path]
    return {path: (_share(linked[path], total[path]), _share(static[path], total[path])) for path in range(len(paths))}


def _share(part: float, whole: float) -> float:
    return round(part / whole, DIGITS) if whole else 0.0


def _weighed(page: _Seen, model: SiteModel, *, is_own: bool) -> Reading:
    """The evidence for each block of a page; ``is_own`` when the page is one of the sample."""
    others = model.pages - is_own
    profiles_known: dict[int, Profile] = {}
    evidence = []
    for block, text in zip(page.outline.blocks, page.hashes, strict=True):
        place = page.places[block.node]
        if place.path not in profiles_known:
            profiles_known[place.path] = profile_of(model.classes, page.paths, place.path)
        count = model.repeats.get(text, 0) - is_own
        found = Evidence(
            block=block,
            place=place,
            tag=page.outline.nodes[block.node].tag,
            repeated=count >= 1,
            repeated_share=count / others if others else 0.0,
            hinted_near=is_hinted_near(page.outline, page.places, block.node),
            profile=profiles_known[place.path],
        )
        found.prior = prior_of(found)
        found.odds = _odds(found)
        evidence.append(found)
    return Reading(page.outline, page.paths, page.places, tuple(evidence))


def _odds(found: Evidence) -> float:
    """The prior of a block, half of it that of its class."""
    own = clipped(found.prior)
    worth = found.profile.worth
    return own if worth is None else (1 - CLASS_SHARE) * own + CLASS_SHARE * worth


def _worths(readings: Iterable[Reading], paths: PathTree) -> ClassMeans:
    return class_means(
        paths,
        (
            Contribution(found.path, (clipped(found.prior),), (found.mass,))
            for reading in readings
            for found in reading.evidence
        ),
    )


def _threshold(readings: Sequence[Reading], model: SiteModel) -> float:
    """So much below the best of the classes that hold a good share of the site's own text."""
    mass: Counter[int] = Counter()
    for reading in readings:
        for found in reading.evidence:
            if not found.repeated:
                mass[found.path] += found.block.weight - found.block.anchor_weight
    total = sum(mass.values()) or 1
    worths = [
        profile_of(model.classes, model.paths, path).worth or 0.0
        for path, weight in mass.items()
        if weight >= MIN_CLASS_SHARE * total
    ]
    return round(max(worths, default=0.0) - BELOW_BEST, DIGITS)


def _votes(readings: Sequence[Reading], threshold: float) -> dict[int, float]:
    votes: defaultdict[int, float] = defaultdict(float)
    for reading in readings:
        values = element_values(reading.outline, reading.evidence, threshold)
        for path, vote in votes_of(reading.places, values).items():
            votes[path] += vote
    rounded = {path: round(vote, DIGITS) for path, vote in votes.items()}
    return {path: vote for path, vote in rounded.items() if vote}


def _typical(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The pages by which the site's type is told: of those that call themselves articles, if there are any."""
    articles = [reading for reading in readings if reading.outline.head.is_article]
    return (articles or readings)[:TYPE_PAGES]


def _dominance(readings: Sequence[Reading], model: SiteModel) -> float:
    """The mean share of dominant classes in the unrepeated text of the pages' regions."""
    shares = []
    for reading in readings:
        values = element_values(reading.outline, reading.evidence, model.threshold)
        region = region_by_vote(reading.paths, reading.places, values, model.votes)
        inside = [found for found in reading.evidence if reading.paths.is_within(found.path, region)]
        dominant = dominant_paths(inside, model.threshold)
        counted = [found for found in inside if found.odds > -2 and not found.repeated]
        total = sum(found.block.weight for found in counted)
        if total:
            shares.append(sum(found.block.weight for found in counted if found.path in dominant) / total)
    return round(sum(shares) / len(shares), DIGITS) if shares else 0.0
