"""Templates by example: letters stand for elements, a page is a sequence of letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
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
