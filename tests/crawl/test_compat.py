"""Changes while a sample is learned: a pause of the garbage collector, and shorter turns of threads."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
import weakref
from types import SimpleNamespace

import pytest
from scrapy import Request
from twisted.internet.defer import Deferred

from scrapy_stemmer import Page
from scrapy_stemmer.crawl import compat, state
from scrapy_stemmer.crawl.compat import KeptOpen, quietly
from scrapy_stemmer.crawl.state import MAX_PAGES_GC_PAUSED, CrawlState
from scrapy_stemmer.patternset import PatternSet
from tests.crawl.conftest import idle_crawler
from tests.processes import printed


def test_collection_is_on_again_afterwards_also_after_an_error() -> None:
    seen = []

    @quietly()
    def fail() -> None:
        seen.append(gc.isenabled())
        raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (seen, gc.isenabled()) == ([False], True)


def test_collection_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        with quietly():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(("pages", "collects"), [(MAX_PAGES_GC_PAUSED, False), (MAX_PAGES_GC_PAUSED + 1, True)])
def test_only_small_samples_are_learned_without_it(
    monkeypatch: pytest.MonkeyPatch, pages: int, *, collects: bool
) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(state, "learn", lambda *_, **__: seen.append(gc.isenabled()) or PatternSet())
    CrawlState(idle_crawler()).learn_site([Page("http://ex.com/", "<p>Text</p>")] * pages)
    assert seen == [collects]


def test_two_sites_that_are_learned_at_a_time_leave_the_interpreter_as_it_was() -> None:
    """Two crawls may share a process."""
    before = sys.getswitchinterval()
    first, second = quietly(), quietly()
    for each in (first, second):
        each.__enter__()
    first.__exit__(None, None, None)
    assert (sys.getswitchinterval(), gc.isenabled()) == (pytest.approx(compat.SWITCH_INTERVAL), False)
    second.__exit__(None, None, None)
    assert (sys.getswitchinterval(), gc.isenabled()) == (before, True)


def test_threads_without_a_gap_between_them_hold_up_collection_for_seconds_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr(compat.time, "monotonic", lambda: now)
    first, second, third = quietly(), quietly(), quietly()
    first.__enter__()
    now += compat.LONGEST_PAUSE
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    now += compat.LONGEST_PAUSE + 1  # so that it need not wait
    third.__enter__()
    second.__exit__(None, None, None)
    assert gc.isenabled()
    third.__exit__(None, None, None)
    assert gc.isenabled()


def test_a_thread_that_comes_late_in_a_pause_waits_until_garbage_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the collector would search the objects made by then."""
    now, seen = 1000.0, []
    monkeypatch.setattr(compat.time, "monotonic", lambda: now)

    class InCycle:
        pass

    garbage = InCycle()
    garbage.itself, is_there = garbage, weakref.ref(garbage)  # type: ignore[attr-defined]

    def late() -> None:
        with quietly():
            seen.append((is_there(), gc.isenabled()))

    first, thread = quietly(), threading.Thread(target=late)
    first.__enter__()
    now += compat.LONGEST_PAUSE + 1
    thread.start()
    del garbage
    time.sleep(0.05)
    assert (seen, is_there() is None) == ([], False)
    first.__exit__(None, None, None)
    thread.join(10)
    assert seen == [(None, False)]
    assert gc.isenabled()


def test_the_interpreter_changes_threads_more_often_while_a_site_is_learned() -> None:
    before = sys.getswitchinterval()
    with quietly():
        assert sys.getswitchinterval() == pytest.approx(compat.SWITCH_INTERVAL)
    assert sys.getswitchinterval() == before


class TestSpareCollector:
    @pytest.mark.slow
    def test_full_searches_pass_over_what_was_there_when_the_first_crawl_of_the_process_began(self) -> None:
        program = """
import gc, scrapy
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = "spider"
    start_urls = ["data:text/html,<p>A"]

    def parse(self, response):
        searched = {id(found) for found in gc.get_objects()}
        print(id(vars(scrapy)) in searched, id(vars(self.crawler)) in searched)

crawls = CrawlerProcess({"ADDONS": {"scrapy_stemmer.Addon": 500}, "LOG_ENABLED": False})
crawls.crawl(Spider)
crawls.start()
"""
        assert printed(program) == "False False\n"

    @pytest.mark.slow
    def test_what_comes_later_is_searched_also_when_another_crawl_begins(self) -> None:
        program = """
import gc
from scrapy_stemmer.crawl.compat import spare_collector

spare_collector()
later = [gc]
spare_collector()
print(id(later) in {id(found) for found in gc.get_objects()})
"""
        assert printed(program) == "True\n"


@pytest.mark.parametrize("is_over", [False, True])
def test_a_crawl_is_kept_open_unless_all_but_the_closing_of_components_is_over(is_over: bool) -> None:
    """Nobody would see then that the request of ours is gone again, and the crawl would never end."""
    crawler, requests = idle_crawler(), set[Request]()
    closing: Deferred[None] = Deferred()
    scraped = set[Request]()
    crawler.engine = SimpleNamespace(
        _slot=SimpleNamespace(closing=closing, add_request=requests.add, remove_request=requests.remove),
        scraper=SimpleNamespace(slot=SimpleNamespace(active=scraped)),
    )
    if is_over:
        closing.callback(None)
    kept = KeptOpen(crawler)
    kept.set(True)
    assert len(requests) == len(scraped) == (not is_over)
    kept.set(False)
    assert len(requests) == len(scraped) == 0


class TestAside:
    def test_tasks_aside_run_one_by_one_in_the_order_of_asking(self) -> None:
        done: list[tuple[int, str]] = []

        def slow(number: int) -> int:
            done.append((number, "begun"))
            time.sleep(0.01)
            done.append((number, "ended"))
            return number

        async def run() -> list[int]:
            aside = compat.Aside()
            return await asyncio.gather(*(aside.run(slow, number) for number in range(4)))

        assert asyncio.run(run()) == [0, 1, 2, 3]
        assert done == [(number, what) for number in range(4) for what in ("begun", "ended")]

    def test_the_collector_pauses_meanwhile(self) -> None:
        """A search through all objects of a crawl would hold up the event loop."""

        async def run() -> bool:
            return await compat.Aside().run(gc.isenabled)

        assert (asyncio.run(run()), gc.isenabled()) == (False, True)

    def test_an_error_is_told_and_holds_up_nothing(self) -> None:
        async def run() -> int:
            aside = compat.Aside()
            with pytest.raises(ZeroDivisionError):
                await aside.run(divmod, 1, 0)
            return await aside.run(abs, -1)

        assert asyncio.run(run()) == 1
