"""Significant text and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.text import collapse, significant, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "", id="empty"),
        pytest.param(" \t\n—…!", "", id="punctuation only"),
        pytest.param("Hello, World!", "helloworld", id="lower-cased, spaces and punctuation dropped"),
        pytest.param("12_3", "12_3", id="digits and underscore count"),
        pytest.param("日本語です。", "日本語です", id="Japanese"),
        pytest.param("Ελλάδα Россия", "ελλάδαроссия", id="other scripts"),
    ],
)
def test_significant_text_is_letters_digits_and_underscores(text: str, expected: str) -> None:
    assert significant(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("The storm's eye", ["the", "storm", "s", "eye"], id="words"),
        pytest.param("日本語", ["日", "本", "語"], id="each Han character"),
        pytest.param("ひらカタ한글", list("ひらカタ한글"), id="each kana and Hangul character"),
        pytest.param("iPhone用ケース2", ["iphone", "用", "ケ", "ー", "ス", "2"], id="mixed scripts"),
        pytest.param("snake_case 3.14", ["snake_case", "3", "14"], id="underscores join, points part"),
    ],
)
def test_tokens_are_words_and_single_cjk_characters(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("  a \n\t b  ", "a b", id="runs and ends"),
        pytest.param("a\u00a0b\u3000c", "a b c", id="no-break and ideographic spaces"),
        pytest.param(" \n ", "", id="nothing but space"),
    ],
)
def test_collapse_makes_every_white_space_one_space(text: str, expected: str) -> None:
    assert collapse(text) == expected


@given(st.text(alphabet="abcÄÖ1_ ,.日本한", max_size=40))
def test_tokens_hold_the_significant_text(text: str) -> None:
    assert "".join(tokens(text)) == significant(text)


@given(st.text())
def test_collapse_twice_is_collapse_once(text: str) -> None:
    assert collapse(collapse(text)) == collapse(text)
