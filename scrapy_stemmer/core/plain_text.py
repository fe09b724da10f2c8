"""Blocks of a page as plain text: code with its lines, rows of tables as lines, lists and quotes as such."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, groupby
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer._native import native
from scrapy_stemmer.core.elements import keeps_space
from scrapy_stemmer.core.formulas import formula_line
from scrapy_stemmer.core.rewriting import cell_signs, twins_of_formulas
from scrapy_stemmer.core.text import SOFT_HYPHEN, collapse

LISTS = frozenset("ul ol menu dir".split())

SHAPED = LISTS | frozenset("pre table tr td th li dd blockquote".split())
"""Elements in which a block is not just a line; with ``math``, and elements whose style keeps white space."""

BETWEEN_CELLS = " | "
MAX_DEPTH = 12  # lists and quotes in each other that are seen in a line
MAX_CELL = 300  # characters of a cell that stands in a line with others: what has more is a column of a layout
MAX_SPAN = 50  # columns or rows that a cell spans

MAX_SPANNED, MAX_SPANNED_PER_CELL = 100, 10
"""Empty columns that the cells of a table leave by spanning others, in all and for each cell: of a page in which each
cell spans 50 rows and columns the text would be 45 times as long."""

_SPAN = re.compile(r"[1-9]\d{0,3}")
Piece = tuple[etree._Element, bool]


class TextBlock(NamedTuple):
    """A block of text that may not be just a line."""

    text: str  # with white space collapsed
    node: int  # the number of the element that it stands in
    pieces: Callable[[], Iterable[Piece]]  # gives all the places where it stands, which few blocks are asked for
    is_spaced: bool = False  # whether a style keeps its white space


def all_around(nodes: Iterable[int], parents: Sequence[int]) -> set[int]:
    """Some elements and all those around them, by their numbers.

    :param parents: for each element the number of the one around it, -1 for the outermost.
    """
    around: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in around:
            around.add(node)
            node = parents[node]
    return around


class TextElements(NamedTuple):
    """The elements of a page that text may stand in, by their numbers in document order."""

    parents: Sequence[int]  # for each the number of the one around it, -1 for the outermost
    tags: Sequence[str]  # for each its name
    # gives some of them by their numbers. To find one takes as long as to find all.
    elements: Callable[[Collection[int]], Mapping[int, etree._Element]]
    signs: Callable[[int], str]  # gives the signs that a cell has where none of the blocks is in it
    has_tasks: bool = True  # whether there may be any in a list
    # The element around them all, that of the tree without one, and for each its number in the tree of that.
    body: etree._Element | None = None
    numbers: Sequence[int] = ()


def text_of_pieces(root: etree._Element, blocks: Iterable[tuple[str, Sequence[Piece]]]) -> str:
    """The text of blocks that are pieces of a tree; see :func:`plain_text`.

    :param blocks: of each its text, with white space collapsed, and where it stands.
    """
    elements = list(root.iter())
    numbers = {element: number for number, element in enumerate(elements)}
    parents, is_spaced = [-1] * len(elements), [False] * len(elements)
    for number, element in enumerate(elements):
        parent = element.getparent()
        above = parents[number] = numbers.get(parent, -1) if parent is not None else -1
        is_spaced[number] = keeps_space(element.get("style") or "") or (above >= 0 and is_spaced[above])
    placed = []
    for text, pieces in blocks:
        node = numbers[holder_of(pieces[0])]
        placed.append(TextBlock(text.replace(SOFT_HYPHEN, ""), node, partial(iter, pieces), is_spaced[node]))
    held = all_around((block.node for block in placed), parents)
    outline = TextElements(
        parents,
        [str(element.tag) for element in elements],
        lambda asked: {number: elements[number] for number in asked},
        lambda cell: "" if cell in held else cell_signs(elements[cell]) or "",
        body=root,
        numbers=range(len(elements)),
    )
    return plain_text(root, placed, outline)


def plain_text(
    root: etree._Element, blocks: Sequence[TextBlock | str], outline: TextElements, *, has_units: bool = True
) -> str:
    """The text of blocks, each on a line of its own.

    But code keeps its lines, without numbers of theirs; the cells of a row stand on one line, parted by
    :data:`BETWEEN_CELLS`; items of lists begin with a hyphen or their number and are indented as they are nested;
    definitions are indented; lines of quotes begin with ``>``. Code always stands at the margin. Formulas are written
    as text, readings of characters in brackets.

    :param blocks: those that are lines for certain are their text.
    :param outline: the elements that they stand in.
    :param has_units: whether there may be formulas or readings of characters in the tree.
    """
    of_page = Units(root) if has_units else None
    body = root if outline.body is None else outline.body
    return _written(body, blocks, outline, of_page if of_page else None)


_written: Callable[[etree._Element, Sequence[TextBlock | str], TextElements, Units | None], str] = native(
    "text.plain_text"
)


class Units:
    """Formulas and readings of characters in a tree, of which the text is not all that stands there."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root

    def __bool__(self) -> bool:
        return bool(self._unseen or self._units)

    @cached_property
    def _unseen(self) -> frozenset[etree._Element]:
        """Elements of formulas that nobody sees, or sees twice, with all that is in them."""
        tops = twins_of_formulas(self._root, lambda _: True)
        notes = (each for each in self._root.iter("annotation", "annotation-xml") if each in self._units)
        unseen: set[etree._Element] = set()
        for top in (*tops, *notes):
            if top not in unseen:
                unseen.update(top.iter())
        return frozenset(unseen)

    @cached_property
    def _units(self) -> dict[etree._Element, etree._Element]:
        """For each element in a formula, or a reading of characters, that; of formulas in each other the outermost."""
        units: dict[etree._Element, etree._Element] = {}
        for unit in chain(self._root.iter("math"), self._root.iter("rt")):
            if unit not in units:
                units.update((each, unit) for each in unit.iter() if each not in units)
        return units

    def text_of(self, block: TextBlock) -> str:
        """The text of a block, each formula and the like once; with its white space where a style keeps that."""
        text = ""
        seen = (piece for piece in block.pieces() if holder_of(piece) not in self._unseen)
        for unit, pieces in groupby(seen, lambda piece: self._units.get(holder_of(piece))):
            if unit is not None and unit.tag == "math":
                text += formula_line(unit)
            else:
                told = "".join((element.tail if is_tail else element.text) or "" for element, is_tail in pieces)
                text += f"({told.strip()})" if unit is not None and told.strip() and is_bare(unit) else told
        text = text.replace(SOFT_HYPHEN, "")
        return text.strip("\n").rstrip() if block.is_spaced else collapse(text)


def holds(whole: etree._Element, group: Iterable[tuple[TextBlock, int, str]]) -> Callable[[etree._Element], bool]:
    """Tells whether an element in code holds blocks, which few pieces of code are asked."""
    holders: set[etree._Element] = set()

    def is_holder(element: etree._Element) -> bool:
        if not holders:
            holders.add(whole)
            for holder in (holder_of(piece) for block, *_ in group for piece in block.pieces()):
                while holder not in holders and (parent := holder.getparent()) is not None:
                    holders.add(holder)
                    holder = parent
        return element in holders

    return is_holder


def holder_of(piece: Piece) -> etree._Element:
    """The element that a piece of text stands in."""
    element, is_tail = piece
    parent = element.getparent() if is_tail else None
    return element if parent is None else parent


def is_bare(reading: etree._Element) -> bool:
    """Whether a reading of characters has no brackets, as browsers show that know no such readings."""
    return all(each is None or each.tag != "rp" for each in (reading.getprevious(), reading.getparent()))


def spanned(table: etree._Element) -> Iterable[list[int]]:
    """Return the columns of each row of a table, see :func:`by_columns`; nothing where no cell spans others."""
    cells = [list(row.iterchildren("td", "th")) for row in table_rows(table)]
    spans = any(cell.get("rowspan") or cell.get("colspan") for row in cells for cell in row)
    return by_columns(cells) if spans else ()


def table_rows(table: etree._Element) -> list[etree._Element]:
    """The rows of a table, without those of others in it."""
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
    """For each row of a table the numbers of its cells, a column each; -1 for columns that a cell of it, or of a row
    above, spans. Where there are too many of these cells span nothing.

    :param rows: the cells of each.
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
    """Add the columns to a line that cells above span; both are changed."""
    while spans[len(line)] > 0:
        spans[len(line)] -= 1
        line.append(-1)


def _span_of(cell: etree._Element, name: str) -> int:
    span = cell.get(name) or ""
    return min(int(span), MAX_SPAN) if _SPAN.fullmatch(span) else 1
