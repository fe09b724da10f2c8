"""The scorer: trees for the log-odds of a block to be text, and the cut above which blocks are kept.

Its JSON file has ``features``, the names of a row's numbers in order; ``base``, the initial log-odds; and ``trees``. A
tree is a number, or ``[feature, threshold, missing, low, high]`` with the index of a feature: values up to the
threshold go to the tree ``low``, larger ones to ``high``, missing ones to ``high`` if ``missing`` is 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer._engine import native
from scrapy_stemmer.exceptions import ScorerError
from scrapy_stemmer.learners.rules.features import FEATURE_NAMES, Measures, PageFacts
from scrapy_stemmer.learners.rules.head import title_keys
from scrapy_stemmer.learners.rules.hints import PathFeatures
from scrapy_stemmer.learners.rules.paths import MASK
from scrapy_stemmer.learners.rules.site import PlacedPage

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

FORMAT = "scrapy-stemmer scorer"
VERSION = 1

SHIPPED = Path(__file__).with_name("scorer.json")  # file of the package
MAX_LEAVES = 32  # leaves of a tree
ALL = 0xFFFFFFFF  # bit set of a tree's leaves, the lowest bit for the leaf of low values

NODE = np.dtype(
    [
        ("threshold", np.float32),  # highest value that goes low
        ("left", np.uint32),  # leaves left if the value goes high
        ("tree", np.intc),  # number of the tree
    ],
    align=True,
)
"""A node of a tree, as in ``score.pyx``."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Trees whose values add up to the log-odds of a block.

    Nodes are evaluated feature by feature; the lowest leaf of a tree that none excludes is the result (Lucchese et al.
    2015, "QuickScorer").
    """

    names: tuple[str, ...]  # names of features by column
    base: float  # initial log-odds of a block
    # :data:`NODE` records, for each feature twice: where missing values go low, then high; by rising threshold
    nodes: NDArray[np.void] = field(repr=False)
    starts: NDArray[np.intc] = field(repr=False)  # first node of each feature, twice, then the end of all nodes
    values: NDArray[np.float64] = field(repr=False)  # by tree, the value of each leaf

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Scorer:
        """Load a scorer; raise :class:`ScorerError` if the file is unreadable or invalid."""
        try:
            return cls.of_json(json.loads(path.read_bytes()))
        except OSError as error:
            raise ScorerError(f"{path}: the scorer can't be read ({error.strerror})") from error
        except ValueError as error:
            advice = "install scrapy-stemmer again, or make one of your own by `python -m training`"
            raise ScorerError(f"{path}: damaged, no scorer ({error}); {advice}") from error

    @classmethod
    def of_json(cls, content: Any) -> Scorer:
        """Return the scorer of a file's content; raise ValueError with the reason if it is invalid."""
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
        found: list[tuple[int, float, int, int]] = []
        values = np.zeros((len(trees), MAX_LEAVES))
        for number, tree in enumerate(trees):
            leaves: list[float] = []
            found += [(*node, number) for node in _nodes_of(tree, len(names), leaves)]
            values[number, : len(leaves)] = leaves
        found.sort()
        starts = np.searchsorted([node[0] for node in found], range(2 * len(names) + 1)).astype(np.intc)
        return cls(tuple(names), float(base), np.array([node[1:] for node in found], NODE), starts, values)

    def odds(self, rows: NDArray[np.float32], which: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Return the log-odds of blocks, or of some by number.

        :param rows: a column for each of :attr:`names`; NaN if missing.
        """
        chosen = np.asfortranarray(rows if which is None else rows[np.asarray(which, np.int64)])
        found = np.full(len(chosen), self.base)
        add_odds(chosen, self.nodes, self.starts, self.values, found)
        return found


add_odds: Callable[..., None] = native("score.add_odds")
"""Add the values of blocks' leaves to their log-odds: ``add_odds(rows, nodes, starts, values, odds)``."""


def _nodes_of(tree: Any, features: int, leaves: list[float]) -> list[tuple[int, float, int]]:
    """Return the nodes of a tree and append its leaves; raise ValueError if it is invalid."""
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
    # Rows have single precision: round the threshold down to it.
    with np.errstate(over="ignore"):
        single = np.float32(threshold)
    single = np.nextafter(single, np.float32(-np.inf)) if float(single) > threshold else single
    before = len(leaves)
    below = _nodes_of(low, features, leaves)
    passed = (1 << len(leaves)) - (1 << before)
    return [(2 * feature + missing, float(single), ALL & ~passed), *below, *_nodes_of(high, features, leaves)]


# The cut

ENOUGH_F1 = 0.65  # expected F1 above which blocks are kept that are more likely text than not
LEAST_CUT = 0.05  # lowest cut
PAGE_ERROR = 1.7  # standard deviation of a page's common error in log-odds, over doubtful pages
NO_ERROR = ((0.0, 1.0),)  # errors of several pages cancel

ERRORS = ((-PAGE_ERROR * 3**0.5, 1 / 6), (0.0, 2 / 3), (PAGE_ERROR * 3**0.5, 1 / 6))
"""Representative errors of a page with their weights: Gauss-Hermite quadrature of three points."""


def cut_of(
    odds: Collection[float], lengths: Collection[float], errors: Sequence[tuple[float, float]] = ERRORS
) -> float:
    """Return the probability above which a page's blocks are kept, if scores alone decide.

    It maximizes the expected F1 where that is low, as on listings and in forums: a cut at .5 would often leave nothing.
    Scores of a page err together, so ``errors`` gives common errors of its log-odds with their weights. With
    independent errors a page of many unlikely blocks would never be all text, and less would be kept.
    """
    if not len(lengths):
        return 0.5
    expected, chance = best_cut(odds, lengths, errors)
    return 0.5 if expected >= ENOUGH_F1 else min(0.5, max(LEAST_CUT, chance * (1 - EDGE)))


best_cut: Callable[..., tuple[float, float]] = native("score.best_cut")
"""Return the highest expected F1 of a page's surest blocks, and the lowest probability among these:
``best_cut(odds, lengths, errors)``."""

EDGE = 1e-9  # share by which the cut is below the last kept block


# Input of the scorer


measures_of: Callable[[Sequence[str] | ReadPage], Measures] = native("score.measures_of")
"""Return the measures of texts; see :class:`scrapy_stemmer.learners.rules.features.Measures`."""

fill: Callable[[PageFacts, PathFeatures, NDArray[np.float32]], None] = native("score.fill")
"""Fill the feature columns of a page's blocks."""

fill_read: Callable[..., None] = native("score.fill_read")
"""Fill the feature columns of a page as read, given facts as of :class:`PageFacts`:
``fill_read(page, paths, others, repeated, title_keys, head, url, rows)``."""


def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[np.float32]:
    """Return a row for each block of some pages, with a column for each of :data:`FEATURE_NAMES`."""
    ends = list(accumulate([len(facts.page.columns.elements) for facts in pages], initial=0))
    columns = np.empty((len(FEATURE_NAMES), ends[-1]), np.float32)
    for facts, (start, end) in zip(pages, pairwise(ends), strict=True):
        if start < end:
            fill(facts, paths, columns[:, start:end])
    return columns.T


# Blocks of a known site that no rule decides on


@cache
def shipped_scorer() -> Scorer:
    return Scorer.load()


def scored(page: PlacedPage, which: Sequence[int], scorer: Scorer | None = None) -> Sequence[float]:
    knowledge, head, columns = page.site.knowledge, page.shown.head, page.columns
    text_keys = columns.keys() if knowledge.pages else []
    others = 0 if knowledge.is_learned(text_keys) else knowledge.pages
    repeated = [knowledge.texts.get(key & MASK, 0) / max(1, others) for key in text_keys]
    keys = title_keys(head, knowledge.title_parts)
    rows = np.empty((len(FEATURE_NAMES), len(columns)), np.float32)
    with page.site.lock:
        fill_read(columns, page.site.path_features(), others, repeated, keys, head, page.url, rows)
    chosen = which if len(which) < len(columns) else None
    found: list[float] = (scorer or shipped_scorer()).odds(rows.T, chosen).tolist()
    return found
