"""Samples of a site's pages: what a learner would have been given, with the features of their blocks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.features import features
from scrapy_stemmer.learners.rules.repeats import Repeats
from scrapy_stemmer.learners.rules.sample import Placer, common_names
from scrapy_stemmer.learners.rules.table import PageFacts
from training.pages import LabelledPage, Site

LARGEST = 12
"""Pages of a sample, at most: what is learned from ten and more differs little."""

SAMPLES = 3
"""Samples of a large site, at most; they have no page in common."""

PAGES_A_SAMPLE = 11
"""A site has a sample for so many pages."""

SMALL = {1: 2, 2: 2, 3: 1, 5: 1}
"""Sizes of the small samples that are drawn too, and how many of each: the scorer must know what few pages tell."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The blocks of some pages of a site.

    :param numbers: of the pages within the site.
    :param is_small: whether fewer pages were taken than there are.
    :param rows: the features, a row a block.
    :param names: of the features.
    :param page: for each block the place of its page in the sample.
    :param path: for each block the number of its path.
    :param length: for each block its length.
    :param wanted: for each block whether it is text of its page.
    :param optional: for each block whether it may be either.
    """

    site: Site
    numbers: tuple[int, ...]
    is_small: bool
    placer: Placer
    rows: NDArray[np.float32]
    names: tuple[str, ...]
    page: NDArray[np.int64]
    path: NDArray[np.int64]
    length: NDArray[np.float64]
    wanted: NDArray[np.bool_]
    optional: NDArray[np.bool_]


def drawn(site: Site) -> Iterator[tuple[tuple[int, ...], bool]]:
    """The numbers of the pages of each sample of a site, and whether it is a small one; the same at each call."""
    count = len(site.pages)
    dice = random.Random(crc32(site.name.encode()))
    order = list(range(count))
    dice.shuffle(order)
    samples = max(1, min(SAMPLES, count // PAGES_A_SAMPLE))
    for begin in range(samples):
        yield tuple(order[begin::samples][:LARGEST]), False
    for size, times in SMALL.items():
        for _ in range(times if size < count else 0):
            yield tuple(dice.sample(order, size)), True


def samples_of(site: Site) -> Iterator[Sample]:
    """The samples of a site that have any text."""
    for numbers, is_small in drawn(site):
        if any(site.pages[number].measures for number in numbers):
            yield sample_of(site, numbers, is_small)


def sample_of(site: Site, numbers: Sequence[int], is_small: bool = False) -> Sample:
    """A sample of a site, in which each page is seen beside the others.

    :param numbers: of the pages, some of which have text.
    """
    pages = [site.pages[number] for number in numbers]
    placer = Placer(common_names([page.columns for page in pages], site.signatures))
    facts = facts_of_sample(site, pages, placer)
    rows, names = features(facts, placer.paths)
    return Sample(
        site=site,
        numbers=tuple(numbers),
        is_small=is_small,
        placer=placer,
        rows=rows,
        names=tuple(names),
        page=np.repeat(np.arange(len(pages)), [len(page.measures) for page in pages]),
        path=np.array([one.paths[element] for one in facts for element in one.columns.elements], np.int64),
        length=np.concatenate([page.lengths for page in pages]),
        wanted=np.concatenate([page.labels.wanted for page in pages]),
        optional=np.concatenate([page.labels.optional for page in pages]),
    )


def facts_of_sample(site: Site, pages: Sequence[LabelledPage], placer: Placer) -> list[PageFacts]:
    """What is known of the pages of a sample."""
    others = len(pages) - 1
    if not others:
        return [facts_of(site, pages[0], placer, None, None, 0)]
    texts = Repeats([page.keys for page in pages])
    links = Repeats([page.links for page in pages])
    return [
        facts_of(
            site,
            page,
            placer,
            texts.shares_on_others(number, page.keys),
            links.shares_on_others(number, page.links),
            others,
        )
        for number, page in enumerate(pages)
    ]


class Known:
    """What a learned sample tells of the pages that come after it: which texts and links return.

    :param pages: the pages that were learned.
    """

    def __init__(self, pages: Sequence[LabelledPage]) -> None:
        self.pages = len(pages)
        self._texts = _returning([page.keys for page in pages])
        self._links = _returning([page.links for page in pages])

    def facts(self, site: Site, page: LabelledPage, placer: Placer) -> PageFacts:
        """What is known of a page that was not learned."""
        return facts_of(
            site,
            page,
            placer,
            [self._texts.get(key, 0) / self.pages for key in page.keys],
            [self._links.get(key, 0) / self.pages for key in page.links],
            self.pages,
        )


def _returning(pages: Sequence[Collection[int]]) -> Mapping[int, int]:
    """How many pages have each key. Of more than one page, keys of one page alone are left out, as in a pattern."""
    counts = Counter(key for keys in pages for key in set(keys))
    least = min(2, len(pages))
    return {key: count for key, count in counts.items() if count >= least}


def facts_of(
    site: Site,
    page: LabelledPage,
    placer: Placer,
    repeated: Sequence[float] | None,
    links_repeated: Sequence[float] | None,
    others: int,
) -> PageFacts:
    """What is known of a page; see :class:`PageFacts`."""
    return PageFacts(
        url=page.url,
        columns=page.columns,
        paths=placer.place(page.columns, site.signatures),
        measures=page.measures,
        repeated=repeated,
        links_repeated=links_repeated,
        links_inside=page.links_inside,
        others=others,
        is_article=page.is_article,
        title_keys=page.title_keys,
    )
