"""Rows and columns of tables in plain text, and limits of its lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from lxml import etree

BETWEEN_CELLS = " | "
BACK = "\u21a9\ufe0e\ufe0f "  # arrow of a link back, with variation selectors
MAX_LIST_DEPTH = 12  # nested lists and quotes shown on a line
MAX_TEXT_CELL = 300  # characters of a cell within a row; a longer cell is a column of a layout
MAX_SPAN = 50  # columns or rows of a cell

MAX_SPANNED, MAX_SPANNED_PER_CELL = 100, 10
"""Columns that spanning cells may leave empty in a table, in all and per cell.

A hostile page of cells that each span 50 rows and columns would give 45 times as much text.
"""

_SPAN = re.compile(r"[1-9]\d{0,3}")


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
    spans: Counter[int] = Counter()  # by column, rows still spanned by a cell above
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
