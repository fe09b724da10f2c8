"""How items that have waited come out."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.http import Response

from scrapy_stemmer.crawl import compat, spidermiddleware
from scrapy_stemmer.crawl.pages import OwnPage
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from scrapy_stemmer.crawl.waiting import Released


class Waiting:
    """A collector of three items that may go."""

    may_hold = True

    def some_items(self) -> Iterator[Released]:
        return (Released({"n": number}, OwnPage("")) for number in range(3))


async def nothing() -> AsyncIterator[Any]:
    for each in ():
        yield each


def test_other_things_are_done_between_two_items_that_have_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrapy takes all that a generator gives before it does anything else, and each item has its page stripped."""
    done: list[Any] = []

    async def breathe() -> None:
        done.append("something else")

    monkeypatch.setattr(spidermiddleware, "breathe", breathe)
    monkeypatch.setattr(spidermiddleware, "is_closing", lambda _: False)
    middleware = StemmerSpiderMiddleware.__new__(StemmerSpiderMiddleware)
    parts: dict[str, Any] = {
        "_crawler": None,
        "_carriers": SimpleNamespace(is_carrier=lambda _: False),
        "_collector": Waiting(),
        "_register": lambda released, _: released.item,
    }
    for name, part in parts.items():
        setattr(middleware, name, part)

    async def run() -> None:
        async for item in middleware.process_spider_output(Response("http://a.com/"), nothing()):
            done.append(item)  # noqa: PERF401 - in between others append

    asyncio.run(run())
    assert done == [each for number in range(3) for each in ({"n": number}, "something else")]


def test_the_interpreter_changes_threads_more_often_while_a_site_is_learned() -> None:
    before = sys.getswitchinterval()
    with compat.often_switching():
        assert sys.getswitchinterval() == pytest.approx(compat.SWITCH_INTERVAL)
    assert sys.getswitchinterval() == before
