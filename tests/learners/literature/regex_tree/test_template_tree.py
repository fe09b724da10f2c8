"""Templates by example, written as regular expressions: letters stand for elements, a page is a sequence of letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    CHOICE,
    GROUP,
    Item,
    fold_repeats,
    generalise,
)


def expression(items: Iterable[Item]) -> str:
    """Return a sequence of items as a regular expression, without the contents of elements."""
    return "".join(_written(item) for item in items)


def _written(item: Item) -> str:
    if item.name == GROUP:
        text = f"({expression(item.kids)})"
    elif item.name == CHOICE:
        text = f"({'|'.join(_written(kid) for kid in item.kids)})"
    else:
        text = item.name
    if item.star and item.optional:
        return f"({text}*)?"
    return text + ("*" if item.star else "") + ("?" if item.optional else "")


def page(letters: str) -> Item:
    """Return a body with empty elements of these names."""
    return Item("body", fold_repeats([Item(letter) for letter in letters]))


def learned(*pages: str) -> str:
    body = page(pages[0])
    for letters in pages[1:]:
        generalise(body, page(letters))
    return expression(body.kids)


def test_the_papers_example() -> None:
    """(A)*B(C)?D(E|F), section 2."""
    pages = ["ABCDE", "AABCDE", "ABDE", "ABDF", "ABCDF"]
    expected = ["ABCDE", "A*BCDE", "A*BC?DE", "A*BC?D(E|F)", "A*BC?D(E|F)"]
    assert [learned(*pages[: count + 1]) for count in range(5)] == expected


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
