"""Webstemmer's layout pattern: sections shared by a layout's pages, alignment, and similarity of pages.

See "How it works", steps 2 and 3. Articles differ in their number of paragraphs, so neighbouring blocks with one
feature are first collapsed into :class:`Runs`. A longest common subsequence aligns the runs, and a matched run absorbs
unmatched neighbours with the same feature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise, takewhile
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.literature.alignment import Match, match_heaviest, match_sequences
from scrapy_stemmer.learners.literature.base import SITE_THRESHOLD
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.page.blocks import LayoutBlock
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.patterns.base import LabelledBlock, PageMatch, Pattern, Role
from scrapy_stemmer.patterns.record import Between, Record, Share

MAX_ALIGNMENT_CELLS = 4_000_000
"""Cells of the largest table of runs x runs in the weighted alignment, at 17 bytes a cell; beyond it all runs weigh
one."""


@dataclass(frozen=True)
class Runs:
    """Runs of neighbouring blocks with one feature: features, significant characters and numbers of blocks."""

    features: tuple[str, ...]
    weights: tuple[int, ...]
    sizes: tuple[int, ...]

    @cached_property
    def weight(self) -> int:
        return sum(self.weights)


def runs_of(blocks: Sequence[LayoutBlock]) -> Runs:
    runs = [tuple(run) for _, run in groupby(blocks, key=attrgetter("path"))]
    weights = (sum(block.weight for block in run) for run in runs)
    return Runs(tuple(run[0].path for run in runs), tuple(weights), tuple(map(len, runs)))


def similar(first: Runs, second: Runs, threshold: float) -> bool:
    if similarity(first, second, match_sequences(first.features, second.features)) >= threshold:
        return True
    weighted = match_weighted(first.features, first.weights, second.features, second.weights)
    return similarity(first, second, weighted) >= threshold


def similarity(first: Runs, second: Runs, matches: Sequence[Match]) -> float:
    total = first.weight + second.weight
    ours = absorb(first, [match.first for match in matches])
    theirs = absorb(second, [match.second for match in matches])
    matched = sum(first.weights[run] for run in ours) + sum(second.weights[run] for run in theirs)
    return matched / total if total else 0.0


def match_weighted(
    first: Sequence[str], first_weights: Sequence[int], second: Sequence[str], second_weights: Sequence[int]
) -> list[Match]:
    numbers = {feature: number for number, feature in enumerate(first)}
    ours = np.array([numbers[feature] for feature in first])
    theirs = np.array([numbers.get(feature, -1) for feature in second])
    our_weights, their_weights = np.array(first_weights), np.array(second_weights)

    def table(rows: slice, columns: slice) -> NDArray[Any]:
        gains = our_weights[rows, None] + their_weights[columns]
        gains *= ours[rows, None] == theirs[columns]
        best = np.zeros([side + 1 for side in gains.shape], dtype=int)
        for (above, row), gain in zip(pairwise(best), gains, strict=True):
            np.add(above[:-1], gain, out=row[1:])
            np.maximum.accumulate(np.maximum(row, above, out=row), out=row)
        return best

    return match_heaviest(first, second, lambda a, b: first[a] == second[b], table, MAX_ALIGNMENT_CELLS)


def absorb(runs: Runs, matched: Sequence[int]) -> dict[int, int]:
    """Map each run of a page to a matched run, by ascending position."""
    features = runs.features
    owner = {position: position for position in matched}
    for before, after in pairwise([-1, *matched, len(features)]):
        for position in range(before + 1, after):
            if before >= 0 and features[before] == features[position]:
                owner[position] = before
            elif after < len(features) and features[after] == features[position]:
                owner[position] = after
    return owner


def consensus(pages: Sequence[Runs], share: float) -> list[str]:
    """Return the features found on at least a share of the pages, in the order of the pages."""
    sequence: list[tuple[str, int, int]] = []  # feature, number of pages, significant characters on all pages
    for page in pages:
        known, means = [feature for feature, *_ in sequence], [weight // support for _, support, weight in sequence]
        matches = match_weighted(known, means, page.features, page.weights)
        absorbed = absorb(page, [match.second for match in matches])
        merged: list[tuple[str, int, int]] = []
        for before, match in pairwise([Match(-1, -1), *matches, Match(len(sequence), len(page.features))]):
            merged += sequence[before.first + 1 : match.first]
            new = [position for position in range(before.second + 1, match.second) if position not in absorbed]
            merged += [(page.features[position], 1, page.weights[position]) for position in new]
            if match.first < len(sequence):
                feature, support, weight = sequence[match.first]
                merged.append((feature, support + 1, weight + page.weights[match.second]))
        sequence = merged
    least = max(1, math.ceil(share * len(pages)))
    return [feature for feature, _ in groupby(feature for feature, support, _ in sequence if support >= least)]


def assign_runs(features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
    runs = runs_of(blocks)
    matches = match_weighted(features, [0] * len(features), runs.features, [max(1, weight) for weight in runs.weights])
    section_of = {match.second: match.first for match in matches}
    owners = absorb(runs, [match.second for match in matches])
    assigned: list[int | None] = []
    for run, size in enumerate(runs.sizes):
        assigned += [section_of[owners[run]] if run in owners else None] * size
    return assigned


# Alignment of Webstemmer 0.7 (``BlockOptions.original``): much slower, and dependent on the order of the pages


def original_common_features(first: Sequence[str], second: Sequence[str]) -> Sequence[str]:
    """Return the features in the matching blocks of two sequences by Ratcliff-Obershelp, the longer sequence first."""
    if len(first) < len(second):
        first, second = second, first
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    return [feature for block in blocks for feature in first[block.a : block.a + block.size]]


def original_assign(features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
    """Return the index of each block's section, for as many blocks as possible."""
    best = [[0] * (len(blocks) + 1) for _ in range(len(features) + 1)]
    for i, feature in enumerate(features):
        above, row = best[i], best[i + 1]
        for j, block in enumerate(blocks):
            fits = block.path == feature and (j > 0 or i == 0)
            row[j + 1] = max(above[j + 1], row[j] + fits)
    owners: list[int | None] = [None] * len(blocks)
    i, j = len(features), len(blocks)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            if best[i][j] > best[i][j - 1]:
                owners[j - 1] = i - 1
            j -= 1
    return owners


def original_similarity(first: Sequence[LayoutBlock], second: Sequence[LayoutBlock]) -> float:
    """Return the share of both pages' text under common features, without features empty in the first page."""
    common = original_common_features(runs_of(first).features, runs_of(second).features)
    ours, theirs = original_assign(common, first), original_assign(common, second)
    filled = set(ours) - {None}
    pairs = [*zip(first, ours, strict=True), *zip(second, theirs, strict=True)]
    return sum(block.weight for block, owner in pairs if owner in filled) / max(1, sum(b.weight for b, _ in pairs))


def complete_link(names: Sequence[str], similar: Callable[[int, int], bool]) -> list[list[int]]:
    """Cluster pages greedily in one pass, so that any two members of a cluster are similar.

    Each page joins the first cluster whose members are all similar to the page. Clusters with near URLs are tried
    first, since pages of one folder often have one layout.
    """
    directories = [directories_of(name) for name in names]
    clusters: list[list[int]] = []
    for page, here in enumerate(directories):

        def depth(cluster: Sequence[int], here: list[str] = here) -> int:
            """Return the number of directories in common with the nearest member."""
            pairs = (zip(here, directories[member], strict=False) for member in cluster)
            return max(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], each)) for each in pairs)

        for cluster in sorted(clusters, key=depth, reverse=True):
            if all(similar(member, page) for member in cluster):
                cluster.append(page)
                break
        else:
            clusters.append([page])
    return clusters


def directories_of(url: str) -> list[str]:
    """Return the host and directories of a URL, without the last part of its path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return [url]
    return [parts.netloc, *parts.path.split("/")[1:-1]]


# The pattern

UNKNOWN_NOISE = 0.5  # noise confidence of a block outside all sections


@dataclass(frozen=True, slots=True)
class Section:
    """Element of a layout pattern: the blocks with a common path at a place of the sequence."""

    feature: str
    diffscore: Share  # difference of the section's text between pages
    mainscore: Annotated[float, Between(0.0)]  # mean number of varying characters outside links
    support: Annotated[int, Between(0)] = 0  # pages of the cluster with the section
    repeated: tuple[str, ...] = ()  # texts of single blocks on several pages; template on further pages


@dataclass(frozen=True, kw_only=True)
class LayoutPattern(Pattern):
    """Layout of a site's pages; the fields with an option of extract.py in brackets are options for applying it."""

    kind: ClassVar[str] = "layout"

    sections: tuple[Section, ...]
    title: Annotated[int | None, Between(0)] = None  # index of the title's section, if any
    blocks: BlockOptions = BlockOptions()  # options used when the pattern was learned
    threshold: Share = 0.8  # share of a page's text in sections of a layout, to label the page [-t]
    diffscore: Share = 0.5  # sections below this DiffScore are template [-T]
    mainscore: Annotated[float, Between(0)] = 50.0  # sections below this MainScore, in characters, are sub text [-M]
    strict: bool = False  # require all sections found on every page of the sample [-S]

    @cached_property
    def features(self) -> tuple[str, ...]:
        return tuple(section.feature for section in self.sections)

    def match(self, document: Document) -> PageMatch | None:
        """Label a page if the share of text in sections is above the threshold."""
        blocks = document.blocks(self.blocks)
        roles = [self.role_of(index) for index in range(len(self.sections))]
        is_original = self.blocks.original
        owners = original_assign(self.features, blocks) if is_original else assign_runs(self.features, blocks)
        filled = owners if is_original else fill_gaps(owners, roles)
        total = sum(block.weight for block in blocks)
        known = sum(block.weight for block, owner in zip(blocks, filled, strict=True) if owner is not None)
        similarity = known / total if total else 0.0
        if similarity <= (SITE_THRESHOLD if self.site_wide else self.threshold):
            return None
        required = {index for index, section in enumerate(self.sections) if section.support in (0, self.support)}
        if self.strict and not required <= set(owners):
            return None
        labelled = []
        for block, owner, assigned in zip(blocks, filled, owners, strict=True):
            if owner is None:
                role, noise = Role.TEMPLATE, UNKNOWN_NOISE
            elif block.text in self.sections[owner].repeated:
                role, noise = Role.TEMPLATE, 1.0
            else:
                role, noise = roles[owner], UNKNOWN_NOISE if assigned is None else 1.0 - self.sections[owner].diffscore
            labelled.append(LabelledBlock(block, role, noise))
        return PageMatch(self.name, similarity, tuple(labelled))

    def role_of(self, index: int) -> Role:
        """Return the role of a section: title, main text, sub text, or template for hardly varying text."""
        section = self.sections[index]
        if index == self.title:
            return Role.TITLE
        if section.diffscore < self.diffscore:
            return Role.TEMPLATE
        after_title = self.title is None or index > self.title
        return Role.MAIN if after_title and section.mainscore >= self.mainscore else Role.SUB

    def to_record(self) -> dict[str, Any]:
        sections = [asdict(section) for section in self.sections]
        filled = [{name: value for name, value in section.items() if value != ()} for section in sections]
        return {**super().to_record(), "sections": filled}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        blocks = record.record("blocks")
        options = blocks.read(BlockOptions, mangle=blocks.expression("mangle", BlockOptions().mangle))
        pattern = super().from_record(record, common | {"blocks": options})
        if pattern.title is not None and pattern.title >= len(pattern.sections):
            problem = f"must be the index of one of the {len(pattern.sections)} sections, not {pattern.title}"
            raise record.error("title", problem)
        return pattern


def fill_gaps(owners: Sequence[int | None], roles: Sequence[Role]) -> list[int | None]:
    """Give blocks without a section (``None``) to the main text before, or else to the main text behind."""
    filled = list(owners)
    for direction in (range(len(filled)), reversed(range(len(filled)))):
        neighbour: int | None = None
        for index in direction:
            if filled[index] is None and neighbour is not None and roles[neighbour] is Role.MAIN:
                filled[index] = neighbour
            neighbour = filled[index]
    return filled
