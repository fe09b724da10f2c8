"""Names of a list's entries, with kept teasers or as the text of a page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scrapy_stemmer.learners.rules.cards import is_beside
from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, Columns, Signature, blocks_within
from scrapy_stemmer.learners.rules.hints import GROUPS, hints_of_names
from scrapy_stemmer.page.elements import HEADINGS

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MIN_ENTRIES = 5
MAX_ENTRY = 60  # blocks of an entry
MIN_ALIKE = 0.6  # share of the entries with a name and a teaser
MIN_DISTINCT = 0.8  # share of different names
MIN_TEASER = 40  # characters
MIN_ENTRY_NAME = 15  # characters of a name outside headings
MIN_OF_PAGE = 0.5  # share of the kept text in the entries
MIN_ALONE = 100  # characters of dropped names without teasers
MIN_DROPPED = 0.5  # share of such names
LEAST_ALONE = -1.5  # their mean log-odds; any, if no text has some above 0
MAX_BESIDE = 700  # characters of kept text outside links
MAX_BESIDE_SHARE = 1.5  # kept text outside links, per character of the entries
_CONTENT = 1 << GROUPS.index("content")
_OUTSIDE = sum(
    1 << GROUPS.index(group)
    for group in "byline related social subscribe popup ad legal comment review navigation footer search sidebar "
    "tags toc".split()
)


class Entry(NamedTuple):
    """An entry of a list."""

    blocks: range
    name: int  # number of the first linked block


def names_of_entries(
    columns: Columns | ReadPage, paths: Sequence[int], by_number: Sequence[Signature], is_text: Sequence[bool]
) -> list[int]:
    """Return the dropped names in front of the kept teasers of a page's main list."""
    whole = sum(length for length, kept in zip(columns.lengths, is_text, strict=True) if kept)
    found: set[int] = set()
    for entries, size in _lists(columns, paths, by_number, 2):
        told = [each for each in entries if _is_told(columns, each, is_text)]
        kept = sum(columns.lengths[at] for each in entries for at in each.blocks if is_text[at])
        distinct = len({columns.texts[each.name] for each in told})
        if len(told) >= MIN_ALIKE * size and distinct >= MIN_DISTINCT * len(told) and kept >= MIN_OF_PAGE * whole:
            found.update(each.name for each in told if not is_text[each.name])
    return sorted(found)


def names_alone(
    columns: Columns | ReadPage,
    paths: Sequence[int],
    by_number: Sequence[Signature],
    is_text: Sequence[bool],
    odds: Sequence[float],
    other: int,
) -> list[int]:
    """Return the dropped names of the list with the most text in a page's content.

    :param other: characters of kept text outside links.
    """
    lengths, texts = columns.lengths, columns.texts
    in_content = _in_content(columns, by_number)
    lists = [
        entries
        for entries, _ in _lists(columns, paths, by_number, 1)
        if len({texts[each.name] for each in entries}) >= MIN_DISTINCT * len(entries)
        and in_content[columns.elements[entries[0].name]]
    ]
    sizes = [sum(lengths[at] for each in entries for at in each.blocks) for entries in lists]
    size, entries = max(zip(sizes, lists, strict=True), key=lambda item: item[0], default=(0, []))
    if other > MAX_BESIDE_SHARE * size:
        return []
    said = {text for text, kept in zip(texts, is_text, strict=True) if kept}
    names = [each.name for each in entries if not is_text[each.name] and texts[each.name] not in said]
    size = sum(lengths[at] for at in names)
    if size < MIN_ALONE or len(names) < MIN_DROPPED * len(entries):
        return []
    is_likely = sum(odds[at] * lengths[at] for at in names) >= LEAST_ALONE * size
    return names if is_likely or max(odds) <= 0 else []


def _in_content(columns: Columns | ReadPage, by_number: Sequence[Signature]) -> list[bool]:
    """Return for each element whether it is in the content."""
    found: list[bool | None] = []
    is_aside: list[bool] = []
    for parent, number in zip(columns.parents, columns.signatures, strict=True):
        signature, outer = by_number[number], max(parent, 0)
        is_aside.append(parent >= 0 and (is_aside[outer] or is_beside(signature)))
        own = _is_content(signature) if parent >= 0 else None
        found.append(own if own is not None or parent < 0 else found[outer])
    return [content is True and not aside for content, aside in zip(found, is_aside, strict=True)]


def _is_content(signature: Signature) -> bool | None:
    """Return whether an element is content; ``None`` if it doesn't say."""
    hints = hints_of_names(signature)
    if hints & _OUTSIDE:
        return False
    return True if hints & _CONTENT or signature.tag in ("main", "article") else None


def _lists(
    columns: Columns | ReadPage, paths: Sequence[int], by_number: Sequence[Signature], least: int
) -> Iterator[tuple[list[Entry], int]]:
    """Yield entries of ``least`` blocks and more with names on one path, and the number of like elements."""
    first, behind = blocks_within(columns)
    lists: defaultdict[int, list[range]] = defaultdict(list)
    for element, path in enumerate(paths):
        if least <= behind[element] - first[element] <= MAX_ENTRY:
            lists[path].append(range(first[element], behind[element]))
    for ranges in lists.values():
        if len(ranges) >= MIN_ENTRIES:
            named = [Entry(each, at) for each in ranges if (at := _name(columns, by_number, each)) is not None]
            times = Counter(paths[columns.elements[each.name]] for each in named)
            usual, count = max(times.items(), key=lambda item: item[1], default=(0, 0))
            if count >= MIN_ALIKE * len(ranges):
                yield [each for each in named if paths[columns.elements[each.name]] == usual], len(ranges)


def _name(columns: Columns | ReadPage, by_number: Sequence[Signature], blocks: range) -> int | None:
    for at in blocks:
        length = columns.lengths[at]
        if columns.linked[at] > MOSTLY_LINKS * length:
            is_heading = by_number[columns.signatures[columns.elements[at]]].tag in HEADINGS
            if is_heading or length >= MIN_ENTRY_NAME:
                return at
    return None


def _is_told(columns: Columns | ReadPage, entry: Entry, is_text: Sequence[bool]) -> bool:
    """Return True if the first kept block of an entry is its name or a teaser behind."""
    kept = next((at for at in entry.blocks if is_text[at]), None)
    if kept is None or kept < entry.name:
        return False
    return kept == entry.name or (
        columns.lengths[kept] >= MIN_TEASER and 2 * columns.linked[kept] < columns.lengths[kept]
    )
