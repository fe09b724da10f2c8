"""Learners ``dom_hash`` and ``shingle``: every page of a sample is read as hashes.

Counted are the distinct pages of each hash, not occurrences: a ``br`` thirty times on one page is no template. The
returning hashes alone label new pages.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np

from scrapy_stemmer.learners.base import Options
from scrapy_stemmer.learners.literature.base import LiteratureLearner, distinct, of_whole_site
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.repetition.pattern import (
    MAX_GAP_CHARS,
    MAX_GAP_SIBLINGS,
    DomHashPattern,
    Hashes,
    Returning,
    ReturningPattern,
    ShinglePattern,
    fragment_hashes,
    in_sample,
    subtrees_of,
)
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.page.text import drawn, stable_hash, tokens
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share

MIN_HASH_PAGES = 3  # least pages of a hash by default, in a sample that is not small
SMALL_SAMPLE = 4  # least pages for each of MIN_HASH_PAGES in a sample that is not small


@dataclass(frozen=True, slots=True)
class ReturningOptions(Options):
    """Options of both systems for counting template."""

    # least distinct pages of a hash; 1 makes everything template. ``None`` for 3, or 2 in a sample of fewer than 12
    min_pages: Annotated[int | None, Between(1)] = None
    min_share: Share = 0.0  # least share of the sample with a hash
    default_charset: str = DEFAULT_CHARSET


def least_pages(count: int, pages: int | None = None, share: float = 0.0) -> int:
    if pages is None:
        pages = min(MIN_HASH_PAGES, max(2, count // SMALL_SAMPLE))
    return max(pages, math.ceil(share * count))


OptionsT = TypeVar("OptionsT", bound=ReturningOptions)


class ReturningLearner(LiteratureLearner[OptionsT]):
    """Learner that counts the pages of a site with each hash."""

    max_work: ClassVar[float] = ReturningPattern.max_work
    max_occurrences = 0  # most occurrences of a template's hash in the sample; 0 for no limit
    pattern_class: ClassVar[type[ReturningPattern]]
    """Kind of pattern; its fields that are options too determine the hashes."""

    @abstractmethod
    def read(self, page: Page) -> tuple[int, Hashes]:
        """Read a page: a hash equal for copies, and the counted hashes."""

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn one pattern for the whole site from two or more pages; see :meth:`Learner.learn`."""
        of_pages = ((page.url, *self.read(page)) for page in pages)
        read = distinct((url, content, (url, hashes)) for url, content, hashes in of_pages)
        returning = self._returning([hashes for _, hashes in read]) if len(read) > 1 else ()
        if not returning:
            return []
        score = float(sum(entry.pages - 1 for entry in returning))
        common = of_whole_site(pages[0].site, [url for url, _ in read], score)
        shared = {field.name for field in fields(self.options)} & {field.name for field in fields(self.pattern_class)}
        own = {name: getattr(self.options, name) for name in shared}
        return [self.pattern_class(**common, returning=returning, **own)]

    def _returning(self, of_pages: Sequence[Hashes]) -> tuple[Returning, ...]:
        hashes, on_pages = np.unique(np.concatenate([np.unique(of_page) for of_page in of_pages]), return_counts=True)
        kept = on_pages >= least_pages(len(of_pages), self.options.min_pages, self.options.min_share)
        if self.max_occurrences:  # np.unique returns equal hashes in equal order
            kept &= np.unique(np.concatenate(of_pages), return_counts=True)[1] <= self.max_occurrences
        return tuple(map(Returning, hashes[kept].tolist(), on_pages[kept].tolist()))


# Returning subtrees

IGNORED_ATTRIBUTES = ("nonce", "data-*")  # attributes that scripts fill anew on every page or visit


@dataclass(frozen=True, slots=True)
class DomHashOptions(ReturningOptions):
    """Options for finding subtrees; ``min_pages`` is the paper's lower threshold."""

    # the paper's upper threshold: most occurrences of a template's subtree in the sample; 0 for no limit
    max_occurrences: Annotated[int, Between(0)] = 0
    min_words: Annotated[int, Between(0)] = 1  # least words of a subtree without a link
    # attributes left out of hashes; a final ``*`` stands for any ending
    ignored_attributes: tuple[str, ...] = IGNORED_ATTRIBUTES
    # siblings allowed between two subtrees of one template
    max_gap_siblings: Annotated[int, Between(0)] = MAX_GAP_SIBLINGS
    max_gap_chars: Annotated[int, Between(0)] = MAX_GAP_CHARS  # letters and digits allowed in siblings between


class DomHashLearner(ReturningLearner[DomHashOptions]):
    """DOM-based system: counts the pages with each subtree."""

    name: ClassVar[str] = "dom_hash"
    options_class: ClassVar[type[Any] | None] = DomHashOptions
    pattern_class = DomHashPattern

    def __init__(self, options: DomHashOptions | None = None) -> None:
        super().__init__(options)
        self.max_occurrences = self.options.max_occurrences

    def read(self, page: Page) -> tuple[int, Hashes]:
        options = self.options
        read = subtrees_of(root_of(page, options.default_charset), options.ignored_attributes)
        hashes = [node.hash for node in read.nodes if node.words >= options.min_words or node.links]
        return read.content, np.array(hashes, dtype=np.uint64)


# Returning fragments of text


@dataclass(frozen=True, slots=True)
class ShingleOptions(ReturningOptions):
    """Options for finding fragments, with the paper's letters in brackets; ``min_pages`` is [F]."""

    min_share: Share = 0.1  # least share of the sample with a fragment, since related articles share quotations
    width: Annotated[int, Between(1)] = 8  # words of a fragment [W]
    # one fragment in this many is counted, chosen by its hash; 0 and 1 count all [D].
    density: Annotated[int, Between(0)] = 1
    max_pages: Annotated[int, Between(2)] = 200  # pages of a site in the sample [P]


class ShingleLearner(ReturningLearner[ShingleOptions]):
    """Text-based system: counts the pages with each fragment, a run of words."""

    name: ClassVar[str] = "shingle"
    options_class: ClassVar[type[Any] | None] = ShingleOptions
    pattern_class = ShinglePattern

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn from at most :attr:`ShingleOptions.max_pages` pages, drawn uniformly by URL; see
        :meth:`Learner.learn`."""
        chosen = frozenset(drawn((page.url for page in pages), self.options.max_pages, seed))
        return super().learn([page for page in pages if page.url in chosen], seed=seed)

    def read(self, page: Page) -> tuple[int, Hashes]:
        blocks = BlockOptions().blocks_of(root_of(page, self.options.default_charset))
        words = [word for block in blocks for word in tokens(block.text)]
        hashes = fragment_hashes(words, self.options.width)
        return stable_hash(*words), hashes[in_sample(hashes, self.options.density)]
