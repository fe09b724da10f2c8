"""The patterns of many sites."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from typing import Any, cast

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patternset import BYTES_PER_BYTE, SITES, PatternMemory
from scrapy_stemmer.stores.base import PatternsInMemory, SitePatterns
from tests.samplesite import SITE, page, sample, whole_text


def pattern(site: str, name: str = "n", score: float = 1.0, learned: str | None = None) -> LayoutPattern:
    return LayoutPattern(site=site, name=name, support=2, score=score, sections=(), learned=learned)


def names(patterns: PatternSet) -> list[tuple[str, str]]:
    return [(pattern.site, pattern.name) for pattern in patterns.patterns]


MANY = [pattern("b.com", "x", 1.0), pattern("a.com", "z", 1.0), pattern("b.com", "y", 9.0), pattern("a.com", "w", 1.0)]


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_patterns_are_in_order_of_site_score_and_name(order: tuple[int, ...]) -> None:
    patterns = PatternSet(MANY[index] for index in order)
    assert names(patterns) == [("a.com", "w"), ("a.com", "z"), ("b.com", "y"), ("b.com", "x")]
    assert patterns == PatternSet(MANY)
    assert hash(patterns) == hash(PatternSet(MANY))


def test_sites() -> None:
    patterns = PatternSet(MANY)
    assert patterns.sites == ("a.com", "b.com")
    assert [pattern.name for pattern in patterns.of_site("b.com")] == ["y", "x"]
    assert patterns.of_site("c.com") == ()
    assert len(patterns) == 4
    assert repr(patterns) == "<PatternSet of 4 patterns for 2 sites>"


def test_an_empty_set() -> None:
    patterns = PatternSet()
    assert (len(patterns), patterns.patterns, patterns.sites) == (0, (), ())
    assert not patterns.strip(page(1)).matched
    assert patterns != PatternSet(MANY)
    assert patterns != ()


def test_replace_takes_whole_sites_and_changes_neither_set() -> None:
    ours, theirs = PatternSet(MANY), PatternSet([pattern("b.com", "new"), pattern("c.com")])
    assert names(ours.replace(theirs)) == [("a.com", "w"), ("a.com", "z"), ("b.com", "new"), ("c.com", "n")]
    assert ours == PatternSet(MANY)
    assert len(theirs) == 2


def test_stamped_sets_the_time_where_there_is_none() -> None:
    old, new = "2020-01-01T00:00:00Z", "2024-05-01T12:00:00Z"
    patterns = PatternSet([pattern("a.com", learned=old), pattern("b.com")])._stamped(new)
    assert [pattern.learned for pattern in patterns.patterns] == [old, new]


def test_a_page_is_stripped_by_the_patterns_of_its_own_site() -> None:
    patterns = learn([*sample(), *(Page(p.url.replace(SITE, "www.b.example"), p.html) for p in sample())], "layout")
    assert patterns.sites == ("b.example", SITE)
    for url in (f"http://www.{SITE}/any", "https://b.example/any"):
        assert patterns.strip(Page(url, page(20).html)).text == whole_text(20)
    assert not patterns.strip(Page("https://sub.b.example/any", page(20).html)).matched


def test_bytes_without_a_charset_are_read_in_the_default_one() -> None:
    patterns = learn(sample(), "layout")
    html = str(page(20).html).replace("Copyright", "Größe").encode("cp1252")
    texts = {
        charset: " ".join(b.text for b in patterns.strip(Page(page(20).url, html), default_charset=charset).blocks)
        for charset in ("cp1252", "utf-8")
    }
    assert "Größe" in texts["cp1252"]
    assert "Gr\ufffd" in texts["utf-8"]


class Remembering:
    """A pattern that remembers so many bytes of pages."""

    def __init__(self, site: str, remembered_bytes: int = 0) -> None:
        self.site, self.remembered_bytes, self.forgotten = site, remembered_bytes, 0

    def forget(self) -> None:
        self.remembered_bytes = 0
        self.forgotten += 1


Used = dict[str, tuple[Remembering, SitePatterns]]


class TestMemory:
    """Memory of all sites together."""

    def sites(self, names: Iterable[str]) -> Used:
        patterns = {name: Remembering(name) for name in names}
        return {name: (each, PatternsInMemory((cast(Any, each),))) for name, each in patterns.items()}

    def use(self, memory: PatternMemory, sites: Used, *names: str, each: int) -> None:
        """Strip a page of each site, so that its pattern remembers more."""
        for name in names:
            pattern, stored = sites[name]
            assert memory.patterns(stored) == (pattern,)
            pattern.remembered_bytes += each

    def forgotten(self, sites: Used) -> list[str]:
        return [name for name, (pattern, _) in sites.items() for _ in range(pattern.forgotten)]

    def test_sites_that_were_used_longest_ago_are_forgotten_first(self) -> None:
        memory, sites = PatternMemory(100), self.sites("abc")
        self.use(memory, sites, "a", "b", "a", each=30)
        assert self.forgotten(sites) == []
        self.use(memory, sites, "c", "c", each=30)
        assert self.forgotten(sites) == ["b"]

    def test_so_many_hold_anything_however_little(self) -> None:
        memory, sites = PatternMemory(1_000_000), self.sites(map(str, range(SITES + 2)))
        self.use(memory, sites, *sites, each=1)
        assert self.forgotten(sites) == ["0", "1"]

    def test_all_together_hold_no_more_than_the_budget_and_one_page(self) -> None:
        memory, sites = PatternMemory(1000), self.sites(map(str, range(50)))
        for number in range(2000):
            self.use(memory, sites, str(number * 7919 % 50 if number % 3 else 7), each=90)
            assert sum(pattern.remembered_bytes for pattern, _ in sites.values()) <= 1000 + 90

    def test_a_site_that_is_too_large_by_itself_is_forgotten_too(self) -> None:
        memory, sites = PatternMemory(100), self.sites("ab")
        self.use(memory, sites, "b", "a", each=10)
        self.use(memory, sites, "a", each=200)
        self.use(memory, sites, "a", each=10)
        assert self.forgotten(sites) == ["a", "b"]

    def test_a_site_with_new_patterns_counts_once(self) -> None:
        memory, old, new = PatternMemory(100), Remembering("a", 60), Remembering("a", 60)
        for each in (old, new, Remembering("b", 30)):
            memory.patterns(PatternsInMemory((cast(Any, each),)))
        assert (old.forgotten, new.forgotten) == (0, 0)

    def test_parsed_lines_count_too(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path, read = str(tmp_path / "p.jsonl"), list[int]()
        two_lines = 2 * BYTES_PER_BYTE * len(codec.line_of(pattern("0.com")))
        PatternSet(pattern(f"{number}.com") for number in range(3)).save(path)
        patterns, read_line = PatternSet.load(path)._within(PatternMemory(two_lines)), codec.read_line
        monkeypatch.setattr(codec, "read_line", lambda *given: read.append(given[0]) or read_line(*given))
        for number in (0, 1, 0, 2, 0, 1):
            patterns.of_site(f"{number}.com")
        assert read == [2, 3, 4, 3]


def test_errors_of_unreadable_lines_hold_no_frames(tmp_path: Path) -> None:
    """Thousands of frames make loading slow, and keep the lines in memory."""
    path = tmp_path / "patterns.jsonl"
    path.write_text('{"format": "scrapy-stemmer patterns", "version": 1}\n' + '{"kind": "rules"}\n' * 3)
    errors = PatternSet.load(path).broken.values()
    assert [(error.__traceback__, error.__context__) for error in errors] == [(None, None)] * 3
