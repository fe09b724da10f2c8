"""Templates by example: letters stand for elements, a page is a sequence of letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    TEXT_ITEM,
    Feature,
    Item,
    fold_repeats,
    generalise,
)
from tests.learners.literature.regex_tree.expressions import expression


def page(letters: str) -> Item:
    """Return a body with empty elements of these names."""
    return Item("body", fold_repeats([Item(letter) for letter in letters]))


def template(*pages: str) -> Item:
    body = page(pages[0])
    for letters in pages[1:]:
        generalise(body, page(letters))
    return body


def learned(*pages: str) -> str:
    return expression(template(*pages).kids)


def test_the_papers_example() -> None:
    """(A)*B(C)?D(E|F), section 2."""
    seen = ["ABCDE"]
    assert learned(*seen) == "ABCDE"
    for letters, expected in [
        ("AABCDE", "A*BCDE"),
        ("ABDE", "A*BC?DE"),
        ("ABDF", "A*BC?D(E|F)"),
        ("ABCDF", "A*BC?D(E|F)"),
    ]:
        seen.append(letters)
        assert learned(*seen) == expected


def test_pages_are_counted_at_each_item() -> None:
    a, b, c, d, choice = template("ABCDE", "AABCDE", "ABDE", "ABDF", "ABCDF").kids
    assert [item.support for item in (a, b, c, d, choice)] == [5, 5, 3, 5, 5]
    assert {item.name: item.support for item in choice.kids} == {"E": 3, "F": 2}


@pytest.mark.parametrize(
    ("letters", "folded"),
    [
        ("", ""),
        ("ABC", "ABC"),
        ("AA", "A*"),
        ("AABBBA", "A*B*A"),
        ("ABAB", "(AB)*"),
        ("ABABA", "(AB)*A"),
        ("XABCABCABCY", "X(ABC)*Y"),
        ("ABCDABCD", "(ABCD)*"),
        ("ABCDEABCDE", "ABCDEABCDE"),
        ("AABAAB", "(A*B)*"),
        ("ABBABBB", "(AB*)*"),
    ],
    ids=lambda value: value or "empty",
)
def test_folding(letters: str, folded: str) -> None:
    """Periods of one to four, shortest first; folded items may repeat again."""
    assert expression(page(letters).kids) == folded


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (("ABC", "ABC"), "ABC"),
        (("AC", "ABC"), "AB?C"),
        (("ABC", "ADC", "AEC"), "A(B|D|E)C"),
        (("ABCD", "AXD"), "A(B|X)C?D"),
        (("AXD", "ABCD"), "A(X|B)C?D"),
        (("AD", "ABBD"), "A(B*)?D"),
        (("ABABC", "ABC"), "(AB)*C"),
        (("ABC", "ABABC"), "(AB)*C"),
        (("ABC", "ABABC", "C"), "((AB)*)?C"),
        (("ABAB", "A"), "(AB?)*"),
        (("AXC", "AXXC", "AC"), "A(X*)?C"),
        (("AB", "CB", "CCB"), "(A|C*)B"),
        (("AB", "CB", "B"), "(A|C)?B"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else value,
)
def test_generalising(pages: Sequence[str], expected: str) -> None:
    assert learned(*pages) == expected


@given(st.lists(st.text(alphabet="ABC", max_size=8), min_size=1, max_size=5))
def test_a_template_fits_all_pages_that_it_was_learned_from(pages: list[str]) -> None:
    pattern = learned(*pages).replace("*", "+")
    assert [letters for letters in pages if not re.fullmatch(pattern, letters)] == []


@given(st.lists(st.text(alphabet="ABC", min_size=1, max_size=8), min_size=1, max_size=5))
def test_no_item_counts_more_pages_than_there_are(pages: list[str]) -> None:
    waiting = [template(*pages)]
    for item in waiting:
        assert 1 <= item.support <= len(pages)
        waiting += item.kids


def leaf(*texts: str) -> Item:
    return Item(TEXT_ITEM, features={Feature("text", text): 1 for text in texts})


def test_a_feature_counts_once_a_page() -> None:
    """Copies on a page count once, equal texts on further pages each."""
    pages = []
    for texts in (["Home", "News"], ["Home", "Home"], ["Home", "Sport"]):
        items = [Item("li", [leaf(text)]) for text in texts]
        pages.append(Item("ul", fold_repeats(items)))
    generalise(pages[0], pages[1])
    generalise(pages[0], pages[2])
    (star,) = pages[0].kids
    assert star.star
    assert star.kids[0].support == 3
    counts = {feature.value: pages for feature, pages in star.kids[0].features.items()}
    assert counts == {"Home": 3, "News": 1, "Sport": 1}


def test_elements_are_merged_to_any_depth() -> None:
    def chain(text: str) -> Item:
        item = leaf(text)
        for _ in range(20_000):
            item = Item("div", [item])
        return item

    first = chain("one")
    generalise(first, chain("two"))
    depth, item = 0, first
    while item.kids:
        depth, item = depth + 1, item.kids[0]
    assert (depth, item.support) == (20_000, 2)
    assert set(item.features) == {Feature("text", "one"), Feature("text", "two")}
