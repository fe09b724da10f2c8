"""How the sample of a site gets to its learner."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from scrapy_stemmer.crawl import learning_queue as module
from scrapy_stemmer.crawl.learning_queue import LearningQueue
from scrapy_stemmer.crawl.spool import Spool
from scrapy_stemmer.patternset import PatternSet

SITE = "a.example"


def queue(spool: Spool, full: int, least: int, learned: Any = None, known: Any = ()) -> LearningQueue:
    """A queue of a crawl that learns no patterns, but notes in ``known`` what it would."""
    state = SimpleNamespace(
        config=SimpleNamespace(sample_size=full, min_sample=least),
        patterns=SimpleNamespace(add=lambda site, _: known.append(site), is_known=lambda site: site in known),
        stats=SimpleNamespace(inc_value=lambda *_: None),
        shared=None,
        learn_site=lambda _: PatternSet(),
    )
    return LearningQueue(spool, cast(Any, state), learned)


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    found = Spool(tmp_path / "spool.sqlite", lasting=False)
    for number in range(4):
        page = found.add_page(SITE, f"http://{SITE}/{number}", f"/{number}", f"<p>{number}")
        found.take_into_sample(page)
    return found


def test_a_full_sample_takes_no_page_more(spool: Spool) -> None:
    """As long as the site is being learned, so that it is not known yet."""
    queue(spool, 4, 3).sample(SITE, f"http://{SITE}/more", "<p>more")
    assert spool.sample_sizes() == {SITE: 4}


def test_a_site_that_cant_be_settled_holds_up_no_other(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    spool.take_into_sample(spool.add_page("b.example", "http://b.example/", "/", "<p>b"))
    settled: list[str] = []
    known: list[str] = []

    def settle(learned: Any) -> None:
        settled.append(learned.site)
        raise RuntimeError("oh")

    async def at_once(function: Any, *arguments: Any) -> Any:
        return function(*arguments)

    monkeypatch.setattr(module, "run_in_thread", at_once)
    monkeypatch.setattr(module, "run_in_background", asyncio.run)
    monkeypatch.setattr(module, "yield_to_event_loop", lambda: asyncio.sleep(0))
    found = queue(spool, 1, 1, settle, known)
    found.learn_the_rest()
    assert settled == known == [SITE, "b.example"]
    assert not found.busy


def test_other_things_have_their_turn_while_a_sample_is_read(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []

    async def yielded() -> None:
        done.append(spool.add_page(SITE, "http://other.example/", "/", f"<p>other {len(done)}"))

    async def learned(learn: Any, sample: Any) -> Any:
        done.append([page.url for page in sample])
        raise RuntimeError("enough")

    monkeypatch.setattr(module, "READ_AT_ONCE", 1)
    monkeypatch.setattr(module, "yield_to_event_loop", yielded)
    monkeypatch.setattr(module, "run_in_thread", learned)
    asyncio.run(queue(spool, 20, 3, done.append, [])._learn_site(SITE))
    assert done[4] == [f"http://{SITE}/{number}" for number in range(4)]
    assert (done[5].pages, done[5].failed) == (4, True)
