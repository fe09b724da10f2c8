"""Blocks with text of a page: blocks aligned with the gold text, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.scoring import WORD
from scrapy_stemmer.learners.rules.learn.teaching import MIN_SHARE, shares_in

OPTIONAL = 0.8  # a block is left out when this share of its words is in the optional text


class Labels(NamedTuple):
    """Labels of a page's blocks by the gold text."""

    shares: NDArray[np.float64]  # for each block the gold share of its words
    # for each block True for text that only some readers want; such blocks are neither trained on
    # nor tested
    optional: NDArray[np.bool_]

    @property
    def wanted(self) -> NDArray[np.bool_]:
        """Return for each block True for text of the page."""
        return self.shares >= MIN_SHARE


def words_of(text: str) -> list[str]:
    """The words of a text, as they are scored."""
    return WORD.findall(text.lower())


def labels_of(texts: Sequence[str], gold: str, optional: str = "") -> Labels:
    """Return the labels of the blocks of a page.

    :param texts: the blocks' texts in the order of the page.
    :param gold: the wanted text.
    :param optional: text that may be there or not.
    """
    blocks = [words_of(text) for text in texts]
    shares = shares_in(blocks, words_of(gold))
    either = set(words_of(optional))
    is_optional = [
        bool(block) and share < MIN_SHARE and sum(word in either for word in block) >= OPTIONAL * len(block)
        for block, share in zip(blocks, shares.tolist(), strict=True)
    ]
    return Labels(shares, np.array(is_optional, bool))
