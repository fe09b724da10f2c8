"""The name of a page without that of its site."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.evidence.head import Head
from scrapy_stemmer.core.evidence.titles import common_parts, own_title, parts_of


def named(title: str) -> Head:
    return Head({"title": title})


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Rain fell | Example News", ["Rain fell", "Example News"]),
        ("Rain fell - Weather - News", ["Rain fell", "Weather", "News"]),
        ("Docs » Install · Tool", ["Docs", "Install", "Tool"]),
        ("大雨|例", ["大雨", "例"]),
        ("大雨｜例", ["大雨", "例"]),
        ("A well-known fact", ["A well-known fact"]),
        ("12:30 and/or later", ["12:30 and/or later"]),
        ("| Rain |", ["Rain"]),
        ("", []),
    ],
)
def test_the_parts_of_a_title(title: str, parts: list[str]) -> None:
    assert parts_of(title) == parts


def test_common_parts_are_those_of_two_pages() -> None:
    heads = [named("Rain | News | News"), named("Snow | News"), named("Wind | Sport")]
    assert common_parts(heads) == {"News"}


COMMON = frozenset({"News", "Weather", "Storm warnings"})


@pytest.mark.parametrize(
    ("title", "own"),
    [
        ("Rain fell | News", "Rain fell"),
        ("News - Weather - Rain fell", "Rain fell"),
        ("Rain - Wind | News", "Rain - Wind"),
        ("Rain - Weather - Wind | News", "Rain - Weather - Wind"),
        ("Rain fell", "Rain fell"),
        ("News", "News"),
        ("News | Weather", "News | Weather"),
        ("Storm | Storm warnings", "Storm"),
        ("Storm warnings | Storm", "Storm"),
    ],
)
def test_common_parts_at_the_ends_are_left_out(title: str, own: str) -> None:
    assert own_title(named(title), COMMON) == own


def test_a_page_without_a_title() -> None:
    assert own_title(Head(), COMMON) is None
