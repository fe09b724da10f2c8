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
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer._native import native
from scrapy_stemmer.exceptions import ScorerError
from scrapy_stemmer.learners.rules.features import PageFacts, features, measures_of
from scrapy_stemmer.learners.rules.paths import MASK
from scrapy_stemmer.learners.rules.reading import SamplePage
from scrapy_stemmer.learners.rules.site import PlacedPage
from scrapy_stemmer.learners.rules.titles import Head, title_keys

add_odds: Callable[..., None] | None = native("score.add_odds", None)

FORMAT = "scrapy-stemmer scorer"
VERSION = 1

SHIPPED = Path(__file__).with_name("scorer.json")
"""The file that is part of the package."""

LEAF = -1
"""The feature of a node that is a leaf."""

NODE = np.dtype(
    [
        ("feature", np.intc),  # that decides, LEAF for leaves
        ("threshold", np.float64),  # the highest value that goes low
        ("missing_low", np.uint8),  # whether a missing value does
        ("low", np.intc),  # the number of the node for low values
        ("high", np.intc),
        ("value", np.float64),  # what a leaf adds
    ],
    align=True,
)
"""A node of a tree, as ``score.pyx`` has it."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Trees whose values, added up, are the log-odds of a block. Nodes of all trees are numbered in one row.

    A node stands before those below it; a leaf is below itself.

    :param names: of the features, in the order of the columns of a row.
    :param base: the log-odds that every block begins with.
    :param roots: for each tree the number of its first node.
    :param nodes: of all trees, each a :data:`NODE`.
    """

    names: tuple[str, ...]
    base: float
    roots: NDArray[np.intc] = field(repr=False)
    nodes: NDArray[np.void] = field(repr=False)

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Scorer:
        """The scorer of a file.

        :param path: by default the file that is part of the package.
        :raises ScorerError: when the file cannot be read or holds no scorer.
        """
        try:
            return cls.of_json(json.loads(path.read_bytes()))
        except OSError as error:
            raise ScorerError(f"{path}: the scorer can't be read ({error.strerror})") from error
        except ValueError as error:
            advice = "install scrapy-stemmer again, or make one of your own by `python -m training`"
            raise ScorerError(f"{path}: damaged, no scorer ({error}); {advice}") from error

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
        nodes: list[tuple[Any, ...]] = []
        roots = [_add_tree(nodes, tree, len(names)) for tree in trees]
        return cls(tuple(names), float(base), np.array(roots, np.intc), np.array(nodes, NODE))

    def odds(self, rows: NDArray[np.float32], which: Sequence[int] | None = None) -> NDArray[np.float64]:
        """The log-odds of blocks that they are text of their page.

        :param rows: the features of blocks, a column for each of :attr:`names`; NaN where one is missing.
        :param which: numbers of the rows that are asked for; ``None`` stands for all.
        """
        chosen = rows if which is None else rows[np.asarray(which, np.int64)]
        found = np.full(len(chosen), self.base)
        if add_odds is not None:
            add_odds(chosen, self.roots, self.nodes, found)
            return found
        number, row, nodes = np.tile(self.roots, (len(chosen), 1)), np.arange(len(chosen))[:, None], self.nodes
        while (nodes["feature"][number] != LEAF).any():
            given = chosen[row, nodes["feature"][number]]
            is_low = np.where(np.isnan(given), nodes["missing_low"][number], given <= nodes["threshold"][number])
            number = np.where(is_low, nodes["low"][number], nodes["high"][number])
        # One after the other, as the native loop does: sums of floats have an order.
        for added in nodes["value"][number].T:
            found += added
        return found


def _add_tree(nodes: list[tuple[Any, ...]], tree: Any, features: int) -> int:
    """Add a node and all below it; return its number.

    :raises ValueError: when it is no tree.
    """
    number = len(nodes)
    if isinstance(tree, int | float):
        nodes.append((LEAF, 0.0, False, number, number, tree))
        return number
    if not (isinstance(tree, list) and len(tree) == 5 and tree[2] in (0, 1)):
        raise ValueError(f"{str(tree)[:60]} is neither a number nor [feature, threshold, missing, low, high]")
    feature, threshold, missing, low, high = tree
    if feature not in range(features) or not isinstance(threshold, int | float):
        raise ValueError(f"{str(tree)[:60]} begins with no known feature and a threshold")
    nodes.append(())
    below = _add_tree(nodes, low, features), _add_tree(nodes, high, features)
    nodes[number] = (feature, threshold, missing == 0, *below, 0.0)
    return number


# Blocks of one page of a known site: those that the rules do not decide on


@cache
def shipped_scorer() -> Scorer:
    """The scorer of this package, read once."""
    return Scorer.load()


def scored(
    url: str, page: PlacedPage, head: Head, which: Sequence[int], scorer: Scorer | None = None
) -> Sequence[float]:
    """The log-odds of some blocks of a page.

    :param which: the numbers of those blocks.
    :param scorer: that of this package when ``None``.
    """
    knowledge = page.site.knowledge
    measures = measures_of(page.columns.texts)
    keys = (measures["key"] & MASK).tolist()
    others = 0 if knowledge.is_learned(keys) else knowledge.pages
    facts = PageFacts(
        page=SamplePage(url, page.columns, head, ()),
        paths=page.paths,
        measures=measures,
        others=others,
        repeated=[knowledge.texts.get(key, 0) / max(1, others) for key in keys],
        title_keys=title_keys(head, knowledge.title_parts),
    )
    with page.site.lock:
        rows = features([facts], page.site.path_features())
    found: list[float] = (scorer or shipped_scorer()).odds(rows, which if len(which) < len(rows) else None).tolist()
    return found
