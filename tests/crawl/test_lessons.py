"""Pages are read for the learner when they come, and the rest when their site is learned."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lxml import etree

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.crawl import learning as module
from scrapy_stemmer.crawl.learning import Learning, Outcome, SampleSizes
from scrapy_stemmer.crawl.lessons import PAGE_BYTES, Lessons
from scrapy_stemmer.crawl.sample import Spool
from scrapy_stemmer.learners.base import Lesson
from scrapy_stemmer.learners.evidence import EvidenceLearner
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from tests.samplesite import SITE, sample

URL = "http://a.example/1"


class Titles(Lesson):
    """Learns the addresses of its pages."""

    def __init__(self) -> None:
        self.read_pages: list[str] = []

    def read(self, page: Page) -> None:
        if "broken" in page.url:
            raise ValueError(page.url)
        self.read_pages.append(page.url)

    def learn(self, *, seed: int = 0) -> list[Pattern]:
        return []


def lessons(most: int = 100) -> Lessons:
    return Lessons(Titles, lambda lesson: PatternSet(lesson.learn()), most)


def page(number: int) -> Page:
    return Page(f"http://a.example/{number}", parse("<p>x"))


def test_a_lesson_has_the_pages_of_one_site() -> None:
    found = lessons()
    for number, site in enumerate("aba"):
        found.read(page(number), site, number, 10)
    begun = found.take("a")
    assert begun is not None
    assert cast(Titles, begun.lesson).read_pages == ["http://a.example/0", "http://a.example/2"]
    assert (begun.pages, begun.size) == ({0, 2}, 20)


def test_it_is_taken_once() -> None:
    found = lessons()
    found.read(page(1), "a", 1, 10)
    assert found.take("a") is not None
    assert found.take("a") is None


def test_pages_are_read_while_there_is_room_and_again_when_a_site_is_learned() -> None:
    found = lessons(most=25)
    for number in range(4):
        found.read(page(number), "a", number, 10)
    first = found.take("a")
    found.read(page(9), "a", 9, 25)
    second = found.take("a")
    assert first is not None
    assert second is not None
    assert (first.pages, second.pages) == ({0, 1}, {9})


def test_large_pages_are_not_read_on_the_event_loop() -> None:
    found = lessons(most=10 * PAGE_BYTES)
    found.read(page(1), "a", 1, PAGE_BYTES + 1)
    assert found.take("a") is None


def test_a_page_that_can_not_be_read_is_not_taken_for_read() -> None:
    found = lessons()
    with pytest.raises(ValueError, match="broken"):
        found.read(Page("http://a.example/broken", "<p>x"), "a", 1, 10)
    assert found.take("a") is None


def test_learners_that_want_all_pages_at_once_have_none() -> None:
    found = Lessons(lambda: None, lambda lesson: pytest.fail("there is no lesson"))
    found.read(page(1), "a", 1, 10)
    assert found.take("a") is None


class Stats:
    """Counts nothing."""

    def inc_value(self, *_: Any) -> None: ...


class Crawl:
    """A sample that is learned as a crawl does.

    :param most: bytes of pages that are read when they come.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, most: int, size: int) -> None:
        async def at_once(function: Any, *arguments: Any) -> Any:
            return function(*arguments)

        monkeypatch.setattr(module, "run_in_thread", at_once)
        monkeypatch.setattr(module, "spawn", asyncio.ensure_future)
        self.outcomes: list[Outcome] = []
        self.all_at_once: list[str] = []
        learner = EvidenceLearner()
        self.lessons = Lessons(learner.begin, lambda lesson: PatternSet(lesson.learn()), most)
        knowledge = SimpleNamespace(knows=lambda site: False, add=lambda *_: None)
        self.learning = Learning(
            Spool(folder / "spool.sqlite", lasting=False),
            cast(Any, knowledge),
            SampleSizes(size, size),
            self._learn,
            self.outcomes.append,
            cast(Any, Stats()),
            self.lessons,
        )

    def _learn(self, pages: Any) -> PatternSet:
        self.all_at_once += [page.url for page in pages]
        return learn(pages)

    async def see(self, pages: list[Page], *, with_trees: bool = True) -> PatternSet:
        for each in pages:
            text = str(each.html)
            # As Scrapy parses it.
            root = etree.fromstring(text, etree.HTMLParser(recover=True, encoding="utf8", huge_tree=True))
            self.learning.sample(SITE, each.url, text, root=root if with_trees else None)
        while self.learning.busy:
            await asyncio.sleep(0)
        return self.outcomes[0].patterns


@pytest.mark.parametrize(("most", "read"), [(10**9, "all"), (10_000, "some"), (0, "none")])
def test_what_is_learned_does_not_depend_on_when_pages_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, read: str
) -> None:
    pages = [Page(each.url, each.html) for each in sample()]
    crawl = Crawl(tmp_path, monkeypatch, most, len(pages))
    taken: list[int] = []
    take = crawl.lessons.take
    monkeypatch.setattr(crawl.lessons, "take", lambda site: _noted(take(site), taken))
    patterns = asyncio.run(crawl.see(pages))
    assert crawl.outcomes[0].pages == len(pages)
    assert not crawl.outcomes[0].failed
    assert codec.dumps(patterns.patterns) == codec.dumps(learn(pages).patterns)
    assert {"all": taken == [len(pages)], "some": 0 < taken[0] < len(pages), "none": taken == [0]}[read]
    assert len(crawl.all_at_once) == (len(pages) if read == "none" else 0)


def _noted(begun: Any, taken: list[int]) -> Any:
    taken.append(0 if begun is None else len(begun.pages))
    return begun


def test_pages_without_a_tree_are_read_when_their_site_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [Page(each.url, each.html) for each in sample()]
    crawl = Crawl(tmp_path, monkeypatch, 10**9, len(pages))
    asyncio.run(crawl.see(pages, with_trees=False))
    assert len(crawl.all_at_once) == len(pages)
