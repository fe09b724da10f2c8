"""What the patterns of the two systems of Gibson, Punera and Tomkins share: hashes that return from page to page."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.patterns.base import MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.noise import label_by_noise
from scrapy_stemmer.patterns.record import Record

BLOCKS = BlockOptions()
"""How pages are cut into blocks; what returns does not depend on the paths of blocks."""

CORE_SHARE = 0.8
"""A hash on at least this share of the pages that the most frequent hash is on belongs to the core, which a page
must have in part to be of the site's template."""

_HASH = re.compile("[0-9a-f]{16}")


class Returning(NamedTuple):
    """A hash, and the pages of the sample that it was on."""

    hash: int
    pages: int


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A template of the sample as people read it; labelling does not need it.

    :param text: its beginning, ``[…]`` for gaps where pages differ.
    :param pages: pages of the sample that all its parts were on.
    """

    text: str
    pages: int


class Reading(NamedTuple):
    """A page as a pattern reads it.

    :param hashes: all that it has.
    :param noise: for each block its noise confidence.
    """

    hashes: Collection[int]
    noise: list[float]


@dataclass(frozen=True, kw_only=True)
class ReturningPattern(Pattern):
    """The hashes that return on the pages of a site.

    :param returning: the hashes, ascending.
    :param templates: some of the templates that they make, for readers.
    """

    returning: tuple[Returning, ...]
    templates: tuple[TemplateText, ...] = ()

    @abstractmethod
    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """What a page has, and how much of each block is template."""

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page that has more than the threshold of the core, see :meth:`similarity`."""
        threshold = options.site_threshold if self.site_wide else options.threshold
        blocks = document.blocks(BLOCKS)
        reading = self.read(document, blocks)
        similarity = self.similarity(reading.hashes)
        if similarity <= threshold:
            return None
        return PageMatch(self.name, similarity, label_by_noise(blocks, reading.noise, options))

    def similarity(self, hashes: Collection[int]) -> float:
        """The share of the core that is among a page's hashes, from 0 to 1.

        :param hashes: best a set.
        """
        found = sum(1 for hash_ in self.core if hash_ in hashes)
        return found / len(self.core) if self.core else 0.0

    @cached_property
    def hashes(self) -> frozenset[int]:
        """The table in which a page's hashes are looked up."""
        return frozenset(entry.hash for entry in self.returning)

    @cached_property
    def core(self) -> frozenset[int]:
        """The hashes that nearly all pages of the sample had, by :data:`CORE_SHARE`."""
        most = max((entry.pages for entry in self.returning), default=0)
        return frozenset(entry.hash for entry in self.returning if entry.pages >= CORE_SHARE * most)

    def to_record(self) -> dict[str, Any]:
        """The fields of these kinds as JSON values."""
        return {
            "returning": list(_grouped(self.returning)),
            "templates": [asdict(template) for template in self.templates],
        }

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """The pattern of a record; see :meth:`Pattern.from_record`."""
        support = common["support"]
        found = {entry.hash: entry for group in record.records("returning") for entry in _group(group, support)}
        templates = (
            TemplateText(entry.text("text"), entry.whole("pages", least=1))
            for entry in record.records("templates", optional=True)
        )
        return cls(
            returning=tuple(sorted(found.values())),
            templates=tuple(templates),
            **cls.own_fields(record),
            **common,
        )

    @classmethod
    @abstractmethod
    def own_fields(cls, record: Record) -> dict[str, Any]:
        """The fields that a kind has beside these."""


def _grouped(returning: Iterable[Returning]) -> Iterator[dict[str, Any]]:
    """The hashes by number of pages, the most frequent first."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for entry in returning:
        groups[entry.pages].append(f"{entry.hash:016x}")
    for pages in sorted(groups, reverse=True):
        yield {"pages": pages, "hashes": sorted(groups[pages])}


def _group(record: Record, support: int) -> Iterator[Returning]:
    pages = record.whole("pages", least=1)
    if pages > support:
        raise record.error("pages", f"must be at most the pattern's support, {support}, not {pages}")
    for index, text in enumerate(record.texts("hashes")):
        if not _HASH.fullmatch(text):
            raise record.error(f"hashes[{index}]", f"must be 16 hexadecimal digits, not {text!r}")
        yield Returning(int(text, 16), pages)
