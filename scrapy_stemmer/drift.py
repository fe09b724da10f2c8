"""Layout drift: whether the pages of a site are still like those that were learned, as a sequential test.

Each page is usual or unusual, by what was usual on the domain's own sample. A cumulative sum of log-likelihood ratios
(CUSUM, Page 1954) weighs two hypotheses: unusual pages are as rare as they were, or they are half of all. It falls with
each usual page, to zero at least, and grows with each unusual one. How large it has to be is measured in pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scrapy_stemmer.core.document import Document
from scrapy_stemmer.patterns.base import MOSTLY_FITTING, Level, MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip_by

LOW = 0.1  # the share of a sample's pages that is below the confidence and path share of its level

DRIFTED = 0.5
"""A site has drifted when this share of its pages is unusual. With less, most pages still have the old layouts."""

LEAST_UNUSUAL = 0.15
"""At least this share of unusual pages is expected of a site: crawls meet kinds of pages that the sample lacks."""

MOST_UNUSUAL = 0.3  # at most this share is expected of a site: with more, drift could not be told


def level_of(sample: Iterable[Stripped]) -> Level | None:
    """The level of a sample, from its stripped pages; ``None`` without any."""
    # Pages are not kept, as each holds its tree.
    signs = [(page.matched, page.confidence, page.path_share) for page in sample]
    if not signs:
        return None

    def low(values: Iterable[float | None]) -> float | None:
        known = sorted(value for value in values if value is not None)
        return round(known[int(LOW * (len(known) - 1))], 3) if known else None

    fits, confidences, path_shares = zip(*signs, strict=True)
    return Level(len(signs), round(sum(fits) / len(signs), 3), low(confidences), low(path_shares))


def unusual_share(level: Level) -> float:
    """The share of unusual pages that is expected of a site as long as it doesn't change, from its sample."""
    unfit = level.pages * (1 - level.fits) if level.fits >= MOSTLY_FITTING else 0.0
    return min(MOST_UNUSUAL, max(LEAST_UNUSUAL, (unfit + 1) / (level.pages + 4)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the pages of a domain have told so far; a new one with each page."""

    sum: float = 0.0  # the cumulative sum. It is zero before the first unusual page, and again when usual ones prevail.
    pages: int = 0  # pages since it was zero last
    unusual: int = 0  # those of them that are unusual

    def after(self, unusual: bool, expected: float) -> Evidence:
        """The evidence after one more page, of a site where this :func:`unusual_share` is expected."""
        weight = math.log(DRIFTED / expected) if unusual else math.log((1 - DRIFTED) / (1 - expected))
        total = self.sum + weight
        return NOTHING if total <= 0 else Evidence(total, self.pages + 1, self.unusual + unusual)

    def is_drift(self, pages: int, expected: float) -> bool:
        """Whether it weighs as much as ``pages`` unusual pages in a row."""
        return self.unusual >= pages and self.sum >= pages * math.log(DRIFTED / expected) - 1e-9


NOTHING = Evidence()  # the evidence before any page


def levelled(
    patterns: Sequence[Pattern], documents: Iterable[Document], options: MatchOptions | None = None
) -> list[Pattern]:
    """What was learned of one site, with the level of its sample, whose pages are stripped with these options."""
    level = level_of(strip_by(patterns, document, options) for document in documents)
    return [replace(pattern, level=level) for pattern in patterns]
