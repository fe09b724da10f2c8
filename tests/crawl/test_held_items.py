"""Pages that Scrapy has parsed are not parsed again for the items that waited."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from scrapy.http import HtmlResponse

from scrapy_stemmer.core import document
from scrapy_stemmer.crawl import learning_queue
from scrapy_stemmer.crawl.held_items import TreeCache
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from tests.crawl.test_learning_session import make, response, session_of

PAGES = 6


def root() -> etree._Element:
    return document.parse("<p>text")


def test_a_tree_is_taken_once() -> None:
    trees, made = TreeCache(), root()
    trees.put(1, made, 10)
    assert (trees.take(2), trees.take(None)) == (None, None)
    assert trees.take(1) is made
    assert trees.take(1) is None


def test_trees_are_kept_while_there_is_room() -> None:
    trees = TreeCache(most=25)
    for page in range(3):
        trees.put(page, root(), 10)
    assert [trees.take(page) is not None for page in range(3)] == [True, True, False]
    trees.put(3, root(), 25)
    assert trees.take(3) is not None


def test_a_page_with_several_items_takes_its_room_once() -> None:
    trees = TreeCache(most=20)
    for _ in range(3):
        trees.put(1, root(), 10)
    trees.put(2, root(), 10)
    assert len(trees) == 2


async def learned(found: StemmerSpiderMiddleware, **given: Any) -> list[Any]:
    """Pages and items, until their site is learned; what comes out then."""
    session = session_of(found)
    for number in range(PAGES):
        each = response(number)
        if given:
            each = HtmlResponse(each.url, body=each.body, request=each.request, **given)
        found.process_spider_input(each)
        assert found._hold({"n": number}, each)
    while session._queue.busy:
        await asyncio.sleep(0.01)
    return [page.page() for _, page in session.some_items()]


@pytest.mark.parametrize(
    ("settings", "most", "kept"),
    [
        ({"STEMMER_LEARNER": "rules"}, 10**6, True),
        ({"STEMMER_LEARNER": "layout"}, 10**6, True),
        ({"STEMMER_LEARNER": "rules"}, 9, False),
        # What Scrapy has parsed is not what is stripped.
        ({"STEMMER_DEFAULT_CHARSET": "cp1252"}, 10**6, False),
    ],
)
def test_items_that_waited_have_the_trees_of_their_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], most: int, kept: bool
) -> None:
    async def at_once(function: Any, *arguments: Any) -> Any:
        return function(*arguments)

    monkeypatch.setattr(learning_queue, "run_in_thread", at_once)
    monkeypatch.setattr(learning_queue, "run_in_background", asyncio.ensure_future)
    found = make(tmp_path, STEMMER_SAMPLE_SIZE=PAGES, **settings)
    session = session_of(found)
    session._held._trees = trees = TreeCache(most)
    monkeypatch.setattr(session._writer, "request", lambda *_: None)
    pages = asyncio.run(learned(found))
    assert len(pages) == PAGES
    for number, page in enumerate(pages):
        assert isinstance(page.html, etree._Element if kept else str)
        if kept:
            assert etree.tostring(page.html) == etree.tostring(response(number).selector.root)
        else:
            assert page.html == response(number).text
    assert not len(trees)
