"""Hints of elements around a block and their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.site.hints import (
    CONTAINERS,
    FAR,
    GROUPS,
    TAGS,
    WIDTH,
    PathFeatures,
    hints_of,
)
from scrapy_stemmer.learners.rules.site.paths import Component, Paths
from tests.learners.rules.made import path_of, paths


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
        ("comment", {"comment"}),
        ("comments-area", {"comment", "discussion"}),
        ("commentList", {"comment", "item", "discussion"}),
        ("read-more", {"related"}),
        ("x-next", {"navigation"}),
        ("newsroll", {"related"}),
        ("news-last", set()),
        ("last-news", {"related"}),
        ("otherNews", {"related"}),
        ("anons_lenta", {"related"}),
        ("weitereArtikel", {"related"}),
        ("leia-mais", {"related"}),
        ("sticker", set()),
        ("p-guide__vote", {"social"}),
        ("was-this-helpful", {"social"}),
        ("devoted", set()),
        ("right-column", {"sidebar"}),
        ("__next", set()),
        ("fullcomment", set()),
        ("shortcomment", set()),
        ("fullcommenttop", set()),
        ("fullcomments", {"comment", "discussion"}),
        ("left", {"sidebar"}),
        ("content-left", {"content", "sidebar"}),
        ("text-left", set()),
        ("lg:text-left", set()),
        ("text-md-right", set()),
        ("et_pb_align_left", set()),
        ("x-bottom", {"footer"}),
        ("article-border-bottom", {"content"}),
        ("padding-top-2", set()),
        ("float-leftmost", set()),
        ("x7", set()),
        ("", set()),
        ("日本", set()),
    ],
)
def test_names_and_their_hints(name: str, expected: set[str]) -> None:
    assert groups(name) == expected


def test_long_words_count_inside_longer_ones_and_short_words_as_whole_words_only() -> None:
    assert groups("xcommentsx") >= groups("comment")
    assert [groups(name) for name in ("adapter", "navy", "headed", "cartoon")] == [set()] * 4


@pytest.mark.parametrize("name", ["x-teaser", "myTeaser", "teaser_2", "TEASER", "teasers"])
def test_a_word_counts_in_camel_case_as_plural_and_beside_hyphens_and_numbers(name: str) -> None:
    assert groups(name) >= groups("teaser") > set()


@given(st.lists(st.sampled_from(["a", "7", "_", "s", "navs", "article", "commentary", "bodytexts"])).map("".join))
def test_letters_of_other_scripts_beside_a_name_make_no_difference(name: str) -> None:
    assert groups(f"{name}-\u65e5") == groups(f"X-{name}") == groups(name)


# The elements around the paths of a site


def levels(known: Paths, path: str) -> dict[str, int]:
    """Return the levels from a path up to its hinting ancestors."""
    number = path_of(known, path)
    row = PathFeatures(known).levels[number * WIDTH : (number + 1) * WIDTH]
    return {tag: level for tag, level in zip(CONTAINERS, row, strict=False) if level != FAR}


def test_levels_up_to_the_elements_around() -> None:
    known = paths("nav > ul > li > nav > p")
    assert levels(known, "body") == {}
    assert levels(known, "nav") == {"nav": 0}
    assert levels(known, "nav > ul > li") == {"nav": 2, "ul": 1}
    assert levels(known, "nav > ul > li > nav > p") == {"nav": 1, "ul": 3}


def test_the_tag_of_a_path_by_its_number() -> None:
    known = paths("div > p", "x-y")
    assert list(PathFeatures(known).tags) == [len(TAGS), TAGS.index("div"), TAGS.index("p"), len(TAGS)]


def test_names_hint_and_hide() -> None:
    known = Paths()
    known.child(-1, Component("body"))
    known.child(0, Component("p", hidden=True))
    known.child(0, Component("p", (".sr-only",)))
    hidden = PathFeatures(known).levels[WIDTH - 1 :: WIDTH]
    assert list(hidden) == [FAR, 0, 0]


def test_features_of_paths_grow_with_the_paths() -> None:
    known = paths("nav > p")
    found = PathFeatures(known)
    path_of(known, "nav > p > b")
    found.update()
    assert (found.tags, found.levels) == (PathFeatures(known).tags, PathFeatures(known).levels)
    assert len(PathFeatures(Paths()).tags) == 0


def test_no_level_is_further_than_the_furthest() -> None:
    known = paths("nav > " + " > ".join(["div"] * 300))
    assert max(PathFeatures(known).levels) == FAR
