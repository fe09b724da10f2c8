"""The patterns of both systems: hashes of subtrees, or of fragments of text, that return from page to page."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.text import tokens
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.patterns import label_by_noise, mean_noise, read_hash
from scrapy_stemmer.learners.literature.repetition.hashes import (
    MAX_GAP_CHARS,
    MAX_GAP_SIBLINGS,
    coalesce,
    covered,
    fragment_hashes,
    subtrees_of,
    template_nodes,
    text_runs_of,
)
from scrapy_stemmer.patterns.base import MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.record import Between, Record

CORE_SHARE = 0.8
"""A hash on at least this share of the pages that the most frequent hash is on belongs to the core, which a page
must have in part to be of the site's template."""


class Returning(NamedTuple):
    """A hash, and the pages of the sample that it was on."""

    hash: int
    pages: int


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A template of the sample as people read it; labelling does not need it."""

    text: str  # its beginning, ``[…]`` for gaps where pages differ
    pages: Annotated[int, Between(1)]  # pages of the sample that all its parts were on


Reading = tuple[Collection[int], list[float], list[float]]


@dataclass(frozen=True, kw_only=True)
class ReturningPattern(Pattern):
    """The hashes that return on the pages of a site."""

    max_work: ClassVar[float] = 60_000.0  # more take longer than two seconds

    returning: tuple[Returning, ...]  # the hashes, ascending
    templates: tuple[TemplateText, ...] = ()  # some of the templates that they make, for readers

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
            texts = enumerate(group.texts("hashes"))
            pages_of.update((read_hash(group, f"hashes[{index}]", text), pages) for index, text in texts)
        returning = tuple(map(Returning._make, sorted(pages_of.items())))
        return super().from_record(record, common | {"returning": returning})


GAP_NOISE = 0.5
"""Most noise confidence that text in the gaps of templates gives to a block: it differs from page to page, so that
it is not deleted, unless :attr:`MatchOptions.diffscore` asks for more."""


@dataclass(frozen=True, kw_only=True)
class DomHashPattern(ReturningPattern):
    """A site's template as the subtrees that return; see ``DomHashOptions`` for what these depend on."""

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
        inside = frozenset(text_runs_of(nodes, template))
        or_gaps = inside.union(text_runs_of(nodes, (gap for joint in joined for gap in joint.gaps)))
        places = [[page.places[piece] for piece in block.pieces if piece in page.places] for block in blocks]

        def shares(marked: Collection[int]) -> list[float]:
            return [mean_noise((place.chars, place.node in marked) for place in of_block) for of_block in places]

        noise = [max(share, min(GAP_NOISE, gaps)) for share, gaps in zip(shares(inside), shares(or_gaps), strict=True)]
        return [node.hash for node in nodes], noise, shares(frozenset(text_runs_of(nodes, core)))


@dataclass(frozen=True, kw_only=True)
class ShinglePattern(ReturningPattern):
    """A site's template as the fragments of text that return."""

    kind: ClassVar[str] = "shingle"

    width: Annotated[int, Between(1)]  # words of a fragment

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """A page's fragments, and for each block the share of its characters within those that return."""
        by_block = [tokens(block.text) for block in blocks]
        words = list(chain.from_iterable(by_block))
        hashes = fragment_hashes(words, self.width).tolist()

        def shares(table: Collection[int]) -> list[float]:
            marks = iter(covered([hash_ in table for hash_ in hashes], self.width, len(words)).tolist())
            return [mean_noise((len(word), next(marks)) for word in of_block) for of_block in by_block]

        return hashes, shares(self.hashes), shares(self.core)
