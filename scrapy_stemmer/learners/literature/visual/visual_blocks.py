"""Blocks by their looks: the texts of a page, each with the element that it belongs to and how that looks (section 3),
and their clusters (section 4)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.blocks import Piece
from scrapy_stemmer.learners.literature import blocks
from scrapy_stemmer.learners.literature.blocks import visit
from scrapy_stemmer.learners.literature.rendering import UNRENDERED, Look, Rendering
from scrapy_stemmer.learners.literature.visual.pattern import BOXLESS, TagPath, selectors_of

OUTSIDE_BLOCKS = blocks.UNSEEN | UNRENDERED | {"title"}  # elements that are left out with all that they hold
EPSILON = 0.5  # DBSCAN's radius, in standard deviations of the blocks' widths (the program's)


class BlockShape(NamedTuple):
    """All that blocks are grouped by: the names of the elements that lead there, and the :class:`Look` if it counts."""

    path: str
    style: str = ""
    width: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """The text that belongs to one element."""

    selector: TagPath  # the element's
    texts: tuple[str, ...]  # its pieces of text in order, white space as it is
    look: Look | None  # how it looks; ``None`` without a browser
    link_chars: int = 0  # the characters of ``texts`` within links

    @property
    def text(self) -> str:
        """The pieces joined by spaces."""
        return " ".join(self.texts)

    @property
    def chars(self) -> int:
        """The characters of the pieces."""
        return sum(map(len, self.texts))

    def shape(self, looks: bool) -> BlockShape:
        """What it is grouped by; its path alone where looks don't count, or are not known."""
        path = self.selector.path
        return BlockShape(path, self.look.style, self.look.width) if looks and self.look else BlockShape(path)


def clusters_of(counts: Mapping[BlockShape, int]) -> dict[BlockShape, int]:
    """The cluster of each shape, numbered from 0 by path, style and width: those of near widths are in one.

    This is what DBSCAN finds with ``min_samples=1`` on standardised columns, one for each path and each value of a
    property: those of zeros and ones differ by 2 or more then, so that only widths can be near; and as any block is a
    core point, clusters are the chains of near widths.

    :param counts: how many blocks of the site have each shape: they count in the scale of the widths.
    """
    number_of_blocks = sum(counts.values())
    total = sum(shape.width * count for shape, count in counts.items())
    squares = sum(shape.width**2 * count for shape, count in counts.items())
    # From whole numbers, so that no order matters.
    deviation = math.sqrt(number_of_blocks * squares - total**2) / max(number_of_blocks, 1)
    farthest = EPSILON * (deviation or 1.0)
    clusters: dict[BlockShape, int] = {}
    number, before = -1, None
    for shape in sorted(counts):
        near = before is not None and shape[:2] == before[:2] and shape.width - before.width <= farthest
        number += not near
        clusters[shape] = number
        before = shape
    return clusters


def visual_blocks(root: etree._Element) -> list[Block]:
    """The blocks of a page that hold more than white space, in order of their first text. Each text goes to the
    innermost open element that texts belong to: as a browser has marked them (see ``rendering``), else by HTML's own
    rules."""
    rendering = Rendering(root)
    holders: list[etree._Element] = []
    links: list[etree._Element] = []
    texts: defaultdict[etree._Element, list[str]] = defaultdict(list)
    link_chars: Counter[etree._Element] = Counter()

    def enter(element: etree._Element) -> None:
        holds = rendering.look(element) is not None if rendering else element.tag not in BOXLESS
        if holds or not holders:
            holders.append(element)
        if element.tag == "a":
            links.append(element)
        add(Piece(element, False))

    def leave(element: etree._Element) -> None:
        for opened in (holders, links):
            if opened and opened[-1] is element:
                opened.pop()

    def add(piece: Piece) -> None:
        text = piece.text
        if text and not text.isspace() and not (rendering and rendering.hides(piece.holder)):
            texts[holders[-1]].append(text)
            link_chars[holders[-1]] += len(text) if links else 0

    visit(root, OUTSIDE_BLOCKS, enter, leave, lambda element: add(Piece(element, True)))
    selectors = selectors_of(root)
    return [
        Block(selectors[element], tuple(parts), rendering.look(element), link_chars[element])
        for element, parts in texts.items()
    ]
