"""What every store of patterns must do. A store's tests inherit from :class:`StoreContract`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_stemmer import PatternFileError
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import PatternStore

PATTERNS = [
    LayoutPattern(
        site="example.com", name=name, support=3, score=score, sections=(Section("div:class=日本", 0.5, 12.0, 3),)
    )
    for name, score in (("b", 9.0), ("a", 4.5))
]


class StoreContract(ABC):
    """Give the URI of an empty place, and put raw text there."""

    @abstractmethod
    def uri(self, folder: Path) -> str:
        """A place where nothing is stored yet."""

    @abstractmethod
    def put(self, uri: str, data: bytes) -> None:
        """Store these bytes as a broken program or a person would."""

    @abstractmethod
    def get(self, uri: str) -> bytes:
        """The bytes that are stored."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> PatternStore:
        return open_store(self.uri(tmp_path))

    def test_what_was_saved_is_loaded(self, store: PatternStore) -> None:
        store.save(PATTERNS)
        assert open_store(store.uri).load() == PATTERNS

    def test_saving_replaces_all(self, store: PatternStore) -> None:
        store.save(PATTERNS)
        store.save(PATTERNS[:1])
        assert store.load() == PATTERNS[:1]

    def test_opened_patterns_are_by_site_in_order_and_read_when_asked_for(self, store: PatternStore) -> None:
        others = [replace(pattern, site="a.com") for pattern in PATTERNS]
        store.save([*PATTERNS, *others[::-1]])
        opened = open_store(store.uri).open()
        assert list(opened) == ["a.com", "example.com"]
        assert [len(site) for site in opened.values()] == [2, 2]
        assert opened["a.com"].patterns == tuple(others)
        assert opened["example.com"].lines == tuple(codec.line_of(pattern).encode() for pattern in PATTERNS)

    def test_what_is_opened_can_be_written(self, store: PatternStore) -> None:
        store.save(PATTERNS)
        before = self.get(store.uri)
        store.write(store.open().values())
        assert self.get(store.uri) == before

    def test_the_same_patterns_give_the_same_bytes(self, store: PatternStore) -> None:
        store.save(PATTERNS)
        first = self.get(store.uri)
        store.save(PATTERNS[::-1])
        assert self.get(store.uri) == first

    def test_exists(self, store: PatternStore) -> None:
        assert not store.exists()
        store.save(PATTERNS)
        assert store.exists()

    def test_loading_from_nowhere_says_how_to_learn(self, store: PatternStore) -> None:
        with pytest.raises(PatternFileError, match="STEMMER_LEARN=1") as caught:
            store.load()
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
            store.load()
        error = caught.value
        assert (error.line, error.field) == (line, field)
        assert str(error).startswith(store.uri)
        assert self.get(store.uri) == damaged

    def test_patterns_that_can_t_be_written_leave_the_old_ones(self, store: PatternStore) -> None:
        store.save(PATTERNS)
        before = self.get(store.uri)
        with pytest.raises(PatternFileError, match="can't be written"):
            store.save([*PATTERNS, replace(PATTERNS[0], name="c", score=float("nan"))])
        assert self.get(store.uri) == before
