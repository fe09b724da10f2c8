"""Which blocks of a page are its text: blocks aligned with the gold text, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from benchmarks.scoring import WORD

MOST = 0.5
"""A block is text when at least this share of its words is."""

RUN = 3
"""Words of a run that is looked up where a block is out of order."""

RUNS_FROM = 6
"""Words of a block that is long enough to be found by its runs."""

RUNS_FOUND = 0.8
"""A block out of order is text when this share of its runs is somewhere in the gold text."""

OPTIONAL = 0.8
"""A block is left out when this share of its words is in the optional text."""


class Labels(NamedTuple):
    """What the gold text says of the blocks of a page.

    :param shares: for each block the share of its words that is gold.
    :param optional: for each block whether it is text that one reader wants and another does not; such blocks are
        neither trained on nor tested.
    """

    shares: NDArray[np.float64]
    optional: NDArray[np.bool_]

    @property
    def wanted(self) -> NDArray[np.bool_]:
        """For each block whether it is text of the page."""
        return self.shares >= MOST


def words_of(text: str) -> list[str]:
    """The words of a text, as they are scored."""
    return WORD.findall(text.lower())


def labels_of(texts: Sequence[str], gold: str, optional: str = "") -> Labels:
    """The labels of the blocks of a page.

    :param texts: the blocks' texts in the order of the page.
    :param gold: the text that is wanted.
    :param optional: text that may be there or not.
    """
    blocks = [words_of(text) for text in texts]
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    wanted = [numbers.setdefault(word, len(numbers)) for word in words_of(gold)]
    shares = _in_order([len(block) for block in blocks], page, wanted)
    _add_out_of_order(shares, [len(block) for block in blocks], page, wanted)
    either = set(words_of(optional))
    is_optional = [
        bool(block) and share < MOST and sum(word in either for word in block) >= OPTIONAL * len(block)
        for block, share in zip(blocks, shares.tolist(), strict=True)
    ]
    return Labels(shares, np.array(is_optional, bool))


def _in_order(sizes: Sequence[int], page: Sequence[int], wanted: Sequence[int]) -> NDArray[np.float64]:
    """For each block the share of its words in the longest sequence that the page and the gold text share."""
    hits = Counter[int]()
    owner = [number for number, size in enumerate(sizes) for _ in range(size)]
    if page and wanted:
        for step in LCSseq.opcodes(page, wanted):
            if step.tag == "equal":
                hits.update(owner[step.src_start : step.src_end])
    return np.array([hits[number] / max(size, 1) for number, size in enumerate(sizes)], np.float64)


def _add_out_of_order(
    shares: NDArray[np.float64], sizes: Sequence[int], page: Sequence[int], wanted: Sequence[int]
) -> None:
    """Raise the shares of long blocks whose runs of words are in the gold text, but at another place."""
    known = {tuple(wanted[at : at + RUN]) for at in range(len(wanted) - RUN + 1)}
    begin = 0
    for number, size in enumerate(sizes):
        if shares[number] < MOST and size >= RUNS_FROM:
            runs = [tuple(page[at : at + RUN]) for at in range(begin, begin + size - RUN + 1)]
            found = sum(run in known for run in runs) / len(runs)
            if found >= RUNS_FOUND:
                shares[number] = found
        begin += size
