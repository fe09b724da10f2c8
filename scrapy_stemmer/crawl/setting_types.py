"""Types of settings: each is a function that checks a value and converts it.

Each takes a setting's name and what Scrapy holds for it, which is text when it comes from ``-s`` on the
command line, and gives the value or raises a :class:`SettingError` that says what is allowed.
"""

from __future__ import annotations

import codecs
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from scrapy.utils.misc import load_object

from scrapy_stemmer.exceptions import SettingError

SettingType = Callable[[str, Any], Any]

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off", ""})


def wrong(name: str, value: Any, allowed: str) -> SettingError:
    """The error for a setting's value."""
    return SettingError(f"{name} = {value!r}: must be {allowed}.")


def switch(name: str, value: Any) -> bool:
    """True or False, 1 or 0, or such words."""
    word = str(value).strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    raise wrong(name, value, "True or False (1 or 0 on the command line)")


def text(name: str, value: Any) -> str:
    """A text that is not empty; paths are accepted."""
    result = str(value) if value is not None else ""
    if not result.strip():
        raise wrong(name, value, "a text that is not empty")
    return result


def directory(name: str, value: Any) -> str:
    """The path of a directory that can be written into, or can be made; it is not made yet."""
    path = Path(text(name, value))
    found = next((each for each in (path, *path.absolute().parents) if each.exists()), path)
    if not (found.is_dir() and os.access(found, os.W_OK | os.X_OK)):
        raise wrong(name, value, f"a directory that can be written into ({found} is none)")
    return str(path)


def optional(kind: SettingType) -> SettingType:
    """None (or an empty text), else what the type accepts."""

    def read(name: str, value: Any) -> Any:
        return None if value is None or value in ("", "None") else kind(name, value)

    return read


def integer(low: int | None = None) -> SettingType:
    """A whole number, not below ``low``."""
    allowed = "a whole number" + ("" if low is None else f" of at least {low}")

    def read(name: str, value: Any) -> int:
        try:
            result = int(str(value).strip())
        except ValueError:
            raise wrong(name, value, allowed) from None
        if low is not None and result < low:
            raise wrong(name, value, allowed)
        return result

    return read


def number(low: float, high: float = math.inf) -> SettingType:
    """A number from ``low`` to ``high``."""
    allowed = f"a number from {low:g} to {high:g}" if math.isfinite(high) else f"a number of at least {low:g}"

    def read(name: str, value: Any) -> float:
        try:
            result = float(str(value).strip())
        except ValueError:
            raise wrong(name, value, allowed) from None
        if not (math.isfinite(result) and low <= result <= high):
            raise wrong(name, value, allowed)
        return result

    return read


def choice(*words: str) -> SettingType:
    """One of some words."""

    def read(name: str, value: Any) -> str:
        if value not in words:
            raise wrong(name, value, "one of " + ", ".join(repr(word) for word in words))
        return str(value)

    return read


def members_of(kinds: type[StrEnum]) -> SettingType:
    """Some of an enumeration's members by their names for users, as a list or separated by commas."""
    known = {str(kind): kind for kind in kinds}
    allowed = "a list, or text separated by commas, of " + ", ".join(map(repr, known))

    def read(name: str, value: Any) -> frozenset[StrEnum]:
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, Iterable):
            raise wrong(name, value, allowed)
        given = [str(word).strip() for word in words]
        if unknown := [word for word in given if word not in known]:
            raise wrong(name, value, f"{allowed}; there is no {', '.join(map(repr, unknown))}")
        return frozenset(known[word] for word in given)

    return read


def regex(name: str, value: Any) -> str:
    """A regular expression."""
    try:
        re.compile(value)
    except (re.error, TypeError) as error:
        raise wrong(name, value, f"a regular expression ({error})") from error
    return str(value)


def charset(name: str, value: Any) -> str:
    """The name of a charset that Python knows."""
    try:
        return codecs.lookup(str(value)).name
    except LookupError:
        raise wrong(name, value, "the name of a charset, such as 'utf-8' or 'shift_jis'") from None


def function(name: str, value: Any) -> Callable[..., Any]:
    """A function, or its import path."""
    allowed = "a function or its import path, such as 'myproject.extract.plain'"
    try:
        found: Any = load_object(value)
    except (ImportError, NameError, ValueError, TypeError) as error:
        raise wrong(name, value, f"{allowed} ({error})") from error
    if not callable(found):
        raise wrong(name, value, allowed)
    return cast("Callable[..., Any]", found)


def result_fields(defaults: Mapping[str, str]) -> SettingType:
    """A mapping of results to item fields (a dict, or JSON), put over the defaults; empty ones are left out."""
    allowed = f"a dict of item fields by result, with keys out of {', '.join(defaults)}; None switches one off"

    def read(name: str, value: Any) -> Mapping[str, str]:
        given = _json(name, value, allowed) if isinstance(value, str) else value
        if not isinstance(given, Mapping) or not all(_is_target(target) for target in given.values()):
            raise wrong(name, value, allowed)
        if unknown := set(given) - set(defaults):
            raise wrong(name, value, f"{allowed}; there is no {', '.join(sorted(map(repr, unknown)))}")
        return {result: target for result, target in {**defaults, **given}.items() if target}

    return read


def options_by_name(name: str, value: Any) -> Mapping[str, Any]:
    """Options of a learner by name (a dict, or JSON); their values are checked by the learner."""
    allowed = "a dict of the learner's options"
    given = _json(name, value, allowed) if isinstance(value, str) and value.strip() else value or {}
    if not isinstance(given, Mapping) or not all(isinstance(option, str) for option in given):
        raise wrong(name, value, allowed)
    return dict(given)


def url_rules(name: str, value: Any) -> tuple[tuple[bool, re.Pattern[str]], ...]:
    """Regular expressions with ``+`` (accept) or ``-`` (reject) before each: a list, or text split at spaces."""
    rules = value.split() if isinstance(value, str) else value
    if not isinstance(rules, Iterable):
        raise wrong(name, value, "a list of rules such as '+/news/' and '-/tag/'")
    return tuple(_rule(name, rule) for rule in rules)


def _rule(name: str, rule: Any) -> tuple[bool, re.Pattern[str]]:
    if not isinstance(rule, str) or rule[:1] not in {"+", "-"}:
        raise wrong(name, rule, "a regular expression with '+' (accept) or '-' (reject) before it")
    try:
        return rule[0] == "+", re.compile(rule[1:])
    except re.error as error:
        raise wrong(name, rule, f"a regular expression after its sign ({error})") from error


def _is_target(target: Any) -> bool:
    return target is None or isinstance(target, str)


def _json(name: str, value: str, allowed: str) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise wrong(name, value, f"{allowed} (as JSON on the command line: {error})") from error
