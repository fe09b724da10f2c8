"""Contract of pattern stores. A store's tests inherit from :class:`StoreContract`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_stemmer import PatternFileError, PatternSet
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge
from scrapy_stemmer.page.selectors import Selector
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import PatternStore, by_site

PATTERNS = [
    LayoutPattern(
        site="example.com", name=name, support=3, score=score, sections=(Section("div:class=日本", 0.5, 12.0, 3),)
    )
    for name, score in (("b", 9.0), ("a", 4.5))
]


SITE = replace(PATTERNS[0], name="n", support=4)
LINE = codec.line_of(SITE).encode() + b"\n"

DAMAGES: dict[str, bytes] = {
    "a missing comma": LINE.replace(b", ", b" ", 1),
    "half a line": LINE[: len(LINE) // 2] + b"\n",
    "a doubled line": LINE + LINE,
    "conflict marks": b"<<<<<<< ours\n" + LINE + b"=======\n" + LINE + b">>>>>>> theirs\n",
    "a wrong type": LINE.replace(b'"support": 4', b'"support": "4"'),
    "an unknown kind": LINE.replace(b'"layout"', b'"magic"'),
    "another charset": LINE.replace("日本".encode(), "日本".encode("shift_jis")),
}
"""Damage that may happen to a site's line."""


def load(store: PatternStore) -> list[Pattern]:
    """Return all patterns of a store."""
    return [pattern for site in store.open().values() for pattern in site.read()]


def save(store: PatternStore, patterns: Iterable[Pattern]) -> None:
    """Replace the patterns of a store."""
    store.write(by_site(patterns).values())


class StoreContract(ABC):
    """Contract, given the URI of an empty place and a way to put raw text there."""

    @abstractmethod
    def uri(self, folder: Path) -> str:
        """Return an empty place."""

    @abstractmethod
    def put(self, uri: str, data: bytes) -> None:
        """Store bytes as a broken program or a person would."""

    @abstractmethod
    def get(self, uri: str) -> bytes:
        """Return the stored bytes."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> PatternStore:
        return open_store(self.uri(tmp_path))

    def test_what_was_saved_is_loaded(self, store: PatternStore) -> None:
        save(store, PATTERNS)
        assert load(open_store(store.uri)) == PATTERNS

    def test_saving_replaces_all(self, store: PatternStore) -> None:
        save(store, PATTERNS)
        save(store, PATTERNS[:1])
        assert load(store) == PATTERNS[:1]

    def test_opened_patterns_are_by_site_in_order_and_read_when_asked_for(self, store: PatternStore) -> None:
        others = [replace(pattern, site="a.com") for pattern in PATTERNS]
        save(store, [*PATTERNS, *others[::-1]])
        opened = open_store(store.uri).open()
        assert list(opened) == ["a.com", "example.com"]
        assert [len(site) for site in opened.values()] == [2, 2]
        assert opened["a.com"].read() == tuple(others)
        assert [line.text for line in opened["example.com"].lines] == [
            codec.line_of(each).encode() for each in PATTERNS
        ]

    def test_what_is_opened_can_be_written(self, store: PatternStore) -> None:
        save(store, PATTERNS)
        before = self.get(store.uri)
        store.write(store.open().values())
        assert self.get(store.uri) == before

    def test_exists(self, store: PatternStore) -> None:
        assert not store.exists()
        save(store, PATTERNS)
        assert store.exists()

    def test_loading_from_nowhere_says_how_to_learn(self, store: PatternStore) -> None:
        with pytest.raises(PatternFileError, match="STEMMER_LEARN=1") as caught:
            load(store)
        assert caught.value.uri == store.uri

    @pytest.mark.parametrize(
        ("damage", "line", "field"),
        [
            pytest.param(lambda data: b"\n", 1, None, id="empty"),
            pytest.param(lambda data: data[:-40], 3, None, id="torn"),
            pytest.param(lambda data: data.replace(b'"version": 1', b'"version": 99'), 1, "version", id="newer"),
            pytest.param(lambda data: data.replace(b"4.5", b'"x"'), 3, "score", id="a wrong type"),
            pytest.param(lambda data: data.replace(b"4.5", b"__import__('os').getcwd()"), 3, None, id="code"),
            pytest.param(lambda data: b"\x89PNG\r\n\x1a\n\xff\xfe", 1, None, id="binary"),
        ],
    )
    def test_damage_is_named_and_left_as_it_is(
        self, store: PatternStore, damage: Callable[[bytes], bytes], line: int | None, field: str | None
    ) -> None:
        damaged = damage(codec.dumps(PATTERNS).encode())
        self.put(store.uri, damaged)
        with pytest.raises(PatternFileError) as caught:
            load(store)
        error = caught.value
        assert (error.line, error.field) == (line, field)
        assert str(error).startswith(store.uri)
        assert self.get(store.uri) == damaged

    def test_patterns_that_can_t_be_written_leave_the_old_ones(self, store: PatternStore) -> None:
        save(store, PATTERNS)
        before = self.get(store.uri)
        with pytest.raises(PatternFileError, match="can't be written"):
            save(store, [*PATTERNS, replace(PATTERNS[0], name="c", score=float("nan"))])
        assert self.get(store.uri) == before

    @pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
    def test_a_broken_line_costs_its_site_and_stays(
        self, store: PatternStore, damage: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        others = [replace(SITE, site=site) for site in ("a.com", "z.com")]
        save(store, [others[0], SITE, others[1]])
        self.put(store.uri, self.get(store.uri).replace(LINE, damage))
        patterns = PatternSet.load(store.uri)
        assert [patterns.of_site(other.site) for other in others] == [(other,) for other in others]
        assert patterns.of_site("example.com") in ((), (SITE,))
        messages = [record.message for record in caplog.records if record.levelname == "WARNING"]
        place = r"can't be read: (example\.com|\(no site\), line \d+) \(.*, line \d+(, field \w+)?: "
        assert messages
        assert all(re.search(place, message) for message in messages)
        with pytest.raises(PatternFileError):
            PatternSet.load(store.uri, strict=True)
        new = replace(SITE, site="b.com")
        store.merge({"b.com": (new,)})
        PatternSet.load(store.uri).save(store.uri)
        assert all(line in self.get(store.uri) for line in damage.splitlines())
        assert PatternSet.load(store.uri).of_site("b.com") == (new,)

    def test_a_site_that_is_learned_again_takes_the_place_of_broken_lines_and_they_are_logged(
        self, store: PatternStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        damage = DAMAGES["a missing comma"]
        save(store, [SITE])
        self.put(store.uri, self.get(store.uri).replace(LINE, damage))
        with pytest.raises(PatternFileError):
            store.merge({"example.com": lambda patterns: patterns})
        assert damage in self.get(store.uri)
        new = replace(SITE, support=9)
        assert store.merge({"example.com": (new,)})["example.com"].read() == (new,)
        assert PatternSet.load(store.uri, strict=True).of_site("example.com") == (new,)
        assert damage.decode().strip() in caplog.text

    def test_sites_are_learned_edited_and_removed_beside_others(self, store: PatternStore) -> None:
        sites = {name: replace(SITE, site=name) for name in ("a.com", "b.com", "c.com", "example.com")}
        save(store, list(sites.values()))
        later = replace(SITE, support=9)
        store.merge(
            {
                "a.com": lambda patterns: (replace(patterns[0], name="edited"),),
                "b.com": (),
                "d.com": lambda patterns: (*patterns, replace(SITE, site="d.com")),
                "example.com": (later,),
                "none.com": (),
            }
        )
        found = {pattern.site: pattern for pattern in load(store)}
        assert list(found) == ["a.com", "c.com", "d.com", "example.com"]
        assert (found["a.com"].name, found["c.com"], found["example.com"]) == ("edited", sites["c.com"], later)

    def test_an_edit_that_fails_writes_nothing(self, store: PatternStore) -> None:
        save(store, [SITE])

        def fail(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
            raise ValueError(patterns[0].site)

        with pytest.raises(ValueError, match=r"example\.com"):
            store.merge({"a.com": (replace(SITE, site="a.com"),), "example.com": fail})
        assert load(store) == [SITE]

    def test_rules_by_hand_in_the_store_hold_for_what_is_learned_again(self, store: PatternStore) -> None:
        rule, mine = Rule("keep", Selector.parse("body")), Rule("drop", Selector.parse(".ad"), is_users=True)
        rules = RulesPattern(
            site="example.com", name="site", support=3, score=1.0, rules=(rule,), knowledge=Knowledge(pages=3)
        )
        by_hand = replace(rules, rules=(rule, mine))
        save(store, [by_hand])
        store.merge({"example.com": (replace(rules, support=9),)})
        (found,) = load(store)
        assert isinstance(found, RulesPattern)
        assert (found.support, [rule.line for rule in found.rules]) == (9, ["keep body", "drop .ad"])
