"""What identifiers and class names hint at."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.evidence import names
from scrapy_stemmer.core.evidence.names import HIDDEN_NAMES, NEGATIVE, WORDS, Hint, NameHints


def hints(name: str, *classes: str, hidden: bool = False) -> int:
    return NameHints().of(name, classes, hidden=hidden)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("photo-caption", Hint.CAPTION),
        ("imageCaption", Hint.CAPTION),
        ("article_byline", Hint.BYLINE),
        ("articlebyline", Hint.BYLINE),
        ("RelatedArticles", Hint.RELATED),
        ("read-more", Hint.RELATED),
        ("teasers", Hint.RELATED),
        ("share-buttons", Hint.SOCIAL),
        ("comments", Hint.COMMENT),
        ("product-reviews", Hint.REVIEW),
        ("tags", Hint.NAVIGATION),
        ("breadcrumb", Hint.NAVIGATION | Hint.CHROME),
        ("siteNav", Hint.NAVIGATION | Hint.CHROME),
        ("article__standfirst", Hint.SUBTITLE),
        ("sr-only", Hint.HIDDEN),
        ("story-body", 0),
        ("wp-content", 0),
    ],
)
def test_names_and_their_hints(name: str, hint: int) -> None:
    assert hints("", name) == hint


@pytest.mark.parametrize("name", ["adapter", "navy", "sharepoint", "headline", "biology", "cardinal"])
def test_short_words_count_as_whole_words_only(name: str) -> None:
    assert hints("", name) == 0


@pytest.mark.parametrize("word", sorted({word for words in WORDS.values() for word in words.split()}))
def test_every_word_of_the_vocabulary_counts_alone_in_camel_case_and_behind_a_hyphen(word: str) -> None:
    expected = hints("", word)
    assert expected
    for name in (f"x-{word}", f"main{word.capitalize()}", f"{word}_2", word.upper()):
        assert hints("", name) == expected


def test_identifiers_and_class_names_add_up() -> None:
    assert hints("comments", "caption", "plain") == Hint.COMMENT | Hint.CAPTION


def test_hidden_by_attribute_or_by_a_name() -> None:
    assert hints("", hidden=True) == Hint.HIDDEN
    assert all(hints("", name.upper()) & Hint.HIDDEN for name in HIDDEN_NAMES)
    assert hints("hidden") == 0


@pytest.mark.parametrize("shown", ["md:block", "lg:flex", "sm:inline"])
def test_what_is_hidden_on_small_screens_only_is_not_hidden(shown: str) -> None:
    assert hints("", "hidden", shown) == 0
    assert hints("", "hidden", "mt-4") == Hint.HIDDEN


def test_subtitles_reviews_and_what_is_hidden_are_not_against_a_block_as_such() -> None:
    assert not NEGATIVE & (Hint.SUBTITLE | Hint.REVIEW | Hint.HIDDEN)
    assert all(NEGATIVE & hint for hint in (Hint.CAPTION, Hint.BYLINE, Hint.RELATED, Hint.SOCIAL, Hint.NAVIGATION))


def test_sites_with_a_name_for_each_page_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "MAX_KNOWN", 3)
    found = NameHints()
    assert {found.of("", [f"caption-{number}"], hidden=False) for number in range(20)} == {Hint.CAPTION}
    assert len(found._known) <= 3
