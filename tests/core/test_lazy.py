"""Values that are worked out when they are first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scrapy_stemmer.core.lazy import once

ASKED: list[int] = []


@dataclass(frozen=True)
class Number:
    value: int

    @once
    def double(self) -> int:
        """Twice the number."""
        ASKED.append(self.value)
        return 2 * self.value


def test_it_is_worked_out_once_for_each_object() -> None:
    ASKED.clear()
    one, other = Number(1), Number(2)
    assert [one.double, one.double, other.double] == [2, 2, 4]
    assert ASKED == [1, 2]


def test_it_is_no_part_of_a_dataclass() -> None:
    number = Number(3)
    assert number.double == 6
    assert repr(number) == "Number(value=3)"
    assert number == Number(3)
    assert replace(number, value=4).double == 8


def test_of_the_class_it_is_itself_with_the_docstring() -> None:
    assert isinstance(Number.double, once)
    assert Number.double.__doc__ == "Twice the number."
