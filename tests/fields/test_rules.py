"""Values found by rules of fields."""

from __future__ import annotations

import pytest

from scrapy_stemmer.fields.rules import MAX_READ_TEXT, FieldRule, text_before, values_of
from scrapy_stemmer.fields.selecting import finder
from scrapy_stemmer.page.document import parse


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("By <b>it</b>", "By"),
        ("<p>By</p> <div><b>it</b></div>", "By"),
        ("<p>A<i>By<u> </u></i><!-- no text --> </p><b>it</b>", "By"),
        ("<div>By<p> <b>it</b></p></div>", "By"),
        ("<p> </p><b>it</b>", ""),
    ],
)
def test_the_text_before_an_element_stands_anywhere_before_it(body: str, before: str) -> None:
    (element,) = finder("b")(parse(body))
    assert text_before(element) == before


@pytest.mark.parametrize("after", ["", "By"])
@pytest.mark.parametrize(
    ("body", "authors"),
    [
        ("By <b>Ann Lee</b> and <b>Bo Ek</b>", ("Ann Lee", "Bo Ek")),
        ("By <b>Ann Lee</b>, <b>Bo Ek</b> | Photo <b>Cy Orr</b>", ("Ann Lee", "Bo Ek")),
        ("By <b>Ann Lee</b> | Photo <b>Cy Orr</b> and <b>Bo Ek</b>", ("Ann Lee",)),
        ("Photo <b>Cy Orr</b> and <b>Bo Ek</b> | By <b>Ann Lee</b>", ("Ann Lee",)),
        ("Photo <b>Cy Orr</b> and <b>Bo Ek</b>", ()),
    ],
)
def test_authors_go_on_behind_words_that_join_them_and_photographers_do_too(
    body: str, authors: tuple[str, ...], after: str
) -> None:
    assert values_of(FieldRule("authors", "p > b", after=after), parse(f"<p>{body}</p>")) == authors


@pytest.mark.parametrize(("is_users", "tags"), [(True, ("alpha", "beta")), (False, ("alpha",))])
def test_a_rule_by_hand_takes_all_that_its_selector_does(is_users: bool, tags: tuple[str, ...]) -> None:
    body = parse("<p><a rel=tag class=t href=/a>alpha</a> <a class=t href=/b>beta</a></p>")
    assert values_of(FieldRule("tags", "a.t", is_users=is_users), body) == tags


@pytest.mark.parametrize("css", ["p ~ p ~ q", "*:not(:has(* *))", "div:has(p):has(q)"])
def test_selectors_that_would_take_minutes_are_refused(css: str) -> None:
    with pytest.raises(ValueError, match="would take minutes"):
        FieldRule("authors", css)


@pytest.mark.parametrize("css", ["h1 ~ p", "div:has(> time) span", "p[class~=a] ~ p[title~='x ~ y']"])
def test_selectors_of_siblings_and_of_what_they_hold_are_allowed(css: str) -> None:
    assert FieldRule("authors", css).selector == css


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        (FieldRule("authors", "span.by", is_users=True), "By Ann Lee"),
        (FieldRule("authors", "span.by", after="By"), "By Ann Lee"),
        (FieldRule("published", "span.by"), "3 May 2024"),
    ],
    ids=["authors by hand", "learned authors", "date"],
)
def test_nested_matches_share_a_page_and_are_read_only_at_their_beginning(rule: FieldRule, value: str) -> None:
    near, far = (
        parse(f"<p>{'<span class=by>' * 40}{'and 1 ' * words}{value}{'</span>' * 40}")
        for words in (0, MAX_READ_TEXT // len("and 1 ") + 1)
    )
    assert values_of(rule, near)
    assert not values_of(rule, far)
