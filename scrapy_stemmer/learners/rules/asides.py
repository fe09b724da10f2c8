"""Consent, comments and reviews beside the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.learners.rules.traits import FORUM, REVIEWS, has_trait, traits_in

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MIN_BEFORE = 250  # characters of kept text outside links before comments; with as many behind they are a section
MIN_REVIEWS = 300  # characters of a list of reviews

_FORUM_PARTS = frozenset(
    "board boards bbs community discuss discussion discussions issue issues question questions r t thread threads "
    "ticket tickets topic topics".split()
)
"""Names in front of the last part of a discussion's address."""


def is_forum(url: str, columns: Columns | ReadPage, by_number: Sequence[Signature]) -> bool:
    """Return True if the address or a name in the page says that a page is a discussion."""
    around = re.split("[./]", url.lower().partition("?")[0])[:-1]
    if any(part in _FORUM_PARTS or "forum" in part for part in around):
        return True
    return has_trait(by_number, columns, FORUM)


def within(columns: Columns | ReadPage, by_number: Sequence[Signature], trait: int) -> dict[int, int]:
    """Return the blocks within elements of a trait, each with the number of the outermost one."""
    if not has_trait(by_number, columns, trait):
        return {}  # most pages
    outer, traits = list[int](), traits_in(by_number)
    for element, (parent, number) in enumerate(zip(columns.parents, columns.signatures, strict=True)):
        above = outer[parent] if parent > 0 else 0
        outer.append(above or (element if traits[number] & trait else 0))
    return {at: outer[element] for at, element in enumerate(columns.elements) if outer[element]}


def reviews_in(columns: Columns | ReadPage, by_number: Sequence[Signature]) -> list[int]:
    """Return the blocks of lists of reviews; quotations and sums of ratings are shorter."""
    found = within(columns, by_number, REVIEWS)
    sizes: Counter[int] = Counter()
    for at, element in found.items():
        sizes[element] += columns.lengths[at]
    return [at for at, element in found.items() if sizes[element] >= MIN_REVIEWS]


def behind_text(
    columns: Columns | ReadPage, found: dict[int, int], is_text: Sequence[bool], odds: Sequence[float]
) -> list[int]:
    """Return the kept blocks of an element behind longer and surer text.

    None where several elements have some, or where the text goes on behind the element.
    """
    kept = [at for at in found if is_text[at]]
    if not kept or len({found[at] for at in kept}) > 1:
        return []
    before = [at for at in range(kept[0]) if is_text[at] and at not in found]
    behind = [at for at in range(kept[-1] + 1, len(is_text)) if is_text[at] and at not in found]
    lengths, linked = columns.lengths, columns.linked
    if sum(lengths[at] - linked[at] for at in before) < MIN_BEFORE:
        return []
    if sum(lengths[at] - linked[at] for at in behind) >= MIN_BEFORE:
        return []
    return kept if _mean(odds, lengths, kept) <= _mean(odds, lengths, before) else []


def _mean(odds: Sequence[float], lengths: Sequence[int], blocks: Sequence[int]) -> float:
    return sum(odds[at] * lengths[at] for at in blocks) / sum(lengths[at] for at in blocks)
