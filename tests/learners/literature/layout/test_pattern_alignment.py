"""Runs, alignment, similarity and its cascade, clusters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.alignment import Match, match_sequences
from scrapy_stemmer.learners.literature.layout import pattern
from scrapy_stemmer.learners.literature.layout.pattern import (
    Runs,
    complete_link,
    consensus,
    match_weighted,
    original_similarity,
    runs_of,
    similar,
    similarity,
)
from tests import microexample
from tests.strategies import runs


def run_sequence(*pairs: tuple[str, int]) -> Runs:
    return Runs(tuple(f for f, _ in pairs), tuple(w for _, w in pairs), (1,) * len(pairs))


def align(first: Runs, second: Runs) -> list[Match]:
    return match_sequences(first.features, second.features)


def align_weighted(first: Runs, second: Runs) -> list[Match]:
    return match_weighted(first.features, first.weights, second.features, second.weights)


def test_very_long_pairs_keep_the_unweighted_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = run_sequence(("a", 1), ("b", 1), ("c", 90)), run_sequence(("c", 90), ("a", 1), ("b", 1))
    monkeypatch.setattr(pattern, "MAX_ALIGNMENT_CELLS", 8)
    assert align_weighted(first, second) == align(first, second)


@pytest.mark.parametrize(("one", "other", "expected"), [(1, 2, 1), (1, 3, 287 / 301), (2, 3, 257 / 271)])
def test_the_similarities_of_the_micro_example(one: int, other: int, expected: float) -> None:
    """By both of our alignments, by the bound, and by Webstemmer's own alignment, flaws included (algorithms §1.2)."""
    blocks = [microexample.blocks(number) for number in (one, other)]
    first, second = map(runs_of, blocks)
    for matches in (align(first, second), align_weighted(first, second)):
        assert similarity(first, second, matches) == pytest.approx(expected)
    assert original_similarity(*blocks) == pytest.approx(expected)


@given(runs(), runs(), st.floats(0.01, 1))
def test_pages_are_similar_by_either_alignment(first: Runs, second: Runs, threshold: float) -> None:
    found = [similarity(first, second, matches) for matches in (align(first, second), align_weighted(first, second))]
    assert all(0.0 <= each <= 1.0 for each in found)
    assert similar(first, second, threshold) == any(each >= threshold for each in found)


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
    """A letter stands for a run of weight 10."""
    pages = [Runs(tuple(letters), (10,) * len(letters), (1,) * len(letters)) for letters in sequences]
    assert "".join(consensus(pages, share)) == expected


@given(st.lists(runs(), min_size=1, max_size=4))
def test_what_all_pages_have_is_on_every_page(sample: list[Runs]) -> None:
    assert all(set(consensus(sample, 1.0)) <= set(page.features) for page in sample)


# Grouping pages by layout


def test_of_clusters_that_fit_the_nearer_url_is_joined() -> None:
    urls = ["http://ex.com/a/1", "http://ex.com/b/2", "http://ex.com/b/3"]
    differ = {frozenset({0, 1})}
    assert complete_link(urls, lambda a, b: frozenset({a, b}) not in differ) == [[0], [1, 2]]
