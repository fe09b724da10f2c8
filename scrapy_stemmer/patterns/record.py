"""JSON objects read field by field, with errors that name the field."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns.expressions import bounded_expression

_T = TypeVar("_T")

_MISSING = object()
MAX_WHOLE = 2**53  # larger numbers are no counts, and programs other than Python round them

_NAMES: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


@dataclass(frozen=True, slots=True)
class Between:
    """Range of a numeric field, ends included, for types such as ``Annotated[int, Between(1)]``."""

    least: float
    most: float | None = None  # ``None`` for any

    def __contains__(self, number: float) -> bool:
        return self.least <= number <= (math.inf if self.most is None else self.most)

    def __str__(self) -> str:
        return f"at least {self.least:g}" if self.most is None else f"between {self.least:g} and {self.most:g}"


Share = Annotated[float, Between(0.0, 1.0)]


class Record:
    """JSON object whose fields are read through checks.

    A field may be a text, a number, a flag, a list, a dictionary or a dataclass, each perhaps ``None``, a tuple of
    dataclasses, or a tuple or frozenset of texts. ``Annotated`` types have a :class:`Between` or the allowed texts.

    :param path: place of the object in the line, such as ``sections[3]``; empty for the whole line.
    """

    __slots__ = ("_fields", "_path")

    def __init__(self, fields: Any, path: str = "") -> None:
        self._path = path
        if not isinstance(fields, dict):
            raise self.error("", f"must be {_NAMES[dict]}, not {_name(fields)}")
        self._fields: dict[str, Any] = fields

    def read(self, kind: type[_T], **known: Any) -> _T:
        return kind(**self.values(kind, **known))

    def values(self, kind: Any, **known: Any) -> dict[str, Any]:
        """Return the values of a dataclass's fields, read by type; absent fields with a default are left out."""
        for name, read, is_needed in readers_of(kind):
            if name not in known and (is_needed or name in self._fields):
                known[name] = read(self, name)
        return known

    def text(self, field: str) -> str:
        return str(self._checked(field, str))

    def optional_text(self, field: str) -> str | None:
        return None if self.is_null(field) else self.text(field)

    def whole(self, field: str, *, least: int | None = None, most: int | None = None, default: Any = _MISSING) -> int:
        value = int(self._checked(field, int, default))
        if abs(value) > MAX_WHOLE:
            raise self.error(field, f"must be at most {MAX_WHOLE}")
        self.checked(field, value, Between(-math.inf if least is None else least, most))
        return value

    def number(self, field: str, *, least: float | None = None, most: float | None = None) -> float:
        try:
            value = float(self._checked(field, float))
        except OverflowError:  # a whole number too large for a float
            value = math.inf
        if not math.isfinite(value):
            raise self.error(field, f"must be a finite number, not {value}")
        self.checked(field, value, Between(-math.inf if least is None else least, most))
        return value

    def checked(self, field: str, value: Any, allowed: Between | Collection[str]) -> Any:
        """Return a value; raise the error for one that is not allowed."""
        if value is not None and value not in allowed:
            told = str(allowed) if isinstance(allowed, Between) else f"one of {', '.join(allowed)}"
            raise self.error(field, f"must be {told}, not {value!r}")
        return value

    def expression(self, field: str, default: str | None) -> str | None:
        """Return a regular expression with bounded run time, or ``None`` for null."""
        if field not in self._fields:
            return default
        value = self.optional_text(field)
        try:
            bounded_expression(value or "")
        except (ValueError, re.error, OverflowError, RecursionError) as error:
            raise self.error(field, f"is not a regular expression that can be used: {error}") from error
        return value

    def record(self, field: str) -> Self:
        return type(self)(self._checked(field, dict, {}), self.place(field))

    def records(self, field: str, *, optional: bool = False) -> Iterator[Self]:
        items = self._checked(field, list, [] if optional else _MISSING)
        for index, item in enumerate(items):
            yield type(self)(item, self.place(f"{field}[{index}]"))

    def items(self, field: str) -> list[Any]:
        return list(self._checked(field, list))

    def texts(self, field: str) -> tuple[str, ...]:
        items = self._checked(field, list, [])
        for index, item in enumerate(items):
            if not isinstance(item, str):
                raise self.error(f"{field}[{index}]", f"must be {_NAMES[str]}, not {_name(item)}")
        return tuple(items)

    def keys(self) -> list[str]:
        return list(self._fields)

    def __contains__(self, field: object) -> bool:
        return field in self._fields

    def is_null(self, field: str) -> bool:
        return self._fields.get(field) is None

    def error(self, field: str, problem: str) -> Exception:
        """Return the error to raise for an invalid value of the right type."""
        place = self.place(field)
        subject = f"{place!r} " if place else "the line "
        message = f"{subject}{problem}. Correct it by hand, or delete the line and learn the site again."
        return PatternFileError(message, field=place or None)

    def _checked(self, field: str, kind: type, default: Any = _MISSING) -> Any:
        value = self._fields.get(field, default)
        if type(value) is kind or (kind is float and type(value) is int):
            return value
        if value is _MISSING:
            raise self.error(field, f"is missing; it must be {_NAMES[kind]}")
        raise self.error(field, f"must be {_NAMES[kind]}, not {_name(value)}")

    def place(self, field: str) -> str:
        return f"{self._path}.{field}" if self._path and field else self._path or field


def _name(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)


@cache
def readers_of(kind: Any) -> list[tuple[str, Callable[[Record, str], Any], bool]]:
    """Return name and reader of each field of a dataclass, and True for fields without a default."""
    kinds = get_type_hints(kind, include_extras=True)
    return [
        (field.name, _reader(kinds[field.name]), field.default is field.default_factory is MISSING)
        for field in fields(kind)
    ]


def _reader(kind: Any) -> Callable[[Record, str], Any]:
    origin, (item, *others) = get_origin(kind), get_args(kind) or (None,)
    if origin is Annotated:
        of_any, allowed = _reader(item), others[0]
        return lambda record, field: record.checked(field, of_any(record, field), allowed)
    if origin in (Union, UnionType):
        inner = _reader(item)
        return lambda record, field: None if record.is_null(field) else inner(record, field)
    if origin in (tuple, frozenset) and item is str:
        return lambda record, field: origin(record.texts(field))
    if origin is tuple and isinstance(item, type) and is_dataclass(item):
        return lambda record, field: tuple([entry.read(item) for entry in record.records(field)])
    if isinstance(kind, type) and is_dataclass(kind):
        return lambda record, field: record.record(field).read(kind)

    def refused(_: Record, field: str) -> Any:
        raise TypeError(f"{field} is a {kind}, which is not read by its type: write to_record and from_record.")

    return _SIMPLE.get(origin or kind, refused)


_SIMPLE: Mapping[type, Callable[[Record, str], Any]] = {
    str: Record.text,
    int: Record.whole,
    float: Record.number,
    bool: lambda record, field: record._checked(field, bool),
    list: Record.items,
    dict: lambda record, field: record._checked(field, dict),
}
