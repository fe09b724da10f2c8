"""Samples of sites, and how much their blocks count."""

from __future__ import annotations

import pytest

from tests.training.tiny import site_of
from training.samples import drawn, sample_of, samples_of
from training.weights import weights_of


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


def test_a_sample_holds_a_row_and_a_label_a_block() -> None:
    sample = sample_of(site_of("a.example", 3), (2, 0, 1))
    assert sample.rows.shape == (3 * 7, len(sample.names))
    assert sample.page.tolist() == [0] * 7 + [1] * 7 + [2] * 7
    assert sample.wanted.reshape(3, 7).tolist() == [[False, False, True, False, True, True, False]] * 3
    assert sample.optional.reshape(3, 7).tolist() == [[False, False, False, True, False, False, False]] * 3


def test_every_site_weighs_the_same() -> None:
    small, large = site_of("a.example", 2), site_of("b.example", 20)
    samples = [*samples_of(small), *samples_of(large)]
    weights = weights_of(samples)
    for site in (small, large):
        total = sum(part.sum() for part, sample in zip(weights, samples, strict=True) if sample.site is site)
        assert total == pytest.approx(1)
