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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, ClassVar, Self

from scrapy_stemmer.core.blocks import ORIGINAL_BLOCKS, BlockOptions, LayoutBlock
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.core.text import DifflibMatcher, TextMatcher, WordMatcher, collapse
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, check_least, check_shares
from scrapy_stemmer.learners.layout.alignment import (
    consensus,
    number_features,
    original_assign,
    original_collapsed,
    original_common_features,
    original_similarity,
    runs_of,
    similar,
    similarity_bounds,
)
from scrapy_stemmer.learners.layout.pattern import ALIGNMENTS, LayoutPattern, Section, assign_runs
from scrapy_stemmer.learners.layout.sampled_pages import Sample, SampledPage, Similar, complete_link, read_sample
from scrapy_stemmer.learners.layout.sections import Column, columns_of, layout_pattern_score, title_column
from scrapy_stemmer.learners.text_mdl.learner import (
    PathLearner,
    TextHashLearner,
    TextHashOptions,
    TextMdlLearner,
    TextMdlOptions,
)
from scrapy_stemmer.patterns import base

COMPLETE_LINK = "complete_link"
"""Webstemmer's clustering, in one pass over the pages."""

CLUSTERINGS = (COMPLETE_LINK, TextMdlLearner.name, TextHashLearner.name)
"""How pages are grouped into layouts: Webstemmer's way, or that of another learner."""

MIN_DIFFSCORE_OF_REPEATED = 0.2
"""Repeated texts are listed for sections that vary at least so much; others are template as a whole."""

DIGITS = 6
"""Decimals of the scores in patterns, so that files are good to read and compare."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
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

    clustering: str = COMPLETE_LINK
    cluster_threshold: float = 0.8
    title_threshold: float = 0.6
    max_samples: int = 0
    min_score: float = 100.0
    linkinfo: bool = True
    section_support: float = 0.5
    repeated_pages: int = 2
    name_pages: int = 2
    site_layout: bool = True
    alignment: str = "runs"
    blocks: BlockOptions = BlockOptions()
    default_charset: str = DEFAULT_CHARSET

    def __post_init__(self) -> None:
        check_shares(self, "cluster_threshold", "title_threshold", "section_support")
        check_least(self, 0, "max_samples", "repeated_pages", "name_pages")
        check_least(self, -1, "min_score")
        if self.alignment not in ALIGNMENTS:
            raise LearnerError(f"There is no alignment {self.alignment!r}; use one of {', '.join(ALIGNMENTS)}.")
        try:
            re.compile(self.blocks.mangle or "")
        except re.error as error:
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
    :raises LearnerError: for a clustering that there isn't.
    """

    name: ClassVar[str] = "layout"
    options_class: ClassVar[type[Any] | None] = LayoutOptions

    def __init__(self, options: LayoutOptions | None = None) -> None:
        self.options = options or LayoutOptions()
        if self.options.clustering not in CLUSTERINGS:
            raise LearnerError(
                f"There is no clustering {self.options.clustering!r}; use one of {', '.join(CLUSTERINGS)}."
            )
        self._method = _Original(self.options) if self.options.alignment == "original" else _Runs(self.options)

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[base.Pattern]:
        """The layouts of one site; see :meth:`Learner.learn`. A layout needs two pages."""
        sample = read_sample(
            pages,
            self.options.blocks,
            name_pages=self.options.name_pages,
            default_charset=self.options.default_charset,
        )
        site = pages[0].site if pages else ""
        patterns = [
            self._pattern(site, [sample.pages[index] for index in cluster], sample.options)
            for cluster in self._clusters(pages, sample.pages, seed)
            if len(cluster) > 1
        ]
        if self.options.site_layout and len(sample.pages) > 1:
            patterns.append(self._site_pattern(site, sample))
        kept = [pattern for pattern in patterns if pattern.score >= self.options.min_score]
        return sorted(kept, key=lambda pattern: (-pattern.score, pattern.name))

    def _site_pattern(self, site: str, sample: Sample) -> LayoutPattern:
        """What all pages of the sample have in common, for pages of layouts that were not learned."""
        pattern = self._pattern(site, sample.pages, sample.options)
        return replace(pattern, name=SITE_WIDE, site_wide=True)

    def _clusters(self, pages: Sequence[Page], sample: Sequence[SampledPage], seed: int) -> list[list[int]]:
        names = [page.name for page in sample]
        if self.options.clustering != COMPLETE_LINK:
            return _path_learner(self.options).page_clusters(pages, names, seed=seed)
        return complete_link(names, self._method.similar(sample), self.options.max_samples, seed)

    def _pattern(self, site: str, pages: Sequence[SampledPage], blocks: BlockOptions) -> LayoutPattern:
        matcher = self._method.matcher()
        columns = columns_of(pages, self._method.features(pages), self._method.assign, matcher)
        columns = [column for column in columns if self._method.keeps(column)]
        anchors = [page.anchors if self.options.linkinfo else () for page in pages]
        title = title_column(
            columns, anchors, self.options.title_threshold, matcher, amid_main=self._method.titles_amid_main
        )
        score = layout_pattern_score([column.mainscore() for column in columns], len(pages))
        return LayoutPattern(
            site=site,
            name=pages[0].name,
            support=len(pages),
            score=round(score, DIGITS),
            samples=_samples(pages, columns, title),
            sections=tuple(self._section(column, is_title=index == title) for index, column in enumerate(columns)),
            title_index=title,
            block_options=blocks,
            alignment=self.options.alignment,
        )

    def _section(self, column: Column, *, is_title: bool) -> Section:
        varies = column.diffscore >= MIN_DIFFSCORE_OF_REPEATED and not is_title
        least = self.options.repeated_pages
        return Section(
            feature=column.feature,
            diffscore=round(column.diffscore, DIGITS),
            mainscore=round(column.mainscore(), DIGITS),
            support=column.support(),
            repeated=column.repeated(least) if least and varies else (),
        )


class _Runs:
    """Similarity and common features by runs and weighted alignment, texts compared by words."""

    titles_amid_main = False

    def __init__(self, options: LayoutOptions) -> None:
        self._options = options

    def similar(self, sample: Sequence[SampledPage]) -> Similar:
        numbers = number_features(page.blocks for page in sample)
        runs = [runs_of(page.blocks, numbers) for page in sample]
        bounds = similarity_bounds(runs)
        threshold = self._options.cluster_threshold
        return lambda a, b: bool(bounds[a, b] >= threshold) and similar(runs[a], runs[b], threshold)

    def features(self, pages: Sequence[SampledPage]) -> list[str]:
        numbers = number_features(page.blocks for page in pages)
        names = list(numbers)
        runs = [runs_of(page.blocks, numbers) for page in pages]
        return [names[number] for number in consensus(runs, self._options.section_support)]

    def assign(self, features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
        return assign_runs(features, blocks)

    def keeps(self, column: Column) -> bool:
        return True

    def matcher(self) -> TextMatcher:
        return WordMatcher()


class _Original:
    """Similarity, common features, comparison of texts and search for titles as Webstemmer 0.7 did them."""

    titles_amid_main = True

    def __init__(self, options: LayoutOptions) -> None:
        self._threshold = options.cluster_threshold

    def similar(self, sample: Sequence[SampledPage]) -> Similar:
        return lambda a, b: original_similarity(sample[a].blocks, sample[b].blocks) >= self._threshold

    def features(self, pages: Sequence[SampledPage]) -> list[str]:
        sequences = [original_collapsed([block.path for block in page.blocks]) for page in pages]
        return reduce(original_common_features, sequences)

    def assign(self, features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
        return original_assign(features, blocks)

    def keeps(self, column: Column) -> bool:
        """Sections that the first page lacks are dropped."""
        return bool(column.cells[0])

    def matcher(self) -> TextMatcher:
        return DifflibMatcher()


def _path_learner(options: LayoutOptions) -> PathLearner:
    """The learner whose clustering is asked for."""
    if options.clustering == TextHashLearner.name:
        return TextHashLearner(TextHashOptions(default_charset=options.default_charset))
    return TextMdlLearner(TextMdlOptions(default_charset=options.default_charset))


def _samples(pages: Sequence[SampledPage], columns: Sequence[Column], title: int | None) -> tuple[base.Sample, ...]:
    return tuple(
        base.Sample(page.name, collapse(columns[title].text(number)) or None if title is not None else None)
        for number, page in enumerate(pages[:MAX_SAMPLES])
    )
