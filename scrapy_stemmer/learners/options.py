"""A learner's options: made of a dict, as settings give them, and checked against the learner's dataclass."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from inspect import signature
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import Learner

PRESET = "preset"
"""Not a field: names the options that the others are put over, where the dataclass has presets."""

ALLOWED = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "None",
    tuple: "a list of texts",
    frozenset: "a list of texts",
}
"""What is said of the types that options have."""


def make_learner(learner: type[Learner], given: Mapping[str, Any]) -> Learner:
    """A learner with options.

    :param given: options by name, see :func:`options_of`; none for the learner's defaults.
    :raises LearnerError: for options that the learner doesn't have, or for values that they can't have.
    """
    call = cast("Callable[..., Learner]", learner)
    if not given:
        if not _can_be_called(call):
            raise LearnerError(f"The constructor of {learner.__qualname__} must do without arguments.")
        return call()
    if not option_names(learner):
        raise LearnerError(f"The learner {learner.name!r} takes no options, but {_listed(given)} is given.")
    return call(options_of(learner.options_class, given))


def option_names(learner: type[Learner]) -> list[str]:
    """The names of a learner's options; none when its constructor doesn't take them."""
    found = learner.options_class
    return [] if found is None or not _can_be_called(learner, None) else [field.name for field in fields(found)]


def options_of(kind: Any, given: Mapping[str, Any]) -> Any:
    """The options of a dataclass.

    :param given: values by field name, in types that JSON has too: lists for tuples and sets, a dict for a dataclass
        within. ``preset`` names what the others are put over; it is the defaults otherwise.
    :raises LearnerError: saying of all that is wrong what is allowed.
    """
    names = dict(given)
    preset = names.pop(PRESET, None) if hasattr(kind, PRESET) else None
    return _replaced(kind() if preset is None else kind.preset(preset), names, "")


def check_least(options: object, least: float, *names: str) -> None:
    """Refuse options below a number.

    :raises LearnerError: naming the first one.
    """
    for name in names:
        if getattr(options, name) < least:
            raise LearnerError(f"{name} must be at least {least:g}, not {getattr(options, name)!r}.")


def check_shares(options: object, *names: str) -> None:
    """Refuse options that are not between 0 and 1.

    :raises LearnerError: naming the first one.
    """
    for name in names:
        if not 0.0 <= getattr(options, name) <= 1.0:
            raise LearnerError(f"{name} must be between 0 and 1, not {getattr(options, name)!r}.")


def _can_be_called(call: Callable[..., object], *arguments: object) -> bool:
    try:
        signature(call).bind(*arguments)
    except TypeError:
        return False
    return True


def _replaced(options: Any, given: Mapping[str, Any], within: str) -> Any:
    """Options with some of their values replaced.

    :param within: what precedes their names in errors.
    """
    kinds = get_type_hints(type(options))
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, value in given.items():
        try:
            values[name] = _value(kinds, name, value, getattr(options, str(name), None), within)
        except LearnerError as error:
            wrong.append(str(error))
    if wrong:
        raise LearnerError(" ".join(wrong))
    return replace(options, **values)


def _value(kinds: Mapping[str, Any], name: str, value: Any, before: Any, within: str) -> Any:
    """The value of one option, in its own type."""
    full = f"{within}{name}"
    if name not in kinds:
        near = get_close_matches(str(name), kinds, 1)
        hint = f" Did you mean {within + near[0]!r}?" if near else ""
        raise LearnerError(f"There is no option {full!r}.{hint} Options are {_listed(kinds)}.")
    if is_dataclass(before) and isinstance(value, Mapping):
        return _replaced(before, value, f"{full}.")
    accepted = get_args(kinds[name]) if get_origin(kinds[name]) in (Union, UnionType) else (kinds[name],)
    for kind in accepted:
        try:
            return _as(kind, value)
        except TypeError:
            continue
    allowed = " or ".join(ALLOWED.get(get_origin(kind) or kind, "a dict of options") for kind in accepted)
    raise LearnerError(f"{full} must be {allowed}, not {value!r}.")


def _as(kind: Any, value: Any) -> Any:
    """A value in one type.

    :raises TypeError: when it is of another.
    """
    origin = get_origin(kind)
    if origin in (tuple, frozenset):
        if isinstance(value, list | tuple | origin) and all(isinstance(item, str) for item in value):
            return origin(value)
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    elif isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise TypeError


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(repr(str(name)) for name in names)
