"""Pages that were learned from are not parsed again for the items that waited."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from scrapy_stemmer.core import dom
from scrapy_stemmer.crawl import learning
from scrapy_stemmer.crawl.collector import Collector
from scrapy_stemmer.crawl.trees import KEPT_SITES, Trees
from tests.crawl.test_collector import make, response

PAGES = 6


def root() -> etree._Element:
    return dom.parse("<p>text")


def test_a_tree_is_taken_once() -> None:
    trees, made = Trees(), root()
    trees.begin("a")
    trees.keep("a", 1, made)
    assert (trees.take("b", 1), trees.take("a", 2), trees.take("a", None)) == (None, None, None)
    assert trees.take("a", 1) is made
    assert trees.take("a", 1) is None


def test_the_trees_of_the_sites_learned_last_are_kept() -> None:
    trees = Trees()
    sites = [f"{number}" for number in range(KEPT_SITES + 1)]
    for site in sites:
        trees.begin(site)
        trees.keep(site, 1, root())
    trees.keep(sites[0], 2, root())
    assert [site for site in sites if trees.take(site, 1) is not None] == sites[1:]
    assert trees.take(sites[0], 2) is None


def test_trees_that_nobody_waits_for_go() -> None:
    trees = Trees()
    trees.begin("a")
    trees.keep("a", 1, root())
    trees.drop("a")
    trees.drop("b")
    assert trees.take("a", 1) is None


async def learned(found: Collector) -> list[Any]:
    """Pages and items, until their site is learned; what comes out then."""
    desk = found._desk
    assert desk is not None
    for number in range(PAGES):
        each = response(number)
        found.see(each)
        assert found.held({"n": number}, each)
    while desk.learning.busy:
        await asyncio.sleep(0.01)
    return [released.source.page() for released in found.some_items()]


@pytest.mark.parametrize(
    ("learner", "most", "kept"), [("evidence", 10**6, 1), ("evidence", 9, 0), ("layout", 10**6, 1)]
)
def test_items_that_waited_have_the_trees_of_small_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learner: str, most: int, kept: bool
) -> None:
    async def at_once(function: Any, *arguments: Any) -> Any:
        return function(*arguments)

    monkeypatch.setattr(learning, "run_in_thread", at_once)
    monkeypatch.setattr(learning, "spawn", asyncio.ensure_future)
    monkeypatch.setattr(learning, "TREE_BYTES", most)
    found = make(tmp_path, STEMMER_LEARNER=learner, STEMMER_SAMPLE_SIZE=PAGES)
    monkeypatch.setattr(found._desk._writer, "request", lambda *_: None)  # type: ignore[union-attr]
    pages = asyncio.run(learned(found))
    assert len(pages) == PAGES
    for number, page in enumerate(pages):
        assert isinstance(page.html, etree._Element if kept else str)
        tree = page.html if kept else dom.parse(page.html)
        assert etree.tostring(tree) == etree.tostring(dom.parse(response(number).text))
    assert found._desk is not None
    assert not found._desk.waiting._trees._by_site
