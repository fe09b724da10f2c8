"""Pages that Scrapy has parsed are not parsed again for the items that waited."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from scrapy.http import HtmlResponse

from scrapy_stemmer.core import dom
from scrapy_stemmer.crawl import learning
from scrapy_stemmer.crawl.collector import Collector
from scrapy_stemmer.crawl.trees import Trees
from tests.crawl.test_collector import make, response

PAGES = 6


def root() -> etree._Element:
    return dom.parse("<p>text")


def test_a_tree_is_taken_once() -> None:
    trees, made = Trees(), root()
    trees.keep(1, made, 10)
    assert (trees.take(2), trees.take(None)) == (None, None)
    assert trees.take(1) is made
    assert trees.take(1) is None


def test_trees_are_kept_while_there_is_room() -> None:
    trees = Trees(most=25)
    for page in range(3):
        trees.keep(page, root(), 10)
    assert [trees.take(page) is not None for page in range(3)] == [True, True, False]
    trees.keep(3, root(), 25)
    assert trees.take(3) is not None


def test_a_page_with_several_items_takes_its_room_once() -> None:
    trees = Trees(most=20)
    for _ in range(3):
        trees.keep(1, root(), 10)
    trees.keep(2, root(), 10)
    assert len(trees) == 2


async def learned(found: Collector, **given: Any) -> list[Any]:
    """Pages and items, until their site is learned; what comes out then."""
    desk = found._desk
    assert desk is not None
    for number in range(PAGES):
        each = response(number)
        if given:
            each = HtmlResponse(each.url, body=each.body, request=each.request, **given)
        found.see(each)
        assert found.held({"n": number}, each)
    while desk.learning.busy:
        await asyncio.sleep(0.01)
    return [released.source.page() for released in found.some_items()]


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

    monkeypatch.setattr(learning, "run_in_thread", at_once)
    monkeypatch.setattr(learning, "spawn", asyncio.ensure_future)
    found = make(tmp_path, STEMMER_SAMPLE_SIZE=PAGES, **settings)
    assert found._desk is not None
    found._desk.waiting._trees = trees = Trees(most)
    monkeypatch.setattr(found._desk._writer, "request", lambda *_: None)
    pages = asyncio.run(learned(found))
    assert len(pages) == PAGES
    for number, page in enumerate(pages):
        assert isinstance(page.html, etree._Element if kept else str)
        if kept:
            assert etree.tostring(page.html) == etree.tostring(response(number).selector.root)
        else:
            assert page.html == response(number).text
    assert not len(trees)
