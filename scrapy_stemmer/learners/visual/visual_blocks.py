"""Blocks by their looks: the texts of a page, each with the element that it belongs to and how that looks.

After Zhou & Sun, sections 3 and 4, and their program.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.blocks import IGNORED, INVISIBLE
from scrapy_stemmer.core.rendering import UNRENDERED, Look, Rendering

UNSEEN = IGNORED | INVISIBLE | UNRENDERED | {"title"}
"""Elements that are left out with all that they hold."""

INLINE = frozenset(
    """a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp
    small span strike strong sub sup time tt u var wbr""".split()
)
"""Elements that have no box of their own unless a style sheet says so: where there was no browser, their text
belongs to the element around them."""

EPSILON = 0.5
"""DBSCAN's radius, in standard deviations of the blocks' widths (the program's)."""


@dataclass(frozen=True, slots=True)
class Block:
    """The text that belongs to one element.

    :param element: the element.
    :param texts: its pieces of text in order, white space as it is.
    :param look: how it looks; ``None`` without a browser.
    :param link_chars: the characters of ``texts`` within links.
    """

    element: etree._Element
    texts: tuple[str, ...]
    look: Look | None
    link_chars: int = 0

    @property
    def text(self) -> str:
        """The pieces joined by spaces."""
        return " ".join(self.texts)


class Shape(NamedTuple):
    """All that blocks are grouped by.

    :param path: names of the elements from the body to the block's.
    :param style: its CSS, "" without a browser.
    :param width: its width in pixels, 0 without a browser.
    """

    path: str
    style: str = ""
    width: int = 0


def clusters_of(counts: Mapping[Shape, int]) -> dict[Shape, int]:
    """The cluster of each shape: shapes of the same path and style whose widths are near are in one.

    This is what DBSCAN finds with ``min_samples=1`` and the radius :data:`EPSILON` on one column for each path and
    each value of a property, all standardised: columns of zeros and ones differ by 2 or more then, so that only
    widths can be near; and as any block is a core point, clusters are the chains of near widths.

    :param counts: the shapes of all blocks of a site, with the number of blocks that have them, since these count
        in the scale of the widths.
    :returns: for each shape the number of its cluster, from 0, by path, style and width.
    """
    farthest = EPSILON * (_deviation(counts) or 1.0)
    clusters: dict[Shape, int] = {}
    number, before = -1, None
    for shape in sorted(counts):
        near = before is not None and shape[:2] == before[:2] and shape.width - before.width <= farthest
        number += not near
        clusters[shape] = number
        before = shape
    return clusters


def _deviation(counts: Mapping[Shape, int]) -> float:
    """The standard deviation of the widths of all blocks; from whole numbers, so that no order matters."""
    blocks = sum(counts.values())
    total = sum(shape.width * count for shape, count in counts.items())
    squares = sum(shape.width**2 * count for shape, count in counts.items())
    return math.sqrt(blocks * squares - total**2) / blocks if blocks else 0.0


def visual_blocks(root: etree._Element) -> list[Block]:
    """The blocks of a page that hold more than white space, in order of their first text.

    :param root: the page's root; with the marks of a browser (:mod:`scrapy_stemmer.core.rendering`) texts belong to
        elements as they did there.
    """
    return _Walk(root).run()


@dataclass(slots=True)
class _Pieces:
    """The texts of an element while they are collected."""

    texts: list[str]
    link_chars: int = 0

    def add(self, text: str, *, in_link: bool) -> None:
        self.texts.append(text)
        self.link_chars += len(text) if in_link else 0


class _Walk:
    """One pass over a page: each text goes to the innermost open element that texts belong to."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._rendering = Rendering(root)
        self._looks: dict[etree._Element, Look] = {}
        self._holders: list[etree._Element] = []
        self._open_links = 0
        self._found: dict[etree._Element, _Pieces] = {}

    def run(self) -> list[Block]:
        """The blocks; iterative, since real pages nest thousands of elements deep."""
        walker = etree.iterwalk(self._root, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                if element.tag in UNSEEN:
                    walker.skip_subtree()
                else:
                    self._enter(element)
                continue
            if event == "end" and element.tag not in UNSEEN:
                self._leave(element)
            if element is not self._root:
                self._add(element.tail, element.getparent())
        return [self._block(element, pieces) for element, pieces in self._found.items()]

    def _enter(self, element: etree._Element) -> None:
        if self._holds(element) or not self._holders:
            self._holders.append(element)
        self._open_links += element.tag == "a"
        self._add(element.text, element)

    def _leave(self, element: etree._Element) -> None:
        if self._holders[-1] is element:
            self._holders.pop()
        self._open_links -= element.tag == "a"

    def _holds(self, element: etree._Element) -> bool:
        """Whether texts belong to an element."""
        if not self._rendering:
            return element.tag not in INLINE
        look = self._rendering.look(element)
        if look is not None:
            self._looks[element] = look
        return look is not None

    def _add(self, text: str | None, parent: etree._Element | None) -> None:
        if not text or text.isspace() or parent is None or (self._rendering and self._rendering.hides(parent)):
            return
        pieces = self._found.setdefault(self._holders[-1], _Pieces([]))
        pieces.add(text, in_link=self._open_links > 0)

    def _block(self, element: etree._Element, pieces: _Pieces) -> Block:
        return Block(element, tuple(pieces.texts), self._looks.get(element), pieces.link_chars)
