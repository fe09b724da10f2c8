"""The pause of the garbage collector while a small sample is learned."""

from __future__ import annotations

import gc

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.crawl import state
from scrapy_stemmer.crawl.compat import gc_paused
from scrapy_stemmer.crawl.state import MAX_PAGES_GC_PAUSED, CrawlState
from scrapy_stemmer.patternset import PatternSet
from tests.crawl.conftest import idle_crawler


def test_collection_is_on_again_afterwards_also_after_an_error() -> None:
    seen = []

    @gc_paused()
    def fail() -> None:
        seen.append(gc.isenabled())
        raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (seen, gc.isenabled()) == ([False], True)


def test_collection_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(("pages", "collects"), [(MAX_PAGES_GC_PAUSED, False), (MAX_PAGES_GC_PAUSED + 1, True)])
def test_only_small_samples_are_learned_without_it(
    monkeypatch: pytest.MonkeyPatch, pages: int, *, collects: bool
) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(state, "learn", lambda *_: seen.append(gc.isenabled()) or PatternSet())
    CrawlState(idle_crawler()).learn_site([Page("http://ex.com/", "<p>Text</p>")] * pages)
    assert seen == [collects]
