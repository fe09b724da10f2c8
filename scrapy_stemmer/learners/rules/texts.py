"""What is measured of a text: its length, its words, its punctuation, and hashes by which it is found again."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, overload
from zlib import crc32

from scrapy_stemmer.core.text import CJK

CJK_LENGTH = 3
"""A CJK character says as much as three letters of an alphabet: a word of such a language has one or two."""

MIN_WORDS = 4
"""A text with fewer characters beside its digits is told apart from others by its numbers."""

LAST_MARK, CAPITAL = 1, 2
"""Flags of texts: it ends like a sentence; it begins with a capital letter."""

LAST_MARKS = '.!?:\u2026\u3002\uff01\uff1f"\u201d)'

IDEOGRAPHS = CJK + "\u0e00-\u0e7f"
"""Characters that count as several letters, as the inside of a character class: Thai has no spaces either."""

OTHER_ENDS = "\u3002\uff01\uff1f\u0964\u061f"
OTHER_COMMAS = "\u3001\uff0c\uff1b\uff1a\u060c"
"""What ends sentences and their parts in other scripts."""

_CJK = re.compile(f"[{IDEOGRAPHS}]")
_DIGITS = re.compile(r"\d+")
_ENDS = re.compile(f"[.!?{OTHER_ENDS}]")
_COMMAS = re.compile(f"[,;:{OTHER_COMMAS}]")


class Measures(NamedTuple):
    """What is measured of a text.

    :param length: its characters without white space, a CJK character counting three times.
    :param words: its words, by white space; of CJK text a third of its length.
    :param ends: the ends of sentences in it.
    :param commas: its commas, colons and semicolons.
    :param digits: its digits.
    :param key: a hash of it in lower case with a zero for each number, unless it has nothing but numbers.
    :param flags: what it begins and ends with: the sum of :data:`LAST_MARK` and the like.
    """

    length: int
    words: int
    ends: int
    commas: int
    digits: int
    key: int
    flags: int


class MeasuresOfPage(Sequence[Measures]):
    """What is measured of the texts of a page, in 28 bytes a text: those of a large sample take ten times as much as
    tuples.

    :param measures: of each text.
    """

    __slots__ = ("_numbers",)

    def __init__(self, measures: Iterable[Measures]) -> None:
        self._numbers = array("I", chain.from_iterable(measures))

    @property
    def keys(self) -> array[int]:
        """For each text its key."""
        return self._numbers[_KEY :: len(Measures._fields)]

    def __len__(self) -> int:
        return len(self._numbers) // len(Measures._fields)

    def __iter__(self) -> Iterator[Measures]:
        numbers = iter(self._numbers)
        return map(Measures, *[numbers] * len(Measures._fields))

    @overload
    def __getitem__(self, index: int) -> Measures: ...

    @overload
    def __getitem__(self, index: slice) -> list[Measures]: ...

    def __getitem__(self, index: int | slice) -> Measures | list[Measures]:
        return list(self)[index]


_KEY = Measures._fields.index("key")


def measures_in_python(text: str) -> Measures:
    """What is measured of a text whose white space is collapsed."""
    spaces = text.count(" ")
    length = len(text) - spaces
    words = spaces + 1
    if text.isascii():
        ends = text.count(".") + text.count("!") + text.count("?")
        commas = text.count(",") + text.count(";") + text.count(":")
    else:
        ideographs = len(_CJK.findall(text))
        length += (CJK_LENGTH - 1) * ideographs
        words += ideographs
        ends, commas = len(_ENDS.findall(text)), len(_COMMAS.findall(text))
    numbers = _DIGITS.findall(text)
    digits = sum(map(len, numbers))
    flags = (LAST_MARK if text[-1:] in LAST_MARKS else 0) | (CAPITAL if text[:1].isupper() else 0)
    return Measures(length, words, ends, commas, digits, key_of(text, digits), flags if text else 0)


def key_of(text: str, digits: int) -> int:
    """A 32-bit hash of a text: the same for ``5 minutes ago`` and ``17 Minutes ago``, not for ``5`` and ``17``."""
    lower = text.lower()
    if digits and len(text) - digits >= MIN_WORDS:
        lower = _DIGITS.sub("0", lower)
    return crc32(lower.encode("utf-8", "surrogatepass"))
