"""The scorer: trees that say how likely a block is text of its page. ``training/`` makes the file that holds them.

The file is JSON: ``features`` names the numbers of a row in order, ``base`` is what every block begins with, and
``trees`` holds what is added. A tree is a number, or ``[feature, threshold, missing, low, high]`` with the number of a
feature: the tree ``low`` goes on where it is at most the threshold, ``high`` where it is more, and where it is missing
``high`` if ``missing`` is 1, ``low`` if it is 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scrapy_stemmer._engine import native
from scrapy_stemmer.exceptions import ScorerError
from scrapy_stemmer.learners.rules.features import NAMES, Measures, PageFacts
from scrapy_stemmer.learners.rules.hints import PathFeatures
from scrapy_stemmer.learners.rules.paths import MASK
from scrapy_stemmer.learners.rules.roles import Head, title_keys
from scrapy_stemmer.learners.rules.sample_pages import SamplePage
from scrapy_stemmer.learners.rules.site import PlacedPage

FORMAT = "scrapy-stemmer scorer"
VERSION = 1

SHIPPED = Path(__file__).with_name("scorer.json")  # the file that is part of the package
MAX_LEAVES = 32  # leaves of a tree, at most
ALL = 0xFFFFFFFF  # a set of all leaves of a tree: each bit stands for one, the lowest for that of low values

NODE = np.dtype(
    [
        ("place", np.intc),  # twice the number of the feature that decides, and 1 if missing values go high
        ("threshold", np.float32),  # the highest value that goes low
        ("left", np.uint32),  # the leaves that are left where it goes high
    ],
    align=True,
)
"""A node of a tree, as ``score.pyx`` has it."""


END = (-1, np.inf, ALL)  # stands behind the nodes of a tree: a node that leaves all


@dataclass(frozen=True, eq=False)
class Scorer:
    """Trees whose values, added up, are the log-odds of a block. Of each tree all nodes are asked: the lowest leaf that
    all of them leave is the one that the block ends at (Lucchese et al. 2015, "QuickScorer")."""

    names: tuple[str, ...]  # of the features, in the order of the columns of a row
    base: float  # the log-odds that every block begins with
    # of all trees, each a :data:`NODE`; behind those of each tree stands :data:`END`
    nodes: NDArray[np.void] = field(repr=False)
    values: NDArray[np.float64] = field(repr=False)  # for each tree what its leaves add, each in its :func:`places_of`

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Scorer:
        """The scorer of a file; a :class:`ScorerError` when that cannot be read or holds none."""
        try:
            return cls.of_json(json.loads(path.read_bytes()))
        except OSError as error:
            raise ScorerError(f"{path}: the scorer can't be read ({error.strerror})") from error
        except ValueError as error:
            advice = "install scrapy-stemmer again, or make one of your own by `python -m training`"
            raise ScorerError(f"{path}: damaged, no scorer ({error}); {advice}") from error

    @classmethod
    def of_json(cls, content: Any) -> Scorer:
        """The scorer of what a file holds; a ValueError that says what is wrong when it is none."""
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        if content.get("version") != VERSION:
            raise ValueError(f"its version is {content.get('version')!r}, not {VERSION}")
        try:
            names, base, trees = content["features"], content["base"], content["trees"]
        except KeyError as error:
            raise ValueError(f"it has no {error}") from error
        if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            raise ValueError("its features are no list of names")
        if not isinstance(base, int | float) or not isinstance(trees, list):
            raise ValueError("its base is no number or its trees no list")
        nodes: list[tuple[int, float, int]] = []
        values = np.zeros((len(trees), MAX_LEAVES))
        for tree, row in zip(trees, values, strict=True):
            leaves: list[float] = []
            nodes += *_nodes_of(tree, len(names), leaves), END
            row[places_of(np.array([1 << leaf for leaf in range(len(leaves))], np.uint32))] = leaves
        return cls(tuple(names), float(base), np.array(nodes, NODE), values)

    def odds(self, rows: NDArray[np.float32], which: Sequence[int] | None = None) -> NDArray[np.float64]:
        """The log-odds of blocks, or of some of them by number, that they are text of their page; rows have a column
        for each of :attr:`names`, and NaN where one is missing."""
        chosen = rows if which is None else rows[np.asarray(which, np.int64)]
        found = np.full(len(chosen), self.base)
        add_odds(chosen, self.nodes, self.values, found)
        return found


def places_of(leaves: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """For sets of one leaf different numbers below 32: those that begin their product with a de Bruijn sequence."""
    return leaves * np.uint32(0x077CB531) >> np.uint32(27)


add_odds: Callable[..., None] = native("score.add_odds")
"""Add to the log-odds of blocks what the leaves say that they end at: ``add_odds(rows, nodes, values, odds)``.

The rows are those of :meth:`Scorer.odds`, nodes and values the trees of a :class:`Scorer`.
"""


def _nodes_of(tree: Any, features: int, leaves: list[float]) -> list[tuple[int, float, int]]:
    """The nodes of a tree, or of a part of one, whose leaves are added; a ValueError for what is none."""
    if isinstance(tree, int | float):
        leaves.append(tree)
        if len(leaves) > MAX_LEAVES:
            raise ValueError(f"a tree has more than {MAX_LEAVES} leaves")
        return []
    if not (isinstance(tree, list) and len(tree) == 5 and tree[2] in (0, 1)):
        raise ValueError(f"{str(tree)[:60]} is neither a number nor [feature, threshold, missing, low, high]")
    feature, threshold, missing, low, high = tree
    if feature not in range(features) or not isinstance(threshold, int | float):
        raise ValueError(f"{str(tree)[:60]} begins with no known feature and a threshold")
    # Rows have single precision: what is at most the threshold is at most the next lower number of that.
    with np.errstate(over="ignore"):
        single = np.float32(threshold)
    single = np.nextafter(single, np.float32(-np.inf)) if float(single) > threshold else single
    before = len(leaves)
    below = _nodes_of(low, features, leaves)
    passed = (1 << len(leaves)) - (1 << before)
    return [(2 * feature + missing, float(single), ALL & ~passed), *below, *_nodes_of(high, features, leaves)]


# The cut

ENOUGH_F1 = 0.65  # where so much can be expected of a page, blocks are kept that are more likely text than not
LEAST_CUT = 0.05  # less likely ones are never kept
PAGE_ERROR = 1.7  # by so much the log-odds of a page are off together: the standard deviation over doubtful pages
NO_ERROR = ((0.0, 1.0),)  # the log-odds of several pages are not off together

ERRORS = ((-PAGE_ERROR * 3**0.5, 1 / 6), (0.0, 2 / 3), (PAGE_ERROR * 3**0.5, 1 / 6))
"""Errors that stand for all that a page may have, with their weights: Gauss-Hermite quadrature of three points."""


def cut_of(odds: ArrayLike, lengths: ArrayLike, errors: Sequence[tuple[float, float]] = ERRORS) -> float:
    """The probability of being text above which blocks of a page that only its scores decide on are kept. It is the one
    of the best F1 that can be expected, if that is low, as on listings and in forums, where .5 would often leave
    nothing. What the scorer misjudges about a page it misjudges about all its blocks; so nearly all may be text though
    each is unlikely, and more is kept than if each erred by itself: ``errors`` are by how much all log-odds may be off,
    with the weights of these cases."""
    given = np.asarray(odds, np.float64)
    if not given.size:
        return 0.5
    order = np.argsort(-given, kind="stable")
    ranked, sizes = given[order], np.asarray(lengths, np.float64)[order]
    error, weight = np.array(errors).T
    right = np.cumsum(sizes / (1 + np.exp(-ranked - error[:, None])), axis=1)
    expected = weight @ (2 * right / (np.cumsum(sizes) + right[:, -1:]))
    if expected.max() >= ENOUGH_F1:
        return 0.5
    chance = 1 / (1 + np.exp(-ranked[expected.argmax()]))
    return float(min(0.5, max(LEAST_CUT, chance * (1 - EDGE))))


EDGE = 1e-9  # the cut is by this share below the probability of the last block that is kept


# What the scorer sees


measures_of: Callable[[Sequence[str]], Measures] = native("score.measures_of")
"""What texts are measured by, see :class:`scrapy_stemmer.learners.rules.features.Measures`."""

fill: Callable[[PageFacts, PathFeatures, NDArray[np.float32]], None] = native("score.fill")
"""Fill the columns of the features of a page's blocks."""


def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[np.float32]:
    """A row for each block of some pages, a column for each of :data:`NAMES`, by what the paths of their elements
    tell."""
    ends = list(accumulate([len(facts.page.columns.elements) for facts in pages], initial=0))
    columns = np.empty((len(NAMES), ends[-1]), np.float32)
    for facts, (start, end) in zip(pages, pairwise(ends), strict=True):
        if start < end:
            fill(facts, paths, columns[:, start:end])
    return columns.T


# Blocks of one page of a known site: those that the rules do not decide on


@cache
def shipped_scorer() -> Scorer:
    """The scorer of this package, read once."""
    return Scorer.load()


def scored(
    url: str, page: PlacedPage, head: Head, which: Sequence[int], scorer: Scorer | None = None
) -> Sequence[float]:
    """The log-odds of some blocks of a page, by their numbers."""
    knowledge = page.site.knowledge
    measures = measures_of(page.columns.texts)
    keys = (measures["key"] & MASK).tolist()
    others = 0 if knowledge.is_learned(keys) else knowledge.pages
    least = max(1, others)
    facts = PageFacts(
        page=SamplePage(url, page.columns, head, ()),
        paths=page.paths,
        measures=measures,
        others=others,
        repeated=[knowledge.texts.get(key, 0) / least for key in keys],
        title_keys=title_keys(head, knowledge.title_parts),
    )
    with page.site.lock:
        rows = features([facts], page.site.path_features())
    found: list[float] = (scorer or shipped_scorer()).odds(rows, which if len(which) < len(rows) else None).tolist()
    return found
