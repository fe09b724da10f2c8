"""Work on stored pages, spread over the cores; what comes out does not depend on how many there are."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.context import BaseContext
from typing import TypeVar

from scrapy_stemmer.exceptions import StemmerError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Tasks for each process that are begun before the result of the first is there; more would fill the memory."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(function: Callable[[T], R], tasks: Iterable[T], processes: int) -> Iterator[R]:
    """The result for each task, in the order of the tasks, which are taken as they are needed.

    :param function: of a module, or a ``partial`` of one; called in other processes, but here when there is one task.
    :param processes: how many.
    :raises StemmerError: when a process has died.
    """
    tasks = iter(tasks)
    first = list(islice(tasks, 2))
    if processes < 2 or len(first) < 2:
        yield from map(function, chain(first, tasks))
        return
    pool = ProcessPoolExecutor(processes, mp_context=_context())
    waiting: deque[Future[R]] = deque()
    try:
        for task in chain(first, tasks):
            waiting.append(pool.submit(function, task))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise StemmerError(
            "A process has died, perhaps for want of memory. What was done before is kept; try fewer --processes."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> BaseContext:
    """How processes are started: never as copies of one that may have threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context
