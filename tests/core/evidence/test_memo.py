"""Values that are made once, and forgotten when there are too many."""

from __future__ import annotations

from scrapy_stemmer.core.evidence.memo import Memo


def test_a_value_is_made_once() -> None:
    made: list[str] = []
    memo = Memo[str, int](lambda key: made.append(key) or len(key), 9)  # type: ignore[func-returns-value]
    assert [memo[key] for key in ("a", "bb", "a")] == [1, 2, 1]
    assert made == ["a", "bb"]


def test_all_are_forgotten_when_there_are_too_many() -> None:
    memo = Memo[int, int](abs, 3)
    for key in range(-7, 0):
        assert memo[key] == -key
        assert len(memo) <= 3


def test_some_can_be_kept() -> None:
    memo = Memo[int, int](abs, 9)
    assert [memo[key] for key in (1, -2, 3)] == [1, 2, 3]
    memo.keep({-2, 5})
    assert dict(memo) == {-2: 2}
