"""The patterns of both systems: hashes of subtrees, or of fragments of text, that return from page to page."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.text import stable_hash, tokens
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.noise import label_by_noise
from scrapy_stemmer.learners.literature.repetition.subtrees import (
    MAX_GAP_CHARS,
    MAX_GAP_SIBLINGS,
    SubtreePlace,
    coalesce,
    subtrees_of,
    template_nodes,
    texts_of,
)
from scrapy_stemmer.patterns.base import MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.record import Between, Record

CORE_SHARE = 0.8
"""A hash on at least this share of the pages that the most frequent hash is on belongs to the core, which a page
must have in part to be of the site's template."""

_HASH = re.compile("[0-9a-f]{16}")


class Returning(NamedTuple):
    """A hash, and the pages of the sample that it was on."""

    hash: int
    pages: int


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A template of the sample as people read it; labelling does not need it.

    :param text: its beginning, ``[…]`` for gaps where pages differ.
    :param pages: pages of the sample that all its parts were on.
    """

    text: str
    pages: Annotated[int, Between(1)]


Reading = tuple[Collection[int], list[float], list[float]]


MAX_WORK = 60_000.0
"""Tags of a page, or hundreds of characters: more take longer than two seconds."""


@dataclass(frozen=True, kw_only=True)
class ReturningPattern(Pattern):
    """The hashes that return on the pages of a site.

    :param returning: the hashes, ascending.
    :param templates: some of the templates that they make, for readers.
    """

    max_work: ClassVar[float] = MAX_WORK

    returning: tuple[Returning, ...]
    templates: tuple[TemplateText, ...] = ()

    @abstractmethod
    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """All hashes of a page; each block's noise confidence; the same, counted from the core only."""

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page that has more than the threshold of the core, see :meth:`similarity`."""
        blocks = document.blocks(BlockOptions())
        hashes, noise, site_noise = self.read(document, blocks)
        similarity = self.similarity(hashes)
        if similarity <= (options.site_threshold if self.site_wide else options.threshold):
            return None
        return PageMatch(self.name, similarity, label_by_noise(blocks, noise, options, site_noise=site_noise))

    def similarity(self, hashes: Collection[int]) -> float:
        """The share of the core that is among a page's hashes, from 0 to 1."""
        return len(self.core.intersection(hashes)) / len(self.core) if self.core else 0.0

    @cached_property
    def hashes(self) -> frozenset[int]:
        """The table in which a page's hashes are looked up."""
        return frozenset(entry.hash for entry in self.returning)

    @cached_property
    def core(self) -> frozenset[int]:
        """The hashes that nearly all pages of the sample had, by :data:`CORE_SHARE`."""
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
            for index, text in enumerate(group.texts("hashes")):
                if not _HASH.fullmatch(text):
                    raise group.error(f"hashes[{index}]", f"must be 16 hexadecimal digits, not {text!r}")
                pages_of[int(text, 16)] = pages
        return super().from_record(
            record, common | {"returning": tuple(map(Returning._make, sorted(pages_of.items())))}
        )


def _share(places: Sequence[SubtreePlace], marked: Collection[int]) -> float:
    """The share of characters that stand in these runs of text."""
    total = sum(place.chars for place in places)
    return sum(place.chars for place in places if place.node in marked) / total if total else 0.0


GAP_NOISE = 0.5
"""Most noise confidence that text in the gaps of templates gives to a block: it differs from page to page, so that
it is not deleted, unless :attr:`MatchOptions.diffscore` asks for more."""


@dataclass(frozen=True, kw_only=True)
class DomHashPattern(ReturningPattern):
    """A site's template as the subtrees that return.

    :param ignored_attributes: attributes that make no difference, see
        :func:`scrapy_stemmer.learners.literature.repetition.subtrees.subtrees_of`.
    :param max_gap_siblings: siblings that may stand between two subtrees of one template.
    :param max_gap_chars: letters and digits that they may hold.
    """

    kind: ClassVar[str] = "dom_hash"

    ignored_attributes: tuple[str, ...] = ()
    max_gap_siblings: Annotated[int, Between(0)] = MAX_GAP_SIBLINGS
    max_gap_chars: Annotated[int, Between(0)] = MAX_GAP_CHARS

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """A page's subtrees, and for each block the share of its characters within template."""
        page = subtrees_of(document.root, self.ignored_attributes)
        nodes = page.nodes
        template = template_nodes(nodes, self.hashes)
        joined = coalesce(nodes, template, self.max_gap_siblings, self.max_gap_chars)
        # Of the core elements only, not bare texts: a headline returns in other markup where pages tease it.
        core = [index for index in template_nodes(nodes, self.core) if not nodes[index].text]
        inside, of_site = frozenset(texts_of(nodes, template)), frozenset(texts_of(nodes, core))
        or_gaps = inside.union(texts_of(nodes, (gap for one in joined for gap in one.gaps)))
        places = [[page.places[piece] for piece in block.pieces if piece in page.places] for block in blocks]
        noise = [max(_share(of_block, inside), min(GAP_NOISE, _share(of_block, or_gaps))) for of_block in places]
        return [node.hash for node in nodes], noise, [_share(of_block, of_site) for of_block in places]


# Fragments of text: windows of words

BASE = 0x9E3779B97F4A7C15
"""The polynomial's variable; odd, so that it has an inverse modulo 2^64."""

INVERSE = pow(BASE, -1, 2**64)
"""1 / :data:`BASE` modulo 2^64."""

Hashes = npt.NDArray[np.uint64]
"""64-bit numbers, in the order of the page."""

Marks = npt.NDArray[np.bool_]
"""Words or fragments of a page that are marked."""


def word_values(words: Sequence[str]) -> Hashes:
    """A 64-bit value for each word, the same for the same word in every process."""
    known = {word: stable_hash(word) for word in set(words)}
    return np.array([known[word] for word in words], dtype=np.uint64)


def fragment_hashes(values: Hashes, width: int) -> Hashes:
    """The hash of each window of ``width`` words with these values, in order; none for a text that is shorter."""
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
    """Which fragments are counted: one in ``density``, a fragment on all pages that have it or on none.

    :param density: D; 0 and 1 count all.
    """
    chosen: Marks = hashes % np.uint64(max(1, density)) == 0
    return chosen


def covered(starts: Marks | Sequence[bool], width: int, words: int) -> Marks:
    """The words of a text that lie in one of some windows: ``starts`` says of each of the text's whether it is one."""
    if not len(starts):
        return np.zeros(words, dtype=np.bool_)
    marks: Marks = np.convolve(starts, np.ones(width, dtype=np.int64)) > 0
    return marks


def spans(marks: Marks) -> list[tuple[int, int]]:
    """The runs of marked words as first word and word after the last: what overlaps or touches is one."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


@dataclass(frozen=True, kw_only=True)
class ShinglePattern(ReturningPattern):
    """A site's template as the fragments of text that return.

    :param width: words of a fragment.
    """

    kind: ClassVar[str] = "shingle"

    width: Annotated[int, Between(1)]

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """A page's fragments, and for each block the share of its characters within those that return."""
        by_block = [tokens(block.text) for block in blocks]
        words = list(chain.from_iterable(by_block))
        hashes = fragment_hashes(word_values(words), self.width).tolist()

        def shares(table: Collection[int]) -> list[float]:
            marks = iter(covered([hash_ in table for hash_ in hashes], self.width, len(words)).tolist())
            marked = [sum(len(word) for word in of_block if next(marks)) for of_block in by_block]
            return [chars / max(1, sum(map(len, of_block))) for chars, of_block in zip(marked, by_block, strict=True)]

        return hashes, shares(self.hashes), shares(self.core)
