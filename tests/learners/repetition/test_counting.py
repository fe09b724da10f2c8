"""Counting what returns from page to page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.repetition.counting import as_hashes, count_occurrences, count_pages, least_pages

PAGES = [as_hashes(page) for page in ([7, 7, 7, 5], [5, 9], [5])]


def test_a_hash_counts_once_a_page() -> None:
    counted = count_pages(PAGES)
    assert dict(zip(counted.hashes.tolist(), counted.counts.tolist(), strict=True)) == {5: 3, 7: 1, 9: 1}


def test_occurrences_are_counted_all() -> None:
    counted = count_occurrences(PAGES)
    assert dict(zip(counted.hashes.tolist(), counted.counts.tolist(), strict=True)) == {5: 3, 7: 3, 9: 1}


@pytest.mark.parametrize(
    ("lower", "upper", "kept"),
    [(1, 0, [5, 7, 9]), (2, 0, [5]), (4, 0, []), (1, 1, [7, 9]), (1, 3, [5, 7, 9]), (2, 2, [])],
)
def test_both_thresholds_are_inclusive_and_no_upper_one_is_0(lower: int, upper: int, kept: list[int]) -> None:
    assert count_pages(PAGES).within(lower, upper).hashes.tolist() == kept


def test_only_some_hashes() -> None:
    kept = count_pages(PAGES).only(as_hashes([9, 5, 4]))
    assert (kept.hashes.tolist(), kept.counts.tolist()) == ([5, 9], [3, 1])


def test_no_pages() -> None:
    assert count_pages([]).hashes.tolist() == []


def test_hashes_use_all_64_bits() -> None:
    assert count_pages([as_hashes([2**64 - 1, 0])]).hashes.tolist() == [0, 2**64 - 1]


@pytest.mark.parametrize(
    ("count", "least"),
    [(1, 2), (2, 2), (10, 2), (11, 2), (12, 3), (30, 3), (2000, 3)],
)
def test_small_samples_ask_for_two_pages_instead_of_three(count: int, least: int) -> None:
    assert least_pages(count) == least


@pytest.mark.parametrize("pages", [1, 3, 8, 15])
def test_a_number_that_is_asked_for_is_the_number_whatever_the_sample(pages: int) -> None:
    assert least_pages(10, pages) == pages


@pytest.mark.parametrize(("count", "least"), [(10, 2), (30, 3), (31, 4), (200, 20)])
def test_a_share_of_the_sample_is_asked_for_as_well(count: int, least: int) -> None:
    assert least_pages(count, None, 0.1) == least


@given(st.lists(st.lists(st.integers(0, 20), max_size=8), max_size=6))
def test_the_order_of_pages_makes_no_difference(pages: list[list[int]]) -> None:
    forth, back = (count_pages([as_hashes(page) for page in order]) for order in (pages, pages[::-1]))
    assert forth.hashes.tolist() == back.hashes.tolist()
    assert forth.counts.tolist() == back.counts.tolist()
