"""Pattern files on the local disk."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import PatternFileError
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Sample
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.by_uri import open_store
from scrapy_stemmer.stores.file import FileStore
from tests.stores.contract import PATTERNS, StoreContract


class OnDisk(StoreContract):
    def put(self, uri: str, data: bytes) -> None:
        FileStore(uri).path.write_bytes(data)

    def get(self, uri: str) -> bytes:
        return FileStore(uri).path.read_bytes()

    def test_nothing_can_be_saved_too(self, store: PatternStore) -> None:
        store.save([])
        assert store.exists()
        assert store.load() == []

    def test_what_is_opened_stays_when_it_is_replaced(self, store: PatternStore) -> None:
        store.save(PATTERNS)
        opened = store.open()
        store.save([])
        assert opened["example.com"].patterns == tuple(PATTERNS)


class TestByPath(OnDisk):
    def uri(self, folder: Path) -> str:
        return str(folder / "patterns.jsonl")


class TestByUri(OnDisk):
    def uri(self, folder: Path) -> str:
        return (folder / "my patterns é.jsonl").as_uri()


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        pytest.param("patterns/news.jsonl", "patterns/news.jsonl", id="relative path"),
        pytest.param("/a/b.jsonl", "/a/b.jsonl", id="absolute path"),
        pytest.param("file:///a/b%20c.jsonl", "/a/b c.jsonl", id="URI, unquoted"),
        pytest.param("FILE:///a/b.jsonl", "/a/b.jsonl", id="URI, upper case"),
        pytest.param("a%20b.jsonl", "a%20b.jsonl", id="a path is not unquoted"),
    ],
)
def test_the_path_of_a_uri(uri: str, path: str) -> None:
    store = open_store(uri)
    assert isinstance(store, FileStore)
    assert store.path == Path(path)


def test_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "patterns.jsonl"
    open_store(str(path)).save(PATTERNS)
    assert path.read_text(encoding="utf-8") == codec.dumps(PATTERNS)


def test_a_file_is_written_aside_and_put_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash while writing must leave the old file whole and no other behind."""
    path = tmp_path / "patterns.jsonl"
    store = open_store(str(path))
    store.save(PATTERNS)
    before = path.read_bytes()

    def crash(*_: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(PatternFileError, match=r"disk full.*The old one, if any, is as it was"):
        store.save(PATTERNS[:1])
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".patterns.jsonl.lock", "patterns.jsonl"]


def test_a_path_that_can_t_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PatternFileError, match="can't be written"):
        open_store(str(tmp_path / "file" / "patterns.jsonl")).save(PATTERNS)


def test_a_folder_is_no_pattern_file(tmp_path: Path) -> None:
    with pytest.raises(PatternFileError, match="can't be read"):
        open_store(str(tmp_path)).load()


def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "patterns.jsonl"
    store = open_store(str(path))
    store.save(PATTERNS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    store.save(PATTERNS[:1])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("")
    link.symlink_to(target)
    open_store(str(link)).save(PATTERNS)
    assert link.is_symlink()
    assert codec.loads(target.read_text(encoding="utf-8")) == PATTERNS


@pytest.mark.parametrize(
    "prefix", [pytest.param(b"\xef\xbb\xbf", id="a byte order mark"), pytest.param(b"", id="none")]
)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_files_that_an_editor_has_saved_differently(tmp_path: Path, prefix: bytes, newline: bytes) -> None:
    path = tmp_path / "patterns.jsonl"
    path.write_bytes(prefix + codec.dumps(PATTERNS).encode().replace(b"\n", newline))
    assert open_store(str(path)).load() == PATTERNS


def test_half_a_character_is_written_as_json_writes_it(tmp_path: Path) -> None:
    """A URL that was cut off, or decoded with ``surrogateescape``, has such; it is a name of patterns."""
    odd = [replace(PATTERNS[0], name="half a pair \ud800", samples=(Sample("http://example.com/\udce9"),))]
    path = tmp_path / "patterns.jsonl"
    open_store(str(path)).save(odd)
    assert rb"half a pair \ud800" in path.read_bytes()
    assert open_store(str(path)).load() == odd
