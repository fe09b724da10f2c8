"""How a page of a known site is read: where its text was on the pages of the sample, else all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.core.evidence.ablation import blind_outline
from scrapy_stemmer.core.evidence.head import AnyHead, LateHead
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN
from scrapy_stemmer.core.evidence.model import Reading, Regions, SiteModel, own_page, weighed
from scrapy_stemmer.core.evidence.outline import (
    HEADLINE,
    Kind,
    Outline,
    Reader,
    Stretch,
    TextBlock,
    Walk,
    body_of,
    kind_of,
)
from scrapy_stemmer.core.evidence.paths import PagePaths
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.region import DEEP_SHARE, POOR
from scrapy_stemmer.core.evidence.surroundings import value_within

HOLDS = 0.5
"""Learned regions that hold this share of the least value that they had in the sample are the regions of a page."""

MAX_ROUTES = 4
"""Learned regions that are looked for on a page before all of it is read."""


class Route(NamedTuple):
    """Where to look for the text of a page.

    :param regions: paths of the regions of a page of the sample.
    :param targets: those paths, and those outside of them where pages of the sample had text.
    :param ways: the paths that lead to them.
    """

    regions: Regions
    targets: frozenset[int]
    ways: frozenset[int]


def _route(model: SiteModel, regions: Regions) -> Route:
    targets = model.outposts.union(regions)
    return Route(regions, targets, frozenset(chain.from_iterable(map(model.paths.line, targets))) - targets)


def _by_preference(model: SiteModel) -> list[Regions]:
    """The learned regions: of those with nearly the most votes the deepest first, then by their votes."""
    votes = {regions: model.votes.get(regions[0], 0.0) for regions in model.regions}
    most = max(votes.values(), default=0.0)

    def rank(regions: Regions) -> tuple[bool, int, float, int, Regions]:
        is_deep = votes[regions] >= DEEP_SHARE * most
        depth = len(model.paths.line(regions[0])) if is_deep else 0
        return not is_deep, -depth, -votes[regions], -len(regions), regions

    return sorted(votes, key=rank)[:MAX_ROUTES]


@dataclass(frozen=True, slots=True)
class Whole:
    """A page of which not all was read at first.

    :param reading: all of the page.
    :param was_read: for each block whether it is read along the route.
    """

    reading: Reading
    was_read: Sequence[bool]


class _Known(NamedTuple):
    """What is remembered of a site's pages; its parts belong together, since views go by the numbers of paths."""

    places: Places
    views: dict[Any, Any]


class SiteReader:
    """Reads pages by what is known of their site, and remembers its elements and places from page to page.

    :param model: what is known.
    :param reader: one that knows shapes of the site's elements already, and the places that it met them in.
    """

    def __init__(self, model: SiteModel, reader: tuple[Reader, Places] | None = None) -> None:
        self.model = model
        self._routes = [_route(model, regions) for regions in _by_preference(model)]
        self._reader = Reader()
        self._remembered: _Known | None = None
        if reader is not None:
            read, places = reader
            targets, ways = (frozenset(chain.from_iterable(route[part] for route in self._routes)) for part in (1, 2))
            self._reader, self._remembered = read.knowing(places.keep(targets, ways)), _Known(places, {})

    def read(self, root: etree._Element) -> Reading:
        """A page with the evidence for those of its blocks that may be text.

        Where one of the learned regions holds about as much as it did in the sample, nothing is read but that, other
        places where the sample had text, and main headings; else the whole page.

        :param root: the page's tree, which is not changed.
        """
        known = self._known()
        if self._routes:
            head, body = LateHead(root), body_of(root)
            for route in self._routes:
                reading = self._along(route, head, body, known)
                if self._holds(reading, route.regions):
                    return replace(reading, regions=route.regions)
        return self._reading(self._reader.outline(root), known)

    def read_all(self, root: etree._Element) -> Reading:
        """A page with the evidence for each of its blocks."""
        return self._reading(self._reader.outline(root), self._known())

    def whole(self, root: etree._Element, regions: Regions) -> Whole:
        """All of a page of which was read what the route to some regions has."""
        targets = self._route_to(regions).targets
        reading = replace(self.read_all(root), regions=regions)
        was_read: list[bool] = []
        for place, parent in zip(reading.places, reading.outline.parents, strict=True):
            around = parent >= 0 and was_read[parent]
            was_read.append(around or place.path in targets or place.tag == HEADLINE)
        return Whole(reading, [was_read[found.block.node] for found in reading.evidence])

    def stretches(
        self, root: etree._Element, regions: Regions | None, blocks: Iterable[TextBlock]
    ) -> list[Sequence[Stretch]]:
        """Where in the tree the texts of some blocks of a page stand.

        :param root: the page's tree, which must not have been changed since it was read.
        :param regions: those of the :class:`Reading` that the blocks are of.
        """
        if regions is None:
            return self._reader.stretches(root, blocks)
        walk = Walk(self._reader, noting=True)
        self._follow(self._route_to(regions), walk, body_of(root), self._known().places)
        return walk.stretches_of(blocks)

    def _route_to(self, regions: Regions) -> Route:
        return next(route for route in self._routes if route.regions == regions)

    def _known(self) -> _Known:
        """What is remembered, or all anew when that has grown too large; taken once for each page."""
        known = self._remembered
        if known is None or len(known.places) > MAX_KNOWN:
            model = self.model
            known = self._remembered = _Known(Places(PagePaths(model.paths), model.names, model.without), {})
        return known

    def _reading(self, outline: Outline, known: _Known) -> Reading:
        if self.model.without:
            outline = blind_outline(outline, self.model.without)
        places, paths = known.places.of(outline), known.places.paths
        own = own_page(outline.blocks, self.model)
        evidence = weighed(outline, paths, places, self.model, own)
        return Reading(outline, paths, places, evidence, own, views=known.views)

    def _along(self, route: Route, head: AnyHead, body: etree._Element, known: _Known) -> Reading:
        walk = Walk(self._reader)
        self._follow(route, walk, body, known.places)
        return self._reading(walk.outline(head), known)

    def _holds(self, reading: Reading, regions: Regions) -> bool:
        """Whether learned regions hold enough of a page."""
        value = value_within(reading, regions, self.model.threshold)
        return value >= max(POOR, HOLDS * self.model.regions[regions])

    def _follow(self, route: Route, walk: Walk, body: etree._Element, places: Places) -> None:
        """Read what a route leads to, and main headings."""
        reader, targets, ways = self._reader, route.targets, route.ways
        holders = _around(body.iter(HEADLINE))
        shape = reader.shape(body, "body")
        place, node = places.body(shape), walk.enter(shape, -1)
        if place.path in targets:
            walk.read(body, node)
            return
        # Elements stay on the stack, since lxml looks for the nearest one in use around each that it lets go of.
        stack: list[tuple[etree._Element, Iterator[etree._Element], Place, int, bool]]
        stack = [(body, iter(body), place, node, False)]
        while stack:
            _, children, place, node, in_link = stack[-1]
            for child in children:
                tag = child.tag
                kind = kind_of(tag)
                if kind == Kind.BLOCK:
                    shape = reader.shape(child, tag)
                    path = places.path_below(place, shape)
                    if path in targets or tag == HEADLINE:
                        walk.read(child, walk.enter(shape, node), in_link=in_link)
                    elif path in ways or child in holders:
                        below = places.below(place, shape)
                        stack.append((child, iter(child), below, walk.enter(shape, node), in_link))
                        break
                elif kind != Kind.UNREAD and len(child) and not reader.hides(child):
                    stack.append((child, iter(child), place, node, in_link or kind == Kind.LINK))
                    break
            else:
                stack.pop()


def _around(elements: Iterable[etree._Element]) -> set[etree._Element]:
    """All elements around some elements."""
    found: set[etree._Element] = set()
    for element in elements:
        for above in element.iterancestors():
            if above in found:
                break
            found.add(above)
    return found
