"""Webstemmer's own alignment, flaws included (algorithms §1.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.learners.layout.original import assign, collapsed, common_features, page_similarity
from tests import microexample


def blocks(features: str) -> list[LayoutBlock]:
    """A block of weight 1 for each letter."""
    return [LayoutBlock(feature, feature, feature, 1, 1) for feature in features]


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        pytest.param("", "", id="none"),
        pytest.param("aabba", "aba", id="neighbours only"),
    ],
)
def test_collapsed(features: str, expected: str) -> None:
    assert collapsed(features) == list(expected)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("abcd", "abcd", "abcd", id="equal"),
        pytest.param("abXcd", "abcd", "abcd", id="one more"),
        pytest.param("abc", "xyz", "", id="nothing"),
        pytest.param("xxabcabc", "abcxx", "abc", id="longest block first, where an LCS has as many or more"),
    ],
)
def test_common_features(first: str, second: str, expected: str) -> None:
    assert "".join(common_features(first, second)) == expected


@pytest.mark.parametrize(
    ("pattern", "page", "expected"),
    [
        pytest.param("abc", "abc", [0, 1, 2], id="one each"),
        pytest.param("abc", "abbbc", [0, 1, 1, 1, 2], id="a feature takes many blocks"),
        pytest.param("ab", "abxb", [0, 1, None, 1], id="also across others"),
        pytest.param("abc", "ac", [0, 2], id="a feature may stay empty"),
        pytest.param("ab", "b", [None], id="flaw: the first block fits the first feature only"),
        pytest.param("ab", "xb", [None, 1], id="the second block fits any"),
        pytest.param("", "ab", [None, None], id="empty pattern"),
        pytest.param("ab", "", [], id="empty page"),
    ],
)
def test_assign(pattern: str, page: str, expected: list[int | None]) -> None:
    assert assign(pattern, blocks(page)) == expected


@given(st.text("abc", max_size=6), st.text("abcd", max_size=8))
def test_assigned_blocks_have_the_feature_and_keep_the_order(pattern: str, page: str) -> None:
    owners = [(index, owner) for index, owner in enumerate(assign(pattern, blocks(page))) if owner is not None]
    assert all(pattern[owner] == page[index] for index, owner in owners)
    assert [owner for _, owner in owners] == sorted(owner for _, owner in owners)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(1, 2, 1.0, id="1 and 2"),
        pytest.param(1, 3, 287 / 301, id="1 and 3"),
        pytest.param(2, 3, 257 / 271, id="2 and 3"),
    ],
)
def test_the_similarities_of_the_micro_example(one: int, other: int, expected: float) -> None:
    assert page_similarity(microexample.blocks(one), microexample.blocks(other)) == pytest.approx(expected)


def test_pages_without_blocks_are_not_similar() -> None:
    assert page_similarity([], []) == 0.0
