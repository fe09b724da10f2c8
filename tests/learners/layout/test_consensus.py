"""The sequence of features that pages share."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.layout.alignment import Runs
from scrapy_stemmer.learners.layout.consensus import consensus
from tests.strategies import runs


def pages(*sequences: str) -> list[Runs]:
    """A run of weight 10 for each letter."""
    return [Runs(tuple(map(ord, s)), (10,) * len(s), tuple(range(len(s) + 1))) for s in sequences]


def common(share: float, *sequences: str) -> str:
    return "".join(map(chr, consensus(pages(*sequences), share)))


@pytest.mark.parametrize(
    ("share", "sequences", "expected"),
    [
        pytest.param(1.0, [], "", id="no pages"),
        pytest.param(1.0, ["abc"], "abc", id="one page"),
        pytest.param(1.0, ["abc", "abc"], "abc", id="equal pages"),
        pytest.param(1.0, ["abc", "axc"], "ac", id="what all have"),
        pytest.param(0.5, ["abc", "ac"], "abc", id="what half of them have, in its place"),
        pytest.param(0.5, ["ac", "abc"], "abc", id="whichever comes first"),
        pytest.param(0.6, ["abc", "ac", "abc"], "abc", id="two of three"),
        pytest.param(0.7, ["abc", "ac", "abc"], "ac", id="not two of three"),
        pytest.param(0.0, ["ab", "cd"], "abcd", id="anything that one has"),
        pytest.param(1.0, ["aba", "aca"], "a", id="neighbours that become equal are one"),
        pytest.param(1.0, ["ab", "cd"], "", id="nothing in common"),
        pytest.param(1.0, ["abc", ""], "", id="a page without blocks has nothing"),
    ],
)
def test_consensus(share: float, sequences: list[str], expected: str) -> None:
    assert common(share, *sequences) == expected


@given(st.lists(runs(), max_size=4), st.sampled_from((0.0, 0.5, 1.0)))
def test_neighbours_differ(sample: list[Runs], share: float) -> None:
    features = consensus(sample, share)
    assert all(a != b for a, b in pairwise(features))


@given(st.lists(runs(), min_size=1, max_size=4))
def test_what_all_pages_have_is_on_every_page(sample: list[Runs]) -> None:
    assert all(set(consensus(sample, 1.0)) <= set(page.features) for page in sample)


@given(runs(), st.integers(1, 4))
def test_equal_pages_agree_on_themselves(page: Runs, copies: int) -> None:
    assert consensus([page] * copies, 1.0) == list(page.features)
