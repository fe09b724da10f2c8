"""Checks of arguments of public functions: the error names a wrong argument at the call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import UnionType
from typing import TypeVar

_T = TypeVar("_T")


def check(argument: str, value: object, kind: type | UnionType, wanted: str) -> None:
    """Raise TypeError unless an argument is of a kind; True and False are no numbers."""
    is_flag = isinstance(value, bool) and kind in (int, int | float)
    if is_flag or not isinstance(value, kind):
        raise TypeError(f"{argument} must be {wanted}, not {type(value).__name__}")


def each_of(argument: str, values: Iterable[_T], kind: type, wanted: str) -> Iterator[_T]:
    """Yield values; raise TypeError for an argument that is a text or not iterable, and for a value of a wrong kind."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{argument} must be several of {wanted}, not {type(values).__name__}")
    for value in values:
        check(f"Each of {argument}", value, kind, wanted)
        yield value


def check_count(argument: str, value: object) -> None:
    """Raise TypeError or ValueError unless an argument is a whole number from 0 on."""
    check(argument, value, int, "a whole number")
    if isinstance(value, int) and value < 0:
        raise ValueError(f"{argument} must be at least 0, not {value}")


def check_charset(argument: str, name: object) -> None:
    """Raise TypeError or ValueError unless an argument names a charset, or is empty."""
    check(argument, name, str, "the name of a charset")
    try:
        b"a".decode(str(name) or "utf-8", "replace")
    except (LookupError, ValueError):  # also a codec of something else than text
        raise ValueError(f"{argument} must be the name of a charset, such as 'shift_jis', not {name!r}") from None
