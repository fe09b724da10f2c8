"""Features of the scorer: a row of numbers for each block of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, text_key
from scrapy_stemmer.learners.rules.features import (
    CJK_LENGTH,
    COUNTED_LENGTH,
    KINDS,
    LAST_MARKS,
    LINK_VALUE,
    LONG,
    MAIN_HEADINGS,
    MEASURES,
    MENUS,
    MOST_AWAY,
    NEAR,
    NOISE_NEAR,
    OFTEN,
    PROSE_LINK,
    SENTENCES,
    SOFT,
    SOFT_VALUE,
    STEPS,
    Flags,
    Floats,
    Group,
    Ints,
    Measures,
    PageFacts,
    kinds,
    url_depth,
)
from scrapy_stemmer.learners.rules.hints import CONTAINERS, FAR, GROUPS, NOISE, TAGS, WIDTH, PathFeatures


def measures_in_python(texts: Sequence[str]) -> Measures:
    """Return the measures of the texts of a page, whose white space is collapsed."""
    sizes = np.array([len(text) + 1 for text in texts], np.int64)
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), "<u4")
    found = kinds().take(codes, mode="clip")
    places = np.flatnonzero(found)
    number = np.arange(len(texts)).repeat(sizes)[places]
    # How many characters of each text are of each kind, or of several: kinds are bits.
    by_kinds = np.bincount(number << len(KINDS) | found[places], minlength=len(texts) << len(KINDS))
    counts = by_kinds.reshape(len(texts), 1 << len(KINDS)).astype(np.float64) @ _BITS
    spaces, ends, commas, digits, ideographs = counts.T.astype(np.int64)
    plain = sizes - 1 - spaces
    length = plain + (CJK_LENGTH - 1) * ideographs
    # The keys of texts without digits are made at once.
    lines = "\n".join(texts).lower().encode("utf-8", "surrogatepass").split(b"\n")
    counted = zip(texts, digits.tolist(), lines, strict=False)
    keys = [text_key(text) if count else crc32(line) for text, count, line in counted]
    last_mark = [text.endswith(LAST_MARKS) for text in texts]
    capital = [text[:1].isupper() for text in texts]
    rows = (plain, length, spaces + 1 + ideographs, ends, commas, digits, keys, last_mark, capital)
    return {name: np.asarray(row, np.uint32) for name, row in zip(MEASURES, rows, strict=True)}


_BITS = np.array([[float(number >> bit & 1) for bit in range(len(KINDS))] for number in range(1 << len(KINDS))])
"""The bits of each number of ``len(KINDS)`` bits, lowest first."""


def fill_in_python(facts: PageFacts, paths: PathFeatures, columns: NDArray[np.float32]) -> None:
    """Fill in the features of a page with blocks, a column for each."""
    first = 0
    for names, values in _Page(facts, paths).groups():
        width = names.count(" ") + 1
        columns[first : first + width] = values if width == 1 else values.reshape(-1, width).T
        first += width


class _Page:
    """Features of the blocks of a page, a method for each group.

    Nothing loops over elements: hostile pages nest many thousands of them.

    :ivar above: the number of each element's parent; the body is its own.
    :ivar jumps: the numbers of each element's ancestors 1, 2, 4, 8 and so on levels up, at most the body's.
    :ivar first: the number of each element's first block; ``end``: of the first block behind the element.
    :ivar up: the numbers of each block's element and four ancestors, the innermost first.
    :ivar of_block: counts of each block by name, most of them of characters; :meth:`_add_up` lists them.
    :ivar before: sums of each count over all blocks before a block; the last sum is over all blocks.
    :ivar of_page: sums of each count over the page; ``all_own`` is the divisor of shares of ``own``.
    :ivar of_element: sums of each count over the blocks in each element.
    :ivar around: sums of each count for the elements of :attr:`up`.
    """

    def __init__(self, facts: PageFacts, paths: PathFeatures) -> None:
        self.facts, self.columns, self.text = facts, facts.page.columns, facts.measures
        self.index = np.arange(len(self.columns.elements))
        self._read_tree()
        self._read_blocks(paths)
        self._add_up()
        self._find_named_and_regions()

    def groups(self) -> Iterator[Group]:
        yield from self._by_itself()
        yield from self._elements_around()
        yield from self._blocks_beside()
        yield from self._headings()
        yield from self._links_and_page()

    def _read_tree(self) -> None:
        columns = self.columns
        self.above: Ints = np.maximum(np.asarray(columns.parents, np.int64), 0)
        self.jumps = [self.above]
        while self.jumps[-1].any():
            self.jumps.append(self.jumps[-1][self.jumps[-1]])
        self.element: Ints = np.asarray(columns.elements, np.int64)
        self.element_path: Ints = np.asarray(self.facts.paths, np.int64)
        self.path = self.element_path[self.element]
        self.depth: Ints = np.ones(len(self.above), np.int64)
        self.depth[0] = 0
        self.first: Ints = np.full(len(self.above), len(self.index))
        self.end: Ints = np.zeros(len(self.above), np.int64)
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
        self.length: Floats = np.maximum(self.text["length"], 1).astype(np.float64)
        linked = np.asarray(self.columns.linked, np.int64) / np.maximum(self.text["plain"], 1)
        self.link: Floats = np.floor(np.minimum(1.0, linked) * STEPS) / STEPS
        self.repeated: Floats = np.asarray(self.facts.repeated, np.float64) * (self.facts.others > 0)
        # Without further pages returning text is unknown.
        self.returning = self.repeated if self.facts.others else np.full(len(self.index), np.nan)
        self.is_repeated: Flags = self.repeated >= OFTEN
        self.tag = np.frombuffer(paths.tags, np.uint8)[self.path]
        self.is_heading: Flags = np.array([tag in MAIN_HEADINGS for tag in (*TAGS, "")])[self.tag]
        self.shape = np.frombuffer(paths.shapes, np.intc)[self.path]
        self.levels = np.frombuffer(paths.levels, np.uint8).reshape(-1, WIDTH)[self.path]
        is_template = self.is_repeated | (self.levels[:, MENUS] < FAR).any(axis=1)
        self.own: Floats = self.length * (1 - self.link) * ~is_template
        unit = np.where(is_template, -1.0, np.where((self.levels[:, SOFT] < FAR).any(axis=1), SOFT_VALUE, 1.0))
        unit *= np.where(self.link > MOSTLY_LINKS, LINK_VALUE, 1.0)
        self.value: Floats = np.minimum(self.length, COUNTED_LENGTH) * unit

    def _add_up(self) -> None:
        """Sum over the blocks of elements and of the page."""
        count = len(self.index)
        self.of_block: dict[str, NDArray[Any]] = {
            "length": self.length,
            "blocks": np.ones(count),
            "linked": self.length * self.link,
            "repeated": self.length * self.is_repeated,
            "own": self.own,  # neither in links, nor repeated, nor in menus and footers
            "value": self.value,  # weighted, as the region of a page is looked for
            "running": self.own * (self.length >= LONG),
            # of several sentences
            "prose": self.own * (self.length >= LONG) * (self.text["ends"] >= SENTENCES) * (self.link < PROSE_LINK),
            # Links behind the last block belong to none.
            "links": np.bincount(np.array([block for block, _ in self.columns.links], np.int64), minlength=count)[
                :count
            ],
        }
        before = np.zeros((len(self.of_block), count + 1))
        np.cumsum(np.array(list(self.of_block.values())), axis=1, out=before[:, 1:])
        inside = before.take(self.end, axis=1) - before.take(np.minimum(self.first, self.end), axis=1)
        self.before = dict(zip(self.of_block, before, strict=True))
        self.of_page = dict(zip(self.of_block, before[:, -1], strict=True))
        self.all_own = _some(self.of_page["own"])
        self.of_element = dict(zip(self.of_block, inside, strict=True))
        self.around = dict(zip(self.of_block, inside.take(self.up, axis=1), strict=True))

    def _find_named_and_regions(self) -> None:
        """Find the title, the longest own text, and the regions of the page.

        The title is a main heading with the title of the head; else any block with this text; else a main heading. A
        missing title or text has the number -1. The first region is the deepest element of the highest value, the next
        are the deepest elements with nine tenths and with half of the own text.
        """
        self.is_title: Flags = np.array([key in self.facts.title_keys for key in self.text["key"].tolist()])
        is_h1 = self.tag == TAGS.index("h1")
        is_like = 2 * self.is_title + is_h1 * (self.is_title | (self.repeated < 0.5))
        self.named = [int(each.argmax()) if each.any() else -1 for each in (is_like, self.own)]
        value, own, all_own = self.of_element["value"], self.of_element["own"], self.of_page["own"]
        holding = value >= value.max() - 1e-6, own >= 0.9 * all_own, own >= 0.5 * all_own
        deepest = [int(np.where(each, self.depth, 0).argmax()) for each in holding]
        self.regions = deepest if all_own > 0 else [deepest[0], 0, 0]
        self.best = self.regions[0]
        self.in_best = self._is_in(self.best)

    def _is_in(self, element: int) -> Flags:
        inside: Flags = (self.index >= self.first[element]) & (self.index < self.end[element])
        return inside

    def _highest_around(self, *values: Floats) -> Floats:
        found = np.array(values)
        found[:, 0] = 0.0
        for far in self.jumps:
            np.fmax(found, found.take(far, axis=1), out=found)
        return found

    def _by_itself(self) -> Iterator[Group]:
        length, text = self.length, self.text
        yield "length", length
        yield "link", self.link
        yield "words", text["words"]
        yield "ends", np.minimum(text["ends"], 20)
        yield "ends_per_100", 100 * text["ends"] / length
        yield "commas_per_100", 100 * text["commas"] / length
        yield "digit_share", text["digits"] / length
        yield "word_length", length / np.maximum(text["words"], 1)
        yield "last_mark", text["last_mark"]
        yield "capital", text["capital"]
        yield "time", np.array(self.columns.times)
        yield " ".join(f"tag_{tag}" for tag in TAGS), self.tag[:, None] == np.arange(len(TAGS))
        yield "depth", self.depth[self.element]
        names = [f"in_{tag}" for tag in CONTAINERS] + [f"name_{group}" for group in (*GROUPS, "hidden")]
        yield " ".join(names), self.levels
        noise = self.levels[:, NOISE]
        values = noise.min(axis=1), (noise < FAR).sum(axis=1), (noise <= NOISE_NEAR).sum(axis=1)
        yield "noise_nearest noise_count noise_near_count", np.stack(values, axis=-1)
        yield "repeated", self.returning
        yield "repeated_any", np.where(np.isnan(self.returning), np.nan, self.returning > 0)
        yield "same_page", np.minimum(_group_sizes(text["key"]), 10)
        yield "others", np.int64(min(self.facts.others, 20))

    def _elements_around(self) -> Iterator[Group]:
        """Fill in the elements around a block, the regions of the page, and the blocks on an equal path."""
        around, sums = self.around, self.of_element
        linked, repeated, length, blocks = [around[name][:, 1:4] for name in ("linked", "repeated", "length", "blocks")]
        values = np.stack([linked / length, repeated / length, length, length / blocks], axis=-1)
        yield _at_levels("up{0}_link up{0}_repeated up{0}_length up{0}_mean_length", 1, 2, 3), values
        yield _at_levels("up{}_own_share", 1, 2, 3, 4), around["own"][:, 1:] / self.all_own
        sizes_of = _some(sums["length"])
        highest = self._highest_around(sums["linked"] / sizes_of, sums["repeated"] / sizes_of)
        yield "most_link_around most_repeated_around", highest[:, self.up[:, 1]].T
        for name, region in zip(("best", "holding", "half"), self.regions, strict=True):
            inside = self._is_in(region)
            yield f"in_{name}", inside
            yield f"below_{name}", np.where(inside, self.depth[self.element] - self.depth[region], -1)
        yield from self._section()
        yield _at_levels("up{}_value", 1, 2, 3), around["value"][:, 1:4] / np.maximum(sums["value"][self.best], 1)
        yield "region_link", sums["linked"][self.best] / sizes_of[self.best]
        yield "region_own", sums["own"][self.best] / self.all_own
        added = [*[self.of_block[name] for name in ("length", "linked", "repeated", "own")], self.text["ends"]]
        sizes, linked, repeated, own, ends = [np.bincount(self.path, each)[self.path] for each in added]
        count = np.bincount(self.path)[self.path]
        yield "path_count", count
        yield "path_length", sizes / count
        yield "path_link", linked / sizes
        yield "path_repeated", repeated / sizes
        yield "path_ends", 100 * (ends / sizes)
        yield "path_own_share", own / self.all_own
        yield "shape_own_share", np.bincount(self.shape, self.own)[self.shape] / self.all_own
        yield "shape_count", np.bincount(self.shape)[self.shape]
        siblings = _group_sizes(self.above * (int(self.element_path.max()) + 1) + self.element_path)
        yield _at_levels("up{}_siblings", 0, 1, 2, 3), siblings[self.up[:, :4]]

    def _section(self) -> Iterator[Group]:
        best, section = self.best, self.element
        for far in reversed(self.jumps):
            section = np.where(self.depth[far[section]] > self.depth[best], far[section], section)
        first, length = self.first[section], self.of_element["length"][section]
        own, linked = [self.of_element[name][section] for name in ("own", "linked")]
        blocks = self.end[section] - first
        position = (first - self.first[best]) / (self.end[best] - self.first[best])
        values = [own / self.all_own, linked / length, length, blocks, position, self.is_heading[first]]
        names = "section_own_share section_link section_length section_blocks section_position section_heading"
        yield names, np.where(self.in_best[:, None], np.stack(values, axis=-1), np.nan)

    def _blocks_beside(self) -> Iterator[Group]:
        """Fill in the neighbours of a block, NaN at the ends of the page, and its place."""
        index, count = self.index, len(self.index)
        values = np.array([self.length, self.link, self.repeated, self.path, self.in_best])
        other = index + np.array([[-2], [-1], [1], [2]])
        is_there = (other >= 0) & (other < count)
        found = np.where(is_there, values[:, np.where(is_there, other, 0)], np.nan)
        for by, name in enumerate(("before2", "before1", "after1", "after2")):
            yield f"{name}_length {name}_link {name}_repeated", found[:3, by].T
            if name.endswith("1"):
                yield f"{name}_same_path", found[3, by] == self.path
                yield f"{name}_best", found[4, by]
        running, value, total = self.before["running"], self.before["value"], _some(self.of_page["running"])
        yield "own_before", running[index] / total
        yield "own_after", (total - running[index + 1]) / total
        low, high = np.maximum(0, index - 5), np.minimum(count, index + 6)
        yield "own_near", running[high] - running[low] - self.of_block["running"]
        low, high = np.maximum(0, index - 10), np.minimum(count, index + 11)
        yield "value_near", (value[high] - value[low] - self.value) / 1000
        yield "position", index / count
        yield "from_start", np.minimum(index, 200)
        yield "from_end", np.minimum(count - index, 200)
        yield from self._prose_beside()
        yield from self._runs_beside()

    def _prose_beside(self) -> Iterator[Group]:
        index, before = self.index, self.before["prose"]
        total = _some(before[-1])
        yield "prose_before", before[index] / total
        yield "prose_after", (before[-1] - before[index + 1]) / total
        is_prose = self.of_block["prose"] > 0
        far = len(index) + MOST_AWAY
        last = np.maximum.accumulate(np.where(is_prose, index, -MOST_AWAY))
        following = np.minimum.accumulate(np.where(is_prose, index, far)[::-1])[::-1]
        yield "from_prose", np.minimum(index - last, MOST_AWAY)
        yield "to_prose", np.minimum(following - index, MOST_AWAY)

    def _runs_beside(self) -> Iterator[Group]:
        index, count = self.index, len(self.index)
        low, high = np.maximum(0, index - NEAR), np.minimum(count, index + NEAR + 1)
        all_, length, linked = np.full(count, count), self.before["length"], self.before["linked"]
        runs = {
            "all_before": (np.zeros(count, np.int64), index),
            "all_after": (index + 1, all_),
            "near_before": (low, index),
            "near_after": (index + 1, high),
        }
        for name, (first, end) in runs.items():
            size = _some(length[end] - length[first])
            values = [size / _some(end - first), (linked[end] - linked[first]) / size]
            yield f"{name}_length {name}_link", np.stack(values, axis=-1)
        away = np.clip(index - self.named[1], -MOST_AWAY, MOST_AWAY)
        yield "from_longest", away if self.named[1] >= 0 else np.float64(np.nan)

    def _headings(self) -> Iterator[Group]:
        """Fill in title, headings, and the levels between a block and title or longest text."""
        title = self.named[0]
        yield "is_title", self.is_title
        yield "from_title", np.clip(self.index - title, -50, 50) if title >= 0 else np.float64(np.nan)
        last = np.maximum.accumulate(np.where(self.is_heading, self.index, -1))
        yield "from_heading", np.where(last >= 0, np.minimum(self.index - last, 50), np.nan)
        yield "heading_repeated", np.where(last >= 0, self.returning[last], np.nan)
        yield "heading_link", np.where(last >= 0, self.link[last], np.nan)
        first = self.first[self.up[:, 1:4]]
        names = _at_levels("up{0}_first_repeated up{0}_first_heading", 1, 2, 3)
        yield names, np.stack([self.returning[first], self.is_heading[first]], axis=-1)
        own = self.is_heading & ~self.is_repeated
        yield "page_heading_links", (own * self.link).sum() / _some(own.sum())
        for name, block in zip(("title", "longest"), self.named, strict=True):
            # Levels up to the nearest common ancestor, and down from there.
            is_holding = (self.first <= block) & (block < self.end)
            (joined,) = self._highest_around(np.where(is_holding, self.depth, 0.0))
            levels = self.depth[self.element], self.depth[self.element[block]]
            values = np.array([each - joined[self.element] for each in levels])
            yield f"up_to_{name} down_to_{name}", values.T if block >= 0 else np.full(values.T.shape, np.nan)

    def _links_and_page(self) -> Iterator[Group]:
        """Fill in the links in a block and around it, and the whole page."""
        of_page = self.of_page
        yield "links", self.of_block["links"]
        yield _at_levels("up{}_links", 1, 2, 3), self.around["links"][:, 1:4]
        own = self.length * ~self.is_repeated
        yield "page_article", np.int64(self.facts.page.head.is_article)
        yield "page_blocks", of_page["blocks"]
        yield "page_own", of_page["own"]
        yield "page_own_link", (own * self.link).sum() / _some(own.sum())
        yield "page_link", of_page["linked"] / of_page["length"]
        yield "page_repeated", of_page["repeated"] / of_page["length"]
        yield "page_paragraphs", self.own[self.tag == TAGS.index("p")].sum() / self.all_own
        yield "page_url_depth", np.int64(url_depth(self.facts.page.url))


def _some(amounts: NDArray[Any] | np.generic) -> NDArray[Any]:
    """Amounts to take shares of; a share of nothing is NaN."""
    return np.where(amounts, amounts, np.nan)


def _group_sizes(keys: NDArray[Any]) -> Ints:
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    return sizes[group]


def _at_levels(names: str, *levels: int) -> str:
    return " ".join(names.format(level) for level in levels)
