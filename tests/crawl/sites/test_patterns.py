"""The patterns of a crawl, and how seldom they are written."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from scrapy.statscollectors import StatsCollector

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.crawl.sites import patterns as crawl_patterns
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns, PatternWriter
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import SitePatterns, by_site
from tests.crawl.conftest import idle_crawler, on_asyncio
from tests.crawl.website import Article


def patterns_of(site: str) -> PatternSet:
    return learn([Page(f"http://{site}/{n}", Article(n).html()) for n in range(4)])


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return str(tmp_path / "patterns.jsonl")


def loaded_from(uri: str, *sites: str) -> Mapping[str, SitePatterns]:
    """Return patterns of these sites, written to a file and loaded as by a crawl."""
    PatternSet().replace(*(patterns_of(site)._stamped(EARLY) for site in sites)).save(uri)
    return open_store(uri).open()


EARLY, LATE = "2020-01-01T00:00:00+00:00", "2020-01-02T00:00:00+00:00"
MINE = Rule("keep", Selector.parse(".foot"), is_users=True)


def with_rule(patterns: PatternSet, rule: Rule = MINE) -> PatternSet:
    """Patterns to which somebody has added a rule."""
    (pattern,) = patterns.patterns
    assert isinstance(pattern, RulesPattern)
    return PatternSet([replace(pattern, rules=(*pattern.rules, rule))])


def rules_by_hand(patterns: tuple[Pattern, ...]) -> list[str]:
    (pattern,) = patterns
    assert isinstance(pattern, RulesPattern)
    return [rule.line for rule in pattern.rules if rule.is_users]


def put_by_rename(patterns: PatternSet, uri: str) -> None:
    """Replace a pattern file as editors do that know nothing of locks."""
    beside = Path(f"{uri}.edited")
    beside.write_text(codec.dumps(patterns.patterns), encoding="utf-8")
    beside.replace(uri)


def test_what_is_learned_is_saved_beside_or_in_the_place_of_what_was_loaded(uri: str) -> None:
    known = CrawlPatterns(loaded_from(uri, "a.com", "c.com"))
    new = patterns_of("a.com")._stamped(LATE)
    known.add("a.com", new)
    known.add("b.com", patterns_of("b.com"))
    known.save(open_store(uri))
    saved = PatternSet.load(uri)
    assert saved.sites == ("a.com", "b.com", "c.com")
    assert known.of_site("a.com") == new.patterns
    assert [saved.of_site(site)[0].learned for site in saved.sites] == [LATE, None, EARLY]


@pytest.mark.parametrize("beside", [False, True])
def test_where_nothing_is_learned_old_patterns_stay(uri: str, beside: bool) -> None:
    loaded = loaded_from(uri, "a.com")
    known = CrawlPatterns(loaded)
    known.add("a.com", PatternSet(), beside=beside)
    assert not known.unsaved
    assert known.of_site("a.com") == loaded["a.com"].read()


def test_what_was_saved_is_in_memory_as_lines_until_it_is_used(uri: str) -> None:
    known, learned = CrawlPatterns({}), patterns_of("b.com")
    known.add("b.com", learned)
    assert known.of_site("b.com")[0] is learned.of_site("b.com")[0]
    known.save(open_store(uri))
    assert known.of_site("b.com")[0] is not learned.of_site("b.com")[0]
    assert known.of_site("b.com") == learned.patterns


def test_the_next_save_has_what_is_learned_meanwhile(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known, later = CrawlPatterns(loaded_from(uri, "a.com")), patterns_of("b.com")._stamped(LATE)
    known.add("b.com", patterns_of("b.com")._stamped(EARLY))
    store = open_store(uri)
    merge = store.merge

    def meanwhile(changes: Any) -> Any:
        monkeypatch.undo()
        known.replace("b.com", later.patterns)
        return merge(changes)

    monkeypatch.setattr(store, "merge", meanwhile)
    known.save(store)
    assert known.of_site("b.com") == later.patterns
    assert known.unsaved == {"b.com"}
    known.save(store)
    assert PatternSet.load(uri).of_site("b.com") == later.patterns


class TestOthersWriteToo:
    def test_a_rule_that_somebody_deletes_does_not_come_back(self, uri: str) -> None:
        with_rule(patterns_of("a.com")).save(uri)
        known = CrawlPatterns(open_store(uri).open())
        known.add("a.com", patterns_of("a.com"))
        put_by_rename(patterns_of("a.com"), uri)
        known.save(open_store(uri))
        assert rules_by_hand(PatternSet.load(uri).of_site("a.com")) == []

    def test_a_site_is_learned_though_the_file_was_broken_in_place(self, uri: str) -> None:
        """Corrections in the file can't be read then; items must not wait for ever."""
        known = CrawlPatterns(loaded_from(uri, "a.com"))
        Path(uri).write_text("broken", encoding="utf-8")
        known.add("a.com", patterns_of("a.com"))
        assert known.of_site("a.com") == patterns_of("a.com").patterns

    def test_patterns_of_other_crawls_are_used_if_they_are_new(self) -> None:
        known, theirs = CrawlPatterns({}), by_site(patterns_of("a.com").patterns)["a.com"]
        assert known.take(theirs)
        assert known.of_site("a.com") == theirs.read()
        assert not known.take(SitePatterns("a.com", theirs.lines))
        later = by_site(patterns_of("a.com")._stamped(LATE).patterns)["a.com"]
        known.add("a.com", patterns_of("a.com"))
        assert not known.take(later)
        known.save(open_store("memory://crawl-patterns/taken"))
        assert known.take(later)


class Unsaved:
    """Stands for the patterns of a crawl: only the names of the sites to save.

    :param write: function that saves the sites.
    """

    def __init__(self, write: Callable[[], object]) -> None:
        self.unsaved: frozenset[str] = frozenset()
        self._write = write
        self.saved: frozenset[str] = frozenset()

    def save(self, store: object) -> None:
        sites = self.unsaved
        self._write()
        self.unsaved -= sites
        self.saved |= sites


class TestWriter:
    @pytest.fixture(autouse=True)
    def _plain_asyncio(self, monkeypatch: pytest.MonkeyPatch) -> None:
        on_asyncio(monkeypatch, crawl_patterns)

    def start(self, write: Callable[[], object], stats: StatsCollector) -> PatternWriter:
        """Start a writer for the sites passed to :meth:`learned`."""
        self.patterns = Unsaved(write)
        return PatternWriter(cast(Any, self.patterns), cast(Any, None), stats)

    def run(self, test: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine for a minute at most."""
        asyncio.run(asyncio.wait_for(test, 60))

    def learned(self, writer: PatternWriter, *sites: str) -> None:
        for site in sites:
            self.patterns.unsaved |= {site}
            writer.request()

    @pytest.fixture
    def stats(self) -> StatsCollector:
        return idle_crawler().stats  # type: ignore[no-any-return]

    def test_a_burst_of_sites_is_few_writes(self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch) -> None:
        writes = []

        async def burst() -> None:
            writer = self.start(lambda: writes.append(threading.current_thread()), stats)
            self.learned(writer, *(f"{number}.com" for number in range(100)))
            await writer.finish()

        self.run(burst())
        assert len(writes) == 1
        assert writes[0] is not threading.main_thread()
        assert len(self.patterns.saved) == 100

    def test_the_next_save_waits_and_takes_all(self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch) -> None:
        """A crawl of many sites would otherwise write the growing file for each of them."""
        monkeypatch.setattr(crawl_patterns, "SAVE_PAUSE_FACTOR", 1e9)  # only the end of the crawl ends the pause
        writes: list[int] = []

        def save() -> None:
            writes.append(len(self.patterns.unsaved))
            time.sleep(0.001)

        async def learn_slowly() -> None:
            writer = self.start(save, stats)
            self.learned(writer, "first.com")
            while not self.patterns.saved:
                await asyncio.sleep(0)
            for number in range(40):
                self.learned(writer, f"{number}.com")
                await asyncio.sleep(0)
            assert writes == [1]
            await writer.finish()

        self.run(learn_slowly())
        assert writes == [1, 40]
        assert self.patterns.saved == {"first.com", *(f"{number}.com" for number in range(40))}
        assert stats.get_stats() == {}

    def test_a_failed_save_is_tried_again(self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch) -> None:
        attempts = []

        def save() -> None:
            attempts.append(1)
            if len(attempts) == 1:
                raise OSError("disk full")

        async def twice() -> None:
            writer = self.start(save, stats)
            self.learned(writer, "a.com")
            await writer.finish()

        self.run(twice())
        assert (len(attempts), self.patterns.saved) == (2, {"a.com"})
        assert stats.get_value("stemmer/errors/OSError") == 1
