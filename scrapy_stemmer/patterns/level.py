"""Usual values of a sample, and which later pages are unusual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Protocol

from scrapy_stemmer.patterns.record import Between, Share

LESS_PATHS = 0.15
"""Distance below the level from which a path share is unusual. From .1 to .2 about equally many pairs of sites are
found (``benchmarks/results/drift.md``), with as few false alarms."""

LESS_CONFIDENCE = 0.2
"""Distance below the level from which a confidence is unusual. Pages of well learned sites differ by less."""

MOSTLY_FITTING = 0.8
"""Share of the sample's pages that must fit a layout for a page without one to be unusual: on some sites none fits."""


class ComparedPage(Protocol):
    """Measures of a stripped page for comparison with a :class:`Level`; see :class:`PageMatch`."""

    @property
    def matched(self) -> bool: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def path_share(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Level:
    """Usual values on the pages of a sample, stripped by their own patterns."""

    pages: Annotated[int, Between(1)]
    fits: Share  # share of pages fitting a layout
    confidence: Share | None = None  # tenth percentile; ``None`` from learners without confidences
    # tenth percentile of :attr:`PageMatch.path_share`; ``None`` from learners without it
    path_share: Share | None = None

    def is_unusual(self, page: ComparedPage) -> bool:
        """Return True if a page is unlike the sample: without a layout, or with few paths or little confidence."""
        if not page.matched and self.fits >= MOSTLY_FITTING:
            return True
        for name, margin in (("path_share", LESS_PATHS), ("confidence", LESS_CONFIDENCE)):
            usual = getattr(self, name)  # values without a level are not computed
            value = None if usual is None else getattr(page, name)
            if value is not None and value < usual - margin:
                return True
        return False
