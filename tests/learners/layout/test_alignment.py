"""Runs, alignment against a naive oracle, similarity and its cascade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.text import Match, match_sequences
from scrapy_stemmer.learners.layout import alignment
from scrapy_stemmer.learners.layout.alignment import (
    Runs,
    absorb,
    align,
    align_weighted,
    consensus,
    match_weighted,
    original_assign,
    original_common_features,
    original_similarity,
    runs_of,
    similar,
    similarity,
    similarity_bound,
)
from tests import microexample
from tests.strategies import runs

FEATURES = st.lists(st.sampled_from("abcd"), max_size=9)
WEIGHTS = st.lists(st.integers(1, 20), min_size=11, max_size=11)


def block(path: str, weight: int = 1) -> LayoutBlock:
    return LayoutBlock(path, "x" * weight, "x" * weight, weight, weight)


def run_sequence(*pairs: tuple[str, int]) -> Runs:
    return Runs(tuple(f for f, _ in pairs), tuple(w for _, w in pairs), (1,) * len(pairs))


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


def test_neighbours_of_one_feature_are_one_run() -> None:
    blocks = [block("p", 2), block("p", 3), block("h1", 1), block("p", 5)]
    assert runs_of(blocks) == Runs(("p", "h1", "p"), (5, 1, 5), (2, 1, 1))


def test_a_page_without_blocks_has_no_runs() -> None:
    assert runs_of([]) == Runs((), (), ())


@given(FEATURES, FEATURES)
def test_unweighted_alignment_is_a_longest_common_subsequence(first: list[str], second: list[str]) -> None:
    matches = match_sequences(first, second)
    assert_is_common_subsequence(matches, first, second)
    assert len(matches) == naive_lcs(first, second, lambda i, j: 1)


@given(FEATURES, FEATURES, WEIGHTS, WEIGHTS)
def test_weighted_alignment_is_the_heaviest_common_subsequence(
    first: list[str], second: list[str], ours: list[int], theirs: list[int]
) -> None:
    first, second = (
        ["e", *first, "f"],
        ["g", *second, "h"],
    )  # Without common ends, which are matched whatever they weigh.
    matches = match_weighted(first, ours[: len(first)], second, theirs[: len(second)])
    assert_is_common_subsequence(matches, first, second)
    found = sum(ours[match.first] + theirs[match.second] for match in matches)
    assert found == naive_lcs(first, second, lambda i, j: ours[i] + theirs[j])


@given(FEATURES, FEATURES, WEIGHTS)
def test_weights_of_one_side_are_enough(first: list[str], second: list[str], weights: list[int]) -> None:
    """A pattern has no text of its own: only the page's counts."""
    first, second = ["e", *first, "f"], ["g", *second, "h"]
    matches = match_weighted(first, [0] * len(first), second, weights[: len(second)])
    assert_is_common_subsequence(matches, first, second)
    assert sum(weights[m.second] for m in matches) == naive_lcs(first, second, lambda i, j: weights[j])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("ab", "ab", [(0, 0), (1, 1)], id="equal"),
        pytest.param("axb", "ayzb", [(0, 0), (2, 3)], id="both ends"),
        pytest.param("aa", "a", [(0, 0)], id="ends don't overlap"),
        pytest.param("aXa", "aYaZ", [(0, 0), (2, 2)], id="the beginning, whatever it weighs"),
        pytest.param("", "a", [], id="empty"),
    ],
)
def test_common_ends_are_matched(first: str, second: str, expected: list[tuple[int, int]]) -> None:
    weights = [1] * len(second)
    found = match_weighted(first, [0] * len(first), second, weights)
    assert found == expected


def test_weighted_alignment_prefers_much_text_to_many_runs() -> None:
    first, second = run_sequence(("a", 1), ("b", 1), ("c", 90)), run_sequence(("c", 90), ("a", 1), ("b", 1))
    assert align(first, second) == [Match(0, 1), Match(1, 2)]
    assert align_weighted(first, second) == [Match(2, 0)]


def test_very_long_pairs_keep_the_unweighted_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = run_sequence(("a", 1), ("b", 1), ("c", 90)), run_sequence(("c", 90), ("a", 1), ("b", 1))
    monkeypatch.setattr(alignment, "MAX_CELLS", 8)
    assert align_weighted(first, second) == align(first, second)


@pytest.mark.parametrize(
    ("features", "matched", "expected"),
    [
        pytest.param("aba", [0], {0: 0, 2: 0}, id="by the match before"),
        pytest.param("aba", [2], {0: 2, 2: 2}, id="by the match after"),
        pytest.param("ababa", [0, 4], {0: 0, 2: 0, 4: 4}, id="the one before is preferred"),
        pytest.param("abaca", [0, 3], {0: 0, 2: 0, 3: 3, 4: None}, id="not across another match"),
        pytest.param("ab", [], {}, id="without matches nothing"),
    ],
)
def test_absorb(features: str, matched: list[int], expected: dict[int, int | None]) -> None:
    owners = absorb(run_sequence(*((feature, 1) for feature in features)), matched)
    assert owners == {run: owner for run, owner in expected.items() if owner is not None}


@given(runs(), st.data())
def test_absorbed_runs_have_the_feature_of_their_owner(page: Runs, data: st.DataObject) -> None:
    positions = st.sets(st.integers(0, max(0, len(page.features) - 1))) if page.features else st.just(set())
    matched = sorted(data.draw(positions))
    owners = absorb(page, matched)
    assert {run: owner for run, owner in owners.items() if run in matched} == {run: run for run in matched}
    assert all(page.features[run] == page.features[owner] for run, owner in owners.items())


EXAMPLE = [
    pytest.param(1, 2, 282 / 282, id="1 and 2"),
    pytest.param(1, 3, 287 / 301, id="1 and 3"),
    pytest.param(2, 3, 257 / 271, id="2 and 3"),
]


@pytest.mark.parametrize(("one", "other", "expected"), EXAMPLE)
def test_the_similarities_of_the_micro_example(one: int, other: int, expected: float) -> None:
    pages = [microexample.blocks(number) for number in (one, other)]
    first, second = map(runs_of, pages)
    for matches in (align(first, second), align_weighted(first, second)):
        assert similarity(first, second, matches) == pytest.approx(expected)
    assert similarity_bound(first, second) == pytest.approx(expected)


@given(runs())
def test_a_page_is_quite_similar_to_itself(page: Runs) -> None:
    expected = 1.0 if page.features else 0.0
    assert similarity(page, page, align(page, page)) == expected
    assert similarity(page, page, align_weighted(page, page)) == expected


@given(runs(), runs())
def test_the_bound_is_never_below_the_similarity(first: Runs, second: Runs) -> None:
    bound = similarity_bound(first, second)
    for matches in (align(first, second), align_weighted(first, second)):
        assert 0.0 <= similarity(first, second, matches) <= bound <= 1.0


@given(runs(), runs(), st.floats(0.01, 1))
def test_the_cascade(first: Runs, second: Runs, threshold: float) -> None:
    """Similar by either alignment; the bound only spares work."""
    reached = [
        similarity(first, second, matches) >= threshold
        for matches in (align(first, second), align_weighted(first, second))
    ]
    assert similar(first, second, threshold) == any(reached)


def test_pages_that_the_bound_rejects_are_not_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(alignment, "align")
    assert not similar(run_sequence(("a", 9)), run_sequence(("b", 9)), 0.5)


def pages(*sequences: str) -> list[Runs]:
    """A run of weight 10 for each letter."""
    return [Runs(tuple(s), (10,) * len(s), (1,) * len(s)) for s in sequences]


def common(share: float, *sequences: str) -> str:
    return "".join(consensus(pages(*sequences), share))


@pytest.mark.parametrize(
    ("share", "sequences", "expected"),
    [
        pytest.param(1.0, [], "", id="no pages"),
        pytest.param(1.0, ["abc"], "abc", id="one page"),
        pytest.param(1.0, ["abc", "abc"], "abc", id="equal pages"),
        pytest.param(1.0, ["abc", "axc"], "ac", id="what all have"),
        pytest.param(0.5, ["abc", "ac"], "abc", id="what half of them have, in its place"),
        pytest.param(0.5, ["ac", "abc"], "abc", id="whichever comes first"),
        pytest.param(0.6, ["abc", "ac", "abc"], "abc", id="two of three"),
        pytest.param(0.7, ["abc", "ac", "abc"], "ac", id="not two of three"),
        pytest.param(0.0, ["ab", "cd"], "abcd", id="anything that one has"),
        pytest.param(1.0, ["aba", "aca"], "a", id="neighbours that become equal are one"),
        pytest.param(1.0, ["ab", "cd"], "", id="nothing in common"),
        pytest.param(1.0, ["abc", ""], "", id="a page without blocks has nothing"),
    ],
)
def test_consensus(share: float, sequences: list[str], expected: str) -> None:
    assert common(share, *sequences) == expected


@given(st.lists(runs(), max_size=4), st.sampled_from((0.0, 0.5, 1.0)))
def test_neighbours_differ(sample: list[Runs], share: float) -> None:
    features = consensus(sample, share)
    assert all(a != b for a, b in pairwise(features))


@given(st.lists(runs(), min_size=1, max_size=4))
def test_what_all_pages_have_is_on_every_page(sample: list[Runs]) -> None:
    assert all(set(consensus(sample, 1.0)) <= set(page.features) for page in sample)


@given(runs(), st.integers(1, 4))
def test_equal_pages_agree_on_themselves(page: Runs, copies: int) -> None:
    assert consensus([page] * copies, 1.0) == list(page.features)


# Webstemmer's own alignment, flaws included (algorithms §1.2)


def blocks(features: str) -> list[LayoutBlock]:
    """A block of weight 1 for each letter."""
    return [LayoutBlock(feature, feature, feature, 1, 1) for feature in features]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("abcd", "abcd", "abcd", id="equal"),
        pytest.param("abXcd", "abcd", "abcd", id="one more"),
        pytest.param("abc", "xyz", "", id="nothing"),
        pytest.param("xxabcabc", "abcxx", "abc", id="longest block first, where an LCS has as many or more"),
    ],
)
def test_common_features(first: str, second: str, expected: str) -> None:
    assert "".join(original_common_features(first, second)) == expected


@pytest.mark.parametrize(
    ("pattern", "page", "expected"),
    [
        pytest.param("abc", "abc", [0, 1, 2], id="one each"),
        pytest.param("abc", "abbbc", [0, 1, 1, 1, 2], id="a feature takes many blocks"),
        pytest.param("ab", "abxb", [0, 1, None, 1], id="also across others"),
        pytest.param("abc", "ac", [0, 2], id="a feature may stay empty"),
        pytest.param("ab", "b", [None], id="flaw: the first block fits the first feature only"),
        pytest.param("ab", "xb", [None, 1], id="the second block fits any"),
        pytest.param("", "ab", [None, None], id="empty pattern"),
        pytest.param("ab", "", [], id="empty page"),
    ],
)
def test_assign(pattern: str, page: str, expected: list[int | None]) -> None:
    assert original_assign(pattern, blocks(page)) == expected


@given(st.text("abc", max_size=6), st.text("abcd", max_size=8))
def test_assigned_blocks_have_the_feature_and_keep_the_order(pattern: str, page: str) -> None:
    owners = [(index, owner) for index, owner in enumerate(original_assign(pattern, blocks(page))) if owner is not None]
    assert all(pattern[owner] == page[index] for index, owner in owners)
    assert [owner for _, owner in owners] == sorted(owner for _, owner in owners)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(1, 2, 1.0, id="1 and 2"),
        pytest.param(1, 3, 287 / 301, id="1 and 3"),
        pytest.param(2, 3, 257 / 271, id="2 and 3"),
    ],
)
def test_the_similarities_of_the_micro_example_as_the_original(one: int, other: int, expected: float) -> None:
    assert original_similarity(microexample.blocks(one), microexample.blocks(other)) == pytest.approx(expected)


def test_pages_without_blocks_are_not_similar() -> None:
    assert original_similarity([], []) == 0.0
