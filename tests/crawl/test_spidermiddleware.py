"""How items that have waited come out."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response

from scrapy_stemmer.crawl import compat, spidermiddleware
from scrapy_stemmer.crawl.held_items import ReleasedItem
from scrapy_stemmer.crawl.items import ItemPage
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from tests.crawl.test_learning_session import make, response


class Session:
    """A session with three items that may go."""

    def some_items(self) -> Iterator[ReleasedItem]:
        return (({"n": number}, ItemPage("")) for number in range(3))


async def nothing() -> AsyncIterator[Any]:
    for each in ():
        yield each


def test_other_things_are_done_between_two_items_that_have_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrapy takes all that a generator gives before it does anything else, and each item has its page stripped."""
    done: list[Any] = []

    async def yielded() -> None:
        done.append("something else")

    monkeypatch.setattr(spidermiddleware, "yield_to_event_loop", yielded)
    monkeypatch.setattr(spidermiddleware, "is_closing", lambda _: False)
    middleware = StemmerSpiderMiddleware.__new__(StemmerSpiderMiddleware)
    parts: dict[str, Any] = {
        "_crawler": None,
        "_session": Session(),
        "_register": lambda released, _: released[0],
    }
    for name, part in parts.items():
        setattr(middleware, name, part)

    async def run() -> None:
        async for item in middleware.process_spider_output(Response("http://a.com/"), nothing()):
            done.append(item)  # noqa: PERF401 - in between others append

    asyncio.run(run())
    assert done == [each for number in range(3) for each in ({"n": number}, "something else")]


def test_a_request_of_our_own_never_meets_a_file_that_an_earlier_one_has_left(tmp_path: Path) -> None:
    """A crawl that is killed just then leaves an empty file in the queue of the slot, and Scrapy can't open it again:
    the resumed crawl would be closed with all its items waiting."""
    slots = set()
    for number in range(2):
        middleware = make(tmp_path / str(number), STEMMER_SAMPLE_SIZE=100)
        middleware._crawler.engine = SimpleNamespace(crawl=lambda request: slots.add(request.meta["download_slot"]))
        assert not middleware._passes({"n": 1}, response(1))
        for _ in range(2):
            with pytest.raises(DontCloseSpider):
                middleware._keep_open()
    assert len(slots) == 4


def test_two_sites_that_are_learned_at_a_time_leave_the_interpreter_as_it_was() -> None:
    """As two crawls in one process may do."""
    before = sys.getswitchinterval()
    first, second = compat.short_switch_interval(), compat.short_switch_interval()
    for each in (first, second):
        each.__enter__()
    for each in (first, second):
        each.__exit__(None, None, None)
    assert sys.getswitchinterval() == before


def test_the_interpreter_changes_threads_more_often_while_a_site_is_learned() -> None:
    before = sys.getswitchinterval()
    with compat.short_switch_interval():
        assert sys.getswitchinterval() == pytest.approx(compat.SWITCH_INTERVAL)
    assert sys.getswitchinterval() == before
