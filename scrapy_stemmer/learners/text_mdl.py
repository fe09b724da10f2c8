"""TEXT-MDL: pages clustered by the shortest description of their paths (Kim & Shim 2011, as restated)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scrapy_stemmer.core.merging import EntropyCosts, UnitCosts, agglomerate
from scrapy_stemmer.core.paths import Paths
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.paths import PathLearner, PathOptions

COSTS = {"approximate": UnitCosts, "exact": EntropyCosts}
"""The measures of a description's length."""


@dataclass(frozen=True, slots=True)
class TextMdlOptions(PathOptions):
    """How templates are learned, beside :class:`PathOptions`.

    :param cost: ``approximate``, one unit for each cell that is not zero, or ``exact``, the entropy.
    """

    cost: str = "approximate"


class TextMdlLearner(PathLearner):
    """Merges the pair of clusters that saves most, until none saves anything.

    :param options: see :class:`TextMdlOptions`.
    :raises LearnerError: for a cost that there isn't.
    """

    name: ClassVar[str] = "text_mdl"

    def __init__(self, options: TextMdlOptions | None = None) -> None:
        self.options: TextMdlOptions = options or TextMdlOptions()
        if self.options.cost not in COSTS:
            raise LearnerError(f"There is no cost {self.options.cost!r}; use one of {', '.join(COSTS)}.")

    def cluster(self, documents: Sequence[Paths], seed: int) -> list[list[int]]:
        """The clusters; nothing is drawn at random."""
        return agglomerate(COSTS[self.options.cost](documents), self.options.min_jaccard)
