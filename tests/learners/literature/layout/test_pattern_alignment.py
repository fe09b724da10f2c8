"""Runs, alignment against a naive oracle, similarity and its cascade, clusters."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.alignment import Match, match_sequences
from scrapy_stemmer.learners.literature.layout import pattern
from scrapy_stemmer.learners.literature.layout.pattern import (
    MAX_DIRECTORIES,
    Runs,
    absorb,
    complete_link,
    consensus,
    directories_of,
    directory_distance,
    match_weighted,
    original_assign,
    original_common_features,
    original_similarity,
    runs_of,
    similar,
    similarity,
    similarity_bound,
)
from scrapy_stemmer.page.blocks import LayoutBlock
from tests import microexample
from tests.learners.literature.test_alignment import FEATURES, assert_is_common_subsequence, naive_lcs
from tests.strategies import runs

WEIGHTS = st.lists(st.integers(1, 20), min_size=11, max_size=11)


def block(path: str, weight: int = 1) -> LayoutBlock:
    return LayoutBlock(path, "x" * weight, "x" * weight, weight, weight)


def run_sequence(*pairs: tuple[str, int]) -> Runs:
    return Runs(tuple(f for f, _ in pairs), tuple(w for _, w in pairs), (1,) * len(pairs))


def align(first: Runs, second: Runs) -> list[Match]:
    return match_sequences(first.features, second.features)


def align_weighted(first: Runs, second: Runs) -> list[Match]:
    return match_weighted(first.features, first.weights, second.features, second.weights)


def test_neighbours_of_one_feature_are_one_run() -> None:
    blocks = [block("p", 2), block("p", 3), block("h1", 1), block("p", 5)]
    assert runs_of(blocks) == Runs(("p", "h1", "p"), (5, 1, 5), (2, 1, 1))


def test_a_page_without_blocks_has_no_runs() -> None:
    assert runs_of([]) == Runs((), (), ())


@given(FEATURES, FEATURES, WEIGHTS, WEIGHTS)
def test_weighted_alignment_is_the_heaviest_common_subsequence(
    first: list[str], second: list[str], ours: list[int], theirs: list[int]
) -> None:
    first, second = (
        ["e", *first, "f"],
        ["g", *second, "h"],
    )  # Common ends would be matched at any weight.
    matches = match_weighted(first, ours[: len(first)], second, theirs[: len(second)])
    assert_is_common_subsequence(matches, first, second)
    weight = sum(ours[match.first] + theirs[match.second] for match in matches)
    assert weight == naive_lcs(first, second, lambda i, j: ours[i] + theirs[j])


@given(FEATURES, FEATURES, WEIGHTS)
def test_weights_of_one_side_are_enough(first: list[str], second: list[str], weights: list[int]) -> None:
    """A pattern has no text; only the page's counts."""
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
    matches = match_weighted(first, [0] * len(first), second, weights)
    assert matches == expected


def test_weighted_alignment_prefers_much_text_to_many_runs() -> None:
    first, second = run_sequence(("a", 1), ("b", 1), ("c", 90)), run_sequence(("c", 90), ("a", 1), ("b", 1))
    assert align(first, second) == [Match(0, 1), Match(1, 2)]
    assert align_weighted(first, second) == [Match(2, 0)]


def test_very_long_pairs_keep_the_unweighted_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = run_sequence(("a", 1), ("b", 1), ("c", 90)), run_sequence(("c", 90), ("a", 1), ("b", 1))
    monkeypatch.setattr(pattern, "MAX_ALIGNMENT_CELLS", 8)
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
    monkeypatch.delattr(pattern, "match_sequences")
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


# Grouping pages by layout


def alike(groups: str) -> Callable[[int, int], bool]:
    """Return True for pages of equal letters."""
    return lambda first, second: groups[first] == groups[second]


def recording(compared: list[tuple[int, int]]) -> Callable[[int, int], bool]:
    def similar(first: int, second: int) -> bool:
        compared.append((first, second))
        return True

    return similar


def urls(count: int) -> list[str]:
    return [f"http://ex.com/a/{number:03}.html" for number in range(count)]


@pytest.mark.parametrize(
    ("threshold", "clusters"),
    [
        pytest.param(0.97, [[0, 1], [2]], id="at .97 pages 1 and 2"),
        pytest.param(0.8, [[0, 1, 2]], id="at .8 all"),
    ],
)
def test_the_clusters_of_the_micro_example(threshold: float, clusters: list[list[int]]) -> None:
    pages = [microexample.blocks(number) for number in (1, 2, 3)]
    assert complete_link(urls(3), lambda a, b: original_similarity(pages[a], pages[b]) >= threshold) == clusters


@pytest.mark.parametrize(
    ("groups", "clusters"),
    [
        pytest.param("", [], id="no pages"),
        pytest.param("a", [[0]], id="one page"),
        pytest.param("aaa", [[0, 1, 2]], id="one layout"),
        pytest.param("abab", [[0, 2], [1, 3]], id="two layouts"),
        pytest.param("abc", [[0], [1], [2]], id="all different"),
    ],
)
def test_pages_are_grouped_by_similarity(groups: str, clusters: list[list[int]]) -> None:
    assert complete_link(urls(len(groups)), alike(groups)) == clusters


def test_all_members_must_be_similar_not_only_one() -> None:
    """A chain: 0 is like 1, 1 is like 2, 0 is not like 2."""
    assert complete_link(urls(3), lambda a, b: abs(a - b) < 2) == [[0, 1], [2]]


def test_of_clusters_that_fit_the_nearer_url_is_joined() -> None:
    urls = ["http://ex.com/a/1", "http://ex.com/b/2", "http://ex.com/b/3"]
    differ = {frozenset({0, 1})}
    assert complete_link(urls, lambda a, b: frozenset({a, b}) not in differ) == [[0], [1, 2]]


def test_samples_of_a_cluster_spare_comparisons() -> None:
    compared: list[tuple[int, int]] = []
    assert complete_link(urls(20), recording(compared), max_samples=2) == [list(range(20))]
    assert len(compared) == 1 + 2 * 18


@pytest.mark.parametrize("seed", [0, 7])
def test_samples_are_drawn_by_the_seed(seed: int) -> None:
    def run() -> list[tuple[int, int]]:
        compared: list[tuple[int, int]] = []
        complete_link(urls(20), recording(compared), max_samples=2, seed=seed)
        return compared

    assert run() == run()


@given(st.lists(st.sampled_from("abc"), max_size=12).map("".join))
def test_every_page_is_in_one_cluster_of_similar_pages(groups: str) -> None:
    clusters = complete_link(urls(len(groups)), alike(groups))
    assert sorted(page for cluster in clusters for page in cluster) == list(range(len(groups)))
    assert all(len({groups[page] for page in cluster}) == 1 for cluster in clusters)
    assert len(clusters) == len(set(groups))


@pytest.mark.parametrize(
    ("url", "directories"),
    [
        pytest.param("http://ex.com/a/b/c.html?d=/e/", ("ex.com", "a", "b"), id="without the file and query"),
        pytest.param("http://ex.com/", ("ex.com",), id="root"),
        pytest.param("http://ex.com", ("ex.com",), id="root without slash"),
        pytest.param("http://[::1/a", ("http://[::1/a",), id="no URL: itself"),
    ],
)
def test_directories_of(url: str, directories: tuple[str, ...]) -> None:
    assert directories_of(url) == directories


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        pytest.param("a/b", "a/b", 0, id="same"),
        pytest.param("a/b", "a/c", 2**30, id="second level"),
        pytest.param("a/b", "c/b", 2**31, id="first level"),
        pytest.param("a/b", "a", 2**30, id="a missing level differs"),
        pytest.param("a", "a/b/c", 2**30 + 2**29, id="two missing levels"),
    ],
)
def test_directory_distance(first: str, second: str, distance: int) -> None:
    parts = first.split("/"), second.split("/")
    assert directory_distance(*parts) == directory_distance(*parts[::-1]) == distance


def test_levels_below_the_last_are_alike() -> None:
    same = ["x"] * MAX_DIRECTORIES
    assert directory_distance([*same, "a"], [*same, "b"]) == 0
