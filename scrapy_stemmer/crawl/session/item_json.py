"""Items as JSON and back, without pickle: items are written only if they can be read back unchanged.

Supported are dict, ``scrapy.Item``, dataclass, attrs and pydantic items, nested or not, of classes that can be imported
by name. Values unknown to JSON are written as an object with the key ``$`` for their kind. Objects are rebuilt field by
field, so neither ``__init__`` nor validators nor ``__post_init__`` run again.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import json
import math
from collections.abc import Callable, Set
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from functools import partial
from pkgutil import resolve_name
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from itemadapter import ItemAdapter, is_item
from scrapy import Item

KIND = "$"  # key of objects for values unknown to JSON

MAX_BITS = 2000  # of a decimal int: Python refuses to write and read many digits


class NotEncodable(ValueError):  # noqa: N818 - names the value, as json's own errors do
    """An item with a value that JSON can't restore."""


def dumps(item: Any) -> str:
    """Return an item as JSON; raise :class:`NotEncodable` for an unwritable value."""
    try:
        return json.dumps(_encode(item), ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise NotEncodable(f"a {type(item).__name__} that is nested too deeply, or contains itself") from None


def loads(text: str) -> Any:
    """Return the item written by :func:`dumps`; raise ValueError for any other text, or if the item's class is gone or
    changed."""
    try:
        return _decode(json.loads(text))
    except Exception as error:  # importing the item's module may raise anything
        raise ValueError(f"The item can't be read back: {type(error).__name__}: {error}") from error


def _encode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind is bool or (kind is float and math.isfinite(value)):
        return value
    if kind is int and value.bit_length() <= MAX_BITS:
        return value
    if isinstance(value, str) and not isinstance(value, Enum):
        try:
            value.encode()
            return str.__str__(value)  # the characters alone: a subclass may override __str__
        except UnicodeEncodeError:  # lone surrogates, unknown to UTF-8
            kind = str
    if kind is list:
        return [_encode(part) for part in value]
    # Printable keys have no lone surrogates.
    if kind is dict and KIND not in value and all(type(key) is str and key.isprintable() for key in value):
        return {key: _encode(part) for key, part in value.items()}
    for name, (of_kind, write, _) in _KINDS.items():
        if kind is of_kind:
            written = write(value)
            return {KIND: name, **(written if write is _moment else {"value": _encode(written)})}
    return _encode_item(value)


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    if KIND not in value:
        return {key: _decode(part) for key, part in value.items()}
    if value[KIND] == "item":
        return _made(value["class"], _decode(value["state"]))
    _, _, read = _KINDS[value.pop(KIND)]
    return read(_decode(value.pop("value")), **value)


# Values unknown to JSON


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _ordered(values: Set[Any]) -> list[Any]:
    return sorted(values, key=lambda value: json.dumps(_encode(value)))


def _moment(value: Any) -> dict[str, Any]:
    """Return a datetime or a time as JSON: in a named zone, at an offset, or without a zone."""
    zone = value.tzinfo
    name = zone.key if isinstance(zone, ZoneInfo) else None
    if zone is not None and name is None and type(zone) is not dt.timezone:
        raise NotEncodable(f"a time zone of type {type(zone).__name__}")
    plain = value.replace(fold=0, tzinfo=None if name else zone)
    return {"value": plain.isoformat(), "fold": value.fold, **({"zone": name} if name else {})}


def _read_moment(kind: Any, value: str, fold: int, zone: str | None = None) -> Any:
    moment = kind.fromisoformat(value).replace(fold=fold)
    return moment.replace(tzinfo=ZoneInfo(zone)) if zone else moment


# The type of each kind, its encoder and its decoder.
_KINDS: dict[str, tuple[type, Callable[[Any], Any], Callable[..., Any]]] = {
    "float": (float, repr, float),
    "int": (int, hex, partial(int, base=16)),
    "text": (
        str,
        lambda value: _base64(value.encode("utf-8", "surrogatepass")),
        lambda value: base64.b64decode(value).decode("utf-8", "surrogatepass"),
    ),
    "dict": (dict, lambda value: list(map(list, value.items())), dict),
    "tuple": (tuple, list, tuple),
    "set": (set, _ordered, set),
    "frozenset": (frozenset, _ordered, frozenset),
    "bytes": (bytes, _base64, base64.b64decode),
    "bytearray": (bytearray, _base64, lambda value: bytearray(base64.b64decode(value))),
    "decimal": (Decimal, str, Decimal),
    "uuid": (UUID, str, UUID),
    "datetime": (dt.datetime, _moment, partial(_read_moment, dt.datetime)),
    "time": (dt.time, _moment, partial(_read_moment, dt.time)),
    "date": (dt.date, dt.date.isoformat, dt.date.fromisoformat),
    "timedelta": (
        dt.timedelta,
        lambda value: [value.days, value.seconds, value.microseconds],
        lambda value: dt.timedelta(*value),
    ),
}


# Items


def _fields(cls: type) -> set[str] | None:
    is_plain = dataclasses.is_dataclass(cls) or hasattr(cls, "__attrs_attrs__")
    return set(ItemAdapter.get_field_names_from_class(cls) or ()) if is_plain else None


def _encode_item(item: Any) -> dict[str, Any]:
    cls, extras, named = type(item), set[str](), None
    if not is_item(item):
        raise NotEncodable(f"a value of type {cls.__module__}.{cls.__qualname__}")
    with suppress(AttributeError, ImportError, ValueError):
        named = resolve_name(f"{cls.__module__}:{cls.__qualname__}")
    if named is not cls:
        raise NotEncodable(f"an item of {cls.__module__}.{cls.__qualname__}, which can't be imported by that name")
    if cls.__new__ not in (object.__new__, Item.__new__):
        raise NotEncodable(f"an item of {cls.__qualname__}, which has a __new__ of its own")
    if isinstance(item, Item):
        state, extras = item._values, vars(item).keys() - {"_values"}
    elif (fields := _fields(cls)) is not None:
        state = {name: getattr(item, name) for name in sorted(fields) if hasattr(item, name)}
        extras = getattr(item, "__dict__", {}).keys() - fields
    elif hasattr(cls, "__pydantic_fields__"):
        state = item.__getstate__()
    else:
        raise NotEncodable(f"an item of {cls.__qualname__}, which is of no supported kind")
    if extras:
        raise NotEncodable(f"an item of {cls.__qualname__} with attributes that are no fields: {sorted(extras)}")
    return {KIND: "item", "class": f"{cls.__module__}:{cls.__qualname__}", "state": _encode(dict(state))}


def _made(path: str, state: dict[str, Any]) -> Any:
    cls = resolve_name(path)
    # Nothing but item classes is ever made or called, whatever the file says.
    if not (isinstance(cls, type) and ItemAdapter.is_item_class(cls)):
        raise TypeError(f"{path} is not an item class")
    item: Any = object.__new__(cls)
    if issubclass(cls, Item):
        item.__dict__["_values"] = state
    elif (fields := _fields(cls)) is None:
        item.__setstate__(state)
    elif unknown := set(state) - fields:
        raise TypeError(f"{path} has no fields {sorted(unknown)}")
    else:
        for name, value in state.items():
            object.__setattr__(item, name, value)  # also where the class is frozen
    return item
