"""Scripts that are JSON."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.page.scripts import html_in, json_in


def script(text: str, kind: str = "application/ld+json") -> etree._Element:
    element = etree.Element("script", type=kind)
    element.text = text
    return element


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('{"a": "one\ntwo"}', [{"a": "one\ntwo"}]),
        ('<!-- {"a": 1} -->', [{"a": 1}]),
        ('//<![CDATA[\n{"a": 1}\n//]]>', [{"a": 1}]),
        ('{"a": [1, 2,],};', [{"a": [1, 2]}]),
        ("{", []),
        ("", []),
        ("null", []),
        ("[" * 100_000, []),
        ("{" + " " * 300_000 + "x", []),
        (", " * 100_000, []),
    ],
    ids=range(11),
)
def test_json(text: str, values: list[object]) -> None:
    assert list(json_in([text], 1_000_000)) == values


def test_scripts_of_other_types_are_left_out() -> None:
    texts = [f'{{"text": "{"one two three " * 9}{number}"}}' for number in range(3)]
    scripts = [
        script(texts[0], "text/javascript"),
        script(texts[1], "Application/JSON; charset=utf-8"),
        script(texts[2]),
    ]
    assert html_in(scripts[:1], 10) is None
    assert all(html_in([each], 10) for each in scripts[1:])


def test_no_more_is_read_than_so_many_characters() -> None:
    assert list(json_in(["11", "22", "33"], 4)) == [11, 22]
