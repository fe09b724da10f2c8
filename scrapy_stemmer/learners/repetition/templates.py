"""Templates of a page from the subtrees that return on other pages.

After the second pass of the DOM-based system in Gibson, Punera, Tomkins (WWW 2005).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from scrapy_stemmer.learners.repetition.subtrees import Node

MAX_GAP_SIBLINGS = 1
"""Siblings that may stand between two template nodes of one template."""

MAX_GAP_CHARS = 40
"""Letters and digits that they may hold: a time, a counter, a name."""


@dataclass(frozen=True, slots=True)
class Template:
    """Template nodes that are siblings, with small gaps between them.

    :param nodes: indices of the template nodes, ascending.
    :param gaps: indices of their siblings between them that differ from page to page.
    """

    nodes: tuple[int, ...]
    gaps: tuple[int, ...] = ()


def template_nodes(nodes: Sequence[Node], returning: Collection[int]) -> list[int]:
    """The template nodes of a page, ascending: those that return and that no other template node holds.

    :param returning: hashes of subtrees that return on other pages.
    """
    found, index = [], 0
    while index < len(nodes):
        if nodes[index].hash in returning:
            found.append(index)
            index = nodes[index].end
        else:
            index += 1
    return found


def coalesce(
    nodes: Sequence[Node],
    template: Sequence[int],
    max_gap_siblings: int = MAX_GAP_SIBLINGS,
    max_gap_chars: int = MAX_GAP_CHARS,
) -> list[Template]:
    """The templates of a page in order: its template nodes, joined where only a small gap is between siblings.

    :param template: indices of the template nodes, ascending.
    """
    last_of: dict[int, int] = {}
    found: list[tuple[list[int], list[int]]] = []
    for index in template:
        number = last_of.get(nodes[index].parent)
        gap = None if number is None else _gap(nodes, found[number][0][-1], index, max_gap_siblings)
        if number is None or gap is None or sum(nodes[sibling].chars for sibling in gap) > max_gap_chars:
            last_of[nodes[index].parent] = len(found)
            found.append(([index], []))
        else:
            found[number][0].append(index)
            found[number][1].extend(gap)
    return [Template(tuple(joined), tuple(gaps)) for joined, gaps in found]


def texts_of(nodes: Sequence[Node], indices: Iterable[int]) -> Iterator[int]:
    """The runs of text that these nodes hold, or are, in order and each once."""
    reached = 0
    for index in sorted(indices):
        yield from (inside for inside in range(max(index, reached), nodes[index].end) if nodes[inside].text)
        reached = max(reached, nodes[index].end)


def _gap(nodes: Sequence[Node], first: int, second: int, most: int) -> list[int] | None:
    """The siblings between two of them; ``None`` for more than ``most``."""
    between: list[int] = []
    index = nodes[first].end
    while index != second:
        if len(between) == most:
            return None
        between.append(index)
        index = nodes[index].end
    return between
