"""Patterns of ``dom_hash`` and ``shingle``: hashes of returning subtrees or of returning fragments of text.

A node's hash covers name, attributes and contents; runs of text are nodes too. Hashes are computed from the children's
hashes, so the cost of a node does not grow with depth. The outermost nodes on several pages are template.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_stemmer.learners.literature.base import NoisePattern, mean_noise, noise_by_piece, read_hash
from scrapy_stemmer.learners.literature.blocks import UNSEEN, visit
from scrapy_stemmer.page.blocks import LayoutBlock, Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import collapse, stable_hash, tokens
from scrapy_stemmer.patterns.record import Between, Record


class Node(NamedTuple):
    """Element or run of text."""

    end: int  # index of the first node after the subtree
    hash: int  # equal for equal subtrees
    tells: bool  # holds words or a link
    is_text: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Subtrees:
    nodes: list[Node]  # in document order, without the root: pages are not compared as a whole
    content: int  # hash of the page without the head; equal for pages with equal bodies
    places: Mapping[Piece, int] = field(repr=False)  # run of text of each piece

    def inside(self, returning: Collection[int], *, elements_only: bool = False) -> set[int]:
        """Return the outermost nodes with returning hashes, with all nodes inside."""
        marked: set[int] = set()
        reached = 0
        for index, node in enumerate(self.nodes):
            if index >= reached and node.hash in returning:
                reached = node.end
                if not (elements_only and node.is_text):
                    marked.update(range(index, reached))
        return marked


@dataclass(slots=True)
class _Open:
    """Open node, with the parts of the hash so far."""

    index: int
    parts: list[bytes]
    tells: bool

    def end(self, around: _Open, end: int, *, is_text: bool = False, in_content: bool = True) -> Node:
        digest = _digest(self.parts)
        around.parts += [digest] if in_content else []
        around.tells = around.tells or self.tells
        return Node(end, int.from_bytes(digest, "big"), self.tells, is_text)


IGNORED_ATTRIBUTES = ("nonce", "data-")  # beginnings of attributes that scripts fill anew on every page or visit


def subtrees_of(root: etree._Element) -> Subtrees:
    nodes, unknown = list[Node](), Node(0, 0, False)
    places: dict[Piece, int] = {}
    around = [_Open(-1, [], False)]
    run: list[Piece] = []  # pieces of one text around comments and skipped elements

    def add(piece: Piece) -> None:
        text = piece.text
        if text and (run or not text.isspace()):
            run.append(piece)

    def end_run() -> None:
        if run:
            index, text = len(nodes), collapse("".join(piece.text for piece in run))
            places.update(dict.fromkeys(run, index))
            run.clear()
            done = _Open(index, [b"\0", text.encode("utf-8", "surrogatepass")], bool(tokens(text)))
            nodes.append(done.end(around[-1], index + 1, is_text=True))

    def enter(element: etree._Element) -> None:
        end_run()
        if element is not root:
            is_link = element.tag in ("a", "area") and "href" in element.attrib
            around.append(_Open(len(nodes), [_start_of(element)], is_link))
            nodes.append(unknown)
        add(Piece(element, False))

    def leave(element: etree._Element) -> None:
        end_run()
        if element is not root:
            done = around.pop()
            nodes[done.index] = done.end(around[-1], len(nodes), in_content=element.tag != "head")

    visit(root, UNSEEN, enter, leave, lambda element: add(Piece(element, True)))
    return Subtrees(nodes, int.from_bytes(_digest(around[0].parts), "big"), places)


def _start_of(element: etree._Element) -> bytes:
    """Return the hashed form of a start tag, each part ended by a zero, which markup cannot hold, after their
    number."""
    parts = [str(element.tag)]
    for name, value in sorted(element.items()):
        if not name.startswith(IGNORED_ATTRIBUTES):
            parts += (name, collapse(value))
    return "\0".join([str(len(parts)), *parts, ""]).encode("utf-8", "surrogatepass")


def _digest(parts: list[bytes]) -> bytes:
    return blake2b(b"".join(parts), digest_size=8).digest()


# Fragments: runs of a fixed number of words, as hashes at the same cost for any number

BASE = 0x9E3779B97F4A7C15  # variable of the polynomial; odd numbers have an inverse modulo 2^64
INVERSE = pow(BASE, -1, 2**64)
Hashes = npt.NDArray[np.uint64]  # in the order of the page


def fragment_hashes(words: Sequence[str], width: int) -> Hashes:
    known = {word: stable_hash(word) for word in set(words)}
    values = np.array([known[word] for word in words], dtype=np.uint64)
    powers = np.cumprod(np.full(len(values), BASE, dtype=np.uint64), dtype=np.uint64)
    prefixes = np.pad(np.cumsum(values * powers, dtype=np.uint64), (1, 0))
    hashes = prefixes[width:] - prefixes[:-width]
    return hashes * np.cumprod(np.full(len(hashes), INVERSE, dtype=np.uint64), dtype=np.uint64)


def covered(starts: Sequence[bool], width: int, words: int) -> list[bool]:
    """Return for each word whether a marked fragment covers it, from marks of the fragments by their first words."""
    if not starts:
        return [False] * words
    marks: list[bool] = (np.convolve(starts, np.ones(width, dtype=np.int64)) > 0).tolist()
    return marks


# The patterns

CORE_SHARE = 0.8  # share of the pages of the most frequent hash that puts a hash into the core


class Returning(NamedTuple):
    hash: int
    pages: int


@dataclass(frozen=True, kw_only=True)
class ReturningPattern(NoisePattern):
    """Hashes returning on the pages of a site."""

    max_work: ClassVar[float] = 60_000.0  # limit of about two seconds
    returning: tuple[Returning, ...]  # ascending by hash

    def read(self, document: Document, blocks: Sequence[LayoutBlock]) -> tuple[float, list[float], list[float]]:
        hashes, noise, as_title = self.read_hashes(document, blocks)
        return self.similarity(hashes), noise, as_title

    @abstractmethod
    def read_hashes(
        self, document: Document, blocks: Sequence[LayoutBlock]
    ) -> tuple[Collection[int], list[float], list[float]]:
        """Return all hashes of a page, each block's noise confidence, and its noise confidence by the core only."""

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
            pages = group.whole("pages", least=1, most=common["support"])
            texts = enumerate(group.texts("hashes"))
            pages_of.update((read_hash(group, f"hashes[{index}]", text), pages) for index, text in texts)
        returning = tuple(map(Returning._make, sorted(pages_of.items())))
        return super().from_record(record, common | {"returning": returning})


@dataclass(frozen=True, kw_only=True)
class DomHashPattern(ReturningPattern):
    """A site's template as returning subtrees."""

    kind: ClassVar[str] = "dom_hash"

    def read_hashes(
        self, document: Document, blocks: Sequence[LayoutBlock]
    ) -> tuple[Collection[int], list[float], list[float]]:
        """Return a page's subtree hashes and the share of each block's characters within template."""
        page = subtrees_of(document.root)
        inside = page.inside(self.hashes)
        # Elements only: a headline's bare text returns in different markup on pages with teasers.
        core = page.inside(self.core, elements_only=True)
        noise, as_title = (
            noise_by_piece(blocks, lambda piece, marked=marked: page.places.get(piece) in marked)  # type: ignore[misc]
            for marked in (inside, core)
        )
        return {node.hash for node in page.nodes}, noise, as_title


@dataclass(frozen=True, kw_only=True)
class ShinglePattern(ReturningPattern):
    """A site's template as returning fragments of text."""

    kind: ClassVar[str] = "shingle"

    width: Annotated[int, Between(1)]

    def read_hashes(
        self, document: Document, blocks: Sequence[LayoutBlock]
    ) -> tuple[Collection[int], list[float], list[float]]:
        """Return a page's fragment hashes and the share of each block's characters within returning fragments."""
        by_block = [tokens(block.text) for block in blocks]
        words = list(chain.from_iterable(by_block))
        hashes = fragment_hashes(words, self.width).tolist()

        def shares(table: Collection[int]) -> list[float]:
            marks = iter(covered([each in table for each in hashes], self.width, len(words)))
            return [mean_noise((len(word), next(marks)) for word in of_block) for of_block in by_block]

        return hashes, shares(self.hashes), shares(self.core)
