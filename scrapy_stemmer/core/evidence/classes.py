"""What a site's blocks of one class of paths are like: estimates with shrinkage from coarse to fine.

Blocks are classed by their path at five levels: by tag, by the last one, two and three components, and by the full
path. The estimate for a class leans on that of the coarser class, the more the fewer blocks it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scrapy_stemmer.core.evidence.paths import PathTree

PRIOR_BLOCKS = 2
"""The coarser estimate counts as so many blocks."""

LONG = 60
"""Blocks of this weight are long."""

DIGITS = 3
"""Decimals that are kept of what was learned."""

FULL_PATH = 4
"""The finest level."""

STATIC_TRUST = (0.1, 0.3, 0.6, 0.8, 1.0)
"""How much the static share of a class says, by level: all ``p`` of a site are hardly alike, those of a path are."""


class Profile(NamedTuple):
    """What the blocks of a class are like.

    :param static: share of their text that stands on at least two pages of the sample.
    :param link: share of their text in links.
    :param long: share of blocks with a weight of at least :data:`LONG`.
    :param worth: mean prior of their text; ``None`` when no block of the site is like them.
    """

    static: float = 0.0
    link: float = 0.0
    long: float = 0.0
    worth: float | None = None


class Observed(NamedTuple):
    """A block as the table counts it.

    :param path: number of its path.
    :param weight: see :class:`scrapy_stemmer.core.evidence.outline.TextBlock`; ``anchor_weight`` too.
    :param static: whether its text stands on at least two pages.
    """

    path: int
    weight: int
    static: bool
    anchor_weight: int


Means = tuple[float, ...]
"""Means of several measures, in a fixed order."""


@dataclass(frozen=True, slots=True)
class ClassMeans:
    """Means of some measures for the classes of a site's paths.

    :param by_path: for full paths, by their numbers.
    :param by_suffix: for the coarser classes, by :meth:`PathTree.suffixes`.
    """

    by_path: Mapping[int, Means]
    by_suffix: Mapping[str, Means]

    def of(self, paths: PathTree, path: int) -> tuple[Means, int] | None:
        """The means of the finest class of a path that the site has, and its level; ``None`` when it has none."""
        if path in self.by_path:
            return self.by_path[path], FULL_PATH
        suffixes = paths.suffixes(path)
        for level in range(len(suffixes) - 1, -1, -1):
            if suffixes[level] in self.by_suffix:
                return self.by_suffix[suffixes[level]], level
        return None


class Contribution(NamedTuple):
    """What a block adds to the means of its classes: values, and the weight of each."""

    path: int
    values: Means
    weights: Means


def class_means(paths: PathTree, contributions: Iterable[Contribution]) -> ClassMeans:
    """The weighted means of each class, each leaning on those of the class that is coarser by one level."""
    by_path: dict[int, _Sum] = {}
    by_suffix: dict[str, _Sum] = {}
    chains: dict[int, list[str]] = {}
    for path, values, weights in contributions:
        if path not in chains:
            chains[path] = paths.suffixes(path)
        sums = [by_suffix.setdefault(suffix, _Sum(len(values))) for suffix in chains[path]]
        for total in [*sums, by_path.setdefault(path, _Sum(len(values)))]:
            total.add(values, weights)
    means: dict[str, Means] = {}
    for chain in chains.values():
        for coarser, suffix in zip([None, *chain], chain, strict=False):
            if suffix not in means:
                means[suffix] = by_suffix[suffix].mean(means[coarser] if coarser else None)
    full = {path: total.mean(means[chains[path][-1]]) for path, total in by_path.items()}
    return ClassMeans(full, means)


class _Sum:
    """Weighted sums over the blocks of a class."""

    __slots__ = ("blocks", "totals", "weights")

    def __init__(self, width: int) -> None:
        self.blocks = 0
        self.totals = [0.0] * width
        self.weights = [0.0] * width

    def add(self, values: Means, weights: Means) -> None:
        self.blocks += 1
        for index, (value, weight) in enumerate(zip(values, weights, strict=True)):
            self.totals[index] += value * weight
            self.weights[index] += weight

    def mean(self, coarser: Means | None) -> Means:
        own = tuple(total / weight if weight else 0.0 for total, weight in zip(self.totals, self.weights, strict=True))
        if coarser is None:
            return own
        share = self.blocks / (self.blocks + PRIOR_BLOCKS)
        return tuple(share * a + (1 - share) * b for a, b in zip(own, coarser, strict=True))


def profiles(paths: PathTree, blocks: Iterable[Observed]) -> ClassMeans:
    """The means that make up :class:`Profile`, in its order."""
    return class_means(
        paths,
        (
            Contribution(
                block.path,
                (float(block.static), block.anchor_weight / block.weight, float(block.weight >= LONG)),
                (block.weight, block.weight, 1.0),
            )
            for block in blocks
        ),
    )


def profile_of(means: ClassMeans, paths: PathTree, path: int) -> Profile:
    """The profile of a path; that of no block at all when the site has not even its tag.

    :param means: of :func:`profiles`, with or without those of worth.
    """
    found = means.of(paths, path)
    if found is None:
        return Profile()
    (static, *others), level = found
    return Profile(STATIC_TRUST[level] * static, *others)


def joined(first: ClassMeans, second: ClassMeans) -> ClassMeans:
    """The means of both, for the same classes, rounded."""
    return ClassMeans(
        {path: _rounded(means + second.by_path[path]) for path, means in first.by_path.items()},
        {suffix: _rounded(means + second.by_suffix[suffix]) for suffix, means in first.by_suffix.items()},
    )


def _rounded(means: Means) -> Means:
    return tuple(round(mean, DIGITS) for mean in means)
