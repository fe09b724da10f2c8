"""Plain values out of a pickle, which is read and never run: data from elsewhere could run anything."""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

_MARK = object()

_VALUES = frozenset(
    "BININT BININT1 BININT2 LONG1 BINFLOAT SHORT_BINUNICODE BINUNICODE BINUNICODE8 SHORT_BINBYTES BINBYTES BINBYTES8 "
    "NONE NEWTRUE NEWFALSE".split()
)
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY: Mapping[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}
_IGNORED = frozenset({"PROTO", "FRAME", "STOP"})
_OBJECTS = {"STACK_GLOBAL": 2, "NEWOBJ": 2, "REDUCE": 2}
"""What makes an object, with how many values it takes for that."""


def plain_value(data: bytes) -> Any:
    """The value of a pickle of protocol 4: dictionaries, lists, tuples, texts, bytes and numbers.

    Objects in it are not made; ``None`` stands in their place.

    :raises ValueError: for a pickle of an older protocol, and for what is none.
    """
    reader = _Reader()
    try:
        for opcode, argument, _ in pickletools.genops(data):
            reader.take(opcode.name, argument)
        (value,) = reader.stack
    except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it can't be read as a pickle: {error}") from error
    return value


class _Reader:
    """The stack and the memo of a pickle that is being read."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: list[Any] = []

    def take(self, name: str, argument: Any) -> None:
        """Take one operation."""
        stack = self.stack
        if name in _VALUES:
            stack.append(_CONSTANTS.get(name, argument))
        elif name in _EMPTY:
            stack.append(_EMPTY[name]())
        elif name == "MARK":
            stack.append(_MARK)
        elif name == "MEMOIZE":
            self._memo.append(stack[-1])
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(self._memo[argument])
        elif name in _OBJECTS:
            stack[-_OBJECTS[name] :] = [None]
        elif name == "BUILD":
            stack.pop()
        elif name not in _IGNORED:
            self._collect(name)

    def _collect(self, name: str) -> None:
        """Take an operation that puts values into a collection."""
        stack = self.stack
        if name in ("APPENDS", "SETITEMS", "TUPLE"):
            values = self._marked()
        elif name in ("APPEND", "SETITEM", "TUPLE1", "TUPLE2", "TUPLE3"):
            count = {"APPEND": 1, "SETITEM": 2}.get(name) or int(name[-1])
            values = [stack.pop() for _ in range(count)][::-1]
        else:
            raise ValueError(f"unknown operation {name}")
        if name.startswith("TUPLE"):
            stack.append(tuple(values))
        elif name.startswith("APPEND"):
            stack[-1].extend(values)
        else:
            stack[-1].update(list(pairwise(values))[::2])

    def _marked(self) -> list[Any]:
        values: list[Any] = []
        while (value := self.stack.pop()) is not _MARK:
            values.append(value)
        return values[::-1]
