"""Plain text of the blocks of a page: lines of code, rows of tables, lists and quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.blocks import TreePlace, holder_of
from scrapy_stemmer.page.elements import BLOCK_LEVEL, having, keeps_space
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import SOFT_HYPHEN, collapse
from scrapy_stemmer.writing.formulas import formula_line, twins_of_formulas


def text_of_pieces(root: etree._Element, blocks: Iterable[tuple[str, Sequence[TreePlace]]]) -> str:
    """Return the text of blocks that are pieces of a tree, each on a new line.

    Code keeps all lines, without line numbers, and stands at the margin. The cells of a row stand on a line. List
    items begin with a hyphen or a number and are indented by depth; definitions are indented, and lines of quotes
    begin with ``>``. Formulas are written as text, readings of characters in brackets.

    :param blocks: the text of each block, with white space collapsed, and the places of its pieces.
    """
    styled = (each for each in having(root, "style") if keeps_space(each.get("style") or ""))
    spaced = {inner for each in styled for inner in each.iter()}
    made = [(text.replace(SOFT_HYPHEN, ""), places, holder_of(places[0]) in spaced) for text, places in blocks]
    return _text_of_blocks(root, made, units_in(root))


_text_of_blocks: Callable[..., str] = native("text.text_of_blocks")

line_text: Callable[[str], str] = native("page.line_text")
"""Return a text without soft hyphens, and without a final icon or arrow back, as of permalinks and notes."""


page_text: Callable[..., str] = native("text.page_text")
"""Return the text of blocks of a page, as :func:`text_of_pieces` does.

``page_text(body, page, blocks, signs, has_tasks, units=None, parted=())``. Signs are those of
:class:`scrapy_stemmer.learners.rules.site.columns.Signs` that are written, in order. The tree lacks a space behind the
elements in ``parted``.
"""


class Units:
    """Formulas and readings of characters in a tree, written with more than the characters."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._written: set[etree._Element] = set()  # formulas

    def __bool__(self) -> bool:
        return bool(self._unseen or self._units)

    @cached_property
    def _unseen(self) -> frozenset[etree._Element]:
        """Return the hidden or repeated elements of formulas, with all their descendants."""
        tops = twins_of_formulas(self._root, lambda _: True)
        notes = (each for each in self._root.iter("annotation", "annotation-xml") if each in self._units)
        unseen: set[etree._Element] = set()
        for top in (*tops, *notes):
            if top not in unseen:
                unseen.update(top.iter())
        return frozenset(unseen)

    @cached_property
    def _units(self) -> dict[etree._Element, etree._Element]:
        """Return the outermost formula, or reading of characters, around each element inside.

        An element around blocks, such as a formula without an end, counts as none: each block would repeat all.
        """
        units: dict[etree._Element, etree._Element] = {}
        around = _all_around_blocks(self._root) if next(self._root.iter("math"), None) is not None else frozenset()
        for unit in chain(self._root.iter("math"), self._root.iter("rt")):
            if unit not in units and unit not in around:
                units.update((each, unit) for each in unit.iter() if each not in units)
        return units

    def text_of(self, places: Iterable[TreePlace], is_spaced: bool) -> str:
        """Return the text of the next block, with each formula once, in the first block with the formula.

        :param places: the places of the text.
        :param is_spaced: True if a style keeps white space.
        """
        text = ""
        seen = (piece for piece in places if holder_of(piece) not in self._unseen)
        for unit, pieces in groupby(seen, lambda piece: self._units.get(holder_of(piece))):
            if unit is not None and unit.tag == "math":
                text += "" if unit in self._written else formula_line(unit)
                self._written.add(unit)
            else:
                inner = "".join((element.tail if is_tail else element.text) or "" for element, is_tail in pieces)
                text += f"({inner.strip()})" if unit is not None and inner.strip() and is_bare(unit) else inner
        text = text.replace(SOFT_HYPHEN, "")
        return text.strip("\n").rstrip() if is_spaced else collapse(text)


def units_in(root: etree._Element) -> Units | None:
    """Return the formulas and readings of a tree, ``None`` without any."""
    return units if (units := Units(root)) else None


def _all_around_blocks(root: etree._Element) -> frozenset[etree._Element]:
    """Return the elements with a block-level element inside."""
    around: set[etree._Element] = set()
    for block in root.iter(*BLOCK_LEVEL):
        for outer in block.iterancestors():
            if outer in around:
                break
            around.add(outer)
    return frozenset(around)


def is_bare(reading: etree._Element) -> bool:
    return all(each is None or each.tag != "rp" for each in (reading.getprevious(), reading.getparent()))
