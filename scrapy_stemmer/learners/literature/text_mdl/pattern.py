"""Pattern of TEXT-MDL and TEXT-HASH: the paths found on most pages of a cluster.

A path is the names of the elements from the root on, without attributes; a text's path ends in the text. Paths are
64-bit hashes computed from the hash of the parent's path, so that a node costs the same at any depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from typing import Any, ClassVar, Self

from lxml import etree

from scrapy_stemmer.learners.literature.base import SITE_THRESHOLD, NoisePattern, noise_by_piece, read_hash
from scrapy_stemmer.learners.literature.blocks import UNSEEN, visit
from scrapy_stemmer.page.blocks import LayoutBlock, Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import collapse, stable_hash
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


@dataclass(frozen=True, slots=True)
class TemplatePath:
    path: int
    support: int  # pages of the cluster with the path
    example: str = ""  # innermost elements, or beginning of the text, for readers of pattern files


@dataclass(frozen=True, kw_only=True)
class EssentialPathPattern(NoisePattern):
    """Template of a cluster: the paths of more than half of its pages."""

    kind: ClassVar[str] = "essential_path"

    tags: tuple[TemplatePath, ...]  # paths of elements, which identify pages of the cluster
    texts: tuple[TemplatePath, ...] = ()  # paths of template texts

    @property
    def threshold(self) -> float:
        return SITE_THRESHOLD if self.site_wide else CLUSTER_THRESHOLD

    def read(self, document: Document, blocks: Sequence[LayoutBlock]) -> tuple[float, list[float], list[float]]:
        """Return the fit of a page's element paths, see :meth:`similarity`, and the shares of pages with its texts."""
        paths = element_paths(document.root)

        def noise_of(piece: Piece) -> float:
            return self._text_shares.get(text_path(paths[piece.holder], collapse(piece.text)), 0.0)

        noise = noise_by_piece(blocks, noise_of)
        return self.similarity(set(paths.values())), noise, noise

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
        return {path.path: path.support / self.support for path in self.texts}

    def to_record(self) -> dict[str, Any]:
        fields = super().to_record().items()
        return {name: [{**asdict(path), "path": f"{path.path:016x}"} for path in paths] for name, paths in fields}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        pages = common["support"]

        def paths(name: str) -> Iterator[TemplatePath]:
            for entry in record.records(name, optional=name == "texts"):
                path = read_hash(entry, "path", entry.text("path"))
                support = entry.whole("support", least=pages // 2 + 1, most=pages)
                yield TemplatePath(path, support, entry.optional_text("example") or "")

        return super().from_record(record, common | {name: tuple(paths(name)) for name in ("tags", "texts")})
