"""The pattern of the text-based system of Gibson, Punera and Tomkins: fragments of text that return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.repetition import Hashes, as_hashes
from scrapy_stemmer.core.shingles import Marks, covered, fragment_hashes, word_values
from scrapy_stemmer.core.text import tokens
from scrapy_stemmer.patterns.record import Record
from scrapy_stemmer.patterns.returning import Reading, ReturningPattern


def words_of(blocks: Sequence[LayoutBlock]) -> list[list[str]]:
    """The words of each block. One after the other they are the text that the windows slide over."""
    return [tokens(block.text) for block in blocks]


@dataclass(frozen=True, kw_only=True)
class ShinglePattern(ReturningPattern):
    """A site's template as the fragments of text that return.

    :param width: words of a fragment.
    """

    kind: ClassVar[str] = "shingle"

    width: int

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """A page's fragments, and for each block the share of its characters within those that return."""
        by_block = words_of(blocks)
        words = [word for of_block in by_block for word in of_block]
        hashes = fragment_hashes(word_values(words), self.width)
        marks = covered(np.isin(hashes, self._table), self.width, len(words))
        return Reading(frozenset(hashes.tolist()), _shares(by_block, marks))

    @cached_property
    def _table(self) -> Hashes:
        return as_hashes(entry.hash for entry in self.returning)

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values."""
        return {"width": self.width, **super().to_record()}

    @classmethod
    def own_fields(cls, record: Record) -> dict[str, Any]:
        """The field that only this kind has."""
        return {"width": record.whole("width", least=1)}


def _shares(by_block: Sequence[Sequence[str]], marks: Marks) -> list[float]:
    """For each block the share of its characters in marked words."""
    owners = np.repeat(np.arange(len(by_block)), [len(words) for words in by_block])
    chars = np.array([len(word) for words in by_block for word in words], dtype=np.float64)
    totals = np.bincount(owners, weights=chars, minlength=len(by_block))
    marked = np.bincount(owners, weights=chars * marks, minlength=len(by_block))
    shares = np.divide(marked, totals, out=np.zeros(len(by_block)), where=totals > 0)
    return [float(share) for share in shares]
