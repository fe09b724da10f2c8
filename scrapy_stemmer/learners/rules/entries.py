"""Names of a list's entries, where their teasers are text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, Columns, Signature, blocks_within
from scrapy_stemmer.page.elements import HEADINGS

MIN_ENTRIES = 5
MAX_ENTRY = 60  # blocks of an entry
MIN_ALIKE = 0.6  # share of the entries with a name and a teaser
MIN_DISTINCT = 0.8  # share of different names
MIN_TEASER = 40  # characters
MIN_ENTRY_NAME = 15  # characters of a name outside headings
MIN_OF_PAGE = 0.5  # share of the kept text in the entries


class Entry(NamedTuple):
    """An entry of a list."""

    blocks: range
    name: int  # number of the first linked block


def names_of_entries(
    columns: Columns, paths: Sequence[int], by_number: Sequence[Signature], is_text: Sequence[bool]
) -> list[int]:
    """Return the dropped names in front of the kept teasers of a page's main list."""
    whole = sum(length for length, kept in zip(columns.lengths, is_text, strict=True) if kept)
    found: set[int] = set()
    for entries, size in _lists(columns, paths, by_number):
        told = [each for each in entries if _is_told(columns, each, is_text)]
        kept = sum(columns.lengths[at] for each in entries for at in each.blocks if is_text[at])
        distinct = len({columns.texts[each.name] for each in told})
        if len(told) >= MIN_ALIKE * size and distinct >= MIN_DISTINCT * len(told) and kept >= MIN_OF_PAGE * whole:
            found.update(each.name for each in told if not is_text[each.name])
    return sorted(found)


def _lists(columns: Columns, paths: Sequence[int], by_number: Sequence[Signature]) -> Iterator[tuple[list[Entry], int]]:
    """Yield entries with names on one path, and the number of like elements."""
    first, behind = blocks_within(columns)
    lists: defaultdict[int, list[range]] = defaultdict(list)
    for element, path in enumerate(paths):
        if 2 <= behind[element] - first[element] <= MAX_ENTRY:
            lists[path].append(range(first[element], behind[element]))
    for ranges in lists.values():
        if len(ranges) >= MIN_ENTRIES:
            named = [Entry(each, at) for each in ranges if (at := _name(columns, by_number, each)) is not None]
            times = Counter(paths[columns.elements[each.name]] for each in named)
            usual, count = max(times.items(), key=lambda item: item[1], default=(0, 0))
            if count >= MIN_ALIKE * len(ranges):
                yield [each for each in named if paths[columns.elements[each.name]] == usual], len(ranges)


def _name(columns: Columns, by_number: Sequence[Signature], blocks: range) -> int | None:
    for at in blocks:
        length = columns.lengths[at]
        if columns.linked[at] > MOSTLY_LINKS * length:
            is_heading = by_number[columns.signatures[columns.elements[at]]].tag in HEADINGS
            if is_heading or length >= MIN_ENTRY_NAME:
                return at
    return None


def _is_told(columns: Columns, entry: Entry, is_text: Sequence[bool]) -> bool:
    """Return True if the first kept block of an entry is its name or a teaser behind."""
    kept = next((at for at in entry.blocks if is_text[at]), None)
    if kept is None or kept < entry.name:
        return False
    return kept == entry.name or (
        columns.lengths[kept] >= MIN_TEASER and 2 * columns.linked[kept] < columns.lengths[kept]
    )
