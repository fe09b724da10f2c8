"""The compiled hash of texts gives what the one of Python gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_stemmer.core.hashing import MODULUS, short_hash

measure = pytest.importorskip("scrapy_stemmer.core.evidence._measure", reason="needs the compiled modules")

pytestmark = pytest.mark.parametrize("in_halves", [False, True], ids=["as compiled", "in halves"])
"""The second one is for compilers without numbers of 128 bits."""


@given(st.text(max_size=200))
@example("")
@example("a")
@example("eight by")
@example("nine byte")
@example("é" * 500)
def test_it_is_the_same(in_halves: bool, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    assert measure.hashed(data, in_halves) == short_hash(text)


@pytest.mark.parametrize("length", range(42))
def test_it_is_whatever_the_length(in_halves: bool, length: int) -> None:
    for text in ("abcdefgh" * 6, "\x7f" * 48, "\x00" * 40 + "abcdefgh"):
        assert measure.hashed(text[:length].encode(), in_halves) == short_hash(text[:length])


@given(st.binary(max_size=100))
@example(b"\xff" * 8)
@example(b"\xff" * 24)
@example(b"\xff" * 1000)
@example(MODULUS.to_bytes(8, "little"))
@example((MODULUS - 1).to_bytes(8, "little") * 2)
@example((MODULUS**2).to_bytes(16, "little"))
@example((MODULUS**2 - 1).to_bytes(16, "little"))
def test_sums_that_go_beyond_64_bits(in_halves: bool, data: bytes) -> None:
    """Bytes that no text has are the greatest."""
    assert measure.hashed(data, in_halves) == (int.from_bytes(data, "little") << 128) % MODULUS
