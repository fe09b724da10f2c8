"""When items of a page go on, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from scrapy_stemmer.crawl.spidermiddleware import ItemCount, in_step, in_turn

REQUEST = "a request"


def counting(most: int) -> ItemCount:
    """Return a count of numbers; on disk a number is ten times as large."""
    return ItemCount(most, lambda output: isinstance(output, int), lambda item: item * 10)


def ordered(count: ItemCount, outputs: Iterable[Any]) -> Iterator[Any]:
    return in_step(count.ordered(in_turn(outputs)))


class TestItemCount:
    @pytest.mark.parametrize(
        ("most", "outputs", "expected"),
        [
            pytest.param(1, [1, REQUEST], [(REQUEST, False), (1, False)], id="one, once it is known to be the only"),
            pytest.param(1, [1, REQUEST, 2, 3], [(REQUEST, False), (1, True), (2, True), (3, True)], id="too many"),
            pytest.param(2, [1, 2], [(1, False), (2, False)], id="as many as may"),
            pytest.param(2, [1, 2, 3], [(1, True), (2, True), (3, True)], id="one more"),
            pytest.param(0, [1, REQUEST, 2], [(1, False), (REQUEST, False), (2, False)], id="any number, at once"),
        ],
    )
    def test_items_come_once_they_are_counted(
        self, most: int, outputs: list[Any], expected: list[tuple[Any, bool]]
    ) -> None:
        count = counting(most)
        assert [(output, count.is_above) for output, _ in ordered(count, outputs)] == expected

    def test_an_exception_comes_behind_the_items_before_it(self) -> None:
        def broken() -> Iterator[Any]:
            yield 1
            raise KeyError("oh")

        outputs = ordered(counting(1), broken())
        assert next(outputs) == (1, 10)
        with pytest.raises(KeyError):
            next(outputs)


def test_no_more_is_asked_of_a_callback_than_it_takes_to_know() -> None:
    asked: list[int] = []

    def endless() -> Iterator[int]:
        for number in range(1, 100):
            asked.append(number)
            yield number

    outputs = (output for output, _ in ordered(counting(1), endless()))
    assert next(outputs) == 1
    assert asked == [1, 2]
    assert (next(outputs), next(outputs)) == (2, 3)
    assert asked == [1, 2, 3]


def test_only_items_that_are_kept_back_are_on_disk() -> None:
    count = counting(2)
    outputs = ordered(count, [1, REQUEST, 2, 3, 4])
    assert [next(outputs) for _ in range(5)] == [(REQUEST, 0), (1, 10), (2, 20), (3, 0), (4, 0)]


def test_items_of_a_closed_callback_can_be_had() -> None:
    count = counting(2)
    outputs = ordered(count, [1, REQUEST, 2])
    assert next(outputs) == (REQUEST, 0)
    del outputs
    assert list(count.kept()) == [(1, 10)]
    assert list(count.kept()) == []
