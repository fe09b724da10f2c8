"""What identifiers and class names hint at."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_stemmer.core.evidence import names
from scrapy_stemmer.core.evidence.names import (
    HIDDEN_NAMES,
    NEGATIVE,
    WORDS,
    Hint,
    NameHints,
    Namer,
    _end_of_word,
    _hints_of_stems,
    _without_numbers,
    class_name,
    id_name,
)
from scrapy_stemmer.core.evidence.outline import Shape


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
        ("sub-headline", Hint.SUBTITLE),
        ("article_sub_title", Hint.SUBTITLE),
        ("by-line-date", 0),
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


class TestComponents:
    def test_a_component_has_the_names_that_count(self) -> None:
        shape = Shape("div", id="post-17", classes=("a", "b"), hidden=True)
        assert Namer(frozenset({"#post-0", ".b"})).component(shape) == "div#post-0.b.hidden!"
        assert Namer(frozenset()).component(shape) == "div.hidden!"

    @pytest.mark.parametrize("name", ["story", "col-md-4", "h1", "StoryBody", "wp-block-12"])
    def test_names_of_a_single_page_that_look_chosen_count(self, name: str) -> None:
        assert Namer(None).component(Shape("p", classes=(name,))) == f"p.{name}"

    @pytest.mark.parametrize("name", ["post-1234", "css-1x2y3z", "a1b2c3d", "StyledBox7Kd"])
    def test_those_that_look_made_for_it_do_not(self, name: str) -> None:
        assert Namer(None).component(Shape("p", classes=(name,))) == "p"

    def test_names_as_they_stand_in_components(self) -> None:
        assert (id_name("post-17"), class_name("b-2")) == ("#post-0", ".b-2")

    def test_a_namer_tells_the_component_and_the_hints(self) -> None:
        namer = Namer(frozenset({".caption"}))
        shape, hidden = Shape("p", id="share", classes=("caption", "x7")), Shape("p", hidden=True)
        assert (namer.component(shape), namer.hints(shape)) == ("p.caption", Hint.CAPTION | Hint.SOCIAL)
        assert (namer.component(hidden), namer.hints(hidden)) == ("p.hidden!", Hint.HIDDEN)

    def test_a_namer_can_forget_all_but_some(self) -> None:
        namer, kept = Namer(frozenset({".caption"})), Shape("p", classes=("caption",))
        shapes = [kept, *(Shape("p", classes=(f"caption-{number}",)) for number in range(9))]
        assert {namer.hints(shape) for shape in shapes} == {Hint.CAPTION}
        assert {namer.component(shape) for shape in shapes} == {"p", "p.caption"}
        namer.keep({kept})
        assert (set(namer._hints), set(namer._components)) == ({kept}, {kept})
        assert namer.hints(shapes[3]) == Hint.CAPTION

    def test_a_namer_forgets_when_there_is_no_end_of_names(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(names, "MAX_KNOWN", 3)
        namer = Namer(frozenset({".caption"}))
        shapes = [Shape("p", id=f"p{'x' * number}", classes=("caption",)) for number in range(20)]
        assert {(namer.component(shape), namer.hints(shape)) for shape in shapes} == {("p.caption", Hint.CAPTION)}
        shapes = [Shape("p", classes=(f"caption-{number}",)) for number in range(20)]
        assert {namer.component(shape) for shape in shapes} == {"p"}
        known = (namer._names._known, namer._components, namer._hints, namer._classes)
        assert all(len(kept) <= 3 for kept in known)


NAMES = st.text(alphabet="abcdefgh-_.0123456789XYé caption", max_size=30)


@given(NAMES, st.sampled_from(sorted(names._STEMS)), st.booleans())
@example("\U0010ffff", "caption", True)
def test_no_stem_is_missed_for_the_letters_that_it_begins_with(text: str, stem: str, before: bool) -> None:
    hint = names._STEMS[stem]
    assert _hints_of_stems((text + stem if before else stem + text).lower()) & hint == hint


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("xsub-headline", Hint.SUBTITLE),
        ("sub_title_", Hint.SUBTITLE),
        ("by-line", 0),
        ("news-letter", 0),
        ("xread-more", Hint.RELATED),
        ("read_more", 0),
        ("capt1on", 0),
        ("日本", 0),
        ("", 0),
    ],
)
def test_only_words_of_subtitles_count_in_parts_within_longer_ones(name: str, expected: int) -> None:
    assert _hints_of_stems(name) == expected


@given(st.text(alphabet="abzABZ019-_.:", max_size=20))
def test_the_words_of_a_name_are_found_as_by_the_expression(name: str) -> None:
    found = []
    start = 0
    while start < len(name):
        end = _end_of_word(name, start)
        found += [name[start:end]] if end > start else []
        start = max(end, start + 1)
    assert found == names._PARTS.findall(name)


@given(st.text(alphabet="ab-01²٣", max_size=20))
def test_a_zero_stands_for_each_number(name: str) -> None:
    assert _without_numbers(name) == re.sub(r"\d+", "0", name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("page.footer", Hint.NAVIGATION | Hint.CHROME, id="parted by a dot"),
        pytest.param("x:nav.ad", Hint.NAVIGATION | Hint.CHROME | Hint.SOCIAL, id="by two other characters"),
        pytest.param("..", 0, id="nothing but those"),
        pytest.param("PageFooter", Hint.NAVIGATION | Hint.CHROME, id="by case"),
    ],
)
def test_words_of_names_however_they_are_parted(name: str, expected: int) -> None:
    assert hints(name) == expected
