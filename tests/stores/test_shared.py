"""Shared stores against real servers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import MissingExtra, PatternFileError, PatternSet, StoreUnavailable, exceptions
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.shared import ObjectStore, SharedStore
from tests import processes
from tests.stores import servers, writers
from tests.stores.contract import DAMAGES, PATTERNS, StoreContract, load, save

_NUMBERS = count()


def of(site: str, name: str = "n", **fields: Any) -> Any:
    return replace(PATTERNS[0], site=site, name=name, **fields)


class SharedStoreContract(StoreContract):
    """Further contract of stores with sites of their own."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> PatternStore:
        return shared(self.uri(tmp_path))

    def put(self, uri: str, data: bytes) -> None:
        store = shared(uri)
        assert store.put("example.com", data, store.get("example.com")[0])

    def get(self, uri: str) -> bytes:
        return shared(uri).get("example.com")[1]

    @pytest.fixture
    def other(self, store: SharedStore) -> SharedStore:
        """Return the store as another crawl sees it."""
        return shared(store.uri)

    def test_sites_that_are_not_written_are_removed(self, store: SharedStore) -> None:
        save(store, [of("a.com"), of("b.com")])
        save(store, [of("b.com", name="m"), of("c.com")])
        assert load(store) == [of("b.com", name="m"), of("c.com")]
        assert store.get("a.com") == (0, b"")

    def test_any_site_has_a_place(self, store: SharedStore) -> None:
        sites = ["..", "[::1]:8080", "a.com", "a.com:8080", "b!c", "xn--bcher-kva.example", "日本.jp"]
        PatternSet(map(of, sites)).merge_into(store.uri)
        assert list(store.open()) == sorted(sites)
        assert [pattern.site for pattern in load(store)] == sorted(sites)

    def test_a_version_is_replaced_by_who_knows_it_only(self, store: SharedStore, other: SharedStore) -> None:
        assert store.put("a.com", b"1", 0)
        assert not other.put("a.com", b"2", 0)
        version, text = other.get("a.com")
        assert text == b"1"
        assert other.put("a.com", b"2", version)
        assert not store.put("a.com", b"3", version)
        assert store.get("a.com")[1] == b"2"

    def test_changes_are_told_with_their_versions(self, store: SharedStore, other: SharedStore) -> None:
        store.put("a.com", b"1", 0)
        store.put("b.com", b"1", 0)
        before = dict(other.changes())
        assert before == {site: other.get(site)[0] for site in ("a.com", "b.com")}
        store.put("a.com", b"2", before["a.com"])
        after = other.changes(max(before.values()))
        assert after["a.com"] == other.get("a.com")[0] > before["a.com"]
        assert after.get("b.com", before["b.com"]) == before["b.com"]

    def test_who_was_overtaken_while_merging_merges_again(
        self, store: SharedStore, other: SharedStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put = type(store).put
        quicker = [of("a.com", "quicker", support=4)]

        def overtaken(self: SharedStore, site: str, text: bytes, after: int) -> bool:
            if quicker:
                other_text = codec.dumps([quicker.pop()]).encode()
                assert put(other, site, other_text, after)
            return put(self, site, text, after)

        monkeypatch.setattr(type(store), "put", overtaken)
        store.merge({"a.com": lambda there: (*there, of("a.com", "slower", support=5))})
        assert [pattern.name for pattern in load(store)] == ["quicker", "slower"]

    def test_of_many_writers_of_one_site_each_rests_on_the_one_before(self, store: SharedStore) -> None:
        """Each writer adds its mark to the stored marks; a lost update would remove a mark. A mark may appear twice:
        after a conflict a writer cannot know if its own text was used."""

        def add(number: int) -> None:
            own = shared(store.uri)
            while True:
                version, text = own.get("a.com")
                if own.put("a.com", text + b"%d\n" % number, version):
                    return
                time.sleep(0.01)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(add, range(24)))
        assert set(map(int, store.get("a.com")[1].split())) == set(range(24))

    def test_a_text_of_a_newer_version_stays(self, store: SharedStore) -> None:
        text = codec.dumps([of("a.com")]).replace('"version": 1', '"version": 99').encode()
        store.put("a.com", text, 0)
        merged = store.merge({"a.com": (of("a.com", "later"),), "b.com": (of("b.com"),)})
        assert (merged["a.com"].error is None, store.get("a.com")[1]) == (False, text)
        assert store.open()["b.com"].read() == (of("b.com"),)

    def test_a_text_of_another_site_is_named(self, store: SharedStore) -> None:
        store.put("a.com", codec.dumps([of("b.com")]).encode(), 0)
        with pytest.raises(PatternFileError, match=r"another site, 'b\.com'") as caught:
            load(store)
        assert (caught.value.line, caught.value.field) == (2, "site")


class AcrossProcesses(SharedStoreContract):
    """Contract of stores used by several processes."""

    PROCESSES, WRITES = 3, 6

    def test_no_write_of_many_processes_is_lost(self, store: SharedStore, tmp_path: Path) -> None:
        started = [
            processes.start(writers.write, store.uri, str(number), self.WRITES, out=tmp_path / f"{number}.txt")
            for number in range(self.PROCESSES)
        ]
        assert [process.wait() for process in started] == [0] * self.PROCESSES
        assert set(store.changes()) == {f"{p}-{n}.com" for p in range(self.PROCESSES) for n in range(self.WRITES)}


class ObjectsContract(SharedStoreContract):
    """Contract of stores with an object for each version."""

    def test_a_writer_who_is_two_versions_behind_takes_its_own_back(
        self, store: SharedStore, other: SharedStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The version is free again before the write."""
        assert isinstance(store, ObjectStore)
        assert isinstance(other, ObjectStore)
        pipe_file = store._files.pipe_file
        assert store.put("a.com", b"1", 0)

        def overtaken(*given: Any, **more: Any) -> Any:
            monkeypatch.undo()
            for number in (2, 3):
                assert other.put("a.com", b"%d" % number, number - 1)
            return pipe_file(*given, **more)

        monkeypatch.setattr(store._files, "pipe_file", overtaken)
        assert not store.put("a.com", b"stale", 1)
        assert store.get("a.com") == (3, b"3")
        assert len(store._files.find(store._root)) == 1


def shared(uri: str) -> SharedStore:
    store = open_store(uri)
    assert isinstance(store, SharedStore)
    return store


class TestMemory(ObjectsContract):
    def uri(self, folder: Path) -> str:
        pytest.importorskip("fsspec", reason="the extra fsspec is not installed")
        return f"memory://test-{next(_NUMBERS)}/patterns"

    @pytest.mark.skip(reason="fsspec's memory is not thread-safe")
    def test_of_many_writers_of_one_site_each_rests_on_the_one_before(self, store: SharedStore) -> None: ...


@pytest.fixture(scope="module")
def redis() -> Iterator[servers.Server]:
    with servers.redis_server() as server:
        yield server


class TestRedis(AcrossProcesses):
    @pytest.fixture(autouse=True)
    def _server(self, redis: servers.Server) -> None:
        self.port = redis.port

    def uri(self, folder: Path) -> str:
        return f"redis://127.0.0.1:{self.port}/1/test-{next(_NUMBERS)}"

    def test_a_server_that_was_emptied_has_changes_again(self, store: SharedStore) -> None:
        import redis as client

        for number in range(3):
            store.put(f"{number}.com", b"1", 0)
        client.Redis(port=self.port, db=1).flushdb()
        store.put("a.com", b"1", 0)
        assert dict(store.changes(3)) == {"a.com": 1}


@pytest.fixture(scope="module")
def _s3() -> Iterator[None]:
    with servers.s3_server():
        yield


@pytest.mark.usefixtures("_s3")
class TestS3(AcrossProcesses, ObjectsContract):
    def uri(self, folder: Path) -> str:
        return f"s3://bucket/test-{next(_NUMBERS)}"

    @pytest.mark.parametrize("damage", [DAMAGES["another charset"]])
    def test_a_broken_line_costs_its_site_and_stays(
        self, store: PatternStore, damage: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        """A single store is enough: results are equal in memory, without requests."""
        super().test_a_broken_line_costs_its_site_and_stays(store, damage, caplog)


@pytest.mark.slow
def test_a_server_that_is_gone_is_unavailable_until_it_is_back() -> None:
    with servers.redis_server() as server:
        store = shared(f"redis://127.0.0.1:{server.port}/0/news")
        store.put("a.com", b"1", 0)
        server.stop()
        with pytest.raises(StoreUnavailable, match="Redis can't be used") as caught:
            store.changes()
        assert caught.value.uri == store.uri
        server.start()
        assert list(store.changes()) == ["a.com"]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"x", b"1e400"])
def test_damaged_versions_of_a_server_are_an_error_that_names_it(damage: bytes) -> None:
    with servers.redis_server() as server:
        import redis as client

        store = shared(f"redis://127.0.0.1:{server.port}/0/news")
        store.put("a.com", b"1", 0)
        with client.Redis(port=server.port) as damaged:
            damaged.set("stemmer:{news}:counter", damage)
        with pytest.raises(StoreUnavailable, match="Redis can't be used: ValueError"):
            store.changes()
        with client.Redis(port=server.port) as damaged:
            damaged.delete("stemmer:{news}:counter")
            damaged.zadd("stemmer:{news}:versions", {"a.com": float("inf")})
        for read in (store.changes, lambda: store.get("a.com")):
            with pytest.raises(StoreUnavailable, match="Redis can't be used: OverflowError"):
                read()


def test_no_password_is_logged() -> None:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    assert open_store("redis://me:secret@localhost:1/0/news").uri == "redis://me:***@localhost:1/0/news"


@pytest.mark.parametrize(("uri", "extra"), [("redis://localhost", "redis"), ("memory://a", "fsspec")])
def test_a_missing_package_is_named(uri: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(exceptions, "import_module", missing)
    with pytest.raises(MissingExtra, match=f"pip install {extra} "):
        open_store(uri)


@pytest.mark.parametrize("site", [".", "..", "../a", "a/../..", "%2e", "a b:80"])
def test_no_name_of_a_site_leads_out_of_the_folder(site: str) -> None:
    pytest.importorskip("fsspec", reason="the extra fsspec is not installed")
    root = f"/out{next(_NUMBERS)}/of"
    store = ObjectStore(f"memory:/{root}")
    assert store.put(site, b"text", 0)
    (path,) = store._files.find("/".join(root.split("/")[:2]))
    folder, name = path.removeprefix(f"{root}/").split("/")
    assert (folder.strip(".") != "", name) == (True, "000000001.jsonl")
    assert (store.get(site), dict(store.changes())) == ((1, b"text"), {site: 1})


@pytest.mark.parametrize("was_made", [True, False])
def test_an_error_of_the_service_is_one_unless_the_object_is_there(
    monkeypatch: pytest.MonkeyPatch, was_made: bool
) -> None:
    """The answer to a successful request may be lost; the writer then sees its own patterns."""
    pytest.importorskip("fsspec", reason="the extra fsspec is not installed")
    store = ObjectStore(f"memory://answers{next(_NUMBERS)}")
    make, failures = store._files.pipe_file, iter([OSError("the answer was lost")])

    def failing(path: str, text: bytes, **more: Any) -> None:
        if (error := next(failures, None)) is None or was_made:
            make(path, text, **more)
        if error is not None:
            raise error

    monkeypatch.setattr(store._files, "pipe_file", failing)
    if not was_made:
        with pytest.raises(StoreUnavailable, match="the answer was lost"):
            store.put("a.com", b"text", 0)
    store.merge({"a.com": (of("a.com"),)})
    assert load(store) == [of("a.com")]


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("redis://", "redis://: The host is missing"),
        ("redis:///0/news", "redis:///0/news: The host is missing"),
        ("redis://ann:secret@host:x/0/news", "redis://ann:***@host:x/0/news: Port could not be cast"),
        ("redis://ann:secret@[host/0/news", r"\[host/0/news: This is no address"),
        ("ftp://nohost.invalid/patterns", "ftp://nohost.invalid/patterns: The store can't be used"),
        ("floppy://a/b", "floppy://a/b: There is no store for"),
        ("local:///a/patterns", "local:///a/patterns: Files of a folder don't appear"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_its_password(uri: str, told: str) -> None:
    pytest.importorskip("fsspec", reason="the extra fsspec is not installed")
    pytest.importorskip("redis", reason="the extra redis is not installed")
    with pytest.raises(PatternFileError, match=told.replace("*", r"\*")) as caught:
        open_store(uri)
    assert "secret" not in str(caught.value)
