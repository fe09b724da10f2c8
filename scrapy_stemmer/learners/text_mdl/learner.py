"""TEXT-MDL, TEXT-HASH and TEXT-MAX: pages are read as paths and clustered, and each cluster's template is kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, check_shares
from scrapy_stemmer.learners.text_mdl.mdl import (
    MIN_JACCARD,
    EntropyCosts,
    UnitCosts,
    agglomerate,
    approximate_cost,
    essential_paths,
    is_template,
)
from scrapy_stemmer.learners.text_mdl.minhash import SIGNATURE_LENGTH, EstimatedCosts, Signatures, nearest_first
from scrapy_stemmer.learners.text_mdl.paths import (
    PagePaths,
    Paths,
    as_paths,
    element_paths,
    example_of,
    page_paths,
    text_paths,
)
from scrapy_stemmer.learners.text_mdl.pattern import EssentialPathPattern, TemplatePath
from scrapy_stemmer.patterns.base import Pattern, Sample

MAX_EXAMPLE = 60
"""Characters of a text that a pattern shows."""


@dataclass(frozen=True, slots=True)
class PathOptions:
    """How essential paths are learned.

    :param min_jaccard: share of their paths, from 0 to 1, that two clusters must have in common to be merged.
    :param cluster_texts: whether pages are clustered by the paths of texts too, or of elements only.
    :param repeated_pages: a text at the same path on this many pages of the sample, 2 or more, is template in any
        cluster; 0 leaves it to the clusters alone, as the paper.
    :param site_pattern: learn one more pattern from all pages of the site, for pages that fit no cluster.
    :param default_charset: for pages that declare no charset.
    """

    min_jaccard: float = MIN_JACCARD
    cluster_texts: bool = False
    repeated_pages: int = 0
    site_pattern: bool = True
    default_charset: str = DEFAULT_CHARSET

    def __post_init__(self) -> None:
        check_shares(self, "min_jaccard")
        if self.repeated_pages < 0 or self.repeated_pages == 1:
            raise LearnerError(f"repeated_pages must be 0, or 2 or more, not {self.repeated_pages}.")


@dataclass(frozen=True, eq=False, slots=True)
class PathPage:
    """A page of a sample.

    :param name: its URL.
    """

    name: str
    paths: PagePaths


@dataclass(frozen=True, eq=False, slots=True)
class PathSample:
    """The distinct pages of a sample in a fixed order.

    :param examples: for paths of elements the innermost elements, for texts of several pages the text.
    """

    pages: list[PathPage] = field(default_factory=list)
    examples: dict[int, str] = field(default_factory=dict)


def read_paths(pages: Iterable[Page], default_charset: str = DEFAULT_CHARSET) -> PathSample:
    """The pages as paths, those with the same paths once, by URL. Trees are let go one by one."""
    reader = _Reader(default_charset)
    found: dict[tuple[bytes, bytes], PathPage] = {}
    read = [PathPage(page.url, reader.read(page)) for page in pages]
    for page in sorted(read, key=lambda page: (page.name, _content(page))):
        found.setdefault(_content(page), page)
    return PathSample(list(found.values()), reader.examples)


def _content(page: PathPage) -> tuple[bytes, bytes]:
    return page.paths.tags.tobytes(), page.paths.texts.tobytes()


class _Reader:
    """Reads pages, and keeps an example of each path that may become template."""

    def __init__(self, default_charset: str) -> None:
        self._default_charset = default_charset
        self._seen: set[int] = set()
        self.examples: dict[int, str] = {}

    def read(self, page: Page) -> PagePaths:
        elements = element_paths(root_of(page, self._default_charset))
        for element, path in elements.items():
            if path not in self.examples:
                self.examples[path] = example_of(element)
        texts = {found.path: found.text for found in text_paths(elements)}
        for path in texts.keys() & self._seen:
            self.examples.setdefault(path, texts[path][:MAX_EXAMPLE])
        self._seen |= texts.keys()
        return PagePaths(as_paths(elements.values()), as_paths(texts))


class PathLearner(Learner):
    """Clusters pages by their essential paths and keeps the template of each cluster."""

    options: PathOptions

    @abstractmethod
    def cluster(self, documents: Sequence[Paths], seed: int) -> list[list[int]]:
        """The clusters of documents, given by their essential paths."""

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """A pattern for every cluster of two pages or more; see :meth:`Learner.learn`."""
        sample = read_paths(pages, self.options.default_charset)
        if len(sample.pages) < 2:
            return []
        documents = essential_paths([self._document(page.paths) for page in sample.pages])
        clusters = [cluster for cluster in self.cluster(documents, seed) if len(cluster) > 1]
        templates = _Templates(pages[0].site, sample, documents, self._repeated(sample))
        patterns = [templates.pattern(cluster) for cluster in clusters]
        if self.options.site_pattern:
            patterns.append(replace(templates.pattern(range(len(documents))), name=SITE_WIDE, site_wide=True))
        return sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))

    def page_clusters(self, pages: Sequence[Page], names: Sequence[str], *, seed: int = 0) -> list[list[int]]:
        """Only the clusters, for learners that make patterns of their own.

        :param names: the URLs of the pages to cluster; the paths of all ``pages`` of one URL count for it.
        :returns: clusters as lists of ascending indices of names, in order of their first.
        """
        found: dict[str, Paths] = {}
        for page in pages:
            paths = self._document(page_paths(root_of(page, self.options.default_charset)))
            found[page.url] = np.union1d(found[page.url], paths) if page.url in found else paths
        return self.cluster(essential_paths([found[name] for name in names]), seed)

    def _document(self, paths: PagePaths) -> Paths:
        return np.union1d(paths.tags, paths.texts) if self.options.cluster_texts else paths.tags

    def _repeated(self, sample: PathSample) -> tuple[TemplatePath, ...]:
        least = self.options.repeated_pages
        documents = [page.paths.texts for page in sample.pages]
        return tuple(path for path in _counted(documents, sample.examples) if path.support >= least) if least else ()


@dataclass(frozen=True, eq=False, slots=True)
class _Templates:
    """Makes the patterns of a sample's clusters: one pass over a cluster's pages counts the supports of paths."""

    site: str
    sample: PathSample
    documents: Sequence[Paths]
    repeated: tuple[TemplatePath, ...]

    def pattern(self, cluster: Sequence[int]) -> EssentialPathPattern:
        pages = [self.sample.pages[number] for number in cluster]
        texts = self._template([page.paths.texts for page in pages])
        known = {path.path for path in texts}
        return EssentialPathPattern(
            site=self.site,
            name=pages[0].name,
            support=len(pages),
            score=_saved([self.documents[number] for number in cluster]),
            samples=tuple(Sample(page.name) for page in pages[:MAX_SAMPLES]),
            tags=self._template([page.paths.tags for page in pages]),
            texts=texts,
            repeated=tuple(path for path in self.repeated if path.path not in known),
        )

    def _template(self, documents: Sequence[Paths]) -> tuple[TemplatePath, ...]:
        counted = _counted(documents, self.sample.examples)
        return tuple(path for path in counted if is_template(path.support, len(documents)))


def _saved(documents: Sequence[Paths]) -> float:
    """The units by which describing documents together costs less than describing each alone."""
    alone = sum(len(document) for document in documents)
    return float(alone - approximate_cost(documents, [range(len(documents))]))


def _counted(documents: Sequence[Paths], examples: Mapping[int, str]) -> Iterator[TemplatePath]:
    """The paths of documents, by hash, with their supports."""
    paths, supports = np.unique(np.concatenate(documents), return_counts=True)
    for path, support in zip(paths.tolist(), supports.tolist(), strict=True):
        yield TemplatePath(path, support, examples.get(path, ""))


COSTS = {"approximate": UnitCosts, "exact": EntropyCosts}
"""The measures of a description's length."""


@dataclass(frozen=True, slots=True)
class TextMdlOptions(PathOptions):
    """How templates are learned, beside :class:`PathOptions`.

    :param cost: ``approximate``, one unit for each cell that is not zero, or ``exact``, the entropy.
    """

    cost: str = "approximate"


class TextMdlLearner(PathLearner):
    """Merges the pair of clusters that saves most, until none saves anything.

    :param options: see :class:`TextMdlOptions`.
    :raises LearnerError: for a cost that there isn't.
    """

    name: ClassVar[str] = "text_mdl"
    options_class: ClassVar[type[Any] | None] = TextMdlOptions

    def __init__(self, options: TextMdlOptions | None = None) -> None:
        self.options: TextMdlOptions = options or TextMdlOptions()
        if self.options.cost not in COSTS:
            raise LearnerError(f"There is no cost {self.options.cost!r}; use one of {', '.join(COSTS)}.")

    def cluster(self, documents: Sequence[Paths], seed: int) -> list[list[int]]:
        """The clusters; nothing is drawn at random."""
        return agglomerate(COSTS[self.options.cost](documents), self.options.min_jaccard)


CANDIDATES = ("all", "nearest")
"""Among which clusters a cluster's partner is looked for."""


@dataclass(frozen=True, slots=True)
class TextHashOptions(PathOptions):
    """How templates are learned, beside :class:`PathOptions`.

    :param signature_length: random orders of a signature, 1 or more; the error of estimates falls with its root.
    :param candidates: ``all`` for TEXT-HASH; ``nearest`` for TEXT-MAX, which tries a cluster only with those that
        have most of their signature in common with it.
    """

    signature_length: int = SIGNATURE_LENGTH
    candidates: str = "all"


class TextHashLearner(PathLearner):
    """Clusters pages by signatures, then counts the paths of each cluster.

    :param options: see :class:`TextHashOptions`.
    :raises LearnerError: for candidates that there aren't, or an empty signature.
    """

    name: ClassVar[str] = "text_hash"
    options_class: ClassVar[type[Any] | None] = TextHashOptions

    def __init__(self, options: TextHashOptions | None = None) -> None:
        self.options: TextHashOptions = options or TextHashOptions()
        if self.options.candidates not in CANDIDATES:
            raise LearnerError(f"Candidates can't be {self.options.candidates!r}; use one of {', '.join(CANDIDATES)}.")
        if self.options.signature_length < 1:
            raise LearnerError(f"signature_length must be 1 or more, not {self.options.signature_length}.")

    def cluster(self, documents: Sequence[Paths], seed: int) -> list[list[int]]:
        """The clusters; the seed decides the random orders."""
        signatures = Signatures.of(documents, self.options.signature_length, seed)
        if self.options.candidates == "nearest":
            return nearest_first(signatures, self.options.min_jaccard)
        return agglomerate(EstimatedCosts(signatures), self.options.min_jaccard)
