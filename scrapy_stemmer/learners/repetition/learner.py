"""What the learners of the two systems of Gibson, Punera and Tomkins share.

First pass: every page is read as hashes, which are counted over the distinct pages. Second pass: on a few of the
pages, what returns is joined to templates, so that people can read what was found; new pages are labelled by the
hashes alone.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Generic, TypeVar

import numpy as np

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, Options
from scrapy_stemmer.learners.repetition.fragments import Hashes
from scrapy_stemmer.learners.repetition.pattern import Returning, ReturningPattern, TemplateText
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.record import Between, Share

MIN_PAGES = 3
"""Pages that something must be on, unless a user asks for another number or the sample is small."""

SMALL_SAMPLE = 4
"""Up to this many pages for each of :data:`MIN_PAGES`, a sample is small. Of ten pages, two instead of three give
two portals two points of F1 and cost two sites of documentation one (measured)."""

SECOND_PASS_PAGES = 20
"""Pages on which templates are put together for readers."""

MAX_TEMPLATES = 100
"""Templates that a pattern shows, those on most pages first."""

MAX_EXAMPLE = 120
"""Characters of a template that a pattern shows."""

Detail = TypeVar("Detail")
"""A page as the second pass needs it."""


@dataclass(frozen=True, slots=True)
class ReturningOptions(Options):
    """What counts as template in both systems.

    :param min_pages: distinct pages that something must be on; 1 makes everything template. ``None`` for 3, or 2 in a
        sample of fewer than 12, see :func:`least_pages`.
    :param min_share: share of the sample, from 0 to 1, that it must be on as well.
    :param default_charset: for pages that declare no charset.
    """

    min_pages: Annotated[int | None, Between(1)] = None
    min_share: Share = 0.0
    default_charset: str = DEFAULT_CHARSET


def least_pages(count: int, pages: int | None = None, share: float = 0.0) -> int:
    """The number of pages on which something must stand to be template.

    :param count: distinct pages of the sample.
    :param pages: pages that are asked for. ``None`` for :data:`MIN_PAGES`, or for one page in :data:`SMALL_SAMPLE` of a
        small sample, but for 2 at least: what stands on one page does not return.
    :param share: part of the sample, from 0 to 1, that is asked for as well.
    """
    if pages is None:
        pages = min(MIN_PAGES, max(2, count // SMALL_SAMPLE))
    return max(pages, math.ceil(share * count))


@dataclass(frozen=True, eq=False, slots=True)
class ReadPage(Generic[Detail]):
    """A page after the first pass.

    :param content: the same for pages that are copies of each other.
    :param hashes: what is counted.
    """

    url: str
    content: int
    hashes: Hashes
    detail: Detail


class ReturningLearner(Learner, Generic[Detail]):
    """Counts on how many pages of a site hashes return."""

    options: ReturningOptions
    max_occurrences = 0
    """What the sample has more often, all pages together, is no template; 0 for no such threshold."""

    @abstractmethod
    def read(self, page: Page) -> ReadPage[Detail]:
        """A page's hashes. Its tree is not kept."""

    @abstractmethod
    def templates(self, detail: Detail, pages_of: Mapping[int, int]) -> Iterable[TemplateText]:
        """The templates of a page, for readers.

        :param pages_of: the hashes that return, with their numbers of pages.
        """

    @abstractmethod
    def pattern(self, common: Mapping[str, object]) -> ReturningPattern:
        """A pattern with these fields, and with the options that it needs."""

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """One pattern for the whole site; see :meth:`Learner.learn`. None from a single page."""
        urls: list[str] = []
        details: list[Detail] = []
        of_pages: list[Hashes] = []
        for page in self._distinct(pages):
            urls.append(page.url)
            of_pages.append(page.hashes)
            if len(details) < SECOND_PASS_PAGES:
                details.append(page.detail)
        if len(urls) < 2:
            return []
        hashes, on_pages = np.unique(np.concatenate([np.unique(of_page) for of_page in of_pages]), return_counts=True)
        kept = on_pages >= least_pages(len(urls), self.options.min_pages, self.options.min_share)
        if self.max_occurrences:  # counts of the same hashes, in the same order
            kept &= np.unique(np.concatenate(of_pages), return_counts=True)[1] <= self.max_occurrences
        returning = tuple(map(Returning, hashes[kept].tolist(), on_pages[kept].tolist()))
        if not returning:
            return []
        common = {
            "site": pages[0].site,
            "name": SITE_WIDE,
            "site_wide": True,
            "support": len(urls),
            "score": float(sum(entry.pages - 1 for entry in returning)),
            "samples": tuple(Sample(url) for url in urls[:MAX_SAMPLES]),
            "returning": returning,
            "templates": tuple(self._shown(details, dict(returning))),
        }
        return [self.pattern(common)]

    def _distinct(self, pages: Sequence[Page]) -> Iterator[ReadPage[Detail]]:
        """The pages by URL, of those with the same content only the first, whatever the order of ``pages``."""
        seen: set[int] = set()
        url_of = attrgetter("url")
        for _, of_url in groupby(sorted(pages, key=url_of), key=url_of):
            for page in sorted(map(self.read, of_url), key=lambda page: page.hashes.tolist()):
                if page.content not in seen:
                    seen.add(page.content)
                    yield page

    def _shown(self, details: Iterable[Detail], pages_of: Mapping[int, int]) -> list[TemplateText]:
        """The templates that people are shown, those on most pages first, longer ones before shorter ones."""
        found: dict[str, int] = {}
        for detail in details:
            for template in self.templates(detail, pages_of):
                text = template.text[:MAX_EXAMPLE]
                found[text] = max(found.get(text, 0), template.pages)
        ordered = sorted(found.items(), key=lambda entry: (-entry[1], -len(entry[0]), entry[0]))
        return [TemplateText(*entry) for entry in ordered[:MAX_TEMPLATES]]
