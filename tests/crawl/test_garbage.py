"""When Python does not look for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from scrapy_stemmer.crawl.garbage import without_collection
from scrapy_stemmer.crawl.learning import UNCOLLECTED_BYTES, Learning, SampleSizes
from scrapy_stemmer.crawl.sample import StoredPage


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_collection_stays_off_where_it_was_off() -> None:
    gc.disable()
    with without_collection():
        pass
    assert not gc.isenabled()


def test_of_two_that_overlap_the_last_one_to_end_switches_it_on() -> None:
    learning, stripping = without_collection(), without_collection()
    learning.__enter__()
    stripping.__enter__()
    learning.__exit__(None, None, None)
    assert not gc.isenabled()
    stripping.__exit__(None, None, None)
    assert gc.isenabled()


def test_an_error_switches_it_on() -> None:
    with pytest.raises(RuntimeError), without_collection():
        raise RuntimeError
    assert gc.isenabled()


@pytest.mark.parametrize(("size", "collects"), [(UNCOLLECTED_BYTES // 2, False), (UNCOLLECTED_BYTES // 2 + 1, True)])
def test_only_small_samples_are_learned_without(size: int, collects: bool) -> None:
    seen: list[bool] = []
    spool: Any = SimpleNamespace(sample_sizes=dict)
    other: Any = None
    learning = Learning(spool, other, SampleSizes(2, 1), lambda _: seen.append(gc.isenabled()) or other, other, other)
    learning._learn_stored("a.example", [StoredPage(n, f"http://a.example/{n}", bytes(size), ()) for n in range(2)])
    assert seen == [collects]
    assert gc.isenabled()
