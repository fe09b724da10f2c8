"""Choice of learned and of tested pages."""

from __future__ import annotations

import pytest

from benchmarks.protocol import CURVE, CURVE_TESTED, Split, curve_splits, splits


def test_a_large_site_is_split_once() -> None:
    (only,) = splits(12)
    assert len(only.learned) == 10
    assert sorted([*only.learned, *only.tested]) == list(range(12))


def test_of_a_middling_site_each_page_is_left_out_once() -> None:
    assert list(splits(3)) == [Split((1, 2), (0,)), Split((0, 2), (1,)), Split((0, 1), (2,))]
    assert all(page not in split.learned for split in splits(11) for page in split.tested)


@pytest.mark.parametrize("count", [1, 2])
def test_a_tiny_site_is_tested_on_what_was_learned(count: int) -> None:
    pages = tuple(range(count))
    assert list(splits(count)) == [Split(pages, pages)]


@pytest.mark.parametrize("count", [1, 2, 5, 11, 21, 80])
def test_pages_of_the_curve_are_never_among_the_learned(count: int) -> None:
    for size in CURVE:
        found = list(curve_splits(count, size))
        assert len(found) == (min(count, CURVE_TESTED) if count > size else 0)
        for split in found:
            assert len(set(split.learned)) == size
            assert not set(split.tested) & set(split.learned)


def test_all_sizes_of_the_curve_test_equal_pages() -> None:
    tested = {size: [split.tested for split in curve_splits(30, size)] for size in (0, *CURVE)}
    assert all(pages == tested[0] for pages in tested.values())


def test_size_zero_is_the_page_itself() -> None:
    assert all(split.learned == split.tested for split in curve_splits(5, 0))
