"""What blocks are called by the paths that they stand on."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.labels import Role
from scrapy_stemmer.learners.rules.roles import PathRoles, role_of_names
from scrapy_stemmer.learners.rules.sample import Component, Paths
from tests.learners.rules.made import path_of, paths


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
