"""Repeated elements, of which the first is kept: for screens of two sizes, hidden, or quoted from the page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import accumulate, compress
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
    columns, lengths = page.columns, page.columns.lengths
    twice = {text for text, times in Counter(columns.texts).items() if times > 1}
    seconds = set(_seconds(columns, _elements(page), is_text, twice)) if _has_run_of(columns, twice) else set()
    left = [block for block in compress(range(len(columns)), is_text) if block not in seconds]
    copies = _copies(page, [block for block in left if lengths[block] >= MIN_DOUBLE])
    again = _repeated(page, sorted(set(left).difference(copies)))
    return [*sorted(seconds), *copies, *again]


def _elements(page: PlacedPage) -> list[Component]:
    components = page.site.paths.components
    return [components[path] for path in page.columns.paths]


def _has_run_of(columns: ReadPage, twice: Container[str]) -> bool:
    """Return True if :data:`MIN_DOUBLE` characters of repeated texts stand in a row."""
    length = 0
    for text, own in zip(columns.texts, columns.lengths, strict=True):
        length = length + own if text in twice else 0
        if length >= MIN_DOUBLE:
            return True
    return False


def _seconds(
    columns: ReadPage, elements: Sequence[Component], is_text: Sequence[bool], twice: Container[str]
) -> Iterator[int]:
    """Yield the blocks in the second of two elements for different screens.

    Both are siblings of equal tag and text, but different names: ``d-none d-md-block`` and ``d-md-none``,
    ``hero-mobile`` and ``hero``. Intended repetitions, as of a note in a manual, have equal names, but for the stripes
    of tables.
    """
    texts, before = columns.texts, list(accumulate(columns.lengths, initial=0))
    beside: dict[tuple[int, str, str, int, int], tuple[int, Component]] = {}
    for own, parent, first, end in zip(elements, columns.parents, *blocks_within(columns), strict=True):
        length = before[end] - before[first]
        if length < MIN_DOUBLE or texts[first] not in twice or own.tag in CELLS:
            continue
        start, other = beside.setdefault((parent, own.tag, texts[first], end - first, length), (first, own))
        if _screens_differ(other, own) and texts[start : start + end - first] == texts[first:end]:
            yield from (block for block in range(first, end) if is_text[block] and is_text[start + block - first])


def _copies(page: PlacedPage, blocks: Sequence[int]) -> list[int]:
    """Return the hidden or quoted blocks that repeat a plain block, as replies in forums do."""
    texts, path_of, is_hidden = page.columns.texts, page.columns.path_of, page.site.is_hidden
    if len({texts[block] for block in blocks}) == len(blocks):
        return []
    among: tuple[list[int], list[int]] = [], []
    for block in blocks:
        among[is_hidden[path_of(block)]].append(block)
    others, hidden = among
    plain = {texts[block] for block in others}
    return [block for block in hidden if texts[block] in plain]


def _repeated(page: PlacedPage, blocks: Sequence[int]) -> list[int]:
    """Return the blocks that a second element repeats from a first, as a layer for printing does.

    The second element has a quarter of the text, different names, and hardly any text of its own. An excerpt, cut off
    before the end of the first, is repeated on purpose.
    """
    columns = page.columns
    texts, lengths = columns.texts, columns.lengths
    firsts: dict[str, int] = {}
    least = max(MIN_DOUBLE, MIN_COPY * sum([lengths[block] for block in blocks]))
    earlier = {block: first for block in blocks if (first := firsts.setdefault(texts[block], block)) != block}
    if sum([lengths[block] for block in earlier]) < least:
        return []  # nearly all pages
    elements = _elements(page)
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
