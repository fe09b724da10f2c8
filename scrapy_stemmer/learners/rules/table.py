"""Pages as one table of numbers: their elements and blocks below each other, for sums over many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.read_py import Columns, Measures

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class PageFacts:
    """What is known of one page before its blocks are scored.

    :param url: its address.
    :param columns: what was read of it.
    :param paths: for each element the number of its path.
    :param measures: for each block what is measured of its text.
    :param repeated: for each block the share of the other known pages that have its text; ``None`` when no other page
        is known.
    :param links_repeated: for each link the share of the other known pages that have it; ``None`` likewise.
    :param links_inside: for each link whether it leads to the same site.
    :param others: how many other pages are known.
    :param is_article: whether its metadata call it an article.
    :param title_keys: keys of the texts that may be its title.
    """

    url: str
    columns: Columns
    paths: Sequence[int]
    measures: Sequence[Measures]
    repeated: Sequence[float] | None
    links_repeated: Sequence[float] | None
    links_inside: Sequence[bool]
    others: int
    is_article: bool = False
    title_keys: frozenset[int] = frozenset()


class Table:
    """Pages below each other. Numbers of elements and blocks count on from page to page.

    :param pages: in order.
    :ivar block_page: for each block the number of its page.
    :ivar element: for each block the number of its element.
    :ivar parent: for each element the number of the one around it, -1 for bodies.
    :ivar path: for each element the number of its path.
    :ivar first_element: for each page the number of its body, and the number of all elements.
    :ivar first_block: for each page the number of its first block, and the number of all blocks.
    """

    def __init__(self, pages: Sequence[PageFacts]) -> None:
        self.pages = pages
        elements = [len(page.columns.parents) for page in pages]
        blocks = [len(page.columns.elements) for page in pages]
        self.first_element = _starts(elements)
        self.first_block = _starts(blocks)
        numbers = np.arange(len(pages))
        self.block_page: Ints = np.repeat(numbers, blocks)
        self.element_page: Ints = np.repeat(numbers, elements)
        self.path: Ints = _joined([page.paths for page in pages])
        self.element: Ints = _joined([page.columns.elements for page in pages]) + self.first_element[self.block_page]
        parent: Ints = _joined([page.columns.parents for page in pages])
        self.parent: Ints = np.where(parent < 0, -1, parent + self.first_element[self.element_page])
        self.measures: Ints = np.array(
            [measures for page in pages for measures in page.measures], dtype=np.int64
        ).reshape(-1, len(Measures._fields))

    @property
    def blocks(self) -> int:
        """The number of all blocks."""
        return len(self.element)

    @cached_property
    def end(self) -> Ints:
        """For each element the number of the first one behind it that is not in it."""
        parents = self.parent.tolist()
        ends = list(range(1, len(parents) + 1))
        for element in range(len(parents) - 1, 0, -1):
            parent = parents[element]
            if parent >= 0 and ends[element] > ends[parent]:
                ends[parent] = ends[element]
        return np.array(ends, dtype=np.int64)

    @cached_property
    def depth(self) -> Ints:
        """For each element the number of elements around it."""
        depths: list[int] = []
        for parent in self.parent.tolist():
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        return np.array(depths, dtype=np.int64)

    @cached_property
    def levels(self) -> list[Ints]:
        """The elements below bodies by their depth, the highest first."""
        order = np.argsort(self.depth, kind="stable")
        level = self.depth[order]
        bounds = np.searchsorted(level, np.arange(1, (level[-1] if len(level) else 0) + 2))
        return [order[begin:end] for begin, end in pairwise(bounds)]

    @cached_property
    def first_below(self) -> Ints:
        """For each element the number of the first block in it; of one without text that of any block."""
        found = [max(0, self.blocks - 1)] * len(self.parent)
        for block, element in reversed(list(enumerate(self.element.tolist()))):
            found[element] = block
        parents = self.parent.tolist()
        for element in range(len(parents) - 1, 0, -1):
            parent = parents[element]
            if parent >= 0 and found[element] < found[parent]:
                found[parent] = found[element]
        return np.array(found, dtype=np.int64)

    def above(self, elements: Ints) -> Ints:
        """The elements around some others; a body stands for itself."""
        parents = self.parent[elements]
        return np.where(parents < 0, elements, parents)

    def below(self, values: Floats) -> Floats:
        """For each element the sum of a value over the blocks in it.

        :param values: for each block its value.
        """
        own = np.bincount(self.element, values, minlength=len(self.parent))
        running = np.concatenate([[0.0], np.cumsum(own)])
        found: Floats = running[self.end] - running[:-1]
        return found

    def highest_around(self, values: Floats) -> Floats:
        """For each element the highest value of it and the elements around it.

        :param values: for each element its value; those of bodies count as 0.
        """
        found = np.where(self.parent < 0, 0.0, np.nan_to_num(values))
        for here in self.levels:
            found[here] = np.maximum(found[here], found[self.parent[here]])
        return found

    def by_page(self, values: Floats) -> Floats:
        """For each page the sum of a value over its blocks."""
        return np.bincount(self.block_page, values, minlength=len(self.pages)).astype(np.float64)


def _starts(counts: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _joined(parts: Sequence[Sequence[int]]) -> Ints:
    return np.array([number for part in parts for number in part], dtype=np.int64)
