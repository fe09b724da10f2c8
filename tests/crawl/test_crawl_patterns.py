"""The patterns of a crawl, and how seldom they are written."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from scrapy.statscollectors import StatsCollector

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.crawl import compat, crawl_patterns
from scrapy_stemmer.crawl.crawl_patterns import CrawlPatterns, PatternWriter
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import Rule
from scrapy_stemmer.learners.rules.selectors import Selector
from tests.crawl.conftest import idle_crawler
from tests.crawl.website import Article


def patterns_of(site: str) -> PatternSet:
    return learn([Page(f"http://{site}/{n}", Article(n).html()) for n in range(4)])


def saved_by(patterns: CrawlPatterns, folder: Path) -> PatternSet:
    """The file that is written."""
    uri = str(folder / "saved.jsonl")
    patterns.save(uri)
    return PatternSet.load(uri)


def test_sites_of_the_file_are_known_unless_they_are_learned_again() -> None:
    loaded = patterns_of("a.com")
    assert CrawlPatterns(loaded).is_known("a.com")
    assert not CrawlPatterns(loaded).is_known("b.com")
    assert not CrawlPatterns(loaded, relearn=True).is_known("a.com")
    assert CrawlPatterns(loaded, relearn=True).of_site("a.com") == loaded.of_site("a.com")


def test_what_is_learned_is_saved_beside_or_in_the_place_of_what_was_loaded(tmp_path: Path) -> None:
    known = CrawlPatterns(patterns_of("a.com"), relearn=True)
    new = patterns_of("a.com").stamped("2020-01-01T00:00:00+00:00")
    known.add("a.com", new)
    known.add("b.com", patterns_of("b.com"))
    saved = saved_by(known, tmp_path)
    assert saved.sites == ("a.com", "b.com")
    assert known.of_site("a.com") == new.patterns
    assert {pattern.learned for pattern in saved.of_site("a.com")} == {"2020-01-01T00:00:00+00:00"}


def test_what_somebody_has_corrected_in_the_file_holds_for_what_is_learned_again(tmp_path: Path) -> None:
    (pattern,) = patterns_of("a.com").patterns
    assert isinstance(pattern, RulesPattern)
    mine = Rule("keep", Selector.parse(".foot"), is_users=True)
    known = CrawlPatterns(PatternSet([replace(pattern, rules=(*pattern.rules, mine))]), relearn=True)
    known.add("a.com", patterns_of("a.com"))
    for found in (known.of_site("a.com"), saved_by(known, tmp_path).of_site("a.com")):
        (corrected,) = found
        assert isinstance(corrected, RulesPattern)
        assert [rule.line for rule in corrected.rules if rule.is_users] == ["keep .foot"]


def test_a_site_without_patterns_is_known_and_old_patterns_stay(tmp_path: Path) -> None:
    loaded = patterns_of("a.com")
    known = CrawlPatterns(loaded, relearn=True)
    known.add("a.com", PatternSet())
    assert known.is_known("a.com")
    assert saved_by(known, tmp_path) == loaded


def test_what_was_learned_is_used_from_the_file_when_it_is_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_patterns, "MAX_LEARNED_IN_MEMORY", 1)
    uri = str(tmp_path / "p.jsonl")
    known = CrawlPatterns(patterns_of("a.com"))
    learned = {site: patterns_of(site) for site in ("b.com", "c.com")}
    known.add("b.com", learned["b.com"])
    known.save(uri)
    assert known.of_site("b.com") is learned["b.com"].of_site("b.com")
    known.add("c.com", learned["c.com"])
    known.save(uri)
    for site in ("b.com", "c.com"):
        assert known.of_site(site) is not learned[site].of_site(site)
        assert known.of_site(site) == learned[site].patterns
    assert PatternSet.load(uri) == patterns_of("a.com").replace(*learned.values())


class TestWriter:
    @pytest.fixture(autouse=True)
    def _plain_asyncio(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The event loop of the test in place of Scrapy's reactor."""

        async def run_in_thread(function: object, *arguments: object) -> object:
            return await asyncio.to_thread(function, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(crawl_patterns, "run_in_thread", run_in_thread)
        monkeypatch.setattr(crawl_patterns, "run_in_background", asyncio.ensure_future)
        monkeypatch.setattr(
            crawl_patterns, "call_later", lambda seconds, call: asyncio.get_running_loop().call_later(seconds, call)
        )
        monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda deferred: deferred.asFuture(None))

    @pytest.fixture
    def stats(self) -> StatsCollector:
        return idle_crawler().stats  # type: ignore[no-any-return]

    def test_a_burst_of_sites_is_few_writes(self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch) -> None:
        writes, saved = [], []

        async def burst() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = PatternWriter(lambda: writes.append(threading.current_thread()), saved.append, stats)
            for number in range(100):
                writer.request(f"{number}.com")
            await writer.finish()

        asyncio.run(burst())
        assert len(writes) == 1
        assert writes[0] is not threading.main_thread()
        assert len(saved) == 100

    def test_after_a_save_the_next_one_waits_and_takes_all_that_has_come(
        self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else a crawl that learns many sites would write the growing file for each of them."""
        writes: list[float] = []
        saved: list[str] = []

        def save() -> None:
            writes.append(time.monotonic())
            time.sleep(0.02)

        async def learn_slowly() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = PatternWriter(save, saved.append, stats)
            for number in range(40):
                writer.request(f"{number}.com")
                await asyncio.sleep(0.01)
            while len(writes) < 3:
                await asyncio.sleep(0.01)
            writer.request("last.com")
            await writer.finish()

        asyncio.run(learn_slowly())
        assert sorted(saved) == sorted(["last.com", *(f"{number}.com" for number in range(40))])
        assert 3 <= len(writes) <= 6
        assert all(
            later - earlier >= 0.02 * crawl_patterns.SAVE_PAUSE_FACTOR for earlier, later in pairwise(writes[:-1])
        )
        assert stats.get_stats() == {}

    def test_what_fails_is_tried_again_and_reported(
        self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        attempts, saved = [], []

        def save() -> None:
            attempts.append(1)
            if len(attempts) == 1:
                raise OSError("disk full")

        async def twice() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = PatternWriter(save, saved.append, stats)
            writer.request("a.com")
            await writer.finish()

        asyncio.run(twice())
        assert (len(attempts), saved) == (2, ["a.com"])
        assert stats.get_value("stemmer/errors/OSError") == 1


def test_what_is_learned_of_a_reopened_site_stands_beside_what_it_has(tmp_path: Path) -> None:
    known = CrawlPatterns(patterns_of("a.com"))
    known.reopen("a.com")
    assert not known.is_known("a.com")
    assert known.is_reopened("a.com")
    known.add("a.com", patterns_of("a.com"))
    assert known.is_known("a.com")
    assert not known.is_reopened("a.com")
    assert [pattern.name for pattern in saved_by(known, tmp_path).patterns] == ["site", "site 2"]


def test_a_reopened_site_of_which_nothing_is_learned_keeps_what_it_has() -> None:
    known = CrawlPatterns(patterns_of("a.com"))
    known.reopen("a.com")
    known.add("a.com", PatternSet())
    assert known.is_known("a.com")
    assert known.of_site("a.com") == patterns_of("a.com").patterns
