"""Time of the package's regular expressions, at most in proportion to texts made against each expression."""

from __future__ import annotations

import ast
import re

import pytest

from tests.expressions import EXAMPLES, OF_USERS, Expression, Texts, calls, expressions, seconds

SHORT, LONG = 500, 4_000
"""Characters of the texts."""

MOST_GROWTH = 24
"""Highest ratio of times of a long and a short text: three times linear growth; quadratic growth gives 64."""

SOON = 0.0005
"""Seconds below which no text is suspicious; quadratic growth takes several times as long."""

AT_ONCE = 0.05
"""Seconds above which a short text is slow in itself, beyond quadratic growth."""

BOUNDED = {
    "fields.dates._WRITTEN": "the first 260 characters of a text are searched for dates",
    "fields.names._NO_NAME": "of 60 characters at most, as names are",
}
"""Expressions whose texts have a promised bound."""

PARTS = ("commands", "page", "writing", "crawl", "fields", "learners", "patterns", "report", "")


def growing(expression: Expression) -> tuple[str, str, str] | None:
    """Return the first text with growth beyond linear, if any."""
    texts = Texts(expression.compiled)
    for case in texts.cases():
        if any(seconds(expression, texts.text(case, length)) > AT_ONCE for length in (24, 250, SHORT)):
            return case
        short, long = texts.text(case, SHORT), texts.text(case, LONG)
        taken = seconds(expression, long)
        if taken < SOON or taken < MOST_GROWTH * seconds(expression, short):
            continue
        least = min(seconds(expression, short) for _ in range(5))
        if min(seconds(expression, long) for _ in range(5)) > max(SOON, MOST_GROWTH * least):
            return case
    return None


@pytest.mark.parametrize("part", PARTS)
def test_each_takes_time_in_proportion_to_a_text_that_is_made_against_it(part: str) -> None:
    others = tuple(f"{each}." for each in PARTS if each)
    found = {}
    for place, expression in expressions().items():
        is_of_part = place.startswith(f"{part}.") if part else not place.startswith(others)
        if is_of_part and place not in BOUNDED and (case := growing(expression)) is not None:
            found[place] = case
    assert not found


@pytest.mark.parametrize(
    "expression",
    [
        r'"@type"\s*:\s*\[?\s*"',
        r"profile\.php.*viewprofile",
        r"url\(\s*(?!data:)[^)]*\)",
        r"\s*x",
        r"<(\w+)[^<>]*>",
        "(a|a)+$",
        r"(\w+)[^<>]*>",
    ],
)
def test_an_expression_of_quadratic_time_is_found(expression: str) -> None:
    methods = frozenset({"search"})
    assert growing(Expression("here", re.compile(expression), methods)) is not None


def test_all_are_listed() -> None:
    """Built expressions stand in modules, come from users, or have an example here."""
    listed = {(each.compiled.pattern, each.compiled.flags) for each in expressions().values()}
    assert len(listed) > 150
    made = {(module, function) for module, function, call in calls() if not isinstance(call.args[0], ast.Constant)}
    assert {place for place in made if place[1]} == EXAMPLES.keys() | OF_USERS


def test_bounds_are_of_expressions_that_there_are() -> None:
    assert BOUNDED.keys() <= expressions().keys()
