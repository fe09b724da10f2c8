"""How a page of a known site is read: where its text was on the pages of the sample, else all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lxml import etree

from scrapy_stemmer.core.evidence.head import head_of
from scrapy_stemmer.core.evidence.model import Reading, SiteModel, own_page, weighed
from scrapy_stemmer.core.evidence.names import MAX_KNOWN
from scrapy_stemmer.core.evidence.outline import Kind, Outline, Reader, Walk, body_of, kind_of
from scrapy_stemmer.core.evidence.paths import PagePaths
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.region import DEEP_SHARE, POOR, value_of
from scrapy_stemmer.core.evidence.surroundings import blocks_within

HOLDS = 0.5
"""A learned region that holds this share of the least value that it had in the sample is the region of a page."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A page as a whole.

    :param outline: the page.
    :param places: where its block-level elements stand.
    :param was_read: for each block whether it is read along the route.
    """

    outline: Outline
    places: Sequence[Place]
    was_read: Sequence[bool]


class SiteReader:
    """Reads pages by what is known of their site, and remembers its elements and places from page to page.

    :param model: what is known.
    """

    def __init__(self, model: SiteModel) -> None:
        self._model = model
        self._reader = Reader()
        self._targets = frozenset(model.regions) | model.outposts
        self._ways = frozenset(chain.from_iterable(model.paths.line(path) for path in self._targets)) - self._targets
        self._places = self._new_places()

    def read(self, root: etree._Element) -> Reading:
        """A page with the evidence for those of its blocks that may be text.

        Where one of the learned regions holds about as much as it did in the sample, nothing is read but that, other
        places where the sample had text, and main headings; else the whole page.

        :param root: the page's tree, which is not changed.
        """
        if len(self._places) > MAX_KNOWN:
            self._places = self._new_places()
        return (self._model.regions and self._by_route(root)) or self.read_all(root)

    def read_all(self, root: etree._Element) -> Reading:
        """A page with the evidence for each of its blocks."""
        return self._reading(self._reader.outline(root))

    def whole(self, root: etree._Element) -> Whole:
        """All of a page that was read along the route."""
        outline = self._reader.outline(root)
        places = self._places.of(outline)
        was_read: list[bool] = []
        for place, parent in zip(places, outline.parents, strict=True):
            around = parent >= 0 and was_read[parent]
            was_read.append(around or place.path in self._targets or place.tag == "h1")
        return Whole(outline, places, [was_read[block.node] for block in outline.blocks])

    def _new_places(self) -> Places:
        model = self._model
        return Places(PagePaths(model.paths), model.names, model.classes)

    def _reading(self, outline: Outline) -> Reading:
        places = self._places.of(outline)
        evidence = weighed(outline, places, self._model, own_page(outline.blocks, self._model))
        return Reading(outline, self._places.paths, places, evidence)

    def _by_route(self, root: etree._Element) -> Reading | None:
        walk = Walk(self._reader, with_pieces=True)
        self._follow(walk, body_of(root))
        reading = self._reading(walk.outline(head_of(root)))
        region = self._region(reading)
        return None if region is None else replace(reading, region=region)

    def _region(self, reading: Reading) -> int | None:
        """The learned region of a page; ``None`` when none of them holds enough."""
        model, held = self._model, []
        present = {place.path for place in reading.places}.intersection(model.regions)
        for path in sorted(present):
            value = sum(value_of(found, model.threshold) for found in blocks_within(reading, path))
            if value >= max(POOR, HOLDS * model.regions[path]):
                held.append(path)
        if not held:
            return None
        most = max(model.votes.get(path, 0.0) for path in held)
        deep = (path for path in held if model.votes.get(path, 0.0) >= DEEP_SHARE * most)
        return max(deep, key=lambda path: (len(reading.paths.line(path)), model.votes.get(path, 0.0), -path))

    def _follow(self, walk: Walk, body: etree._Element) -> None:
        """Read the places that the sample had text in, going to them by the shortest ways."""
        reader, places = self._reader, self._places
        holders = {above for heading in body.iter("h1") for above in heading.iterancestors()}
        shape = reader.shape(body, "body")
        place, node = places.body(shape), walk.enter(shape, -1)
        if place.path in self._targets:
            walk.read(body, node)
            return
        stack: list[tuple[Iterator[etree._Element], Place, int]] = [(iter(body), place, node)]
        while stack:
            children, place, node = stack[-1]
            for child in children:
                tag = child.tag
                kind = kind_of(tag)
                if kind == Kind.BLOCK:
                    shape = reader.shape(child, str(tag))
                    below = places.below(place, shape)
                    if below.path in self._targets or tag == "h1":
                        walk.read(child, walk.enter(shape, node))
                    elif below.path in self._ways or child in holders:
                        stack.append((iter(child), below, walk.enter(shape, node)))
                        break
                elif kind != Kind.UNREAD and len(child) and not reader.is_unseen(child):
                    stack.append((iter(child), place, node))
                    break
            else:
                stack.pop()
