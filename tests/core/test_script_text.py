"""Scripts that are JSON."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.core.script_text import LD_JSON, TYPES, json_in


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
    assert list(json_in([script(text)], (LD_JSON,), 1_000_000)) == values


def test_scripts_of_other_types_are_left_out() -> None:
    scripts = [script("1", "text/javascript"), script("2", "Application/JSON; charset=utf-8"), script("3")]
    assert list(json_in(scripts, TYPES, 100)) == [2, 3]
    assert list(json_in(scripts, (LD_JSON,), 100)) == [3]


def test_no_more_is_read_than_so_many_characters() -> None:
    assert list(json_in([script("11"), script("22"), script("33")], (LD_JSON,), 4)) == [11, 22]
