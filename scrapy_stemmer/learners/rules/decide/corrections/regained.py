"""Dropped blocks that are text: leads, captions of kept tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.hints import CAPTION, CELL, GROUPS, hints_of_names

MIN_LEAD = 40  # characters
MIN_FIRST = 100  # characters of the first kept paragraph
LEAST_LEAD = -1.5  # log-odds of a lead to be kept, at least
LEVELS_OF_LEAD = 3  # levels around, searched for names of leads
_LEAD = 1 << GROUPS.index("subtitle")


def leads(view: View) -> list[int]:
    """Return the dropped leads between the title of a single page and the first kept paragraph."""
    title, lengths, is_text = view.titles.naming_block, view.lengths, view.is_text
    if title is None or view.site.knowledge.pages > 1:
        return []
    behind = range(title + 1, len(lengths))
    plain = [at for at in behind if lengths[at] >= MIN_LEAD and 2 * view.linked[at] < lengths[at]]
    first = next((at for at in plain if is_text[at] and lengths[at] >= MIN_FIRST), title)
    able = [at for at in plain if at < first and not is_text[at] and view.is_scored(at)]
    odds = view.odds if able else []
    return [at for at in able if odds[at] >= LEAST_LEAD and _is_lead(view, view.elements[at])]


def _is_lead(view: View, element: int) -> bool:
    for _ in range(LEVELS_OF_LEAD):
        if element <= 0:
            return False
        if hints_of_names(view.signature(element)) & _LEAD:
            return True
        element = view.parents[element]
    return False


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
