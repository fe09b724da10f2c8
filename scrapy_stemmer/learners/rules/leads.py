"""Leads of articles: named texts between the title and the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.learners.rules.hints import GROUPS, hints_of_names

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MIN_LEAD = 40  # characters
MIN_FIRST = 100  # characters of the first kept paragraph
LEAST_LEAD = -1.5  # log-odds below which a lead stays dropped
LEVELS_OF_LEAD = 3  # elements around whose names tell a lead
_LEAD = 1 << GROUPS.index("subtitle")


def leads_in(
    columns: Columns | ReadPage, by_number: Sequence[Signature], title: int, is_text: Sequence[bool]
) -> list[int]:
    """Return the dropped leads between the title and the first kept paragraph."""
    lengths, linked = columns.lengths, columns.linked
    plain = [at for at in range(title + 1, len(lengths)) if 2 * linked[at] < lengths[at] and lengths[at] >= MIN_LEAD]
    first = next((at for at in plain if is_text[at] and lengths[at] >= MIN_FIRST), title)
    able = [at for at in plain if at < first and not is_text[at]]
    if not able:
        return []  # most pages
    elements, parents, signatures = columns.elements, columns.parents, columns.signatures

    def is_lead(element: int) -> bool:
        for _ in range(LEVELS_OF_LEAD):
            if element <= 0:
                return False
            if hints_of_names(by_number[signatures[element]]) & _LEAD:
                return True
            element = parents[element]
        return False

    return [at for at in able if is_lead(elements[at])]
