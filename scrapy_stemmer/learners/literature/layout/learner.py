"""Webstemmer's learner: pages are clustered by layout, and sections with varying text hold the main text.

The learner departs from the original for reasons in docs/learners/literature.md; the option ``original`` does not.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import Annotated, Any, ClassVar, NamedTuple

from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.literature.alignment import DifflibMatcher, TextMatcher, dice
from scrapy_stemmer.learners.literature.base import (
    DIGITS,
    MAX_SAMPLES,
    SITE_WIDE,
    LiteratureLearner,
    LiteratureOptions,
    with_own_names,
)
from scrapy_stemmer.learners.literature.blocks import BlockOptions, renamed
from scrapy_stemmer.learners.literature.layout.pattern import (
    LayoutPattern,
    Section,
    assign_runs,
    complete_link,
    consensus,
    original_assign,
    original_common_features,
    original_similarity,
    runs_of,
    similar,
)
from scrapy_stemmer.page.blocks import NAMING_ATTRIBUTES, LayoutBlock
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import collapse
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.expressions import bounded_expression
from scrapy_stemmer.patterns.record import Between, Share

SECTION_SUPPORT = 0.5  # least share of a layout's pages with a section
REPEATED_PAGES = 2  # pages of a layout with equal text of a block that make it template
NAME_PAGES = 2  # least pages of the sample with an identifier or class name kept in paths


@dataclass(frozen=True, slots=True)
class LayoutOptions(LiteratureOptions):
    """Options for learning and applying layouts, with analyze.py's and extract.py's options in brackets."""

    cluster_threshold: Share = 0.8  # least similarity between all pages of a layout [-t of analyze.py]
    title_threshold: Share = 0.6  # least agreement of a title with the anchor texts of its page [-T of analyze.py]
    min_score: Annotated[float, Between(-1)] = 100.0  # least LayoutPatternScore of a layout; -1 keeps all [-S]
    mangle: str | None = "[^0-9]+"  # see :class:`BlockOptions` [-P]
    # cut pages into blocks, align them and compare texts as Webstemmer did, with the sections that all pages have, and
    # without a pattern of all pages
    original: bool = False
    threshold: Share = 0.8  # as of :class:`LayoutPattern` [-t of extract.py]
    diffscore: Share = 0.5  # [-T of extract.py]
    mainscore: Annotated[float, Between(0)] = 50.0  # [-M]
    strict: bool = False  # [-S of extract.py]

    def __post_init__(self) -> None:
        LiteratureOptions.__post_init__(self)
        try:
            bounded_expression(self.mangle or "")
        except (ValueError, re.error, OverflowError, RecursionError) as error:
            raise LearnerError(f"mangle must be a regular expression ({error}).") from error

    @property
    def blocks(self) -> BlockOptions:
        return BlockOptions(self.mangle, original=self.original)


class SampledPage(NamedTuple):
    name: str  # URL
    anchors: tuple[str, ...]  # texts of links to the page, sorted, repeats kept
    blocks: tuple[LayoutBlock, ...]  # layout blocks without references to the tree


class LayoutLearner(LiteratureLearner[LayoutOptions]):
    """Learner of layouts: clusters a site's pages and scores the sections shared by each cluster."""

    name: ClassVar[str] = "layout"
    options_class: ClassVar[type[Any] | None] = LayoutOptions

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn the layouts of one site from two or more pages each; see :meth:`Learner.learn`."""
        options = self.options
        sample, blocks = self._read(pages)
        if len(sample) < 2:
            return []
        runs = [runs_of(page.blocks) for page in sample]

        def are_similar(first: int, second: int) -> bool:
            if options.original:
                both = sample[first].blocks, sample[second].blocks
                return original_similarity(*both) >= options.cluster_threshold
            return similar(runs[first], runs[second], options.cluster_threshold)

        clusters = complete_link([page.name for page in sample], are_similar)
        layouts = with_own_names(
            self._pattern(pages[0].site, [sample[index] for index in cluster], blocks)
            for cluster in clusters
            if len(cluster) > 1
        )
        if not options.original:
            layouts.append(replace(self._pattern(pages[0].site, sample, blocks), name=SITE_WIDE, site_wide=True))
        kept = [layout for layout in layouts if layout.score >= options.min_score]
        return sorted(kept, key=lambda layout: (-layout.score, layout.name))

    def _pattern(self, site: str, pages: Sequence[SampledPage], blocks: BlockOptions) -> LayoutPattern:
        """Build a pattern from the features shared by most pages, in order, and the variation of their texts."""
        options, is_original = self.options, self.options.original
        runs = [runs_of(page.blocks) for page in pages]
        matcher: TextMatcher = DifflibMatcher() if is_original else TextMatcher()
        features: Sequence[str]
        if is_original:
            features = reduce(original_common_features, [page.features for page in runs])
        else:
            features = consensus(runs, SECTION_SUPPORT)
        of_pages = [page.blocks for page in pages]
        sections = sampled_sections(of_pages, features, matcher, is_original=is_original)
        title = title_section(
            sections, [page.anchors for page in pages], options.title_threshold, matcher, amid_main=is_original
        )
        samples = [
            Sample(page.name, None if title is None else collapse(sections[title].text(number)) or None)
            for number, page in enumerate(pages[:MAX_SAMPLES])
        ]
        return LayoutPattern(
            site=site,
            name=pages[0].name,
            support=len(pages),
            score=round(layout_pattern_score([section.mainscore() for section in sections], len(pages)), DIGITS),
            samples=tuple(samples),
            sections=tuple(
                each.in_pattern(lists_repeated=not is_original and index != title)
                for index, each in enumerate(sections)
            ),
            title=title,
            blocks=blocks,
            threshold=options.threshold,
            diffscore=options.diffscore,
            mainscore=options.mainscore,
            strict=options.strict,
        )

    def _read(self, pages: Iterable[Page]) -> tuple[list[SampledPage], BlockOptions]:
        """Return the distinct pages of a sample, sorted by name, and the block options with the site's vocabulary."""
        options, read = self.options.blocks, []
        for page in pages:
            freed = tuple(replace(block, pieces=()) for block in options.blocks_of(self.root_of(page)))
            content = tuple((block.path, block.text) for block in freed)
            read.append((page.url, content, tuple(sorted(page.anchors)), freed))
        distinct: dict[Any, SampledPage] = {}
        for name, content, anchors, freed in sorted(read, key=lambda entry: entry[:3]):
            known = distinct.get(content, SampledPage(name, (), freed))
            distinct[content] = known._replace(anchors=tuple(sorted(known.anchors + anchors)))
        if options.original:
            return [*distinct.values()], options
        counts: Counter[str] = Counter()
        for sampled in distinct.values():
            components = {component for block in sampled.blocks for component in block.components}
            attributes = {attribute for component in components for attribute in component.attributes}
            counts.update({value for name, values in attributes if name in NAMING_ATTRIBUTES for value in values})
        names = frozenset(name for name, count in counts.items() if count >= NAME_PAGES)
        of_pages = (tuple(renamed(block, names) for block in page.blocks) for page in distinct.values())
        named = [page._replace(blocks=blocks) for page, blocks in zip(distinct.values(), of_pages, strict=True)]
        return named, replace(options, vocabulary=names)


# Sections during learning.

MAX_TEXTS = 30  # texts of a section compared in pairs
MIN_FALLBACK_SCORE = 1.0  # least score of a title found without anchor texts, a constant of the original
MIN_DIFFSCORE_OF_REPEATED = 0.2  # least DiffScore of a section that lists repeated texts; below, all is template


def diff_score(texts: Sequence[str], matcher: TextMatcher) -> float:
    """Return the difference between a section's texts on all pages, from 0 (all equal) to 1.

    It is the share of unmatched characters in each pair of texts, weighted by the pair's length; pairs with an empty
    text don't count. Of more than :data:`MAX_TEXTS` different texts, evenly spaced texts are compared.
    """
    counts = Counter(text for text in texts if matcher.length(text))
    distinct = list(counts)
    if len(distinct) > MAX_TEXTS:
        distinct = [distinct[index * len(distinct) // MAX_TEXTS] for index in range(MAX_TEXTS)]
    total = different = 0
    for text in distinct:
        total += counts[text] * (counts[text] - 1) * matcher.length(text)
    for first, second in combinations(distinct, 2):
        pairs = counts[first] * counts[second]
        both = matcher.length(first) + matcher.length(second)
        total += pairs * both
        different += pairs * (both - 2 * matcher.matched(first, second))
    return different / max(1, total)


@dataclass(frozen=True, slots=True)
class SampledSection:
    """Blocks of a section on each page of a cluster."""

    feature: str  # path of the blocks
    cells: Sequence[Sequence[LayoutBlock]]  # blocks by page
    diffscore: float  # difference between the texts of the pages, from 0 to 1

    def text(self, page: int) -> str:
        return "\n".join(block.text for block in self.cells[page])

    def mainscore(self) -> float:
        """Return the MainScore: DiffScore times the mean number of significant characters outside links."""
        return self.diffscore * sum(block.weight_noanchor for cell in self.cells for block in cell) / len(self.cells)

    def in_pattern(self, *, lists_repeated: bool) -> Section:
        counts = Counter(text for cell in self.cells for text in {block.text for block in cell})
        lists_repeated = lists_repeated and self.diffscore >= MIN_DIFFSCORE_OF_REPEATED
        return Section(
            feature=self.feature,
            diffscore=round(self.diffscore, DIGITS),
            mainscore=round(self.mainscore(), DIGITS),
            support=sum(1 for cell in self.cells if cell),
            repeated=tuple(sorted(text for text in counts if lists_repeated and counts[text] >= REPEATED_PAGES)),
        )


def sampled_sections(
    pages: Sequence[Sequence[LayoutBlock]], features: Sequence[str], matcher: TextMatcher, *, is_original: bool = False
) -> list[SampledSection]:
    """Return the sections that any page has; of the original, those that the first page has."""
    assign = original_assign if is_original else assign_runs
    cells: list[list[list[LayoutBlock]]] = [[[] for _ in pages] for _ in features]
    for number, blocks in enumerate(pages):
        for block, owner in zip(blocks, assign(features, blocks), strict=True):
            if owner is not None:
                cells[owner][number].append(block)
    texts = [["\n".join(block.text for block in cell) for cell in rows] for rows in cells]
    found = zip(features, cells, texts, strict=True)
    return [
        SampledSection(path, rows, diff_score(of_pages, matcher))
        for path, rows, of_pages in found
        if any(rows[:1] if is_original else rows)
    ]


def layout_pattern_score(main_scores: Sequence[float], pages: int) -> float:
    """Return the LayoutPatternScore: the logarithm of the number of pages times the sum of the MainScores."""
    return math.log(pages) * sum(main_scores) if pages else 0.0


def anchor_title_score(text: str, anchors: Sequence[str], score: float, matcher: TextMatcher) -> float:
    """Return the agreement of a section's text with the best anchor text of the page, times DiffScore."""
    return score * max((dice(anchor, text, matcher) for anchor in anchors), default=0.0)


def fallback_title_score(text: str, main_text: str, score: float, matcher: TextMatcher) -> float:
    """Return the share of a section's text repeated in the page's main text, times DiffScore."""
    length = matcher.length(text)
    return score * sum(n * n for n in matcher.matched_runs(text, main_text)) / length if length else 0.0


def title_section(
    sections: Sequence[SampledSection],
    anchors: Sequence[Sequence[str]],
    threshold: float,
    matcher: TextMatcher,
    *,
    amid_main: bool = False,
) -> int | None:
    """Return the index of the section elected as title by most pages, or ``None`` if most pages find no title.

    Only sections before the main text are candidates: before the first section with the feature of the highest
    MainScore. A page votes by its anchor texts, or by its main text if the anchor texts match no section.
    """
    if not sections:
        return None
    largest = max(sections, key=SampledSection.mainscore)
    end = sections.index(largest) if amid_main else [section.feature for section in sections].index(largest.feature)
    candidates = sections[:end]
    votes: Counter[int | None] = Counter()
    for page, links in enumerate(anchors):
        texts = [(section.text(page), section.diffscore) for section in candidates]
        vote = _first_best([anchor_title_score(text, links, score, matcher) for text, score in texts], threshold)
        if vote is None:
            main_text = largest.text(page)
            by_main_text = [fallback_title_score(text, main_text, score, matcher) for text, score in texts]
            vote = _first_best(by_main_text, MIN_FALLBACK_SCORE)
        votes[vote] += 1
    return min(votes, key=lambda vote: (-votes[vote], len(sections) if vote is None else vote))


def _first_best(scores: Sequence[float], above: float) -> int | None:
    best = max(scores, default=above)
    return scores.index(best) if best > above else None
