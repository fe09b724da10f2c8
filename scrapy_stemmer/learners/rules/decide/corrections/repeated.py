"""Repeated elements, dropped except for the first: for screens of two sizes, hidden, or quoted from the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import compress, count
from operator import ne

from scrapy_stemmer.learners.rules.decide.corrections.asides import is_forum
from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.paths import Component
from scrapy_stemmer.learners.rules.site.traits import APART

MIN_DOUBLE = 60  # characters of a repeated element, at least; fewer are a label or a price
CELLS = frozenset({"tr", "td", "th"})  # repeat texts on purpose
MIN_PULLED, MAX_PULLED = 25, 500  # characters of a quotation pulled from the text
NEAR = 20  # blocks between a quotation and the quoted sentence, at most
_WORDS = re.compile(r"\w+")
_STRIPE = re.compile(r"[^a-z](?:odd|even)(?![a-z])", re.IGNORECASE)


def repeated(view: View) -> list[int]:
    """Return the blocks of text repeated for a second screen, hidden or in a quote. Both places must be text."""
    if view.verdicts.said_again() < MIN_DOUBLE:
        return []  # nearly all pages
    first = dict(zip(reversed(view.texts), range(len(view.texts) - 1, -1, -1), strict=True))
    firsts = list(map(first.__getitem__, view.texts))
    seconds = set(_seconds(view, firsts))
    lengths = view.lengths
    left = [at for at in view.verdicts.kept if at not in seconds and lengths[at] >= MIN_DOUBLE]
    return [*sorted(seconds), *_copies(view, firsts, left)]


def _seconds(view: View, firsts: Sequence[int]) -> Iterator[int]:
    """Yield the blocks in the second of two elements for different screens.

    Both are siblings of equal tag and text, but different names: ``d-none d-md-block`` and ``d-md-none``,
    ``hero-mobile`` and ``hero``. Intended repetitions, as of a note in a manual, have equal names, but for the stripes
    of tables.

    :param firsts: the first block with the text of each block.
    """
    components, paths, parents, is_text = view.site.paths.components, view.page.paths, view.parents, view.is_text
    beside: dict[tuple[int, str, int, int, int], tuple[int, Component]] = {}
    twice = set(compress(firsts, map(ne, firsts, count())))
    is_twice = [*map(twice.__contains__, firsts), False]  # False behind the last block, for elements without blocks
    sizes, (starts, ends) = view.sizes, view.spans
    for element in compress(count(), map(is_twice.__getitem__, starts)):  # few elements
        if (length := sizes[ends[element]] - sizes[starts[element]]) < MIN_DOUBLE:
            continue
        blocks, own = view.within(element), components[paths[element]]
        if own.tag in CELLS:
            continue
        place = parents[element], own.tag, firsts[blocks.start], len(blocks), length
        start, other = beside.setdefault(place, (blocks.start, own))
        are_equal = firsts[start : start + len(blocks)] == firsts[blocks.start : blocks.stop]
        if start < blocks.start and _screens_differ(other, own) and are_equal:
            yield from (at for at in blocks if is_text[at] and is_text[start + at - blocks.start])


def _copies(view: View, firsts: Sequence[int], blocks: Sequence[int]) -> list[int]:
    """Return the hidden or quoted blocks that repeat a plain block, as replies in forums do."""
    if len({firsts[at] for at in blocks}) == len(blocks):
        return []
    hidden = {at for at in blocks if view.site.is_hidden[view.columns.path_of(at)]}
    plain = {firsts[at] for at in blocks if at not in hidden}
    return [at for at in blocks if at in hidden and firsts[at] in plain]


def pulled(view: View) -> list[int]:
    """Return the blocks of quotations pulled from the text: apart from the text, and a part of a block nearby."""
    apart = view.outermost(APART)
    kept = view.verdicts.kept if apart else []
    able = [at for at in kept if at in apart and MIN_PULLED <= view.lengths[at] <= MAX_PULLED]
    if not able or is_forum(view):
        return []
    plain = set(kept).difference(apart)
    near = {at: plain.intersection(range(at - NEAR, at + NEAR + 1)) for at in able}
    said = {each: _bare(view.texts[each]) for each in set().union(*near.values())}
    return [at for at in able if (own := _bare(view.texts[at])) and any(own in said[each] for each in near[at])]


def _bare(text: str) -> str:
    """Return the letters and digits of a text, with single spaces between words."""
    return " ".join(_WORDS.findall(text.casefold()))


def _screens_differ(one: Component, other: Component) -> bool:
    return one != other and not any(map(_STRIPE.search, set(one.names).symmetric_difference(other.names)))
