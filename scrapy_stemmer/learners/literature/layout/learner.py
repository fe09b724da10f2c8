"""Webstemmer's learner: pages are clustered by layout; sections that vary hold the text.

It departs from the original where that was found wanting, see docs/learners/layout.md; the preset ``original`` undoes
that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.core.expressions import bounded_expression
from scrapy_stemmer.core.text import collapse
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import Options, get_learner
from scrapy_stemmer.learners.literature.alignment import DifflibMatcher, TextMatcher, WordMatcher
from scrapy_stemmer.learners.literature.base import (
    DIGITS,
    MAX_SAMPLES,
    SITE_WIDE,
    LiteratureLearner,
    preset,
    with_own_names,
)
from scrapy_stemmer.learners.literature.blocks import ORIGINAL_BLOCKS, BlockOptions, blocks_of, component_names, renamed
from scrapy_stemmer.learners.literature.layout import alignment
from scrapy_stemmer.learners.literature.layout.alignment import ALIGNMENTS, runs_of
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern
from scrapy_stemmer.learners.literature.layout.sections import columns_of, layout_pattern_score, title_column
from scrapy_stemmer.learners.literature.text_mdl.learner import PathLearner
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.record import Between, Share

CLUSTERINGS = ("complete_link", "text_mdl", "text_hash")
"""How pages are grouped into layouts: Webstemmer's way, or that of another learner."""


@dataclass(frozen=True, slots=True)
class LayoutOptions(Options):
    """How layouts are learned; the names of analyze.py's options in brackets."""

    # one of CLUSTERINGS; the others than ``complete_link`` go by the paths of the pages' elements, have no threshold,
    # and parse every page once more
    clustering: Annotated[str, CLUSTERINGS] = "complete_link"
    cluster_threshold: Share = 0.8  # similarity that all pages of a layout have to each other [-t]
    title_threshold: Share = 0.6  # least agreement of a title with the texts of links to its page [-T]
    max_samples: Annotated[int, Between(0)] = 0  # members of a cluster that a page is compared with; 0 for all [-m]
    # layouts with a LayoutPatternScore below this are dropped; -1 keeps all [-S]
    min_score: Annotated[float, Between(-1)] = 100.0
    linkinfo: bool = True  # whether the texts of links to a page vote for its title [-L]
    section_support: Share = 0.5  # share of a layout's pages that must have a section
    # a block's text on this many pages of a layout makes it template; 0 for never
    repeated_pages: Annotated[int, Between(0)] = 2
    # identifiers and class names on fewer pages of the sample are left out of paths; 0 keeps all
    name_pages: Annotated[int, Between(0)] = 2
    site_layout: bool = True  # learn one more pattern from all pages of the site, for pages that fit no layout
    # ``runs``, or ``original`` for Webstemmer's own alignment and comparison of characters
    alignment: Annotated[str, ALIGNMENTS] = "runs"
    blocks: BlockOptions = BlockOptions()  # how pages are cut into blocks; ``blocks.mangle`` is [-P]
    default_charset: str = DEFAULT_CHARSET  # for pages that declare no charset [-c]

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        try:
            bounded_expression(self.blocks.mangle or "")
        except (ValueError, re.error, OverflowError, RecursionError) as error:
            raise LearnerError(f"blocks.mangle must be a regular expression ({error}).") from error

    @classmethod
    def preset(cls, name: str) -> Self:
        """The options of a preset: ``default``, or ``original`` for the choices of Webstemmer 0.7."""
        return preset(
            cls,
            name,
            cluster_threshold=0.97,
            section_support=1.0,
            repeated_pages=0,
            name_pages=0,
            site_layout=False,
            alignment="original",
            blocks=ORIGINAL_BLOCKS,
        )


class SampledPage(NamedTuple):
    """A page of a sample."""

    name: str  # its URL
    anchors: tuple[str, ...]  # the texts of links to it, sorted, repeats kept
    blocks: tuple[LayoutBlock, ...]  # its layout blocks, freed from their tree


class LayoutLearner(LiteratureLearner[LayoutOptions]):
    """Clusters a site's pages by layout and scores the sections that the pages of each layout share."""

    name: ClassVar[str] = "layout"
    options_class: ClassVar[type[Any] | None] = LayoutOptions

    @property
    def _is_original(self) -> bool:
        return self.options.alignment == "original"

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """The layouts of one site; see :meth:`Learner.learn`. A layout needs two pages."""
        options = self.options
        sample, blocks = read_sample(pages, options)
        if len(sample) < 2:
            return []
        clusters = [cluster for cluster in self._clusters(pages, sample, seed) if len(cluster) > 1]
        layouts = with_own_names(
            self._pattern(pages[0].site, [sample[index] for index in cluster], blocks) for cluster in clusters
        )
        if options.site_layout:
            layouts.append(replace(self._pattern(pages[0].site, sample, blocks), name=SITE_WIDE, site_wide=True))
        kept = [layout for layout in layouts if layout.score >= options.min_score]
        return sorted(kept, key=lambda layout: (-layout.score, layout.name))

    def _clusters(self, pages: Sequence[Page], sample: Sequence[SampledPage], seed: int) -> list[list[int]]:
        options, names = self.options, [page.name for page in sample]
        if options.clustering != "complete_link":
            kind: Any = get_learner(options.clustering)
            learner: PathLearner = kind(kind.options_class(default_charset=options.default_charset))
            return learner.page_clusters(pages, names, seed=seed)
        runs = [runs_of(page.blocks) for page in sample]

        def are_similar(first: int, second: int) -> bool:
            if self._is_original:
                blocks = sample[first].blocks, sample[second].blocks
                return alignment.original_similarity(*blocks) >= options.cluster_threshold
            return alignment.similar(runs[first], runs[second], options.cluster_threshold)

        return alignment.complete_link(names, are_similar, options.max_samples, seed)

    def _pattern(self, site: str, pages: Sequence[SampledPage], blocks: BlockOptions) -> LayoutPattern:
        """What pages have in common: the features that (most of) them share, in order, and how the texts there vary."""
        options = self.options
        runs = [runs_of(page.blocks) for page in pages]
        matcher: TextMatcher = DifflibMatcher() if self._is_original else WordMatcher()
        if self._is_original:
            of_pages: list[Sequence[str]] = [page.features for page in runs]
            features = reduce(alignment.original_common_features, of_pages)
        else:
            features = alignment.consensus(runs, options.section_support)
        columns = columns_of([page.blocks for page in pages], features, ALIGNMENTS[options.alignment], matcher)
        if self._is_original:  # which drops what the first page lacks
            columns = [column for column in columns if column.cells[0]]
        anchors = [page.anchors if options.linkinfo else () for page in pages]
        title = title_column(columns, anchors, options.title_threshold, matcher, amid_main=self._is_original)
        samples = [
            Sample(page.name, None if title is None else collapse(columns[title].text(number)) or None)
            for number, page in enumerate(pages[:MAX_SAMPLES])
        ]
        return LayoutPattern(
            site=site,
            name=pages[0].name,
            support=len(pages),
            score=round(layout_pattern_score([column.mainscore() for column in columns], len(pages)), DIGITS),
            samples=tuple(samples),
            sections=tuple(
                column.section(0 if index == title else options.repeated_pages) for index, column in enumerate(columns)
            ),
            title_index=title,
            block_options=blocks,
            alignment=options.alignment,
        )


def read_sample(pages: Iterable[Page], options: LayoutOptions) -> tuple[list[SampledPage], BlockOptions]:
    """The distinct pages of a sample, sorted by name, and how they were cut into blocks: with the site's vocabulary. Of
    pages with the same blocks only the first is kept, with the anchors of all: a page under several addresses would
    else make its own text look like template. Trees are let go one by one, so that memory holds one at a time."""
    read = []
    for page in pages:
        blocks = blocks_of(root_of(page, options.default_charset), options.blocks)
        freed = tuple(replace(block, pieces=()) for block in blocks)
        content = tuple((block.path, block.text) for block in blocks)
        read.append((page.url, content, tuple(sorted(page.anchors)), freed))
    distinct: dict[Any, SampledPage] = {}
    for name, content, anchors, freed in sorted(read, key=lambda entry: entry[:3]):
        known = distinct.get(content, SampledPage(name, (), freed))
        distinct[content] = known._replace(anchors=tuple(sorted(known.anchors + anchors)))
    if not options.name_pages:
        return [*distinct.values()], options.blocks
    counts: Counter[str] = Counter()
    for sampled in distinct.values():
        components = {component for block in sampled.blocks for component in block.components}
        counts.update({name for component in components for name in component_names(component)})
    names = frozenset(name for name, count in counts.items() if count >= options.name_pages)
    named = [page._replace(blocks=tuple(renamed(block, names) for block in page.blocks)) for page in distinct.values()]
    return named, replace(options.blocks, vocabulary=names)
