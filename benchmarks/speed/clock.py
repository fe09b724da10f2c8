"""Times that are compared with each other, taken side by side."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

REPEATS = 3  # of each measurement the best of this many counts, taken in turn with those it is compared with

MOST_REPEATS, ENOUGH = 9, 0.05
"""Short works are repeated more often, up to that many times or until all together took so many seconds: of a page that
is parsed in a fifth of a millisecond, the best of three differs by a tenth from one run to the next."""

LARGE = 4096  # bytes of a request for memory on which an allocator puts small pieces together that were freed before


class Work(NamedTuple):
    """Something to be timed."""

    run: Callable[[Any], object]  # what is timed, called with what ``prepare`` gives
    prepare: Callable[[], Any] = lambda: None  # called before each run, not timed


def seconds(work: Work) -> float:
    """The time of one run, without collection of garbage in between.

    What another run has left to be put in order is done before: the small pieces of a tree that was freed are put
    together only when someone asks for a large one, which takes a tenth as long as the parse of a small page.
    """
    prepared = work.prepare()
    gc.disable()
    try:
        bytearray(LARGE)
        begin = time.perf_counter()
        work.run(prepared)
        return time.perf_counter() - begin
    finally:
        gc.enable()


def best_times(works: Mapping[str, Work], repeats: int = REPEATS, most: int = 0) -> dict[str, float]:
    """The best time of each, in seconds; all of them are run in turn, then all of them again.

    :param repeats: how often at least.
    :param most: up to how often, as long as it takes less than :data:`ENOUGH`.
    """
    rounds: list[dict[str, float]] = []
    taken = 0.0
    while len(rounds) < repeats or (len(rounds) < most and taken < ENOUGH):
        rounds.append({name: seconds(work) for name, work in works.items()})
        taken += sum(rounds[-1].values())
    return {name: min(times[name] for times in rounds) for name in works}
