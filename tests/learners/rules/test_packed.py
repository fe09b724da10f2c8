"""Sets of keys as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.packed import MASK, key_of, packed, unpacked

KEYS = st.frozensets(st.integers(0, MASK))


@given(KEYS)
def test_what_is_packed_is_unpacked(keys: frozenset[int]) -> None:
    assert unpacked(packed(keys)) == keys


@given(KEYS)
def test_a_set_has_one_text_of_four_characters_a_key(keys: frozenset[int]) -> None:
    assert packed(sorted(keys, reverse=True)) == packed(keys)
    assert len(packed(keys)) == 4 * len(keys)


@pytest.mark.parametrize("text", ["A", "AAAAA", "AAA=", "AA==", "!!!!", "日本日本", "AAAA AAAA", "AAAA\n"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - some are base64's own errors
        unpacked(text)


def test_nothing() -> None:
    assert (packed([]), unpacked("")) == ("", frozenset())


@given(st.text(), st.text())
def test_keys_are_small_whatever_they_are_of(one: str, other: str) -> None:
    assert 0 <= key_of(other, key_of(one)) <= MASK


def test_the_order_of_a_sequence_counts() -> None:
    assert key_of("b", key_of("a")) != key_of("a", key_of("b"))
    assert key_of("a") != key_of("a", key_of("b"))
