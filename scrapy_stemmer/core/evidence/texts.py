"""Which texts a site's sample has, and on which of its pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

_texts: Any = None


class KnownTexts:
    """The texts of a sample.

    :param told: for the hash of each what :func:`known_texts` says of it.
    """

    __slots__ = ("_told",)

    def __init__(self, told: Mapping[int, int]) -> None:
        self._told = told

    def told(self, text: int) -> int:
        """What is known of a text; 0 of one that the sample does not have."""
        return self._told.get(text, 0)


def known_texts(repeats: Mapping[int, int], singles: Mapping[int, int]) -> KnownTexts:
    """Where the texts of a sample stand: the number of pages of those that several have, ``~page`` of the others.

    Compiled, it is a table of numbers in C: to look a text up in a dictionary takes a number of Python.

    :param repeats: see :class:`scrapy_stemmer.core.evidence.model.SiteModel`; ``singles`` too. A text in both stands on
        several pages.
    """
    told = {text: ~page for text, page in singles.items()} | dict(repeats)
    return KnownTexts(told) if _texts is None else cast(KnownTexts, _texts.Texts(told))
