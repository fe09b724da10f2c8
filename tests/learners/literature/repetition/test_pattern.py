"""Common parts of patterns of hashes: the core of the template, the table, the written form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_stemmer import PatternFileError
from scrapy_stemmer.learners.literature.repetition.pattern import (
    DomHashPattern,
    Returning,
    ReturningPattern,
    ShinglePattern,
)
from scrapy_stemmer.patterns import codec

PAGES = 10


def common(*returning: tuple[int, int]) -> dict[str, Any]:
    """Return the fields of all kinds, with these hashes and their numbers of pages."""
    return {
        "site": "news.example",
        "name": "(all pages)",
        "support": PAGES,
        "score": 3.0,
        "site_wide": True,
        "returning": tuple(Returning(*entry) for entry in sorted(returning)),
    }


def both(*returning: tuple[int, int]) -> list[ReturningPattern]:
    return [DomHashPattern(**common(*returning)), ShinglePattern(**common(*returning), width=8)]


def test_the_core_is_what_nearly_as_many_pages_had_as_had_the_most_frequent() -> None:
    for pattern in both((1, 10), (2, 8), (3, 7), (4, 3)):
        assert pattern.core == {1, 2}
        assert pattern.hashes == {1, 2, 3, 4}


def test_similarity_is_the_share_of_the_core_that_a_page_has() -> None:
    for pattern in both((1, 10), (2, 8), (3, 7)):
        assert pattern.similarity({1, 2, 99}) == 1.0
        assert pattern.similarity({2, 3}) == 0.5
        assert pattern.similarity({3}) == 0.0


def record_of(pattern: ReturningPattern) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(codec.dumps([pattern]).split("\n")[1])
    return record


def loaded(record: dict[str, Any]) -> ReturningPattern:
    header = json.dumps({"format": codec.FILE_FORMAT, "version": codec.FILE_VERSION})
    pattern = codec.loads(f"{header}\n{json.dumps(record)}\n")[0]
    assert isinstance(pattern, ReturningPattern)
    return pattern


def test_hashes_are_written_by_number_of_pages_as_16_digits() -> None:
    for pattern in both((10, 3), (2**64 - 1, 10), (1, 3)):
        assert record_of(pattern)["returning"] == [
            {"pages": 10, "hashes": ["ffffffffffffffff"]},
            {"pages": 3, "hashes": ["0000000000000001", "000000000000000a"]},
        ]


WRONG: list[Any] = [
    ("returning", None, "returning"),
    ("returning", [{"pages": 0, "hashes": []}], "returning[0].pages"),
    ("returning", [{"pages": PAGES + 1, "hashes": []}], "returning[0].pages"),
    ("returning", [{"pages": 3, "hashes": ["0" * 16, "1"]}], "returning[0].hashes[1]"),
    ("returning", [{"pages": 3, "hashes": ["G" * 16]}], "returning[0].hashes[0]"),
    ("returning", [{"pages": 3, "hashes": [7]}], "returning[0].hashes[0]"),
    ("templates", [{"text": "Home", "pages": 0}], "templates[0].pages"),
    ("templates", [{"pages": 3}], "templates[0].text"),
]


@pytest.mark.parametrize(("field", "value", "place"), WRONG)
def test_a_wrong_field_is_named(field: str, value: object, place: str) -> None:
    for pattern in both((1, 3)):
        with pytest.raises(PatternFileError) as error:
            loaded({**record_of(pattern), field: value})
        assert (error.value.line, error.value.field) == (2, place)
