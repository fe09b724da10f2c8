"""Learners ``dom_hash`` and ``shingle``: every page of a sample is read as hashes.

Counted are the distinct pages of each hash, not occurrences: a ``br`` thirty times on one page is no template. The
returning hashes alone label new pages.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np

from scrapy_stemmer.learners.literature.base import LiteratureLearner, LiteratureOptions, distinct, of_whole_site
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.repetition.pattern import (
    DomHashPattern,
    Hashes,
    Returning,
    ReturningPattern,
    ShinglePattern,
    fragment_hashes,
    subtrees_of,
)
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import stable_hash, tokens
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share

MIN_HASH_PAGES = 3  # least pages of a hash by default, in a sample that is not small
SMALL_SAMPLE = 4  # least pages for each of MIN_HASH_PAGES in a sample that is not small


@dataclass(frozen=True, slots=True)
class DomHashOptions(LiteratureOptions):
    """Options for counting template."""

    # least distinct pages of a hash, the papers' lower threshold; 1 makes everything template. ``None`` for 3, or 2 in
    # a sample of fewer than 12
    min_pages: Annotated[int | None, Between(1)] = None
    min_share: Share = 0.0  # least share of the sample with a hash


def least_pages(count: int, pages: int | None = None, share: float = 0.0) -> int:
    if pages is None:
        pages = min(MIN_HASH_PAGES, max(2, count // SMALL_SAMPLE))
    return max(pages, math.ceil(share * count))


OptionsT = TypeVar("OptionsT", bound=DomHashOptions)


class ReturningLearner(LiteratureLearner[OptionsT]):
    """Learner that counts the pages of a site with each hash."""

    max_work: ClassVar[float] = ReturningPattern.max_work

    @abstractmethod
    def read(self, page: Page) -> tuple[int, Hashes]:
        """Read a page: a hash equal for copies, and the counted hashes."""

    @abstractmethod
    def pattern_of(self, **fields: Any) -> ReturningPattern: ...

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn one pattern for the whole site from two or more pages; see :meth:`Learner.learn`."""
        of_pages = ((page.url, *self.read(page)) for page in pages)
        read = distinct((url, content, (url, hashes)) for url, content, hashes in of_pages)
        if len(read) < 2:
            return []
        hashes, counts = np.unique(np.concatenate([np.unique(each) for _, each in read]), return_counts=True)
        kept = counts >= least_pages(len(read), self.options.min_pages, self.options.min_share)
        returning = tuple(map(Returning, hashes[kept].tolist(), counts[kept].tolist()))
        score = float(sum(entry.pages - 1 for entry in returning))
        common = of_whole_site(pages[0].site, [url for url, _ in read], score)
        return [self.pattern_of(**common, returning=returning)] if returning else []


class DomHashLearner(ReturningLearner[DomHashOptions]):
    """DOM-based system: counts the pages with each subtree that holds words or a link."""

    name: ClassVar[str] = "dom_hash"
    options_class: ClassVar[type[Any] | None] = DomHashOptions

    def read(self, page: Page) -> tuple[int, Hashes]:
        read = subtrees_of(self.root_of(page))
        return read.content, np.array([node.hash for node in read.nodes if node.tells], dtype=np.uint64)

    def pattern_of(self, **fields: Any) -> DomHashPattern:
        return DomHashPattern(**fields)


@dataclass(frozen=True, slots=True)
class ShingleOptions(DomHashOptions):
    """Options for finding fragments, with the paper's letters in brackets; ``min_pages`` is [F]."""

    min_share: Share = 0.1  # least share of the sample with a fragment, since related articles share quotations
    width: Annotated[int, Between(1)] = 8  # words of a fragment [W]


class ShingleLearner(ReturningLearner[ShingleOptions]):
    """Text-based system: counts the pages with each fragment, a run of words."""

    name: ClassVar[str] = "shingle"
    options_class: ClassVar[type[Any] | None] = ShingleOptions

    def read(self, page: Page) -> tuple[int, Hashes]:
        blocks = BlockOptions().blocks_of(self.root_of(page))
        words = [word for block in blocks for word in tokens(block.text)]
        return stable_hash(*words), fragment_hashes(words, self.options.width)

    def pattern_of(self, **fields: Any) -> ShinglePattern:
        return ShinglePattern(**fields, width=self.options.width)
