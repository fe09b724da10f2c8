"""What the scorer looks at: for each block of a page a row of numbers.

A feature tells of the block, of its page, or of how many other pages have its text and links; nothing else is needed
of the site. ``docs/development/training.md`` lists what each is, and what it is worth. Pages are put below each other
into one table of numbers, so that sums over many are made at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.hints import AROUND, FAR, GROUPS, NOISE, TAGS, WIDTH, PathFeatures
from scrapy_stemmer.learners.rules.paths import Paths
from scrapy_stemmer.learners.rules.read_py import CAPITAL, LAST_MARK, Columns, Measures

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


# The features

Column = tuple[str, NDArray[np.generic]]

FLAGS = {"last_mark": LAST_MARK, "capital": CAPITAL}

SOFT_GROUPS = ("navigation", "sidebar", "footer", "popup", "subscribe", "social", "related")
"""Names of elements whose text is worth less when the region of a page is looked for."""

MAX_LENGTH = 500
"""A block counts up to so many characters when the region of a page is looked for."""

SOFT_VALUE = -0.25
"""What a character in an element of such a name is worth there; one of other text 1, of repeated text and menus -1."""

LINK_VALUE = 0.25
"""What is left of that in a link."""

IS_LINK = 0.9
"""A block with more than this share of its text in links is a link."""

LONG = 80
"""Characters of a block that is long enough to be running text."""

OFTEN = 0.1
"""Text on this share of the other pages is repeated."""

STEPS = 256
"""Shares are rounded down to whole parts of this, so that sums of them are exact, in whatever order they are made."""


def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[np.float32]:
    """A row for each block of some pages, a column for each of :data:`NAMES`.

    :param paths: what the paths tell that the elements of the pages stand on.
    """
    return _rows(_Page(Table(pages), paths).columns(), sum(len(page.columns.elements) for page in pages))


def _rows(columns: Iterable[Column], blocks: int) -> NDArray[np.float32]:
    rows = np.empty((blocks, len(NAMES)), np.float32)
    for number, (_, values) in enumerate(columns):
        rows[:, number] = values
    return rows


def ratio(part: Floats, whole: Floats) -> Floats:
    """A share, NaN where there is nothing to have a share of."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / np.maximum(whole, 1e-9), np.nan)


def _in_steps(shares: Floats) -> Floats:
    return np.floor(shares * STEPS) / STEPS


class _Page:
    """The features of the blocks of a table; one method a group."""

    def __init__(self, table: Table, paths: PathFeatures) -> None:
        self.table = table
        length, words, ends, commas, digits, key, flags = table.measures.T
        self.length: Floats = np.maximum(length, 1).astype(np.float64)
        self.words, self.ends, self.commas, self.digits = words, ends, commas, digits
        self.key, self.flags = key, flags
        pages = table.pages
        linked = np.array([n for page in pages for n in page.columns.linked], np.float64)
        plain = np.array([len(t) - t.count(" ") for page in pages for t in page.columns.texts], np.float64)
        self.link: Floats = _in_steps(np.minimum(1.0, linked / np.maximum(plain, 1)))
        self.known = np.array([page.repeated is not None for page in pages], bool)[table.block_page]
        self.repeated: Floats = np.array(
            [share for page in pages for share in (page.repeated or [0.0] * len(page.measures))], np.float64
        )
        self.is_repeated: Floats = (self.repeated >= OFTEN).astype(np.float64)
        self.path: Ints = table.path[table.element]
        self.tag: Ints = np.frombuffer(bytes(paths.tags), np.uint8).astype(np.int64)
        levels = np.frombuffer(bytes(paths.levels), np.uint8).reshape(-1, WIDTH)[self.path]
        self.around, self.hints = levels[:, : len(AROUND)], levels[:, len(AROUND) :]
        self.noise = np.frombuffer(bytes(paths.noise), np.uint8).reshape(-1, NOISE)[self.path]
        self.is_heading: Flags = np.isin(self.tag[self.path], [TAGS.index(tag) for tag in ("h1", "h2", "h3")])
        nav, footer = self.around[:, AROUND.index("nav")], self.around[:, AROUND.index("footer")]
        self.in_chrome: Flags = (nav < FAR) | (footer < FAR) | (self.hints[:, -1] < FAR)
        self.is_soft: Flags = np.any(self.hints[:, [GROUPS.index(group) for group in SOFT_GROUPS]] < FAR, axis=1)
        self.own: Floats = self.length * (1 - self.link) * (self.is_repeated == 0) * ~self.in_chrome
        unit = np.where((self.is_repeated > 0) | self.in_chrome, -1.0, np.where(self.is_soft, SOFT_VALUE, 1.0))
        value = np.minimum(self.length, MAX_LENGTH) * unit
        self.value: Floats = value * np.where(self.link > IS_LINK, LINK_VALUE, 1.0)
        self.up: list[Ints] = [table.element]
        for _ in range(4):
            self.up.append(table.above(self.up[-1]))
        self.page_own = table.by_page(self.own)

    def columns(self) -> Iterator[Column]:
        """All features."""
        yield from self._own_text()
        yield from self._own_place()
        yield from self._repetition()
        yield from self._elements_around()
        yield from self._region()
        yield from self._same_path()
        yield from self._neighbours()
        yield from self._position()
        yield from self._title()
        yield from self._headings()
        yield from self._beside_text()
        yield from self._links()
        yield from self._whole_page()

    def _own_text(self) -> Iterator[Column]:
        length = self.length
        yield "length", length
        yield "link", self.link
        yield "words", self.words
        yield "ends", np.minimum(self.ends, 20)
        yield "ends_per_100", 100 * self.ends / length
        yield "commas_per_100", 100 * self.commas / length
        yield "digit_share", self.digits / length
        yield "word_length", length / np.maximum(self.words, 1)
        for name, flag in FLAGS.items():
            yield name, (self.flags & flag) > 0
        yield "time", np.array([time for page in self.table.pages for time in page.columns.times], float)

    def _own_place(self) -> Iterator[Column]:
        for number, tag in enumerate(TAGS):
            yield f"tag_{tag}", (self.tag[self.path] == number).astype(float)
        yield "depth", self.table.depth[self.table.element]
        for number, tag in enumerate(AROUND):
            yield f"in_{tag}", self.around[:, number]
        for number, group in enumerate((*GROUPS, "hidden")):
            yield f"name_{group}", self.hints[:, number]
        for number, name in enumerate(("nearest", "count", "near_count")):
            yield f"noise_{name}", self.noise[:, number]

    def _repetition(self) -> Iterator[Column]:
        table = self.table
        yield "repeated", np.where(self.known, self.repeated, np.nan)
        yield "repeated_any", np.where(self.known, self.repeated > 0, np.nan)
        yield "same_page", np.minimum(_sums(_groups(self.key, table.block_page), np.ones(table.blocks)), 10)
        others = np.array([page.others for page in table.pages], float)
        yield "others", np.minimum(others, 20)[table.block_page]

    def _elements_around(self) -> Iterator[Column]:
        table = self.table
        length = table.below(self.length)
        count = table.below(np.ones(table.blocks))
        link = ratio(table.below(self.length * self.link), length)
        repeated = ratio(table.below(self.length * self.is_repeated), length)
        own = table.below(self.own)
        for level in (1, 2, 3):
            around = self.up[level]
            yield f"up{level}_link", link[around]
            yield f"up{level}_repeated", repeated[around]
            yield f"up{level}_length", length[around]
            yield f"up{level}_mean_length", length[around] / np.maximum(count[around], 1)
        for level in (1, 2, 3, 4):
            yield f"up{level}_own_share", ratio(own[self.up[level]], self.page_own[table.block_page])
        yield "most_link_around", table.highest_around(link)[self.up[1]]
        yield "most_repeated_around", table.highest_around(repeated)[self.up[1]]

    def _region(self) -> Iterator[Column]:
        table = self.table
        value, own = table.below(self.value), table.below(self.own)
        best = _deepest(table, value, lambda values: values.max() - 1e-6)
        holding = _deepest(table, own, lambda values: 0.9 * values[0] if values[0] > 0 else np.inf)
        half = _deepest(table, own, lambda values: 0.5 * values[0] if values[0] > 0 else np.inf)
        for name, of_page in (("best", best), ("holding", holding), ("half", half)):
            region = of_page[table.block_page]
            inside = (table.element >= region) & (table.element < table.end[region])
            yield f"in_{name}", inside.astype(float)
            yield f"below_{name}", np.where(inside, table.depth[table.element] - table.depth[region], -1)
            if name == "best":
                self.in_best = inside.astype(float)
        highest = np.maximum(value[best], 1)[table.block_page]
        for level in (1, 2, 3):
            yield f"up{level}_value", value[self.up[level]] / highest
        length, link = table.below(self.length), table.below(self.length * self.link)
        yield "region_link", ratio(link[best], length[best])[table.block_page]
        yield "region_own", ratio(own[best], self.page_own)[table.block_page]

    def _same_path(self) -> Iterator[Column]:
        table = self.table
        numbers = _groups(self.path, table.block_page)
        length, count = _sums(numbers, self.length), _sums(numbers, np.ones(table.blocks))
        yield "path_count", count
        yield "path_length", length / count
        yield "path_link", ratio(_sums(numbers, self.length * self.link), length)
        yield "path_repeated", ratio(_sums(numbers, self.length * self.is_repeated), length)
        yield "path_ends", 100 * ratio(_sums(numbers, self.ends), length)
        yield "path_own_share", ratio(_sums(numbers, self.own), self.page_own[table.block_page])
        # A body has no siblings, however many pages the table has.
        above = np.where(table.parent < 0, len(table.parent) + table.element_page, table.parent)
        key = above * (int(table.path.max(initial=0)) + 1) + table.path
        siblings = _sums(_groups(key, np.zeros(len(key), np.int64)), np.ones(len(key)))
        for level in (0, 1, 2, 3):
            yield f"up{level}_siblings", siblings[self.up[level]]

    def _shifted(self, values: NDArray[np.generic], by: int) -> Floats:
        """The values of the blocks so many places away on the same page; NaN where there is none."""
        table = self.table
        found = np.full(table.blocks, np.nan)
        if by > 0:
            found[:-by], same = values[by:], table.block_page[:-by] == table.block_page[by:]
            found[:-by][~same] = np.nan
        else:
            found[-by:], same = values[:by], table.block_page[-by:] == table.block_page[:by]
            found[-by:][~same] = np.nan
        return found

    def _neighbours(self) -> Iterator[Column]:
        for by, name in ((-2, "before2"), (-1, "before1"), (1, "after1"), (2, "after2")):
            yield f"{name}_length", self._shifted(self.length, by)
            yield f"{name}_link", self._shifted(self.link, by)
            yield f"{name}_repeated", self._shifted(self.repeated, by)
            if abs(by) == 1:
                yield f"{name}_same_path", self._shifted(self.path, by) == self.path
                yield f"{name}_best", self._shifted(self.in_best, by)

    def _position(self) -> Iterator[Column]:
        table = self.table
        index = np.arange(table.blocks)
        start, stop = table.first_block[:-1][table.block_page], table.first_block[1:][table.block_page]
        running_text = self.own * (self.length >= LONG)
        running = np.concatenate([[0.0], np.cumsum(running_text)])
        total = running[stop] - running[start]
        yield "own_before", ratio(running[index] - running[start], total)
        yield "own_after", ratio(running[stop] - running[index + 1], total)
        low, high = np.maximum(start, index - 5), np.minimum(stop, index + 6)
        yield "own_near", running[high] - running[low] - running_text
        values = np.concatenate([[0.0], np.cumsum(self.value)])
        low, high = np.maximum(start, index - 10), np.minimum(stop, index + 11)
        yield "value_near", (values[high] - values[low] - self.value) / 1000
        yield "position", (index - start) / np.maximum(stop - start, 1)
        yield "from_start", np.minimum(index - start, 200)
        yield "from_end", np.minimum(stop - index, 200)

    def _title(self) -> Iterator[Column]:
        table = self.table
        is_title = np.array([m.key in page.title_keys for page in table.pages for m in page.measures], bool)
        is_h1 = self.tag[self.path] == TAGS.index("h1")
        place = np.full(len(table.pages), -1)
        for number, (begin, end) in enumerate(zip(table.first_block[:-1], table.first_block[1:], strict=True)):
            here, main = is_title[begin:end], is_h1[begin:end]
            for candidates in (here & main, here, main & (self.repeated[begin:end] < 0.5)):
                if candidates.any():
                    place[number] = begin + int(candidates.argmax())
                    break
        self.title_block = place
        title = place[table.block_page]
        yield "is_title", is_title.astype(float)
        yield "from_title", np.where(title >= 0, np.clip(np.arange(table.blocks) - title, -50, 50), np.nan)

    def _headings(self) -> Iterator[Column]:
        table = self.table
        is_heading = self.is_heading
        index = np.arange(table.blocks)
        last = np.maximum.accumulate(np.where(is_heading, index, -1))
        start = table.first_block[:-1][table.block_page]
        has_heading = last >= start
        yield "from_heading", np.where(has_heading, np.minimum(index - last, 50), np.nan)
        yield "heading_repeated", np.where(has_heading & self.known, self.repeated[last], np.nan)
        yield "heading_link", np.where(has_heading, self.link[last], np.nan)
        for level in (1, 2, 3):
            first = table.first_below[self.up[level]]
            yield f"up{level}_first_repeated", np.where(self.known, self.repeated[first], np.nan)
            yield f"up{level}_first_heading", is_heading[first].astype(float)
        own = is_heading & (self.is_repeated == 0)
        yield "page_heading_links", ratio(table.by_page(own * self.link), table.by_page(own))[table.block_page]

    def _beside_text(self) -> Iterator[Column]:
        table = self.table
        longest = np.full(len(table.pages), -1)
        for number, (begin, end) in enumerate(zip(table.first_block[:-1], table.first_block[1:], strict=True)):
            if end > begin and self.own[begin:end].any():
                longest[number] = begin + int(self.own[begin:end].argmax())
        for name, block in (("title", self.title_block), ("longest", longest)):
            around = np.zeros(len(table.parent))
            depth = np.full(len(table.pages), 0.0)
            for number in np.nonzero(block >= 0)[0].tolist():
                element = int(table.element[block[number]])
                depth[number] = table.depth[element]
                while element >= 0:
                    around[element] = table.depth[element]
                    element = int(table.parent[element])
            joined = table.highest_around(around)[table.element]
            target = depth[table.block_page]
            found = (block >= 0)[table.block_page]
            yield f"up_to_{name}", np.where(found, table.depth[table.element] - joined, np.nan)
            yield f"down_to_{name}", np.where(found, target - joined, np.nan)

    def _links(self) -> Iterator[Column]:
        table = self.table
        numbers: list[int] = []
        repeated: list[float] = []
        inside: list[float] = []
        for page, first, end in zip(
            table.pages, table.first_block[:-1].tolist(), table.first_block[1:].tolist(), strict=True
        ):
            shares = page.links_repeated or [0.0] * len(page.columns.links)
            for (block, _), share, same in zip(page.columns.links, shares, page.links_inside, strict=True):
                if first + block < end:
                    numbers.append(first + block)
                    repeated.append(share)
                    inside.append(same)
        of_block = np.array(numbers, np.int64)
        count = np.bincount(of_block, minlength=table.blocks).astype(float)
        again = np.bincount(of_block, _in_steps(np.array(repeated)), minlength=table.blocks).astype(float)
        yield "links", count
        yield "link_repeated", np.where(self.known, ratio(again, count), np.nan)
        yield "link_inside", ratio(np.bincount(of_block, inside, minlength=table.blocks).astype(float), count)
        counts, agains = table.below(count), table.below(again)
        for level in (1, 2, 3):
            around = self.up[level]
            yield f"up{level}_links", counts[around]
            yield f"up{level}_link_repeated", np.where(self.known, ratio(agains[around], counts[around]), np.nan)

    def _whole_page(self) -> Iterator[Column]:
        table = self.table
        pages, page = table.pages, table.block_page
        length = table.by_page(self.length)
        own = self.length * (self.is_repeated == 0)
        is_paragraph = self.tag[self.path] == TAGS.index("p")
        yield "page_article", np.array([one.is_article for one in pages], float)[page]
        yield "page_blocks", np.diff(table.first_block)[page]
        yield "page_own", self.page_own[page]
        yield "page_own_link", ratio(table.by_page(own * self.link), table.by_page(own))[page]
        yield "page_link", ratio(table.by_page(self.length * self.link), length)[page]
        yield "page_repeated", ratio(table.by_page(self.length * self.is_repeated), length)[page]
        yield "page_paragraphs", ratio(table.by_page(self.own * is_paragraph), self.page_own)[page]
        yield "page_url_depth", np.array([url_depth(one.url) for one in pages], float)[page]


def url_depth(url: str) -> int:
    """The parts of an address's path."""
    try:
        return sum(map(bool, urlsplit(url).path.split("/")))
    except ValueError:
        return 0


def _groups(groups: Ints, pages: Ints) -> Ints:
    """For each member of groups within pages the number of its group."""
    if not len(groups):
        return np.zeros(0, np.int64)
    numbers: Ints = np.unique(groups * (int(pages.max()) + 1) + pages, return_inverse=True)[1]
    return numbers


def _sums(numbers: Ints, values: Floats | Ints | Flags) -> Floats:
    """For each member of numbered groups the sum of a value over its group."""
    found: Floats = np.bincount(numbers, values).astype(np.float64)[numbers]
    return found


def _deepest(table: Table, values: Floats, least: Callable[[Floats], float]) -> Ints:
    """For each page the deepest element with a high enough value; its body where there is none.

    :param values: for each element its value.
    :param least: what is high enough, by the values of the page's elements.
    """
    found = []
    for begin, end in zip(table.first_element[:-1].tolist(), table.first_element[1:].tolist(), strict=True):
        here = values[begin:end]
        high = np.nonzero(here >= least(here))[0]
        found.append(begin + int(high[np.argmax(table.depth[begin:end][high])]) if len(high) else begin)
    return np.array(found, np.int64)


NAMES = tuple(name for name, _ in _Page(Table([]), PathFeatures(Paths())).columns())
"""The names of all features, in the order of the columns."""
