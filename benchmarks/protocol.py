"""Choice of learned and of tested pages of a site."""

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

    learned: tuple[int, ...]  # the learned pages
    tested: tuple[int, ...]  # the stripped and scored pages


def shuffled(count: int) -> list[int]:
    """Return the numbers below ``count`` in the order in which the pages of a site of this size are taken."""
    order = list(range(count))
    random.Random(SEED).shuffle(order)
    return order


def splits(count: int) -> Iterator[Split]:
    """Return the splits of a site: learned on 10 pages of 12 or more, leave-one-out for 3 to 11, both pages of 2.

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
    """Return the splits of a site for the learning curve.

    The first 12 pages of the shuffle are tested. Each is stripped with patterns of the next ``size``
    pages in the shuffle, the first pages following upon the last, and never with its own. A site
    of no more than ``size`` pages is left out. All sizes test equal pages.

    :param count: the pages of the site.
    :param size: the pages to learn; 0 stands for the page alone.
    """
    if count <= size:
        return
    order = shuffled(count)
    for place, page in enumerate(order[:CURVE_TESTED]):
        following = [*order[place + 1 :], *order[:place]]
        yield Split(tuple(following[:size]) if size else (page,), (page,))
