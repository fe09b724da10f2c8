"""Items as JSON and back, without pickle: what is read back equals what was written, or it isn't written.

Supported are dict, ``scrapy.Item``, dataclass, attrs and pydantic items, nested ones too, of classes that can be
imported by name. Values that JSON lacks are written as an object with the key ``$``, which names their kind.
Objects are rebuilt field by field, so neither ``__init__`` nor validators nor ``__post_init__`` run again.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import json
import math
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum
from importlib import import_module
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from itemadapter import ItemAdapter, is_item
from scrapy import Item

KIND = "$"
"""The key that marks what is not a plain JSON value."""

_PYDANTIC_STATE = frozenset({"__dict__", "__pydantic_extra__", "__pydantic_fields_set__", "__pydantic_private__"})


class NotEncodable(ValueError):  # noqa: N818 - says what the value is, as json's own errors do
    """An item that can't be written as JSON so that the same item is read back."""


def dumps(item: Any) -> str:
    """An item as JSON.

    :raises NotEncodable: naming the value that can't be written.
    """
    try:
        return json.dumps(_encode(item), ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise NotEncodable(f"a {type(item).__name__} that is nested too deeply, or contains itself") from None


def loads(text: str) -> Any:
    """The item that :func:`dumps` was given.

    :raises ValueError: when the text was not written by :func:`dumps`, or the item's class is gone or changed.
    """
    try:
        return _decode(json.loads(text))
    except (AttributeError, ImportError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"The item can't be read back: {type(error).__name__}: {error}") from error


def _encode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int):
        return value
    if kind is float:
        return value if math.isfinite(value) else _tagged("float", repr(value))
    if isinstance(value, str) and not isinstance(value, Enum):
        return _encode_text(value)
    if kind is list:
        return [_encode(part) for part in value]
    if kind is dict:
        return _encode_dict(value)
    if kind in _WRITERS:
        return _WRITERS[kind](value)
    return _encode_object(value)


def _encode_text(value: str) -> Any:
    try:
        value.encode()
    except UnicodeEncodeError:  # lone surrogates
        return _tagged("text", base64.b64encode(value.encode("utf-8", "surrogatepass")).decode())
    return str(value)


def _encode_dict(value: dict[Any, Any]) -> Any:
    # Printable keys have no lone surrogates, which a file can't hold.
    if all(type(key) is str and key.isprintable() for key in value) and KIND not in value:
        return {key: _encode(part) for key, part in value.items()}
    return _tagged("dict", [[_encode(key), _encode(part)] for key, part in value.items()])


def _tagged(kind: str, value: Any, **more: Any) -> dict[str, Any]:
    return {KIND: kind, "value": value, **more}


def _encode_datetime(value: dt.datetime) -> Any:
    if isinstance(value.tzinfo, ZoneInfo) and value.tzinfo.key:
        return _tagged(
            "datetime", value.replace(tzinfo=None, fold=0).isoformat(), fold=value.fold, zone=value.tzinfo.key
        )
    return _tagged("datetime", _checked_zone(value).replace(fold=0).isoformat(), fold=value.fold)


def _encode_time(value: dt.time) -> Any:
    return _tagged("time", _checked_zone(value).replace(fold=0).isoformat(), fold=value.fold)


def _checked_zone(value: Any) -> Any:
    if value.tzinfo is not None and type(value.tzinfo) is not dt.timezone:
        raise NotEncodable(f"a time zone of type {type(value.tzinfo).__name__}")
    return value


def _many(kind: str) -> Callable[[Any], Any]:
    return lambda values: _tagged(kind, [_encode(value) for value in values])


def _unordered(kind: str) -> Callable[[Any], Any]:
    return lambda values: _tagged(kind, sorted(map(_encode, values), key=json.dumps))


_WRITERS: Mapping[type, Callable[[Any], Any]] = {
    tuple: _many("tuple"),
    set: _unordered("set"),
    frozenset: _unordered("frozenset"),
    bytes: lambda value: _tagged("bytes", base64.b64encode(value).decode()),
    bytearray: lambda value: _tagged("bytearray", base64.b64encode(value).decode()),
    Decimal: lambda value: _tagged("decimal", str(value)),
    UUID: lambda value: _tagged("uuid", str(value)),
    dt.datetime: _encode_datetime,
    dt.time: _encode_time,
    dt.date: lambda value: _tagged("date", value.isoformat()),
    dt.timedelta: lambda value: _tagged("timedelta", [value.days, value.seconds, value.microseconds]),
}


def _encode_object(item: Any) -> Any:
    cls = type(item)
    if not is_item(item):
        raise NotEncodable(f"a value of type {cls.__module__}.{cls.__qualname__}")
    _check_importable(cls)
    return {KIND: "item", "class": f"{cls.__module__}:{cls.__qualname__}", "state": _encode(_state(item))}


def _check_importable(cls: type) -> None:
    found: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    if found is not cls:
        raise NotEncodable(f"an item of {cls.__module__}.{cls.__qualname__}, which can't be imported by that name")
    if cls.__new__ not in (object.__new__, Item.__new__):
        raise NotEncodable(f"an item of {cls.__qualname__}, which has a __new__ of its own")


def _state(item: Any) -> dict[str, Any]:
    cls = type(item)
    if isinstance(item, Item):
        return _only(cls, {"_values"}, vars(item))["_values"]  # type: ignore[no-any-return]
    if (names := _declared_fields(cls)) is not None:
        extras = set(getattr(item, "__dict__", ())) - set(names)
        if extras:
            raise NotEncodable(f"an item of {cls.__qualname__} with attributes that are no fields: {sorted(extras)}")
        return {name: getattr(item, name) for name in names if hasattr(item, name)}
    if hasattr(cls, "__pydantic_fields__"):
        return _only(cls, _PYDANTIC_STATE, item.__getstate__())
    raise NotEncodable(f"an item of {cls.__qualname__}, which is of no supported kind")


def _only(cls: type, names: set[str] | frozenset[str], state: Mapping[str, Any]) -> dict[str, Any]:
    if set(state) != names:
        raise NotEncodable(f"an item of {cls.__qualname__} with attributes of its own")
    return dict(state)


def _declared_fields(cls: type) -> list[str] | None:
    """The fields of a dataclass or an attrs class, ``None`` for others."""
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls)]
    attributes = getattr(cls, "__attrs_attrs__", None)
    return None if attributes is None else [attribute.name for attribute in attributes]


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    if KIND not in value:
        return {key: _decode(part) for key, part in value.items()}
    return _READERS[value[KIND]](value)


def _read_datetime(tagged: dict[str, Any]) -> dt.datetime:
    result = dt.datetime.fromisoformat(tagged["value"]).replace(fold=tagged["fold"])
    return result.replace(tzinfo=ZoneInfo(tagged["zone"])) if "zone" in tagged else result


def _read_item(tagged: dict[str, Any]) -> Any:
    cls = _item_class(tagged["class"])
    state = _decode(tagged["state"])
    item: Any = object.__new__(cls)
    if issubclass(cls, Item):
        object.__setattr__(item, "_values", state)
    elif (names := _declared_fields(cls)) is not None:
        _set_fields(item, names, state)
    else:
        item.__setstate__(state)
    return item


def _set_fields(item: Any, names: list[str], state: dict[str, Any]) -> None:
    if unknown := set(state) - set(names):
        raise TypeError(f"{type(item).__qualname__} has no fields {sorted(unknown)}")
    for name, value in state.items():
        object.__setattr__(item, name, value)  # also where the class is frozen


def _item_class(path: str) -> type[Any]:
    module, _, qualname = path.partition(":")
    found: Any = import_module(module)
    for name in qualname.split("."):
        found = getattr(found, name)
    # Nothing but item classes is ever made or called, whatever the file says.
    if not (isinstance(found, type) and ItemAdapter.is_item_class(found)):
        raise TypeError(f"{path} is not an item class")
    return found


_READERS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "float": lambda tagged: float(tagged["value"]),
    "text": lambda tagged: base64.b64decode(tagged["value"]).decode("utf-8", "surrogatepass"),
    "dict": lambda tagged: {_decode(key): _decode(part) for key, part in tagged["value"]},
    "tuple": lambda tagged: tuple(_decode(tagged["value"])),
    "set": lambda tagged: set(_decode(tagged["value"])),
    "frozenset": lambda tagged: frozenset(_decode(tagged["value"])),
    "bytes": lambda tagged: base64.b64decode(tagged["value"]),
    "bytearray": lambda tagged: bytearray(base64.b64decode(tagged["value"])),
    "decimal": lambda tagged: Decimal(tagged["value"]),
    "uuid": lambda tagged: UUID(tagged["value"]),
    "datetime": _read_datetime,
    "time": lambda tagged: dt.time.fromisoformat(tagged["value"]).replace(fold=tagged["fold"]),
    "date": lambda tagged: dt.date.fromisoformat(tagged["value"]),
    "timedelta": lambda tagged: dt.timedelta(*tagged["value"]),
    "item": _read_item,
}
