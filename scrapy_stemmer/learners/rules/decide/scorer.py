"""The scorer: trees for the log-odds of a block to be text, and the cut above which blocks are kept.

Its JSON file has ``features``, the names of a row's numbers in order; ``base``, the initial log-odds; and ``trees``. A
tree is a number, or ``[feature, threshold, missing, low, high]`` with the index of a feature: values up to the
threshold go to the tree ``low``, larger values to ``high``, missing values to ``high`` if ``missing`` is 1.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_stemmer._engine import native
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.rules.decide.features import FEATURE_NAMES, Measures, PageFacts
from scrapy_stemmer.learners.rules.decide.head import title_keys
from scrapy_stemmer.learners.rules.site.hints import PathFeatures
from scrapy_stemmer.learners.rules.site.site import PlacedPage

if TYPE_CHECKING:
    import numpy as np  # imported where arrays are made: numpy loads more slowly than this package
    from numpy.typing import NDArray

    from scrapy_stemmer._engine.page import ReadPage

FORMAT = "scrapy-stemmer scorer"
VERSION = 1

SHIPPED = Path(__file__).with_name("scorer.json")  # file of the package
MAX_LEAVES = 32  # leaves of a tree

trees_of: Callable[[list[Any], int, int], Any] = native("score.Trees")
"""Return the trees of a file, ``trees_of(trees, features, most_leaves)``; raise ValueError for invalid trees.

Their method ``add(rows, odds)`` adds the values of leaves to the log-odds of blocks; each feature has a row.
"""


class ScorerError(StemmerError):
    """A file of trained weights cannot be read; the message names it."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Trees with values that add up to the log-odds of a block.

    Nodes are evaluated feature by feature; the lowest leaf of a tree that none excludes is the result (Lucchese et al.
    2015, "QuickScorer").
    """

    names: tuple[str, ...]  # names of features by column
    base: float  # initial log-odds of a block
    trees: Any = field(repr=False)  # see :data:`trees_of`

    @classmethod
    def load(cls, path: str | Path = SHIPPED) -> Scorer:
        """Load a scorer; raise :class:`ScorerError` if the file is unreadable or invalid."""
        try:
            return cls.of_json(json.loads(Path(path).read_bytes()))
        except OSError as error:
            raise ScorerError(f"{path}: the scorer can't be read ({error.strerror})") from error
        except (ValueError, OverflowError, RecursionError) as error:
            advice = "install scrapy-stemmer again, or make one of your own by `python -m training`"
            raise ScorerError(f"{path}: damaged, no scorer ({error}); {advice}") from error

    @classmethod
    def of_json(cls, content: Any) -> Scorer:
        """Return the scorer of a file's content; raise ValueError with the reason for invalid content."""
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
        if not isinstance(base, int | float) or base != base or not isinstance(trees, list):
            raise ValueError("its base is no number or its trees no list")
        return cls(tuple(names), float(base), trees_of(trees, len(names), MAX_LEAVES))

    def check(self) -> None:
        """Raise :class:`ScorerError` for a scorer of pages read by another version."""
        if self.names != FEATURE_NAMES:
            raise ScorerError(
                f"The scorer's {len(self.names)} features are not the {len(FEATURE_NAMES)} that this version reads of "
                "pages: leave the scorer out, or train one with this version by `python -m training`."
            )

    def odds(self, rows: NDArray[np.float32], which: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Return the log-odds of blocks, or of some by number.

        :param rows: a column for each of :attr:`names`; NaN if missing.
        """
        import numpy as np

        chosen = rows if which is None else rows[np.asarray(which, np.int64)]
        found = np.full(len(chosen), self.base)
        self.trees.add(np.ascontiguousarray(chosen.T), found)
        return found


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

    The cut maximizes a low expected F1, as on listings and in forums: a cut at .5 would often leave nothing.
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

EDGE = 1e-9  # share by which the cut lies below the last kept block


# Input of the scorer


measures_of: Callable[[ReadPage], Measures] = native("score.measures_of")
"""Return the measures of a page's texts; see :class:`scrapy_stemmer.learners.rules.decide.features.Measures`."""

feature_rows: Callable[..., Any] = native("score.feature_rows")
"""Return the features of some blocks of a page as read, a row for each feature, given facts as of :class:`PageFacts`:
``feature_rows(which, page, paths, others, title_keys, is_article, url, repeated=None)``. The page knows how often the
texts of its blocks repeat, unless ``repeated`` says."""


def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[np.float32]:
    """Return a row for each block of some pages, with a column for each of :data:`FEATURE_NAMES`."""
    import numpy as np

    ends = list(accumulate([len(facts.page.columns.elements) for facts in pages], initial=0))
    columns = np.empty((len(FEATURE_NAMES), ends[-1]), np.float32)
    for facts, (start, end) in zip(pages, pairwise(ends), strict=True):
        if start < end:
            page, which = facts.page, range(end - start)
            given = facts.others, facts.title_keys, page.head.is_article, page.url, facts.repeated
            columns[:, start:end] = feature_rows(which, page.columns, paths, *given)
    return columns.T


# Blocks of a known site that no rule decides on


@cache
def shipped_scorer() -> Scorer:
    return Scorer.load()


def scored(page: PlacedPage, which: Sequence[int], scorer: Scorer | None = None) -> Sequence[float]:
    known, head = page.site.knowledge, page.shown.head
    others, keys = 0 if page.is_learned else known.pages, title_keys(head, known.title_parts)
    by = scorer or shipped_scorer()
    by.check()
    with page.site.lock:
        paths = page.site.path_features()
        rows = feature_rows(which, page.columns, paths, others, keys, head.is_article, page.url)
    found = array("d", [by.base]) * len(which)
    by.trees.add(rows, found)
    return found.tolist()
