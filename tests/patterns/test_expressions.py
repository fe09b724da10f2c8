"""Regular expressions that are accepted, and end soon."""

from __future__ import annotations

import re

import pytest

from scrapy_stemmer.patterns.expressions import MAX_SEARCHED, bounded_expression

TAKEN = (
    "",
    "[^0-9]+",
    "(?<=x)[a-z]+",
    r"/\d{4}/\d{2}/.*",
    r"^https?://[^/]+/news/.*\.html",
    r"/(?:news|blog|politics)/[\w-]+/\d+",
    r"(?:[\w-]+/)+\d+",
    r"(?:/[^/]+)*\.html",
    r"(?:\d{1,3}\.){3}\d{1,3}",
    r"\?(?:.*&)?page=\d+",
    "(?i:/tag/)",
    "(a|b)+",
    r"/[^/?]+[/?]$",
    "^/a/.*/b/.*$",
    r"(?:[a-z]+)++\d",
    r"(?>[a-z]+)x",
    "(a)?(?(1)b|c)",
    r"(['\"]).+\1",
    r"\bfoo\b",
)

REFUSED = (
    "(a+)+$",
    "(a|aa)+$",
    "(.*a){20}",
    ".*X.*Y",
    "(?:a?){30}a{30}",
    "([a-z]+)*=",
    "(?:.*&)*page",
    r"\w+\d+\w+$",
    r"^(?:\w+\s?)*$",
    "(?=(a+)+$)",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?i)(?:[A-Z]+a)+!",
    "(?:x{0,9}y?){9}z",
)

TEXTS = [
    (unit * MAX_SEARCHED)[: MAX_SEARCHED - 1] + end
    for unit in ("a", "/", "1", "x", "-1", "/1", "/a", "a/", "/news/", "/a/b", "?page=&", "1.", "'a", "aX", "\t ")
    for end in ("!", "")
]
"""A text of which each part fits many expressions, and the whole few."""


@pytest.mark.slow
@pytest.mark.parametrize("expression", TAKEN)
def test_what_is_taken_is_what_re_makes_of_it_and_ends_soon(expression: str) -> None:
    """With a refused expression the test would not end."""
    taken = bounded_expression(expression)
    assert taken == re.compile(expression)
    for text in TEXTS:
        taken.search(text)
        list(taken.finditer(text))


@pytest.mark.parametrize("expression", REFUSED)
def test_what_may_take_too_long_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"may take too long on some texts\. Begin it with \^"):
        bounded_expression(expression)


@pytest.mark.parametrize("expression", ["(", "*", "[z-a]", "(?<=a+)b", "a{99999999999}"])
def test_what_is_no_expression_is_what_re_says(expression: str) -> None:
    with pytest.raises((re.error, OverflowError)):
        bounded_expression(expression)
