"""Output of some blocks of a page: text with signs and shapes, and layout blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, partial
from itertools import chain, islice
from operator import itemgetter
from unicodedata import category

from scrapy_stemmer.learners.rules.columns import Signs, body_of
from scrapy_stemmer.learners.rules.paths import Component
from scrapy_stemmer.learners.rules.rules import DROP
from scrapy_stemmer.learners.rules.site import PlacedPage
from scrapy_stemmer.page.blocks import LayoutBlock, PathComponent, Piece, path_of
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.text import significant
from scrapy_stemmer.writing.plain_text import TextElements, TextLines, all_around, line_text, plain_text
from scrapy_stemmer.writing.text_tables import BACK

WITH_SIGNS = HEADINGS | {"pre", "dt", "dd", "td", "th", "li"}  # may be of signs alone, beside text
MAX_AROUND = 30  # elements searched around signs
PATH_PARTS = 3  # components of a block's path in its feature


class BlockWriter:
    """Writer of the text of blocks that are not just lines, with signs beside."""

    def __init__(self, page: PlacedPage, asked: Sequence[int]) -> None:
        self._page, self._columns, self._asked = page, page.columns, asked

    def text(
        self, texts: list[str], nodes: list[int], keeping: list[bool], *, has_shapes: bool, has_units: bool
    ) -> str:
        columns, asked, shown = self._columns, self._asked, self._page.shown
        signs = [run for run in self.signs() if run.text.strip(BACK) or self._cells_around(run.element)]
        if not signs and not has_shapes:
            return "\n".join(texts)
        runs = ((run.before, line_text(run.text), run.element, run.is_spaced, run) for run in signs)
        rows = sorted(chain(runs, zip(asked, texts, nodes, keeping, asked, strict=True)), key=itemgetter(0))
        _, texts, nodes, keeping, sources = map(list, zip(*rows, strict=True))
        lines = TextLines(texts, nodes, keeping, partial(self._pieces_of, sources))
        written = {run.pieces[0] for run in signs}
        around = self._elements([run for run in columns.signs if run.pieces[0] not in written])
        text = None
        if not has_units:
            text = plain_text(shown.tree, lines, around, has_units=False, parted=shown.parted)
        if text is None:
            root = shown.root
            text = plain_text(root, lines, around._replace(body=body_of(root)), has_units=has_units)
        return text or ""

    def _elements(self, signs: Sequence[Signs]) -> TextElements:
        """Return the elements around text, with the signs in cells that get no line."""
        columns, shown = self._columns, self._page.shown
        of_cells = cache(partial(self._signs_of_cells, signs))
        return TextElements(
            columns.parents,
            self._page.site.tags,
            columns.signatures,
            columns.numbers,
            lambda cell: of_cells().get(cell, ""),
            has_tasks=shown.head.has_tasks,
            body=body_of(shown.tree),
        )

    def _pieces_of(self, lines: Sequence[int | Signs], line: int) -> Sequence[int]:
        source = lines[line]
        return source.pieces if isinstance(source, Signs) else self._page.pieces_of(source)

    def _signs_of_cells(self, signs: Sequence[Signs]) -> dict[int, str]:
        texts: defaultdict[int, list[str]] = defaultdict(list)
        if signs:
            with_words = all_around(self._columns.elements, self._columns.parents)
            for run in signs:
                for cell in self._cells_around(run.element):
                    if cell not in with_words:
                        texts[cell].append(run.text)
        return {cell: " ".join(parts) for cell, parts in texts.items()}

    def _cells_around(self, element: int) -> list[int]:
        return [each for each in self._around(element) if self._component(each).tag in ("td", "th")]

    def _component(self, element: int) -> Component:
        return self._page.site.paths.components[self._page.paths[element]]

    def signs(self) -> list[Signs]:
        """Return the runs of signs, such as operators in a table, beside the blocks.

        Signs are no blocks, so only a rule for dropping decides on signs. Otherwise both neighbours do; in a list, a
        table or code the neighbour within.
        """
        among, runs, may_be_text = set(self._asked), list[Signs](), cache(self._may_be_text)
        for run in self._columns.signs:
            beside = {run.before - 1, run.before} & among
            if not beside or not may_be_text(self._page.paths[run.element]):
                continue
            is_with = len(beside) == 2 or self._is_with(run.element, beside.pop(), run.before)
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
    line = islice(page.components_of(page.block_paths[block]), PATH_PARTS)
    components = tuple(map(_path_component, line))[::-1]
    text, length = page.columns.texts[block], page.columns.lengths[block]
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
