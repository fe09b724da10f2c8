"""Patterns of ``dom_hash`` and ``shingle``: hashes of returning subtrees or of returning fragments of text.

A node's hash covers name, attributes and contents; runs of text are nodes too. Hashes are computed from the children's
hashes, so the cost of a node does not grow with depth. Nodes on several pages are template nodes; sibling template
nodes with small gaps form a template.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_stemmer.learners.literature.blocks import (
    SITE_THRESHOLD,
    UNSEEN,
    BlockOptions,
    label_by_noise,
    mean_noise,
    read_hash,
    visit,
)
from scrapy_stemmer.page.blocks import LayoutBlock, Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import collapse, stable_hash, tokens
from scrapy_stemmer.patterns.base import PageMatch, Pattern
from scrapy_stemmer.patterns.record import Between, Record

MAX_GAP_SIBLINGS = 1  # siblings allowed between two nodes of a template
MAX_GAP_CHARS = 40  # letters and digits allowed in siblings between: a time, a counter, a name


class Node(NamedTuple):
    """Element or run of text, with the size of its contents."""

    parent: int  # index of the parent; -1 for children of the root
    end: int  # index of the first node after the subtree
    hash: int  # equal for equal subtrees
    words: int = 0
    links: int = 0  # links, itself included
    chars: int = 0  # letters and digits
    text: str = ""  # collapsed text of a run; empty for elements


class SubtreePlace(NamedTuple):
    node: int
    chars: int


@dataclass(frozen=True, eq=False, slots=True)
class Subtrees:
    nodes: list[Node]  # in document order, without the root: pages are not compared as a whole
    content: int  # hash of the page without the head; equal for pages with equal bodies
    places: Mapping[Piece, SubtreePlace] = field(repr=False)  # run of text of each piece


@dataclass(slots=True)
class _Open:
    """Open node, with the parts of the hash and the size of the contents so far."""

    index: int
    parts: list[bytes]
    words: int = 0
    links: int = 0
    chars: int = 0

    def end(self, around: _Open, end: int, text: str = "", *, in_content: bool = True) -> Node:
        digest = _digest(self.parts)
        around.parts += [digest] if in_content else []
        around.words += self.words
        around.links += self.links
        around.chars += self.chars
        return Node(around.index, end, int.from_bytes(digest, "big"), self.words, self.links, self.chars, text)


def subtrees_of(root: etree._Element, ignored: tuple[str, ...] = ()) -> Subtrees:
    prefixes = tuple(name.removesuffix("*") for name in ignored if name.endswith("*"))
    nodes, unknown = list[Node](), Node(-1, 0, 0)
    places: dict[Piece, SubtreePlace] = {}
    around = [_Open(-1, [])]
    run: list[Piece] = []  # pieces of one text around comments and skipped elements

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
    """Return the hashed form of a start tag, each part ended by a zero, which markup cannot hold, after their
    number."""
    parts = [str(element.tag)]
    for name, value in sorted(element.items()):
        if name not in ignored and not name.startswith(prefixes):
            parts += (name, collapse(value))
    return "\0".join([str(len(parts)), *parts, ""]).encode("utf-8", "surrogatepass")


def _digest(parts: list[bytes]) -> bytes:
    return blake2b(b"".join(parts), digest_size=8).digest()


class Template(NamedTuple):
    """Sibling template nodes, by index, and the differing siblings between them."""

    nodes: list[int]
    gaps: list[int]


def template_nodes(nodes: Sequence[Node], returning: Collection[int]) -> list[int]:
    """Return the outermost nodes of a page with returning hashes, ascending."""
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
    """Join template nodes to templates where only a small gap lies between siblings."""
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
    reached = 0
    for index in sorted(indices):
        yield from (inside for inside in range(max(index, reached), nodes[index].end) if nodes[inside].text)
        reached = max(reached, nodes[index].end)


# Fragments: runs of a fixed number of words, as hashes at the same cost for any number

BASE = 0x9E3779B97F4A7C15  # variable of the polynomial; odd numbers have an inverse modulo 2^64
INVERSE = pow(BASE, -1, 2**64)
Hashes = npt.NDArray[np.uint64]  # in the order of the page
Marks = npt.NDArray[np.bool_]  # marked words or fragments of a page


def fragment_hashes(words: Sequence[str], width: int) -> Hashes:
    known = {word: stable_hash(word) for word in set(words)}
    values = np.array([known[word] for word in words], dtype=np.uint64)
    powers = np.cumprod(np.full(len(values), BASE, dtype=np.uint64), dtype=np.uint64)
    prefixes = np.pad(np.cumsum(values * powers, dtype=np.uint64), (1, 0))
    hashes = prefixes[width:] - prefixes[:-width]
    hashes = hashes * np.cumprod(np.full(len(hashes), INVERSE, dtype=np.uint64), dtype=np.uint64)
    # The low bits of a polynomial modulo 2^64 are weak, but used to draw fragments. The finalizer of MurmurHash3 makes
    # every bit depend on all bits.
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(factor)
    return hashes ^ (hashes >> np.uint64(33))


def in_sample(hashes: Hashes, density: int) -> Marks:
    """Mark the counted fragments: the share ``1 / density`` (D), chosen by hash on all pages alike."""
    chosen: Marks = hashes % np.uint64(max(1, density)) == 0
    return chosen


def covered(starts: Marks | Sequence[bool], width: int, words: int) -> Marks:
    if not len(starts):
        return np.zeros(words, dtype=np.bool_)
    marks: Marks = np.convolve(starts, np.ones(width, dtype=np.int64)) > 0
    return marks


# The patterns

CORE_SHARE = 0.8  # share of the pages of the most frequent hash that puts a hash into the core


class Returning(NamedTuple):
    hash: int
    pages: int


Reading = tuple[Collection[int], list[float], list[float]]


@dataclass(frozen=True, kw_only=True)
class ReturningPattern(Pattern):
    """Hashes returning on the pages of a site."""

    max_work: ClassVar[float] = 60_000.0  # limit of about two seconds
    returning: tuple[Returning, ...]  # ascending by hash

    @abstractmethod
    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """Return all hashes of a page, each block's noise confidence, and its noise confidence by the core only."""

    def match(self, document: Document) -> PageMatch | None:
        blocks = document.blocks(BlockOptions())
        hashes, noise, site_noise = self.read(document, blocks)
        similarity = self.similarity(hashes)
        if similarity <= SITE_THRESHOLD:
            return None
        return PageMatch(self.name, similarity, label_by_noise(blocks, noise, site_noise=site_noise))

    def similarity(self, hashes: Collection[int]) -> float:
        return len(self.core.intersection(hashes)) / len(self.core) if self.core else 0.0

    @cached_property
    def hashes(self) -> frozenset[int]:
        return frozenset(entry.hash for entry in self.returning)

    @cached_property
    def core(self) -> frozenset[int]:
        """Hashes of nearly all pages of the sample, by :data:`CORE_SHARE`."""
        most = max((entry.pages for entry in self.returning), default=0)
        return frozenset(entry.hash for entry in self.returning if entry.pages >= CORE_SHARE * most)

    def to_record(self) -> dict[str, Any]:
        groups: defaultdict[int, list[str]] = defaultdict(list)
        for entry in self.returning:
            groups[entry.pages].append(f"{entry.hash:016x}")
        by_pages = [{"pages": pages, "hashes": sorted(groups[pages])} for pages in sorted(groups, reverse=True)]
        return {**super().to_record(), "returning": by_pages}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        pages_of: dict[int, int] = {}
        for group in record.records("returning"):
            pages = group.whole("pages", least=1)
            if pages > common["support"]:
                problem = f"must be at most the pattern's support, {common['support']}, not {pages}"
                raise group.error("pages", problem)
            texts = enumerate(group.texts("hashes"))
            pages_of.update((read_hash(group, f"hashes[{index}]", text), pages) for index, text in texts)
        returning = tuple(map(Returning._make, sorted(pages_of.items())))
        return super().from_record(record, common | {"returning": returning})


GAP_NOISE = 0.5
"""Highest noise confidence from the gaps of templates; their text differs from page to page and is never deleted."""


@dataclass(frozen=True, kw_only=True)
class DomHashPattern(ReturningPattern):
    """A site's template as returning subtrees, found with the fields as options (see ``DomHashOptions``)."""

    kind: ClassVar[str] = "dom_hash"

    ignored_attributes: tuple[str, ...] = ()
    max_gap_siblings: Annotated[int, Between(0)] = MAX_GAP_SIBLINGS
    max_gap_chars: Annotated[int, Between(0)] = MAX_GAP_CHARS

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """Return a page's subtree hashes and the share of each block's characters within template."""
        page = subtrees_of(document.root, self.ignored_attributes)
        nodes = page.nodes
        template = template_nodes(nodes, self.hashes)
        joined = coalesce(nodes, template, self.max_gap_siblings, self.max_gap_chars)
        # Elements only: a headline's bare text returns in different markup on pages with teasers.
        core = [index for index in template_nodes(nodes, self.core) if not nodes[index].text]
        inside = frozenset(text_runs_of(nodes, template))
        or_gaps = inside.union(text_runs_of(nodes, (gap for joint in joined for gap in joint.gaps)))
        places = [[page.places[piece] for piece in block.pieces if piece in page.places] for block in blocks]

        def shares(marked: Collection[int]) -> list[float]:
            return [mean_noise((place.chars, place.node in marked) for place in of_block) for of_block in places]

        noise = [max(share, min(GAP_NOISE, gaps)) for share, gaps in zip(shares(inside), shares(or_gaps), strict=True)]
        return [node.hash for node in nodes], noise, shares(frozenset(text_runs_of(nodes, core)))


@dataclass(frozen=True, kw_only=True)
class ShinglePattern(ReturningPattern):
    """A site's template as returning fragments of text."""

    kind: ClassVar[str] = "shingle"

    width: Annotated[int, Between(1)]

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """Return a page's fragment hashes and the share of each block's characters within returning fragments."""
        by_block = [tokens(block.text) for block in blocks]
        words = list(chain.from_iterable(by_block))
        hashes = fragment_hashes(words, self.width).tolist()

        def shares(table: Collection[int]) -> list[float]:
            marks = iter(covered([hash_ in table for hash_ in hashes], self.width, len(words)).tolist())
            return [mean_noise((len(word), next(marks)) for word in of_block) for of_block in by_block]

        return hashes, shares(self.hashes), shares(self.core)
