"""What identifiers and class names hint at, and which look as if people had chosen them."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.names import GROUPS, WORDS, hints_of, looks_lasting, without_numbers


def groups(name: str) -> set[str]:
    bits = hints_of(name)
    return {group for number, group in enumerate(GROUPS) if bits >> number & 1}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("photo-caption", {"caption"}),
        ("photoCaption", {"caption"}),
        ("PHOTO", {"caption"}),
        ("articlebyline", {"content", "byline"}),
        ("x_sidebar", {"sidebar"}),
        ("x7", set()),
        ("", set()),
        ("日本", set()),
    ],
)
def test_names_and_their_hints(name: str, expected: set[str]) -> None:
    assert groups(name) == expected


@pytest.mark.parametrize("name", ["adapter", "navy", "headed", "cartoon"])
def test_short_words_count_as_whole_words_only(name: str) -> None:
    assert groups(name) == set()


def test_long_words_count_inside_longer_ones() -> None:
    assert groups("xcommentsx") >= groups("comment")


@pytest.mark.parametrize("word", sorted({word for words in WORDS.values() for word in words.split()}))
def test_every_word_counts_alone_in_camel_case_and_behind_a_hyphen(word: str) -> None:
    expected = {group for group, words in WORDS.items() if word in words.split()}
    for name in (word, f"x-{word}", f"my{word.capitalize()}", f"{word}_2", word.upper()):
        assert groups(name) >= expected


def test_a_plural_counts_as_its_word() -> None:
    assert groups("teasers") == groups("teaser")


@pytest.mark.parametrize("name", ["story", "col-md-4", "h1", "StoryBody", "wp-block-12", "postid"])
def test_names_that_look_chosen(name: str) -> None:
    assert looks_lasting(name)


@pytest.mark.parametrize("name", ["post-1234", "css-1x2y3z", "item123", "sc-bdVaJa2x"])
def test_names_that_look_made(name: str) -> None:
    assert not looks_lasting(name)


def test_a_zero_stands_for_each_number() -> None:
    assert without_numbers("post-17-of-4") == "post-0-of-0"
