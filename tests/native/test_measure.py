"""The native measures of texts are those of plain Python, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.read_py import measures_of

native = pytest.importorskip("scrapy_stemmer._native.measure", exc_type=ImportError)

LETTERS = "aBzZ059.,;:!?-(éİ²٣।؟،“$€»…{{©ǅ \x00"
RARE = "日ก、。！\ud800\U0001f600"


@given(st.text(alphabet=LETTERS, max_size=12) | st.text(alphabet=LETTERS + RARE, max_size=12))
def test_the_same_is_measured(text: str) -> None:
    assert native.measures_of(text) == measures_of(text)


@pytest.mark.parametrize("text", ["", "a" * 3000, "A1 " * 1000 + "b", "12345", "abc1", "abcd1", "Read 5 more"])
def test_of_long_texts_and_numbers(text: str) -> None:
    assert native.measures_of(text) == measures_of(text)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError):
        native.measures_of(None)
