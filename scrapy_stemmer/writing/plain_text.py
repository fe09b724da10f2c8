"""Plain text of the blocks of a page: lines of code, rows of tables, lists and quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.blocks import TreePlace, holder_of
from scrapy_stemmer.page.elements import BLOCK_LEVEL, keeps_space
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import SOFT_HYPHEN, collapse
from scrapy_stemmer.writing.formulas import formula_line, twins_of_formulas

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage


class TextLines(NamedTuple):
    """Blocks of text in document order, which may not be just lines."""

    texts: Sequence[str]  # text of each block, with white space collapsed
    nodes: Sequence[int]  # number of each block's element, -1 for a finished line
    spaced: Sequence[bool]  # blocks with a style that keeps white space
    # Returns the pieces of a block by its number, which few blocks need. A piece is twice the number of a node in the
    # body, comments included, and 1 more for the tail of the node instead of its text.
    pieces: Callable[[int], Sequence[int]]


def all_around(nodes: Iterable[int], parents: Sequence[int]) -> set[int]:
    """Return elements and all their ancestors, by their numbers."""
    around: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in around:
            around.add(node)
            node = parents[node]
    return around


class TextElements(NamedTuple):
    """Elements of a page that text may stand in, by their numbers in document order."""

    parents: Sequence[int]  # the number of the parent of each element, -1 for the outermost
    tags: Sequence[str]  # names of elements
    named: Sequence[int]  # index of each element's name
    numbers: Sequence[int]  # number of each element in tree order, comments included
    signs: Callable[[int], str]  # returns the signs of a cell without blocks
    has_tasks: bool = True  # lists may have tasks
    body: etree._Element | None = None  # the outermost element, the root by default
    page: ReadPage | None = None  # in place of parents, indexes and numbers


def text_of_pieces(root: etree._Element, blocks: Iterable[tuple[str, Sequence[TreePlace]]]) -> str:
    """Return the text of blocks that are pieces of a tree; see :func:`plain_text`.

    :param blocks: the text of each block, with white space collapsed, and the places of its pieces.
    """
    elements = list(root.iter())
    numbers = {element: number for number, element in enumerate(elements)}
    parents, is_spaced = [-1] * len(elements), [False] * len(elements)
    for number, element in enumerate(elements):
        parent = element.getparent()
        above = parents[number] = numbers.get(parent, -1) if parent is not None else -1
        is_spaced[number] = keeps_space(element.get("style") or "") or (above >= 0 and is_spaced[above])
    texts, nodes, runs = [], [], []
    for text, pieces in blocks:
        texts.append(text.replace(SOFT_HYPHEN, ""))
        nodes.append(numbers[holder_of(pieces[0])])
        runs.append([2 * numbers[element] + is_tail for element, is_tail in pieces])
    held = all_around(nodes, parents)
    outline = TextElements(
        parents,
        [str(element.tag) for element in elements],
        range(len(elements)),
        range(len(elements)),
        lambda cell: "" if cell in held else _signs_of(elements[cell]),
    )
    lines = TextLines(texts, nodes, [is_spaced[node] for node in nodes], runs.__getitem__)
    return plain_text(root, lines, outline) or ""


def _signs_of(cell: etree._Element) -> str:
    text = "".join(map(str, cell.itertext()))
    return "" if any(map(str.isalnum, text)) else collapse(text)


line_text: Callable[[str], str] = native("page.line_text")
"""Return a text without soft hyphens, and without a final icon or arrow back, as of permalinks and notes."""


def plain_text(
    root: etree._Element,
    lines: TextLines,
    outline: TextElements,
    *,
    has_units: bool = True,
    parted: Sequence[etree._Element] = (),
) -> str | None:
    """Return the text of blocks, each on a new line.

    Code keeps its lines, without line numbers, and stands at the margin. The cells of a row stand on one line. List
    items begin with a hyphen or their number and are indented by depth; definitions are indented, and lines of quotes
    begin with ``>``. Formulas are written as text, readings of characters in brackets.

    :param lines: the blocks.
    :param outline: the elements around the blocks.
    :param has_units: whether the tree may have formulas or readings of characters.
    :param parted: elements with a space behind that the tree lacks, in a tree without units.
    :return: ``None`` where only a tree with these spaces can be read.
    """
    body = root if outline.body is None else outline.body
    return _written(body, lines, outline, units_in(root) if has_units else None, parted)


_written: Callable[..., str | None] = native("text.plain_text")


page_text: Callable[..., str | None] = native("text.page_text")
"""Return the text of blocks of a page: ``page_text(body, blocks, is_shaped, is_any, signs, outline, units, parted)``.

``is_shaped`` tells for each path whether text there may be more than a line, ``is_any`` that any text may be. Signs are
those of :class:`scrapy_stemmer.learners.rules.columns.Signs` that are written, in order. See :func:`plain_text` for the
rest.
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
        """Return the outermost formula, or reading of characters, around each element in one.

        An element around blocks, such as a formula without an end, counts as none: each block would repeat all.
        """
        units: dict[etree._Element, etree._Element] = {}
        around = _all_around_blocks(self._root) if next(self._root.iter("math"), None) is not None else frozenset()
        for unit in chain(self._root.iter("math"), self._root.iter("rt")):
            if unit not in units and unit not in around:
                units.update((each, unit) for each in unit.iter() if each not in units)
        return units

    def text_of(self, places: Iterable[TreePlace], is_spaced: bool) -> str:
        """Return the text of the next block, with each formula once, in the first of its blocks.

        :param places: the places of the text.
        :param is_spaced: whether a style keeps white space.
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
