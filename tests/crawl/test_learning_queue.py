"""How the sample of a site gets to its learner."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from scrapy_stemmer.crawl import learning_queue as module
from scrapy_stemmer.crawl.learning_queue import LearningQueue, SampleSizes
from scrapy_stemmer.crawl.spool import Spool

SITE = "a.example"


def queue(spool: Spool, learn: Any = list) -> LearningQueue:
    return LearningQueue(spool, cast(Any, None), SampleSizes(20, 3), learn, lambda _: None, cast(Any, None))


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    found = Spool(tmp_path / "spool.sqlite", lasting=False)
    for number in range(4):
        page = found.add_page(SITE, f"http://{SITE}/{number}", f"/{number}", f"<p>{number}")
        found.take_into_sample(page)
    return found


@pytest.mark.parametrize(("most", "is_enabled"), [(10**6, False), (10, True)])
def test_small_samples_are_learned_without_looking_for_garbage(
    spool: Spool, monkeypatch: pytest.MonkeyPatch, most: int, is_enabled: bool
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES_GC_PAUSED", most)
    assert gc.isenabled()
    found: Any = queue(spool, lambda pages: (gc.isenabled(), len(pages)))._learn_sample(list(spool.sample(SITE)))
    assert found == (is_enabled, 4)
    assert gc.isenabled()


def test_a_full_sample_takes_no_page_more(spool: Spool) -> None:
    """As long as the site is being learned, so that it is not known yet."""
    unknown = cast(Any, SimpleNamespace(is_known=lambda site: False))
    full = LearningQueue(spool, unknown, SampleSizes(4, 3), list, lambda _: None, cast(Any, None))
    assert full.sample(SITE, f"http://{SITE}/more", "<p>more") is None
    assert spool.sample_sizes() == {SITE: 4}


@pytest.mark.parametrize(("seconds", "turns"), [(-1.0, 4), (60.0, 0)])
def test_other_things_have_their_turn_while_a_sample_is_read(
    spool: Spool, monkeypatch: pytest.MonkeyPatch, seconds: float, turns: int
) -> None:
    taken: list[int] = []

    async def yielded() -> None:
        taken.append(spool.add_page(SITE, "http://other.example/", "/", f"<p>other {len(taken)}"))

    monkeypatch.setattr(module, "MAX_READING_SECONDS", seconds)
    monkeypatch.setattr(module, "yield_to_event_loop", yielded)
    stored = asyncio.run(queue(spool)._sample(SITE))
    assert [page.url for page in stored] == [f"http://{SITE}/{number}" for number in range(4)]
    assert len(taken) == turns
