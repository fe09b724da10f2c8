"""Sixteen bytes of a text at once, in both ways, against each byte by itself."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

measure = pytest.importorskip("scrapy_stemmer.core.evidence._measure", reason="needs the compiled modules")

STRIDE = 16
WHITE = b" \t\n\v\f\r"


def expected(data: bytes) -> tuple[int, int, bytes]:
    """Which bytes are white space and which are odd, of those that are not odd; and what is written for all."""
    odd = [byte >= 128 or (byte < 32 and byte not in WHITE) for byte in data]
    blank = [byte in WHITE for byte in data]
    return bits(blank), bits(odd), bytes(max(byte, 32) for byte in data)


def bits(flags: list[bool]) -> int:
    return sum(flag << place for place, flag in enumerate(flags))


def found(data: bytes, in_numbers: bool) -> tuple[int, int, bytes]:
    blank, odd, out = measure.blanks_of(data, in_numbers)
    return blank & ~odd, odd, out


def check(data: bytes) -> None:
    whole = data.ljust(STRIDE)
    assert found(whole, True) == found(whole, False) == found(data, False) == expected(whole)


def check_words(data: bytes) -> None:
    word = [byte < 128 and (chr(byte).isalnum() or byte == ord("_")) for byte in data]
    digits = [byte < 128 and chr(byte).isdecimal() for byte in data]
    told = bits(word), bits(digits), data.lower()
    assert measure.words_in(data, True) == measure.words_in(data, False) == told


def test_words_of_each_byte_at_each_place() -> None:
    for byte in range(256):
        for place in range(STRIDE):
            for other in b"\x00\x20/09:@AZ[_`az{\x7f\x80\xc1\xff":
                check_words(bytes([other]) * place + bytes([byte]) + bytes([other]) * (STRIDE - 1 - place))


@given(st.binary(min_size=STRIDE, max_size=STRIDE))
def test_words_of_any_bytes(data: bytes) -> None:
    check_words(data)


def test_each_byte_at_each_place() -> None:
    for byte in range(256):
        for place in range(STRIDE):
            for other in (0x00, 0x08, 0x09, 0x0D, 0x0E, 0x1F, 0x20, 0x21, 0x41, 0x7F, 0x80, 0xFF):
                check(bytes([other]) * place + bytes([byte]) + bytes([other]) * (STRIDE - 1 - place))


@pytest.mark.parametrize("size", range(1, STRIDE + 1))
def test_fewer_bytes_are_as_if_spaces_followed(size: int) -> None:
    for byte in (0, 10, 32, 65, 127, 128, 255):
        check(bytes([byte]) * size)
    check(bytes(range(60, 60 + size)))


@given(st.binary(min_size=1, max_size=STRIDE))
@example(b"\x80\x00\x7f\xff" * 4)
def test_any_bytes(data: bytes) -> None:
    check(data)
