"""Paths as a tree of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.evidence.paths import ROOT, PagePaths, PathTree, tag_of


@pytest.mark.parametrize("component", ["div", "div#main", "div.wide", "div#main.wide", "div.a#b", "div.w-1/2"])
def test_the_element_name_of_a_component(component: str) -> None:
    assert tag_of(component) == "div"


def tree() -> tuple[PathTree, int]:
    """body/div#main/ul.list/li and the number of its last path."""
    paths = PathTree()
    last = ROOT
    for component in ("div#main", "ul.list", "li"):
        last = paths.child(last, component)
    return paths, last


def test_a_path_is_numbered_when_it_is_first_met() -> None:
    paths, last = tree()
    assert (last, len(paths)) == (3, 4)
    assert paths.child(2, "li") == 3
    assert paths.child(2, "p") == 4
    assert paths.rows == [(-1, "body"), (0, "div#main"), (1, "ul.list"), (2, "li"), (2, "p")]


def test_what_a_path_is() -> None:
    paths, last = tree()
    assert paths.text(last) == "body/div#main/ul.list/li"
    assert paths.line(last) == (0, 1, 2, 3)
    assert (paths.parent(last), paths.parent(ROOT)) == (2, -1)
    assert (paths.tag(last), paths.tag(2)) == ("li", "ul")


def test_what_lies_within_what() -> None:
    paths, last = tree()
    assert all(paths.is_within(last, path) for path in (0, 1, 2, 3))
    assert not paths.is_within(1, last)
    assert not paths.is_within(paths.child(ROOT, "li"), 1)


def test_suffixes_go_from_coarse_to_fine() -> None:
    paths, last = tree()
    assert paths.suffixes(last) == ["li*", "li", "ul.list/li", "div#main/ul.list/li"]
    assert paths.suffixes(1) == ["div*", "div#main", "body/div#main"]
    assert paths.suffixes(ROOT) == ["body*", "body"]


def test_a_page_s_own_paths_come_after_those_of_its_site() -> None:
    site, last = tree()
    page = PagePaths(site)
    assert page.child(2, "li") == last
    own = page.child(last, "b")
    assert (own, page.child(last, "b"), page.child(own, "i")) == (4, 4, 5)
    assert (page.is_known(last), page.is_known(own)) == (True, False)
    assert page.text(own) == "body/div#main/ul.list/li/b"
    assert (len(page), len(site)) == (6, 4)


def test_trees_of_the_same_paths_are_equal() -> None:
    site, last = tree()
    page = PagePaths(site)
    assert site == PathTree(site.rows) == page
    page.child(last, "b")
    assert site != page
    assert site != PathTree()
    assert site != "body"


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=8))
def test_numbers_stand_for_paths(lines: list[list[str]]) -> None:
    paths = PathTree()
    numbers = {}
    for line in lines:
        last = ROOT
        for component in line:
            last = paths.child(last, component)
        numbers[tuple(line)] = last
    assert len(set(numbers.values())) == len(numbers)
    assert all(paths.text(number) == "/".join(["body", *line]) for line, number in numbers.items())
    assert all(paths.parent(path) < path for path in range(len(paths)))
