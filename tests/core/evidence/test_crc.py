"""The compiled hash of texts gives what the one of Python gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_stemmer.core.hashing import short_hash

crc = pytest.importorskip("scrapy_stemmer.core.evidence._crc", reason="needs the compiled modules")


@given(st.text(max_size=200))
@example("")
@example("a")
@example("eight by")
@example("nine byte")
@example("é" * 500)
def test_it_is_the_same(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    assert crc.hashed(data) == short_hash(text)


@pytest.mark.parametrize("length", range(33))
def test_it_is_whatever_the_length(length: int) -> None:
    text = "abcdefgh" * 5
    assert crc.hashed(text[:length].encode()) == short_hash(text[:length])
