"""A page as hashes of its subtrees, equal where these are equal, or of its fragments of text; templates of these.

Both passes of the DOM-based system. A node's hash covers its name, its attributes and all that it holds; runs of text
are nodes too. It is made from the hashes of the children, so that a page costs the same per node however deep it is.
Nodes that return on other pages are template nodes; siblings of them, with small gaps, are one template.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_stemmer.core.blocks import Piece
from scrapy_stemmer.core.text import collapse, stable_hash, tokens
from scrapy_stemmer.learners.literature.blocks import UNSEEN, visit

MAX_GAP_SIBLINGS = 1  # siblings that may stand between two template nodes of one template
MAX_GAP_CHARS = 40  # letters and digits that they may hold: a time, a counter, a name


class Node(NamedTuple):
    """An element or a run of text."""

    parent: int  # index of the element around it; -1 for children of the root
    end: int  # index of the first node after it and all that it holds
    hash: int  # the same for all subtrees that are alike
    words: int = 0  # words that it holds
    links: int = 0  # links that it holds, itself included
    chars: int = 0  # letters and digits that it holds
    text: str = ""  # the text of a run, white space collapsed; empty for elements


class SubtreePlace(NamedTuple):
    """Where a piece of text is among the nodes, and its letters and digits."""

    node: int
    chars: int


@dataclass(frozen=True, eq=False, slots=True)
class Subtrees:
    """The nodes of a page."""

    nodes: list[Node]  # in document order. The root is none of them: a page as a whole is not compared
    content: int  # hash of all but the head; the same for two pages with the same body
    places: Mapping[Piece, SubtreePlace] = field(repr=False)  # the run of text that each piece belongs to


@dataclass(slots=True)
class _Open:
    """A node whose end has not been reached, what its hash is made of so far, and the sizes of what it holds."""

    index: int
    parts: list[bytes]
    words: int = 0
    links: int = 0
    chars: int = 0

    def end(self, around: _Open, end: int, text: str = "", *, in_content: bool = True) -> Node:
        """The node, which is a part of the one around."""
        digest = _digest(self.parts)
        around.parts += [digest] if in_content else []
        around.words += self.words
        around.links += self.links
        around.chars += self.chars
        return Node(around.index, end, int.from_bytes(digest, "big"), self.words, self.links, self.chars, text)


def subtrees_of(root: etree._Element, ignored: tuple[str, ...] = ()) -> Subtrees:
    """The nodes of a tree, which is not changed.

    Comments, white space and elements whose text is in no block make no difference to any hash, nor does the order of
    attributes.

    :param ignored: attributes that make none either; ``data-*`` stands for all that begin with ``data-``.
    """
    prefixes = tuple(name.removesuffix("*") for name in ignored if name.endswith("*"))
    nodes, unknown = list[Node](), Node(-1, 0, 0)
    places: dict[Piece, SubtreePlace] = {}
    around = [_Open(-1, [])]
    run: list[Piece] = []  # of text: several where a comment, or what is left out, stands in it

    def add(piece: Piece) -> None:
        text = piece.text
        if text and (run or not text.isspace()):
            run.append(piece)

    def end_run() -> None:
        if run:
            text = collapse("".join(piece.text for piece in run))
            words = tokens(text)
            chars, index = sum(map(len, words)), len(nodes)
            for piece in run:
                places[piece] = SubtreePlace(index, chars if len(run) == 1 else sum(map(len, tokens(piece.text))))
            run.clear()
            done = _Open(index, [b"\0", text.encode("utf-8", "surrogatepass")], len(words), 0, chars)
            nodes.append(done.end(around[-1], index + 1, text))

    def enter(element: etree._Element) -> None:
        end_run()
        if element is not root:
            links = int(element.tag in ("a", "area") and "href" in element.attrib)
            around.append(_Open(len(nodes), [_start_of(element, ignored, prefixes)], links=links))
            nodes.append(unknown)
        add(Piece(element, False))

    def leave(element: etree._Element) -> None:
        end_run()
        if element is not root:
            done = around.pop()
            nodes[done.index] = done.end(around[-1], len(nodes), in_content=element.tag != "head")

    visit(root, UNSEEN, enter, leave, lambda element: add(Piece(element, True)))
    return Subtrees(nodes, int.from_bytes(_digest(around[0].parts), "big"), places)


def _start_of(element: etree._Element, ignored: tuple[str, ...], prefixes: tuple[str, ...]) -> bytes:
    """An element's name and attributes. Markup can't hold the zero that ends each; their number comes first."""
    parts = [str(element.tag)]
    for name, value in sorted(element.items()):
        if name not in ignored and not name.startswith(prefixes):
            parts += (name, collapse(value))
    return "\0".join([str(len(parts)), *parts, ""]).encode("utf-8", "surrogatepass")


def _digest(parts: list[bytes]) -> bytes:
    return blake2b(b"".join(parts), digest_size=8).digest()


class Template(NamedTuple):
    """Template nodes that are siblings, by index, and the siblings between them that differ from page to page."""

    nodes: list[int]
    gaps: list[int]


def template_nodes(nodes: Sequence[Node], returning: Collection[int]) -> list[int]:
    """The template nodes of a page, ascending: those whose hashes return, and that no other template node holds."""
    indices, reached = [], 0
    for index, node in enumerate(nodes):
        if index >= reached and node.hash in returning:
            indices.append(index)
            reached = node.end
    return indices


def coalesce(
    nodes: Sequence[Node],
    template: Sequence[int],
    max_gap_siblings: int = MAX_GAP_SIBLINGS,
    max_gap_chars: int = MAX_GAP_CHARS,
) -> list[Template]:
    """The templates of a page in order: its template nodes, joined where only a small gap is between siblings."""
    templates: list[Template] = []
    last_of: dict[int, Template] = {}
    for index in template:
        parent = nodes[index].parent
        if parent in last_of:
            joined, gaps = last_of[parent]
            gap: list[int] = []
            sibling = nodes[joined[-1]].end
            while sibling != index and len(gap) <= max_gap_siblings:
                gap.append(sibling)
                sibling = nodes[sibling].end
            if len(gap) <= max_gap_siblings and sum(nodes[sibling].chars for sibling in gap) <= max_gap_chars:
                joined.append(index)
                gaps.extend(gap)
                continue
        last_of[parent] = Template([index], [])
        templates.append(last_of[parent])
    return templates


def text_runs_of(nodes: Sequence[Node], indices: Iterable[int]) -> Iterator[int]:
    """The runs of text that these nodes hold, or are, in order and each once."""
    reached = 0
    for index in sorted(indices):
        yield from (inside for inside in range(max(index, reached), nodes[index].end) if nodes[inside].text)
        reached = max(reached, nodes[index].end)


# Fragments of a text, runs of a fixed number of words, as hashes that cost the same however long a fragment is

BASE = 0x9E3779B97F4A7C15  # the polynomial's variable; odd, so that it has an inverse modulo 2^64
INVERSE = pow(BASE, -1, 2**64)  # 1 / BASE modulo 2^64
Hashes = npt.NDArray[np.uint64]  # 64-bit numbers, in the order of the page
Marks = npt.NDArray[np.bool_]  # words or fragments of a page that are marked


def fragment_hashes(words: Sequence[str], width: int) -> Hashes:
    """The hash of each run of ``width`` words, in order; none of a text that is shorter."""
    known = {word: stable_hash(word) for word in set(words)}
    values = np.array([known[word] for word in words], dtype=np.uint64)
    powers = np.cumprod(np.full(len(values), BASE, dtype=np.uint64), dtype=np.uint64)
    prefixes = np.pad(np.cumsum(values * powers, dtype=np.uint64), (1, 0))
    hashes = prefixes[width:] - prefixes[:-width]
    hashes = hashes * np.cumprod(np.full(len(hashes), INVERSE, dtype=np.uint64), dtype=np.uint64)
    # The low bits of a polynomial modulo 2^64 are weak, and the sample is taken by them: the finalizer of MurmurHash3
    # makes every bit depend on all bits.
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(factor)
    return hashes ^ (hashes >> np.uint64(33))


def in_sample(hashes: Hashes, density: int) -> Marks:
    """Which fragments are counted: one in ``density`` (D), on all pages that have it or on none; 0 and 1 count all."""
    chosen: Marks = hashes % np.uint64(max(1, density)) == 0
    return chosen


def covered(starts: Marks | Sequence[bool], width: int, words: int) -> Marks:
    """The words of a text that lie in a fragment of which ``starts`` says so."""
    if not len(starts):
        return np.zeros(words, dtype=np.bool_)
    marks: Marks = np.convolve(starts, np.ones(width, dtype=np.int64)) > 0
    return marks


def spans(marks: Marks) -> list[tuple[int, int]]:
    """The runs of marked words as first word and word after the last: what overlaps or touches is one."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]
