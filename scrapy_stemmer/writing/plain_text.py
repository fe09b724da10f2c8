"""Plain text of the blocks of a page: lines of code, rows of tables, lists and quotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.elements import BLOCK_LEVEL, keeps_space
from scrapy_stemmer.page.text import SOFT_HYPHEN, collapse
from scrapy_stemmer.writing.formulas import formula_line
from scrapy_stemmer.writing.rewriting import cell_signs, twins_of_formulas

LISTS = frozenset("ul ol menu dir".split())

SHAPED = LISTS | frozenset("pre table tr td th li dd blockquote".split())
"""Elements in which a block is not just a line; ``math`` and elements whose style keeps white space belong here too."""

BETWEEN_CELLS = " | "
MAX_LIST_DEPTH = 12  # nested lists and quotes shown on a line
MAX_CELL = 300  # characters of a cell within a row; a longer cell is a column of a layout
MAX_SPAN = 50  # columns or rows of a cell

MAX_SPANNED, MAX_SPANNED_PER_CELL = 100, 10
"""Columns that spanning cells may leave empty in a table, in all and per cell.

A hostile page of cells that each span 50 rows and columns would give 45 times as much text.
"""

_SPAN = re.compile(r"[1-9]\d{0,3}")
TreePlace = tuple[etree._Element, bool]


class TextLines(NamedTuple):
    """Blocks of text in document order, which may not be just lines."""

    texts: Sequence[str]  # text of each block, with white space collapsed
    nodes: Sequence[int]  # number of each block's element, -1 for a finished line
    spaced: Sequence[bool]  # blocks with a style that keeps white space
    # Returns the pieces of a block by its number, which few blocks need. A piece is twice the number of a node in the
    # body, comments included, and 1 more for the tail of the node instead of its text.
    pieces: Callable[[int], Sequence[int]]


def all_around(nodes: Iterable[int], parents: Sequence[int]) -> set[int]:
    """Return elements and all their ancestors, by their numbers."""
    around: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in around:
            around.add(node)
            node = parents[node]
    return around


class TextElements(NamedTuple):
    """Elements of a page that text may stand in, by their numbers in document order."""

    parents: Sequence[int]  # the number of the parent of each element, -1 for the outermost
    tags: Sequence[str]  # names of elements
    named: Sequence[int]  # index of each element's name
    numbers: Sequence[int]  # number of each element in tree order, comments included
    signs: Callable[[int], str]  # returns the signs of a cell without blocks
    has_tasks: bool = True  # lists may have tasks
    body: etree._Element | None = None  # the outermost element, the root by default


def text_of_pieces(root: etree._Element, blocks: Iterable[tuple[str, Sequence[TreePlace]]]) -> str:
    """Return the text of blocks that are pieces of a tree; see :func:`plain_text`.

    :param blocks: the text of each block, with white space collapsed, and the places of its pieces.
    """
    elements = list(root.iter())
    numbers = {element: number for number, element in enumerate(elements)}
    parents, is_spaced = [-1] * len(elements), [False] * len(elements)
    for number, element in enumerate(elements):
        parent = element.getparent()
        above = parents[number] = numbers.get(parent, -1) if parent is not None else -1
        is_spaced[number] = keeps_space(element.get("style") or "") or (above >= 0 and is_spaced[above])
    texts, nodes, runs = [], [], []
    for text, pieces in blocks:
        texts.append(text.replace(SOFT_HYPHEN, ""))
        nodes.append(numbers[holder_of(pieces[0])])
        runs.append([2 * numbers[element] + is_tail for element, is_tail in pieces])
    held = all_around(nodes, parents)
    outline = TextElements(
        parents,
        [str(element.tag) for element in elements],
        range(len(elements)),
        range(len(elements)),
        lambda cell: "" if cell in held else cell_signs(elements[cell]) or "",
    )
    return plain_text(root, TextLines(texts, nodes, [is_spaced[node] for node in nodes], runs.__getitem__), outline)


def plain_text(root: etree._Element, lines: TextLines, outline: TextElements, *, has_units: bool = True) -> str:
    """Return the text of blocks, each on a new line.

    Code keeps its lines, without line numbers, and stands at the margin. The cells of a row stand on one line, parted
    by :data:`BETWEEN_CELLS`. List items begin with a hyphen or their number and are indented by depth; definitions are
    indented, and lines of quotes begin with ``>``. Formulas are written as text, readings of characters in brackets.

    :param lines: the blocks.
    :param outline: the elements around the blocks.
    :param has_units: whether the tree may have formulas or readings of characters.
    """
    of_page = Units(root) if has_units else None
    body = root if outline.body is None else outline.body
    return _written(body, lines, outline, of_page if of_page else None)


_written: Callable[[etree._Element, TextLines, TextElements, Units | None], str] = native("text.plain_text")


class Units:
    """Formulas and readings of characters in a tree, written with more than the characters."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root

    def __bool__(self) -> bool:
        return bool(self._unseen or self._units)

    @cached_property
    def _unseen(self) -> frozenset[etree._Element]:
        """Return the hidden or repeated elements of formulas, with all their descendants."""
        tops = twins_of_formulas(self._root, lambda _: True)
        notes = (each for each in self._root.iter("annotation", "annotation-xml") if each in self._units)
        unseen: set[etree._Element] = set()
        for top in (*tops, *notes):
            if top not in unseen:
                unseen.update(top.iter())
        return frozenset(unseen)

    @cached_property
    def _units(self) -> dict[etree._Element, etree._Element]:
        """Return the outermost formula, or reading of characters, around each element in one.

        What holds blocks is none, such as a formula without an end: all blocks would be written for each.
        """
        units: dict[etree._Element, etree._Element] = {}
        around = _all_around_blocks(self._root) if next(self._root.iter("math"), None) is not None else frozenset()
        for unit in chain(self._root.iter("math"), self._root.iter("rt")):
            if unit not in units and unit not in around:
                units.update((each, unit) for each in unit.iter() if each not in units)
        return units

    def text_of(self, places: Iterable[TreePlace], is_spaced: bool) -> str:
        """Return the text of a block, with each formula once.

        :param places: the places of the text.
        :param is_spaced: whether a style keeps white space.
        """
        text = ""
        seen = (piece for piece in places if holder_of(piece) not in self._unseen)
        for unit, pieces in groupby(seen, lambda piece: self._units.get(holder_of(piece))):
            if unit is not None and unit.tag == "math":
                text += formula_line(unit)
            else:
                told = "".join((element.tail if is_tail else element.text) or "" for element, is_tail in pieces)
                text += f"({told.strip()})" if unit is not None and told.strip() and is_bare(unit) else told
        text = text.replace(SOFT_HYPHEN, "")
        return text.strip("\n").rstrip() if is_spaced else collapse(text)


def _all_around_blocks(root: etree._Element) -> frozenset[etree._Element]:
    """Return the elements with a block-level element inside."""
    around: set[etree._Element] = set()
    for block in root.iter(*BLOCK_LEVEL):
        for outer in block.iterancestors():
            if outer in around:
                break
            around.add(outer)
    return frozenset(around)


def holds(whole: etree._Element, places: Callable[[], Iterable[TreePlace]]) -> Callable[[etree._Element], bool]:
    """Return a function that tells whether an element in code holds blocks, for rare calls.

    :param places: returns the places of the text of all blocks in the code.
    """
    holders: set[etree._Element] = set()

    def is_holder(element: etree._Element) -> bool:
        if not holders:
            holders.add(whole)
            for holder in map(holder_of, places()):
                while holder not in holders and (parent := holder.getparent()) is not None:
                    holders.add(holder)
                    holder = parent
        return element in holders

    return is_holder


def holder_of(piece: TreePlace) -> etree._Element:
    element, is_tail = piece
    parent = element.getparent() if is_tail else None
    return element if parent is None else parent


def is_bare(reading: etree._Element) -> bool:
    """Tell whether a reading of characters lacks the brackets for old browsers."""
    return all(each is None or each.tag != "rp" for each in (reading.getprevious(), reading.getparent()))


def spanned(table: etree._Element) -> Iterable[list[int]]:
    """Return the columns of each row of a table, see :func:`by_columns`; nothing for a table without spanning cells."""
    cells = [list(row.iterchildren("td", "th")) for row in table_rows(table)]
    spans = any(cell.get("rowspan") or cell.get("colspan") for row in cells for cell in row)
    return by_columns(cells) if spans else ()


def table_rows(table: etree._Element) -> list[etree._Element]:
    """Return the rows of a table, without rows of nested tables."""
    if next(table.iterdescendants("table"), None) is None:
        return list(table.iter("tr"))
    rows, walk = [], etree.iterwalk(table, events=("start",))
    for _, element in walk:
        if element.tag == "table" and element is not table:
            walk.skip_subtree()
        elif element.tag == "tr":
            rows.append(element)
    return rows


def by_columns(rows: Iterable[Sequence[etree._Element]]) -> Iterator[list[int]]:
    """Yield the number of the cell in each column of each row of a table; -1 for columns that a cell spans.

    Cells span nothing in a table that would be too sparse.

    :param rows: the cells of each row.
    """
    spans: Counter[int] = Counter()  # for each column how many rows a cell above spans
    left = MAX_SPANNED
    for cells in rows:
        line: list[int] = []
        for number, cell in enumerate(cells):
            _pass_over(spans, line)
            for column in range(_span_of(cell, "colspan")):
                spans[len(line)] = _span_of(cell, "rowspan") - 1
                line.append(-1 if column else number)
        _pass_over(spans, line)
        left += MAX_SPANNED_PER_CELL * len(cells)
        if line.count(-1) > left:
            spans.clear()
            line = list(range(len(cells)))
        left -= line.count(-1)
        yield line


def _pass_over(spans: Counter[int], line: list[int]) -> None:
    """Add the columns that cells above span to a line; both arguments are changed."""
    while spans[len(line)] > 0:
        spans[len(line)] -= 1
        line.append(-1)


def _span_of(cell: etree._Element, name: str) -> int:
    span = cell.get(name) or ""
    return min(int(span), MAX_SPAN) if _SPAN.fullmatch(span) else 1
