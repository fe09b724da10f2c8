"""What the learners of the two systems of Gibson, Punera and Tomkins share.

First pass: every page is read as hashes, which are counted over the distinct pages. Second pass: on a few of the
pages, what returns is joined to templates, so that people can read what was found; new pages are labelled by the
hashes alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, check_least, check_shares
from scrapy_stemmer.learners.repetition.hashes import Counted, Hashes, count_pages, least_pages
from scrapy_stemmer.learners.repetition.pattern import Returning, ReturningPattern, TemplateText
from scrapy_stemmer.patterns.base import Pattern, Sample

SECOND_PASS_PAGES = 20
"""Pages on which templates are put together for readers."""

MAX_TEMPLATES = 100
"""Templates that a pattern shows, those on most pages first."""

MAX_EXAMPLE = 120
"""Characters of a template that a pattern shows."""

Detail = TypeVar("Detail")
"""A page as the second pass needs it."""


@dataclass(frozen=True, slots=True)
class ReturningOptions:
    """What counts as template in both systems.

    :param min_pages: distinct pages that something must be on; 1 makes everything template. ``None`` for 3, or 2 in a
        sample of fewer than 12, see :func:`scrapy_stemmer.learners.repetition.hashes.least_pages`.
    :param min_share: share of the sample, from 0 to 1, that it must be on as well.
    :param default_charset: for pages that declare no charset.
    """

    min_pages: int | None = None
    min_share: float = 0.0
    default_charset: str = DEFAULT_CHARSET

    def __post_init__(self) -> None:
        if self.min_pages is not None:
            check_least(self, 1, "min_pages")
        check_shares(self, "min_share")


@dataclass(frozen=True, eq=False, slots=True)
class ReadPage(Generic[Detail]):
    """A page after the first pass.

    :param name: its URL.
    :param content: the same for pages that are copies of each other.
    :param hashes: what is counted.
    """

    name: str
    content: int
    hashes: Hashes
    detail: Detail


class ReturningLearner(Learner, Generic[Detail]):
    """Counts on how many pages of a site hashes return."""

    options: ReturningOptions

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

    def sampled(self, pages: Sequence[Page], seed: int) -> Sequence[Page]:
        """The pages to read."""
        return pages

    def count(self, pages: Sequence[Hashes]) -> Counted:
        """The hashes that return, with the number of pages that have them."""
        least = least_pages(len(pages), self.options.min_pages, self.options.min_share)
        return count_pages(pages).within(least)

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """One pattern for the whole site; see :meth:`Learner.learn`. None from a single page."""
        sample: _Distinct[Detail] = _Distinct()
        for page in self.sampled(pages, seed):
            sample.add(self.read(page))
        if len(sample.hashes) < 2:
            return []
        counted = self.count(sample.hashes)
        return [self._pattern(pages[0].site, sample, counted)] if len(counted.hashes) else []

    def _pattern(self, site: str, sample: _Distinct[Detail], counted: Counted) -> ReturningPattern:
        pages_of = dict(zip(counted.hashes.tolist(), counted.counts.tolist(), strict=True))
        return self.pattern(
            {
                "site": site,
                "name": SITE_WIDE,
                "site_wide": True,
                "support": len(sample.hashes),
                "score": float(sum(pages - 1 for pages in pages_of.values())),
                "samples": tuple(Sample(name) for name in sample.names[:MAX_SAMPLES]),
                "returning": tuple(Returning(*entry) for entry in pages_of.items()),
                "templates": tuple(self._shown(sample.first, pages_of)),
            }
        )

    def _shown(self, pages: Iterable[ReadPage[Detail]], pages_of: Mapping[int, int]) -> Iterator[TemplateText]:
        found: defaultdict[str, int] = defaultdict(int)
        for page in pages:
            for template in self.templates(page.detail, pages_of):
                text = template.text[:MAX_EXAMPLE]
                found[text] = max(found[text], template.pages)
        ordered = sorted(found.items(), key=lambda entry: (-entry[1], -len(entry[0]), entry[0]))
        return (TemplateText(text, pages) for text, pages in islice(ordered, MAX_TEMPLATES))


class _Distinct(Generic[Detail]):
    """The pages of a sample, copies of a page once; the result does not depend on the order of pages."""

    def __init__(self) -> None:
        self._pages: dict[int, tuple[str, bytes, Hashes]] = {}
        self.first: list[ReadPage[Detail]] = []

    def add(self, page: ReadPage[Detail]) -> None:
        """Take one more page. Of copies, whose heads may differ, the first by URL counts."""
        new = (*_order(page), page.hashes)
        known = self._pages.setdefault(page.content, new)
        if new[:2] < known[:2]:
            self._pages[page.content] = new
        self._keep(page)

    @property
    def hashes(self) -> list[Hashes]:
        """The hashes of each distinct page."""
        return [hashes for _, _, hashes in self._pages.values()]

    @property
    def names(self) -> list[str]:
        """The first URL of each distinct page, ascending."""
        return sorted(name for name, _, _ in self._pages.values())

    def _keep(self, page: ReadPage[Detail]) -> None:
        """Keep the first pages by URL, so that memory does not grow with the sample."""
        distinct: dict[int, ReadPage[Detail]] = {}
        for candidate in sorted([*self.first, page], key=_order):
            distinct.setdefault(candidate.content, candidate)
        self.first = list(distinct.values())[:SECOND_PASS_PAGES]


def _order(page: ReadPage[Detail]) -> tuple[str, bytes]:
    return page.name, page.hashes.tobytes()


def pages_with_all(hashes: Collection[int], pages_of: Mapping[int, int]) -> int:
    """The most pages that may have all of these."""
    return min(pages_of[hash_] for hash_ in hashes)
