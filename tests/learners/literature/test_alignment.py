"""Common subsequences against a naive oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.alignment import Match, match_heaviest, match_sequences

FEATURES = st.lists(st.sampled_from("abcd"), max_size=9)
GAINS = st.lists(st.lists(st.integers(0, 9), min_size=6, max_size=6), max_size=4)


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


@given(FEATURES, FEATURES)
def test_unweighted_alignment_is_a_longest_common_subsequence(first: list[str], second: list[str]) -> None:
    matches = match_sequences(first, second)
    assert_is_common_subsequence(matches, first, second)
    assert len(matches) == naive_lcs(first, second, lambda i, j: 1)


@given(GAINS)
def test_the_heaviest_pairs_are_found_whatever_they_are(gains: list[list[int]]) -> None:
    """Without common ends any two items may be paired, if the pair gains something."""

    def table(rows: slice, columns: slice) -> list[list[int]]:
        return [[gained(i, j) for j in range(columns.stop + 1)] for i in range(rows.stop + 1)]

    def gained(i: int, j: int) -> int:
        return naive_lcs("x" * i, "x" * j, lambda a, b: gains[a][b])

    matches = match_heaviest(range(len(gains)), range(6), lambda i, j: False, table, 36)
    assert all(a.first < b.first and a.second < b.second for a, b in pairwise(matches))
    assert all(gains[i][j] for i, j in matches)
    assert sum(gains[i][j] for i, j in matches) == gained(len(gains), 6)


def no_table(rows: slice, columns: slice) -> list[list[int]]:
    raise AssertionError


def test_common_ends_need_no_table() -> None:
    matches = match_heaviest("abc", "abxc", lambda i, j: "abc"[i] == "abxc"[j], no_table, 0)
    assert matches == [Match(0, 0), Match(1, 1), Match(2, 3)]


def test_larger_tables_are_not_made() -> None:
    matches = match_heaviest("ab", "ba", lambda i, j: False, no_table, 3)
    assert matches == match_sequences("ab", "ba")
