"""Significant text and words; hashes and draws, equal in every process."""

from __future__ import annotations

import sys
import unicodedata
from itertools import permutations
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.page.elements import first_chars
from scrapy_stemmer.page.text import (
    UNWRITABLE,
    collapse,
    decomposed,
    drawn,
    file_name,
    has_word,
    significant,
    stable_hash,
    tokens,
    visible,
    writable,
)


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


def test_the_hash_is_written_down() -> None:
    """Patterns depend on these values: a change must be intended."""
    assert stable_hash("a", "b") == 0x235870420603E322


def test_hashes_differ_by_where_parts_end_by_their_order_and_by_text() -> None:
    parts = [("ab", "c"), ("a", "bc"), ("a", "b"), ("b", "a"), (), ("",), ("日",), ("本",)]
    assert len({stable_hash(*each) for each in parts}) == len(parts)


def test_a_draw_depends_on_the_seed_and_not_on_order_or_repeats() -> None:
    assert len({tuple(drawn([*order, order[0]], 2, seed=7)) for order in permutations("dbac")}) == 1
    names = [str(number) for number in range(50)]
    assert drawn(names, 10, seed=1) != drawn(names, 10, seed=2)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("news.example", "news.example"), ("a.example:8000", "a.example_8000"), ("a.example.", "a.example"),
        ("con", "_con"), ("CON.example", "_CON.example"), ("console", "console"), ("aux.txt", "_aux.txt"),
        ("com1", "_com1"), ("lpt\u00b9", "_lpt\u00b9"), ("com10", "com10"), ("nul ", "_nul"), ("..", "_"), ("", "_"),
        ('a\\b/c*d?e"f<g>h|i', "a_b_c_d_e_f_g_h_i"), ("a\0b\n", "a_b"),
    ],
)  # fmt: skip
def test_names_of_files_are_those_that_every_system_takes(name: str, file: str) -> None:
    assert file_name(name) == file


def test_long_names_differ_in_their_ends() -> None:
    assert len({file_name("x" * 100 + str(number)) for number in range(9)}) == 9
    assert max(len(file_name("x" * number)) for number in range(200)) < 100
    assert max(len(file_name("\U00020000" * number).encode()) for number in range(200)) < 200


@pytest.mark.parametrize(
    ("text", "has"), [("Top-Bar", True), ("a barb", True), ("BAR", True), ("ba r b", False), ("", False)]
)
def test_words_in_a_text(text: str, has: bool) -> None:
    assert has_word(text, (b"bar", b"foo-")) is has


def test_nothing_that_is_printed_controls_a_terminal() -> None:
    assert visible("a\ud800") == "a\\ud800", "UTF-8 has none"
    assert visible("a\u202eb\u2066c") == "a\\u202eb\\u2066c"
    assert visible("a\tb\n\x1b[2J\x9b\r日\x7f") == "a\tb\n\\u001b[2J\\u009b\\u000d日\\u007f"


@pytest.mark.parametrize("most", [0xFF, 0xFFFF, sys.maxunicode])
def test_unwritable_characters_of_any_width_are_removed(most: int) -> None:
    every = "".join(map(chr, range(most + 1)))
    assert writable(every) == UNWRITABLE.sub("", every)
    left_out = set(every[:0x300]) - set(writable(every))
    assert left_out == {each for each in every[:0x300] if category(each) == "Cc" and each not in "\t\n\r"}


@given(st.text(st.sampled_from("aé\u0301\u0323\u1100\u1161\uac00\ufb01\u0f71"), max_size=600))
def test_a_text_in_parts_has_the_letters_and_marks_of_the_whole(text: str) -> None:
    assert sorted(decomposed(text)) == sorted(unicodedata.normalize("NFKD", text))


def test_first_characters_are_taken_of_few_texts_without_a_look_at_later_ones() -> None:
    texts = iter(["abc", "defgh", "later"])
    assert first_chars(texts, 5, between=" ") == "abc de"
    assert next(texts) == "later"
    assert first_chars(iter("abcdef"), 5, 2) == "ab"
