"""Corrections by neighbouring blocks: keep captions, headings and list items, drop layout cells and boxes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.columns import Signature, blocks_within
from scrapy_stemmer.learners.rules.traits import (
    BOX,
    CAPTION,
    CELL,
    TABLE,
    TABLE_CAPTION,
    has_trait,
    traits_in,
)
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

Odds = Sequence[float]

MIN_ITEM = 60  # characters of an item's text

MIN_MAIN_CELL = 400  # characters of a layout table's main cell
MIN_MAIN_BLOCKS = 3  # and its blocks
MAX_ROWS, MAX_CELLS = 6, 12  # of a layout table
MAX_OTHER_CELL = 0.25  # length of any cell beside it, as a share

MAX_BOX = 1_000  # characters of a box in the text about its author or a newsletter
MAX_BOX_SHARE = 0.25  # kept text in all boxes, as a share
_MORE = re.compile(
    r"\W*(?:"
    r"read (?:more|also|next|on)|more (?:on|about|from)(?: this)?|see also|also read|also see"
    r"|you may also like|related(?: (?:article|stor(?:y|ies)|news|link|post|reading))?s?|recommended"
    r"|don[\u2019']t miss|lesen sie (?:auch|hier|mehr)|mehr (?:zum thema|dazu|lesen)|siehe auch"
    r"|weiterlesen|auch interessant|lire (?:aussi|\u00e9galement|plus)|\u00e0 lire(?: aussi)?|voir aussi"
    r"|leer (?:tambi\u00e9n|m\u00e1s)|lea tambi\u00e9n|te puede interesar|ver tambi\u00e9n"
    r"|leia (?:tamb\u00e9m|mais)|veja tamb\u00e9m|leggi anche|vedi anche|lees (?:ook|meer)|zie ook"
    r"|l\u00e4s (?:ocks\u00e5|mer)|les ogs\u00e5|les mer|l\u00e6s ogs\u00e5|lue my\u00f6s"
    r"|czytaj (?:te\u017c|tak\u017ce|wi\u0119cej)|zobacz (?:te\u017c|tak\u017ce)|\u010dt\u011bte tak\u00e9"
    r"|olvasd el|cite\u0219te \u0219i"
    r"|\u0447\u0438\u0442\u0430\u0439\u0442\u0435? (?:\u0442\u0430\u043a\u0436\u0435|\u0435\u0449[\u0435\u0451])"
    r"|\u0447\u0438\u0442\u0430\u0439 (?:\u0442\u0430\u043a\u0436\u0435|\u0435\u0449[\u0435\u0451])"
    r"|\u0441\u043c\. \u0442\u0430\u043a\u0436\u0435"
    r"|\u0441\u043c\u043e\u0442\u0440\u0438\u0442\u0435 \u0442\u0430\u043a\u0436\u0435"
    r"|\u043f\u043e \u0442\u0435\u043c\u0435"
    r"|\u0447\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u043e\u0436"
    r"|\u03b4\u03b9\u03b1\u03b2\u03ac\u03c3\u03c4\u03b5 \u03b5\u03c0\u03af\u03c3\u03b7\u03c2"
    r"|\u76f8\u5173(?:\u9605\u8bfb|\u65b0\u95fb|\u94fe\u63a5|\u6587\u7ae0)|\u5ef6\u4f38\u9605\u8bfb"
    r"|\u95a2\u9023\u8a18\u4e8b|\uad00\ub828 ?\uae30\uc0ac"
    r")\W*",
    re.IGNORECASE,
)
"""Label before a link to a related page, in many languages."""

MORE_BEGINS = (
    b"rea mor see als you rel rec don les meh sie wei auc lir voi lee lea te_ ver lei vej leg ved zie lue czy zob "
    b"olv cit"
).replace(b"_", b" ")
"""First three letters of the labels that begin in ASCII, each with a space behind."""

_PARTED = re.compile("[:\uff1a>\u00bb|\u2192\u2013\u2014-]")  # signs between a label and its link

_OWNERS = re.compile(r"\u00a9|copyright|all rights reserved", re.IGNORECASE)


class Mending:
    """The decisions on a page's blocks while neighbours are compared."""

    def __init__(
        self,
        columns: ReadPage,
        by_number: Sequence[Signature],
        is_text: Sequence[bool],
        odds: Odds,
        may_change: Sequence[bool],
        is_scored: Sequence[bool],
    ) -> None:
        self._columns, self._odds, self._is_text = columns, odds, list(is_text)
        self._by_number, self._may_change, self._is_scored = by_number, may_change, is_scored
        self._count = len(columns.texts)

    @cached_property
    def _signatures(self) -> list[Signature]:
        return list(map(self._by_number.__getitem__, self._columns.signatures))

    def changes(self, titles: Callable[[], frozenset[str]], linked: Iterable[int]) -> dict[int, bool]:
        """Return the changed decisions by block.

        :param linked: the blocks of text with links, a sign of :data:`_PARTED`, and few characters outside links.
        """
        before = list(self._is_text)
        has_scored = True in self._is_scored
        if has_scored and self._any(TABLE):
            self._set(self._cells_beside(titles), False)
        self._set(leads_on_in(self._columns, self._by_number, linked), False)
        if has_scored and self._any(BOX):
            self._set(self._boxes(), False)
        if self._any(CAPTION) and self._any(CELL):
            self._set(self._captions(), True)
        if before == self._is_text:
            return {}  # most pages
        both = enumerate(zip(before, self._is_text, strict=True))
        return {index: now for index, (then, now) in both if now != then}

    def _any(self, trait: int) -> bool:
        return has_trait(self._by_number, self._columns, trait)

    def _set(self, blocks: Iterator[int], is_text: bool) -> None:
        for index in list(blocks):
            if self._may_change[index]:
                self._is_text[index] = is_text

    def _tag(self, block: int) -> str:
        columns = self._columns
        return self._by_number[columns.signatures[columns.elements[block]]].tag

    def _nearest(self, tags: frozenset[str]) -> list[int]:
        found: list[int] = []
        for element, parent in enumerate(self._columns.parents):
            is_one = self._signatures[element].tag in tags
            found.append(element if is_one else found[parent] if parent >= 0 else -1)
        return found

    @cached_property
    def _within(self) -> Sequence[range]:
        return [*map(range, *blocks_within(self._columns))]

    @cached_property
    def _sizes(self) -> Sequence[int]:
        return [*accumulate(self._columns.lengths, initial=0)]

    @cached_property
    def _linked_sizes(self) -> Sequence[int]:
        return [*accumulate(self._columns.linked, initial=0)]

    def _size(self, blocks: range) -> int:
        return self._sizes[blocks.stop] - self._sizes[blocks.start]

    def _linked_size(self, blocks: range) -> int:
        return self._linked_sizes[blocks.stop] - self._linked_sizes[blocks.start]

    # Blocks that join their neighbours

    def _captions(self) -> Iterator[int]:
        is_cell = [self._tag(at) in ("td", "th") for at in range(self._count)]
        cells = [*accumulate(is_cell, initial=0)]
        kept = [*accumulate(map(min, is_cell, self._is_text), initial=0)]
        tables, figures = self._nearest(frozenset({"table"})), self._nearest(frozenset({"figure"}))
        for index in range(self._count):
            tag = self._tag(index)
            if self._is_text[index] or tag not in ("caption", "figcaption"):
                continue
            holder = (tables if tag == "caption" else figures)[self._columns.elements[index]]
            if holder < 0:
                continue
            blocks = self._within[holder]
            if 2 * (kept[blocks.stop] - kept[blocks.start]) > cells[blocks.stop] - cells[blocks.start]:
                yield index

    # Blocks that are dropped

    def _cells_beside(self, titles: Callable[[], frozenset[str]]) -> Iterator[int]:
        """Yield the blocks of menus, banners and owners in cells beside the main cell of a layout table."""
        for cells in self._layout_tables():
            main = max(cells, key=self._size)
            most = MAX_OTHER_CELL * self._size(main)
            for cell in cells:
                # Cells so small add up to no more than the page, in each other too.
                if cell != main and self._size(cell) <= most and self._is_beside_content(cell, titles()):
                    yield from (at for at in cell if self._is_scored[at])

    def _layout_tables(self) -> Iterator[list[range]]:
        of_tables = self._columns.marked_elements(traits_in(self._by_number), CELL | TABLE_CAPTION)
        if not of_tables:
            return
        tables, rows = self._nearest(frozenset({"table"})), self._nearest(frozenset({"tr"}))
        by_table: defaultdict[int, list[int]] = defaultdict(list)
        of_data: set[int] = set()
        for element in of_tables:
            if self._signatures[element].tag != "td":
                of_data.add(tables[element])
            elif self._within[element]:
                by_table[tables[element]].append(element)
        for table, elements in by_table.items():
            is_able = table >= 0 and table not in of_data and 2 <= len(elements) <= MAX_CELLS
            if not is_able or len({rows[each] for each in elements}) > MAX_ROWS:
                continue
            cells = [self._within[each] for each in elements]
            main = max(cells, key=self._size)
            is_main = len(main) >= MIN_MAIN_BLOCKS and self._size(main) - self._linked_size(main) >= MIN_MAIN_CELL
            if is_main and 2 * self._size(main) >= sum(map(self._size, cells)):
                yield cells

    def _is_beside_content(self, blocks: range, titles: frozenset[str]) -> bool:
        """Return True if a cell is a menu, a banner, a list of a few words or an owner's notice, and no title."""
        if not any(self._is_text[at] for at in blocks):
            return False
        texts = self._columns.texts[blocks.start : blocks.stop]
        if any(text.lower() in titles for text in texts):
            return False
        is_short = max(self._columns.lengths[blocks.start : blocks.stop]) < MIN_ITEM
        is_owner = any(_OWNERS.search(text) for text in texts)
        return 2 * self._linked_size(blocks) > self._size(blocks) or is_short or is_owner

    def _boxes(self) -> Iterator[int]:
        around: list[int] = []  # the outermost box around each element, itself too; -1 without any
        traits = traits_in(self._by_number)
        for element, (parent, number) in enumerate(zip(self._columns.parents, self._columns.signatures, strict=True)):
            outer = around[parent] if parent >= 0 else -1
            around.append(element if outer < 0 and traits[number] & BOX else outer)
        boxes: defaultdict[int, list[int]] = defaultdict(list)
        lengths, whole = self._columns.lengths, 0
        for at, element in enumerate(self._columns.elements):
            if self._is_text[at]:
                whole += lengths[at]
                if around[element] >= 0:
                    boxes[around[element]].append(at)
        sizes = {box: sum(lengths[at] for at in blocks) for box, blocks in boxes.items()}
        if sum(sizes.values()) > MAX_BOX_SHARE * whole:
            return
        for box, blocks in boxes.items():
            if sizes[box] <= MAX_BOX and all(self._is_scored[at] for at in blocks):
                yield from blocks


def leads_on_in(columns: ReadPage, by_number: Sequence[Signature], linked: Iterable[int]) -> Iterator[int]:
    """Yield the links to related pages behind a label, among blocks with a link and a sign of :data:`_PARTED`."""
    for at in linked:
        text = columns.text(at)
        found = _MORE.match(text)
        if found is None or found.end() == len(text):
            continue  # nearly all
        plain = columns.lengths[at] - columns.linked[at]
        if by_number[columns.signatures[columns.elements[at]]].tag in HEADINGS:
            continue
        said = len("".join(found[0].split()))
        if said and _PARTED.match(found[0].rstrip()[-1:]) and plain <= said + 2:
            yield at
