"""Characters in UTF-8 that are told by their bytes, against Python."""

from __future__ import annotations

import sys

import pytest

measure = pytest.importorskip("scrapy_stemmer.core.evidence._measure", reason="needs the compiled modules")

FIRST = range(128, 256)
BEHIND = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF)


def expected(data: bytes) -> int:
    """The bytes of the character that bytes begin with; 0 where none does."""
    for size in (2, 3, 4):
        try:
            return len(data[:size].decode().encode())
        except UnicodeDecodeError:
            continue
    return 0


def test_any_bytes() -> None:
    """Whether they are a character depends on the first one and on where the others are among those that may follow."""
    for first in FIRST:
        for second in BEHIND:
            for third in BEHIND:
                for fourth in BEHIND:
                    data = bytes([first, second, third, fourth])
                    assert measure.char_size(data) == expected(data), data


def test_each_character() -> None:
    for code in range(128, sys.maxunicode + 1):
        if not 0xD800 <= code <= 0xDFFF:
            data = chr(code).encode()
            assert measure.char_size(data) == len(data), hex(code)


@pytest.mark.parametrize("data", [b"\xe3", b"\xe3\x81", b"\xf0\x9f\x98", b"\xc3"])
def test_what_ends_too_early(data: bytes) -> None:
    assert measure.char_size(data) == 0
