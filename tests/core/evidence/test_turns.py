"""That other threads may go on."""

from __future__ import annotations

import inspect
from itertools import count, islice

from scrapy_stemmer.core.evidence.turns import one_by_one


def test_the_items_come_one_by_one_in_their_order() -> None:
    assert list(islice(one_by_one(count()), 3)) == [0, 1, 2]


def test_it_is_python_s_own_code_that_goes_from_one_to_the_next() -> None:
    """Compiled, it would not look whether another thread waits."""
    assert inspect.isgeneratorfunction(one_by_one)
