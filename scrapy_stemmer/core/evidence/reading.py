"""How a page of a known site is read: where its text was on the pages of the sample, else all of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.core.evidence.ablation import blind_outline
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN
from scrapy_stemmer.core.evidence.model import Reading, Regions, SiteModel, own_page, weighed, without_regions
from scrapy_stemmer.core.evidence.outline import HEADLINE, Stretch, TextBlock
from scrapy_stemmer.core.evidence.paths import ROOT, PagePaths
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.region import DEEP_SHARE, POOR, value_of_all
from scrapy_stemmer.core.evidence.surroundings import blocks_in, extent_of
from scrapy_stemmer.core.evidence.texts import KnownTexts
from scrapy_stemmer.core.evidence.walk import Reader, Trail, Tree, Walk, tree_of

HOLDS = 0.5
"""Learned regions that hold this share of the least value that they had in the sample are the regions of a page."""

MAX_ROUTES = 4
"""Learned regions that are looked for on a page before all of it is read."""


@dataclass(frozen=True)
class Route:
    """Where to look for the text of a page.

    :param number: its place among the routes of its site.
    :param regions: paths of the regions of a page of the sample.
    :param targets: those paths, and those outside of them where pages of the sample had text.
    :param ways: the paths that lead to them.
    :param is_whole: whether all of a page is read along it.
    :param least: the value of a page's regions from which on it is taken for such a page.
    """

    __slots__ = ("is_whole", "least", "number", "regions", "targets", "ways")

    number: int
    regions: Regions
    targets: frozenset[int]
    ways: frozenset[int]
    is_whole: bool
    least: float


def _route(model: SiteModel, number: int, regions: Regions) -> Route:
    targets = model.outposts.union(regions)
    ways = frozenset(chain.from_iterable(map(model.paths.line, targets))) - targets
    least = max(POOR, HOLDS * model.regions[regions])
    return Route(number, regions, targets, ways, ROOT in targets, least)


def _by_preference(model: SiteModel) -> list[Regions]:
    """The learned regions: of those with nearly the most votes the deepest first, then by their votes."""
    votes = {regions: model.votes.get(regions[0], 0.0) for regions in model.regions}
    most = max(votes.values(), default=0.0)

    def rank(regions: Regions) -> tuple[bool, int, float, int, Regions]:
        is_deep = votes[regions] >= DEEP_SHARE * most
        depth = len(model.paths.line(regions[0])) if is_deep else 0
        return not is_deep, -depth, -votes[regions], -len(regions), regions

    return sorted(votes, key=rank)[:MAX_ROUTES]


def _stand_in(places: Sequence[Place], paths: Regions) -> bool:
    """Whether a place is one of some paths, without which nothing stands in any of them."""
    for path in paths:
        for place in places:
            if place.path == path:
                return True
    return False


@dataclass(frozen=True, slots=True)
class Whole:
    """A page of which not all was read at first.

    :param reading: all of the page.
    :param was_read: for each block whether it is read along the route.
    """

    reading: Reading
    was_read: Sequence[bool]


class Learned(NamedTuple):
    """What is made of a site while it is learned.

    :param reader: knows the shapes of the site's elements.
    :param places: those that it met them in.
    :param texts: those of the site's model.
    """

    reader: Reader
    places: Places
    texts: KnownTexts


class _Known:
    """What is remembered of a site's pages; its parts belong together, since views go by the numbers of paths.

    :ivar views: see :class:`Reading`.
    :ivar trails: for each route of the site what :meth:`Walk.along` remembers.
    """

    __slots__ = ("places", "trails", "views")

    def __init__(self, places: Places) -> None:
        self.places = places
        self.views: dict[Any, Any] = {}
        self.trails = [Trail() for _ in range(MAX_ROUTES)]


class SiteReader:
    """Reads pages by what is known of their site, and remembers its elements and places from page to page.

    :param model: what is known.
    :param learned: what was made of it while it was learned.
    """

    def __init__(self, model: SiteModel, learned: Learned | None = None) -> None:
        self.model = model
        self._routes = [_route(model, number, regions) for number, regions in enumerate(_by_preference(model))]
        self._texts = model.known_texts() if learned is None else learned.texts
        self._reader = Reader()
        self._remembered: _Known | None = None
        if learned is not None:
            read, places = learned.reader, learned.places
            targets = frozenset(chain.from_iterable(route.targets for route in self._routes))
            ways = frozenset(chain.from_iterable(route.ways for route in self._routes))
            self._reader, self._remembered = read.knowing(places.keep(targets, ways)), _Known(places)

    def read(self, root: etree._Element) -> Reading:
        """A page with the evidence for those of its blocks that may be text.

        Where one of the learned regions holds about as much as it did in the sample, nothing is read but that, other
        places where the sample had text, and main headings; else the whole page.

        :param root: the page's tree, which is not changed.
        """
        return self.read_tree(tree_of(root))

    def read_tree(self, tree: Tree) -> Reading:
        """The same of a tree that is to be read again later."""
        known = self._known()
        whole: Reading | None = None
        for route in self._routes:
            walk = tree.walk(self._reader, known.places)
            walk.along(route.targets, route.ways, known.trails[route.number])
            if not route.is_whole and not _stand_in(walk.places, route.regions):
                continue
            reading = self._reading(walk, tree, known, route.regions)
            value = value_of_all(reading.inside or [], self.model.threshold)
            if value >= route.least:
                return reading
            if route.is_whole:
                whole = without_regions(reading)
        return self._all_of(tree, known) if whole is None else whole

    def read_all(self, root: etree._Element) -> Reading:
        """A page with the evidence for each of its blocks."""
        return self._all_of(tree_of(root), self._known())

    def _all_of(self, tree: Tree, known: _Known) -> Reading:
        return self._reading(tree.walk(self._reader, known.places).whole(), tree, known)

    def whole(self, tree: Tree, regions: Regions) -> Whole:
        """All of a page of which was read what the route to some regions has.

        :param tree: see :meth:`stretches`.
        """
        targets = self._route_to(regions).targets
        reading = replace(self._all_of(tree, self._known()), regions=regions)
        was_read: list[bool] = []
        for place, parent in zip(reading.places, reading.outline.parents, strict=True):
            around = parent >= 0 and was_read[parent]
            was_read.append(around or place.path in targets or place.tag == HEADLINE)
        return Whole(reading, [was_read[found.block.node] for found in reading.evidence])

    def stretches(self, tree: Tree, regions: Regions | None, blocks: Iterable[TextBlock]) -> list[Sequence[Stretch]]:
        """Where in the tree the texts of some blocks of a page stand.

        :param tree: the page's tree, which must not have been changed since it was read.
        :param regions: those of the :class:`Reading` that the blocks are of.
        """
        return self._again(tree, regions).stretches_of(list(blocks))

    def html(self, tree: Tree, regions: Regions | None, blocks: Iterable[TextBlock]) -> str:
        """The HTML of some blocks of a page; see :func:`scrapy_stemmer.core.prune.pruned_html`.

        :param tree: see :meth:`stretches`; ``regions`` too.
        """
        return self._again(tree, regions).html_of(list(blocks))

    def _again(self, tree: Tree, regions: Regions | None) -> Walk:
        """The walk by which a page was read, noting where texts stand."""
        if regions is None:
            return tree.walk(self._reader, noting=True).whole()
        route, known = self._route_to(regions), self._known()
        walk = tree.walk(self._reader, known.places, noting=True)
        return walk.along(route.targets, route.ways, known.trails[route.number])

    def _route_to(self, regions: Regions) -> Route:
        return next(route for route in self._routes if route.regions == regions)

    def _known(self) -> _Known:
        """What is remembered, or all anew when that has grown too large; taken once for each page."""
        known = self._remembered
        if known is None or len(known.places) > MAX_KNOWN:
            model = self.model
            known = self._remembered = _Known(Places(PagePaths(model.paths), model.names, model.without))
        return known

    def _reading(self, walk: Walk, tree: Tree, known: _Known, regions: Regions | None = None) -> Reading:
        outline, places, paths = walk.outline(tree.head), walk.places, known.places.paths
        if self.model.without:
            outline = blind_outline(outline, self.model.without)
        own = own_page(outline.blocks, self.model, self._texts)
        evidence = weighed(outline, paths, places, self.model, self._texts, own)
        if regions is None:
            return Reading(outline, paths, places, evidence, own, None, known.views, None)
        inside = blocks_in(extent_of(known.views, regions), evidence)
        return Reading(outline, paths, places, evidence, own, regions, known.views, inside)
