"""Items of a page, counted to find pages with too many items for any to get the text (``several_items``)."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any, NamedTuple

Numbered = tuple[Any, int]  # an output of the spider, and its number in the spool or 0


class ItemHandling(NamedTuple):
    """The handling of a response's outputs."""

    gets_text: Callable[[Any], bool]  # true for an item with fields for the page's text
    write_to_spool: Callable[[Any], int]  # writes a delayed item to disk; returns the number in the spool, or 0


class ItemCount:
    """The items of a response to get the text of the page.

    Items are kept back until more than ``most`` have come, or the output ends.
    """

    def __init__(self, most: int) -> None:
        self._most, self._count = most, 0
        self._kept: deque[Numbered] = deque()

    @property
    def is_above(self) -> bool:
        return 0 < self._most < self._count

    def ordered(self, outputs: Iterable[Any], handling: ItemHandling) -> Iterator[Numbered]:
        """Yield the outputs of a spider: items once they are counted, requests at once."""
        error = None
        try:
            for output in outputs:
                yield from self._ready(output, handling)
        except Exception as raised:
            error = raised
        yield from self.kept()
        if error is not None:
            raise error

    async def ordered_async(self, outputs: AsyncIterable[Any], handling: ItemHandling) -> AsyncIterator[Numbered]:
        error = None
        try:
            async for output in outputs:
                for ready in self._ready(output, handling):
                    yield ready
        except Exception as raised:
            error = raised
        for kept in self.kept():
            yield kept
        if error is not None:
            raise error

    def kept(self) -> Iterator[Numbered]:
        while self._kept:
            yield self._kept.popleft()

    def _ready(self, output: Any, handling: ItemHandling) -> Iterator[Numbered]:
        if handling.gets_text(output):
            self._count += 1
            if self._most and not self.is_above:
                self._kept.append((output, handling.write_to_spool(output)))
                return
            yield from self.kept()
        yield output, 0
