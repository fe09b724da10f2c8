"""Fields read through checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from scrapy_stemmer import PatternFileError
from scrapy_stemmer.patterns.record import Between, Record, Share

Read = Callable[[Record], Any]


@pytest.mark.parametrize(
    ("fields", "read", "expected"),
    [
        pytest.param({"a": "x"}, lambda r: r.text("a"), "x", id="text"),
        pytest.param({"a": "x"}, lambda r: r.optional_text("a"), "x", id="optional text"),
        pytest.param({}, lambda r: r.optional_text("a"), None, id="optional text: absent"),
        pytest.param({}, lambda r: r.whole("a", default=7), 7, id="whole number: absent"),
        pytest.param({"a": 0.5}, lambda r: r.number("a", least=0, most=1), 0.5, id="number"),
        pytest.param({"a": "[^0-9]+"}, lambda r: r.expression("a", None), "[^0-9]+", id="expression"),
        pytest.param({"a": None}, lambda r: r.expression("a", "x"), None, id="expression: null is a value"),
        pytest.param({}, lambda r: r.expression("a", "x"), "x", id="expression: absent"),
        pytest.param({"a": ["x", "y"]}, lambda r: r.texts("a"), ("x", "y"), id="texts"),
        pytest.param({}, lambda r: r.texts("a"), (), id="texts: absent"),
        pytest.param({"a": [1, None]}, lambda r: r.items("a"), [1, None], id="a list of whatever"),
        pytest.param({"a": {"b": "x"}}, lambda r: r.record("a").text("b"), "x", id="record"),
        pytest.param({}, lambda r: r.record("a").is_null("b"), True, id="record: absent is empty"),
        pytest.param({"a": [{"b": "x"}]}, lambda r: [e.text("b") for e in r.records("a")], ["x"], id="records"),
        pytest.param({"a": 1}, lambda r: ("a" in r, "b" in r), (True, False), id="in"),
    ],
)
def test_fields_are_read(fields: dict[str, Any], read: Read, expected: Any) -> None:
    found = read(Record(fields))
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("fields", "read", "field", "problem"),
    [
        pytest.param({}, lambda r: r.text("a"), "a", "is missing; it must be a text", id="missing"),
        pytest.param({"a": True}, lambda r: r.whole("a"), "a", "not true or false", id="true is no whole number"),
        pytest.param({"a": float("inf")}, lambda r: r.number("a"), "a", "finite number, not inf", id="infinite"),
        pytest.param({"a": 10**400}, lambda r: r.number("a"), "a", "finite number", id="too large for a number"),
        pytest.param({"a": 10**400}, lambda r: r.whole("a"), "a", "must be at most", id="too large for a count"),
        pytest.param(
            {"a": "(a+)+$"}, lambda r: r.expression("a", None), "a", "may take too long", id="a slow expression"
        ),
        pytest.param({"a": "("}, lambda r: r.expression("a", None), "a", "not a regular expression", id="expression"),
        pytest.param(
            {"a": "(" * 5000 + ")" * 5000},
            lambda r: r.expression("a", None),
            "a",
            "not a regular expression",
            id="an expression that is too deep",
        ),
        pytest.param({"a": []}, lambda r: r.record("a"), "a", "must be an object, not a list", id="not an object"),
        pytest.param(
            {"a": [1]}, lambda r: list(r.records("a")), "a[0]", "must be an object", id="not a list of objects"
        ),
        pytest.param(
            {"a": [{"b": 1}, {"b": {"c": None}}]},
            lambda r: [entry.record("b").text("c") for entry in list(r.records("a"))[1:]],
            "a[1].b.c",
            "must be a text, not null",
            id="deep inside",
        ),
    ],
)
def test_errors_name_the_field_and_what_to_do(fields: dict[str, Any], read: Read, field: str, problem: str) -> None:
    with pytest.raises(PatternFileError) as caught:
        read(Record(fields))
    assert caught.value.field == field
    assert problem in caught.value.message
    assert repr(field) in caught.value.message
    assert "delete the line and learn the site again" in caught.value.message


@pytest.mark.parametrize("value", [None, [], "x", 1, 1.5, True])
def test_a_line_must_be_an_object(value: Any) -> None:
    with pytest.raises(PatternFileError, match="the line must be an object") as caught:
        Record(value)
    assert caught.value.field is None


@dataclass(frozen=True)
class Point:
    x: float
    label: str = "p"


@dataclass(frozen=True)
class Shape:
    name: str
    sides: Annotated[int, Between(3)]
    opacity: Share = 1.0
    is_closed: bool = True
    centre: Point | None = None
    corners: tuple[Point, ...] = ()
    tags: tuple[str, ...] = ()
    words: frozenset[str] | None = None
    line: Annotated[str, ("solid", "dashed")] = "solid"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, Shape("a", 3), id="defaults"),
        pytest.param({"opacity": 1, "is_closed": False}, Shape("a", 3, 1.0, False), id="numbers and flags"),
        pytest.param({"centre": None, "words": None}, Shape("a", 3), id="null"),
        pytest.param({"centre": {"x": 1}}, Shape("a", 3, centre=Point(1.0)), id="a dataclass"),
        pytest.param(
            {"corners": [{"x": 1}, {"x": 2, "label": "q"}]}, Shape("a", 3, corners=(Point(1.0), Point(2.0, "q")))
        ),
        pytest.param({"tags": ["x"], "words": ["y"]}, Shape("a", 3, tags=("x",), words=frozenset("y")), id="texts"),
        pytest.param({"line": "dashed"}, Shape("a", 3, line="dashed"), id="one of some texts"),
        pytest.param({"other": 1}, Shape("a", 3), id="fields that it doesn't have"),
    ],
)
def test_a_dataclass_is_read_by_the_types_of_its_fields(given: dict[str, Any], expected: Shape) -> None:
    assert Record({"name": "a", "sides": 3, **given}).read(Shape) == expected


def test_what_is_given_is_not_read() -> None:
    assert Record({"sides": "many"}).read(Shape, name="b", sides=2) == Shape("b", 2)


@pytest.mark.parametrize(
    ("given", "field", "problem"),
    [
        ({"name": None}, "name", "must be a text, not null"),
        ({"sides": 2}, "sides", "must be at least 3, not 2"),
        ({"sides": 3.0}, "sides", "must be a whole number, not a number"),
        ({"opacity": 2}, "opacity", "must be between 0 and 1, not 2"),
        ({"is_closed": 1}, "is_closed", "must be true or false, not a whole number"),
        ({"centre": {}}, "centre.x", "is missing; it must be a number"),
        ({"corners": [{"x": 1}, {"x": "1"}]}, "corners[1].x", "must be a number, not a text"),
        ({"tags": [1]}, "tags[0]", "must be a text, not a whole number"),
        ({"words": "x"}, "words", "must be a list, not a text"),
        ({"line": "thin"}, "line", "must be one of solid, dashed, not 'thin'"),
    ],
)
def test_a_field_of_a_wrong_type_is_named(given: dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(PatternFileError) as caught:
        Record({"name": "a", "sides": 3, **given}).read(Shape)
    assert caught.value.field == field
    assert problem in caught.value.message


@dataclass(frozen=True)
class Counts:
    counts: tuple[int, ...]


def test_a_type_that_is_not_read_is_told_to_who_writes_the_class() -> None:
    with pytest.raises(TypeError, match="write to_record and from_record"):
        Record({"counts": [1]}).read(Counts)
