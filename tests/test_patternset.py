"""The patterns of many sites."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from scrapy_stemmer import Page, PatternFileError, PatternSet, learn
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern
from scrapy_stemmer.patternset import SITES, PatternMemory
from scrapy_stemmer.stores.base import PatternsInMemory
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
    patterns = PatternSet([pattern("a.com", learned=old), pattern("b.com")]).stamped(new)
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


def test_saved_and_loaded(tmp_path: Path) -> None:
    patterns = learn(sample(), "layout").stamped("2024-05-01T12:00:00Z")
    uri = str(tmp_path / "patterns" / "news.jsonl")
    patterns.save(uri)
    loaded = PatternSet.load(uri)
    assert loaded == patterns
    assert loaded.strip(page(20)) == patterns.strip(page(20))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    uri = str(tmp_path / "none.jsonl")
    with pytest.raises(PatternFileError, match="scrapy crawl SPIDER -s STEMMER_LEARN=1") as caught:
        PatternSet.load(uri)
    assert caught.value.uri == uri
    assert str(caught.value).startswith(uri)


def test_errors_in_a_file_name_file_line_and_field_and_leave_it(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    learn(sample(), "layout").save(str(path))
    damaged = path.read_text(encoding="utf-8").replace('"support": 8, "title"', '"support": "8", "title"', 1)
    path.write_text(damaged, encoding="utf-8")
    with pytest.raises(PatternFileError) as caught:
        PatternSet.load(str(path), strict=True)
    assert str(caught.value).startswith(f"{path}, line 2, field support: 'support' must be a whole number, not a text")
    assert path.read_text(encoding="utf-8") == damaged


class Site(PatternsInMemory):
    """A site of so many bytes."""

    held_bytes = 0

    def __init__(self, held_bytes: int = 0) -> None:
        super().__init__(())
        self.held_bytes = held_bytes
        self.forgotten = 0

    def forget(self) -> None:
        self.held_bytes = 0
        self.forgotten += 1


def used(memory: PatternMemory, sites: dict[str, Site], *names: str, each: int) -> None:
    """Strip a page of each site, so that the set remembers more."""
    for name in names:
        memory.use(name, sites[name])
        sites[name].held_bytes += each


class TestMemory:
    """Memory of all sites together."""

    def test_sites_that_were_used_longest_ago_are_forgotten_first(self) -> None:
        memory, sites = PatternMemory(100), {name: Site() for name in "abc"}
        used(memory, sites, "a", "b", "a", each=30)
        assert [site.forgotten for site in sites.values()] == [0, 0, 0]
        used(memory, sites, "c", "c", each=30)
        assert [site.forgotten for site in sites.values()] == [0, 1, 0]

    def test_so_many_hold_anything_however_little(self) -> None:
        memory, sites = PatternMemory(1_000_000), {str(number): Site() for number in range(SITES + 2)}
        used(memory, sites, *sites, each=1)
        assert [name for name, site in sites.items() if site.forgotten] == ["0", "1"]

    def test_all_together_hold_no_more_than_the_budget_and_one_page(self) -> None:
        memory, sites = PatternMemory(1000), {str(number): Site() for number in range(50)}
        for number in range(5000):
            used(memory, sites, str(number * 7919 % 50 if number % 3 else 7), each=90)
            assert sum(site.held_bytes for site in sites.values()) <= 1000 + 90

    def test_a_site_that_is_too_large_by_itself_is_forgotten_too(self) -> None:
        memory, sites = PatternMemory(100), {"a": Site(), "b": Site()}
        used(memory, sites, "b", "a", each=10)
        used(memory, sites, "a", each=200)
        used(memory, sites, "a", each=10)
        assert [site.forgotten for site in sites.values()] == [1, 1]

    def test_a_site_with_new_patterns_counts_once(self) -> None:
        memory, old, new = PatternMemory(100), Site(60), Site(60)
        memory.use("a", old)
        memory.use("a", new)
        memory.use("b", Site(30))
        assert (old.forgotten, new.forgotten) == (0, 0)


def test_errors_of_unreadable_lines_hold_no_frames(tmp_path: Path) -> None:
    """Thousands of frames make loading slow, and keep the lines in memory."""
    path = tmp_path / "patterns.jsonl"
    path.write_text('{"format": "scrapy-stemmer patterns", "version": 1}\n' + '{"kind": "rules"}\n' * 3)
    errors = PatternSet.load(path).unreadable().values()
    assert [(error.__traceback__, error.__context__) for error in errors] == [(None, None)] * 3
