"""The scorer: trees that say how likely a block is text of its page. ``training/`` makes the file that holds them.

The file is JSON: ``features`` names the numbers of a row in order, ``base`` is what every block begins with, and
``trees`` holds what is added. A tree is a number, or ``[feature, threshold, missing, low, high]`` with the number of a
feature: the tree ``low`` goes on where it is at most the threshold, ``high`` where it is more, and where it is missing
``high`` if ``missing`` is 1, ``low`` if it is 0.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.exceptions import ScorerError
from scrapy_stemmer.learners.rules.features_py import PageFacts
from scrapy_stemmer.learners.rules.paths import MASK
from scrapy_stemmer.learners.rules.read_py import Measures
from scrapy_stemmer.learners.rules.reading import LinkKeys
from scrapy_stemmer.learners.rules.site import Knowledge, PlacedPage
from scrapy_stemmer.learners.rules.titles import Head, title_keys

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.score import add_odds
except (ImportError, ValueError):
    add_odds = None  # type: ignore[assignment]

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.features import features as features
except (ImportError, TypeError, ValueError):
    from scrapy_stemmer.learners.rules.features_py import features as features

FORMAT = "scrapy-stemmer scorer"
VERSION = 1

SHIPPED = Path(__file__).with_name("scorer.json")
"""The file that is part of the package."""

LEAF = -1
"""The feature of a node that is a leaf."""

FEW = 40
"""Up to so many rows a loop over the nodes that a row passes is faster than numpy over all nodes."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Trees whose values, added up, are the log-odds of a block. Nodes of all trees are numbered in one row.

    A node stands before those below it.

    :param names: of the features, in the order of the columns of a row.
    :param base: the log-odds that every block begins with.
    :param roots: for each tree the number of its first node.
    :param feature: for each node the number of the feature that decides, :data:`LEAF` for leaves.
    :param threshold: for each node the highest value that goes low.
    :param missing_low: for each node whether a missing value goes low.
    :param low: for each node the number of the node for low values.
    :param high: for each node the number of the node for high values.
    :param value: for each leaf what it adds; 0 for other nodes.
    """

    names: tuple[str, ...]
    base: float
    roots: list[int] = field(default_factory=list, repr=False)
    feature: list[int] = field(default_factory=list, repr=False)
    threshold: list[float] = field(default_factory=list, repr=False)
    missing_low: list[bool] = field(default_factory=list, repr=False)
    low: list[int] = field(default_factory=list, repr=False)
    high: list[int] = field(default_factory=list, repr=False)
    value: list[float] = field(default_factory=list, repr=False)

    @classmethod
    def load(cls, path: Path | None = None) -> Scorer:
        """The scorer of a file.

        :param path: ``None`` stands for the file that is part of the package.
        :raises ScorerError: when the file cannot be read or holds no scorer.
        """
        chosen = path or SHIPPED
        try:
            return cls.of_json(json.loads(chosen.read_bytes()))
        except OSError as error:
            raise ScorerError(f"{chosen}: the scorer can't be read ({error.strerror})") from error
        except ValueError as error:
            advice = "install scrapy-stemmer again, or make one of your own by `python -m training`"
            raise ScorerError(f"{chosen}: damaged, no scorer ({error}); {advice}") from error

    @classmethod
    def of_json(cls, given: Any) -> Scorer:
        """The scorer of what a file holds.

        :raises ValueError: when it is none; says what is wrong.
        """
        if not isinstance(given, dict) or given.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        if given.get("version") != VERSION:
            raise ValueError(f"its version is {given.get('version')!r}, not {VERSION}")
        try:
            names, base, trees = given["features"], given["base"], given["trees"]
        except KeyError as error:
            raise ValueError(f"it has no {error}") from error
        if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            raise ValueError("its features are no list of names")
        if not isinstance(base, int | float) or not isinstance(trees, list):
            raise ValueError("its base is no number or its trees no list")
        made = cls(tuple(names), float(base))
        for tree in trees:
            made.roots.append(len(made.feature))
            made._add(tree)
        return made

    def _add(self, tree: Any) -> int:
        """Add a node and all below it; return its number."""
        node = len(self.feature)
        is_leaf = isinstance(tree, int | float)
        if not is_leaf and not (isinstance(tree, list) and len(tree) == 5 and tree[2] in (0, 1)):
            raise ValueError(f"{str(tree)[:60]} is neither a number nor [feature, threshold, missing, low, high]")
        if not is_leaf and (tree[0] not in range(len(self.names)) or not isinstance(tree[1], int | float)):
            raise ValueError(f"{str(tree)[:60]} begins with no known feature and a threshold")
        self.feature.append(LEAF if is_leaf else tree[0])
        self.threshold.append(0.0 if is_leaf else float(tree[1]))
        self.missing_low.append(not is_leaf and tree[2] == 0)
        self.value.append(float(tree) if is_leaf else 0.0)
        self.low.append(node)
        self.high.append(node)
        if not is_leaf:
            self.low[node] = self._add(tree[3])
            self.high[node] = self._add(tree[4])
        return node

    def odds(self, rows: NDArray[np.float32], which: Sequence[int] | None = None) -> NDArray[np.float64]:
        """The log-odds of blocks that they are text of their page.

        :param rows: the features of blocks, a column for each of :attr:`names`; NaN where one is missing.
        :param which: numbers of the rows that are asked for; ``None`` stands for all.
        """
        chosen = rows if which is None else rows[np.asarray(which, np.int64)]
        if add_odds is not None:
            found = np.full(len(chosen), self.base)
            roots, feature, threshold, missing_low, low, high, value = self._arrays
            add_odds(chosen, roots, feature, threshold, missing_low, low, high, value, found)
            return found
        if len(chosen) <= FEW:
            return np.array([self._odds_of(row) for row in chosen.tolist()], np.float64)
        return self._odds_of_many(chosen)

    @cached_property
    def _arrays(self) -> tuple[array[Any], ...]:
        """The trees as the native loop takes them."""
        return (
            array("i", self.roots),
            array("i", self.feature),
            array("d", self.threshold),
            array("B", self.missing_low),
            array("i", self.low),
            array("i", self.high),
            array("d", self.value),
        )

    def _odds_of(self, row: Sequence[float]) -> float:
        """The log-odds of one block."""
        feature, threshold, low, high = self.feature, self.threshold, self.low, self.high
        total = self.base
        for node in self.roots:
            while (number := feature[node]) != LEAF:
                given = row[number]
                is_low = self.missing_low[node] if isnan(given) else given <= threshold[node]
                node = low[node] if is_low else high[node]
            total += self.value[node]
        return total

    def _odds_of_many(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """The log-odds of many blocks: from the last node to the first, for each what it adds to all blocks."""
        columns = rows.T.astype(np.float64, order="C")
        total = np.full(len(rows), self.base)
        for first, behind in self._bounds():
            added: dict[int, Any] = {}
            for node in range(behind - 1, first - 1, -1):
                if self.feature[node] == LEAF:
                    added[node] = self.value[node]
                    continue
                given = columns[self.feature[node]]
                # Comparing with NaN gives False, so that missing values go where the comparison does not hold.
                if self.missing_low[node]:
                    added[node] = np.where(
                        given > self.threshold[node], added.pop(self.high[node]), added.pop(self.low[node])
                    )
                else:
                    added[node] = np.where(
                        given <= self.threshold[node], added.pop(self.low[node]), added.pop(self.high[node])
                    )
            total += added[first]
        return total

    def _bounds(self) -> Iterator[tuple[int, int]]:
        """For each tree the number of its first node, and that behind its last one."""
        return zip(self.roots, [*self.roots[1:], len(self.feature)], strict=True)


# Blocks of one page of a known site: those that the rules do not decide on


@cache
def shipped_scorer() -> Scorer:
    """The scorer of this package, read once."""
    return Scorer.load()


def scored(
    url: str,
    page: PlacedPage,
    measures: Sequence[Measures],
    head: Head,
    knowledge: Knowledge,
    which: Sequence[int],
    scorer: Scorer | None = None,
) -> Sequence[float]:
    """The log-odds of some blocks of a page.

    :param which: the numbers of those blocks.
    :param scorer: scores them; that of this package when ``None``.
    """
    pages = knowledge.pages
    keys = LinkKeys(url)
    links = [keys.key(href) for _, href in page.columns.links]
    is_known = pages > 0 and not knowledge.is_learned(each.key for each in measures)
    facts = PageFacts(
        url=url,
        columns=page.columns,
        paths=page.paths,
        measures=measures,
        repeated=[knowledge.texts.get(each.key & MASK, 0) / pages for each in measures] if is_known else None,
        links_repeated=[knowledge.links.get(key & MASK, 0) / pages for key, _ in links] if is_known else None,
        links_inside=[inside for _, inside in links],
        others=pages if is_known else 0,
        is_article=head.is_article,
        title_keys=title_keys(head, knowledge.title_parts),
    )
    rows = features([facts], page.site.path_features())
    return list((scorer or shipped_scorer()).odds(rows, which))
