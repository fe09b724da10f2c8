"""A section of a layout while it is learned: its blocks on every page, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.scores import TextMatcher, diff_score, main_score
from scrapy_stemmer.learners.sampling import SampledPage

Assign = Callable[[Sequence[str], Sequence[LayoutBlock]], list[int | None]]
"""Tells for each block of a page the index of its section."""


@dataclass(frozen=True, slots=True)
class Column:
    """A section's blocks on each page of a cluster.

    :param feature: the path of its blocks.
    :param cells: for each page its blocks there.
    :param diffscore: how much its text differs from page to page, from 0 to 1.
    """

    feature: str
    cells: tuple[tuple[LayoutBlock, ...], ...]
    diffscore: float

    def text(self, page: int) -> str:
        """The section's text on a page, a block a line."""
        return _text(self.cells[page])

    def mainscore(self) -> float:
        """Its MainScore: the varying significant characters outside links that a page has on average."""
        weights = [sum(block.weight_noanchor for block in cell) for cell in self.cells]
        return main_score(self.diffscore, weights)

    def support(self) -> int:
        """The number of pages that have it."""
        return sum(1 for cell in self.cells if cell)

    def repeated(self, pages: int) -> tuple[str, ...]:
        """The texts of blocks that at least ``pages`` pages have here, sorted."""
        counts = Counter(text for cell in self.cells for text in {block.text for block in cell})
        return tuple(sorted(text for text, count in counts.items() if count >= pages))


def columns_of(
    pages: Sequence[SampledPage], features: Sequence[str], assign: Assign, matcher: TextMatcher
) -> list[Column]:
    """The sections of a cluster's pages, those left out that no page has."""
    cells: list[list[list[LayoutBlock]]] = [[[] for _ in pages] for _ in features]
    for number, page in enumerate(pages):
        for block, owner in zip(page.blocks, assign(features, page.blocks), strict=True):
            if owner is not None:
                cells[owner][number].append(block)
    return [
        Column(feature, tuple(map(tuple, rows)), diff_score([_text(row) for row in rows], matcher))
        for feature, rows in zip(features, cells, strict=True)
        if any(rows)
    ]


def _text(blocks: Sequence[LayoutBlock]) -> str:
    return "\n".join(block.text for block in blocks)
