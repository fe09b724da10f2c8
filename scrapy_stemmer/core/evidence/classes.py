"""What a site's blocks of one class of paths are like: estimates with shrinkage from coarse to fine.

Blocks are classed by their path at five levels: by tag, by the last one, two and three components, and by the full
path. The estimate for a class leans on that of the coarser class, the more the fewer blocks it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from scrapy_stemmer.core.evidence.paths import PathTree

PRIOR_BLOCKS = 2
"""The coarser estimate counts as so many blocks."""

LONG = 60
"""Blocks of this weight are long."""

DIGITS = 3
"""Decimals that are kept of what was learned."""

# As numbers of C, where they are compiled.
_SCALE, _PRIOR_BLOCKS, _LONG = 10.0**DIGITS, PRIOR_BLOCKS, LONG

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

    :ivar blocks: number of blocks.
    :ivar means: those of the class, once they are known.
    """

    __slots__ = ("blocks", "means")

    blocks: int
    means: Means | None

    def empty(self) -> Tally:
        """One of the same kind that has counted nothing."""
        raise NotImplementedError

    def add(self, other: Tally) -> None:
        """Count the blocks of another one of the same kind too."""
        raise NotImplementedError

    def mean(self, coarser: Means | None) -> Means:
        """The weighted means, leaning on those of the coarser class."""
        raise NotImplementedError


class ProfileTally(Tally):
    """Counts what makes up :class:`Profile`, but for worth.

    :ivar weight: of all blocks together.
    :ivar static: of those whose text stands on at least two pages.
    :ivar linked: of what is in links.
    :ivar long_blocks: number of long blocks.
    """

    __slots__ = ("linked", "long_blocks", "static", "weight")

    weight: float
    static: float
    linked: float
    long_blocks: float

    def __init__(self) -> None:
        self.blocks = 0
        self.means = None
        self.weight = self.static = self.linked = self.long_blocks = 0.0

    def empty(self) -> Tally:
        """See :meth:`Tally.empty`."""
        return ProfileTally()

    def count(self, weight: int, anchor_weight: int, static: bool) -> None:
        """Count a block.

        :param weight: see :class:`scrapy_stemmer.core.evidence.outline.TextBlock`; ``anchor_weight`` too.
        :param static: whether its text stands on at least two pages.
        """
        self.blocks += 1
        self.weight += weight
        self.linked += anchor_weight
        if static:
            self.static += weight
        if weight >= _LONG:
            self.long_blocks += 1

    def add(self, other: Tally) -> None:
        """See :meth:`Tally.add`."""
        of_kind: ProfileTally = other  # type: ignore[assignment]
        self.blocks += of_kind.blocks
        self.weight += of_kind.weight
        self.static += of_kind.static
        self.linked += of_kind.linked
        self.long_blocks += of_kind.long_blocks

    def mean(self, coarser: Means | None) -> Means:
        """See :meth:`Tally.mean`."""
        static, linked = _over(self.static, self.weight), _over(self.linked, self.weight)
        of_long = _over(self.long_blocks, self.blocks)
        if coarser is None:
            return static, linked, of_long
        share = _trust(self.blocks)
        return (
            _leaning(share, static, coarser[0]),
            _leaning(share, linked, coarser[1]),
            _leaning(share, of_long, coarser[2]),
        )


class WorthTally(Tally):
    """Counts worth, see :class:`Profile`.

    :ivar total: sum of the priors of all blocks, each times its mass.
    :ivar mass: of all blocks together.
    """

    __slots__ = ("mass", "total")

    total: float
    mass: float

    def __init__(self) -> None:
        self.blocks = 0
        self.means = None
        self.total = self.mass = 0.0

    def empty(self) -> Tally:
        """See :meth:`Tally.empty`."""
        return WorthTally()

    def count(self, mass: int, prior: float) -> None:
        """Count a block of a mass and a prior."""
        self.blocks += 1
        self.total += mass * prior
        self.mass += mass

    def add(self, other: Tally) -> None:
        """See :meth:`Tally.add`."""
        of_kind: WorthTally = other  # type: ignore[assignment]
        self.blocks += of_kind.blocks
        self.total += of_kind.total
        self.mass += of_kind.mass

    def mean(self, coarser: Means | None) -> Means:
        """See :meth:`Tally.mean`."""
        own = _over(self.total, self.mass)
        return (own if coarser is None else _leaning(_trust(self.blocks), own, coarser[0]),)


def _over(total: float, weight: float) -> float:
    return total / weight if weight else 0.0


def _trust(blocks: int) -> float:
    """The share of a class's own mean in its estimate."""
    return blocks / (blocks + _PRIOR_BLOCKS)


def _leaning(share: float, own: float, coarser: float) -> float:
    return share * own + (1 - share) * coarser


def class_means(paths: PathTree, tallies: Mapping[int, Tally]) -> ClassMeans:
    """The weighted means of each class, each leaning on those of the class that is coarser by one level.

    :param tallies: for each path of the sample what was counted of its blocks.
    """
    by_suffix: dict[str, Tally] = {}
    chains: list[list[Tally]] = []
    for path, tally in tallies.items():
        chain: list[Tally] = []
        for suffix in paths.suffixes(path):
            found = by_suffix.get(suffix)
            if found is None:
                found = by_suffix[suffix] = tally.empty()
            found.add(tally)
            chain.append(found)
        chains.append(chain)
    by_path: dict[int, Means] = {}
    for number, (path, tally) in enumerate(tallies.items()):
        by_path[path] = tally.mean(_mean_of_finest(chains[number]))
    means: dict[str, Means] = {}
    for suffix, found in by_suffix.items():
        means[suffix] = cast(Means, found.means)
    return ClassMeans(by_path, means)


def _mean_of_finest(chain: Sequence[Tally]) -> Means | None:
    """The means of the last of some classes, each leaning on the one before it."""
    coarser: Means | None = None
    for tally in chain:
        if tally.means is None:
            tally.means = tally.mean(coarser)
        coarser = tally.means
    return coarser


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
    kept: list[float] = []
    for mean in means:
        kept.append(to_digits(mean))  # noqa: PERF401
    return tuple(kept)
