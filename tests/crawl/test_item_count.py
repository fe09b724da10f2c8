"""When items of a page go on, and in which order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest

from scrapy_stemmer.crawl.item_count import ItemCount

REQUEST = "a request"


def count_of(most: int) -> ItemCount:
    """A count of the outputs that are numbers."""
    return ItemCount(most, lambda output: isinstance(output, int))


def came(count: ItemCount, outputs: Iterable[Any], *, is_async: bool) -> list[tuple[Any, bool]]:
    """Return each released item with its state of being too many."""

    async def given() -> AsyncIterator[Any]:
        for output in outputs:
            yield output

    async def run() -> list[tuple[Any, bool]]:
        return [(output, count.is_above) async for output in count.ordered_async(given())]

    return asyncio.run(run()) if is_async else [(output, count.is_above) for output in count.ordered(outputs)]


@pytest.mark.parametrize("is_async", [True, False])
class TestItemCount:
    def test_one_item_comes_when_it_is_known_to_be_the_only_one(self, is_async: bool) -> None:
        assert came(count_of(1), [1, REQUEST], is_async=is_async) == [(REQUEST, False), (1, False)]

    def test_of_two_both_are_too_many(self, is_async: bool) -> None:
        found = came(count_of(1), [1, REQUEST, 2, 3], is_async=is_async)
        assert found == [(REQUEST, False), (1, True), (2, True), (3, True)]

    def test_as_many_as_may_are_not(self, is_async: bool) -> None:
        assert came(count_of(2), [1, 2], is_async=is_async) == [(1, False), (2, False)]
        assert came(count_of(2), [1, 2, 3], is_async=is_async) == [(1, True), (2, True), (3, True)]

    def test_with_any_number_each_goes_at_once(self, is_async: bool) -> None:
        assert came(count_of(0), [1, REQUEST, 2], is_async=is_async) == [(1, False), (REQUEST, False), (2, False)]

    def test_an_exception_comes_behind_the_items_before_it(self, is_async: bool) -> None:
        seen: list[Any] = []

        def broken() -> Iterator[Any]:
            yield 1
            raise KeyError("oh")

        def outputs() -> Iterator[Any]:
            for output in count_of(1).ordered(broken()):
                seen.append(output)
                yield output

        with pytest.raises(KeyError):
            came(count_of(0), outputs(), is_async=is_async)
        assert seen == [1]


def test_no_more_is_asked_of_a_callback_than_it_takes_to_know() -> None:
    asked: list[int] = []

    def endless() -> Iterator[int]:
        for number in range(1, 100):
            asked.append(number)
            yield number

    outputs = count_of(1).ordered(endless())
    assert next(outputs) == 1
    assert asked == [1, 2]
    assert (next(outputs), next(outputs)) == (2, 3)
    assert asked == [1, 2, 3]
