"""What the evidence learner knows of a site, and how a page looks by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.classes import ClassMeans, profile_of
from scrapy_stemmer.core.evidence.outline import Outline, TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place
from scrapy_stemmer.core.evidence.prior import Evidence, block_odds, evidence_of, place_odds, with_class
from scrapy_stemmer.core.evidence.texts import KnownTexts, known_texts

FULL_DOMINANCE, NO_DOMINANCE = 0.6, 0.4
"""With the one share of dominant classes in its regions a site is made of articles, with the other it is not."""

OWN_SHARE = 0.5
"""A page with this share of its text, without what several pages have, from one page of the sample is that page."""

KNOWN_LEVEL = 1
"""The level of :meth:`ClassMeans.of` from which on a block's element is one that the site has."""

# The same as a number of C, where it is compiled.
_KNOWN_LEVEL = KNOWN_LEVEL

Regions = tuple[int, ...]
"""The paths of a page's regions, the main one first; on articles there is but one."""


@dataclass(frozen=True)
class Reading:
    """A page seen with what is known of its site.

    :param outline: the page, or those parts of it that were read.
    :param paths: the site's paths, with those that its pages had since.
    :param places: where its block-level elements stand, one for each of the outline.
    :param evidence: what is known of its texts, one for each block of the outline.
    :param own: the number of the page in the sample; ``None`` when it is another one.
    :param regions: paths of the page's regions, where they were known before the page was read.
    :param views: what was worked out of the site for other pages, by region and running text.
    :param inside: the blocks of those regions; ``None`` where they were not known.
    """

    outline: Outline
    paths: PathTree
    places: Sequence[Place]
    evidence: Sequence[Evidence]
    own: int | None
    regions: Regions | None
    views: dict[Any, Any] = field(compare=False, repr=False)
    inside: list[Evidence] | None = field(compare=False, repr=False)


def without_regions(page: Reading) -> Reading:
    """A page of which all was read, when its regions are to be looked for anew."""
    return Reading(page.outline, page.paths, page.places, page.evidence, page.own, None, page.views, None)


@dataclass(frozen=True, kw_only=True)
class SiteModel:
    """What was learned of a site.

    :param pages: number of distinct pages in the sample.
    :param names: identifiers (``#a``) and class names (``.b``) that count in paths: those on two pages or more;
        ``None`` when there was one page only.
    :param repeats: hash of a text that stands on two pages or more -> number of pages that have it.
    :param singles: hash of a text that one page has -> the number of that page.
    :param paths: the site's paths.
    :param classes: what blocks are like, by class: the values of :class:`Profile`.
    :param threshold: odds from which a block counts as text.
    :param votes: how many pages have their text at a path.
    :param shares: for each path the share of the text in it that is linked, and that is repeated.
    :param dominance: share of the regions' text that is of dominant classes.
    :param article_share: share of pages whose metadata call them articles.
    :param title_parts: parts of titles, and main headings, that several pages have, such as the site's name.
    :param regions: for the paths of the regions of a page of the sample the least value that they had on such a page.
    :param outposts: paths outside of the regions where text of the sample's pages stood.
    :param without: the kinds of evidence that are switched off.
    """

    pages: int
    names: frozenset[str] | None
    repeats: Mapping[int, int]
    singles: Mapping[int, int]
    paths: PathTree
    classes: ClassMeans
    threshold: float = 0.0
    votes: Mapping[int, float]
    shares: Mapping[int, tuple[float, float]]
    dominance: float = 0.0
    article_share: float = 0.0
    title_parts: frozenset[str] = frozenset()
    regions: Mapping[Regions, float] = field(default_factory=dict)
    outposts: frozenset[int] = frozenset()
    without: frozenset[EvidenceKind] = frozenset()

    def known_texts(self) -> KnownTexts:
        """The texts of ``repeats`` and ``singles`` together."""
        return known_texts(self.repeats, self.singles)

    @property
    def openness(self) -> float:
        """The site's type: 0 for one article a page, 1 for lists, products, documentation, where all text counts.

        Of a single page what returns is not known, and may be most of its text; a page that calls itself an article is
        one then.
        """
        return self.openness_with(self.article_share)

    def openness_with(self, article_share: float) -> float:
        """The same with another share of articles, such as that of a page, which is one or is not."""
        if self.pages == 1 and article_share:
            return 0.0
        spread = (FULL_DOMINANCE - self.dominance) / (FULL_DOMINANCE - NO_DOMINANCE)
        return max(1.0 - article_share, min(1.0, max(0.0, spread)))


def known_share(reading: Reading) -> float:
    """Share of a page's text, from 0 to 1, in elements that its site has, with the same names, somewhere."""
    total = known = 0
    for found in reading.evidence:
        weight = found.block.weight
        total += weight
        if found.place.level >= _KNOWN_LEVEL:
            known += weight
    return known / total if total else 0.0


def own_page(blocks: Iterable[TextBlock], model: SiteModel, known: KnownTexts) -> int | None:
    """The number of the page of the sample that a page is, maybe with some changes; ``None`` when it is a new one.

    :param known: those of the model.
    """
    if not model.singles:
        return None
    total = 0
    shared: dict[int, int] = {}
    for block in blocks:
        told = known.told(block.hash)
        if told <= 0:
            total += block.weight
        if told < 0:
            page = ~told
            shared[page] = shared.get(page, 0) + block.weight
    if not shared:
        return None
    weight, page = max([(weight, -page) for page, weight in shared.items()])
    return -page if weight >= OWN_SHARE * total else None


def weighed(
    outline: Outline, paths: PathTree, places: Sequence[Place], model: SiteModel, known: KnownTexts, own: int | None
) -> list[Evidence]:
    """The evidence for each block of a page.

    :param paths: those of the places.
    :param known: those of the model.
    :param own: the number of the page, when it is one of the sample: it is not compared with itself.
    """
    others = model.pages - (own is not None)
    evidence: list[Evidence] = []
    for block in outline.blocks:
        place = places[block.node]
        told = known.told(block.hash)
        share = 0.0
        if told and others:
            share = _pages_with(told, own) / others
        if place.base is None:
            place.profile, place.level = profile_of(model.classes, paths, place.path)
            place.base = place_odds(place)
        base: float = place.base
        prior = base + block_odds(block, share)
        evidence.append(evidence_of(block, place, share, prior, with_class(prior, place.profile.worth)))
    return evidence


def _pages_with(told: int, own: int | None) -> int:
    """How many pages of the sample have a text, but for the own one.

    :param told: see :func:`scrapy_stemmer.core.evidence.texts.known_texts`.
    """
    if own is None:
        return max(told, 1)
    number: int = own
    return told - 1 if told > 0 else int(~told != number)
