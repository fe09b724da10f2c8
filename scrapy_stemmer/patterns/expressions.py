"""Regular expressions of settings and pattern files, refused if their time may exceed the square of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

_parser: Any = import_module("re._parser")  # the parser of re; untyped
_compiler: Any = import_module("re._compiler")

MAX_SEARCHED = 2_083  # longest text, in characters, to search by an expression: Scrapy's default limit of URLs

MAX_TRIES = 100 * MAX_SEARCHED**2
"""Largest number of ways through a text: one repetition from each place, times some alternatives.

A third factor of the length is refused, since Python's engine may take minutes.
"""

ADVICE = (
    "it may take too long on some texts. Begin it with ^, have repeated groups begin or end with a character that the "
    "others do not take, and put one between two repetitions that neither of them takes"
)

Operation = tuple[Any, Any]  # an operation of an expression and its argument

_BEGINNINGS = ((_parser.AT, _parser.AT_BEGINNING), (_parser.AT, _parser.AT_BEGINNING_STRING))
_ENDS = ((_parser.AT, _parser.AT_END), (_parser.AT, _parser.AT_END_STRING))
_ONE_CHARACTER = (_parser.LITERAL, _parser.NOT_LITERAL, _parser.IN, _parser.ANY)

FEW_TIMES = 32  # a part with two ways or more, repeated more often, exceeds :data:`MAX_TRIES`


def bounded_expression(expression: str) -> re.Pattern[str]:
    """Return a regular expression whose time is bounded by the square of a text's length.

    Python's engine tries every way of sharing a text among repetitions, so that ``(a+)+$`` takes twice as long for
    each further character.

    :raises ValueError: for an unbounded expression.
    :raises re.error: for an invalid expression.
    """
    compiled = re.compile(expression)
    tree = _parser.parse(expression)
    starts = 1 if len(tree) and tree[0] in _BEGINNINGS else MAX_SEARCHED
    if starts * _Ways(tree.state).of(list(tree), [], compiled.flags) > MAX_TRIES:
        raise ValueError(ADVICE)
    return compiled


class _Ways:
    """Counter of the ways through a text for parts of an expression."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def of(self, items: Sequence[Operation], after: list[Operation], flags: int) -> int:
        """Return the number of ways of a sequence, counted up to one more than :data:`MAX_TRIES`."""
        ways = 1
        for place, item in enumerate(items):
            ways = min(ways * self._of_item(item, [*items[place + 1 :], *after], flags), MAX_TRIES + 1)
        return ways

    def _of_item(self, item: Operation, after: list[Operation], flags: int) -> int:
        operation, argument = item
        if operation is _parser.BRANCH:
            return sum(self.of(list(alternative), after, flags) for alternative in argument[1])
        if operation is _parser.SUBPATTERN:
            return self.of(list(argument[3]), after, (flags | argument[1]) & ~argument[2])
        if operation in (_parser.ASSERT, _parser.ASSERT_NOT):
            return self.of(list(argument[1]), [], flags)
        if operation is _parser.ATOMIC_GROUP:
            return self.of(list(argument), [], flags)
        if operation is _parser.GROUPREF_EXISTS:
            return sum(self.of(list(alternative or ()), after, flags) for alternative in argument[1:])
        if operation in (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT):
            return self._of_repetition(item, after, flags)
        return 1

    def _of_repetition(self, item: Operation, after: list[Operation], flags: int) -> int:
        operation, (least, most, body) = item
        body, times = list(body), min(most, MAX_SEARCHED)
        if operation is _parser.POSSESSIVE_REPEAT:  # gives nothing back
            return self.of(body, [], flags)
        within = self.of(body, body if times > 1 else after, flags)
        if within > 1 and times >= FEW_TIMES:
            return MAX_TRIES + 1
        # Nothing can fail without a following item.
        ends = 1 if not after or self._ends_at_once(body, after[0], flags) else times - least + 1
        return int(ends * within**times)

    def _ends_at_once(self, body: list[Operation], after: Operation, flags: int) -> bool:
        """Return True if the repetition of one character can only end at the start of the next item."""
        if len(body) != 1 or body[0][0] not in _ONE_CHARACTER:
            return False
        if after in _ENDS:
            return True
        first = _first_of(after)
        if first is None:
            return False
        repeated = _compiler.compile(_parser.SubPattern(self._state, body), flags)
        return not any(repeated.match(chr(character)) for character in first)


def _first_of(item: Operation) -> set[int] | None:
    """Return the possible first characters of an item; ``None`` for too many."""
    operation, argument = item
    if operation is _parser.LITERAL:
        return {argument}
    if operation is _parser.IN and all(character[0] is _parser.LITERAL for character in argument):
        return {character[1] for character in argument}
    if operation is _parser.SUBPATTERN and len(argument[3]):
        return _first_of(argument[3][0])
    if operation in (_parser.MAX_REPEAT, _parser.MIN_REPEAT) and argument[0] > 0 and len(argument[2]):
        return _first_of(argument[2][0])
    return None
