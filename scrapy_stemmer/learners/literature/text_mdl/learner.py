"""TEXT-MDL, TEXT-HASH and TEXT-MAX: pages are read as paths and clustered, and each cluster's template is kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, Options, with_own_names
from scrapy_stemmer.learners.literature.text_mdl.mdl import (
    MIN_JACCARD,
    SIGNATURE_LENGTH,
    EstimatedCosts,
    PathHashes,
    UnitCosts,
    agglomerate,
    as_paths,
    cluster_cost,
    essential_paths,
    nearest_first,
)
from scrapy_stemmer.learners.literature.text_mdl.pattern import (
    EssentialPathPattern,
    TemplatePath,
    element_paths,
    example_of,
    text_paths,
)
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.record import Between, Share


@dataclass(frozen=True, slots=True)
class TextMdlOptions(Options):
    """How essential paths are learned.

    :param min_jaccard: share of their paths, from 0 to 1, that two clusters must have in common to be merged.
    :param repeated_pages: a text at the same path on this many pages of the sample, 2 or more, is template in any
        cluster; 0 leaves it to the clusters alone, as the paper.
    :param site_pattern: learn one more pattern from all pages of the site, for pages that fit no cluster.
    :param default_charset: for pages that declare no charset.
    """

    min_jaccard: Share = MIN_JACCARD
    repeated_pages: int = 0
    site_pattern: bool = True
    default_charset: str = DEFAULT_CHARSET

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        if self.repeated_pages < 0 or self.repeated_pages == 1:
            raise LearnerError(f"repeated_pages must be 0, or 2 or more, not {self.repeated_pages}.")


class PathPage(NamedTuple):
    """A page of a sample: its URL, and the paths of its elements and of its texts."""

    name: str
    tags: PathHashes
    texts: PathHashes


def read_paths(pages: Iterable[Page], default_charset: str) -> tuple[list[PathPage], dict[int, str]]:
    """The pages as paths, those with the same paths once, by URL; and an example of each path, for readers."""
    read: list[tuple[str, bytes, bytes, PathPage]] = []
    examples: dict[int, str] = {}
    for page in pages:
        elements = element_paths(root_of(page, default_charset))
        texts = text_paths(elements)
        found = PathPage(page.url, as_paths(elements.values()), as_paths(texts))
        read.append((page.url, found.tags.tobytes(), found.texts.tobytes(), found))
        examples.update((path, text[:60]) for path, text in texts.items())
        for element, path in elements.items():
            if path not in examples:
                examples[path] = example_of(element)
    distinct: dict[tuple[bytes, bytes], PathPage] = {}
    for _, tags, others, found in sorted(read, key=lambda entry: entry[:3]):
        distinct.setdefault((tags, others), found)
    return list(distinct.values()), examples


class PathLearner(Learner):
    """Clusters pages by their essential paths and keeps the template of each cluster."""

    options: TextMdlOptions

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

        def pattern(cluster: Sequence[int]) -> EssentialPathPattern:
            inside = [sample[number] for number in cluster]
            described = [documents[number] for number in cluster]
            most = (len(inside) + 1) / 2  # see is_template
            texts = tuple(frequent([page.texts for page in inside], most))
            known = {path.path for path in texts}
            return EssentialPathPattern(
                site=pages[0].site,
                name=inside[0].name,
                support=len(inside),
                score=float(sum(map(len, described)) - cluster_cost(described)),  # what describing them together saves
                samples=tuple(Sample(page.name) for page in inside[:MAX_SAMPLES]),
                tags=tuple(frequent([page.tags for page in inside], most)),
                texts=texts,
                repeated=tuple(path for path in repeated if path.path not in known),
            )

        clusters = [cluster for cluster in self.cluster(documents, seed) if len(cluster) > 1]
        patterns = with_own_names(map(pattern, clusters))
        if self.options.site_pattern:
            patterns.append(replace(pattern(range(len(sample))), name=SITE_WIDE, site_wide=True))
        return sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))

    def page_clusters(self, pages: Sequence[Page], names: Sequence[str], *, seed: int = 0) -> list[list[int]]:
        """Only the clusters, for learners that make patterns of their own.

        :param names: the URLs of the pages to cluster; the paths of all ``pages`` of one URL count for it.
        :returns: clusters as lists of ascending indices of names, in order of their first.
        """
        found: dict[str, PathHashes] = {}
        for page in pages:
            elements = element_paths(root_of(page, self.options.default_charset))
            paths = as_paths(elements.values())
            found[page.url] = np.union1d(found[page.url], paths) if page.url in found else paths
        return self.cluster(essential_paths([found[name] for name in names]), seed)


class TextMdlLearner(PathLearner):
    """Merges the pair of clusters that saves most, until none saves anything.

    :param options: see :class:`TextMdlOptions`.
    """

    name: ClassVar[str] = "text_mdl"
    options_class: ClassVar[type[Any] | None] = TextMdlOptions

    def __init__(self, options: TextMdlOptions | None = None) -> None:
        self.options: TextMdlOptions = options or TextMdlOptions()

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """The clusters; nothing is drawn at random."""
        return agglomerate(UnitCosts(documents), self.options.min_jaccard)


CANDIDATES = {"all": agglomerate, "nearest": nearest_first}
"""Among which clusters a cluster's partner is looked for."""


@dataclass(frozen=True, slots=True)
class TextHashOptions(TextMdlOptions):
    """How templates are learned, beside :class:`TextMdlOptions`.

    :param signature_length: random orders of a signature, 1 or more; the error of estimates falls with its root.
    :param candidates: ``all`` for TEXT-HASH; ``nearest`` for TEXT-MAX, which tries a cluster only with those that
        have most of their signature in common with it.
    """

    signature_length: Annotated[int, Between(1)] = SIGNATURE_LENGTH
    candidates: Annotated[str, CANDIDATES] = "all"


class TextHashLearner(PathLearner):
    """Clusters pages by signatures, then counts the paths of each cluster.

    :param options: see :class:`TextHashOptions`.
    """

    name: ClassVar[str] = "text_hash"
    options_class: ClassVar[type[Any] | None] = TextHashOptions

    def __init__(self, options: TextHashOptions | None = None) -> None:
        self.options: TextHashOptions = options or TextHashOptions()

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """The clusters; the seed decides the random orders."""
        clusters = EstimatedCosts(documents, self.options.signature_length, seed)
        return CANDIDATES[self.options.candidates](clusters, self.options.min_jaccard)
