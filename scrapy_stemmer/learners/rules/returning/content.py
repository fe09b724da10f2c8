"""Content of a sample page: kept blocks as running text, quotations, data, or items of the main element."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.site.known_texts import RUNNING_LETTERS
from scrapy_stemmer.learners.rules.site.paths import Paths
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MAX_ROW = 300  # characters of a data row
MAX_ROW_BLOCKS = 50  # blocks looked at on both sides of a data cell
MAX_IN_CELL = 2  # blocks of a data cell
EXEMPTING_LEVELS = 3  # innermost elements that may exempt a block
MAIN_SHARE = 0.5  # share of the content in the main element
OPENING = frozenset('"\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300e')  # quotation marks that begin a quotation
CLOSING = frozenset('"\u201c\u201d\u00ab\u00bb\u300d\u300f')
BEHIND = " .,;:!?\u3002"  # punctuation after a quotation

_SENTENCE = re.compile("[.!?\u2026][\"'\u201d\u00bb)\\]]*(?:\\s|$)|[\u3002\uff01\uff1f]")
_LETTERS = re.compile(r"[^\W\d_]")
_CJK = re.compile("[\u2e80-\uffff]")
_WORDS = re.compile("[^\\W\\d_\u2e80-\uffff]+")


class BlockRuns(NamedTuple):
    """Runs of content blocks of one kind, by place among the content blocks.

    The run of a block outside the content is empty.
    """

    starts: Sequence[int]
    ends: Sequence[int]


class ContentPage:
    """The kept blocks of a page by number, with keys and places of texts.

    :param keys: key of each block's text, ``None`` outside the content.
    :param letters: length of each block's text, with three letters for a CJK character.
    :param code: lines of code, by block; ``bold``: bold lines, by block.
    """

    def __init__(
        self,
        columns: ReadPage,
        paths: Paths,
        keys: Sequence[int | None],
        letters: Sequence[int],
        code: Container[int] = (),
        bold: Container[int] = (),
    ) -> None:
        self.columns, self.placed, self.paths, self.keys = columns, columns.paths, columns.block_paths, keys
        self.texts, self.lengths = columns.texts, columns.lengths
        self.blocks = [block for block, key in enumerate(keys) if key is not None]
        self._site, self._components, self._letters = paths, paths.components, letters
        self._code, self._bold = code, bold
        self._prose: dict[int, bool] = {}
        self._data_rows: dict[int, bool] = {}

    def tag(self, block: int) -> str:
        return self._components[self.paths[block]].tag

    def is_heading(self, block: int) -> bool:
        return self.tag(block) in HEADINGS

    def is_bold(self, block: int) -> bool:
        return block in self._bold

    def is_link(self, block: int) -> bool:
        return self.columns.linked[block] > MOSTLY_LINKS * self.lengths[block]

    def is_prose(self, block: int) -> bool:
        """Return True for running text: long, with the end of a sentence, neither heading nor link."""
        found = self._prose.get(block)
        if found is None:
            length = self._letters[block]
            is_text = length >= RUNNING_LETTERS and not self.is_heading(block) and not self.is_link(block)
            has_end = length >= 4 * RUNNING_LETTERS or (is_text and _SENTENCE.search(self.texts[block]) is not None)
            found = self._prose[block] = is_text and has_end
        return found

    @cached_property
    def has_prose(self) -> bool:
        return any(map(self.is_prose, self.blocks))

    def is_quotation(self, block: int) -> bool:
        """Return True for a quotation: by its element, or in quotation marks as a whole."""
        text = self.texts[block]
        is_quoted = text[0] in OPENING and text.rstrip(BEHIND)[-1:] in CLOSING
        return is_quoted or "blockquote" in self._tags_of(block, EXEMPTING_LEVELS)

    def is_exempt(self, block: int) -> bool:
        """Return True for varying content by element: code, terms of lists, data cells."""
        if block in self._code:
            return True
        tags = self._tags_of(block, EXEMPTING_LEVELS)
        if "pre" in tags or tags[0] in ("dt", "dd", "summary", "caption") or tags[1:2] in (["dd"], ["dt"]):
            return True
        return self._is_in_data_cell(block)

    def is_item(self, element: int) -> bool:
        return element >= 0 and self._components[self.placed[element]].tag == "li"

    def is_cell(self, element: int) -> bool:
        return element >= 0 and self._components[self.placed[element]].tag in ("td", "tr", "tbody", "table")

    def around(self, blocks: Iterable[int]) -> set[int]:
        elements, parents, found = self.columns.elements, self.columns.parents, set[int]()
        for block in blocks:
            element = elements[block]
            while element >= 0 and element not in found:
                found.add(element)
                element = parents[element]
        return found

    def elements_around(self, block: int, end: Container[int]) -> Iterator[int]:
        """Yield the elements around a block, the innermost first, up to an ``end``."""
        element = self.columns.elements[block]
        while element >= 0 and element not in end:
            yield element
            element = self.columns.parents[element]

    def blocks_in(self, element: int) -> Sequence[int]:
        """Return the content blocks of an element; of the page for -1."""
        start, end = self._places_in(element)
        return self.blocks[start:end]

    def _places_in(self, element: int) -> tuple[int, int]:
        """Return where the content blocks of an element begin and end among those of the page."""
        if element < 0:
            return 0, len(self.blocks)
        first, behind = self._within
        return bisect_left(self.blocks, first[element]), bisect_left(self.blocks, behind[element])

    @cached_property
    def _within(self) -> tuple[list[int], list[int]]:
        return self.columns.within()

    def is_within(self, block: int, around: int) -> bool:
        return is_within(self.columns, block, around)

    def is_main(self, element: int) -> bool:
        inside, whole = (sum([self.lengths[at] for at in each]) for each in (self.blocks_in(element), self.blocks))
        return inside > MAIN_SHARE * whole

    def beside(self, block: int, step: int) -> int | None:
        """Return the next content block in a direction, 1 or -1; ``None`` at the end."""
        return self._block_at(bisect_left(self.blocks, block + (step > 0)) - (step < 0))

    def _block_at(self, place: int) -> int | None:
        return self.blocks[place] if 0 <= place < len(self.blocks) else None

    def beyond(self, blocks: Sequence[int], around: int, runs: BlockRuns) -> tuple[int | None, int | None]:
        """Return the content blocks before and behind some, beyond a run beside them within an element."""
        start, end = self._places_in(around)
        first, last = bisect_left(self.blocks, blocks[0]), bisect_left(self.blocks, blocks[-1])
        before = max(runs.starts[first - 1], start) - 1 if first > start else first - 1
        follows = min(runs.ends[last + 1], end) if last + 1 < end else last + 1
        return self._block_at(before), self._block_at(follows)

    def runs(self, is_one: Callable[[int], bool]) -> BlockRuns:
        """Return the runs of content blocks of a kind."""
        are, size = list(map(is_one, self.blocks)), len(self.blocks)
        starts, ends = [0] * size, [0] * size
        for place in range(size):
            starts[place] = (starts[place - 1] if place and are[place - 1] else place) if are[place] else place + 1
        for place in range(size - 1, -1, -1):
            is_inside = place + 1 < size and are[place + 1]
            ends[place] = (ends[place + 1] if is_inside else place + 1) if are[place] else place
        return BlockRuns(starts, ends)

    @cached_property
    def addresses(self) -> dict[int, list[str]]:
        """The addresses of links, by block."""
        found: defaultdict[int, list[str]] = defaultdict(list)
        for block, address in self.columns.each_link():
            found[block].append(address)
        return found

    def outermost(self, paths: Collection[int]) -> list[int]:
        """Return for each block the outermost element on one of the paths, or -1."""
        if not paths:
            return [-1] * len(self.paths)
        tops: list[int] = []
        for element, (path, parent) in enumerate(zip(self.placed, self.columns.parents, strict=True)):
            above = tops[parent] if parent >= 0 else -1
            tops.append(above if above >= 0 else element if path in paths else -1)
        return [tops[element] for element in self.columns.elements]

    def parts(self, candidates: Collection[int]) -> dict[int, list[int]]:
        """Group blocks by the outermost element without further content.

        A block beside more content in its own element is a part by itself, under ``-1 - block``.
        """
        if not candidates:
            return {}
        columns, varying = self.columns, self.around(block for block in self.blocks if block not in candidates)
        parts: defaultdict[int, list[int]] = defaultdict(list)
        for block in sorted(candidates):
            element, top = columns.elements[block], -1 - block
            while element >= 0 and element not in varying:
                top, element = element, columns.parents[element]
            parts[top].append(block)
        return parts

    def _tags_of(self, block: int, most: int) -> list[str]:
        return [self._components[path].tag for path in islice(self._site.line(self.paths[block]), most)]

    def _is_in_data_cell(self, block: int) -> bool:
        """Return True in a data row: several short cells without nested elements."""
        cell = self._cell(block)
        element = self.columns.elements[block]
        if cell < 0 or cell not in (element, self.columns.parents[element]):
            return False
        row = self.columns.parents[cell]
        found = self._data_rows.get(row)
        if found is None:
            found = self._data_rows[row] = self._is_data_row(row, block)
        return found

    def _is_data_row(self, row: int, inside: int) -> bool:
        """Return True if the row around a block has several cells of few blocks."""
        first, end = inside, inside + 1
        while first > inside - MAX_ROW_BLOCKS and first and self.is_within(first - 1, row):
            first -= 1
        while end < min(inside + MAX_ROW_BLOCKS, len(self.keys)) and self.is_within(end, row):
            end += 1
        cells = {block: self._cell(block) for block in range(first, end)}
        own = [block for block, cell in cells.items() if cell >= 0 and self.columns.parents[cell] == row]
        in_cells = Counter(cells[block] for block in own)
        is_short = sum(self.lengths[block] for block in own) <= MAX_ROW
        return len(in_cells) > 1 and is_short and max(in_cells.values()) <= MAX_IN_CELL

    def _cell(self, block: int) -> int:
        """Return the innermost cell around a block within its table, or -1."""
        element, parents = self.columns.elements[block], self.columns.parents
        while element > 0:
            tag = self._components[self.placed[element]].tag
            if tag in ("td", "th"):
                return element
            if tag == "table":
                return -1
            element = parents[element]
        return -1


def is_within(columns: ReadPage, block: int, around: int) -> bool:
    element = columns.elements[block]
    while element > around:
        element = columns.parents[element]
    return element == around


def letters_of(text: str) -> int:
    """Return the length of a text, with three letters for a CJK character."""
    return len(_LETTERS.findall(text)) + 2 * len(_CJK.findall(text))


def word_count(text: str) -> float:
    return len(_WORDS.findall(text)) + len(_CJK.findall(text)) / 3
