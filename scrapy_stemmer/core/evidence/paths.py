"""The element paths of a site as a tree, each path with a number.

A path is the components from the body down to an element. Pages of one site share most of their paths, so that
following a page's elements down the tree costs one dictionary look-up each.
"""

from __future__ import annotations

from collections.abc import Iterable

ROOT = 0
"""The number of the body's path."""

BODY = "body"

ANY = "*"
"""Stands behind the name of an element, whatever its identifier and classes."""

SUFFIXES = 3
"""Paths are also told by their last one, two and three components."""


def tag_of(component: str) -> str:
    """The element name of a component such as ``div#main.wide``."""
    for index, char in enumerate(component):
        if char in ("#", "."):
            return component[:index]
    return component


class PathTree:
    """Numbers paths; a path's number is larger than its parent's.

    :param rows: for each path the number of its parent and its last component; the first is the body's.
    """

    def __init__(self, rows: Iterable[tuple[int, str]] = ((-1, BODY),)) -> None:
        self.rows = list(rows)
        self._numbers = {row: number for number, row in enumerate(self.rows)}
        self._lines: dict[int, tuple[int, ...]] = {}
        self._suffixes: dict[int, list[str]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PathTree):
            return NotImplemented
        return len(self) == len(other) and all(self.row(path) == other.row(path) for path in range(len(self)))

    def child(self, parent: int, component: str) -> int:
        """The number of a path below another one; a new one when there is none yet."""
        row = (parent, component)
        number = self.find(row)
        if number is None:
            number = self._numbers[row] = len(self)
            self.rows.append(row)
        return number

    def find(self, row: tuple[int, str]) -> int | None:
        """The number of the path with this parent and last component, ``None`` when there is none."""
        return self._numbers.get(row)

    def row(self, path: int) -> tuple[int, str]:
        """A path's parent and last component."""
        return self.rows[path]

    def parent(self, path: int) -> int:
        """The number of the path above, -1 for the body's."""
        return self.row(path)[0]

    def tag(self, path: int) -> str:
        """The element name of a path's last component."""
        return tag_of(self.row(path)[1])

    def line(self, path: int) -> tuple[int, ...]:
        """The numbers from the body down to a path, both included."""
        waiting = []
        while path >= 0 and path not in self._lines:
            waiting.append(path)
            path = self.parent(path)
        line = self._lines[path] if path >= 0 else ()
        for below in reversed(waiting):
            line = self._lines[below] = (*line, below)
        return line

    def is_within(self, path: int, ancestor: int) -> bool:
        """Whether a path is ``ancestor`` or below it."""
        return ancestor in self.line(path)

    def text(self, path: int) -> str:
        """A path as text, components joined by ``/``."""
        return "/".join([self.row(number)[1] for number in self.line(path)])

    def suffixes(self, path: int) -> list[str]:
        """What a path is like, from coarse to fine: its tag, then its last one, two and three components."""
        found = self._suffixes.get(path)
        if found is None:
            found = self._suffixes[path] = self._suffixes_of(path)
        return found

    def _suffixes_of(self, path: int) -> list[str]:
        above, tail = self.row(path)
        suffixes = [tag_of(tail) + ANY, tail]
        while above >= 0 and len(suffixes) <= SUFFIXES:
            above, component = self.row(above)
            tail = component + "/" + tail
            suffixes.append(tail)
        return suffixes


class PagePaths(PathTree):
    """The paths of a page: those of its site under their numbers there, and further ones of its own.

    :param site: the site's paths; they are not changed.
    """

    def __init__(self, site: PathTree) -> None:
        super().__init__(())
        self._site = site
        self._first_own = len(site)

    def __len__(self) -> int:
        return self._first_own + len(self.rows)

    def find(self, row: tuple[int, str]) -> int | None:
        """See :meth:`PathTree.find`."""
        known = self._site.find(row)
        return self._numbers.get(row) if known is None else known

    def row(self, path: int) -> tuple[int, str]:
        """See :meth:`PathTree.row`."""
        return self._site.row(path) if path < self._first_own else self.rows[path - self._first_own]

    def is_known(self, path: int) -> bool:
        """Whether the site has the path."""
        return path < self._first_own
