"""Common subsequences against a naive oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.alignment import Match, match_heaviest, match_sequences

FEATURES = st.lists(st.sampled_from("abcd"), max_size=9)


def naive_lcs(first: Sequence[str], second: Sequence[str], gain: Callable[[int, int], int]) -> int:
    """The greatest total gain of a common subsequence, by trying everything."""

    @cache
    def best(i: int, j: int) -> int:
        if i == len(first) or j == len(second):
            return 0
        skipped = max(best(i + 1, j), best(i, j + 1))
        return max(skipped, gain(i, j) + best(i + 1, j + 1)) if first[i] == second[j] else skipped

    return best(0, 0)


def assert_is_common_subsequence(matches: Sequence[Match], first: Sequence[str], second: Sequence[str]) -> None:
    assert all(first[match.first] == second[match.second] for match in matches)
    assert all(a.first < b.first and a.second < b.second for a, b in pairwise(matches))


def no_table(rows: slice, columns: slice) -> list[list[int]]:
    raise AssertionError


def test_larger_tables_are_not_made() -> None:
    matches = match_heaviest("ab", "ba", lambda i, j: False, no_table, 3)
    assert matches == match_sequences("ab", "ba")
