"""What the scorer looks at: for each block of a page a row of numbers.

A feature tells of the block, of its page, or of how many other pages have its text; nothing else is needed of the
site. ``docs/development/training.md`` lists what each is, and what it is worth. Pages are put below each other
into one table of numbers, so that sums over many are made at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scrapy_stemmer.core.text import CJK
from scrapy_stemmer.learners.rules.hints import AROUND, FAR, GROUPS, HIDDEN, NOISE, TAGS, WIDTH, PathFeatures
from scrapy_stemmer.learners.rules.paths import Paths
from scrapy_stemmer.learners.rules.read_py import MOSTLY_LINKS, key_of
from scrapy_stemmer.learners.rules.reading import SamplePage

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

Group = tuple[str, NDArray[Any]]
"""Names of features, separated by spaces, and for each block as many values, in whatever dimensions."""

SOFT_GROUPS = ("navigation", "sidebar", "footer", "popup", "subscribe", "social", "related")
"""Names of elements whose text is worth less when the region of a page is looked for."""

NOISE_NEAR = 3
"""Levels up to an element without text of the page that are near."""

HEADINGS = ("h1", "h2", "h3")

MAX_LENGTH = 500
"""When that is looked for, a block counts up to so many characters, each worth 1, or -1 in repeated text and menus."""

SOFT_VALUE = -0.25
"""What a character is worth in elements of :data:`SOFT_GROUPS`."""

LINK_VALUE = 0.25
"""The share of their worth that is left in links."""

LONG = 80
"""Characters of a block that is long enough to be running text."""

OFTEN = 0.1
"""Text on this share of the other pages is repeated."""

ADDRESS = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)")
"""An address of which the path is asked for; see RFC 3986."""

STEPS = 256
"""Shares are rounded down to whole parts of this, so that sums of them are exact, in whatever order they are made."""


# What is measured of texts

KINDS = (" ", ".!?\u3002\uff01\uff1f\u0964\u061f", ",;:\u3001\uff0c\uff1b\uff1a\u060c", r"\d", CJK + "\u0e00-\u0e7f")
"""Characters that are counted: spaces, ends of sentences and of their parts, digits, and those that count as several
letters; Thai has no spaces either."""

CHARACTERS = 0x20000
"""None of them has a higher number."""

CJK_LENGTH = 3
"""A CJK character says as much as three letters of an alphabet: a word of such a language has one or two."""

LAST_MARKS = tuple('.!?:\u2026\u3002\uff01\uff1f"\u201d)')


MEASURES = ("plain", "length", "words", "ends", "commas", "digits", "key", "last_mark", "capital")
"""What is measured of a text: its characters without white space; the same, a CJK character counting three times; its
words, of CJK text a third of its length; the ends of sentences in it; its commas, colons and semicolons; its digits;
its key; whether it ends like a sentence; whether it begins with a capital letter."""

Measures = Mapping[str, NDArray[np.uint32]]
"""For each of :data:`MEASURES` the numbers of the texts of a page."""


def measures_of(texts: Sequence[str]) -> Measures:
    """What is measured of the texts of a page, whose white space is collapsed."""
    sizes = np.array([len(text) + 1 for text in texts], np.int64)
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), "<u4")
    kinds = _kinds().take(codes, mode="clip")
    places = np.flatnonzero(kinds)
    number = np.arange(len(texts)).repeat(sizes)[places]
    # How many characters of each text are of each kind, or of several: kinds are bits.
    by_kinds = np.bincount(number << len(KINDS) | kinds[places], minlength=len(texts) << len(KINDS))
    counts = by_kinds.reshape(len(texts), 1 << len(KINDS)).astype(np.float64) @ _BITS
    spaces, ends, commas, digits, ideographs = counts.T.astype(np.int64)
    plain = sizes - 1 - spaces
    length = plain + (CJK_LENGTH - 1) * ideographs
    # The keys of texts without digits are made of all of these at once.
    lines = "\n".join(texts).lower().encode("utf-8", "surrogatepass").split(b"\n")
    counted = zip(texts, digits.tolist(), lines, strict=False)
    keys = [key_of(text, count) if count else crc32(line) for text, count, line in counted]
    last_mark = [text.endswith(LAST_MARKS) for text in texts]
    capital = [text[:1].isupper() for text in texts]
    rows = (plain, length, spaces + 1 + ideographs, ends, commas, digits, keys, last_mark, capital)
    return {name: np.asarray(row, np.uint32) for name, row in zip(MEASURES, rows, strict=True)}


_BITS = np.array([[float(number >> bit & 1) for bit in range(len(KINDS))] for number in range(1 << len(KINDS))])
"""For each number of so many bits these bits, the lowest first."""


@cache
def _kinds() -> NDArray[np.uint8]:
    """For each character which of :data:`KINDS` it is of, as bits."""
    characters = "".join(map(chr, range(CHARACTERS)))
    found = np.zeros(CHARACTERS, np.uint8)
    for bit, kind in enumerate(KINDS):
        for run in re.finditer(f"[{kind}]+", characters):
            found[run.start() : run.end()] |= 1 << bit
    return found


# The rows of numbers


@dataclass(frozen=True)
class PageFacts:
    """What is known of one page before its blocks are scored.

    :param page: the page, as it was read.
    :param paths: for each element the number of its path.
    :param measures: what is measured of the texts of its blocks.
    :param others: how many other pages are known; where none is, what returns on them is not known either.
    :param repeated: for each block the share of these that have its text.
    :param title_keys: keys of the texts that may be its title.
    """

    page: SamplePage
    paths: Sequence[int]
    measures: Measures
    others: int
    repeated: Sequence[float]
    title_keys: frozenset[int] = frozenset()


def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[np.float32]:
    """A row for each block of some pages, a column for each of :data:`NAMES`.

    :param paths: what the paths tell that the elements of the pages stand on.
    """
    table = _Table(pages, paths)
    columns = np.empty((len(NAMES), len(table.page)), np.float32)
    first = 0
    # A share of nothing is 0 / 0, which is NaN.
    with np.errstate(invalid="ignore"):
        for names, values in table.groups():
            if values.ndim == 1:
                columns[first] = values
                first += 1
            else:
                width = names.count(" ") + 1
                columns[first : first + width] = values.reshape(-1, width).T
                first += width
    return columns.T


class _Table:
    """Pages below each other, and the features of their blocks, one method a group.

    Numbers of elements and blocks count on from page to page. Nothing loops over elements: hostile pages nest many
    thousands of them.

    :ivar page: for each block the number of its page; ``element_page`` for each element.
    :ivar above: for each element the number of the one around it; a body stands for itself.
    :ivar jumps: for each element the number of the one 1, 2, 4, 8 and so on levels up, at most that of the body.
    :ivar first: for each element the number of the first block in it; ``end`` of the first one behind these.
    :ivar up: for each block the numbers of its element and of the four around that, the innermost first.
    :ivar of_block: by their names numbers of each block; most count characters, see :meth:`_add_up`.
    :ivar before: their sums over all blocks before each block, and over all.
    :ivar of_page: their sums over the blocks of each page; ``of_element`` over those in each element, ``around`` in
        the elements of :attr:`up`.
    """

    def __init__(self, pages: Sequence[PageFacts], paths: PathFeatures) -> None:
        self.facts, self.pages = pages, [facts.page for facts in pages]
        self._read_tree()
        self._read_blocks(paths)
        self._add_up()

    def groups(self) -> Iterator[Group]:
        """All features."""
        yield from self._by_itself()
        yield from self._elements_around()
        yield from self._blocks_beside()
        yield from self._headings()
        yield from self._links_and_page()

    def _read_tree(self) -> None:
        """Where elements and blocks stand."""
        pages = self.pages
        self.first_element = np.cumsum([0, *[len(page.columns.parents) for page in pages]])
        self.first_block = np.cumsum([0, *[len(page.columns.elements) for page in pages]])
        numbers = np.arange(len(pages))
        self.element_page = np.repeat(numbers, np.diff(self.first_element))
        self.page = np.repeat(numbers, np.diff(self.first_block))
        self.start, self.stop = self.first_block[:-1], self.first_block[1:]
        self.index = np.arange(len(self.page))
        parent = _joined([page.columns.parents for page in pages]) + self.first_element[self.element_page]
        bodies = self.first_element[:-1][self.element_page]
        self.is_body: Flags = parent < bodies
        self.above: Ints = np.where(self.is_body, bodies, parent)
        self.jumps = [self.above]
        while (self.jumps[-1] != bodies).any():
            self.jumps.append(self.jumps[-1][self.jumps[-1]])
        self.element = _joined([page.columns.elements for page in pages]) + self.first_element[self.page]
        self.element_path = _joined([facts.paths for facts in self.facts])
        self.path = self.element_path[self.element]
        self.depth = (~self.is_body).astype(np.int64)
        self.first: Ints = np.full(len(parent), len(self.page))
        self.end: Ints = np.zeros(len(parent), np.int64)
        np.minimum.at(self.first, self.element, self.index)
        np.maximum.at(self.end, self.element, self.index + 1)
        for far in self.jumps:
            self.depth = self.depth + self.depth[far]
            np.minimum.at(self.first, far, self.first.copy())
            np.maximum.at(self.end, far, self.end.copy())
        up = [self.element]
        for _ in range(4):
            up.append(self.above[up[-1]])
        self.up = np.array(up).T

    def _read_blocks(self, paths: PathFeatures) -> None:
        """What each block is by itself."""
        pages = self.pages
        self.text = {name: _joined([facts.measures[name] for facts in self.facts]) for name in MEASURES}
        self.length: Floats = np.maximum(self.text["length"], 1).astype(np.float64)
        linked = _joined([page.columns.linked for page in pages])
        self.link: Floats = _in_steps(np.minimum(1.0, linked / np.maximum(self.text["plain"], 1)))
        self.others = np.array([facts.others for facts in self.facts], np.int64)
        self.known: Flags = self.others[self.page] > 0
        self.repeated: Floats = _joined([facts.repeated for facts in self.facts], float) * self.known
        self.is_repeated: Flags = self.repeated >= OFTEN
        self.tag = np.frombuffer(paths.tags, np.uint8)[self.path]
        self.is_heading: Flags = np.array([tag in HEADINGS for tag in (*TAGS, "")])[self.tag]
        self.shape = np.frombuffer(paths.shapes, np.intc)[self.path]
        self.levels = np.frombuffer(paths.levels, np.uint8).reshape(-1, WIDTH)[self.path]
        soft = [len(AROUND) + GROUPS.index(group) for group in SOFT_GROUPS]
        in_menu = (self.levels[:, [AROUND.index("nav"), AROUND.index("footer"), HIDDEN]] < FAR).any(axis=1)
        is_soft = (self.levels[:, soft] < FAR).any(axis=1)
        is_template = self.is_repeated | in_menu
        self.own: Floats = self.length * (1 - self.link) * ~is_template
        unit = np.where(is_template, -1.0, np.where(is_soft, SOFT_VALUE, 1.0))
        unit *= np.where(self.link > MOSTLY_LINKS, LINK_VALUE, 1.0)
        self.value: Floats = np.minimum(self.length, MAX_LENGTH) * unit

    def _add_up(self) -> None:
        """Sum over the blocks of elements and of pages."""
        pages, length = self.pages, self.length
        page = np.repeat(np.arange(len(pages)), [len(page.columns.links) for page in pages])
        block = _joined([[block for block, _ in page.columns.links] for page in pages]) + self.start[page]
        is_there = block < self.stop[page]  # links behind the last block of a page belong to none
        self.links = np.bincount(block[is_there], minlength=len(length)).astype(np.float64)
        self.of_block: dict[str, NDArray[Any]] = {
            "length": length,
            "blocks": np.ones(len(length)),
            "linked": length * self.link,
            "repeated": length * self.is_repeated,
            "own": self.own,  # neither in links, nor repeated, nor in menus and footers
            "value": self.value,  # weighted, as the region of a page is looked for
            "running": self.own * (length >= LONG),
            "links": self.links,
        }
        names, before = list(self.of_block), np.zeros((len(self.of_block), len(length) + 1))
        np.cumsum(np.array(list(self.of_block.values())), axis=1, out=before[:, 1:])
        inside = before.take(self.end, axis=1) - before.take(np.minimum(self.first, self.end), axis=1)
        self.before = dict(zip(names, before, strict=True))
        self.of_page = dict(zip(names, before[:, self.stop] - before[:, self.start], strict=True))
        self.of_element = dict(zip(names, inside, strict=True))
        self.around = dict(zip(names, inside.take(self.up, axis=1), strict=True))
        self.page_own = self.of_page["own"][self.page]

    def _by_page(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each block the sum of a value over its page."""
        return np.bincount(self.page, values, len(self.pages))[self.page]

    def _highest_around(self, *values: Floats) -> Floats:
        """For each element the highest value of it and the elements around it; those of bodies count as 0."""
        found = np.where(self.is_body, 0.0, values)
        for far in self.jumps:
            np.fmax(found, found.take(far, axis=1), out=found)
        return found

    @cached_property
    def _is_title(self) -> Flags:
        """For each block whether its text is what the head calls the page."""
        keys = [key in facts.title_keys for facts in self.facts for key in facts.measures["key"].tolist()]
        return np.array(keys, bool)

    @cached_property
    def _named(self) -> Ints:
        """For each page the numbers of its title, and of its longest text; -1 where there is none.

        The title is a main heading of the text that the head calls so; else any block of it; else a main heading.
        """
        is_h1 = self.tag == TAGS.index("h1")
        is_like = 2 * self._is_title + is_h1 * (self._is_title | (self.repeated < 0.5))
        return np.array([_first_highest(values, self.first_block, 0) for values in (is_like, self.own)])

    @cached_property
    def _highest(self) -> Floats:
        """For each element the highest shares of links and of repeated text around it, and the depths of the nearest
        elements that hold the blocks of :attr:`_named` too."""
        sums, here = self.of_element, self._named[:, self.element_page]
        shares = sums["linked"] / sums["length"], sums["repeated"] / sums["length"]
        return self._highest_around(*shares, *np.where((self.first <= here) & (here < self.end), self.depth, 0))

    def _by_itself(self) -> Iterator[Group]:
        """Text and place of a block, and where else its text stands."""
        length = self.length
        yield "length", length
        yield "link", self.link
        yield "words", self.text["words"]
        yield "ends", np.minimum(self.text["ends"], 20)
        yield "ends_per_100", 100 * self.text["ends"] / length
        yield "commas_per_100", 100 * self.text["commas"] / length
        yield "digit_share", self.text["digits"] / length
        yield "word_length", length / np.maximum(self.text["words"], 1)
        yield "last_mark", self.text["last_mark"]
        yield "capital", self.text["capital"]
        yield "time", _joined([page.columns.times for page in self.pages])
        yield " ".join(f"tag_{tag}" for tag in TAGS), self.tag[:, None] == np.arange(len(TAGS))
        yield "depth", self.depth[self.element]
        names = [f"in_{tag}" for tag in AROUND] + [f"name_{group}" for group in (*GROUPS, "hidden")]
        yield " ".join(names), self.levels
        noise = self.levels[:, NOISE]
        values = noise.min(axis=1), (noise < FAR).sum(axis=1), (noise <= NOISE_NEAR).sum(axis=1)
        yield "noise_nearest noise_count noise_near_count", np.stack(values, axis=-1)
        yield "repeated", np.where(self.known, self.repeated, np.nan)
        yield "repeated_any", np.where(self.known, self.repeated > 0, np.nan)
        same = _group_sizes(self.text["key"] * len(self.pages) + self.page)
        yield "same_page", np.minimum(same, 10)
        yield "others", np.minimum(self.others, 20)[self.page]

    def _elements_around(self) -> Iterator[Group]:
        """The elements around a block, the region of its page, and the blocks on the same path."""
        page, around, sums = self.page, self.around, self.of_element
        linked, repeated, length, blocks = [around[name][:, 1:4] for name in ("linked", "repeated", "length", "blocks")]
        values = np.stack([linked / length, repeated / length, length, length / blocks], axis=-1)
        yield _at_levels("up{0}_link up{0}_repeated up{0}_length up{0}_mean_length", 1, 2, 3), values
        yield _at_levels("up{}_own_share", 1, 2, 3, 4), around["own"][:, 1:] / self.page_own[:, None]
        yield "most_link_around most_repeated_around", self._highest[:2, self.up[:, 1]].T
        most = sums["value"][_first_highest(sums["value"], self.first_element, -np.inf)] - 1e-6
        own = np.where(self.of_page["own"] > 0, self.of_page["own"], np.inf)
        regions = []
        for name, of, least in (("best", "value", most), ("holding", "own", 0.9 * own), ("half", "own", 0.5 * own)):
            high = np.where(sums[of] >= least[self.element_page], self.depth, -1)
            region = _first_highest(high, self.first_element, -2)
            here = region[page]
            inside = (self.index >= self.first[here]) & (self.index < self.end[here])
            yield f"in_{name}", inside
            yield f"below_{name}", np.where(inside, self.depth[self.element] - self.depth[here], -1)
            regions.append((region, inside))
        best, self.in_best = regions[0]
        yield from self._section(best)
        highest = np.maximum(sums["value"][best], 1)[page]
        yield _at_levels("up{}_value", 1, 2, 3), around["value"][:, 1:4] / highest[:, None]
        yield "region_link", (sums["linked"][best] / sums["length"][best])[page]
        yield "region_own", (sums["own"][best] / self.of_page["own"])[page]
        keys = self.path * len(self.pages) + page
        added = [*[self.of_block[name] for name in ("length", "linked", "repeated", "own")], self.text["ends"]]
        sizes, linked, repeated, own, ends = [np.bincount(keys, each)[keys] for each in added]
        count = np.bincount(keys)[keys]
        yield "path_count", count
        yield "path_length", sizes / count
        yield "path_link", linked / sizes
        yield "path_repeated", repeated / sizes
        yield "path_ends", 100 * (ends / sizes)
        yield "path_own_share", own / self.page_own
        keys = self.shape * len(self.pages) + page
        yield "shape_own_share", np.bincount(keys, self.own)[keys] / self.page_own
        yield "shape_count", np.bincount(keys)[keys]
        keys = self.above * (int(self.element_path.max(initial=0)) + 1) + self.element_path
        siblings = _group_sizes(keys)
        yield _at_levels("up{}_siblings", 0, 1, 2, 3), siblings[self.up[:, :4]]

    def _section(self, region: Ints) -> Iterator[Group]:
        """The section around a block: the child of its page's best element that it is in, or that element itself; NaN
        outside.

        :param region: for each page its best element.
        """
        best = region[self.page]
        section = self.element
        for far in reversed(self.jumps):
            section = np.where(self.depth[far[section]] > self.depth[best], far[section], section)
        first, length = self.first[section], self.of_element["length"][section]
        own, linked = [self.of_element[name][section] for name in ("own", "linked")]
        blocks = self.end[section] - first
        position = (first - self.first[best]) / (self.end[best] - self.first[best])
        values = [own / self.page_own, linked / length, length, blocks, position, self.is_heading[first]]
        names = "section_own_share section_link section_length section_blocks section_position section_heading"
        yield names, np.where(self.in_best[:, None], np.stack(values, axis=-1), np.nan)

    def _blocks_beside(self) -> Iterator[Group]:
        """The blocks before and behind a block, NaN where there is none on the page; and its place among all."""
        index, start, stop = self.index, self.start[self.page], self.stop[self.page]
        values = np.array([self.length, self.link, self.repeated, self.path, self.in_best])
        other = index + np.array([[-2], [-1], [1], [2]])
        is_there = (other >= start) & (other < stop)
        found = np.where(is_there, values[:, np.where(is_there, other, 0)], np.nan)
        for by, name in enumerate(("before2", "before1", "after1", "after2")):
            yield f"{name}_length {name}_link {name}_repeated", found[:3, by].T
            if name.endswith("1"):
                yield f"{name}_same_path", found[3, by] == self.path
                yield f"{name}_best", found[4, by]
        running, value, total = self.before["running"], self.before["value"], self.of_page["running"][self.page]
        yield "own_before", (running[index] - running[start]) / total
        yield "own_after", (running[stop] - running[index + 1]) / total
        low, high = np.maximum(start, index - 5), np.minimum(stop, index + 6)
        yield "own_near", running[high] - running[low] - self.of_block["running"]
        low, high = np.maximum(start, index - 10), np.minimum(stop, index + 11)
        yield "value_near", (value[high] - value[low] - self.value) / 1000
        yield "position", (index - start) / (stop - start)
        yield "from_start", np.minimum(index - start, 200)
        yield "from_end", np.minimum(stop - index, 200)

    def _headings(self) -> Iterator[Group]:
        """The title, the headings, and how far up and down it is to the title and to the longest text."""
        title = self._named[0, self.page]
        yield "is_title", self._is_title
        yield "from_title", np.where(title >= 0, np.clip(self.index - title, -50, 50), np.nan)
        last = np.maximum.accumulate(np.where(self.is_heading, self.index, -1))
        has_heading = last >= self.start[self.page]
        yield "from_heading", np.where(has_heading, np.minimum(self.index - last, 50), np.nan)
        yield "heading_repeated", np.where(has_heading & self.known, self.repeated[last], np.nan)
        yield "heading_link", np.where(has_heading, self.link[last], np.nan)
        first = self.first[self.up[:, 1:4]]
        repeated = np.where(self.known[:, None], self.repeated[first], np.nan)
        names = _at_levels("up{0}_first_repeated up{0}_first_heading", 1, 2, 3)
        yield names, np.stack([repeated, self.is_heading[first]], axis=-1)
        own = self.is_heading & ~self.is_repeated
        yield "page_heading_links", self._by_page(own * self.link) / self._by_page(own)
        # Levels up to the nearest element that holds a block as well, and down to that.
        depth, joined, block = self.depth[self.element], self._highest[2:, self.element], self._named[:, self.page]
        values = np.where(block >= 0, np.array([depth - joined, depth[block] - joined]), np.nan)
        yield "up_to_title down_to_title up_to_longest down_to_longest", np.transpose(values, (2, 1, 0))

    def _links_and_page(self) -> Iterator[Group]:
        """The links in a block and around it, and the whole page."""
        page, sums, pages = self.page, self.of_page, self.pages
        yield "links", self.links
        values = self.around["links"][:, 1:4]
        yield _at_levels("up{}_links", 1, 2, 3), values
        own = self.length * ~self.is_repeated
        yield "page_article", np.array([one.head.is_article for one in pages], bool)[page]
        yield "page_blocks", sums["blocks"][page]
        yield "page_own", self.page_own
        yield "page_own_link", self._by_page(own * self.link) / self._by_page(own)
        yield "page_link", (sums["linked"] / sums["length"])[page]
        yield "page_repeated", (sums["repeated"] / sums["length"])[page]
        yield "page_paragraphs", self._by_page(self.own * (self.tag == TAGS.index("p"))) / self.page_own
        depths = [sum(map(bool, ADDRESS.findall(one.url)[0].split("/"))) for one in pages]
        yield "page_url_depth", np.array(depths, np.int64)[page]


def _in_steps(shares: Floats) -> Floats:
    return np.floor(shares * STEPS) / STEPS


def _joined(parts: Sequence[ArrayLike], kind: type[Any] = np.int64) -> NDArray[Any]:
    joined = [np.asarray(part, kind) for part in parts] or [np.empty(0, kind)]
    return joined[0] if len(joined) == 1 else np.concatenate(joined)


def _group_sizes(keys: Ints) -> Ints:
    """For each member of groups how many its group has.

    :param keys: for each member what those of its group have alone.
    """
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
    sizes = np.diff(starts)
    found = np.empty(len(keys), np.int64)
    found[order] = sizes.repeat(sizes)[: len(keys)]
    return found


def _first_highest(values: NDArray[Any], starts: Ints, above: float) -> Ints:
    """For each page the number of its first member of the highest value; -1 where all are too low.

    :param starts: for each page the number of its first member, and the number of all members.
    """
    found = []
    for begin, end in pairwise(starts.tolist()):
        place = begin + int(values[begin:end].argmax()) if end > begin else -1
        found.append(place if place >= 0 and values[place] > above else -1)
    return np.array(found, np.int64)


def _at_levels(names: str, *levels: int) -> str:
    return " ".join(names.format(level) for level in levels)


NAMES = tuple(" ".join(names for names, _ in _Table([], PathFeatures(Paths())).groups()).split())
"""The names of all features, in the order of the columns."""
