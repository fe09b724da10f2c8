"""Blocks of a page as plain text: code with its lines, rows of tables as lines, lists and quotes with marks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, groupby
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.page.blocks import TreePlace
from scrapy_stemmer.page.elements import BLOCK_LEVEL
from scrapy_stemmer.page.text import SOFT_HYPHEN, collapse
from scrapy_stemmer.writing.code import code_of, is_code_table
from scrapy_stemmer.writing.formulas import formula_line
from scrapy_stemmer.writing.plain_text import TextElements, TextLines, all_around
from scrapy_stemmer.writing.rewriting import box_of, twins_of_formulas

LISTS = frozenset("ul ol menu dir".split())

SHAPED = LISTS | frozenset("pre table tr td th li dd blockquote".split())
"""Elements in which a block is not just a line; with ``math``, and elements whose style keeps white space."""

LOOKED_AT = frozenset({"pre", "table", "ol"})
"""Names of elements that are looked at; in lists with tasks the items too."""

MARKS = {"dd": "    ", "blockquote": "> "}  # start of lines in definitions and quotes
BETWEEN_CELLS = " | "
MAX_DEPTH = 12  # depth of lists and quotes shown in a line
MAX_TEXT_CELL = 300  # characters of a cell that shares a line; a longer cell is a column of a layout
MAX_SPAN = 50  # columns or rows spanned by a cell

MAX_SPANNED, MAX_SPANNED_PER_CELL = 100, 10
"""Empty columns due to spanning cells, in all and for each cell. A page in which each cell spans 50 rows and columns
would otherwise have 45 times as much text."""

_SPAN = re.compile(r"[1-9]\d{0,3}")
_INTEGER = re.compile(r"[ \t\n\f\r]*([+-]?[0-9]{1,9})(?![0-9])")


class TextBlock(NamedTuple):
    """Block of text that may not be just a line."""

    text: str  # with white space collapsed
    node: int  # the number of the element around
    pieces: Callable[[], Iterable[TreePlace]]  # returns all places of the text
    is_spaced: bool = False  # a style keeps white space


def plain_text_in_python(
    root: etree._Element,
    lines: TextLines,
    outline: TextElements,
    *,
    has_units: bool = True,
    parted: Sequence[etree._Element] = (),
) -> str | None:
    """Return the text of blocks, each on its own line.

    But code keeps its lines, without numbers of theirs; the cells of a row stand on one line, parted by
    :data:`BETWEEN_CELLS`; items of lists begin with a hyphen or their number and are indented as they are nested;
    definitions are indented; lines of quotes begin with ``>``. Code always stands at the margin. Formulas are written
    as text, readings of characters in brackets.

    :param lines: the blocks.
    :param outline: the elements that they stand in.
    :param has_units: whether there may be formulas or readings of characters in the tree.
    :param parted: elements with a space behind that the tree lacks; then nothing is written.
    """
    if parted:
        return None
    nodes = list((root if outline.body is None else outline.body).iter())
    layout = _Layout(root, nodes, outline, [node for node in lines.nodes if node >= 0], has_units)

    def places_of(number: int) -> list[TreePlace]:
        return [(nodes[piece >> 1], bool(piece & 1)) for piece in lines.pieces(number) if piece >> 1 < len(nodes)]

    for number, (text, node, is_spaced) in enumerate(zip(lines.texts, lines.nodes, lines.spaced, strict=True)):
        if node < 0:
            layout.flush()
            layout.lines.append(text)
        else:
            layout.add(TextBlock(text, node, partial(places_of, number), is_spaced))
    layout.flush()
    return "\n".join(layout.lines)


_Line = tuple[TextBlock, int, str]
"""A block of a row or of code, with its cell and its line."""


_Shape = tuple[int, int, tuple[int, ...], tuple[str, ...], tuple[str, ...]]
"""Layout of text by the elements around: the outermost element that may be code, else the innermost row of a table, -1
without any; the cell of that row; the items of lists, the outermost first; the start of the first line in the innermost
item, a part for each list, quote and definition; and the start of all further lines. A plain tuple, as pages of tables
have thousands."""

_NO_SHAPE: _Shape = (-1, -1, (), (), ())


class _Layout:
    """Lines of text, extended block by block.

    :param nodes: the numbers of the blocks' elements.
    :ivar lines: finished lines.
    :ivar _group: lines of the current row or code.
    :ivar _start: the start of that row's line.
    :ivar _columns: results of :func:`by_columns` for each row of a table with spanning cells.
    :ivar _tables: tables with a written row.
    """

    def __init__(
        self,
        root: etree._Element,
        tree: Sequence[etree._Element],
        outline: TextElements,
        nodes: Iterable[int],
        has_units: bool,
    ) -> None:
        self.lines: list[str] = []
        self._root, self._outline = root, outline
        self._tags = [outline.tags[number] for number in outline.named]
        if not has_units:
            self._unseen, self._units = frozenset(), {}
        self._columns: dict[int, Sequence[int]] = {}
        self._tables: set[int] = set()
        self._begun: set[int] = set()
        self._whole = -1
        self._start = ""
        self._group: list[_Line] = []
        around = sorted(all_around(nodes, outline.parents))  # the outermost first
        asked = LOOKED_AT | {"li"} if outline.has_tasks else LOOKED_AT
        self._elements = {
            node: tree[outline.numbers[node]] if outline.numbers[node] < len(tree) else etree.Element("span")
            for node in around
            if self._tags[node] in asked
        }
        self._marks: dict[int, str] = {}
        self._shapes = {-1: _NO_SHAPE}
        tags, parents, shapes = self._tags, outline.parents, self._shapes
        for node in around:
            above = shapes[parents[node]]
            shapes[node] = self._within(node, above) if tags[node] in SHAPED else above

    def add(self, block: TextBlock) -> None:
        """Add a block."""
        shape = whole, cell, items, *_ = self._shapes[block.node]
        if whole != self._whole:
            self.flush()
        if block.is_spaced or self._unseen or self._units:
            block = block._replace(text=self._text_of(block))
            if not block.text:
                return
        if whole != self._whole and whole >= 0:
            self._start = self._start_of(self._shapes[whole])
        line = self._start_of(shape) + block.text
        self._begun.update(items)
        if whole < 0:
            self.lines.append(line)
        else:
            self._whole = whole
            self._group.append((block, cell, line))

    def _start_of(self, shape: _Shape) -> str:
        _, _, items, firsts, others = shape
        return "".join(firsts if items and items[-1] not in self._begun else others) if others else ""

    def flush(self) -> None:
        """Write the lines of the current row or code."""
        whole, group = self._whole, self._group
        if whole < 0:
            return
        self._whole, self._group = -1, []
        if self._tags[whole] == "tr":
            row = self._row_of(whole, group)
            self.lines += [row] if row else [line for *_, line in group]
            return
        element = self._elements[whole]
        code = code_of(element, holds(element, group))
        if code is None:
            self.lines += [line for *_, line in group]
        else:
            self.lines += filter(None, [code.text.replace("\r\n", "\n").strip("\n").rstrip()])

    def _within(self, node: int, above: _Shape) -> _Shape:
        tag, (whole, cell, items, firsts, others) = self._tags[node], above
        if tag == "li":
            mark = self._mark(node)
            box = box_of(self._elements[node])[1] if self._outline.has_tasks else ""
            firsts = (*others, mark + box)[-MAX_DEPTH:]  # of several new items, the innermost is marked
            return whole, cell, (*items, node)[-MAX_DEPTH:], firsts, (*others, " " * len(mark))[-MAX_DEPTH:]
        if tag in LISTS:
            around = self._tags[self._outline.parents[node]]
            if around not in LISTS:
                return above
            mark = "   " if around == "ol" else "  "  # laid out like an item
            return whole, cell, items, (*firsts, mark)[-MAX_DEPTH:], (*others, mark)[-MAX_DEPTH:]
        if tag in MARKS:
            mark, parent = MARKS[tag], self._outline.parents[node]
            if tag == "dd" and parent >= 0 and self._tags[parent] == "dd":
                return above  # libxml2 puts a definition without an end tag around the next one
            return whole, cell, items, (*firsts, mark)[-MAX_DEPTH:], (*others, mark)[-MAX_DEPTH:]
        if whole >= 0 and self._tags[whole] != "tr":
            return above
        if tag == "tr":
            return node, -1, items, firsts, others
        if tag in ("td", "th"):
            return whole, node, items, firsts, others
        is_code = tag == "pre" or is_code_table(self._elements[node])
        return (node, cell, items, firsts, others) if is_code else above

    def _mark(self, item: int) -> str:
        parent = self._outline.parents[item]
        if parent < 0 or self._tags[parent] != "ol":
            return "- "
        if item not in self._marks:
            numbers = [f"{number}. " for _, number in numbered(self._elements[parent])]
            self._marks |= zip(self._items[parent], numbers, strict=False)  # the tree may have lost some since
        return self._marks.get(item, "- ")

    @cached_property
    def _items(self) -> Mapping[int, Sequence[int]]:
        return self._by_parents("li")

    @cached_property
    def _cells(self) -> Mapping[int, Sequence[int]]:
        return self._by_parents("td", "th")

    def _by_parents(self, *wanted: str) -> Mapping[int, Sequence[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for node, (parent, tag) in enumerate(zip(self._outline.parents, self._tags, strict=True)):
            if tag in wanted:
                found[parent].append(node)
        return found

    def _row_of(self, row: int, group: Sequence[_Line]) -> str:
        """The cells of a row on a line; "" where they don't go there."""
        cells = dict.fromkeys(self._cells[row], "")
        for block, cell, line in group:
            if cell not in cells or "\n" in line:
                return ""
            cells[cell] = f"{cells[cell]} {block.text}" if cells[cell] else block.text
        texts = [text or self._outline.signs(cell) for cell, text in cells.items()]
        table = self._table_of(row)
        is_alone = len(texts) - texts.count("") < 2  # marked by its column where further rows have several cells
        if (is_alone and (texts[0] or len(group) > 1 or table not in self._tables)) or max(
            map(len, texts)
        ) > MAX_TEXT_CELL:
            return ""
        if table not in self._tables:
            self._tables.add(table)
            self._columns |= self._columns_of(table)
        texts = [texts[cell] if cell >= 0 else "" for cell in self._columns.get(row, range(len(texts)))]
        while not texts[-1]:
            texts.pop()
        return self._start + BETWEEN_CELLS.join(texts)

    def _table_of(self, row: int) -> int:
        """Return the table of a row, or -1."""
        while row >= 0 and self._tags[row] != "table":
            row = self._outline.parents[row]
        return row

    @cached_property
    def _rows(self) -> Mapping[int, Sequence[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for node, tag in enumerate(self._tags):
            if tag == "tr":
                found[self._table_of(node)].append(node)
        return found

    def _columns_of(self, table: int) -> Mapping[int, Sequence[int]]:
        element = self._elements.get(table)
        # The tree may have lost some since.
        found = zip(self._rows[table], () if element is None else spanned(element), strict=False)
        return {row: columns for row, columns in found if max(columns, default=-1) < len(self._cells[row])}

    @cached_property
    def _unseen(self) -> frozenset[etree._Element]:
        tops = twins_of_formulas(self._root, lambda _: True)
        notes = (each for each in self._root.iter("annotation", "annotation-xml") if each in self._units)
        unseen: set[etree._Element] = set()
        for top in (*tops, *notes):
            if top not in unseen:
                unseen.update(top.iter())
        return frozenset(unseen)

    @cached_property
    def _units(self) -> dict[etree._Element, etree._Element]:
        units: dict[etree._Element, etree._Element] = {}
        blocks = self._root.iter(*BLOCK_LEVEL)
        around = {outer for block in blocks for outer in block.iterancestors()}
        for unit in chain(self._root.iter("math"), self._root.iter("rt")):
            if unit not in units and unit not in around:
                units.update((each, unit) for each in unit.iter() if each not in units)
        return units

    def _text_of(self, block: TextBlock) -> str:
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


def holds(whole: etree._Element, group: Iterable[_Line]) -> Callable[[etree._Element], bool]:
    """Return True for elements with blocks in code, asked for few pieces of code."""
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


def holder_of(piece: TreePlace) -> etree._Element:
    """Return the element of a piece of text."""
    element, is_tail = piece
    parent = element.getparent() if is_tail else None
    return element if parent is None else parent


def is_bare(reading: etree._Element) -> bool:
    """Return True for a reading of characters without brackets, as shown by browsers that know no readings."""
    return all(each is None or each.tag != "rp" for each in (reading.getprevious(), reading.getparent()))


def spanned(table: etree._Element) -> Iterable[list[int]]:
    """Return the columns of each row of a table, see :func:`by_columns`; nothing without spanning cells."""
    cells = [list(row.iterchildren("td", "th")) for row in table_rows(table)]
    spans = any(cell.get("rowspan") or cell.get("colspan") for row in cells for cell in row)
    return by_columns(cells) if spans else ()


def table_rows(table: etree._Element) -> list[etree._Element]:
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
    """Return for each row of a table the numbers of its cells, a column each; -1 for spanned columns. With too many
    spanned columns, cells span nothing.

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
    """Add the columns spanned by cells above to a line; both arguments are changed."""
    while spans[len(line)] > 0:
        spans[len(line)] -= 1
        line.append(-1)


def _span_of(cell: etree._Element, name: str) -> int:
    span = cell.get(name) or ""
    return min(int(span), MAX_SPAN) if _SPAN.fullmatch(span) else 1


def numbered(items: etree._Element) -> Iterator[tuple[etree._Element, int]]:
    """Return the items of an ordered list with their numbers."""
    found = list(items.iterchildren("li"))
    step = -1 if items.get("reversed") is not None else 1
    number = _number(items.get("start"), len(found) if step < 0 else 1)
    for item in found:
        number = _number(item.get("value"), number)
        yield item, number
        number += step


def _number(value: str | None, default: int) -> int:
    number = _INTEGER.match(value or "")
    return int(number[1]) if number else default
