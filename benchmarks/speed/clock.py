"""Times to compare, taken side by side."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

REPEATS = 3  # best of so many counts of each measurement, in turn with the compared ones

MOST_REPEATS, ENOUGH = 9, 0.05
"""Seconds up to which short works are repeated: of a page that is parsed in a fifth of a millisecond, the best of three
differs by a tenth between runs."""

LARGE = 4096  # bytes of a request for memory at which an allocator joins small freed pieces


class Work(NamedTuple):
    """Something to be timed."""

    run: Callable[[Any], object]  # the timed work, called with the result of ``prepare``
    prepare: Callable[[], Any] = lambda: None  # called before each run, not timed


def seconds(work: Work) -> float:
    """Return the time of a run, without collection of garbage in between.

    A large request for memory comes first: then the allocator joins the small pieces of freed trees, which takes a
    tenth of the parse of a small page.
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
    """Return the best time of each work, in seconds; all works are run in turn, then all again.

    :param repeats: the least number of runs.
    :param most: the largest number of runs within :data:`ENOUGH`.
    """
    rounds: list[dict[str, float]] = []
    taken = 0.0
    while len(rounds) < repeats or (len(rounds) < most and taken < ENOUGH):
        rounds.append({name: seconds(work) for name, work in works.items()})
        taken += sum(rounds[-1].values())
    return {name: min(times[name] for times in rounds) for name in works}
