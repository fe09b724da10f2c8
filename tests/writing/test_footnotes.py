"""Labels of footnotes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scrapy_stemmer.writing.footnotes import without_label


@pytest.mark.parametrize(
    ("line", "label", "rest"),
    [
        ("1. Rain", "1", "Rain"),
        ("^ [1] Rain", "1", "Rain"),
        (r"\[ 1 \] Rain", "1", "Rain"),
        (r"1\. Rain", "1", "Rain"),
        ("[] Rain", "1", "Rain"),
        ("[2] Rain", "1", "[2] Rain"),
        ("1.5 mm of rain", "1", "1.5 mm of rain"),
        ("a) (, ) : Rain", "a", "Rain"),
        ("Rain", "1", "Rain"),
    ],
)
def test_a_line_without_the_label_of_its_footnote(line: str, label: str, rest: str) -> None:
    assert without_label(line, label) == rest


@pytest.mark.parametrize(
    ("line", "is_link"),
    [
        ("javascript:a", True),
        ("1. JavaScript:a", True),
        (r"java\script:a \'b\'", True),
        ("vbscript:a (b)", True),
        ("https://a.example/", False),
        ("See: the river", False),
        ("Note:", False),
        ("a b:c", False),
    ],
)
def test_a_footnote_is_no_link_to_a_script_where_footnotes_are_unknown(line: str, is_link: bool) -> None:
    assert without_label(line, "1").startswith("\u200b") is is_link


def test_no_expression_is_made_for_a_label(monkeypatch: pytest.MonkeyPatch) -> None:
    """Markdown of a page with thousands of footnotes took ten times as long as without."""

    def compiled(*_: Any) -> Any:
        raise AssertionError("an expression is made")

    monkeypatch.setattr(re, "_compile", compiled)
    assert [without_label(f"{number}. a", str(number)) for number in range(3)] == ["a"] * 3
