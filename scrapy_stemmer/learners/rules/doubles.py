"""Repeated elements, of which the first is kept: for screens of two sizes, hidden, or quoted from the page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.columns import blocks_within
from scrapy_stemmer.learners.rules.paths import Component

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage
    from scrapy_stemmer.learners.rules.site import PlacedPage

MIN_DOUBLE = 60  # characters of a repeated element, at least; fewer are a label or a price
MIN_COPY = 0.25  # share of the page's text in a copy under different names, at least
MOSTLY_COPIED = 0.9  # share of the copy's text found before
MAX_READINGS = 60  # elements around a block in which copies are looked for; the deepest of 4,828 real pages has 55
CELLS = frozenset({"tr", "td", "th"})  # repeat texts on purpose
_STRIPE = re.compile(r"[^a-z](?:odd|even)(?![a-z])", re.IGNORECASE)


def doubles(page: PlacedPage, is_text: list[bool]) -> list[int]:
    """Return the blocks of text repeated for a second screen, hidden or in a quote, by number. Both places must be
    text."""
    lengths, firsts = page.columns.lengths, page.columns.firsts()
    seconds = set(_seconds(page, firsts, is_text))
    left = [block for block in compress(range(len(firsts)), is_text) if block not in seconds]
    copies = _copies(page, firsts, [block for block in left if lengths[block] >= MIN_DOUBLE])
    again = _repeated(page, firsts, sorted(set(left).difference(copies)))
    return [*sorted(seconds), *copies, *again]


def _seconds(page: PlacedPage, firsts: list[int], is_text: Sequence[bool]) -> Iterator[int]:
    """Yield the blocks in the second of two elements for different screens.

    Both are siblings of equal tag and text, but different names: ``d-none d-md-block`` and ``d-md-none``,
    ``hero-mobile`` and ``hero``. Intended repetitions, as of a note in a manual, have equal names, but for the stripes
    of tables.

    :param firsts: the first block with the text of each block.
    """
    components = page.site.paths.components
    beside: dict[tuple[int, str, int, int, int], tuple[int, Component]] = {}
    for parent, path, first, end, length in page.columns.repeated(firsts, MIN_DOUBLE):
        own = components[path]
        if own.tag in CELLS:
            continue
        start, other = beside.setdefault((parent, own.tag, firsts[first], end - first, length), (first, own))
        if _screens_differ(other, own) and firsts[start : start + end - first] == firsts[first:end]:
            yield from (block for block in range(first, end) if is_text[block] and is_text[start + block - first])


def _copies(page: PlacedPage, firsts: list[int], blocks: Sequence[int]) -> list[int]:
    """Return the hidden or quoted blocks that repeat a plain block, as replies in forums do."""
    path_of, is_hidden = page.columns.path_of, page.site.is_hidden
    if len({firsts[block] for block in blocks}) == len(blocks):
        return []
    among: tuple[list[int], list[int]] = [], []
    for block in blocks:
        among[is_hidden[path_of(block)]].append(block)
    others, hidden = among
    plain = {firsts[block] for block in others}
    return [block for block in hidden if firsts[block] in plain]


def _repeated(page: PlacedPage, firsts: list[int], blocks: Sequence[int]) -> list[int]:
    """Return the blocks that a second element repeats from a first, as a layer for printing does.

    The second element has a quarter of the text, different names, and hardly any text of its own. An excerpt, cut off
    before the end of the first, is repeated on purpose.
    """
    columns = page.columns
    lengths, before = columns.lengths, dict[int, int]()
    least = max(MIN_DOUBLE, MIN_COPY * sum([lengths[block] for block in blocks]))
    earlier = {block: first for block in blocks if (first := before.setdefault(firsts[block], block)) != block}
    if sum([lengths[block] for block in earlier]) < least:
        return []  # nearly all pages
    components = page.site.paths.components
    elements = [components[path] for path in columns.paths]
    earlier = {block: first for block, first in earlier.items() if _names_differ(columns, elements, first, block)}
    if sum([lengths[block] for block in earlier]) < least:
        return []
    found: list[int] = []
    end, left = 0, MAX_READINGS * len(blocks)
    for first, behind in zip(*blocks_within(columns), strict=True):
        inside = blocks[bisect_left(blocks, first) : bisect_left(blocks, behind)] if first >= end else ()
        left -= len(inside)
        if left < 0:
            break
        again = [block for block in inside if block in earlier and earlier[block] < first]
        length = sum([lengths[block] for block in again])
        if length < least or length < MOSTLY_COPIED * sum([lengths[block] for block in inside]):
            continue
        if not _breaks_off(columns, blocks, earlier[again[-1]], first):
            found += again
            end = behind
    return found


def _names_differ(columns: ReadPage, elements: Sequence[Component], first: int, second: int) -> bool:
    """Return True if the innermost different elements around two blocks are for different screens."""
    one, other = columns.elements[first], columns.elements[second]
    for _ in range(MAX_READINGS):
        if one == other or min(one, other) < 0:
            break
        if elements[one] != elements[other]:
            is_cell = elements[one].tag in CELLS or elements[other].tag in CELLS
            return not is_cell and _screens_differ(elements[one], elements[other])
        one, other = columns.parents[one], columns.parents[other]
    return False


def _breaks_off(columns: ReadPage, blocks: Sequence[int], last: int, end: int) -> bool:
    """Return True if the next block behind ``last``, before ``end``, goes on with the text of its element."""
    following = bisect_right(blocks, last)
    if following == len(blocks) or blocks[following] >= end:
        return False
    parents = [columns.parents[columns.elements[block]] for block in (last, blocks[following])]
    return parents[0] == parents[1]


def _screens_differ(one: Component, other: Component) -> bool:
    return one != other and not any(map(_STRIPE.search, set(one.names).symmetric_difference(other.names)))
