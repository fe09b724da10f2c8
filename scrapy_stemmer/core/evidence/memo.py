"""What is worked out once and remembered, up to a number."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from typing import TypeVar

MAX_KNOWN = 20_000
"""Names, elements, texts and places that are remembered of a site; some sites have no end of them."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memo(dict[K, V]):
    """Values by what they are made from; a value that is missing is made when it is asked for.

    :param make: makes the value of a key.
    :param most: when there are so many, all are forgotten.
    """

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._make(key)
        return value

    def keep(self, keys: Set[K]) -> None:
        """Forget all values but those of some keys."""
        for key in self.keys() - keys:
            del self[key]
