"""What a page's metadata say that it is about."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.learners.visual.metadata import hints_of


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("<title> Storm\n hits </title>", ["Storm hits"], id="title"),
        pytest.param('<meta name="Description" content="Rain.">', ["Rain."], id="description, any case"),
        pytest.param(
            '<meta property="og:title" content="A"><meta name="twitter:description" content="B">',
            ["A", "B"],
            id="Open Graph and Twitter",
        ),
        pytest.param('<title>A</title><meta property="og:title" content="A">', ["A", "A"], id="repeats count"),
        pytest.param('<meta name="description"><meta name="description" content=" ">', [], id="empty ones"),
        pytest.param('<meta name="keywords" content="rain">', [], id="other metadata"),
        pytest.param("<svg><title>A drawing</title></svg>", [], id="the title of a drawing"),
    ],
)
def test_hints(head: str, expected: list[str]) -> None:
    assert hints_of(parse(f"<html><head>{head}</head><body><p>text</p></body></html>")) == expected
