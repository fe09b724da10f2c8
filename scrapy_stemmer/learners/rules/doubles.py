"""Repeated elements, of which the first is kept: for screens of two sizes, hidden, or quoted from the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.paths import Component

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.site import PlacedPage

MIN_DOUBLE = 60  # characters of a repeated element, at least; fewer are a label or a price
CELLS = frozenset({"tr", "td", "th"})  # repeat texts on purpose
_STRIPE = re.compile(r"[^a-z](?:odd|even)(?![a-z])", re.IGNORECASE)


def doubles(page: PlacedPage, is_text: list[bool]) -> list[int]:
    """Return the blocks of text repeated for a second screen, hidden or in a quote, by number. Both places must be
    text."""
    lengths, firsts = page.columns.lengths, page.columns.firsts()
    seconds = set(_seconds(page, firsts, is_text))
    left = [block for block in compress(range(len(firsts)), is_text) if block not in seconds]
    copies = _copies(page, firsts, [block for block in left if lengths[block] >= MIN_DOUBLE])
    return [*sorted(seconds), *copies]


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


def _screens_differ(one: Component, other: Component) -> bool:
    return one != other and not any(map(_STRIPE.search, set(one.names).symmetric_difference(other.names)))
