"""Values computed once: properties, and results of functions for short texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property:  # noqa: N801 - named as that of functools
        """A property computed once, and kept in the instance.

        As in Python 3.12 there is no lock: two threads may compute a value at once, and one value is kept.
        """

        def __init__(self, func):
            self.func, self.__doc__ = func, func.__doc__

        def __set_name__(self, owner, name):
            self.attrname = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


_Function = TypeVar("_Function", bound=Callable[..., object])

LONGEST = 200  # characters of the arguments of a kept result


def joined_length(*texts: str) -> int:
    """Return the characters of texts."""
    return len("".join(texts))


def short_cache(size: int, *, length: Callable[..., int] = len) -> Callable[[_Function], _Function]:
    """Return a decorator like :func:`functools.lru_cache`, without keeping results for long texts.

    Names, addresses and texts of hostile pages have megabytes, and would stay in memory beyond its bounds.

    :param size: the number of results.
    :param length: returns the length of the positional arguments.
    """

    def decorate(function: _Function) -> _Function:
        cached = lru_cache(size)(function)

        def call(*args: Any, **options: Any) -> object:
            return (cached if length(*args) <= LONGEST else function)(*args, **options)

        def call_with_one(argument: Any) -> object:  # in half the time
            return (cached if length(argument) <= LONGEST else function)(argument)

        has_one = len(signature(function).parameters) == 1
        return cast(_Function, update_wrapper(call_with_one if has_one else call, function))

    return decorate
