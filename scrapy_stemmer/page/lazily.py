"""Properties computed on first access: those of Python 3.12, which need no lock, in Python 3.11 too."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property:  # noqa: N801 - the name of a decorator
        """A property whose value is kept in the instance.

        Two threads may compute a value at once, and one value is kept.
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
