"""Items are read back as the same, or they are not written."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections import OrderedDict
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import attrs
import pydantic
import pytest
import scrapy
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.crawl.session.item_json import NotEncodable, dumps, loads


class AnItem(scrapy.Item):
    a = scrapy.Field()
    b = scrapy.Field()


@dataclass
class Strict:
    """A class that counts its instances: reading back must make none."""

    a: int
    b: str = field(init=False, default="unset")
    made: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.made.append(self.a)
        if self.a > 100:
            raise ValueError("too large")


@dataclass(frozen=True, slots=True)
class Frozen:
    a: Any


@attrs.define
class AnAttrs:
    a: int = attrs.field(validator=attrs.validators.instance_of(int))
    _b: str = "private"


class AModel(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    a: int
    b: list[AnItem] | None = None
    _secret: int = pydantic.PrivateAttr(default=3)

    model_config["arbitrary_types_allowed"] = True


VALUES = [
    None,
    True,
    3,
    2**70,
    -(10**4_500),
    1.5,
    math.inf,
    -math.inf,
    "text \u65e5\u672c \x00 \ud800",
    b"\x00\xff",
    bytearray(b"x"),
    (1, (2,)),
    {1, 2},
    frozenset({"a"}),
    [1, [2, {"k": (3,)}]],
    {1: "a", (2, 3): "b"},
    {"$": "item"},
    {"\ud800": 1},
    Decimal("1.10"),
    UUID(int=5),
    dt.date(2020, 2, 29),
    dt.datetime(2020, 2, 29, 1, 2, 3, 4),  # noqa: DTZ001
    dt.datetime(2020, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1),
    dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
    dt.time(1, 2, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    dt.timedelta(days=-1, microseconds=1),
]


def name_of(value: Any) -> str:
    """Return the name of a test; Python writes no integers of so many digits."""
    return f"{value.bit_length()} bits" if type(value) is int else repr(value)


@pytest.mark.parametrize("value", VALUES, ids=name_of)
def test_values(value: Any) -> None:
    back = loads(dumps({"value": value}))["value"]
    assert back == value
    assert type(back) is type(value)
    if isinstance(value, dt.datetime | dt.time):
        assert (back.fold, back.tzinfo) == (value.fold, value.tzinfo)


class Shouted(str):
    __slots__ = ()

    def __str__(self) -> str:
        return self.upper()


def test_a_text_of_a_class_of_its_own_is_what_it_holds() -> None:
    assert loads(dumps({"value": Shouted("rain")})) == {"value": "rain"}


def test_nan() -> None:
    assert math.isnan(loads(dumps({"value": math.nan}))["value"])


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"a": 1},
        AnItem(),
        AnItem(a=1, b=AnItem(a={"x"})),
        Strict(3),
        Frozen(Frozen({"deep": [AnItem(a=1)]})),
        AnAttrs(3, "b"),
        AModel(a=1),
        AModel(a=1, b=[AnItem(a=2)], more="extra"),
    ],
    ids=lambda item: type(item).__name__,
)
def test_items(item: Any) -> None:
    back = loads(dumps(item))
    assert back == item
    assert type(back) is type(item)
    assert dumps(back) == dumps(item)


def test_nothing_is_validated_or_initialised_again() -> None:
    item = Strict(1)
    item.a, item.b = 1000, "set"
    back = loads(dumps(item))
    assert (back.a, back.b, back.made) == (1000, "set", [1])


def test_pydantic_keeps_what_was_set_and_what_is_private() -> None:
    item = AModel(a=1)
    item._secret = 9
    back = loads(dumps(item))
    assert back._secret == 9
    assert back.model_fields_set == {"a"}
    assert back.model_dump(exclude_unset=True) == {"a": 1}


def a_local_item() -> Any:
    @dataclass
    class Local:
        a: int = 1

    return Local()


def with_attribute() -> Any:
    item = Strict(1)
    item.extra = 2  # type: ignore[attr-defined]
    return item


def endless() -> Any:
    item: dict[str, Any] = {}
    item["self"] = item
    return item


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"a": 1j}, "builtins.complex"),
        ({"a": object()}, "builtins.object"),
        ({"a": OrderedDict(a=1)}, "OrderedDict"),
        ({"a": dt.datetime(2020, 1, 1, tzinfo=type("Odd", (dt.tzinfo,), {})())}, "time zone"),
        (a_local_item(), "can't be imported"),
        (with_attribute(), "extra"),
        (endless(), "contains itself"),
    ],
)
def test_what_would_not_come_back_is_refused(item: Any, said: str) -> None:
    with pytest.raises(NotEncodable, match=said):
        dumps(item)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        '{"$": "nothing"}',
        '{"$": "item", "class": "os:system", "state": {}}',
        '{"$": "item", "class": "subprocess:Popen", "state": {}}',
        '{"$": "item", "class": "no.such.module:Item", "state": {}}',
        f'{{"$": "item", "class": "{__name__}:Gone", "state": {{}}}}',
        f'{{"$": "item", "class": "{__name__}:Frozen", "state": {{"renamed": 1}}}}',
        '{"$": "decimal", "value": "x"}',
    ],
)
def test_what_cannot_be_read_back_is_an_error_and_never_called(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        loads(text)


def test_a_raising_module_is_a_value_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_items.py").write_text("raise RuntimeError('a setting is missing')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="a setting is missing"):
        loads('{"$": "item", "class": "broken_items:Item", "state": {}}')


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.dates()
keys = st.text() | st.integers() | st.tuples(st.text(), st.integers())
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values, max_size=4))
def test_any_dict_comes_back_and_is_plain_json_on_the_way(item: dict[str, Any]) -> None:
    text = dumps(item)
    json.loads(text, parse_constant=pytest.fail)
    text.encode()
    assert loads(text) == item
