"""Windows of words: hashes, sampling, and the words covered."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_stemmer.learners.literature.repetition.pattern import (
    covered,
    fragment_hashes,
    in_sample,
    spans,
)

MICRO = ["home news about alpha wins cup".split(), "home news about bravo lost game".split()]
"""The micro-example of algorithms §4."""


@pytest.mark.parametrize(("width", "fragments", "span"), [(3, 1, [(0, 3)]), (2, 2, [(0, 3)]), (4, 0, [])])
def test_the_micro_example(width: int, fragments: int, span: list[tuple[int, int]]) -> None:
    """Three words give a fragment; two give two fragments of a common span; four give none."""
    pages = [fragment_hashes(words, width) for words in MICRO]
    frequent = np.intersect1d(pages[0], pages[1])
    assert len(frequent) == fragments
    for words, page in zip(MICRO, pages, strict=True):
        assert spans(covered(np.isin(page, frequent), width, len(words))) == span


def test_hashes_are_the_same_for_ever() -> None:
    """They are kept in pattern files."""
    assert [f"{value:016x}" for value in fragment_hashes("home news about".split(), 3).tolist()] == ["1d9dd48b0473ef92"]


def test_a_text_shorter_than_a_window_has_none() -> None:
    assert fragment_hashes(["a", "b"], 3).tolist() == []
    assert covered(np.zeros(0, dtype=np.bool_), 3, 2).tolist() == [False, False]


@pytest.mark.parametrize("density", [0, 1])
def test_density_0_and_1_count_all(density: int) -> None:
    assert in_sample(np.array([1, 2, 3], dtype=np.uint64), density).all()
