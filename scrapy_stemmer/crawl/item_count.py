"""The number of items of a page: its text is that of one item, not of each of the rows of a list."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any


class ItemCount:
    """The items of one response that would have the text of its page.

    They are kept back until it is known that they are too many for that, or that no more of them come.

    :param most: the most items that may have the text; 0 for any number.
    :param counts: tells of an output of the spider whether it is such an item.
    """

    def __init__(self, most: int, counts: Callable[[Any], bool]) -> None:
        self._most, self._counts = most, counts
        self._count = 0
        self._kept: list[Any] = []

    @property
    def is_above(self) -> bool:
        """Tell whether more items came than may have the text."""
        return 0 < self._most < self._count

    def ordered(self, outputs: Iterable[Any]) -> Iterator[Any]:
        """Yield the outputs of a spider: items once they are counted, requests at once; an exception comes last."""
        error = None
        try:
            for output in outputs:
                yield from self._ready(output)
        except Exception as raised:
            error = raised
        yield from self._kept
        if error is not None:
            raise error

    async def ordered_async(self, outputs: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """Yield the outputs of an asynchronous callback, as :meth:`ordered` does."""
        error = None
        try:
            async for output in outputs:
                for ready in self._ready(output):
                    yield ready
        except Exception as raised:
            error = raised
        for item in self._kept:
            yield item
        if error is not None:
            raise error

    def _ready(self, output: Any) -> list[Any]:
        """Return what may go on with an output."""
        if not self._counts(output):
            return [output]
        self._count += 1
        self._kept.append(output)
        if self._most and not self.is_above:
            return []
        ready, self._kept = self._kept, []
        return ready
