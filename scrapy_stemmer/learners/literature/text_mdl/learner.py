"""TEXT-MDL, TEXT-HASH and TEXT-MAX: pages are read as paths and clustered, and each cluster's template is kept.

A document is a set of paths. A cluster is described by a template, the paths that most of its documents have, and by
how each document differs from it. The best clustering is the one whose description costs least: one unit for each cell
that is not zero of the matrices template (paths x clusters) and differences (paths x documents, -1, 0 and 1). This is
the paper's approximation of their entropies, which gave the same F1 on the project's sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import Options
from scrapy_stemmer.learners.literature.base import LiteratureLearner, of_whole_site, with_own_names
from scrapy_stemmer.learners.literature.text_mdl.pattern import (
    EssentialPathPattern,
    TemplatePath,
    element_paths,
    example_of,
    text_paths,
)
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share

PathHashes = npt.NDArray[np.uint64]  # a document as the sorted, distinct hashes of its paths

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]

MIN_JACCARD = 0.2  # clusters that share less of their paths are never merged: any two pages share ``html/body``
GAIN_DIGITS = 6  # decimals of gains that are not whole, so that equal ones are equal whatever the order of summation


def as_paths(hashes: Iterable[int]) -> PathHashes:
    """Hashes as a document."""
    return np.array(sorted(set(hashes)), dtype=np.uint64)


def essential_paths(documents: Sequence[PathHashes]) -> list[PathHashes]:
    """Of each document the paths that at least as many documents have as its :func:`support_threshold` says."""
    if not documents:
        return []
    _, places, counts = np.unique(np.concatenate(documents), return_inverse=True, return_counts=True)
    supports = np.split(counts[places], np.cumsum([len(document) for document in documents])[:-1])
    return [
        document[support >= support_threshold(support)] for document, support in zip(documents, supports, strict=True)
    ]


def support_threshold(supports: npt.NDArray[np.intp]) -> int:
    """The least support of a document's essential paths: the most frequent one of its paths' supports, the smallest of
    equally frequent ones. Supports of one don't count, since a path of a single document is no evidence of a template.
    """
    values, counts = np.unique(supports[supports >= 2], return_counts=True)
    return int(values[np.argmax(counts)]) if len(values) else 2


def cluster_cost(documents: Sequence[PathHashes]) -> int:
    """The cost of one cluster in units: ones of its template, and differences of documents from it."""
    _, supports = np.unique(np.concatenate(documents), return_counts=True)
    return int(np.minimum(supports, len(documents) - supports + 1).sum())


class Clusters(ABC):
    """Clusters while they are merged, numbered from 0, with what is known of them: arrays with a row for each. A merged
    cluster keeps the lower number."""

    def __init__(self, *rows: Numbers) -> None:
        self.rows = rows
        self.costs = self.costs_of(*rows)

    @abstractmethod
    def costs_of(self, *rows: Numbers) -> Floats:
        """The cost of each cluster."""

    @abstractmethod
    def joined(self, cluster: int, others: Numbers) -> tuple[Numbers, ...]:
        """The rows of the cluster merged with each of the others."""

    @abstractmethod
    def jaccard(self, cluster: int, others: Numbers) -> Floats:
        """Of the cluster and each of the others, the share of all their paths that both have."""

    def merge(self, first: int, second: int) -> None:
        """Make the second cluster a part of the first; of itself nothing is left."""
        both = self.joined(first, np.array([second]))
        for values, row in zip(self.rows, both, strict=True):
            values[first], values[second] = row[0], 0
        self.costs[first], self.costs[second] = self.costs_of(*both)[0], 0.0

    def saved(self, cluster: int, others: Numbers) -> Floats:
        """By how much merging the cluster with each of the others lowers the cost."""
        saved: Floats = self.costs[cluster] + self.costs[others] - self.costs_of(*self.joined(cluster, others))
        return np.round(saved, GAIN_DIGITS)


def agglomerate(clusters: Clusters, min_jaccard: float = MIN_JACCARD) -> list[list[int]]:
    """Merge the pair that gains most until none gains; of equal gains that of the lowest numbers, the lower first. What
    merging a pair saves is kept, and worked out anew for the merged cluster only: ``n`` documents of ``P`` paths cost
    O(n² P), not O(n³ P) as when every pair is looked at in each round. Gives the clusters as lists of ascending
    numbers, in order of their first."""
    members = [[number] for number in range(len(clusters.costs))]
    gains = np.full((len(members), len(members)), -np.inf)  # of pairs that may be merged

    def compare(cluster: int, others: Sequence[int]) -> None:
        like = np.array(others, dtype=np.int64)
        like = like[clusters.jaccard(cluster, like) >= min_jaccard]
        gains[np.minimum(cluster, like), np.maximum(cluster, like)] = clusters.saved(cluster, like)

    for cluster in range(len(members)):
        compare(cluster, range(cluster + 1, len(members)))
    while members:
        first, second = divmod(int(np.argmax(gains)), len(members))
        if gains[first, second] <= 0:
            break
        clusters.merge(first, second)
        members[first] += members[second]
        members[second] = []
        for gone in (first, second):
            gains[gone, :] = gains[:, gone] = -np.inf
        compare(first, [number for number, cluster in enumerate(members) if cluster and number != first])
    return [sorted(cluster) for cluster in members if cluster]


class UnitCosts(Clusters):
    """Clusters of fewer than 32,768 documents by their cost, one unit for each cell that is not zero (TEXT-MDL). Its
    rows are the supports, clusters x columns, and the numbers of documents. Paths that the same documents have are one
    column, and ``weights`` are the numbers of paths of each."""

    def __init__(self, documents: Sequence[PathHashes]) -> None:
        paths, places = np.unique(np.concatenate([as_paths(()), *documents]), return_inverse=True)
        present = np.zeros((len(paths), len(documents)), dtype=np.int16)
        present[places, np.repeat(np.arange(len(documents)), [len(document) for document in documents])] = 1
        columns = Counter(column.tobytes() for column in present)
        matrix = np.frombuffer(b"".join(columns), dtype=np.int16).reshape(len(columns), len(documents))
        self.weights = np.array(list(columns.values()), dtype=np.int64)
        self.paths = matrix.T @ self.weights
        super().__init__(matrix.T.copy(), np.ones(len(documents), dtype=np.int16))

    def costs_of(self, *rows: Numbers) -> Floats:
        supports, sizes = rows
        units: Floats = np.minimum(supports, sizes[:, None] - supports + 1) @ self.weights.astype(np.float64)
        return units

    def joined(self, cluster: int, others: Numbers) -> tuple[Numbers, ...]:
        return tuple(values[others] + values[cluster] for values in self.rows)

    def jaccard(self, cluster: int, others: Numbers) -> Floats:
        supports = self.rows[0]
        ours = np.flatnonzero(supports[cluster])
        shared = (supports[np.ix_(others, ours)] > 0) @ self.weights[ours]
        union = self.paths[others] + self.paths[cluster] - shared
        shares: Floats = np.divide(shared, union, out=np.zeros(len(others)), where=union > 0)
        return shares

    def merge(self, first: int, second: int) -> None:
        super().merge(first, second)
        self.paths[first] = (self.rows[0][first] > 0) @ self.weights


SIGNATURE_LENGTH = 128
"""Random orders. Costs are then 4 % off on average and 10 % at most, with 32 of them 7 % and 23 % (measured on 30
random clusters of 6 documents with 420 paths each)."""

NO_RANK = np.uint64(2**64 - 1)  # the rank of a document without paths


def ranks_of(document: PathHashes, length: int = SIGNATURE_LENGTH, seed: int = 0) -> PathHashes:
    """The least rank of a document's paths in each of ``length`` random orders; the seed says which those are."""
    ranks = []
    for order in range(length):
        numbers = document ^ np.uint64(stable_hash("order", str(order), seed=seed))
        # A permutation of the 64-bit numbers in which every bit depends on all others (that of SplitMix64).
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
        ranks.append((numbers ^ (numbers >> np.uint64(31))).min(initial=NO_RANK))
    return np.array(ranks, dtype=np.uint64)


class EstimatedCosts(Clusters):
    """Clusters of documents known by MinHash signatures with counts, with the cost estimated from these (TEXT-HASH). A
    signature holds, for each of K random orders of all paths, the least rank among a cluster's paths and the number of
    its documents that have the path of that rank. Since that path is a random one of the cluster's, the share of orders
    with the number l estimates the share of the paths that exactly l documents have. No paths are kept. Its rows are
    ranks, counts, the number of documents, and the numbers of their paths, added up."""

    def __init__(self, documents: Sequence[PathHashes], length: int = SIGNATURE_LENGTH, seed: int = 0) -> None:
        shape = len(documents), length
        ranks = np.array([ranks_of(document, length, seed) for document in documents], dtype=np.uint64).reshape(shape)
        totals = np.array([len(document) for document in documents], dtype=np.int64)
        super().__init__(ranks, np.ones(shape, dtype=np.int32), np.ones_like(totals), totals)

    def costs_of(self, *rows: Numbers) -> Floats:
        """Of ``U`` paths that any document has, each costs ``min(l, D - l + 1)`` when ``l`` of the ``D`` documents
        have it; ``U`` itself is the number of all documents' paths over the mean of ``l``."""
        _, counts, sizes, totals = rows
        units = np.minimum(counts, sizes[:, None] - counts + 1)
        costs: Floats = totals * units.mean(axis=1) / counts.mean(axis=1)
        return costs

    def joined(self, cluster: int, others: Numbers) -> tuple[Numbers, ...]:
        """The smaller rank wins, the counts of equal ones are added."""
        ranks, counts, sizes, totals = (values[others] for values in self.rows)
        rank, count, size, total = (values[cluster] for values in self.rows)
        joined = np.where(ranks <= rank, counts, 0) + np.where(rank <= ranks, count, 0)
        return np.minimum(ranks, rank), joined, sizes + size, totals + total

    def jaccard(self, cluster: int, others: Numbers) -> Floats:
        ranks = self.rows[0]
        shares: Floats = ((ranks[others] == ranks[cluster]) & (ranks[cluster] != NO_RANK)).mean(axis=1)
        return shares


def nearest_first(clusters: EstimatedCosts, min_jaccard: float = MIN_JACCARD) -> list[list[int]]:
    """Merge clusters with the gain looked for only among the most similar ones (TEXT-MAX). Documents of one signature
    are merged first. Then every cluster is tried with those that have most ranks in common with it, though its best
    partner may be another: the result may be worse than that of :func:`agglomerate`."""
    members = {number: [number] for number in range(len(clusters.costs))}
    best: dict[int, tuple[float, int, int]] = {}  # of each cluster: what merging it costs, and the pair

    def merge(first: int, second: int) -> None:
        clusters.merge(first, second)
        members[first] += members.pop(second)

    def look(number: int) -> None:
        best.pop(number, None)
        others = np.array([other for other in members if other != number], dtype=np.int64)
        shares = clusters.jaccard(number, others)
        near = others[shares == shares.max(initial=min_jaccard)]
        if len(near):
            gains = clusters.saved(number, near)
            other = int(near[np.argmax(gains)])
            best[number] = -float(gains.max()), min(number, other), max(number, other)

    firsts: dict[bytes, int] = {}
    for number, ranks in enumerate(clusters.rows[0]):
        first = firsts.setdefault(ranks.tobytes(), number)
        if first != number and ranks[0] != NO_RANK:
            merge(first, number)
    for number in members:
        look(number)
    while best:
        cost, first, second = min(best.values())
        if cost >= 0:
            break
        merge(first, second)
        best.pop(second, None)
        for number in [first, *(number for number, (_, *pair) in best.items() if {first, second} & {*pair})]:
            look(number)
    return [sorted(cluster) for _, cluster in sorted(members.items())]


# The learners


@dataclass(frozen=True, slots=True)
class TextMdlOptions(Options):
    """How essential paths are learned."""

    min_jaccard: Share = MIN_JACCARD  # share of their paths that two clusters must have in common to be merged
    # a text at the same path on this many pages of the sample, 2 or more, is template in any cluster; 0 leaves it to
    # the clusters alone, as the paper
    repeated_pages: int = 0
    site_pattern: bool = True  # learn one more pattern from all pages of the site, for pages that fit no cluster
    default_charset: str = DEFAULT_CHARSET  # for pages that declare no charset

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        if self.repeated_pages < 0 or self.repeated_pages == 1:
            raise LearnerError(f"repeated_pages must be 0, or 2 or more, not {self.repeated_pages}.")


class PathPage(NamedTuple):
    """A page of a sample: its URL, and the paths of its elements and of its texts."""

    name: str
    tags: PathHashes
    texts: PathHashes

    @property
    def content(self) -> tuple[bytes, bytes]:
        """The same for pages with the same paths."""
        return self.tags.tobytes(), self.texts.tobytes()


def read_paths(pages: Iterable[Page], default_charset: str) -> tuple[list[PathPage], dict[int, str]]:
    """The pages as paths, those with the same paths once, by URL; and an example of each path, for readers."""
    read: list[PathPage] = []
    examples: dict[int, str] = {}
    for page in pages:
        elements = element_paths(root_of(page, default_charset))
        texts = text_paths(elements)
        read.append(PathPage(page.url, as_paths(elements.values()), as_paths(texts)))
        examples.update((path, text[:60]) for path, text in texts.items())
        for element, path in elements.items():
            if path not in examples:
                examples[path] = example_of(element)
    distinct: dict[Any, PathPage] = {}
    for sampled in sorted(read, key=lambda page: (page.name, page.content)):
        distinct.setdefault(sampled.content, sampled)
    return list(distinct.values()), examples


class PathLearner(LiteratureLearner[TextMdlOptions]):
    """Clusters pages by their essential paths and keeps the template of each cluster."""

    @abstractmethod
    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """The clusters of documents, given by their essential paths."""

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """A pattern for every cluster of two pages or more; see :meth:`Learner.learn`."""
        sample, examples = read_paths(pages, self.options.default_charset)
        if len(sample) < 2:
            return []
        documents = essential_paths([page.tags for page in sample])

        def frequent(of_pages: Sequence[PathHashes], least: float) -> list[TemplatePath]:
            paths, supports = np.unique(np.concatenate(of_pages), return_counts=True)
            entries = zip(paths.tolist(), supports.tolist(), strict=True)
            return [TemplatePath(path, support, examples[path]) for path, support in entries if support >= least]

        least = self.options.repeated_pages
        repeated = frequent([page.texts for page in sample], least) if least else []

        def pattern_of(cluster: Sequence[int]) -> EssentialPathPattern:
            inside, described = [sample[number] for number in cluster], [documents[number] for number in cluster]
            saved = sum(map(len, described)) - cluster_cost(described)  # by describing them together
            most = (len(inside) + 1) / 2  # see is_template
            texts = tuple(frequent([page.texts for page in inside], most))
            known = {path.path for path in texts}
            return EssentialPathPattern(
                **of_whole_site(pages[0].site, [page.name for page in inside], float(saved)),
                tags=tuple(frequent([page.tags for page in inside], most)),
                texts=texts,
                repeated=tuple(path for path in repeated if path.path not in known),
            )

        clusters = [cluster for cluster in self.cluster(documents, seed) if len(cluster) > 1]
        own = (replace(pattern_of(cluster), name=sample[cluster[0]].name, site_wide=False) for cluster in clusters)
        patterns = with_own_names(own)
        if self.options.site_pattern:
            patterns.append(pattern_of(range(len(sample))))
        return sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))

    def page_clusters(self, pages: Sequence[Page], names: Sequence[str], *, seed: int = 0) -> list[list[int]]:
        """Only the clusters of the pages of some URLs, for learners that make patterns of their own, as lists of
        ascending indices in order of their first; the paths of all pages of one URL count for it."""
        paths_of: dict[str, PathHashes] = {}
        for page in pages:
            paths = as_paths(element_paths(root_of(page, self.options.default_charset)).values())
            paths_of[page.url] = np.union1d(paths_of.get(page.url, paths), paths)
        return self.cluster(essential_paths([paths_of[name] for name in names]), seed)


class TextMdlLearner(PathLearner):
    """TEXT-MDL: merges the pair of clusters that saves most, until none saves anything."""

    name: ClassVar[str] = "text_mdl"
    options_class: ClassVar[type[Any] | None] = TextMdlOptions

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """The clusters; nothing is drawn at random."""
        return agglomerate(UnitCosts(documents), self.options.min_jaccard)


CANDIDATES = {"all": agglomerate, "nearest": nearest_first}  # among which clusters a cluster's partner is looked for


@dataclass(frozen=True, slots=True)
class TextHashOptions(TextMdlOptions):
    """How templates are learned, beside :class:`TextMdlOptions`."""

    # random orders of a signature; the error of estimates falls with its root
    signature_length: Annotated[int, Between(1)] = SIGNATURE_LENGTH
    # ``all`` for TEXT-HASH; ``nearest`` for TEXT-MAX, which tries a cluster only with those that have most of their
    # signature in common with it
    candidates: Annotated[str, CANDIDATES] = "all"


class TextHashLearner(PathLearner):
    """TEXT-HASH and TEXT-MAX: clusters pages by signatures, then counts the paths of each cluster."""

    name: ClassVar[str] = "text_hash"
    options_class: ClassVar[type[Any] | None] = TextHashOptions
    options: TextHashOptions

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """The clusters; the seed decides the random orders."""
        clusters = EstimatedCosts(documents, self.options.signature_length, seed)
        return CANDIDATES[self.options.candidates](clusters, self.options.min_jaccard)
