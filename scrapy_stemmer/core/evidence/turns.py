"""How long work lets other threads go on.

This module is not compiled, and must not be: Python looks whether another thread waits when it runs Python's own code,
which compiled modules hardly do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def one_by_one(items: Iterable[T]) -> Iterator[T]:
    """The items; between two of them another thread may go on, such as the one of a crawl's event loop."""
    for item in items:  # noqa: UP028 - `yield from` would leave the loop to whoever made the items
        yield item
