"""The patterns of both systems: hashes of subtrees, or of fragments of text, that return from page to page."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.text import tokens
from scrapy_stemmer.learners.noise import label_by_noise
from scrapy_stemmer.learners.repetition.fragments import covered, fragment_hashes, word_values
from scrapy_stemmer.learners.repetition.subtrees import (
    MAX_GAP_CHARS,
    MAX_GAP_SIBLINGS,
    Place,
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
"""All hashes of a page; for each block its noise confidence; the same, counted from the core only, which nearly all
pages have."""


@dataclass(frozen=True, kw_only=True)
class ReturningPattern(Pattern):
    """The hashes that return on the pages of a site.

    :param returning: the hashes, ascending.
    :param templates: some of the templates that they make, for readers.
    """

    returning: tuple[Returning, ...]
    templates: tuple[TemplateText, ...] = ()

    @abstractmethod
    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """What a page has, and how much of each block is template."""

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


GAP_NOISE = 0.5
"""Most noise confidence that text in the gaps of templates gives to a block: it differs from page to page, so that
it is not deleted, unless :attr:`MatchOptions.diffscore` asks for more."""


@dataclass(frozen=True, kw_only=True)
class DomHashPattern(ReturningPattern):
    """A site's template as the subtrees that return.

    :param ignored_attributes: attributes that make no difference, see
        :func:`scrapy_stemmer.learners.repetition.subtrees.subtrees_of`.
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


def _share(places: Sequence[Place], nodes: Collection[int]) -> float:
    """The share of characters that stand in these runs of text."""
    total = sum(place.chars for place in places)
    return sum(place.chars for place in places if place.node in nodes) / total if total else 0.0


def words_of(blocks: Sequence[LayoutBlock]) -> list[list[str]]:
    """The words of each block. One after the other they are the text that the windows slide over."""
    return [tokens(block.text) for block in blocks]


@dataclass(frozen=True, kw_only=True)
class ShinglePattern(ReturningPattern):
    """A site's template as the fragments of text that return.

    :param width: words of a fragment.
    """

    kind: ClassVar[str] = "shingle"

    width: Annotated[int, Between(1)]

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """A page's fragments, and for each block the share of its characters within those that return."""
        by_block = words_of(blocks)
        words = list(chain.from_iterable(by_block))
        hashes = fragment_hashes(word_values(words), self.width).tolist()
        noise, site_noise = (
            _marked_shares(by_block, covered([hash_ in table for hash_ in hashes], self.width, len(words)))
            for table in (self.hashes, self.core)
        )
        return hashes, noise, site_noise


def _marked_shares(by_block: Sequence[Sequence[str]], marks: Iterable[bool]) -> list[float]:
    """For each block the share of its characters in marked words."""
    left, shares = iter(marks), []
    for words in by_block:
        marked = sum(len(word) for word, is_marked in zip(words, left, strict=False) if is_marked)
        shares.append(marked / sum(map(len, words)) if words else 0.0)
    return shares
