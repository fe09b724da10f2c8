"""Samples of sites, and how much their blocks count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.training.tiny import site_of
from training.samples import drawn, sample_of, samples_of
from training.weights import ALONE, OPTIONAL, POWER, weights_of


def test_a_small_site_is_a_sample_and_parts_of_it_are_small_ones() -> None:
    found = list(drawn(site_of("a.example", 4)))
    assert [(len(numbers), is_small) for numbers, is_small in found] == [
        (4, False),
        (1, True),
        (1, True),
        (2, True),
        (2, True),
        (3, True),
    ]
    assert sorted(found[0][0]) == [0, 1, 2, 3]


def test_samples_of_a_large_site_have_no_page_in_common() -> None:
    full = [numbers for numbers, is_small in drawn(site_of("a.example", 33)) if not is_small]
    assert [len(numbers) for numbers in full] == [11, 11, 11]
    assert len({number for numbers in full for number in numbers}) == 33


def test_the_same_samples_are_drawn_again() -> None:
    site = site_of("a.example", 15)
    assert list(drawn(site)) == list(drawn(site))
    assert list(drawn(site)) != list(drawn(site_of("b.example", 15)))


def test_a_sample_holds_a_row_and_a_label_a_block() -> None:
    sample = sample_of(site_of("a.example", 3), (2, 0, 1))
    assert sample.rows.shape == (3 * 7, len(sample.names))
    assert sample.page.tolist() == [0] * 7 + [1] * 7 + [2] * 7
    assert sample.wanted.reshape(3, 7).tolist() == [[False, False, True, False, True, True, False]] * 3
    assert sample.optional.reshape(3, 7).tolist() == [[False, False, False, True, False, False, False]] * 3


def test_what_other_pages_have_is_repeated() -> None:
    site = site_of("a.example", 3)
    sample = sample_of(site, (0, 1, 2))
    repeated = sample.rows[:, sample.names.index("repeated")].reshape(3, 7)
    assert repeated.tolist() == [[1, 1, 1, 1, 0, 0, 1]] * 3
    alone = sample_of(site, (0,))
    assert np.isnan(alone.rows[:, alone.names.index("repeated")]).all()


def test_every_site_weighs_the_same() -> None:
    small, large = site_of("a.example", 2), site_of("b.example", 20)
    samples = [*samples_of(small), *samples_of(large)]
    weights = weights_of(samples)
    for site in (small, large):
        total = sum(part.sum() for part, sample in zip(weights, samples, strict=True) if sample.site is site)
        assert total == pytest.approx(1)


def test_a_single_page_weighs_less_than_a_site() -> None:
    single = replace(site_of("a.example", 1), set_name="onepage/tiny")
    (weights,) = weights_of(list(samples_of(single)))
    assert weights.sum() == pytest.approx(ALONE)


def test_pages_of_a_sample_weigh_the_same_and_long_blocks_more() -> None:
    sample = sample_of(site_of("a.example", 3), (0, 1, 2))
    (weights,) = weights_of([sample])
    assert np.bincount(sample.page, weights) == pytest.approx([1 / 3] * 3)
    of_first = weights[:7]
    assert of_first[4] > of_first[0] > 0


def test_text_that_gold_leaves_open_counts_less() -> None:
    sample = sample_of(site_of("a.example", 3), (0, 1, 2))
    (weights,) = weights_of([sample])
    for_a_character = weights / sample.length**POWER
    first = sample.page == 0
    assert sample.optional[first].any()
    wanted = for_a_character[first & ~sample.optional]
    assert for_a_character[first & sample.optional] == pytest.approx(OPTIONAL * wanted[0])
