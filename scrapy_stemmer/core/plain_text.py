"""Blocks of a page as plain text: code with its lines, rows of tables as lines, lists and quotes as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.code import code_of, is_code_table
from scrapy_stemmer.core.formulas import line_of
from scrapy_stemmer.core.rewriting import WHITE_SPACE, box_of, signs_of, twins_of_formulas
from scrapy_stemmer.core.text import collapse

SHAPED = frozenset("pre table tr td th li dd blockquote".split())
"""Elements in which a block is not just a line; with ``math``, and elements whose style keeps white space."""

MARKS = {"dd": "    ", "blockquote": "> "}
"""What lines in definitions and quotes begin with."""

BETWEEN_CELLS = " | "

MAX_CELL = 300
"""Characters of a cell that stands in a line with others: what has more is a column of a layout."""

MAX_DEPTH = 12
"""Lists and quotes in each other that are seen in a line."""

Piece = tuple[etree._Element, bool]


class TextBlock(NamedTuple):
    """A block of text that may not be just a line.

    :param text: with white space collapsed.
    :param first: where it begins.
    :param pieces: gives all the places where it stands, which few blocks are asked for.
    """

    text: str
    first: Piece
    pieces: Callable[[], Iterable[Piece]]


def plain_text(root: etree._Element, blocks: Iterable[TextBlock | str], *, has_formulas: bool = True) -> str:
    """The text of blocks, each on a line of its own.

    But code keeps its lines, without numbers of theirs; the cells of a row stand on one line, parted by
    :data:`BETWEEN_CELLS`; items of lists begin with a hyphen or their number and are indented as they are nested;
    definitions are indented; lines of quotes begin with ``>``. Code always stands at the margin.

    :param blocks: those that are lines for certain are their text.
    :param has_formulas: whether there may be any in the tree.
    """
    layout = _Layout(root, has_formulas=has_formulas)
    for block in blocks:
        if isinstance(block, str):
            layout.flush()
            layout.lines.append(block)
        else:
            layout.add(block)
    layout.flush()
    return "\n".join(layout.lines)


_Line = tuple[TextBlock, etree._Element | None, str]
"""A block of a row or of code, with its cell and its line."""


class _Shape(NamedTuple):
    """What the elements around text make of it.

    :param whole: the outermost of them that may be code, else the innermost row of a table.
    :param cell: of that row.
    :param items: of lists, the outermost first.
    :param firsts: what the first line in the innermost of them begins with, a part for each list, quote and definition.
    :param others: what all other lines begin with.
    :param is_styled: whether a style keeps white space.
    """

    whole: etree._Element | None = None
    cell: etree._Element | None = None
    items: tuple[etree._Element, ...] = ()
    firsts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_styled: bool = False


class _Layout:
    """Lines of text, as blocks are added.

    :ivar lines: those that are done.
    :ivar _group: those of the row, or of the code, that is being read.
    """

    def __init__(self, root: etree._Element, *, has_formulas: bool) -> None:
        self.lines: list[str] = []
        self._root = root
        if not has_formulas:
            self._unseen, self._formulas = frozenset(), {}
        self._shapes: dict[etree._Element | None, _Shape] = {None: _Shape()}
        self._begun: set[etree._Element] = set()
        self._whole: etree._Element | None = None
        self._group: list[_Line] = []
        self._numbers: dict[etree._Element, dict[etree._Element, int]] = {}

    def add(self, block: TextBlock) -> None:
        """Add a block."""
        shape = self._shape(_holder(block.first))
        if shape.whole is not self._whole:
            self.flush()
        if shape.is_styled or self._unseen or self._formulas:
            block = block._replace(text=self._text_of(block, shape))
            if not block.text:
                return
        line = self._prefix(shape) + block.text if shape.others else block.text
        if shape.whole is None:
            self.lines.append(line)
        else:
            self._whole = shape.whole
            self._group.append((block, shape.cell, line))

    def flush(self) -> None:
        """Write the lines of the row, or of the code, of which the last blocks were."""
        whole, group = self._whole, self._group
        if whole is None:
            return
        self._whole, self._group = None, []
        code = None if whole.tag == "tr" else code_of(whole, _holds(whole, group))
        if code is not None:
            self.lines += filter(None, [code.text.replace("\r\n", "\n").strip("\n").rstrip()])
        elif whole.tag == "tr" and (row := _row_of(whole, group)):
            self.lines.append(row)
        else:
            self.lines += [line for *_, line in group]

    def _shape(self, element: etree._Element) -> _Shape:
        """What an element and those around it make of text."""
        new: list[etree._Element] = []
        each: etree._Element | None = element
        while each is not None and each not in self._shapes:
            new.append(each)
            each = each.getparent()
        found = self._shapes[each]
        while new:
            one = new.pop()
            if one.tag in SHAPED:
                found = self._within(one, found)
            if (style := one.get("style")) and WHITE_SPACE.search(style):
                found = found._replace(is_styled=True)
            self._shapes[one] = found
        return found

    def _within(self, element: etree._Element, above: _Shape) -> _Shape:
        tag, (whole, cell, items, firsts, others, is_styled) = element.tag, above
        if tag == "li":
            mark = self._mark(element)
            firsts = (*others, mark + box_of(element)[1])[-MAX_DEPTH:]  # of several that begin, the innermost is marked
            others = (*others, " " * len(mark))[-MAX_DEPTH:]
            return _Shape(whole, cell, (*items, element)[-MAX_DEPTH:], firsts, others, is_styled)
        if tag in MARKS:
            parent, mark = element.getparent(), MARKS[tag]
            if tag == "dd" and parent is not None and parent.tag == "dd":
                return above  # libxml2 puts a definition without an end tag around the next one
            return _Shape(whole, cell, items, (*firsts, mark)[-MAX_DEPTH:], (*others, mark)[-MAX_DEPTH:], is_styled)
        if whole is not None and whole.tag != "tr":
            return above
        if tag == "tr":
            return _Shape(element, None, items, firsts, others, is_styled)
        if tag in ("td", "th"):
            return _Shape(whole, element, items, firsts, others, is_styled)
        is_code = tag == "pre" or is_code_table(element)
        return _Shape(element, cell, items, firsts, others, is_styled) if is_code else above

    def _prefix(self, shape: _Shape) -> str:
        """What a line begins with by the lists, quotes and definitions that it stands in."""
        if not shape.items or shape.items[-1] in self._begun:
            return "".join(shape.others)
        self._begun.update(shape.items)
        return "".join(shape.firsts)

    def _mark(self, item: etree._Element) -> str:
        """What the first line in an item begins with."""
        parent = item.getparent()
        if parent is None or parent.tag != "ol":
            return "- "
        if parent not in self._numbers:
            self._numbers[parent] = dict(numbered(parent))
        return f"{self._numbers[parent][item]}. "

    @cached_property
    def _unseen(self) -> frozenset[etree._Element]:
        """Elements of formulas that nobody sees, or sees twice, with all that is in them."""
        tops = twins_of_formulas(self._root, lambda _: True)
        notes = (note for math in self._root.iter("math") for note in math.iter("annotation", "annotation-xml"))
        return frozenset(each for top in (*tops, *notes) for each in top.iter())

    @cached_property
    def _formulas(self) -> dict[etree._Element, etree._Element]:
        """For each element in a formula the formula."""
        return {each: math for math in self._root.iter("math") for each in math.iter()}

    def _text_of(self, block: TextBlock, shape: _Shape) -> str:
        """The text of a block with its formulas on a line, each once; with its white space where a style keeps that."""
        parts: list[str] = []
        last: etree._Element | None = None
        for piece in block.pieces():
            holder, (element, is_tail) = _holder(piece), piece
            formula = self._formulas.get(holder)
            if holder not in self._unseen and (formula is None or formula is not last):
                told = (element.tail if is_tail else element.text) if formula is None else line_of(formula)
                parts.append(told or "")
            last = formula
        text = "".join(parts)
        return text.strip("\n").rstrip() if shape.is_styled else collapse(text)


def _holds(whole: etree._Element, group: Iterable[_Line]) -> Callable[[etree._Element], bool]:
    """Tells whether an element in code holds blocks, which few pieces of code are asked."""
    found: set[etree._Element] = set()

    def holds(element: etree._Element) -> bool:
        if not found:
            found.add(whole)
            for each in (_holder(piece) for block, *_ in group for piece in block.pieces()):
                while each not in found and (parent := each.getparent()) is not None:
                    found.add(each)
                    each = parent
        return element in found

    return holds


def _row_of(row: etree._Element, group: Sequence[_Line]) -> str:
    """The cells of a row on a line; "" where they don't go there."""
    cells = dict.fromkeys(row.iterchildren("td", "th"), "")
    for block, cell, line in group:
        if cell not in cells or cell is None or "\n" in line:
            return ""
        cells[cell] = f"{cells[cell]} {block.text}" if cells[cell] else block.text
    texts = [text or signs_of(cell) or "" for cell, text in cells.items()]
    if len(texts) - texts.count("") < 2 or max(map(len, texts)) > MAX_CELL:
        return ""
    while not texts[-1]:
        texts.pop()
    first, _, line = group[0]
    return line.removesuffix(first.text) + BETWEEN_CELLS.join(texts)


def _holder(piece: Piece) -> etree._Element:
    element, is_tail = piece
    parent = element.getparent() if is_tail else None
    return element if parent is None else parent


def numbered(items: etree._Element) -> Iterator[tuple[etree._Element, int]]:
    """The items of an ordered list, each with its number."""
    found = list(items.iterchildren("li"))
    step = -1 if items.get("reversed") is not None else 1
    number = _number(items.get("start"), len(found) if step < 0 else 1)
    for item in found:
        number = _number(item.get("value"), number)
        yield item, number
        number += step


def _number(value: str | None, default: int) -> int:
    return int(value) if value and re.fullmatch(r"-?\d{1,9}", value.strip()) else default
