"""Samples of a site's pages: what a learner would have been given, with the features of their blocks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.decide.features import FEATURE_NAMES
from scrapy_stemmer.learners.rules.decide.scorer import features
from scrapy_stemmer.learners.rules.learn import learning
from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.learners.rules.site.hints import PathFeatures
from training.pages import Site

LARGEST = 12  # pages of a sample, at most: what is learned from ten and more differs little
SAMPLES = 3  # samples of a large site, at most; they have no page in common
PAGES_A_SAMPLE = 11  # pages of a site for each sample

SMALL = {1: 2, 2: 2, 3: 1, 5: 1}
"""Sizes of additional small samples, and the number of each: the scorer must know the limits of few pages."""


NAMELESS = 0.5
"""The share of samples with a copy that has lost names of elements: on English pages names tell so much that trees
would rely on names alone, and many pages, most pages in further languages, have no telling names."""

MOST_NAMELESS = 5  # pages of a sample without names, at most: with more, returning text is enough

KEPT_NAMES = (0.0, 0.5)  # shares of names that are left there


@dataclass(frozen=True, eq=False)
class Sample:
    """The blocks of some pages of a site, each page seen beside the rest.

    :param numbers: of the pages within the site.
    :param is_small: True for fewer pages than the site has, or removed names.
    :param rows: the features, a row a block.
    :param names: of the features.
    :param page: for each block the place of its page in the sample.
    :param length: for each block its length.
    :param wanted: for each block True for text of its page.
    :param optional: for each block True for optional text.
    """

    site: Site
    numbers: tuple[int, ...]
    is_small: bool
    rows: NDArray[np.float32]
    names: tuple[str, ...]
    page: NDArray[np.int64]
    length: NDArray[np.float64]
    wanted: NDArray[np.bool_]
    optional: NDArray[np.bool_]


def drawn(site: Site) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Return the numbers of the pages of each sample of a site, and True for small samples; equal at each call."""
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
    """Return the samples of a site with any text, some samples a second time with fewer names."""
    dice = random.Random(crc32(f"names of {site.name}".encode()))
    for numbers, is_small in drawn(site):
        if not any(site.pages[number].read.columns.texts for number in numbers):
            continue
        yield sample_of(site, numbers, is_small)
        if len(numbers) <= MOST_NAMELESS and dice.random() < NAMELESS:
            few = replace(site, signatures=nameless(site.signatures, dice.choice(KEPT_NAMES), dice))
            yield replace(sample_of(few, numbers, is_small=True), site=site)


def nameless(signatures: Sequence[Signature], share: float, dice: random.Random) -> tuple[Signature, ...]:
    """Return signatures with a share of all class names and identifiers, each left in all elements or in none."""
    names = {name for each in signatures for name in (*each.classes.split(), f"#{each.id}")}
    kept = {name for name in sorted(names) if dice.random() < share}
    return tuple(
        each._replace(
            id=each.id if f"#{each.id}" in kept else "",
            classes=" ".join(filter(kept.__contains__, each.classes.split())),
        )
        for each in signatures
    )


def sample_of(site: Site, numbers: Sequence[int], is_small: bool = False) -> Sample:
    """A sample of a site.

    :param numbers: of the pages, some of which have text.
    """
    pages = [site.pages[number] for number in numbers]
    learned = learning.PlacedSample([page.read for page in pages], site.signatures)
    rows = features(learned.facts, PathFeatures(learned.paths))
    return Sample(
        site=site,
        numbers=tuple(numbers),
        is_small=is_small,
        rows=rows,
        names=FEATURE_NAMES,
        page=np.repeat(np.arange(len(pages)), [len(page.read.columns.texts) for page in pages]),
        length=learned.length,
        wanted=np.concatenate([page.labels.wanted for page in pages]),
        optional=np.concatenate([page.labels.optional for page in pages]),
    )
