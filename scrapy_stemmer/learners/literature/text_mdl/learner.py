"""TEXT-MDL, TEXT-HASH and TEXT-MAX: clusters of pages as sets of paths, with a template for each cluster.

A cluster is described by a template, the paths of most documents, and by the difference of each document from the
template. The best clustering has the cheapest description: a unit for each non-zero cell of the matrices template
(paths x clusters) and differences (paths x documents, -1, 0 and 1). The cells are the paper's approximation of
entropies, which gave equal F1 on the project's sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.learners.literature.base import (
    LiteratureLearner,
    LiteratureOptions,
    distinct,
    of_whole_site,
    with_own_names,
)
from scrapy_stemmer.learners.literature.text_mdl.pattern import (
    EssentialPathPattern,
    TemplatePath,
    element_paths,
    example_of,
    text_paths,
)
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import stable_hash
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Share

PathHashes = npt.NDArray[np.uint64]  # sorted, distinct hashes of a document's paths

OptionsT = TypeVar("OptionsT", bound="TextMdlOptions")

Costs = npt.NDArray[np.float64]
ClusterRows = npt.NDArray[Any]

MIN_JACCARD = 0.2  # least share of common paths to merge clusters: any two pages share ``html/body``
GAIN_DIGITS = 6  # decimals of fractional gains, so that equal gains compare equal in any order of summation


def as_paths(hashes: Iterable[int]) -> PathHashes:
    return np.array(sorted(set(hashes)), dtype=np.uint64)


def essential_paths(documents: Sequence[PathHashes]) -> list[PathHashes]:
    """Return each document's paths with at least the support of its :func:`support_threshold`."""
    if not documents:
        return []
    _, places, counts = np.unique(np.concatenate(documents), return_inverse=True, return_counts=True)
    supports = np.split(counts[places], np.cumsum([len(document) for document in documents])[:-1])
    return [
        document[support >= support_threshold(support)] for document, support in zip(documents, supports, strict=True)
    ]


def support_threshold(supports: npt.NDArray[np.intp]) -> int:
    values, counts = np.unique(supports[supports >= 2], return_counts=True)
    return int(values[np.argmax(counts)]) if len(values) else 2


def cluster_cost(documents: Sequence[PathHashes]) -> int:
    """Return the cost of a cluster in units: paths of the template, and differences of documents from the template."""
    _, supports = np.unique(np.concatenate(documents), return_counts=True)
    return int(np.minimum(supports, len(documents) - supports + 1).sum())


class Clusters(ABC):
    """Clusters being merged, numbered from 0, as arrays with a row each."""

    def __init__(self, *rows: ClusterRows) -> None:
        self.rows = rows
        self.costs = self.costs_of(*rows)

    @abstractmethod
    def costs_of(self, *rows: ClusterRows) -> Costs:
        """Return the cost of each cluster."""

    @abstractmethod
    def joined(self, cluster: int, others: ClusterRows) -> tuple[ClusterRows, ...]:
        """Return the rows of the cluster merged with each of the others."""

    @abstractmethod
    def jaccard(self, cluster: int, others: ClusterRows) -> Costs:
        """Return the share of common paths of the cluster and each of the others."""

    def merge(self, first: int, second: int) -> None:
        both = self.joined(first, np.array([second]))
        for values, row in zip(self.rows, both, strict=True):
            values[first], values[second] = row[0], 0
        self.costs[first], self.costs[second] = self.costs_of(*both)[0], 0.0

    def saved(self, cluster: int, others: ClusterRows) -> Costs:
        saved: Costs = self.costs[cluster] + self.costs[others] - self.costs_of(*self.joined(cluster, others))
        return np.round(saved, GAIN_DIGITS)


def agglomerate(clusters: Clusters, min_jaccard: float = MIN_JACCARD, *, nearest: bool = False) -> list[list[int]]:
    """Merge the pair of greatest gain until no merge gains; ties go to the lowest numbers.

    :param nearest: look for a cluster's partner only among the clusters with most paths in common, when it is made.
    """
    members = [[number] for number in range(len(clusters.costs))]
    gains = np.full((len(members), len(members)), -np.inf)  # of mergeable pairs

    def compare(cluster: int) -> None:
        like = np.array([other for other, inside in enumerate(members) if inside and other != cluster], dtype=np.int64)
        shares = clusters.jaccard(cluster, like)
        like = like[shares >= (shares.max(initial=min_jaccard) if nearest else min_jaccard)]
        gains[np.minimum(cluster, like), np.maximum(cluster, like)] = clusters.saved(cluster, like)

    for cluster in range(len(members)):
        compare(cluster)
    while members:
        first, second = divmod(int(np.argmax(gains)), len(members))
        if gains[first, second] <= 0:
            break
        clusters.merge(first, second)
        members[first] += members[second]
        members[second] = []
        merged = [first, second]
        gains[merged, :] = gains[:, merged] = -np.inf
        compare(first)
    return [sorted(cluster) for cluster in members if cluster]


class UnitCosts(Clusters):
    """Clusters of fewer than 32,768 documents with exact costs, one unit for each non-zero cell (TEXT-MDL).

    Rows are supports, clusters x columns, and numbers of documents; paths with equal documents share a column.
    """

    def __init__(self, documents: Sequence[PathHashes]) -> None:
        paths, places = np.unique(np.concatenate([as_paths(()), *documents]), return_inverse=True)
        present = np.zeros((len(paths), len(documents)), dtype=np.int16)
        present[places, np.repeat(np.arange(len(documents)), [len(document) for document in documents])] = 1
        columns = Counter(column.tobytes() for column in present)
        matrix = np.frombuffer(b"".join(columns), dtype=np.int16).reshape(len(columns), len(documents))
        self.weights = np.array(list(columns.values()), dtype=np.int64)
        self.paths = matrix.T @ self.weights
        super().__init__(matrix.T.copy(), np.ones(len(documents), dtype=np.int16))

    def costs_of(self, *rows: ClusterRows) -> Costs:
        supports, sizes = rows
        units: Costs = np.minimum(supports, sizes[:, None] - supports + 1) @ self.weights.astype(np.float64)
        return units

    def joined(self, cluster: int, others: ClusterRows) -> tuple[ClusterRows, ...]:
        return tuple(values[others] + values[cluster] for values in self.rows)

    def jaccard(self, cluster: int, others: ClusterRows) -> Costs:
        supports = self.rows[0]
        ours = np.flatnonzero(supports[cluster])
        shared = (supports[np.ix_(others, ours)] > 0) @ self.weights[ours]
        union = self.paths[others] + self.paths[cluster] - shared
        shares: Costs = np.divide(shared, union, out=np.zeros(len(others)), where=union > 0)
        return shares

    def merge(self, first: int, second: int) -> None:
        super().merge(first, second)
        self.paths[first] = (self.rows[0][first] > 0) @ self.weights


SIGNATURE_LENGTH = 128
"""Random orders. Costs are 4 % off on average and 10 % at most, with 32 orders 7 % and 23 % (measured on 30 random
clusters of 6 documents with 420 paths each)."""

NO_RANK = np.uint64(2**64 - 1)  # rank of a document without paths


def ranks_of(document: PathHashes, length: int = SIGNATURE_LENGTH, seed: int = 0) -> PathHashes:
    """Return the least rank of a document's paths in each of ``length`` random orders, drawn by the seed."""
    ranks = []
    for order in range(length):
        numbers = document ^ np.uint64(stable_hash("order", str(order), seed=seed))
        # A permutation of the 64-bit numbers (SplitMix64's), in which every bit depends on all bits.
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
        ranks.append((numbers ^ (numbers >> np.uint64(31))).min(initial=NO_RANK))
    return np.array(ranks, dtype=np.uint64)


class EstimatedCosts(Clusters):
    """Clusters with costs estimated from MinHash signatures with counts (TEXT-HASH).

    A signature holds, for each of K random orders of all paths, the least rank among a cluster's paths and the number
    of documents with the path of least rank. The path is a random choice among the cluster's paths, so the share of
    orders with the number l estimates the share of paths on exactly l documents. Rows are ranks, counts, numbers of
    documents, and sums of paths.
    """

    def __init__(self, documents: Sequence[PathHashes], length: int = SIGNATURE_LENGTH, seed: int = 0) -> None:
        shape = len(documents), length
        ranks = np.array([ranks_of(document, length, seed) for document in documents], dtype=np.uint64).reshape(shape)
        totals = np.array([len(document) for document in documents], dtype=np.int64)
        super().__init__(ranks, np.ones(shape, dtype=np.int32), np.ones_like(totals), totals)

    def costs_of(self, *rows: ClusterRows) -> Costs:
        """Return the costs: a path in ``l`` of ``D`` documents costs ``min(l, D - l + 1)``."""
        _, counts, sizes, totals = rows
        units = np.minimum(counts, sizes[:, None] - counts + 1)
        costs: Costs = totals * units.mean(axis=1) / counts.mean(axis=1)
        return costs

    def joined(self, cluster: int, others: ClusterRows) -> tuple[ClusterRows, ...]:
        """Return joined rows: the smaller rank wins, counts of equal ranks are added."""
        ranks, counts, sizes, totals = (values[others] for values in self.rows)
        rank, count, size, total = (values[cluster] for values in self.rows)
        joined = np.where(ranks <= rank, counts, 0) + np.where(rank <= ranks, count, 0)
        return np.minimum(ranks, rank), joined, sizes + size, totals + total

    def jaccard(self, cluster: int, others: ClusterRows) -> Costs:
        ranks = self.rows[0]
        shares: Costs = ((ranks[others] == ranks[cluster]) & (ranks[cluster] != NO_RANK)).mean(axis=1)
        return shares


# The learners


@dataclass(frozen=True, slots=True)
class TextMdlOptions(LiteratureOptions):
    """Options for learning essential paths."""

    min_jaccard: Share = MIN_JACCARD  # least share of common paths to merge two clusters


class PathPage(NamedTuple):
    """Page of a sample: URL, and the paths of elements and texts."""

    name: str
    tags: PathHashes
    texts: PathHashes


class PathLearner(LiteratureLearner[OptionsT]):
    """Learner that clusters pages by their essential paths and keeps each cluster's template."""

    @abstractmethod
    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """Cluster documents given by their essential paths."""

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn a pattern for every cluster of two or more pages, and one for all; see :meth:`Learner.learn`."""
        sample, examples = self._read(pages)
        if len(sample) < 2:
            return []
        documents = essential_paths([page.tags for page in sample])

        def template(of_pages: Sequence[PathHashes]) -> tuple[TemplatePath, ...]:
            paths, supports = np.unique(np.concatenate(of_pages), return_counts=True)
            # Within the template a path costs 1 plus the documents without the path; outside, the documents with it.
            kept = 2 * supports >= len(of_pages) + 1
            entries = zip(paths[kept].tolist(), supports[kept].tolist(), strict=True)
            return tuple([TemplatePath(path, support, examples[path]) for path, support in entries])

        def pattern_of(cluster: Sequence[int]) -> EssentialPathPattern:
            inside, described = [sample[number] for number in cluster], [documents[number] for number in cluster]
            saved = sum(map(len, described)) - cluster_cost(described)  # by describing them together
            return EssentialPathPattern(
                **of_whole_site(pages[0].site, [page.name for page in inside], float(saved)),
                tags=template([page.tags for page in inside]),
                texts=template([page.texts for page in inside]),
            )

        clusters = [cluster for cluster in self.cluster(documents, seed) if len(cluster) > 1]
        own = (replace(pattern_of(cluster), name=sample[cluster[0]].name, site_wide=False) for cluster in clusters)
        patterns = [*with_own_names(own), pattern_of(range(len(sample)))]
        return sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))

    def _read(self, pages: Iterable[Page]) -> tuple[list[PathPage], dict[int, str]]:
        """Return the pages with distinct paths, sorted by URL, and a readable example of each path."""
        read: list[PathPage] = []
        examples: dict[int, str] = {}
        for page in pages:
            elements = element_paths(self.root_of(page))
            texts = text_paths(elements)
            read.append(PathPage(page.url, as_paths(elements.values()), as_paths(texts)))
            examples.update((path, text[:60]) for path, text in texts.items())
            for element, path in elements.items():
                if path not in examples:
                    examples[path] = example_of(element)
        return distinct((page.name, (page.tags.tobytes(), page.texts.tobytes()), page) for page in read), examples


class TextMdlLearner(PathLearner[TextMdlOptions]):
    """TEXT-MDL: merges the pair of clusters that saves most, until no pair saves anything."""

    name: ClassVar[str] = "text_mdl"
    options_class: ClassVar[type[Any] | None] = TextMdlOptions

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        return agglomerate(UnitCosts(documents), self.options.min_jaccard)


@dataclass(frozen=True, slots=True)
class TextHashOptions(TextMdlOptions):
    """Options for TEXT-HASH and TEXT-MAX, in addition to :class:`TextMdlOptions`."""

    nearest: bool = False  # TEXT-MAX: try a cluster only with the clusters of most similar signatures


class TextHashLearner(PathLearner[TextHashOptions]):
    """TEXT-HASH and TEXT-MAX: clusters pages by signatures, then counts the paths of each cluster."""

    name: ClassVar[str] = "text_hash"
    options_class: ClassVar[type[Any] | None] = TextHashOptions

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        clusters = EstimatedCosts(documents, seed=seed)
        return agglomerate(clusters, self.options.min_jaccard, nearest=self.options.nearest)
