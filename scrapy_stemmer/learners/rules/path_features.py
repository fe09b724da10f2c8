"""What the paths of a site tell of the blocks on them: the elements around a block, and what their names hint at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from scrapy_stemmer.learners.rules.names import GROUPS, HIDDEN_NAMES, hints_of
from scrapy_stemmer.learners.rules.sample import Component, Paths
from scrapy_stemmer.learners.rules.table import Floats, Ints

FAR = 99.0
"""Levels up to an element that does not exist."""

TAGS = ("p", "li", "h1", "h2", "h3", "td", "dd", "dt", "pre", "div", "section", "article", "blockquote")
"""Elements that a block may be; see :data:`SAME_TAG`."""

SAME_TAG = {"h4": "h3", "h5": "h3", "h6": "h3", "th": "td", "tr": "td"}
"""Elements that count as others of :data:`TAGS`."""

AROUND = "main article nav aside footer header form figure table ul dl blockquote pre section details".split()
"""Elements that a block may stand in."""

SAME_AROUND = {
    "ol": "ul",
    "menu": "ul",
    "figcaption": "figure",
    "caption": "figure",
    "tbody": "table",
    "td": "table",
}
"""Elements that count as others of :data:`AROUND`."""

ROLES = {
    "navigation": "nav",
    "complementary": "aside",
    "contentinfo": "footer",
    "banner": "header",
    "main": "main",
    "search": "form",
    "article": "article",
}
"""ARIA roles that count as elements of :data:`AROUND`."""

HIDDEN = len(AROUND) + len(GROUPS)
"""The bit of an element that is hidden, behind those of :data:`AROUND` and of the groups of names."""

_TAG = {**{tag: number for number, tag in enumerate(TAGS)}, **{a: TAGS.index(b) for a, b in SAME_TAG.items()}}
_AROUND = {
    **{tag: 1 << number for number, tag in enumerate(AROUND)},
    **{a: 1 << AROUND.index(b) for a, b in SAME_AROUND.items()},
}
_ROLE = {role: 1 << AROUND.index(tag) for role, tag in ROLES.items()}


class PathFeatures(NamedTuple):
    """What paths tell.

    :param tag: for each path the number of its last element's tag in :data:`TAGS`, or their count.
    :param around: for each path and kind of element of :data:`AROUND` the levels up to the nearest one.
    :param hints: for each path and group of names the levels up to the nearest element with such a name; behind
        these the levels up to the nearest hidden element.
    """

    tag: Ints
    around: Floats
    hints: Floats


def path_features(paths: Paths) -> PathFeatures:
    """What the paths of a site tell; the body counts for none of it."""
    size = len(paths)
    parents = np.array(paths.parents, np.int64)
    bits = np.array([bits_of(component) for component in paths.components], np.int64)
    bits[parents < 0] = 0
    has = (bits[:, None] >> np.arange(HIDDEN + 1)) & 1
    levels = np.full((size, HIDDEN + 1), FAR)
    for below in _levels(paths.parents):
        levels[below] = np.where(has[below], 0.0, np.minimum(levels[parents[below]] + 1, FAR))
    tag = np.array([_TAG.get(component.tag, len(TAGS)) for component in paths.components], np.int64)
    return PathFeatures(tag, levels[:, : len(AROUND)], levels[:, len(AROUND) :])


def paths_of(paths: Paths, used: Iterable[int]) -> tuple[Paths, dict[int, int]]:
    """Some paths of a site as paths of their own, and their numbers there.

    :param used: those paths, with all that are above them.
    """
    found = Paths()
    numbers: dict[int, int] = {-1: -1}
    for path in sorted(set(used)):
        numbers[path] = found.child(numbers[paths.parents[path]], paths.components[path])
    return found, numbers


def _levels(parents: Sequence[int]) -> list[list[int]]:
    """The paths below bodies by their depth, the highest first."""
    depth: list[int] = []
    found: list[list[int]] = []
    for path, parent in enumerate(parents):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        if depth[path] > len(found):
            found.append([])
        if depth[path]:
            found[depth[path] - 1].append(path)
    return found


@lru_cache(maxsize=4096)
def bits_of(component: Component) -> int:
    """What an element is and what its names hint at, a bit each; see :data:`HIDDEN` for their order."""
    bits = _AROUND.get(component.tag, 0) | _ROLE.get(component.role, 0)
    hidden = component.hidden
    for name in component.names:
        bits |= hints_of(name[1:]) << len(AROUND)
        hidden = hidden or name[1:].lower() in HIDDEN_NAMES
    return bits | hidden << HIDDEN
