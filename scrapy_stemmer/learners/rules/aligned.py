"""Which blocks of a page are in a text of it that another program or a person has made: aligned word by word."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from scrapy_stemmer.learners.rules.table import Floats

MOST = 0.5
"""A block is text when at least this share of its words is."""

RUN = 3
"""Words of a run that is looked up where a block is out of order."""

RUNS_FROM = 6
"""Words of a block that is long enough to be found by its runs."""

RUNS_FOUND = 0.8
"""A block out of order is text when this share of its runs is somewhere in the text."""

SHORT = 3
"""Words of a block that is found in any longer text by chance."""

NEAR = 30
"""Words between a short block and the text that goes on where it is."""


def shares_in(blocks: Sequence[Sequence[str]], text: Sequence[str]) -> Floats:
    """For each block of a page the share of its words that is in a text of the page.

    :param blocks: their words, in the order of the page.
    :param text: the words of the text.
    """
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    wanted = [numbers.setdefault(word, len(numbers)) for word in text]
    sizes = [len(block) for block in blocks]
    place = _places(page, wanted)
    shares = _in_order(sizes, place, len(wanted))
    _add_out_of_order(shares, sizes, page, _left(place, wanted))
    return shares


def _in_order(sizes: Sequence[int], place: Sequence[int], wanted: int) -> Floats:
    """For each block the share of its words in the longest sequence that the page and the text share.

    :param place: see :func:`_places`.
    :param wanted: the number of words of the text.
    """
    at = {gold: number for number, gold in enumerate(place) if gold >= 0}
    shares = []
    begin = 0
    for size in sizes:
        here = place[begin : begin + size]
        hits = [gold for gold in here if gold >= 0]
        is_doubtful = size <= SHORT and 0 < len(hits) < wanted
        if is_doubtful and not (len(hits) == size and _has_company(hits, begin, begin + size, at)):
            hits = []
        shares.append(len(hits) / max(size, 1))
        begin += size
    return np.array(shares, np.float64)


def _places(page: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """For each word of the page its place in the text, -1 for words that are not in the shared sequence."""
    place = [-1] * len(page)
    if page and wanted:
        for step in LCSseq.opcodes(page, wanted):
            if step.tag == "equal":
                place[step.src_start : step.src_end] = range(step.dest_start, step.dest_end)
    return place


def _has_company(hits: Sequence[int], begin: int, end: int, at: Mapping[int, int]) -> bool:
    """Whether a short block's words are one run of the text, the words beside which stand near the block too.

    Else they are words of a menu that the text happens to have, and the longest sequence to have no better place for.

    :param hits: the places of the block's words in the text.
    :param begin: the place of its first word on the page; ``end`` is that behind its last one.
    :param at: for places in the text that are in the shared sequence those on the page.
    """
    if hits[-1] - hits[0] != len(hits) - 1:
        return False
    before, after = at.get(hits[0] - 1), at.get(hits[-1] + 1)
    return (before is not None and begin - before <= NEAR) or (after is not None and after - end < NEAR)


def _left(place: Sequence[int], wanted: Sequence[int]) -> set[tuple[int, ...]]:
    """The runs of the text that no block has in order: what stands twice on a page is wanted once."""
    found = set(place)
    starts = range(len(wanted) - RUN + 1)
    return {tuple(wanted[at : at + RUN]) for at in starts if not found.issuperset(range(at, at + RUN))}


def _add_out_of_order(
    shares: Floats, sizes: Sequence[int], page: Sequence[int], left: Collection[tuple[int, ...]]
) -> None:
    """Raise the shares of long blocks whose runs of words are in the text, but at another place.

    :param left: see :func:`_left`.
    """
    begin = 0
    for number, size in enumerate(sizes):
        if shares[number] < MOST and size >= RUNS_FROM:
            runs = [tuple(page[at : at + RUN]) for at in range(begin, begin + size - RUN + 1)]
            found = sum(run in left for run in runs) / len(runs)
            if found >= RUNS_FOUND:
                shares[number] = found
        begin += size
