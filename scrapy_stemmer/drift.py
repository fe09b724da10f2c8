"""Layout drift: sums up the usual and unusual pages of a site until the site counts as changed.

:class:`~scrapy_stemmer.patterns.base.Level` decides on each page. A cumulative sum of log-likelihood ratios (CUSUM,
Page 1954) weighs two hypotheses: unusual pages are as rare as before, or half of all. The sum falls with each usual
page, down to zero, and grows with each unusual page. The limit is expressed in pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns.base import MOSTLY_FITTING, Level, Pattern, StripOptions
from scrapy_stemmer.patternset import Stripped, strip_by

LOW = 0.1  # share of a sample's pages below the confidence and path share of its level

DRIFT_PAGES = 12
"""Unusual pages in a row of a changed site, or more with usual ones between. Fewer find a change sooner, and take more
sites for changed that are not."""

DRIFTED = 0.5
"""Share of unusual pages of a drifted site. With less, most pages still have the old layouts."""

LEAST_UNUSUAL = 0.15  # least expected share of unusual pages: crawls meet kinds of pages missing in the sample

MOST_UNUSUAL = 0.3  # greatest expected share; with more, drift could not be found


def level_of(sample: Iterable[Stripped]) -> Level | None:
    # The pages themselves are not kept, since each holds its tree.
    signs = [(page.matched, page.confidence, page.path_share) for page in sample]
    if not signs:
        return None

    def low(values: Iterable[float | None]) -> float | None:
        known = sorted(value for value in values if value is not None)
        return round(known[int(LOW * (len(known) - 1))], 3) if known else None

    fits, confidences, path_shares = zip(*signs, strict=True)
    return Level(len(signs), round(sum(fits) / len(signs), 3), low(confidences), low(path_shares))


def unusual_share(level: Level) -> float:
    """Return the share of unusual pages expected of an unchanged site, from its sample."""
    unfit = level.pages * (1 - level.fits) if level.fits >= MOSTLY_FITTING else 0.0
    return min(MOST_UNUSUAL, max(LEAST_UNUSUAL, (unfit + 1) / (level.pages + 4)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Immutable state of the test after some pages of a site."""

    sum: float = 0.0  # zero before the first unusual page, and again when usual pages prevail
    pages: int = 0  # pages since the sum was zero
    unusual: int = 0  # unusual pages among them

    def after(self, unusual: bool, expected: float) -> Evidence:
        """Return the state after one more page, given the site's :func:`unusual_share`."""
        weight = math.log(DRIFTED / expected) if unusual else math.log((1 - DRIFTED) / (1 - expected))
        total = self.sum + weight
        return NO_EVIDENCE if total <= 0 else Evidence(total, self.pages + 1, self.unusual + unusual)

    def is_drift(self, pages: int, expected: float) -> bool:
        """Return True if the sum weighs as much as ``pages`` unusual pages in a row."""
        return self.unusual >= pages and self.sum >= pages * math.log(DRIFTED / expected) - 1e-9


NO_EVIDENCE = Evidence()  # state before any page


def levelled(
    patterns: Sequence[Pattern], documents: Iterable[Document], options: StripOptions | None = None
) -> list[Pattern]:
    level = level_of(strip_by(patterns, document, options) for document in documents)
    return [replace(pattern, level=level) for pattern in patterns]
