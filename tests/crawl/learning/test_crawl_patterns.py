"""The patterns of a crawl, and how seldom they are written."""

from __future__ import annotations

import asyncio
import threading
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from scrapy.statscollectors import StatsCollector

from scrapy_stemmer import Page, PatternFileError, PatternSet, StoreUnavailable, learn
from scrapy_stemmer.commands import subcommands
from scrapy_stemmer.crawl import compat
from scrapy_stemmer.crawl.learning import crawl_patterns
from scrapy_stemmer.crawl.learning.crawl_patterns import CrawlPatterns, PatternWriter
from scrapy_stemmer.learners.rules.paths import Selector
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import Rule
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import MatchOptions, Pattern
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import Conflict
from scrapy_stemmer.stores.shared import SharedStore
from tests.crawl.conftest import idle_crawler
from tests.crawl.website import Article


def patterns_of(site: str) -> PatternSet:
    return learn([Page(f"http://{site}/{n}", Article(n).html()) for n in range(4)])


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return str(tmp_path / "patterns.jsonl")


def loaded_from(uri: str, *sites: str) -> PatternSet:
    """Return patterns of these sites, written to a file and loaded as by a crawl."""
    PatternSet().replace(*(patterns_of(site).stamped(EARLY) for site in sites)).save(uri)
    return PatternSet.load(uri)


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


def test_sites_of_the_file_are_told_from_those_that_were_learned_since(uri: str) -> None:
    known = CrawlPatterns(loaded_from(uri, "a.com"))
    known.add("b.com", patterns_of("b.com"))
    assert known.is_loaded("a.com")
    assert not known.is_loaded("b.com")
    assert not known.is_loaded("c.com")
    known.save(open_store(uri))
    assert not known.is_loaded("b.com")


def test_what_is_learned_is_saved_beside_or_in_the_place_of_what_was_loaded(uri: str) -> None:
    known = CrawlPatterns(loaded_from(uri, "a.com", "c.com"))
    new = patterns_of("a.com").stamped(LATE)
    known.add("a.com", new)
    known.add("b.com", patterns_of("b.com"))
    known.save(open_store(uri))
    saved = PatternSet.load(uri)
    assert saved.sites == ("a.com", "b.com", "c.com")
    assert known.of_site("a.com") == new.patterns
    assert [saved.of_site(site)[0].learned for site in saved.sites] == [LATE, None, EARLY]


def test_what_somebody_has_corrected_in_the_file_holds_for_what_is_learned_again(uri: str) -> None:
    with_rule(patterns_of("a.com")).save(uri)
    known = CrawlPatterns(PatternSet.load(uri))
    known.add("a.com", patterns_of("a.com"))
    known.save(open_store(uri))
    for found in (known.of_site("a.com"), PatternSet.load(uri).of_site("a.com")):
        assert rules_by_hand(found) == ["keep .foot"]


@pytest.mark.parametrize("beside", [False, True])
def test_where_nothing_is_learned_old_patterns_stay(uri: str, beside: bool) -> None:
    loaded = loaded_from(uri, "a.com")
    known = CrawlPatterns(loaded)
    known.add("a.com", PatternSet(), beside=beside)
    assert not known.unsaved
    assert known.of_site("a.com") == loaded.of_site("a.com")
    known.save(open_store(uri))
    assert PatternSet.load(uri) == loaded


def test_what_was_saved_is_in_memory_no_longer_until_it_is_used(uri: str) -> None:
    known = CrawlPatterns(loaded_from(uri, "a.com"), memory=1)
    learned = patterns_of("b.com")
    known.add("b.com", learned)
    assert known.of_site("b.com")[0] is learned.of_site("b.com")[0]
    known.save(open_store(uri))
    assert known.of_site("b.com")[0] is not learned.of_site("b.com")[0]
    assert known.of_site("b.com") == learned.patterns
    assert PatternSet.load(uri).sites == ("a.com", "b.com")


def test_what_was_written_is_written_again_when_somebody_saves_an_older_file(
    uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An editor may have had the file open. Deleted sites of earlier crawls stay away."""
    known = CrawlPatterns(loaded_from(uri, "a.com", "z.com"), memory=1)
    known.add("b.com", patterns_of("b.com"))
    known.save(open_store(uri))
    put_by_rename(patterns_of("a.com"), uri)
    known.add("c.com", patterns_of("c.com"))
    known.save(open_store(uri))
    assert known.unsaved == {"b.com"}
    assert f"{uri} has lost sites that this crawl had written" in caplog.text
    assert known.of_site("b.com") == patterns_of("b.com").patterns
    known.save(open_store(uri))
    assert PatternSet.load(uri).sites == ("a.com", "b.com", "c.com")
    assert not known.unsaved


def test_relearned_patterns_are_written_again_but_edited_patterns_stay(uri: str) -> None:
    known = CrawlPatterns(loaded_from(uri, "a.com", "b.com", "c.com"))
    older = Path(uri).read_text(encoding="utf-8")
    for site in ("a.com", "b.com"):
        known.add(site, patterns_of(site).stamped(LATE))
    known.save(open_store(uri))
    assert not known.unsaved
    put_by_rename(PatternSet.load(uri).replace(with_rule(patterns_of("b.com"))), uri)
    known.reclaim(open_store(uri).open(), uri)
    assert not known.unsaved
    Path(uri).write_text(older, encoding="utf-8")
    known.reclaim(open_store(uri).open(), uri)
    assert known.unsaved == {"a.com", "b.com"}
    known.save(open_store(uri))
    saved = PatternSet.load(uri)
    assert [saved.of_site(site)[0].learned for site in saved.sites] == [LATE, LATE, EARLY]
    known.reclaim(open_store(uri).open(), uri)
    assert not known.unsaved


def test_what_is_learned_of_a_site_while_it_is_saved_goes_into_the_next_save(
    uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, later = CrawlPatterns(loaded_from(uri, "a.com")), patterns_of("b.com").stamped(LATE)
    known.add("b.com", patterns_of("b.com").stamped(EARLY))
    put = known.cache.put

    def meanwhile(*given: Any) -> Any:
        monkeypatch.undo()
        known.replace("b.com", later.patterns)
        return put(*given)

    monkeypatch.setattr(known.cache, "put", meanwhile)
    known.save(open_store(uri))
    assert known.of_site("b.com") == later.patterns
    known.save(open_store(uri))
    assert PatternSet.load(uri).of_site("b.com") == later.patterns


class TestOthersWriteToo:
    @pytest.fixture
    def conflicts(self) -> list[Conflict]:
        return []

    def test_sites_of_another_crawl_stay(self, uri: str, conflicts: list[Conflict]) -> None:
        one, other = (CrawlPatterns(loaded_from(uri, "a.com"), conflict=conflicts.append) for _ in range(2))
        for patterns, sites in ((one, ("b.com", "d.com")), (other, ("c.com", "e.com")), (one, ("f.com",))):
            for site in sites:
                patterns.add(site, patterns_of(site))
            patterns.save(open_store(uri))
        assert PatternSet.load(uri).sites == ("a.com", "b.com", "c.com", "d.com", "e.com", "f.com")
        assert conflicts == []

    @pytest.mark.parametrize(("ours", "theirs", "kept"), [(EARLY, LATE, LATE), (LATE, EARLY, LATE), (EARLY, "", EARLY)])
    def test_of_one_site_the_newer_patterns_are_kept_and_both_are_told(
        self, uri: str, conflicts: list[Conflict], ours: str, theirs: str, kept: str
    ) -> None:
        known = CrawlPatterns(loaded_from(uri, "a.com"), conflict=conflicts.append)
        known.add("b.com", patterns_of("b.com").stamped(ours))
        known.add("c.com", patterns_of("c.com").stamped(ours))
        patterns_of("b.com").stamped(theirs).merge_into(uri)
        known.save(open_store(uri))
        assert PatternSet.load(uri).of_site("b.com")[0].learned == kept
        assert conflicts == [Conflict("b.com", ours, theirs or None, kept == ours)]
        told = conflicts[0].message
        assert all(word in told for word in ("b.com", ours, theirs or "unknown"))

    def test_what_a_crawl_has_saved_itself_is_no_conflict(self, uri: str, conflicts: list[Conflict]) -> None:
        known = CrawlPatterns(loaded_from(uri, "a.com"), conflict=conflicts.append)
        for learned in (EARLY, LATE, LATE):
            known.add("a.com", patterns_of("a.com").stamped(learned))
            known.save(open_store(uri))
        assert conflicts == []

    def test_an_edit_by_rename_stays(self, uri: str) -> None:
        """Edits of a relearned site, of another site and of a new site are kept."""
        known = CrawlPatterns(loaded_from(uri, "a.com", "b.com"))
        known.add("a.com", patterns_of("a.com").stamped(LATE))
        edited = [with_rule(patterns_of(site)) for site in ("a.com", "b.com", "c.com")]
        put_by_rename(PatternSet().replace(*edited), uri)
        known.save(open_store(uri))
        saved = PatternSet.load(uri)
        assert [rules_by_hand(saved.of_site(site)) for site in saved.sites] == 3 * [["keep .foot"]]
        assert saved.of_site("a.com")[0].learned == LATE

    def test_a_rule_that_somebody_deletes_does_not_come_back(self, uri: str) -> None:
        with_rule(patterns_of("a.com")).save(uri)
        known = CrawlPatterns(PatternSet.load(uri))
        known.add("a.com", patterns_of("a.com"))
        put_by_rename(patterns_of("a.com"), uri)
        known.save(open_store(uri))
        assert rules_by_hand(PatternSet.load(uri).of_site("a.com")) == []

    def test_a_file_that_can_t_be_read_is_left_and_what_was_learned_is_beside_it(
        self, uri: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        known = CrawlPatterns(loaded_from(uri, "a.com"))
        torn = Path(uri).read_bytes()[9:]
        (tmp_path / "torn").write_bytes(torn)
        (tmp_path / "torn").replace(uri)
        for site in ("b.com", "c.com"):
            known.add(site, patterns_of(site))
            with pytest.raises(PatternFileError) as caught:
                known.save(open_store(uri))
        (beside,) = tmp_path.glob("*patterns-unsaved-*")
        assert str(beside) in str(caught.value)
        assert Path(uri).read_bytes() == torn
        assert PatternSet.load(str(beside)) == patterns_of("b.com").replace(patterns_of("c.com"))
        patterns_of("a.com").save(uri)
        assert f"scrapy stemmer merge {uri} {beside} -o {uri}" in str(caught.value)
        list(subcommands.merge(Namespace(patterns=[uri, str(beside)], output=uri), None))
        assert PatternSet.load(uri).sites == ("a.com", "b.com", "c.com")

    def test_a_line_that_is_broken_costs_its_site_and_stays(self, uri: str, conflicts: list[Conflict]) -> None:
        """A line broken before the crawl is replaced when the site is learned; a line broken later stays."""
        loaded_from(uri, "a.com", "b.com")
        text = Path(uri).read_text(encoding="utf-8")
        broken_a = text.replace('"site": "a.com",', '"site": "a.com"')
        Path(uri).write_text(broken_a, encoding="utf-8")
        known = CrawlPatterns(PatternSet.load(uri), conflict=conflicts.append)
        assert (known.is_loaded("a.com"), known.is_loaded("b.com")) == (False, True)
        Path(uri).write_text(broken_a.replace('"site": "b.com",', '"site": "b.com"'), encoding="utf-8")
        for site in ("a.com", "b.com", "c.com"):
            known.add(site, patterns_of(site))
        known.save(open_store(uri))
        assert PatternSet.load(uri).sites == ("a.com", "c.com")
        assert list(PatternSet.load(uri).broken) == ["b.com"]
        assert [conflict.site for conflict in conflicts] == ["b.com"]
        assert "though they can't be read" in conflicts[0].message
        assert known.of_site("b.com") == patterns_of("b.com").patterns
        assert not known.unsaved

    def test_a_broken_text_of_a_shared_store_is_replaced_when_its_site_is_learned(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        pytest.importorskip("fsspec", reason="the extra fsspec is not installed")
        store = open_store("memory://crawl-patterns/broken")
        assert isinstance(store, SharedStore)
        text = codec.dumps(patterns_of("a.com").patterns).replace('"site": "a.com",', '"site": "a.com"').encode()
        store.put("a.com", text, 0)
        known = CrawlPatterns(PatternSet())
        there = store.open()["a.com"]
        there.check()
        assert not known.take("a.com", there)
        assert known.of_site("a.com") == ()
        known.add("a.com", patterns_of("a.com"))
        known.save(store)
        assert PatternSet.load(store.uri, strict=True) == patterns_of("a.com")
        assert "the lines of a.com could not be read" in caplog.text
        assert "~" not in caplog.text

    def test_when_the_file_can_be_read_again_nothing_is_left_beside_it(self, uri: str, tmp_path: Path) -> None:
        known = CrawlPatterns(loaded_from(uri, "a.com"))
        known.add("b.com", patterns_of("b.com"))
        Path(uri).write_text("broken", encoding="utf-8")
        with pytest.raises(PatternFileError):
            known.save(open_store(uri))
        put_by_rename(patterns_of("a.com"), uri)
        known.save(open_store(uri))
        assert PatternSet.load(uri).sites == ("a.com", "b.com")
        assert not list(tmp_path.glob("*patterns-unsaved-*"))

    def test_a_site_is_learned_though_the_file_was_broken_in_place(self, uri: str) -> None:
        """Corrections in the file can't be read then; items must not wait for ever."""
        known = CrawlPatterns(loaded_from(uri, "a.com"))
        Path(uri).write_text("broken", encoding="utf-8")
        known.add("a.com", patterns_of("a.com"))
        assert known.of_site("a.com") == patterns_of("a.com").patterns

    def test_what_was_learned_is_in_the_crawl_s_folder_where_that_of_the_file_can_t_be_written(
        self, uri: str, tmp_path: Path
    ) -> None:
        (tmp_path / "state").mkdir()
        known = CrawlPatterns(PatternSet(), folder=lambda: tmp_path / "state")
        known.add("b.com", patterns_of("b.com"))
        (tmp_path / "file").write_text("no folder")
        for _ in range(2):
            with pytest.raises(PatternFileError, match=r"is in .*state.*unsaved"):
                known.save(open_store(str(tmp_path / "file" / "patterns.jsonl")))
        (beside,) = (tmp_path / "state").iterdir()
        assert PatternSet.load(str(beside)) == patterns_of("b.com")
        known.save(open_store(uri))
        assert list((tmp_path / "state").iterdir()) == []

    def test_what_was_learned_is_in_the_crawl_s_folder_where_a_shared_store_can_t_be_reached(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The store itself is intact."""
        known, store = CrawlPatterns(PatternSet(), folder=lambda: tmp_path), open_store("memory://gone/patterns")

        def gone(*_: object) -> None:
            raise StoreUnavailable("It is gone.", uri=store.uri)

        monkeypatch.setattr(type(store), "merge", gone)
        known.add("b.com", patterns_of("b.com"))
        with pytest.raises(
            StoreUnavailable, match=r"gone/patterns: It is gone\. What this crawl has .*unsaved"
        ) as caught:
            known.save(store)
        assert not isinstance(caught.value, PatternFileError)
        (beside,) = tmp_path.iterdir()
        assert PatternSet.load(str(beside)) == patterns_of("b.com")

    def test_where_nothing_can_be_written_the_error_says_both(self, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
        known = CrawlPatterns(loaded_from(uri, "a.com"))
        known.add("b.com", patterns_of("b.com"))

        def full(*_: object, **__: object) -> None:
            raise OSError("disk full")

        monkeypatch.setattr("scrapy_stemmer.stores.file.file_beside", full)
        with pytest.raises(PatternFileError, match=r"disk full.*Nor could .* be put into .*: disk full"):
            known.save(open_store(uri))
        monkeypatch.undo()
        known.save(open_store(uri))
        assert PatternSet.load(uri).sites == ("a.com", "b.com")


def test_the_memory_of_all_sites_is_within_one_budget(uri: str) -> None:
    """Loaded and learned sites share the budget; the last used ones stay."""
    loaded = loaded_from(uri, "a.com", "b.com")
    known = CrawlPatterns(loaded, memory=1)
    known.add("c.com", patterns_of("c.com"))
    page = parse(Article(9).html())
    for site in ("a.com", "c.com", "b.com"):
        (pattern,) = known.of_site(site)
        assert pattern.match(Document(Page(f"http://{site}/9", page)), MatchOptions()) is not None
        assert pattern.remembered_bytes > 0
        known.of_site("none.com")
        known.of_site("a.com")
        assert pattern.remembered_bytes == 0 or known.of_site(site)[0] is not pattern


class Unsaved:
    """Stands for the patterns of a crawl: only the names of the sites to save.

    :param write: function that saves the sites.
    """

    def __init__(self, write: Callable[[], object]) -> None:
        self.unsaved: frozenset[str] = frozenset()
        self._write = write

    def save(self, store: object) -> list[str]:
        sites = self.unsaved
        self._write()
        self.unsaved -= sites
        return sorted(sites)


class TestWriter:
    @pytest.fixture(autouse=True)
    def _plain_asyncio(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The event loop of the test in place of Scrapy's reactor."""

        async def run_in_thread(function: object, *arguments: object) -> object:
            return await asyncio.to_thread(function, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(crawl_patterns, "run_in_thread", run_in_thread)
        monkeypatch.setattr(crawl_patterns, "run_in_background", asyncio.ensure_future)
        monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda deferred: deferred.asFuture(None))

    def start(self, write: Callable[[], object], saved: Callable[[str], None], stats: StatsCollector) -> PatternWriter:
        """Start a writer for the sites passed to :meth:`learned`."""
        self.patterns = Unsaved(write)
        return PatternWriter(cast(Any, self.patterns), cast(Any, None), saved, stats)

    def learned(self, writer: PatternWriter, *sites: str) -> None:
        for site in sites:
            self.patterns.unsaved |= {site}
            writer.request()

    @pytest.fixture
    def stats(self) -> StatsCollector:
        return idle_crawler().stats  # type: ignore[no-any-return]

    def test_a_burst_of_sites_is_few_writes(self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch) -> None:
        writes, saved = [], []

        async def burst() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = self.start(lambda: writes.append(threading.current_thread()), saved.append, stats)
            self.learned(writer, *(f"{number}.com" for number in range(100)))
            await writer.finish()

        asyncio.run(burst())
        assert len(writes) == 1
        assert writes[0] is not threading.main_thread()
        assert len(saved) == 100

    def test_after_a_save_the_next_one_waits_and_takes_all_that_has_come(
        self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A crawl of many sites would otherwise write the growing file for each of them."""
        monkeypatch.setattr(crawl_patterns, "SAVE_PAUSE_FACTOR", 1e9)  # only the end of the crawl ends the pause
        writes: list[int] = []
        saved: list[str] = []

        def save() -> None:
            writes.append(len(self.patterns.unsaved))
            time.sleep(0.001)

        async def learn_slowly() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = self.start(save, saved.append, stats)
            self.learned(writer, "first.com")
            async with asyncio.timeout(60):
                while not saved:
                    await asyncio.sleep(0)
                for number in range(40):
                    self.learned(writer, f"{number}.com")
                    await asyncio.sleep(0)
                assert writes == [1]
                await writer.finish()

        asyncio.run(learn_slowly())
        assert writes == [1, 40]
        assert sorted(saved) == sorted(["first.com", *(f"{number}.com" for number in range(40))])
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
            writer = self.start(save, saved.append, stats)
            self.learned(writer, "a.com")
            await writer.finish()

        asyncio.run(twice())
        assert (len(attempts), saved) == (2, ["a.com"])
        assert stats.get_value("stemmer/errors/OSError") == 1

    def test_what_has_failed_for_days_is_tried_again_too(
        self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """After so many attempts no number has a place for twice as long once more."""
        attempts, saved = [], []
        monkeypatch.setattr(crawl_patterns, "MAX_SAVE_PAUSE", 0)

        def save() -> None:
            attempts.append(1)
            if len(attempts) < 1100:
                raise OSError("disk full")

        async def long() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            self.learned(self.start(save, saved.append, stats), "a.com")
            async with asyncio.timeout(60):
                while not saved:
                    await asyncio.sleep(0.01)

        asyncio.run(long())
        assert (len(attempts), saved) == (1100, ["a.com"])

    def test_what_has_failed_for_long_is_tried_once_more_at_the_end(
        self, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        attempts, saved = [], []
        monkeypatch.setattr(crawl_patterns, "MAX_SAVE_PAUSE", 0.01)

        def save() -> None:
            attempts.append(1)
            if len(attempts) == 3:
                monkeypatch.setattr(crawl_patterns, "MAX_SAVE_PAUSE", 60.0)
            if len(attempts) <= 3:
                raise OSError("the store is away")

        async def until_it_is_back() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = self.start(save, saved.append, stats)
            self.learned(writer, "a.com")
            while len(attempts) < 3:
                await asyncio.sleep(0.01)
            await writer.finish()

        asyncio.run(until_it_is_back())
        assert (len(attempts), saved) == (4, ["a.com"])

    def test_at_the_end_what_was_lost_from_the_file_is_written_again(
        self, uri: str, stats: StatsCollector, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Somebody has saved an older text after the last save of the crawl."""
        known, store = CrawlPatterns(loaded_from(uri, "a.com")), open_store(uri)

        async def crawl() -> None:
            monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(asyncio.get_running_loop()))
            writer = PatternWriter(known, store, lambda _: None, stats)
            known.add("b.com", patterns_of("b.com"))
            known.save(store)
            put_by_rename(patterns_of("a.com"), uri)
            await writer.finish()

        asyncio.run(crawl())
        assert PatternSet.load(uri).sites == ("a.com", "b.com")


def test_what_is_learned_of_a_changed_site_stands_beside_what_it_has(uri: str) -> None:
    known = CrawlPatterns(loaded_from(uri, "a.com"))
    known.add("a.com", patterns_of("a.com"), beside=True)
    known.save(open_store(uri))
    assert [pattern.name for pattern in PatternSet.load(uri).patterns] == ["site", "site 2"]
