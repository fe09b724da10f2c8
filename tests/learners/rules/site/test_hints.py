"""Hints and traits of elements around a block and their names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.site import hints
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.site.hints import (
    CONTAINERS,
    FAR,
    GROUPS,
    WIDTH,
    PathFeatures,
    has_trait,
    hints_of,
    traits_in,
    traits_of,
)
from scrapy_stemmer.learners.rules.site.paths import Paths
from scrapy_stemmer.page.text import has_word
from tests.learners.rules.made import columns, path_of, paths


def groups(name: str) -> set[str]:
    bits = hints_of(name)
    return {group for number, group in enumerate(GROUPS) if bits >> number & 1}


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        ("caption", "photo-caption photoCaption PHOTO"),
        ("content byline", "articlebyline"),
        ("sidebar", "x_sidebar right-column left"),
        ("comment", "comment"),
        ("comment discussion", "comments-area fullcomments"),
        ("comment item discussion", "commentList"),
        ("related", "read-more newsroll last-news otherNews anons_lenta weitereArtikel leia-mais"),
        ("navigation", "x-next"),
        ("social", "p-guide__vote was-this-helpful"),
        ("content sidebar", "content-left"),
        ("footer", "x-bottom"),
        ("content", "article-border-bottom"),
        ("", "news-last sticker devoted __next fullcomment shortcomment fullcommenttop text-left lg:text-left 日本"),
        ("", "text-md-right et_pb_align_left padding-top-2 float-leftmost x7 adapter navy headed cartoon"),
    ],
)
def test_names_and_their_hints(expected: str, names: str) -> None:
    assert [name for name in names.split() if groups(name) != set(expected.split())] == []


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


def test_no_level_is_further_than_the_furthest() -> None:
    known = paths("nav > " + " > ".join(["div"] * 300))
    assert max(PathFeatures(known).levels) == FAR


# Traits of elements by tags and names


@pytest.mark.parametrize(
    ("trait", "names", "others"),
    [
        (hints.CONSENT, "onetrust-pc-sdk ot-desc-cntr CybotCookiebotDialog", "trusted-shop spot-desc cookie-recipe"),
        (hints.MAYBE_CONSENT, "cookie-bar GDPR sp_message_1", "cook trust"),
        (
            hints.COMMENTS,
            "comments comment-list commentsContainer post-comments disqus_thread",
            "comment comments-count",
        ),
        (hints.REVIEWS, "reviews product-reviews seo-reviews customerReviews yotpo-main bv-content", "review previews"),
        (hints.FORUM, "forum node-forum Forums", "informal reforum"),
        (hints.SALE, "add-to-cart addToBag product-form js-buybox order_button", "border-box cartoon buyer"),
        (hints.BOX, "author-box about-the-author ad ads-label Newsletter sign-up", "authority header padding ad1"),
        (hints.ERROR, "error-404 page404 not-found errorpage", "errors 404 found"),
    ],
)
def test_traits_by_name(trait: int, names: str, others: str) -> None:
    for name in names.split():
        assert traits_of(Signature("div", id=name)) & trait
        assert traits_of(Signature("div", classes=f"wide {name}")) & trait
    assert not any(traits_of(Signature("div", other, f"wide {other}")) & trait for other in others.split())


ASCII = st.characters(codec="ascii", exclude_categories=["Lu", "Cc", "Zs"])


@pytest.mark.parametrize("expression", hints._OF_NAMES.values())
@given(st.data())
def test_names_with_a_trait_have_a_telling_part(expression: re.Pattern[str], data: st.DataObject) -> None:
    name = data.draw(st.from_regex(expression, alphabet=ASCII))
    assert has_word(name, hints.PARTS_OF_NAMES)


def test_traits_of_a_page() -> None:
    page, other = columns("<aside id=forum>a", signatures := Signatures()), columns("<td>a", signatures)
    known = Signatures(signatures[:2])
    assert traits_in(known) == [0, hints.APART | hints.FORUM]
    known.number_of(signatures[2])
    found = [has_trait(known, page, trait) for trait in (hints.BOX, hints.APART, hints.BOX | hints.FORUM)]
    assert found == [False, True, True]
    assert not has_trait(known, other, hints.APART)
