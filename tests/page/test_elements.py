"""Facts on elements, and the beginnings of their texts."""

from __future__ import annotations

from scrapy_stemmer.page.elements import first_chars


def test_first_characters_are_taken_without_a_look_at_later_texts() -> None:
    texts = iter(["abc", "defgh", "later"])
    assert first_chars(texts, 5, between=" ") == "abc de"
    assert next(texts) == "later"


def test_first_characters_come_from_a_number_of_texts_at_most() -> None:
    assert first_chars(iter("abcdef"), 5, 2) == "ab"
