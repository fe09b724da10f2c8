"""Output of some blocks of a page: text with signs and shapes, and layout blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import category

from scrapy_stemmer.learners.rules.site.columns import Signs, body_of
from scrapy_stemmer.learners.rules.site.paths import Component
from scrapy_stemmer.learners.rules.site.rules import DROP
from scrapy_stemmer.learners.rules.site.site import PlacedPage
from scrapy_stemmer.page.blocks import LayoutBlock, PathComponent, Piece, path_of
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import BACK, significant
from scrapy_stemmer.writing.plain_text import page_text, units_in

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import Run

WITH_SIGNS = HEADINGS | {"pre", "dt", "dd", "td", "th", "li"}  # may be of signs alone, beside text
MAX_AROUND = 30  # elements searched around signs
BEFORE, BOTH = 1, 3  # sides of signs with a block
PATH_PARTS = 3  # components of a block's path in its feature


class BlockWriter:
    """Writer of the text of blocks with structure beyond lines, with signs beside."""

    def __init__(self, page: PlacedPage, asked: list[int], beside: Sequence[tuple[Run, int]]) -> None:
        """Note the blocks, and the runs of signs beside each with the sides of blocks."""
        self._page, self._columns, self._asked, self._beside = page, page.columns, asked, beside

    def text(self, *, has_units: bool) -> str:
        """Return the text of the blocks.

        :param has_units: whether the tree may have formulas or readings of characters.
        """
        shaped = None if has_units else self._columns.lines(self._asked, self._page.site.is_shaped)
        signs = [run for run in self.signs if run.text.strip(BACK) or self._cells_around(run.element)]
        if shaped is not None and not signs:
            return shaped
        shown = self._page.shown
        root = shown.root if has_units else shown.tree
        units, parted = (units_in(root), ()) if has_units else (None, shown.parted)
        is_shaped, has_tasks = self._page.site.is_shaped, shown.head.has_tasks
        return page_text(body_of(root), self._columns, self._asked, is_shaped, signs, has_tasks, units, parted)

    def _cells_around(self, element: int) -> list[int]:
        return [each for each in self._around(element) if self._component(each).tag in ("td", "th")]

    def _component(self, element: int) -> Component:
        return self._page.site.paths.components[self._page.paths[element]]

    @cached_property
    def signs(self) -> list[Signs]:
        """The runs of signs, such as operators in a table, beside the blocks.

        Signs are no blocks, so only a rule for dropping decides on signs. Otherwise both neighbours do; in a list, a
        table or code the neighbour within.
        """
        runs, known = list[Signs](), dict[int, bool]()
        for found, sides in self._beside:
            run = Signs._make(found)
            path = self._page.paths[run.element]
            if path not in known:
                known[path] = self._may_be_text(path)
            if not known[path]:
                continue
            is_with = sides == BOTH or self._is_with(run.element, run.before - (sides == BEFORE), run.before)
            if is_with and any(category(sign)[0] in "PS" for sign in run.text):
                runs.append(run)
        return runs

    def _may_be_text(self, path: int) -> bool:
        site = self._page.site
        number = site.deciding[path]
        is_shown = not any(each.hidden for each in islice(self._page.components_of(path), MAX_AROUND))
        return is_shown and (number < 0 or site.rules[number].action != DROP)

    def _is_with(self, element: int, block: int, at: int) -> bool:
        """Return True if an element of signs has an ancestor in common with a neighbouring block, but not with the
        opposite."""
        if self._component(element).tag not in WITH_SIGNS:
            return False
        elements = self._columns.elements
        own, other = (
            self._around(elements[each]) if 0 <= each < len(elements) else [] for each in (block, 2 * at - 1 - block)
        )
        nearest = next((each for each in self._around(element) if each in own), 0)
        return nearest > 0 and nearest not in other

    def _around(self, element: int) -> list[int]:
        found: list[int] = []
        while element >= 0 and len(found) < MAX_AROUND:
            found.append(element)
            element = self._columns.parents[element]
        return found


def layout_block(page: PlacedPage, block: int, pieces: Sequence[Piece]) -> LayoutBlock:
    line = islice(page.components_of(page.columns.path_of(block)), PATH_PARTS)
    components = tuple(map(_path_component, line))[::-1]
    text, length = page.columns.text(block), page.columns.lengths[block]
    sig = significant(text)
    plain = length - min(length, page.columns.linked[block])
    return LayoutBlock(
        path=path_of(components),
        text=text,
        sig=sig,
        weight=len(sig),
        weight_noanchor=round(len(sig) * plain / max(1, length)),
        components=components,
        pieces=tuple(pieces),
    )


def _path_component(component: Component) -> PathComponent:
    values = {
        name: tuple(each[1:] for each in component.names if each[0] == mark)
        for name, mark in (("class", "."), ("id", "#"))
    }
    return PathComponent(component.tag, tuple((name, given) for name, given in values.items() if given))
