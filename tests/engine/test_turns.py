"""Turns of other threads, such as an event loop, while native modules work on a large page."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest

from scrapy_stemmer._engine import prune, read, score
from scrapy_stemmer.learners.rules.site.columns import Signatures, body_of
from scrapy_stemmer.learners.rules.site.hints import PathFeatures
from scrapy_stemmer.learners.rules.site.paths import common_names
from scrapy_stemmer.learners.rules.site.site import Placer
from scrapy_stemmer.page.document import parse

ROOT = parse("".join(f"<p>{number} words" for number in range(99_000)))


def read_root(signatures: dict[Any, int] | None = None) -> Any:
    return read.read_page(body_of(ROOT), Signatures() if signatures is None else signatures)


def filling() -> Callable[[], Any]:
    columns = read_root(signatures := Signatures())
    placer = Placer(common_names([columns], list(signatures)))
    placer.place_page(columns, list(signatures))
    known, blocks = PathFeatures(placer.paths), range(len(columns))
    return lambda: score.feature_rows(blocks, columns, known, 0, frozenset(), False, "http://a.example/")


def writing() -> Callable[[], Any]:
    pieces = [(element, False) for element in ROOT.iter("p")]
    return lambda: prune.pruned_html(ROOT, pieces)


def turns_during(work: Callable[[], Any]) -> int:
    begun, ended, turns = Event(), Event(), 0

    def run() -> None:
        begun.set()
        work()
        ended.set()

    thread, interval = Thread(target=run), sys.getswitchinterval()
    sys.setswitchinterval(0.0001)
    try:
        thread.start()
        while not ended.is_set():
            time.sleep(0.0001)
            turns += begun.is_set() and not ended.is_set()
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    return turns


@pytest.mark.slow
@pytest.mark.parametrize(("make", "least"), [(lambda: read_root, 10), (filling, 40), (writing, 10)])
def test_other_threads_have_turns_during_native_work(make: Callable[[], Callable[[], Any]], least: int) -> None:
    """Without turns there are at most two, or twenty while features are filled, partly in Python."""
    work = make()
    work()
    # Busy processes may keep a thread from its turn.
    assert any(turns_during(work) > least for _ in range(40))
