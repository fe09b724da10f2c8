"""Templates as fragments of text that return: the text-based system of Gibson, Punera and Tomkins (WWW 2005).

Known from restatements by later papers. The unit is the word, or the character in scripts that don't part words;
a fragment is counted once a page, however often it stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, ClassVar

from scrapy_stemmer.core.blocks import blocks_of
from scrapy_stemmer.core.document import Page, root_of
from scrapy_stemmer.core.text import drawn, stable_hash
from scrapy_stemmer.learners.repetition.fragments import covered, fragment_hashes, in_sample, spans, word_values
from scrapy_stemmer.learners.repetition.learner import ReadPage, ReturningLearner, ReturningOptions
from scrapy_stemmer.learners.repetition.pattern import ShinglePattern, TemplateText, words_of
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share


@dataclass(frozen=True, slots=True)
class ShingleOptions(ReturningOptions):
    """How fragments are found; the paper's letters in brackets. ``min_pages`` of :class:`ReturningOptions` is [F].

    :param min_share: share of the sample that a fragment must be on too: related articles quote each other.
    :param width: words of a fragment [W].
    :param density: of all fragments one in so many is counted, chosen by its hash; 0 and 1 count all [D]. Above
        ``width`` / 4 templates fall apart.
    :param max_pages: pages of a site that are sampled [P].
    """

    min_share: Share = 0.1
    width: Annotated[int, Between(1)] = 8
    density: Annotated[int, Between(0)] = 1
    max_pages: Annotated[int, Between(2)] = 200


class ShingleLearner(ReturningLearner[list[str]]):
    """Counts the pages that have each fragment.

    :param options: see :class:`ShingleOptions`.
    """

    name: ClassVar[str] = "shingle"
    options_class: ClassVar[type[Any] | None] = ShingleOptions

    def __init__(self, options: ShingleOptions | None = None) -> None:
        self.options: ShingleOptions = options or ShingleOptions()

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """From at most :attr:`ShingleOptions.max_pages` pages, drawn uniformly by URL; see :meth:`Learner.learn`."""
        chosen = frozenset(drawn((page.url for page in pages), self.options.max_pages, seed))
        return super().learn([page for page in pages if page.url in chosen], seed=seed)

    def read(self, page: Page) -> ReadPage[list[str]]:
        """The fragments of a page that are counted."""
        blocks = blocks_of(root_of(page, self.options.default_charset))
        words = list(chain.from_iterable(words_of(blocks)))
        hashes = fragment_hashes(word_values(words), self.options.width)
        counted = hashes[in_sample(hashes, self.options.density)]
        return ReadPage(page.url, stable_hash(*words), counted, words)

    def templates(self, detail: list[str], pages_of: Mapping[int, int]) -> Iterable[TemplateText]:
        """Fragments that return, joined where they overlap or touch."""
        width = self.options.width
        pages = [pages_of.get(hash_, 0) for hash_ in fragment_hashes(word_values(detail), width).tolist()]
        for first, end in spans(covered([count > 0 for count in pages], width, len(detail))):
            yield TemplateText(" ".join(detail[first:end]), min(filter(None, pages[first : end - width + 1])))

    def pattern(self, common: Mapping[str, Any]) -> ShinglePattern:
        """The pattern, with the width of its fragments."""
        return ShinglePattern(**common, width=self.options.width)
