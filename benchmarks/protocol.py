"""Which pages of a site are learned, and which are tested."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

LEARNED = 10  # pages that are learned of a large site
LARGE = 12  # pages of a large site; they leave at least two to be tested
SEED = 0  # of the shuffle of a site's pages
CURVE = (1, 2, 3, 5, 10, 20)  # sizes of the samples of the learning curve
CURVE_TESTED = 12  # pages of a site that are tested for the learning curve, at most


class Split(NamedTuple):
    """Numbers of pages of a site."""

    learned: tuple[int, ...]  # those that are learned
    tested: tuple[int, ...]  # those that are stripped and scored


def shuffled(count: int) -> list[int]:
    """The numbers below ``count`` in the order in which the pages of a site of that size are taken."""
    order = list(range(count))
    random.Random(SEED).shuffle(order)
    return order


def splits(count: int) -> Iterator[Split]:
    """How a site is tested: learned on 10 pages of 12 or more, leaving one out of 3 to 11, on both pages of 2.

    :param count: the pages of the site.
    """
    if count >= LARGE:
        order = shuffled(count)
        yield Split(tuple(order[:LEARNED]), tuple(order[LEARNED:]))
    elif count > 2:
        for page in range(count):
            yield Split(tuple(other for other in range(count) if other != page), (page,))
    else:
        yield Split(tuple(range(count)), tuple(range(count)))


def curve_splits(count: int, size: int) -> Iterator[Split]:
    """How a site is tested for the learning curve.

    The first 12 pages of the shuffle are tested. Each is stripped with what was learned from the next ``size``
    pages behind it in the shuffle, the first pages following upon the last. It is never among them itself. A site
    of no more than ``size`` pages is left out. The pages tested are the same for all sizes.

    :param count: the pages of the site.
    :param size: the pages to learn; 0 stands for the page itself and no other.
    """
    if count <= size:
        return
    order = shuffled(count)
    for place, page in enumerate(order[:CURVE_TESTED]):
        following = [*order[place + 1 :], *order[:place]]
        yield Split(tuple(following[:size]) if size else (page,), (page,))
