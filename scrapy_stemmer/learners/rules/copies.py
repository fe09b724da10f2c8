"""Which pages of a sample are copies of each other, and which have no text of their own.

The same article under many addresses, its print version, variants of a product: their texts return as those of a
template do, so they count once. Near-copies are told by what is not on nearly all pages: most of that they share.
Several pages of the same few words are no content at all: soft errors, walls of consent and login, shells of scripts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

NEARLY_ALL = 0.9
"""Texts of this share of the pages are template, whoever copies whom."""

SHARED = 0.8
"""Pages that share so much of their own running text are copies."""

ENOUGH = 200
"""Characters of running text of its own that a page must have to be compared by them; pages with less are copies when
nearly all else is the same too, links included."""

COMPARED_BY = 8
"""The longest texts of a page by which others are found that may be copies."""

PLACEHOLDERS = 3
"""So many pages with the same few words have no text of their own."""

FEW_WORDS = 150
"""Characters of running text below which words are few: about thirty words."""

FEW = 50
"""Of so many pages with the same text each is compared with each; of more only neighbours, and each with the first."""


class PageTexts(NamedTuple):
    """The texts of a page as far as they tell copies.

    :param texts: for each block its text, numbers included: weather and results differ in nothing else.
    :param lengths: for each block its characters.
    :param plain: for each block those of them outside links.
    """

    texts: Sequence[str]
    lengths: Sequence[int]
    plain: Sequence[int]


class Copies(NamedTuple):
    """Pages that are copies of each other, by their numbers.

    :param pages: one or more.
    :param are_placeholders: whether they have no text of their own.
    """

    pages: tuple[int, ...]
    are_placeholders: bool


def copies_in(pages: Sequence[PageTexts]) -> list[Copies]:
    """All pages in groups of copies, in the order of their first members."""
    having = Counter(text for page in pages for text in set(page.texts))
    template = {text for text, count in having.items() if count > 1 and count >= NEARLY_ALL * len(pages)}
    own = [_own(page, page.lengths, template) for page in pages]
    plain = [_own(page, page.plain, template) for page in pages]
    groups = _Groups(len(pages))
    for first, second in _pairs(pages, template):
        if _are_copies(own[first], own[second], plain[first], plain[second]):
            groups.join(first, second)
    return [Copies(members, _are_placeholders(members, pages, plain)) for members in groups.found()]


def _own(page: PageTexts, weights: Sequence[int], template: set[str]) -> dict[str, int]:
    """The texts of a page that are not template, each with its weight."""
    return {
        text: weight for text, weight in zip(page.texts, weights, strict=True) if text not in template and weight > 0
    }


def _pairs(pages: Sequence[PageTexts], template: set[str]) -> list[tuple[int, int]]:
    """Pages that may be copies: the same text is among the longest of both; or they have none but the template's."""
    by_text: defaultdict[str, list[int]] = defaultdict(list)
    bare: list[int] = []
    for number, page in enumerate(pages):
        texts = _own(page, page.lengths, template)
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:COMPARED_BY]
        for text in longest:
            by_text[text].append(number)
        if not longest:
            bare.append(number)
    found: set[tuple[int, int]] = set(pairwise(bare))
    for numbers in by_text.values():
        if len(numbers) <= FEW:
            found.update(combinations(numbers, 2))
        else:
            found.update(pairwise(numbers))
            found.update((numbers[0], other) for other in numbers[1:])
    return sorted(found)


def _are_copies(
    own: dict[str, int], other_own: dict[str, int], plain: dict[str, int], other_plain: dict[str, int]
) -> bool:
    least = min(sum(plain.values()), sum(other_plain.values()))
    if least >= ENOUGH:
        return _shared(plain, other_plain) >= SHARED
    return _shared(own, other_own) >= NEARLY_ALL


def _shared(first: dict[str, int], second: dict[str, int]) -> float:
    """The share of the page with more text that both have."""
    total = max(sum(first.values()), sum(second.values()))
    return sum(weight for text, weight in first.items() if text in second) / total if total else 1.0


def _are_placeholders(members: Sequence[int], pages: Sequence[PageTexts], plain: Sequence[dict[str, int]]) -> bool:
    if len(members) < PLACEHOLDERS:
        return False
    if len(members) == len(pages):
        # All that they share looks like template.
        return max(sum(pages[number].plain) for number in members) < FEW_WORDS
    return max(sum(plain[number].values()) for number in members) < FEW_WORDS


class _Groups:
    """Numbers in groups that grow together, whatever the order."""

    def __init__(self, count: int) -> None:
        self._first = list(range(count))

    def _first_of(self, number: int) -> int:
        while self._first[number] != number:
            self._first[number] = number = self._first[self._first[number]]
        return number

    def join(self, first: int, second: int) -> None:
        """Make one group of those of two numbers."""
        low, high = sorted((self._first_of(first), self._first_of(second)))
        self._first[high] = low

    def found(self) -> list[tuple[int, ...]]:
        """The groups."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number in range(len(self._first)):
            groups[self._first_of(number)].append(number)
        return [tuple(numbers) for _, numbers in sorted(groups.items())]
