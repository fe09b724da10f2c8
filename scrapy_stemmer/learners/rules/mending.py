"""Corrections by neighbouring blocks: keep captions, headings and list items, drop layout cells and boxes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.page.elements import HEADINGS

Odds = Sequence[float]

linked_beside: Callable[[list[bool], Sequence[int], Sequence[int], int], list[int]] = native("site.linked_beside")
"""Return the kept blocks with links: ``linked_beside(is_text, lengths, linked, most)``.

Each has at most ``most`` characters outside links.
"""

LEAST_HEADING = -0.7  # log-odds below which a heading stays dropped
LEAST_ITEM = -0.5  # log-odds below which a list item stays dropped
LEAST_LABEL = -1.0  # log-odds below which an item's label stays dropped
MIN_SECTION = 100  # characters of kept text after a heading
MIN_SECTION_KEPT = 0.8  # kept share of its section
MIN_ITEM = 60  # characters of an item's text
MAX_ITEM_LABEL = 160  # characters of an item's label
MAX_ITEM_LINKED = 0.3  # share of an item in links
ITEMS = frozenset({"div", "li", "section", "article", "details", "dd", "dt", "p"})

MIN_MAIN_CELL = 400  # characters of a layout table's main cell
MIN_MAIN_BLOCKS = 3  # and its blocks
MAX_ROWS, MAX_CELLS = 6, 12  # of a layout table
MAX_OTHER_CELL = 0.25  # length of any cell beside it, as a share

MAX_BOX = 1_000  # characters of a box in the text about its author or a newsletter
MAX_BOX_SHARE = 0.25  # kept text in all boxes, as a share
_BOX = re.compile(
    r"(?:^|[-_ ])(?:(?:author|writer|autor|auteur)s?[-_]?(?:bio|box|info|card|about|profile|description)|"
    r"about[-_]?(?:the[-_]?)?(?:author|autor|auteur)|bio(?:graphy)?|user[-_]bio|"
    r"newsletter|subscribe(?:[-_](?:box|form|cta|widget))?|"
    r"sign[-_]?up(?:[-_](?:box|form|cta|widget))?|"
    r"advert(?:isement|ising)?|ads?|(?:ad|ads)[-_](?:slot|unit|container|wrapper|box|label))(?:$|[-_ ])",
    re.IGNORECASE,
)
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

_OPENED = re.compile(r"accordion|faq|question|toggle[-_]?item|collaps|expander|disclosure", re.IGNORECASE)
_ASKED = ("?", "\uff1f", "\u061f", "\u037e")
_OWNERS = re.compile(r"\u00a9|copyright|all rights reserved", re.IGNORECASE)


class Mending:
    """The decisions on a page's blocks while neighbours are compared.

    :param is_text: decision for each block.
    :param may_change: blocks open to correction.
    :param is_scored: blocks decided by the scorer.
    """

    def __init__(
        self,
        columns: Columns,
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
        """The signatures of the elements, in order."""
        return list(map(self._by_number.__getitem__, self._columns.signatures))

    def changes(self, titles: Callable[[], frozenset[str]]) -> dict[int, bool]:
        """Return the blocks whose decision changes.

        :param titles: returns the titles of the page, in lower case.
        """
        before = list(self._is_text)
        signatures = set(map(self._by_number.__getitem__, set(self._columns.signatures)))
        tags = {signature.tag for signature in signatures}
        has_scored = True in self._is_scored
        if has_scored and "table" in tags:
            self._set(self._cells_apart(titles()), False)
        self._set(self._hints(), False)
        if has_scored and any(map(_is_box, signatures)):
            self._set(self._boxes(), False)
        if has_scored:
            self._set(self._items(), True)
        if not tags.isdisjoint({"caption", "figcaption"}) and not tags.isdisjoint({"td", "th"}):
            self._set(self._captions(), True)
        if has_scored:
            self._set(self._headings(), True)
        if before == self._is_text:
            return {}  # most pages
        both = enumerate(zip(before, self._is_text, strict=True))
        return {index: now for index, (then, now) in both if now != then}

    def _set(self, blocks: Iterator[int], is_text: bool) -> None:
        for index in list(blocks):
            if self._may_change[index]:
                self._is_text[index] = is_text

    def _tag(self, block: int) -> str:
        return self._signatures[self._columns.elements[block]].tag

    def _around(self, element: int) -> Iterator[int]:
        while element >= 0:
            yield element
            element = self._columns.parents[element]

    def _outer(self, element: int, tags: frozenset[str]) -> int:
        """Return the nearest element with one of the tags, itself included; -1 without one."""
        return next((each for each in self._around(element) if self._signatures[each].tag in tags), -1)

    def _nearest(self, tag: str) -> list[int]:
        """Return for each element the nearest one of a name, itself or around; -1 without any."""
        found: list[int] = []
        for element, (signature, parent) in enumerate(zip(self._signatures, self._columns.parents, strict=True)):
            outer = found[parent] if parent >= 0 else -1
            found.append(element if signature.tag == tag else outer)
        return found

    def _is_linked(self, block: int, most: float = MAX_ITEM_LINKED) -> bool:
        return self._columns.linked[block] > most * self._columns.lengths[block]

    # Blocks that join their neighbours

    def _captions(self) -> Iterator[int]:
        for index in range(self._count):
            tag = self._tag(index)
            if self._is_text[index] or tag not in ("caption", "figcaption"):
                continue
            holder = self._outer(self._columns.elements[index], frozenset({"table" if tag == "caption" else "figure"}))
            cells = [at for at in self._within(holder, index) if self._tag(at) in ("td", "th")]
            if cells and 2 * sum(self._is_text[at] for at in cells) > len(cells):
                yield index

    def _within(self, outer: int, block: int) -> list[int]:
        if outer < 0:
            return []
        elements = self._columns.elements

        def is_within(at: int) -> bool:
            return outer in self._around(elements[at])

        before = takewhile(is_within, range(block, -1, -1))
        behind = takewhile(is_within, range(block + 1, self._count))
        return [*reversed(list(before)), *behind]

    def _headings(self) -> Iterator[int]:
        """Yield the headings of kept sections."""
        for index in range(self._count - 1, -1, -1):
            tag = self._tag(index)
            if tag not in HEADINGS or tag == "h1" or self._is_text[index] or self._is_linked(index, 0.5):
                continue
            if not self._is_scored[index] or self._odds[index] < LEAST_HEADING:
                continue
            if self._is_behind_others(index):
                continue
            section = self._section(index)
            total = sum(self._columns.lengths[at] for at in section)
            kept = sum(self._columns.lengths[at] for at in section if self._is_text[at])
            if section and self._is_text[section[0]] and kept >= MIN_SECTION and kept >= MIN_SECTION_KEPT * total:
                self._is_text[index] = self._is_text[index] or self._may_change[index]
                yield index

    def _is_behind_others(self, heading: int) -> bool:
        """Return True if a heading follows other blocks of its element."""
        outer = self._columns.parents[self._columns.elements[heading]]
        return heading > 0 and outer in self._around(self._columns.elements[heading - 1])

    def _section(self, heading: int) -> list[int]:
        """Return the blocks after a heading in its element, up to the next heading of its level or above."""
        element = self._columns.elements[heading]
        outer, tag = self._columns.parents[element], self._signatures[element].tag
        found: list[int] = []
        for at in range(heading + 1, self._count):
            own = self._tag(at)
            if outer not in self._around(self._columns.elements[at]) or (own in HEADINGS and own <= tag):
                break
            found.append(at)
        return found

    def _items(self) -> Iterator[int]:
        """Yield dropped text and labels of items beside kept items, as in a list of questions."""
        open_ = [at for at in range(self._count) if not self._is_text[at] and self._is_scored[at]]
        if not any(self._odds[at] >= LEAST_ITEM for at in open_):
            return
        lists: defaultdict[tuple[int, int], defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        columns = self._columns
        for at in range(self._count):
            for each in self._around(columns.elements[at]):
                if (
                    self._signatures[each].tag in ITEMS
                    and self._signatures[each].classes
                    and columns.parents[each] >= 0
                ):
                    lists[columns.parents[each], columns.signatures[each]][each].append(at)
        for (_, number), items in lists.items():
            if len(items) < 2 or not any(self._is_item(blocks) for blocks in items.values()):
                continue
            named = next(each for each, own in enumerate(columns.signatures) if own == number)
            asked = sum(columns.texts[blocks[0]].rstrip().endswith(_ASKED) for blocks in items.values())
            if 2 * asked < len(items) and not _opens(self._signatures[named]):
                continue
            for blocks in items.values():
                yield from self._rest_of_item(blocks)

    def _is_item(self, blocks: Sequence[int]) -> bool:
        return any(self._is_text[at] and self._is_long(at) for at in blocks)

    def _is_long(self, block: int) -> bool:
        return self._columns.lengths[block] >= MIN_ITEM and not self._is_linked(block)

    def _rest_of_item(self, blocks: Sequence[int]) -> Iterator[int]:
        """Yield the likely text outside links of an item, with its label."""
        if len(blocks) > 2 * MAX_CELLS:
            return
        able = [at for at in blocks if self._is_long(at) and (self._is_text[at] or self._may_be_item(at, LEAST_ITEM))]
        yield from (at for at in able if not self._is_text[at])
        label = blocks[0]
        is_label = able and label < able[0] and able[0] - label <= 2 and self._columns.lengths[label] <= MAX_ITEM_LABEL
        if (
            is_label
            and not self._is_text[label]
            and self._may_be_item(label, LEAST_LABEL)
            and not self._is_linked(label)
        ):
            yield label

    def _may_be_item(self, block: int, least: float) -> bool:
        return self._is_scored[block] and self._odds[block] >= least

    # Blocks that are dropped

    def _cells_apart(self, titles: frozenset[str]) -> Iterator[int]:
        """Yield the blocks of menus, banners and owners in cells beside the main cell of a layout table."""
        by_table: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        inner_cells, tables = self._nearest("td"), self._nearest("table")
        for at in range(self._count):
            cell = inner_cells[self._columns.elements[at]]
            while cell >= 0:
                by_table[tables[cell]][cell].append(at)
                cell = inner_cells[self._columns.parents[cell]]
        for table, cells in by_table.items():
            main = self._main_cell(table, cells)
            if main is None:
                continue
            size = self._size(cells[main])
            for cell, blocks in cells.items():
                is_title = any(self._columns.texts[at].lower() in titles for at in blocks)
                if (
                    cell != main
                    and not is_title
                    and self._size(blocks) <= MAX_OTHER_CELL * size
                    and self._is_apart(blocks)
                ):
                    yield from (at for at in blocks if self._is_scored[at])

    def _main_cell(self, table: int, cells: dict[int, list[int]]) -> int | None:
        """Return the main cell of a layout table; ``None`` for other tables."""
        rows = {self._outer(cell, frozenset({"tr"})) for cell in cells}
        if table < 0 or not 2 <= len(cells) <= MAX_CELLS or len(rows) > MAX_ROWS:
            return None
        sizes = {cell: self._size(blocks) for cell, blocks in cells.items()}
        main = max(sizes, key=lambda cell: sizes[cell])
        plain = sizes[main] - sum(self._columns.linked[at] for at in cells[main])
        is_main = len(cells[main]) >= MIN_MAIN_BLOCKS and plain >= MIN_MAIN_CELL
        is_data = any(
            signature.tag in ("th", "caption") and self._outer(element, frozenset({"table"})) == table
            for element, signature in enumerate(self._signatures)
        )
        return main if is_main and not is_data and 2 * sizes[main] >= sum(sizes.values()) else None

    def _size(self, blocks: Sequence[int]) -> int:
        return sum(self._columns.lengths[at] for at in blocks)

    def _is_apart(self, blocks: Sequence[int]) -> bool:
        """Return True if a cell is a menu, a banner, a list of a few words or an owner's notice."""
        if not any(self._is_text[at] for at in blocks):
            return False
        linked = sum(self._columns.linked[at] for at in blocks)
        longest = max(self._columns.lengths[at] for at in blocks)
        is_owner = any(_OWNERS.search(self._columns.texts[at]) for at in blocks)
        return 2 * linked > self._size(blocks) or longest < MIN_ITEM or is_owner

    def _hints(self) -> Iterator[int]:
        """Yield the labels and links to related pages."""
        columns = self._columns
        for at in linked_beside(self._is_text, columns.lengths, columns.linked, MIN_ITEM):
            if self._tag(at) in HEADINGS:
                continue
            text, plain = columns.texts[at], columns.lengths[at] - columns.linked[at]
            found = _MORE.match(text)
            if found is None or found.end() == len(text):
                continue
            said = len("".join(found[0].split()))
            is_parted = found[0].rstrip()[-1:] in ":\uff1a>\u00bb|\u2192-\u2013\u2014"
            if said and is_parted and plain <= said + 2:
                yield at

    def _boxes(self) -> Iterator[int]:
        """Yield the blocks of boxes about the author, for newsletters or advertisements."""
        boxes: defaultdict[int, list[int]] = defaultdict(list)
        whole = 0
        for at in range(self._count):
            if not self._is_text[at]:
                continue
            whole += self._columns.lengths[at]
            box = -1
            for each in self._around(self._columns.elements[at]):
                if _is_box(self._signatures[each]):
                    box = each
            if box >= 0:
                boxes[box].append(at)
        if sum(map(self._size, boxes.values())) > MAX_BOX_SHARE * whole:
            return
        for blocks in boxes.values():
            if self._size(blocks) <= MAX_BOX and all(self._is_scored[at] for at in blocks):
                yield from blocks


@lru_cache(4096)
def _opens(signature: Signature) -> bool:
    return signature.tag == "details" or _OPENED.search(signature.classes) is not None


@lru_cache(4096)
def _is_box(signature: Signature) -> bool:
    """Return True if an element's name is that of a box about an author, a newsletter or an advertisement."""
    if signature.tag not in ("div", "aside", "section", "p", "footer", "form"):
        return False
    names = signature.classes.split()
    return any(_BOX.search(name) is not None for name in (*names, signature.id))
