"""Windows of words: hashes, sampling, and the words covered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.repetition.pattern import (
    BASE,
    covered,
    fragment_hashes,
    in_sample,
    spans,
)
from scrapy_stemmer.page.text import stable_hash

MICRO = ["home news about alpha wins cup".split(), "home news about bravo lost game".split()]
"""The micro-example of algorithms §4."""

MASK = 2**64 - 1

WORDS = st.lists(st.sampled_from("abcde"), max_size=30)


@pytest.mark.parametrize(("width", "fragments", "span"), [(3, 1, [(0, 3)]), (2, 2, [(0, 3)]), (4, 0, [])])
def test_the_micro_example(width: int, fragments: int, span: list[tuple[int, int]]) -> None:
    """Three words give a fragment; two give two fragments of a common span; four give none."""
    pages = [fragment_hashes(words, width) for words in MICRO]
    frequent = np.intersect1d(pages[0], pages[1])
    assert len(frequent) == fragments
    for words, page in zip(MICRO, pages, strict=True):
        assert spans(covered(np.isin(page, frequent), width, len(words))) == span


def horner(values: list[int], width: int) -> list[int]:
    hashes = []
    for start in range(len(values) - width + 1):
        value = 0
        for word in reversed(values[start : start + width]):
            value = (value * BASE + word) & MASK
        hashes.append(value)
    return hashes


def mixed(value: int) -> int:
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = ((value ^ (value >> 33)) * factor) & MASK
    return value ^ (value >> 33)


@given(WORDS, st.integers(1, 12))
def test_prefix_sums_give_the_same_as_horners_rule(words: list[str], width: int) -> None:
    expected = [mixed(value) for value in horner([stable_hash(word) for word in words], width)]
    assert fragment_hashes(words, width).tolist() == expected


@given(WORDS, st.integers(1, 5))
def test_equal_windows_have_equal_hashes_and_others_have_not(words: list[str], width: int) -> None:
    windows = [tuple(words[start : start + width]) for start in range(len(words) - width + 1)]
    hashes = fragment_hashes(words, width).tolist()
    assert len(hashes) == len(windows)
    assert len(set(hashes)) == len(set(windows)) == len(set(zip(hashes, windows, strict=True)))


def test_hashes_are_the_same_for_ever() -> None:
    """They are kept in pattern files."""
    assert [f"{value:016x}" for value in fragment_hashes("home news about".split(), 3).tolist()] == ["1d9dd48b0473ef92"]


def test_a_text_shorter_than_a_window_has_none() -> None:
    assert fragment_hashes(["a", "b"], 3).tolist() == []
    assert covered(np.zeros(0, dtype=np.bool_), 3, 2).tolist() == [False, False]


@pytest.mark.parametrize("density", [0, 1])
def test_density_0_and_1_count_all(density: int) -> None:
    assert in_sample(np.array([1, 2, 3], dtype=np.uint64), density).all()


@given(WORDS, WORDS, st.integers(2, 5))
def test_a_fragment_is_counted_on_all_pages_or_on_none(one: list[str], other: list[str], density: int) -> None:
    """A fragment counts wherever it stands; sampling each D-th position would depend on the place."""
    fragments = [fragment_hashes(words, 2) for words in (one, other)]
    kept, left = set(), set()
    for of_page in fragments:
        chosen = in_sample(of_page, density)
        kept |= set(of_page[chosen].tolist())
        left |= set(of_page[~chosen].tolist())
    assert not kept & left


@pytest.mark.parametrize("density", [2, 4, 10])
def test_one_fragment_in_so_many_is_counted(density: int) -> None:
    fragments = fragment_hashes([str(number) for number in range(20_000)], 8)
    assert in_sample(fragments, density).mean() == pytest.approx(1 / density, rel=0.1)


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        pytest.param("10000", [(0, 3)], id="one"),
        pytest.param("11000", [(0, 4)], id="overlapping"),
        pytest.param("10010", [(0, 6)], id="touching"),
        pytest.param("10001", [(0, 3), (4, 7)], id="one word between them"),
        pytest.param("00000", [], id="none"),
        pytest.param("00001", [(4, 7)], id="at the end"),
    ],
)
def test_windows_of_three_that_overlap_or_touch_are_one_span(starts: str, expected: list[tuple[int, int]]) -> None:
    chosen = np.array([start == "1" for start in starts])
    assert spans(covered(chosen, 3, 7)) == expected


def test_a_wide_sample_leaves_no_holes_in_a_template() -> None:
    """At D = W / 4, two words in a hundred of a template are left out at most (algorithms §4: e^-4)."""
    words = [str(number) for number in range(20_000)]
    hashes = fragment_hashes(words, 32)
    assert covered(in_sample(hashes, 8), 32, len(words)).mean() > 0.98
