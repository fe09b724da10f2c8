"""The decision on each block of a page: is it text? Relative to the page's region, with the evidence that decided.

A second score adds, to what :mod:`scrapy_stemmer.core.evidence.prior` found, how a block stands to the region: inside
or not, of the class of the running text or beside it, before or after it. What counts depends on the site's type
(``openness``): where a page is one article, all but the running text needs evidence to stay; where it is a list, a
product or a piece of documentation, all in the region stays unless there is evidence against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.fuzz import ratio

from scrapy_stemmer.core.evidence.classes import LONG
from scrapy_stemmer.core.evidence.model import Reading, SiteModel, dominant_paths
from scrapy_stemmer.core.evidence.names import WORDS, Hint
from scrapy_stemmer.core.evidence.prior import WITHIN_TAGS, Evidence, Within, clipped
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

MAX_ODDS = 3.0
"""Odds count up to this, either way."""

MOSTLY_LINKS = 0.9
"""A block with this share of its text in links is a link."""

OPEN = 0.5
"""Above this openness the title is part of the text, as in documentation and product pages."""

MIN_TITLE_RATIO = 50
"""A heading that agrees less than this, of 100, with the page's own title is not the title."""

MIN_DUPLICATE = 40
"""A longer text that stands on the page twice is the second time a copy."""

SUBTITLE_REACH = 6
"""A subtitle is one of so many blocks after the title."""

MIN_SUBTITLE = 25
"""A subtitle weighs at least so much."""

MIN_OWN_SHARE = 0.2
"""A region with a smaller share of a page's unrepeated text is the wrong one."""

MAX_UNDER_HINT = 0.5
"""A hint that applies to more than this share of a region's own text tells nothing."""

SUBTITLE_TAGS = frozenset("p h2 h3 h4 div".split())
HEADINGS = frozenset("h2 h3 h4 h5 h6".split())


Term = tuple[str, float]
"""A piece of evidence, and what it adds to a block's score."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided on a block.

    :param score: above 0 the block is text of the page; about a log-odds.
    :param terms: the evidence, none that adds nothing.
    :param inside: whether the block lies in the page's region.
    :param is_title: whether it is the page's title.
    """

    score: float
    terms: tuple[Term, ...]
    inside: bool
    is_title: bool = False


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
    """

    region: int
    dominant: frozenset[int]
    parents: frozenset[int]
    first: int
    last: int
    title: int | None
    openness: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided on a page.

    :param decisions: one for each block.
    :param openness: the page's type, see :class:`Surroundings`.
    """

    decisions: tuple[Decision, ...]
    openness: float


def decide(reading: Reading, model: SiteModel) -> Verdict:
    """The decision on each block of a page."""
    around = surroundings_of(reading, model)
    standings = _standings_of(reading, model, around)
    telling = _telling_hints(reading, standings)
    standings = [replace(standing, hints=standing.hints & telling) for standing in standings]
    decisions = [
        _decision(reading, model, around, index, found, standings[found.block.node])
        for index, found in enumerate(reading.evidence)
    ]
    return Verdict(tuple(_without_copies(reading, decisions)), around.openness)


def surroundings_of(reading: Reading, model: SiteModel) -> Surroundings:
    """What the blocks of a page are seen against."""
    openness = page_openness(reading, model)
    region = _region(reading, model, openness)
    inside = [found for found in reading.evidence if reading.paths.is_within(found.path, region)]
    dominant = dominant_paths(inside, model.threshold)
    running = [
        index for index, found in enumerate(reading.evidence) if found.path in dominant and found.odds > model.threshold
    ]
    return Surroundings(
        region=region,
        dominant=dominant,
        parents=frozenset(reading.paths.parent(path) for path in dominant),
        first=running[0] if running else 0,
        last=running[-1] if running else len(reading.evidence),
        title=title_index(reading),
        openness=max(openness, _openness_of_links(inside)),
    )


def page_openness(reading: Reading, model: SiteModel) -> float:
    """The site's type; the page's own, by its metadata, where only some pages of the site are articles."""
    if 0.0 < model.article_share < 1.0:
        model = replace(model, article_share=float(reading.outline.head.is_article))
    return model.openness


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


def _region(reading: Reading, model: SiteModel, openness: float) -> int:
    """The region by vote; by the page's own evidence where the vote leads to a poor place."""
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


def _telling_hints(reading: Reading, standings: Sequence[_Standing]) -> int:
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


def _openness_of_links(inside: Sequence[Evidence]) -> float:
    """1 for a page whose own text is mostly links, such as an index; 0 below 60 % of links."""
    own = [found.block for found in inside if not found.repeated]
    weight = sum(block.weight for block in own)
    share = sum(block.anchor_weight for block in own) / weight if weight else 0.0
    return min(1.0, max(0.0, (share - 0.6) / 0.2))


def _decision(
    reading: Reading, model: SiteModel, around: Surroundings, index: int, found: Evidence, standing: _Standing
) -> Decision:
    if index == around.title:
        value = 1.0 if around.openness >= OPEN else -1.0
        return Decision(value, (("title", value),), standing.inside, is_title=True)
    weigh = _inside_terms if standing.inside else _outside_terms
    terms = tuple(term for term in weigh(reading, model, around, index, found, standing) if term[1])
    score = sum(value for _, value in terms)
    if _is_subtitle(around, index, found, standing):
        return Decision(max(score, 1.0), (*terms, ("subtitle", max(0.0, 1.0 - score))), standing.inside)
    return Decision(score, terms, standing.inside)


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a block stands to the region.

    :param hints: of the elements around it, below the region where it lies inside.
    :param within: which those elements are.
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


def _standings_of(reading: Reading, model: SiteModel, around: Surroundings) -> list[_Standing]:
    """How each block-level element, and so a block in it, stands to the region; from the body down."""
    standings: list[_Standing] = []
    for node, place in zip(reading.outline.nodes, reading.places, strict=True):
        above = standings[node.parent] if node.parent >= 0 else None
        path = place.path
        is_running = path in around.dominant
        beside = path in around.parents or reading.paths.parent(path) in around.parents
        link, static = model.shares.get(path, (0.0, 0.0))
        if path == around.region:
            hints, within, link, static = 0, 0, 0.0, 0.0
        elif above is None:
            hints, within = 0, 0
        else:
            hints = above.hints | place.own_hints
            within = above.within | WITHIN_TAGS.get(node.tag, 0)
            link, static = max(link, above.link), max(static, above.static)
        standings.append(
            _Standing(
                inside=path == around.region or (above is not None and above.inside),
                is_running=is_running,
                is_sibling=beside and not is_running,
                hints=hints,
                within=within,
                link=link,
                static=static,
            )
        )
    return standings


Terms = Iterable[Term]


def _inside_terms(
    reading: Reading, model: SiteModel, around: Surroundings, index: int, found: Evidence, standing: _Standing
) -> Terms:
    openness = around.openness
    beside = not standing.is_running
    in_list = bool(standing.within & Within.LIST) or found.tag == "li"
    yield "inside the region", 1.0 + 4.0 * openness
    yield "list", openness * in_list
    yield "running text", 2.0 * standing.is_running
    yield "beside running text", 0.5 * standing.is_sibling
    yield "not running text", -1.5 * model.dominance * beside * bool(around.dominant) * (1 - 0.5 * openness)
    yield "repeated", (1 - 0.8 * openness) * _repeated(found)
    yield "links", _links(found) * (1 - 0.5 * openness)
    yield "among links", -1.5 * (1 - openness) * beside * (standing.link > 0.5)
    yield (
        "among repeated text",
        -(1 - 0.5 * openness) * (2 * (standing.static > 0.5) + (found.profile.static > 0.5)),
    )
    yield "figure", -4.0 * bool(standing.within & (Within.FIGURE | Within.FIGCAPTION))
    yield from _common_terms(reading, model, around, index, found, standing)
    yield "odds", 0.4 * clipped(found.odds, MAX_ODDS)
    yield "paragraph", 0.5 * (found.tag == "p")
    yield "heading", 1.0 * (found.tag in HEADINGS)
    yield "next block", 0.15 * _neighbour(reading, model, index + 1)
    yield "previous block", 0.15 * _neighbour(reading, model, index - 1)
    yield "list beside running text", 2.0 * _is_list_of_text(reading, around, found, standing)
    yield from _hint_terms(standing, 3.5, 6.0)


def _outside_terms(
    reading: Reading, model: SiteModel, around: Surroundings, index: int, found: Evidence, standing: _Standing
) -> Terms:
    beside = not standing.is_running
    yield "outside the region", -3.0 + around.openness
    yield "running text", 2.0 * standing.is_running
    yield "beside running text", 0.5 * standing.is_sibling
    yield "not running text", -1.5 * model.dominance * beside
    yield "repeated", _repeated(found)
    yield "links", _links(found)
    yield "among links", -0.7 * beside * (standing.link > 0.5)
    yield "among repeated text", -2.0 * (standing.static > 0.5) - (found.profile.static > 0.5)
    yield "figure", -2.5 * bool(standing.within & (Within.FIGURE | Within.FIGCAPTION))
    yield from _common_terms(reading, model, around, index, found, standing)
    yield "odds", 0.9 * clipped(found.odds, MAX_ODDS)
    yield "paragraph", 1.0 * (found.tag == "p")
    yield "next block", 0.15 * _neighbour(reading, model, index + 1)
    yield "previous block", 0.5 * _neighbour(reading, model, index - 1)
    yield from _hint_terms(standing, 3.5, 5.0)


def _common_terms(
    reading: Reading, model: SiteModel, around: Surroundings, index: int, found: Evidence, standing: _Standing
) -> Terms:
    """What counts the same inside and outside the region."""
    beside = not standing.is_running
    closed = 1 - around.openness
    yield "aside", -2.0 * bool(standing.within & Within.ASIDE)
    yield "nav", -3.0 * bool(standing.within & Within.NAV)
    yield "footer", -2.5 * bool(standing.within & Within.FOOTER)
    yield "header", -1.0 * bool(standing.within & Within.HEADER)
    yield "form", -2.5 * bool(standing.within & Within.FORM)
    yield "after running text", -1.0 * beside * (index > around.last)
    yield "before running text", -0.3 * beside * (index < around.first)
    yield "poor odds", -1.0 * (found.odds < -2)
    yield "preformatted", 1.0 * (found.tag == "pre")
    yield "long", 0.3 * (found.block.weight >= LONG)
    yield "hidden", -4.0 * closed * bool(standing.hints & Hint.HIDDEN)
    yield "whole link", -5.0 * closed * (found.link > MOSTLY_LINKS)
    yield "review", -3.0 * beside * bool(standing.hints & Hint.REVIEW)
    yield "template braces", -4.0 * ("{{" in found.block.text and found.tag != "pre")


def _hint_terms(standing: _Standing, caption: float, running_caption: float) -> Terms:
    """What the names of elements hint at; less so for running text, but for captions."""
    running = standing.is_running
    for hint, name, against, against_running in (
        (Hint.CAPTION, "named caption", caption, running_caption),
        (Hint.BYLINE, "named byline", 2.0, 0.5),
        (Hint.RELATED, "named related", 2.0, 0.5),
        (Hint.SOCIAL, "named social", 1.2, 0.3),
        (Hint.COMMENT, "named comment", 2.0, 1.0),
        (Hint.NAVIGATION, "named navigation", 0.8, 0.0),
    ):
        if standing.hints & hint:
            yield name, -(against_running if running else against)


def _repeated(found: Evidence) -> float:
    """Against text that stands on other pages: more for half of the pages, and for longer texts."""
    if not found.repeated:
        return 0.0
    return -3.0 * (found.repeated_share >= 0.5) - 0.5 - 1.5 * min(1.0, found.block.weight / LONG)


def _links(found: Evidence) -> float:
    """Against links, more so where its class is not always a link, less where it often is."""
    whole = found.link > MOSTLY_LINKS
    return -(whole + (whole and found.profile.link < 0.3) + 0.5 * (found.profile.link > 0.6))


def _neighbour(reading: Reading, model: SiteModel, index: int) -> float:
    """The odds of a neighbouring block above the site's threshold; the lowest at the ends of a page."""
    if not 0 <= index < len(reading.evidence):
        return -MAX_ODDS
    return clipped(reading.evidence[index].odds - model.threshold, MAX_ODDS)


def _is_list_of_text(reading: Reading, around: Surroundings, found: Evidence, standing: _Standing) -> bool:
    """Whether a block is an item of a list that stands among the running text, and no link or aside."""
    paths = reading.paths
    if standing.is_running or found.tag != "li" or found.link >= 0.5 or found.repeated:
        return False
    if standing.hints & (Hint.BYLINE | Hint.RELATED | Hint.SOCIAL | Hint.CAPTION):
        return False
    around_list = paths.parent(paths.parent(found.path)) if paths.parent(found.path) > 0 else -1
    return around_list in around.parents


def _is_subtitle(around: Surroundings, index: int, found: Evidence, standing: _Standing) -> bool:
    """Whether a block is named like a subtitle and stands where one does."""
    if around.title is None or not around.title < index <= around.title + SUBTITLE_REACH:
        return False
    return (
        bool(standing.hints & Hint.SUBTITLE)
        and not standing.hints & (Hint.CAPTION | Hint.BYLINE)
        and not standing.within & (Within.FIGURE | Within.FIGCAPTION | Within.ASIDE)
        and not standing.is_running
        and index < around.first
        and found.block.weight >= MIN_SUBTITLE
        and not found.repeated
        and found.link < 0.5
        and found.tag in SUBTITLE_TAGS
    )


def _without_copies(reading: Reading, decisions: Iterable[Decision]) -> Iterable[Decision]:
    """Decide against long texts that were taken earlier on the page."""
    seen: set[str] = set()
    for found, decision in zip(reading.evidence, decisions, strict=True):
        if decision.score > 0 and found.block.weight >= MIN_DUPLICATE:
            if found.block.sig in seen:
                copy = ("copy", -3.0)
                yield replace(decision, score=decision.score + copy[1], terms=(*decision.terms, copy))
                continue
            seen.add(found.block.sig)
        yield decision
