"""What is measured of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.reading import measures_of
from scrapy_stemmer.learners.rules.texts import CJK_LENGTH


@pytest.mark.parametrize(
    ("text", "length", "words", "ends", "commas", "digits"),
    [
        ("Rain", 4, 1, 0, 0, 0),
        ("Rain fell.", 9, 2, 1, 0, 0),
        ("One, two; three: 4!", 16, 4, 1, 3, 1),
        ("Wirklich? Größe 12", 16, 3, 1, 0, 2),
        ("¿Qué?", 5, 1, 1, 0, 0),
        ("ما هذا؟ نعم،", 10, 3, 1, 1, 0),
    ],
)
def test_measures(text: str, length: int, words: int, ends: int, commas: int, digits: int) -> None:
    found = measures_of(text)
    assert (found.length, found.words, found.ends, found.commas, found.digits) == (length, words, ends, commas, digits)


@pytest.mark.parametrize("text", ["雨が降った。", "大雨，地震。", "ฝนตก"])
def test_scripts_without_spaces_say_more_in_a_character(text: str) -> None:
    found = measures_of(text)
    letters = sum(character.isalpha() for character in text)
    assert letters < found.words
    assert found.length >= (CJK_LENGTH - 1) * letters


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("5 minutes ago", "17 Minutes AGO", True),
        ("Page 1 of 20", "Page 12 of 3", True),
        ("5", "17", False),
        ("2026-03-02", "2026-03-03", False),
        ("5 minutes ago", "5 hours ago", False),
        ("Rain", "rain", True),
    ],
)
def test_texts_that_return_but_for_their_numbers_have_one_key(one: str, other: str, same: bool) -> None:
    assert (measures_of(one).key == measures_of(other).key) is same


@given(st.text(min_size=1).map(lambda text: " ".join(text.split())).filter(bool))
def test_measures_are_sane(text: str) -> None:
    found = measures_of(text)
    assert found.length >= len(text) - text.count(" ")
    assert found.words >= 1
    assert min(found) >= 0
