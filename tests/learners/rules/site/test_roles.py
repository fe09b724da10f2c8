"""Roles of blocks, and kinds of pages."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.learners.rules.site.paths import MASK, Component, Paths
from scrapy_stemmer.learners.rules.site.roles import PathRoles, page_kind, role_of_names
from scrapy_stemmer.page.blocks import PageKind, Role
from scrapy_stemmer.page.shown import Head
from tests.learners.rules.made import of_texts, path_of, paths

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


def kind(*kept: Made, head: Head) -> PageKind:
    """Return the kind of a page of some blocks; texts in common with other pages are ``often``."""
    texts = [("a" if made.is_own else "often").ljust(made.length, "x")[: made.length] for made in kept]
    page = of_texts(texts, [made.linked for made in kept])
    page.count_pages({text_key(text) & MASK: 5 for text in texts if text.startswith("o")})
    return page_kind(page, range(len(page)), 5, head)


TEASER = [link(), text(TEXT * 4)]


@pytest.mark.parametrize(
    ("blocks", "is_article", "expected"),
    [
        pytest.param([text(), text()], False, PageKind.CONTENT, id="text"),
        pytest.param(TEASER * 3, False, PageKind.LIST, id="links with text behind them"),
        pytest.param([link(), link()], False, PageKind.LIST, id="nothing but links"),
        pytest.param(TEASER * 2, False, PageKind.CONTENT, id="two teasers"),
        pytest.param([text(TEXT * 60), *TEASER * 3], False, PageKind.CONTENT, id="teasers below a long text"),
        pytest.param([link("x"), *[text()] * 20] * 3, False, PageKind.CONTENT, id="a few links in much text"),
        pytest.param([link("work_mem"), text(TEXT * 12)] * 6, False, PageKind.CONTENT, id="terms with definitions"),
        pytest.param(TEASER * 3, True, PageKind.CONTENT, id="what calls itself an article"),
        pytest.param([link(), link()], True, PageKind.LIST, id="unless it has little but links"),
        pytest.param([text(), *[link(own=False)] * 9], False, PageKind.CONTENT, id="links that most pages have"),
        pytest.param(
            [*[link()] * 3, *[link(own=False), text(TEXT * 4)] * 4], False, PageKind.LIST, id="text behind such links"
        ),
        pytest.param([link(own=False)], False, PageKind.CONTENT, id="nothing of its own"),
        pytest.param([], False, PageKind.CONTENT, id="nothing"),
    ],
)
def test_pages_that_are_lists(blocks: list[Made], is_article: bool, expected: PageKind) -> None:
    assert kind(*blocks, head=Head(is_article=is_article)) is expected
    assert kind(*blocks, head=Head(is_product=True)) is PageKind.CONTENT


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
        ("div.lede > p", Role.MAIN),
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
        ("div.photo-caption", Role.CAPTION),
        ("ul.related > li", Role.RELATED),
        ("div.byline", Role.BYLINE),
        ("nav > ul > li", Role.TEMPLATE),
        ("div.sidebar > p", Role.TEMPLATE),
        ("div.sidebar > div.related", Role.TEMPLATE),
        ("div > p", Role.SUB),
        ("body", Role.SUB),
    ],
)
def test_what_is_no_text_amid_the_text(path: str, role: Role) -> None:
    assert of_other(path) is role


def test_what_the_role_of_other_text_depends_on_besides() -> None:
    assert of_other("div > p", is_inside=False) is Role.TEMPLATE
    assert of_other("figure > p", is_inside=False) is Role.CAPTION
    assert of_other("div > p", is_link=True) is Role.RELATED
    assert of_other("div.comments > p", is_link=True) is not Role.COMMENT
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
        ((), None),
    ],
)
def test_the_role_of_dropped_text_by_the_names_of_a_rule(names: tuple[str, ...], role: Role | None) -> None:
    assert role_of_names(names) is role
