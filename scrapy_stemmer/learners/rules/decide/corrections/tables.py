"""Captions of kept tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.traits import CAPTION, CELL


def captions(view: View) -> Iterator[int]:
    """Yield the dropped captions of tables, and of figures with one, most of whose cells are kept."""
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
