"""The sequence of features that the pages of one layout share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scrapy_stemmer.core.matching import Match
from scrapy_stemmer.learners.layout.alignment import Runs, absorb, match_weighted


@dataclass(frozen=True, slots=True)
class Element:
    """A place in the common sequence.

    :param feature: number of its feature.
    :param support: pages that have it.
    :param weight: significant characters that these pages have there, all together.
    """

    feature: int
    support: int
    weight: int


def consensus(pages: Sequence[Runs], share: float) -> list[int]:
    """The features that at least a share of the pages have, in the order in which the pages have them.

    Page after page is aligned with the sequence so far; what only one side has is kept in place until all
    pages have been seen.

    :param pages: in a fixed order.
    :param share: from 0 to 1; 1 keeps what all pages have.
    """
    elements: list[Element] = []
    for page in pages:
        elements = list(_merged(elements, page))
    least = max(1, math.ceil(share * len(pages)))
    kept = [element.feature for element in elements if element.support >= least]
    return [feature for index, feature in enumerate(kept) if index == 0 or kept[index - 1] != feature]


def _merged(elements: list[Element], page: Runs) -> Iterator[Element]:
    matches = match_weighted(
        [element.feature for element in elements],
        [element.weight // element.support for element in elements],
        page.features,
        page.weights,
    )
    absorbed = absorb(page, [match.second for match in matches])
    before = Match(-1, -1)
    for match in [*matches, Match(len(elements), len(page.features))]:
        yield from elements[before.first + 1 : match.first]
        for position in range(before.second + 1, match.second):
            if position not in absorbed:
                yield Element(page.features[position], 1, page.weights[position])
        if match.first < len(elements):
            element = elements[match.first]
            weight = element.weight + page.weights[match.second]
            yield replace(element, support=element.support + 1, weight=weight)
        before = match
