"""Shorter turns of threads while a sample is learned, and objects that the garbage collector passes over."""

from __future__ import annotations

import asyncio
import sys
import time
from types import SimpleNamespace

import pytest
from scrapy import Request
from twisted.internet.defer import Deferred

from scrapy_stemmer import Page
from scrapy_stemmer.crawl import compat, state
from scrapy_stemmer.crawl.compat import KeptOpen, quietly
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.patternset import PatternSet
from tests.crawl.conftest import idle_crawler
from tests.processes import printed


def test_turns_of_threads_are_short_while_one_computes_also_if_it_fails() -> None:
    before, seen = sys.getswitchinterval(), []

    @quietly()
    def fail() -> None:
        seen.append(sys.getswitchinterval())
        raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (seen, sys.getswitchinterval()) == ([pytest.approx(compat.SWITCH_INTERVAL)], before)


def test_two_sites_that_are_learned_at_a_time_leave_the_interpreter_as_it_was() -> None:
    """Two crawls may share a process."""
    before = sys.getswitchinterval()
    first, second = quietly(), quietly()
    for each in (first, second):
        each.__enter__()
    first.__exit__(None, None, None)
    assert sys.getswitchinterval() == pytest.approx(compat.SWITCH_INTERVAL)
    second.__exit__(None, None, None)
    assert sys.getswitchinterval() == before


def test_a_site_is_learned_with_short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    monkeypatch.setattr(state, "learn", lambda *_, **__: seen.append(sys.getswitchinterval()) or PatternSet())
    CrawlState(idle_crawler()).learn_site([Page("http://ex.com/", "<p>Text</p>")])
    assert seen == [pytest.approx(compat.SWITCH_INTERVAL)]


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
from scrapy_stemmer.crawl.compat import freeze_collector

freeze_collector()
later = [gc]
freeze_collector()
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
            thread = compat.WorkerThread()
            return await asyncio.gather(*(thread.run(slow, number) for number in range(4)))

        assert asyncio.run(run()) == [0, 1, 2, 3]
        assert done == [(number, what) for number in range(4) for what in ("begun", "ended")]

    def test_turns_of_threads_are_short_meanwhile(self) -> None:
        async def run() -> float:
            return await compat.WorkerThread().run(sys.getswitchinterval)

        assert asyncio.run(run()) == pytest.approx(compat.SWITCH_INTERVAL)

    def test_an_error_is_told_and_holds_up_nothing(self) -> None:
        async def run() -> int:
            thread = compat.WorkerThread()
            with pytest.raises(ZeroDivisionError):
                await thread.run(divmod, 1, 0)
            return await thread.run(abs, -1)

        assert asyncio.run(run()) == 1
