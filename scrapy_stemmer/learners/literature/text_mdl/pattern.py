"""Pattern of TEXT-MDL and TEXT-HASH: the paths found on most pages of a cluster.

A path is the names of the elements from the root on, without attributes; a text's path ends in the text. Paths are
64-bit hashes computed from the hash of the parent's path, so that a node costs the same at any depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from typing import Any, ClassVar, Self

from lxml import etree

from scrapy_stemmer.learners.literature.blocks import (
    SITE_THRESHOLD,
    UNSEEN,
    BlockOptions,
    label_by_noise,
    mean_noise,
    read_hash,
    visit,
)
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import collapse, significant, stable_hash
from scrapy_stemmer.patterns.base import PageMatch, Pattern
from scrapy_stemmer.patterns.record import Record

ROOT = 0  # path above the root element

UNKNOWN_WEIGHT = 0.1
"""Weight of an element path missing in the template, where a path missing on the page weighs 1. Pages have paths of
their own in their text, but at 0 a template of ``html/body`` would fit every page."""


def element_paths(root: etree._Element) -> dict[etree._Element, int]:
    """Return the path of every element in document order, without elements of :data:`UNSEEN` and their contents."""
    paths: dict[etree._Element, int] = {}

    @cache  # a page repeats few paths many times
    def path(parent: int, tag: str) -> int:
        return stable_hash(f"{parent:016x}/", tag)

    def enter(element: etree._Element) -> None:
        parent = element.getparent()
        paths[element] = path(ROOT if parent is None else paths.get(parent, ROOT), str(element.tag))

    visit(root, UNSEEN, enter)
    return paths


def text_path(parent: int, text: str) -> int:
    return stable_hash(f"{parent:016x}=", text)


def text_paths(paths: dict[etree._Element, int]) -> dict[int, str]:
    texts = (
        (path, collapse(text))
        for element, path in paths.items()
        for text in (element.text, *(child.tail for child in element))
        if text and not text.isspace()
    )
    return {text_path(path, text): text for path, text in dict.fromkeys(texts)}


CLUSTER_THRESHOLD = 0.8  # share of a cluster's paths on a page, for the cluster's pattern to label the page


def example_of(element: etree._Element) -> str:
    """Return the innermost three elements of a path, for readers: ``ul/li/a``."""
    return "/".join(str(part.tag) for part in reversed([element, *islice(element.iterancestors(), 2)]))


def is_template(support: int, documents: int) -> bool:
    """Return True if a path belongs to the template of a cluster.

    Within the template a path costs 1 plus the documents without the path; outside, the documents with the path.
    """
    return 2 * support >= documents + 1


@dataclass(frozen=True, slots=True)
class TemplatePath:
    path: int
    support: int  # pages of the cluster, or of the sample, with the path
    example: str = ""  # innermost elements, or beginning of the text, for readers of pattern files


@dataclass(frozen=True, kw_only=True)
class EssentialPathPattern(Pattern):
    """Template of a cluster: the paths of more than half of its pages."""

    kind: ClassVar[str] = "essential_path"

    tags: tuple[TemplatePath, ...]  # paths of elements, which identify pages of the cluster
    texts: tuple[TemplatePath, ...] = ()  # paths of template texts
    repeated: tuple[TemplatePath, ...] = ()  # paths of texts that returned on the sample's pages in any cluster

    def match(self, document: Document) -> PageMatch | None:
        """Label a page whose element paths fit the template, see :meth:`similarity`."""
        paths = element_paths(document.root)
        known = set(paths.values())
        similarity = self.similarity(known)
        if similarity <= (SITE_THRESHOLD if self.site_wide else CLUSTER_THRESHOLD):
            return None

        def noise_of(piece: Piece) -> tuple[float, float]:
            text = collapse(piece.text)
            return len(significant(text)), self._text_shares.get(text_path(paths[piece.holder], text), 0.0)

        blocks = document.blocks(BlockOptions())
        noise = [mean_noise(map(noise_of, block.pieces)) for block in blocks]
        return PageMatch(self.name, similarity, label_by_noise(blocks, noise))

    def similarity(self, paths: Set[int]) -> float:
        """Return the fit of a page's element paths, from 0 to 1 (Tversky's index)."""
        shares = self._tag_shares
        shared = sum(share for path, share in shares.items() if path in paths)
        whole = sum(shares.values()) + UNKNOWN_WEIGHT * len(paths - shares.keys())
        return shared / whole if whole else 0.0

    @cached_property
    def _tag_shares(self) -> dict[int, float]:
        return {path.path: path.support / self.support for path in self.tags}

    @cached_property
    def _text_shares(self) -> dict[int, float]:
        repeated = {path.path: 1.0 for path in self.repeated}
        return {path.path: path.support / self.support for path in self.texts} | repeated

    def to_record(self) -> dict[str, Any]:
        fields = super().to_record().items()
        return {name: [{**asdict(path), "path": f"{path.path:016x}"} for path in paths] for name, paths in fields}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        pages = common["support"]

        def paths(name: str) -> Iterator[TemplatePath]:
            for entry in record.records(name, optional=name != "tags"):
                path, support = read_hash(entry, "path", entry.text("path")), entry.whole("support", least=1)
                if name != "repeated" and not (is_template(support, pages) and support <= pages):
                    problem = f"must be more than half of the pattern's {pages} pages, not {support}"
                    raise entry.error("support", problem)
                yield TemplatePath(path, support, entry.optional_text("example") or "")

        own = {name: tuple(paths(name)) for name in ("tags", "texts", "repeated")}
        return super().from_record(record, common | own)
