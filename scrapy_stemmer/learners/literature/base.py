"""Options, common fields, and labels by noise confidences, of the learners of the literature."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from lxml import etree

from scrapy_stemmer.learners.base import Learner, Options
from scrapy_stemmer.learners.literature.alignment import TextMatcher, dice
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.page.blocks import LayoutBlock, Piece
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Document, Page, root_of
from scrapy_stemmer.page.text import significant
from scrapy_stemmer.patterns.base import LabelledBlock, PageMatch, Pattern, Role, Sample
from scrapy_stemmer.patterns.record import Record

P = TypeVar("P", bound=Pattern)
T = TypeVar("T")

SITE_WIDE = "(all pages)"  # name of the pattern over all pages of a site
MAX_SAMPLES = 5  # pages listed as samples of a pattern
DIGITS = 6  # decimals of scores in patterns, to keep files readable and comparable


@dataclass(frozen=True, slots=True)
class LiteratureOptions(Options):
    default_charset: str = DEFAULT_CHARSET  # charset of pages that declare none


OptionsT = TypeVar("OptionsT", bound=LiteratureOptions)


class LiteratureLearner(Learner, Generic[OptionsT]):
    """A learner with options, by default the defaults of its :attr:`options_class`."""

    def __init__(self, options: OptionsT | None = None) -> None:
        assert self.options_class is not None
        self.options: OptionsT = options or self.options_class()

    def root_of(self, page: Page) -> etree._Element:
        return root_of(page, self.options.default_charset)


def of_whole_site(site: str, urls: Sequence[str], score: float) -> dict[str, Any]:
    """Return the fields common to all patterns, for a pattern of a whole site learned from ``urls``."""
    samples = tuple(Sample(url) for url in urls[:MAX_SAMPLES])
    named = {"site": site, "name": SITE_WIDE, "site_wide": True}
    return named | {"support": len(urls), "score": round(score, DIGITS), "samples": samples}


def distinct(read: Iterable[tuple[str, Any, T]]) -> list[T]:
    """Return pages, given with URL and content, in the order of both, whatever their order; of copies only the
    first."""
    found: dict[Any, T] = {}
    for _, content, page in sorted(read, key=lambda each: each[:2]):
        found.setdefault(content, page)
    return list(found.values())


def with_own_names(patterns: Iterable[P]) -> list[P]:
    named: dict[str, P] = {}
    for number, pattern in enumerate(patterns, 1):
        name = pattern.name
        while name in named:
            name += f" ({number})"
        named[name] = replace(pattern, name=name)
    return list(named.values())


_HASH = re.compile("[0-9a-f]{16}")


def read_hash(record: Record, field: str, text: str) -> int:
    if not _HASH.fullmatch(text):
        raise record.error(field, f"must be 16 hexadecimal digits, not {text!r}")
    return int(text, 16)


# Labels by noise confidences

SITE_THRESHOLD = 0.1  # share of a page's text or paths that a pattern of a whole site must know to label the page
TEMPLATE_NOISE = 0.5  # noise confidence above which a block is template
MIN_TITLE_DICE = 0.4  # least agreement with the ``title`` element, which usually holds the site's name too


@dataclass(frozen=True, kw_only=True)
class NoisePattern(Pattern):
    """Pattern that knows the noise confidences of a page's blocks."""

    @property
    def threshold(self) -> float:
        """The similarity above which a page is labelled."""
        return SITE_THRESHOLD

    @abstractmethod
    def read(self, document: Document, blocks: Sequence[LayoutBlock]) -> tuple[float, Sequence[float], Sequence[float]]:
        """Return a page's similarity, each block's noise confidence, and its noise confidence as a title."""

    def match(self, document: Document) -> PageMatch | None:
        blocks = document.blocks(BlockOptions())
        similarity, noise, as_title = self.read(document, blocks)
        if similarity <= self.threshold:
            return None
        return PageMatch(self.name, similarity, label_by_noise(blocks, noise, as_title))


def mean_noise(parts: Iterable[tuple[float, float]], unknown: float = 0.0) -> float:
    size = noisy = 0.0
    for of_part, noise in parts:
        size += of_part
        noisy += of_part * noise
    return min(1.0, noisy / size) if size else unknown


def noise_by_piece(
    blocks: Sequence[LayoutBlock], noise_of: Callable[[Piece], float], unknown: float = 0.0
) -> list[float]:
    """Return each block's mean noise confidence over the letters and digits of its pieces."""
    return [
        mean_noise(((len(significant(piece.text)), noise_of(piece)) for piece in block.pieces), unknown)
        for block in blocks
    ]


def label_by_noise(
    blocks: Sequence[LayoutBlock], noise: Sequence[float], as_title: Sequence[float]
) -> tuple[LabelledBlock, ...]:
    """Give each block a role: template above :data:`TEMPLATE_NOISE`, otherwise main text.

    The title is the heading in best agreement with the ``title`` element, among headings that aren't surely template
    by ``as_title``, or else the ``title`` element.
    """
    title = next((index for index, block in enumerate(blocks) if block.path == "title"), None)
    if title is not None:
        matcher = TextMatcher()
        scored = [
            (dice(block.text, blocks[title].text, matcher), -index)
            for index, block in enumerate(blocks)
            if block.components and block.components[-1].tag in ("h1", "h2") and as_title[index] < 1.0
        ]
        best, position = max(scored, default=(0.0, 0))
        title = -position if best >= MIN_TITLE_DICE else title
    labelled = []
    for index, (block, confidence) in enumerate(zip(blocks, noise, strict=True)):
        role = Role.TEMPLATE if confidence > TEMPLATE_NOISE else Role.MAIN
        labelled.append(LabelledBlock(block, Role.TITLE if index == title else role, confidence))
    return tuple(labelled)
