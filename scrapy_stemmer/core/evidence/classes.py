"""What a site's blocks of one class of paths are like: estimates with shrinkage from coarse to fine.

Blocks are classed by their path at five levels: by tag, by the last one, two and three components, and by the full
path. The estimate for a class leans on that of the coarser class, the more the fewer blocks it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrapy_stemmer.core.evidence.paths import PathTree

PRIOR_BLOCKS = 2
"""The coarser estimate counts as so many blocks."""

LONG = 60
"""Blocks of this weight are long."""

DIGITS = 3
"""Decimals that are kept of what was learned."""

_SCALE = 10.0**DIGITS

FULL_PATH = 4
"""The finest level."""

STATIC_TRUST = (0.1, 0.3, 0.6, 0.8, 1.0)
"""How much the static share of a class says, by level: all ``p`` of a site are hardly alike, those of a path are."""


@dataclass(frozen=True)
class Profile:
    """What the blocks of a class are like.

    :param static_share: share of their text that stands on at least two pages of the sample.
    :param link_share: share of their text in links.
    :param long_share: share of blocks with a weight of at least :data:`LONG`.
    :param worth: mean prior of their text; ``None`` when no block of the site is like them.
    """

    static_share: float = 0.0
    link_share: float = 0.0
    long_share: float = 0.0
    worth: float | None = None


Means = tuple[float, ...]
"""Means of several measures, in a fixed order."""


@dataclass(frozen=True)
class ClassMeans:
    """Means of some measures for the classes of a site's paths.

    :param by_path: for full paths, by their numbers.
    :param by_suffix: for the coarser classes, by :meth:`PathTree.suffixes`.
    """

    by_path: Mapping[int, Means]
    by_suffix: Mapping[str, Means]

    def of(self, paths: PathTree, path: int) -> tuple[Means, int] | None:
        """The means of the finest class of a path that the site has, and its level; ``None`` when it has none."""
        means = self.by_path.get(path)
        if means is not None:
            return means, FULL_PATH
        suffixes = paths.suffixes(path)
        for level in range(len(suffixes) - 1, -1, -1):
            means = self.by_suffix.get(suffixes[level])
            if means is not None:
                return means, level
        return None


class Tally:
    """What is counted of the blocks of a path, or a class of paths.

    :param width: number of measures.
    :ivar blocks: number of blocks.
    :ivar totals: for each measure the sum of its values, each times its weight.
    :ivar weights: for each measure the sum of its weights.
    """

    __slots__ = ("blocks", "totals", "weights")

    def __init__(self, width: int) -> None:
        self.blocks = 0
        self.totals = [0.0] * width
        self.weights = [0.0] * width

    def add(self, other: Tally) -> None:
        """Count the blocks of another one too."""
        self.blocks += other.blocks
        for measure in range(len(self.totals)):
            self.totals[measure] += other.totals[measure]
            self.weights[measure] += other.weights[measure]

    def mean(self, coarser: Means | None) -> Means:
        """The weighted means, leaning on those of the coarser class."""
        share = self.blocks / (self.blocks + PRIOR_BLOCKS)
        means: list[float] = []
        for measure in range(len(self.totals)):
            weight = self.weights[measure]
            own = self.totals[measure] / weight if weight else 0.0
            means.append(own if coarser is None else share * own + (1 - share) * coarser[measure])
        return tuple(means)


class ProfileTally(Tally):
    """Counts what makes up :class:`Profile`, but for worth."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(3)

    def count(self, weight: int, anchor_weight: int, static: bool) -> None:
        """Count a block.

        :param weight: see :class:`scrapy_stemmer.core.evidence.outline.TextBlock`; ``anchor_weight`` too.
        :param static: whether its text stands on at least two pages.
        """
        totals, weights = self.totals, self.weights
        self.blocks += 1
        weights[0] += weight
        weights[1] += weight
        weights[2] += 1
        totals[1] += anchor_weight
        if static:
            totals[0] += weight
        if weight >= LONG:
            totals[2] += 1


class WorthTally(Tally):
    """Counts worth, see :class:`Profile`."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(1)

    def count(self, mass: int, prior: float) -> None:
        """Count a block of a mass and a prior."""
        self.blocks += 1
        self.totals[0] += mass * prior
        self.weights[0] += mass


def class_means(paths: PathTree, tallies: Mapping[int, Tally]) -> ClassMeans:
    """The weighted means of each class, each leaning on those of the class that is coarser by one level.

    :param tallies: for each path of the sample what was counted of its blocks.
    """
    by_suffix: dict[str, Tally] = {}
    chains = {path: paths.suffixes(path) for path in tallies}
    for path, tally in tallies.items():
        for suffix in chains[path]:
            found = by_suffix.get(suffix)
            if found is None:
                found = by_suffix[suffix] = Tally(len(tally.totals))
            found.add(tally)
    means: dict[str, Means] = {}
    by_path: dict[int, Means] = {}
    for path, tally in tallies.items():
        coarser: Means | None = None
        for suffix in chains[path]:
            known = means.get(suffix)
            if known is None:
                known = means[suffix] = by_suffix[suffix].mean(coarser)
            coarser = known
        by_path[path] = tally.mean(coarser)
    return ClassMeans(by_path, means)


def to_digits(value: float) -> float:
    """A number with as many decimals as are kept; many times quicker than :func:`round`."""
    if value < 0:
        return -to_digits(-value)
    whole = int(value * _SCALE + 0.5)
    return whole / _SCALE


def profile_of(means: ClassMeans, paths: PathTree, path: int) -> tuple[Profile, int]:
    """The profile of a path, and how fine the class is that it is of.

    :param means: those of profiles, with or without those of worth.
    :returns: the profile of no block at all, and -1, when the site has not even its tag.
    """
    found = means.of(paths, path)
    if found is None:
        return Profile(), -1
    shares, level = found
    return Profile(STATIC_TRUST[level] * shares[0], *shares[1:]), level


def rounded(means: ClassMeans) -> ClassMeans:
    """The same means with as many decimals as are kept."""
    return ClassMeans(
        {path: _rounded(values) for path, values in means.by_path.items()},
        {suffix: _rounded(values) for suffix, values in means.by_suffix.items()},
    )


def joined(first: ClassMeans, second: ClassMeans) -> ClassMeans:
    """The means of both, for the same classes, rounded."""
    return ClassMeans(
        {path: _rounded(means + second.by_path[path]) for path, means in first.by_path.items()},
        {suffix: _rounded(means + second.by_suffix[suffix]) for suffix, means in first.by_suffix.items()},
    )


def _rounded(means: Means) -> Means:
    return tuple([to_digits(mean) for mean in means])
