"""Hashes and draws that are the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import permutations

import pytest

from scrapy_stemmer.core.hashing import drawn, stable_hash


def test_the_hash_is_written_down() -> None:
    """What is learned from a sample rests on these values: a change changes patterns, so it must be meant."""
    assert stable_hash("a", "b") == 0x235870420603E322


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(("ab", "c"), ("a", "bc"), id="where parts end"),
        pytest.param(("a", "b"), ("b", "a"), id="order"),
        pytest.param((), ("",), id="an empty part"),
        pytest.param(("日",), ("本",), id="other text"),
    ],
)
def test_hashes_differ_by(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    assert stable_hash(*first) != stable_hash(*second)


def test_hashes_differ_by_seed() -> None:
    assert len({stable_hash("a", seed=seed) for seed in (-1, 0, 1)}) == 3


def test_hashes_fit_64_bits_and_take_any_text() -> None:
    assert all(0 <= stable_hash(text) < 2**64 for text in ("", "\x00", "\ud800", "a" * 10_000))


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_hashes_are_the_same_in_every_process(hash_seed: str) -> None:
    program = "from scrapy_stemmer.core.hashing import stable_hash; print(stable_hash('page', 'site'))"
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(result.stdout) == stable_hash("page", "site")


def test_a_draw_does_not_depend_on_order_or_repeats() -> None:
    names = ["d", "b", "a", "c"]
    draws = {tuple(drawn([*order, order[0]], 2, seed=7)) for order in permutations(names)}
    assert len(draws) == 1


def test_a_draw_is_sorted_and_bounded() -> None:
    names = [f"page {number:02}" for number in range(50)]
    chosen = drawn(names, 10, seed=1)
    assert len(chosen) == 10
    assert chosen == sorted(set(chosen) & set(names))
    assert drawn(names, 100, seed=1) == names


def test_draws_differ_by_seed() -> None:
    names = [str(number) for number in range(50)]
    assert drawn(names, 10, seed=1) != drawn(names, 10, seed=2)
