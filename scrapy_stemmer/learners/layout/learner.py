"""Webstemmer's learner: pages are clustered by layout; sections that vary hold the text.

It departs from the original where that was found wanting; ``LayoutOptions.preset("original")`` undoes that:

- digits in attribute values don't count, class names are sorted, and pages need to be 80 % similar instead of
  97 %: with the original's choices 43 of 151 real pages get a layout, with these 131;
- runs of blocks are aligned by weighted LCS, not by Ratcliff-Obershelp, and texts are compared by words;
- a section need not stand on every page of its layout;
- single blocks whose text returns on other pages are template, wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Annotated, Any, ClassVar, Self

from scrapy_stemmer.core.blocks import ORIGINAL_BLOCKS, BlockOptions
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.core.text import DifflibMatcher, TextMatcher, WordMatcher, collapse
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, Options, with_own_names
from scrapy_stemmer.learners.layout.alignment import (
    ALIGNMENTS,
    consensus,
    original_common_features,
    original_similarity,
    runs_of,
    similar,
)
from scrapy_stemmer.learners.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.learners.layout.sampled_pages import SampledPage, complete_link, read_sample
from scrapy_stemmer.learners.layout.sections import Column, columns_of, layout_pattern_score, title_column
from scrapy_stemmer.learners.text_mdl.learner import (
    PathLearner,
    TextHashLearner,
    TextHashOptions,
    TextMdlLearner,
    TextMdlOptions,
)
from scrapy_stemmer.patterns import base
from scrapy_stemmer.patterns.record import Between, Share

COMPLETE_LINK = "complete_link"
"""Webstemmer's clustering, in one pass over the pages."""

PATH_LEARNERS: Mapping[str, Callable[[str], PathLearner]] = {
    TextMdlLearner.name: lambda charset: TextMdlLearner(TextMdlOptions(default_charset=charset)),
    TextHashLearner.name: lambda charset: TextHashLearner(TextHashOptions(default_charset=charset)),
}
"""Learners whose clustering can be had instead, made for a default charset."""

CLUSTERINGS = (COMPLETE_LINK, *PATH_LEARNERS)
"""How pages are grouped into layouts: Webstemmer's way, or that of another learner."""

MIN_DIFFSCORE_OF_REPEATED = 0.2
"""Repeated texts are listed for sections that vary at least so much; others are template as a whole."""

DIGITS = 6
"""Decimals of the scores in patterns, so that files are good to read and compare."""


@dataclass(frozen=True, slots=True)
class LayoutOptions(Options):
    """How layouts are learned; the names of analyze.py's options in brackets.

    :param clustering: one of :data:`CLUSTERINGS`; the others than ``complete_link`` go by the paths of the pages'
        elements, have no threshold, and parse every page once more.
    :param cluster_threshold: similarity, from 0 to 1, that all pages of a layout have to each other [-t].
    :param title_threshold: least agreement of a section with the texts of links to its page for it to be the
        title, from 0 to 1 [-T].
    :param max_samples: members of a cluster that a page is compared with; 0 for all [-m].
    :param min_score: layouts with a LayoutPatternScore below this are dropped; -1 keeps all [-S].
    :param linkinfo: whether the texts of links to a page vote for its title [-L].
    :param section_support: share of a layout's pages, from 0 to 1, that must have a section. The original
        kept only what all pages have, which loses text as samples grow.
    :param repeated_pages: a block's text on this many pages of a layout makes it template; 0 switches that
        off, as the original.
    :param name_pages: identifiers and class names on fewer pages of the sample are left out of paths; 0 keeps
        all, as the original.
    :param site_layout: learn one more pattern from all pages of the site, for pages that fit no layout.
    :param alignment: ``runs``, or ``original`` for Webstemmer's own alignment and comparison of characters.
    :param blocks: how pages are cut into blocks; ``blocks.mangle`` is [-P].
    :param default_charset: for pages that declare no charset [-c].
    """

    clustering: Annotated[str, CLUSTERINGS] = COMPLETE_LINK
    cluster_threshold: Share = 0.8
    title_threshold: Share = 0.6
    max_samples: Annotated[int, Between(0)] = 0
    min_score: Annotated[float, Between(-1)] = 100.0
    linkinfo: bool = True
    section_support: Share = 0.5
    repeated_pages: Annotated[int, Between(0)] = 2
    name_pages: Annotated[int, Between(0)] = 2
    site_layout: bool = True
    alignment: Annotated[str, ALIGNMENTS] = "runs"
    blocks: BlockOptions = BlockOptions()
    default_charset: str = DEFAULT_CHARSET

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        try:
            re.compile(self.blocks.mangle or "")
        except (re.error, OverflowError, RecursionError) as error:
            raise LearnerError(f"blocks.mangle must be a regular expression ({error}).") from error

    @classmethod
    def preset(cls, name: str) -> Self:
        """The options of a preset: ``default``, or ``original`` for the choices of Webstemmer 0.7.

        :raises LearnerError: for another name.
        """
        if name == "default":
            return cls()
        if name == "original":
            return cls(
                cluster_threshold=0.97,
                section_support=1.0,
                repeated_pages=0,
                name_pages=0,
                site_layout=False,
                alignment="original",
                blocks=ORIGINAL_BLOCKS,
            )
        raise LearnerError(f"There is no preset {name!r}; use 'default' or 'original'.")


class LayoutLearner(Learner):
    """Clusters a site's pages by layout and scores the sections that the pages of each layout share.

    :param options: see :class:`LayoutOptions`.
    """

    name: ClassVar[str] = "layout"
    options_class: ClassVar[type[Any] | None] = LayoutOptions

    def __init__(self, options: LayoutOptions | None = None) -> None:
        self.options = options or LayoutOptions()
        self._is_original = self.options.alignment == "original"

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[base.Pattern]:
        """The layouts of one site; see :meth:`Learner.learn`. A layout needs two pages."""
        options = self.options
        sample = read_sample(
            pages, options.blocks, name_pages=options.name_pages, default_charset=options.default_charset
        )
        if len(sample.pages) < 2:
            return []
        layouts = [
            self._pattern(pages[0].site, [sample.pages[index] for index in cluster], sample.options)
            for cluster in self._clusters(pages, sample.pages, seed)
            if len(cluster) > 1
        ]
        layouts = with_own_names(layouts)
        if options.site_layout:
            of_site = self._pattern(pages[0].site, sample.pages, sample.options)
            layouts.append(replace(of_site, name=SITE_WIDE, site_wide=True))
        kept = [layout for layout in layouts if layout.score >= options.min_score]
        return sorted(kept, key=lambda layout: (-layout.score, layout.name))

    def _clusters(self, pages: Sequence[Page], sample: Sequence[SampledPage], seed: int) -> list[list[int]]:
        options, names = self.options, [page.name for page in sample]
        if options.clustering in PATH_LEARNERS:
            return PATH_LEARNERS[options.clustering](options.default_charset).page_clusters(pages, names, seed=seed)
        runs = [runs_of(page.blocks) for page in sample]

        def are_similar(one: int, other: int) -> bool:
            if self._is_original:
                return original_similarity(sample[one].blocks, sample[other].blocks) >= options.cluster_threshold
            return similar(runs[one], runs[other], options.cluster_threshold)

        return complete_link(names, are_similar, options.max_samples, seed)

    def _pattern(self, site: str, pages: Sequence[SampledPage], blocks: BlockOptions) -> LayoutPattern:
        """What pages have in common: the features that (most of) them share, in order, and how the texts there vary."""
        options = self.options
        runs = [runs_of(page.blocks) for page in pages]
        matcher: TextMatcher = DifflibMatcher() if self._is_original else WordMatcher()
        sequences: list[Sequence[str]] = [page.features for page in runs]
        if self._is_original:
            features = reduce(original_common_features, sequences)
        else:
            features = consensus(runs, options.section_support)
        columns = columns_of(pages, features, ALIGNMENTS[options.alignment], matcher)
        if self._is_original:  # which drops what the first page lacks
            columns = [column for column in columns if column.cells[0]]
        anchors = [page.anchors if options.linkinfo else () for page in pages]
        title = title_column(columns, anchors, options.title_threshold, matcher, amid_main=self._is_original)
        score = layout_pattern_score([column.mainscore() for column in columns], len(pages))
        titles = [None if title is None else collapse(columns[title].text(n)) or None for n in range(len(pages))]
        samples = [base.Sample(page.name, text) for page, text in zip(pages, titles, strict=True)]
        return LayoutPattern(
            site=site,
            name=pages[0].name,
            support=len(pages),
            score=round(score, DIGITS),
            samples=tuple(samples[:MAX_SAMPLES]),
            sections=tuple(
                _section(column, 0 if index == title else options.repeated_pages)
                for index, column in enumerate(columns)
            ),
            title_index=title,
            block_options=blocks,
            alignment=options.alignment,
        )


def _section(column: Column, repeated_pages: int) -> Section:
    lists_repeated = repeated_pages and column.diffscore >= MIN_DIFFSCORE_OF_REPEATED
    return Section(
        feature=column.feature,
        diffscore=round(column.diffscore, DIGITS),
        mainscore=round(column.mainscore(), DIGITS),
        support=column.support(),
        repeated=column.repeated(repeated_pages) if lists_repeated else (),
    )
