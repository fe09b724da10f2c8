"""Captions of kept tables; menus, banners and owners' notices in cells of layout tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from scrapy_stemmer.learners.rules.corrections.view import View
from scrapy_stemmer.learners.rules.traits import CAPTION, CELL, TABLE_CAPTION

MIN_MAIN_CELL = 400  # characters of the main cell outside links
MIN_MAIN_BLOCKS = 3  # and its blocks
MAX_ROWS, MAX_CELLS = 6, 12  # greatest rows and cells of a layout table
MAX_OTHER_CELL = 0.25  # length of any cell beside it, as a share
MIN_TEXT = 60  # characters of a longest text that is more than a list of a few words
_OWNERS = re.compile(r"\u00a9|copyright|all rights reserved", re.IGNORECASE)


def captions(view: View) -> Iterator[int]:
    """Yield the dropped captions of tables and figures with mostly kept cells."""
    if not (view.has(CAPTION) and view.has(CELL)):
        return
    is_cell = [view.tag(at) in ("td", "th") for at in range(len(view.lengths))]
    cells, kept = [*accumulate(is_cell, initial=0)], [*accumulate(map(min, is_cell, view.is_text), initial=0)]
    tables, figures = view.nearest("table"), view.nearest("figure")
    for caption in view.marked(CAPTION):
        holder = (tables if view.signature(caption).tag == "caption" else figures)[caption]
        blocks = view.within(holder) if holder >= 0 else range(0)
        if 2 * (kept[blocks.stop] - kept[blocks.start]) > cells[blocks.stop] - cells[blocks.start]:
            yield from view.within(caption)


def cells_beside(view: View) -> Iterator[int]:
    """Yield the scored blocks in cells beside the main cell of a layout table."""
    for cells in _layout_tables(view) if view.has(CELL) else ():
        main = max(cells, key=view.size)
        for cell in cells:
            # Cells so small add up to no more than the page, even nested cells.
            is_small = view.size(cell) <= MAX_OTHER_CELL * view.size(main)
            if cell != main and is_small and _is_beside_content(view, cell):
                yield from filter(view.is_scored, cell)


def _layout_tables(view: View) -> Iterator[list[range]]:
    tables, rows = view.nearest("table"), view.nearest("tr")
    by_table: defaultdict[int, list[int]] = defaultdict(list)
    of_data: set[int] = set()
    for element in view.marked(CELL | TABLE_CAPTION):
        if view.signature(element).tag != "td":
            of_data.add(tables[element])
        elif view.within(element):
            by_table[tables[element]].append(element)
    for table, elements in by_table.items():
        is_able = table >= 0 and table not in of_data and 2 <= len(elements) <= MAX_CELLS
        if not is_able or len({rows[each] for each in elements}) > MAX_ROWS:
            continue
        cells = [view.within(each) for each in elements]
        main = max(cells, key=view.size)
        is_main = len(main) >= MIN_MAIN_BLOCKS and view.size(main) - view.linked_size(main) >= MIN_MAIN_CELL
        if is_main and 2 * view.size(main) >= sum(map(view.size, cells)):
            yield cells


def _is_beside_content(view: View, blocks: range) -> bool:
    """Return True if a cell is a menu, a banner, a list of a few words or an owner's notice, and no title."""
    texts, titles = view.texts[blocks.start : blocks.stop], view.titles.in_head()
    if not any(view.is_text[at] for at in blocks) or any(text.lower() in titles for text in texts):
        return False
    is_short = max([view.lengths[at] for at in blocks]) < MIN_TEXT
    return is_short or 2 * view.linked_size(blocks) > view.size(blocks) or any(map(_OWNERS.search, texts))
