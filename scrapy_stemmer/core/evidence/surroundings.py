"""What the blocks of a page are seen against: the page's region, its running text, its title, its type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.fuzz import ratio

from scrapy_stemmer.core.evidence.model import Reading, SiteModel, dominant_paths
from scrapy_stemmer.core.evidence.names import WORDS
from scrapy_stemmer.core.evidence.prior import WITHIN_TAGS, Evidence
from scrapy_stemmer.core.evidence.region import (
    COMMON,
    POOR,
    climbed,
    element_values,
    own_unit_of,
    path_values,
    region_by_complement,
    region_by_vote,
)

OPEN = 0.5
"""Above this openness the title is part of the text, as in documentation and product pages."""

MIN_TITLE_RATIO = 50
"""A heading that agrees less than this, of 100, with the page's own title is not the title."""

MIN_OWN_SHARE = 0.2
"""A region with a smaller share of a page's unrepeated text is the wrong one."""

MAX_UNDER_HINT = 0.5
"""A hint that applies to more than this share of a region's own text tells nothing."""

FEW_LINKS, MANY_LINKS = 0.6, 0.8
"""With the one share of links in its own text a page is as open as its site, with the other one it is a list."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a block-level element, and so the blocks right in it, stands to the region.

    :param inside: whether it is the region or lies in it.
    :param is_running: whether its path is that of running text.
    :param is_sibling: whether it stands beside running text, or around it.
    :param hints: the :class:`Hint` of the elements around it, itself included; below the region where it lies inside.
    :param within: which those elements are, as :class:`Within`.
    :param link: the highest share of links in one of their paths.
    :param static: the highest share of repeated text in one of them.
    """

    inside: bool
    is_running: bool
    is_sibling: bool
    hints: int
    within: int
    link: float
    static: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the blocks of a page are seen against.

    :param region: path of the page's region.
    :param dominant: paths of the region's running text.
    :param parents: the paths around those.
    :param first: index of the first block of running text.
    :param last: index of the last.
    :param title: index of the title; ``None`` when there is none.
    :param openness: the site's type, or the page's where it has mostly links.
    :param threshold: the site's, see :class:`SiteModel`.
    :param dominance: the site's.
    :param standings: of the page's block-level elements.
    """

    region: int
    dominant: frozenset[int]
    parents: frozenset[int]
    first: int
    last: int
    title: int | None
    openness: float
    threshold: float
    dominance: float
    standings: tuple[Standing, ...]


def surroundings_of(reading: Reading, model: SiteModel) -> Surroundings:
    """What the blocks of a page are seen against."""
    openness = page_openness(reading, model)
    region = region_of(reading, model, openness)
    inside = [found for found in reading.evidence if reading.paths.is_within(found.path, region)]
    dominant = dominant_paths(inside, model.threshold)
    parents = frozenset(reading.paths.parent(path) for path in dominant)
    running = [
        index for index, found in enumerate(reading.evidence) if found.path in dominant and found.odds > model.threshold
    ]
    standings = standings_of(reading, model, region, dominant)
    telling = telling_hints(reading, standings)
    return Surroundings(
        region=region,
        dominant=dominant,
        parents=parents,
        first=running[0] if running else 0,
        last=running[-1] if running else len(reading.evidence),
        title=title_index(reading),
        openness=max(openness, openness_of_links(inside)),
        threshold=model.threshold,
        dominance=model.dominance,
        standings=tuple(replace(standing, hints=standing.hints & telling) for standing in standings),
    )


def page_openness(reading: Reading, model: SiteModel) -> float:
    """The site's type; the page's own, by its metadata, where only some pages of the site are articles."""
    if 0.0 < model.article_share < 1.0:
        model = replace(model, article_share=float(reading.outline.head.is_article))
    return model.openness


def openness_of_links(inside: Iterable[Evidence]) -> float:
    """1 for a page whose own text is mostly links, such as an index; 0 below :data:`FEW_LINKS`.

    :param inside: the blocks of the page's region.
    """
    own = [found.block for found in inside if not found.repeated]
    weight = sum(block.weight for block in own)
    share = sum(block.anchor_weight for block in own) / weight if weight else 0.0
    return min(1.0, max(0.0, (share - FEW_LINKS) / (MANY_LINKS - FEW_LINKS)))


def title_index(reading: Reading) -> int | None:
    """The index of the ``h1`` that agrees best with what the page's head calls it; ``None`` without one."""
    wanted = reading.outline.head.title.lower()
    scored = [
        (ratio(found.block.text.lower(), wanted), -index)
        for index, found in enumerate(reading.evidence)
        if found.tag == "h1"
    ]
    if not scored:
        return None
    best, position = max(scored)
    return -position if best > MIN_TITLE_RATIO or not wanted else None


def region_of(reading: Reading, model: SiteModel, openness: float) -> int:
    """The path of the region by vote; by the page's own evidence where the vote leads to a poor place."""
    values = element_values(reading.outline, reading.evidence, model.threshold)
    region = region_by_vote(reading.paths, reading.places, values, model.votes)
    sums = path_values(reading.places, values)
    is_open = openness >= OPEN
    if is_open:
        region = climbed(reading.paths, region, sums)
    if sums.get(region, 0.0) < POOR or _own_share(reading, region) < MIN_OWN_SHARE:
        other, found = region_by_complement(
            reading.paths, reading.outline, reading.places, reading.evidence, is_open=is_open
        )
        return other if found > 0 else region
    return region


def _own_share(reading: Reading, region: int) -> float:
    """The share of a page's own text that lies in a region."""
    own = [found for found in reading.evidence if own_unit_of(found) > 0]
    total = sum(found.mass for found in own)
    inside = sum(found.mass for found in own if reading.paths.is_within(found.path, region))
    return inside / total if total else 1.0


def standings_of(reading: Reading, model: SiteModel, region: int, dominant: frozenset[int]) -> list[Standing]:
    """How each block-level element stands to the region; from the body down."""
    parents = {reading.paths.parent(path) for path in dominant}
    standings: list[Standing] = []
    for node, place in zip(reading.outline.nodes, reading.places, strict=True):
        above = standings[node.parent] if node.parent >= 0 else None
        path = place.path
        is_running = path in dominant
        beside = path in parents or reading.paths.parent(path) in parents
        link, static = model.shares.get(path, (0.0, 0.0))
        hints, within = 0, 0
        if path == region:
            link, static = 0.0, 0.0
        elif above is not None:
            hints = above.hints | place.own_hints
            within = above.within | WITHIN_TAGS.get(node.tag, 0)
            link, static = max(link, above.link), max(static, above.static)
        standings.append(
            Standing(
                inside=path == region or (above is not None and above.inside),
                is_running=is_running,
                is_sibling=beside and not is_running,
                hints=hints,
                within=within,
                link=link,
                static=static,
            )
        )
    return standings


def telling_hints(reading: Reading, standings: Sequence[Standing]) -> int:
    """The hints that tell blocks of the region apart: not those that most of its own text is under.

    On an index page all that is to be read stands in elements named teaser or card.
    """
    total = 0
    under: Counter[int] = Counter()
    for found in reading.evidence:
        standing = standings[found.block.node]
        if standing.inside and found.repeated_share < COMMON:
            total += found.mass
            for hint in WORDS:
                under[hint] += found.mass * bool(standing.hints & hint)
    return ~sum(hint for hint, mass in under.items() if mass > MAX_UNDER_HINT * total)
