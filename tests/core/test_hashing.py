"""Hashes and draws that are the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import permutations

import pytest

from scrapy_stemmer.core.hashing import MODULUS, drawn, short_hash, stable_hash


def test_the_hash_is_written_down() -> None:
    """What is learned from a sample rests on these values: a change changes patterns, so it must be meant."""
    assert stable_hash("a", "b") == 0x235870420603E322
    assert short_hash("a page") == 0xE4E7A902FB2F39BB
    assert short_hash("a page of a site, é") == 0xA556B403C1621EFE
    assert short_hash("") == 0


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


class TestShortHash:
    """Tells the texts of a site apart."""

    def test_it_fits_64_bits_and_takes_any_text(self) -> None:
        assert all(0 <= short_hash(text) < 2**64 for text in ("", "\x00", "\ud800", "a" * 10_000))

    def test_like_texts_differ(self) -> None:
        """Numbers, and words in another order, are what texts of a site differ by."""
        texts = {f"{first} of {second}" for first in range(300) for second in range(300)}
        texts |= {" ".join(words) for words in permutations("home news sport money style live blog".split())}
        assert len({short_hash(text) for text in texts}) == len(texts)

    def test_each_half_tells_them_apart(self) -> None:
        """Else tables that go by some of its bits would have much to look through."""
        found = [short_hash(f"text {number}") for number in range(2000)]
        assert len({value >> 32 for value in found}) == len({value & 0xFFFFFFFF for value in found}) == 2000

    @pytest.mark.parametrize("form", ["{}", "{:05}", "{}00", "item{}", "{:x}"])
    def test_its_lowest_bits_are_spread(self, form: str) -> None:
        """Some 63 in a hundred places are taken when things are put into as many places by chance."""
        found = {short_hash(form.format(number)) % 4096 for number in range(4096)}
        assert len(found) > 0.55 * 4096

    def test_it_is_that_of_the_bytes_as_a_number(self) -> None:
        for text in ("", "a", "é", "a page of a site" * 50):
            assert short_hash(text) == sum(byte << 8 * place for place, byte in enumerate(text.encode(), 16)) % MODULUS


class TestModulus:
    """What is said of it."""

    def test_it_is_a_prime_just_below_2_to_the_64(self) -> None:
        assert 2**64 - 2**32 < MODULUS < 2**64
        assert is_prime(MODULUS)

    def test_no_small_power_leaves_1(self) -> None:
        """The exponent of the first power of 256 that does divides what precedes the modulus, whose factors are two."""
        assert is_prime(MODULUS // 2)
        assert pow(256, 2, MODULUS) != 1

    def test_two_stretches_of_three_bytes(self) -> None:
        """Up to 65,536 bytes away; those that are nearer than four bytes are within eight."""
        power = pow(256, 3, MODULUS)
        for _ in range(3, 2**16 + 1):
            assert smallest(power) >= 2**24
            power = power * 256 % MODULUS


def is_prime(number: int) -> bool:
    """The test of Miller and Rabin with these bases is right below 3.3e24 (Sorenson and Webster, 2017)."""
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    return all(
        _is_probable(number, base, odd >> twos, twos) for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    )


def _is_probable(number: int, base: int, odd: int, twos: int) -> bool:
    power = pow(base, odd, number)
    return power == 1 or any(pow(power, 2**twice, number) == number - 1 for twice in range(twos))


def smallest(power: int) -> int:
    """The larger of two numbers, neither zero, for which ``first + second * power`` is a multiple of the modulus, where
    that is smallest: by Euclid's algorithm, whose rests fall while the factors of the power grow."""
    rests, factors = (MODULUS, power), (0, 1)
    best = MODULUS
    while rests[1]:
        best = min(best, max(rests[1], abs(factors[1])))
        times = rests[0] // rests[1]
        rests = rests[1], rests[0] - times * rests[1]
        factors = factors[1], factors[0] - times * factors[1]
    return best


@pytest.mark.parametrize(
    ("number", "expected"), [(2**61 - 1, True), (2**61 + 1, False), (3215031751, False), (97, True)]
)
def test_primes_are_told(number: int, expected: bool) -> None:
    assert is_prime(number) is expected
