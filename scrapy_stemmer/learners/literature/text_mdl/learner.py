"""TEXT-MDL, TEXT-HASH and TEXT-MAX: pages are read as paths and clustered, and each cluster's template is kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import Options
from scrapy_stemmer.learners.literature.base import LiteratureLearner, of_whole_site, with_own_names
from scrapy_stemmer.learners.literature.text_mdl import mdl, pattern
from scrapy_stemmer.learners.literature.text_mdl.mdl import PathHashes, as_paths
from scrapy_stemmer.learners.literature.text_mdl.pattern import EssentialPathPattern, TemplatePath
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share


@dataclass(frozen=True, slots=True)
class TextMdlOptions(Options):
    """How essential paths are learned."""

    min_jaccard: Share = mdl.MIN_JACCARD  # share of their paths that two clusters must have in common to be merged
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
        elements = pattern.element_paths(root_of(page, default_charset))
        texts = pattern.text_paths(elements)
        read.append(PathPage(page.url, as_paths(elements.values()), as_paths(texts)))
        examples.update((path, text[:60]) for path, text in texts.items())
        for element, path in elements.items():
            if path not in examples:
                examples[path] = pattern.example_of(element)
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
        documents = mdl.essential_paths([page.tags for page in sample])

        def frequent(of_pages: Sequence[PathHashes], least: float) -> list[TemplatePath]:
            paths, supports = np.unique(np.concatenate(of_pages), return_counts=True)
            entries = zip(paths.tolist(), supports.tolist(), strict=True)
            return [TemplatePath(path, support, examples[path]) for path, support in entries if support >= least]

        least = self.options.repeated_pages
        repeated = frequent([page.texts for page in sample], least) if least else []

        def pattern_of(cluster: Sequence[int]) -> EssentialPathPattern:
            inside, described = [sample[number] for number in cluster], [documents[number] for number in cluster]
            saved = sum(map(len, described)) - mdl.cluster_cost(described)  # by describing them together
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
        """Only the clusters, for learners that make patterns of their own.

        :param names: the URLs of the pages to cluster; the paths of all ``pages`` of one URL count for it.
        :returns: clusters as lists of ascending indices of names, in order of their first.
        """
        paths_of: dict[str, PathHashes] = {}
        for page in pages:
            paths = as_paths(pattern.element_paths(root_of(page, self.options.default_charset)).values())
            paths_of[page.url] = np.union1d(paths_of.get(page.url, paths), paths)
        return self.cluster(mdl.essential_paths([paths_of[name] for name in names]), seed)


class TextMdlLearner(PathLearner):
    """TEXT-MDL: merges the pair of clusters that saves most, until none saves anything."""

    name: ClassVar[str] = "text_mdl"
    options_class: ClassVar[type[Any] | None] = TextMdlOptions

    def cluster(self, documents: Sequence[PathHashes], seed: int) -> list[list[int]]:
        """The clusters; nothing is drawn at random."""
        return mdl.agglomerate(mdl.UnitCosts(documents), self.options.min_jaccard)


CANDIDATES = {"all": mdl.agglomerate, "nearest": mdl.nearest_first}
"""Among which clusters a cluster's partner is looked for."""


@dataclass(frozen=True, slots=True)
class TextHashOptions(TextMdlOptions):
    """How templates are learned, beside :class:`TextMdlOptions`."""

    # random orders of a signature; the error of estimates falls with its root
    signature_length: Annotated[int, Between(1)] = mdl.SIGNATURE_LENGTH
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
        clusters = mdl.EstimatedCosts(documents, self.options.signature_length, seed)
        return CANDIDATES[self.options.candidates](clusters, self.options.min_jaccard)
