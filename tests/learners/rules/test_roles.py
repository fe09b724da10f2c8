"""Results of a page: its kind, the roles of its blocks, and the confidence in its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.columns import Signatures
from scrapy_stemmer.learners.rules.confidence import (
    FEW_PAGES,
    ConfidenceSigns,
    Terms,
    confidence_of,
    confidence_weights,
    expected_f1,
)
from scrapy_stemmer.learners.rules.doubles import MIN_DOUBLE, doubles
from scrapy_stemmer.learners.rules.paths import Component, Paths, common_names
from scrapy_stemmer.learners.rules.roles import KindBlock, PathRoles, page_kind, role_of_names
from scrapy_stemmer.learners.rules.site import Placer
from scrapy_stemmer.page.blocks import PageKind, Role
from tests.learners.rules.made import columns, path_of, paths, prose

TEXT = "Some text of the page."


class Made(NamedTuple):
    """A block."""

    length: int
    linked: int
    is_own: bool


def text(said: str = TEXT, *, own: bool = True) -> Made:
    """A block without links."""
    return Made(len(said), 0, own)


def link(said: str = TEXT, *, own: bool = True) -> Made:
    """Return a block that is a link as a whole."""
    return Made(len(said), len(said), own)


def kind(*kept: Made, is_article: bool = False) -> PageKind:
    blocks = [KindBlock(made.length, made.linked, made.is_own, number) for number, made in enumerate(kept)]
    return page_kind(blocks, is_article=is_article)


class TestLists:
    def test_text_is_content(self) -> None:
        assert kind(text(), text()) is PageKind.CONTENT

    def test_links_with_text_behind_them(self) -> None:
        assert kind(*[link(), text(TEXT * 4)] * 3) is PageKind.LIST

    def test_nothing_but_links(self) -> None:
        assert kind(link(), link()) is PageKind.LIST

    def test_two_teasers_make_no_list(self) -> None:
        assert kind(*[link(), text(TEXT * 4)] * 2) is PageKind.CONTENT

    def test_teasers_below_a_long_text_make_no_list(self) -> None:
        assert kind(text(TEXT * 60), *[link(), text(TEXT * 4)] * 3) is PageKind.CONTENT

    def test_a_few_links_in_much_text_make_no_list(self) -> None:
        assert kind(*[link("x"), *[text()] * 20] * 3) is PageKind.CONTENT

    def test_what_calls_itself_an_article_is_a_list_only_when_it_has_little_but_links(self) -> None:
        teasers = [link(), text(TEXT * 4)] * 3
        assert kind(*teasers, is_article=True) is PageKind.CONTENT
        assert kind(link(), link(), is_article=True) is PageKind.LIST

    def test_links_that_most_pages_have_are_none_of_its_own(self) -> None:
        assert kind(text(), *[link(own=False)] * 9) is PageKind.CONTENT

    def test_text_behind_links_that_most_pages_have_counts(self) -> None:
        assert kind(*[link()] * 3, *[link(own=False), text(TEXT * 4)] * 4) is PageKind.LIST

    def test_a_page_with_nothing_of_its_own_is_content(self) -> None:
        assert kind(link(own=False)) is kind() is PageKind.CONTENT


BLOCKS = st.builds(Made, length=st.integers(1, 400), linked=st.integers(0, 400), is_own=st.booleans())


@given(st.lists(BLOCKS, max_size=6), st.booleans())
def test_a_page_that_is_no_placeholder_is_content_or_a_list(kept: list[Made], is_article: bool) -> None:
    assert kind(*kept, is_article=is_article) in (PageKind.CONTENT, PageKind.LIST)


def of_text(path: str) -> Role:
    known = paths(path)
    return PathRoles(known).of_text(path_of(known, path))


def of_other(path: str, *, is_short: bool = True, is_link: bool = False, is_inside: bool = True) -> Role:
    known = paths(path)
    return PathRoles(known).of_other(path_of(known, path), is_short=is_short, is_link=is_link, is_inside=is_inside)


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("p", Role.MAIN),
        ("div.comments > p", Role.MAIN),
        ("pre", Role.CODE),
        ("div.highlight > pre > div", Role.CODE),
        ("table > tr > td", Role.TABLE),
        ("table > tr > td > p", Role.MAIN),
        ("table > caption", Role.TABLE),
        ("h2.standfirst", Role.SUBTITLE),
        ("div.dek", Role.SUBTITLE),
        ("div.lede > p", Role.MAIN),
        ("li.lede", Role.MAIN),
        ("body", Role.MAIN),
    ],
)
def test_text(path: str, role: Role) -> None:
    assert of_text(path) is role


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("div.comments > p", Role.COMMENT),
        ("figure > figcaption", Role.CAPTION),
        ("figure > div", Role.CAPTION),
        ("div.photo-caption", Role.CAPTION),
        ("ul.related > li", Role.RELATED),
        ("div.byline", Role.BYLINE),
        ("nav > ul > li", Role.TEMPLATE),
        ("footer > p", Role.TEMPLATE),
        ("div.sidebar > p", Role.TEMPLATE),
        ("div.share", Role.TEMPLATE),
        ("div.sidebar > div.related", Role.TEMPLATE),
        ("div > p", Role.SUB),
        ("body", Role.SUB),
    ],
)
def test_what_is_no_text_amid_the_text(path: str, role: Role) -> None:
    assert of_other(path) is role


def test_what_stands_outside_of_the_text_is_template() -> None:
    assert of_other("div > p", is_inside=False) is Role.TEMPLATE
    assert of_other("figure > p", is_inside=False) is Role.CAPTION


def test_a_link_amid_the_text_leads_to_something_related() -> None:
    assert of_other("div > p", is_link=True) is Role.RELATED
    assert of_other("div.comments > p", is_link=True) is not Role.COMMENT


def test_long_text_is_no_byline() -> None:
    assert of_other("div.byline", is_short=False) is not Role.BYLINE


def test_paths_of_any_depth() -> None:
    known = Paths()
    path = known.child(-1, Component("body"))
    for name in [".comments", *[""] * 5_000]:
        path = known.child(path, Component("div", (name,) if name else ()))
    roles = PathRoles(known)
    assert roles.of_other(path, is_short=True, is_link=False, is_inside=True) is Role.COMMENT
    assert roles.of_text(path) is Role.MAIN


@pytest.mark.parametrize(
    ("names", "role"),
    [
        ((".comments",), Role.COMMENT),
        ((".wp-caption-text",), Role.CAPTION),
        ((".related-posts",), None),
        ((".teaser-list",), Role.RELATED),
        ((".author-box",), Role.BYLINE),
        ((".x",), None),
        ((), None),
    ],
)
def test_the_role_of_dropped_text_by_the_names_of_a_rule(names: tuple[str, ...], role: Role | None) -> None:
    assert role_of_names(names) is role


# Confidence in a stripped page


SURE = 12.0


@pytest.mark.parametrize(
    ("odds", "is_text", "lengths", "f1"),
    [
        ([SURE], [True], [10], 1.0),
        ([SURE, -SURE], [True, False], [10, 90], 1.0),
        ([0.0], [True], [10], 2 / 3),
        ([SURE, SURE], [True, False], [10, 10], 2 / 3),
        ([-SURE], [False], [10], 0.0),
        ([], [], [], 0.0),
    ],
)
def test_the_f1_that_the_probabilities_let_expect(
    odds: list[float], is_text: list[bool], lengths: list[int], f1: float
) -> None:
    assert expected_f1(odds, is_text, lengths) == pytest.approx(f1, abs=1e-4)


WEIGHTS = Terms(base=-1.0, expected=1.5, unknown=-0.25, few=-1.0)


def sure(f1: float, similarity: float = 1.0, pages: int = FEW_PAGES) -> float:
    """Return the confidence by fixed weights, independent of training."""
    return confidence_of(ConfidenceSigns(f1, similarity, pages), WEIGHTS)


def test_the_better_a_page_is_expected_to_be_the_surer() -> None:
    found = [sure(f1) for f1 in (0.1, 0.5, 0.9, 0.95, 0.98)]
    assert found == sorted(set(found))
    assert sure(0.99) == sure(1.0)


def test_few_pages_and_text_where_no_learned_page_had_any_speak_against_a_page() -> None:
    fair = sure(0.92)
    assert sure(0.92, pages=1) < sure(0.92, pages=FEW_PAGES - 1) < fair
    assert sure(0.92, 0.0) < sure(0.92, 0.5) < fair
    assert sure(0.92, pages=99) == fair


def test_a_page_unlike_the_learned_ones_is_trusted_where_the_scorer_is_sure() -> None:
    assert sure(0.999, 0.0) == sure(0.999, 1.0)


ROWS = st.lists(st.tuples(st.floats(-700, 700), st.booleans(), st.integers(1, 10**6)), min_size=1, max_size=5)


@given(ROWS, st.floats(0, 1), st.integers(1, 50))
def test_any_page_has_a_confidence_from_0_to_1(
    rows: list[tuple[float, bool, int]], similarity: float, pages: int
) -> None:
    odds, is_text, lengths = (list(column) for column in zip(*rows, strict=True))
    assert 0.0 <= confidence_of(ConfidenceSigns(expected_f1(odds, is_text, lengths), similarity, pages)) <= 1.0


@pytest.mark.parametrize("f1", [0.3, 0.9, 0.99])
def test_a_page_alone_is_trusted_as_one_that_was_learned_from_itself(f1: float) -> None:
    assert confidence_of(ConfidenceSigns(f1, 0.0, 0)) == confidence_of(ConfidenceSigns(f1, 1.0, 1))


@given(st.tuples(st.floats(0, 1), st.floats(0, 1)), st.floats(0, 1), st.integers(0, 20), st.integers(0, 20))
def test_with_the_shipped_weights_more_never_makes_less_sure(
    f1s: tuple[float, float], similarity: float, pages: int, more: int
) -> None:
    """More means a higher expected F1, more learned pages (none for the page itself), or more known text."""
    low, high = sorted(f1s)
    least = confidence_of(ConfidenceSigns(low, similarity, pages))
    assert least <= confidence_of(ConfidenceSigns(high, similarity, pages))
    assert least <= confidence_of(ConfidenceSigns(low, 1.0, max(1, pages) + more))


def test_weights_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"provenance": {}, "weights": WEIGHTS._asdict()}), encoding="utf-8")
    assert confidence_weights(path) == WEIGHTS


# Repeated blocks

TWICE = f"<p>{prose('ferry', 5)}</p><p>{prose('ferry', 6)}</p>"
LONG = f"<p>{prose('gull', 40) * 5}</p>"  # so that the rest is less than a quarter of the page
DESKTOP, MOBILE = f"<div class='hero wide'>{TWICE}</div>", f"<div class=hero-mobile>{TWICE}</div>"


def numbers(html: str, *dropped: int) -> list[int]:
    """Return the numbers of the repeated blocks, when all but some are text."""
    signatures = Signatures()
    page = columns(html, signatures)
    placer = Placer(common_names([page], list(signatures)))
    is_text = [block not in dropped for block in range(len(page.texts))]
    return doubles(page, placer.place(page, list(signatures)), placer.paths.components, is_text)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (DESKTOP + MOBILE, [2, 3]),
        (DESKTOP + "<p>Between</p>" + MOBILE, [3, 4]),
        (DESKTOP + MOBILE + f"<div class=print>{TWICE}</div>", [2, 3, 4, 5]),
        (f"<section>{DESKTOP}{MOBILE}</section>", [2, 3]),
        (DESKTOP + DESKTOP, []),  # on purpose
        (f"{DESKTOP}<section>{MOBILE}</section>{LONG}", []),  # not beside each other
        (f"{DESKTOP}<section class=hero-mobile>{TWICE}</section>{LONG}", []),
        (f"{DESKTOP}<div class=hero-mobile>{TWICE}<p>More</p></div>{LONG}", []),
        (f"{DESKTOP}<div class=hero-mobile>{TWICE[:-4]}!</p></div>", []),
        ("<div class=a>Add to cart</div><div class=b>Add to cart</div>", []),
        (f"<div class=row-odd>{TWICE}</div><div class=row-even>{TWICE}</div>", []),
        (f"<table><tr class=a><td>{TWICE}<tr class=b><td>{TWICE}</table>", []),
        ("", []),
    ],
)
def test_of_two_elements_for_other_screens_the_second_is_left_out(html: str, expected: list[int]) -> None:
    assert numbers(html) == expected


def test_what_is_text_in_one_of_them_alone_stays() -> None:
    assert numbers(DESKTOP + MOBILE, 0) == [3]
    assert numbers(DESKTOP + MOBILE, 3) == [2]


SAID, REPLY = prose("ferry", 5), f"<div>{prose('ferry', 6)}</div>"
POST, QUOTE = f"<div>{SAID}</div>", f"<blockquote><cite>Marta wrote</cite><div>{SAID}</div></blockquote>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (POST + QUOTE + REPLY, [2]),
        (POST + QUOTE + REPLY + QUOTE, [2, 5]),
        (f"{POST}<blockquote>{QUOTE}{REPLY}</blockquote>", [2]),  # a quote in a quote
        (f"<blockquote>{SAID}</blockquote>{REPLY}{POST}", [0]),  # a passage set apart
        (f"{POST}<div hidden>{REPLY}<p>{SAID}</p></div>", [2]),
        (f"<div class=d-none>{POST}</div><section>{POST}</section>", [0]),
        (f"<div class='d-none d-md-block'>{SAID}</div><div class=d-md-none>{SAID}</div>", [1]),  # not both
        (f"<div class=d-none>{SAID}</div><section hidden>{SAID}</section>", [1]),  # two screens
        (QUOTE + REPLY + QUOTE, []),  # repeated without a speaker on the page
        (POST + REPLY + POST, []),
        (f"<div>{SAID} More.</div>{QUOTE}", []),
        (f"{POST}<p>I agree</p><blockquote><p>I agree</p><p>{SAID}</p></blockquote>", [3]),
    ],
)
def test_what_quotes_and_hidden_elements_say_again_is_left_out(html: str, expected: list[int]) -> None:
    assert numbers(html) == expected


def test_quotes_of_what_is_no_text_stay() -> None:
    assert numbers(POST + QUOTE, 0) == []
    assert numbers(POST + QUOTE, 2) == []


STORY = f"<h2>Ferry back</h2><p>{prose('ferry', 5)}</p><p>{prose('ferry', 6)}</p>"
SHORT_STORY = f"<h2>Ferry back</h2><p>{prose('ferry', 5)}</p>"
OTHERS = f"<div class=comments><p>{prose('gull', 4)}</p><p>{prose('gull', 5)}</p></div>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<div class=text>{STORY}</div><footer><div id=print-layer>{STORY}</div></footer>", [3, 4, 5]),
        (f"<div class=text>{STORY}</div>{OTHERS}<section class=mobile><div>{STORY}</div></section>", [5, 6, 7]),
        (f"<div class=text>{STORY}</div><div><div class=print><p>Source: The Heron</p>{STORY}</div></div>", [4, 5, 6]),
        # in several elements first
        (f"<h1>{prose('crane', 1)}</h1><div class=text>{STORY}</div><div><div class=b>{STORY}</div></div>", [4, 5, 6]),
        # copies of copies
        (
            f"<div>{STORY}</div>{''.join(f'<section class={n}><div>{STORY}</div></section>' for n in 'bc')}",
            [*range(3, 9)],
        ),
        # the slides of a carousel, repeated for a loop
        (f"<div class=slide>{STORY}</div><div><div class='slide cloned'>{STORY}</div></div>", [3, 4, 5]),
        # cells and striped rows
        (f"<table><tr class=a><td>{STORY}<tr class=b><td>{STORY}</table>", []),
        (f"<ul><li class=row-odd><div>{STORY}</div></li><li class=row-even><div>{STORY}</div></li></ul>", []),
        # a post sent twice, in elements of equal names
        (f"<div><div class=post>{STORY}</div></div>" * 2, []),
        # an excerpt
        (f"<div class=text>{STORY}</div><div><div class=summary>{SHORT_STORY}</div></div>", []),
        # less than a quarter of the text
        (f"<div class=text>{STORY}</div>{OTHERS * 5}<section><div>{STORY}</div></section>", []),
        # text of its own
        (f"<div class=text>{STORY}</div><section><div>{STORY}{OTHERS}</div></section>", []),
    ],
)
def test_what_an_element_under_another_name_has_from_one_before_it_is_left_out(html: str, expected: list[int]) -> None:
    assert sorted(numbers(html)) == expected


@pytest.mark.parametrize("length", [MIN_DOUBLE - 1, MIN_DOUBLE])
def test_little_text_is_no_double(length: int) -> None:
    html = "".join(f"<div class={name}>{'x' * length}</div>" for name in "ab")
    assert numbers(html) == [1] * (length >= MIN_DOUBLE)
