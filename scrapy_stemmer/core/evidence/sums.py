"""What the elements of a page are worth: for each the sum over the blocks in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from scrapy_stemmer.core.evidence.places import Place

_sums: Any = None


class ElementSums:
    """For each block-level element of a page the sum over the blocks in it.

    What blocks have is added to the elements that they stand right in; then :meth:`sum_up` passes it on, once.

    :param parents: for each element the index of the one around it, -1 for the body, which comes first.
    :ivar best: index of the first element of the highest sum.
    :ivar highest: that sum.
    """

    __slots__ = ("_parents", "_sums", "best", "highest")

    best: int
    highest: float

    def __init__(self, parents: Sequence[int]) -> None:
        self._parents = parents
        self._sums = [0.0] * len(parents)
        self.best, self.highest = 0, 0.0

    def __getitem__(self, element: int) -> float:
        return self._sums[element]

    def __len__(self) -> int:
        return len(self._sums)

    def add(self, element: int, value: float) -> None:
        """Add what a block that stands right in an element has."""
        self._sums[element] += value

    def sum_up(self) -> None:
        """Add the sum of each element to that of the one around it."""
        sums, parents = self._sums, self._parents
        for element in range(len(sums) - 1, 0, -1):
            sums[parents[element]] += sums[element]
        self.highest = max(sums, default=0.0)
        self.best = sums.index(self.highest) if sums else 0

    def deepest(self, least: float) -> int:
        """The index of the element around which stand most others, of those with at least such a sum; 0 without any.

        Of several the one of the higher sum, then the first.
        """
        depths: list[int] = []
        for parent in self._parents:
            depths.append(0 if parent < 0 else depths[parent] + 1)
        found = [element for element, value in enumerate(self._sums) if value >= least]
        return max(found, key=lambda element: (depths[element], self._sums[element], -element), default=0)

    def by_path(self, places: Sequence[Place]) -> dict[int, float]:
        """For each path the sums of its elements together.

        :param places: where the elements stand.
        :raises ValueError: for more or fewer of them than there are elements.
        """
        by_path: dict[int, float] = {}
        for place, value in zip(places, self._sums, strict=True):
            by_path[place.path] = by_path.get(place.path, 0.0) + value
        return by_path


def element_sums(parents: Sequence[int]) -> ElementSums:
    """Sums for the elements of a page, all of them 0. Compiled, they are numbers of C."""
    return ElementSums(parents) if _sums is None else cast(ElementSums, _sums.Sums(parents))
