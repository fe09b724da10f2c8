"""Several writers of a pattern file: no update is lost."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from scrapy_stemmer import PatternFileError, PatternSet
from scrapy_stemmer.stores import file, open_store
from scrapy_stemmer.stores.base import Change, Conflict, by_site, merged
from tests import processes
from tests.stores import writers
from tests.stores.contract import PATTERNS, save

PATTERN = PATTERNS[0]
OLD, NEW = "2024-05-01T12:00:00Z", "2024-05-01T14:00:01+02:00"
"""Times a second apart, in an order unlike that of their texts."""


def of(site: str, learned: str | None = None, name: str = "n") -> Any:
    return replace(PATTERN, site=site, learned=learned, name=name)


class TestMerged:
    """Return the digest of patterns in memory."""

    def test_sites_that_were_not_changed_are_those_that_are_there(self) -> None:
        current = by_site([of("b.com"), of("a.com")])
        result = merged(current, {"c.com": Change((of("c.com"),))})
        assert list(result.sites) == ["a.com", "b.com", "c.com"]
        assert result.sites["a.com"] is current["a.com"]
        assert result.conflicts == ()

    def test_an_edit_is_made_to_what_is_there(self) -> None:
        current = by_site([of("a.com", NEW), of("b.com", NEW)])
        result = merged(current, {"a.com": lambda there: tuple(replace(pattern, name="edited") for pattern in there)})
        assert [pattern.name for site in result.sites.values() for pattern in site.patterns] == ["edited", "n"]
        assert result.conflicts == ()

    def test_a_site_that_is_as_the_writer_has_seen_it_is_replaced(self) -> None:
        current = by_site([of("a.com", NEW), of("a.com", NEW, "m")])
        result = merged(current, {"a.com": Change((of("a.com", OLD),), current["a.com"].digest)})
        assert result.sites["a.com"].patterns == (of("a.com", OLD),)
        assert result.conflicts == ()

    def test_what_the_writer_has_put_there_itself_is_no_conflict(self) -> None:
        """A write succeeded, but its answer was lost."""
        current = by_site([of("a.com", OLD)])
        assert merged(current, {"a.com": Change((of("a.com", OLD),))}).conflicts == ()

    @pytest.mark.parametrize(
        ("ours", "theirs", "is_ours_kept"),
        [
            *[(OLD, NEW, False), (NEW, OLD, True), (OLD, OLD, True), (OLD, None, True), (None, NEW, True)],
            *[("?", NEW, True), ("2024-05-01T12:00:00", NEW, False)],  # UTC without a zone
        ],
    )
    def test_of_two_the_one_that_was_learned_later_is_kept(
        self, ours: str | None, theirs: str | None, is_ours_kept: bool
    ) -> None:
        """Patterns without a time have just been imported."""
        current = by_site([of("a.com", theirs)])
        result = merged(current, {"a.com": Change((of("a.com", ours, "ours"),), b"as it was")})
        assert (result.sites["a.com"].patterns[0].name == "ours") is is_ours_kept
        (conflict,) = result.conflicts
        assert (conflict.site, conflict.is_ours_kept) == ("a.com", is_ours_kept)

    def test_a_site_that_somebody_has_deleted_is_back_when_it_was_learned(self) -> None:
        result = merged({}, {"a.com": Change((of("a.com"),), b"as it was")})
        assert (list(result.sites), result.conflicts) == (["a.com"], ())

    def test_a_site_without_patterns_is_removed(self) -> None:
        current = by_site([of("a.com"), of("b.com")])
        assert list(merged(current, {"a.com": Change(()), "c.com": Change(())}).sites) == ["b.com"]

    def test_a_conflict_names_the_times_of_both(self) -> None:
        result = merged(by_site([of("a.com", NEW)]), {"a.com": Change((of("a.com", OLD),))})
        assert result.conflicts == (Conflict("a.com", "2024-05-01T12:00:00+00:00", NEW, False),)


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return str(tmp_path / "patterns.jsonl")


PROCESSES, THREADS, WRITES = 3, 2, 12


@pytest.mark.slow
def test_no_write_of_many_processes_and_threads_is_lost(uri: str, tmp_path: Path) -> None:
    started = [
        processes.start(writers.write_in_threads, uri, str(number), WRITES, THREADS, out=tmp_path / f"{number}.txt")
        for number in range(PROCESSES)
    ]
    assert [process.wait() for process in started] == [0] * PROCESSES
    expected = {f"{p}-{t}-{n}.com" for p in range(PROCESSES) for t in range(THREADS) for n in range(WRITES)}
    assert set(PatternSet.load(uri).sites) == expected
    assert [path.name for path in tmp_path.glob(".*")] == [".patterns.jsonl.lock"]


@pytest.mark.slow
def test_the_lock_of_a_process_that_was_killed_is_free(uri: str, tmp_path: Path) -> None:
    started = processes.start(writers.write, uri, "killed", 1000, out=tmp_path / "out.txt")
    deadline = time.monotonic() + 60
    while not Path(uri).exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    started.kill()
    started.process.join()
    PatternSet([of("a.com")]).merge_into(uri)
    assert "a.com" in PatternSet.load(uri).sites


def test_a_writer_waits_for_the_one_before(uri: str) -> None:
    with FileLock(Path(uri).with_name(".patterns.jsonl.lock")):
        writer = threading.Thread(target=PatternSet([of("a.com")]).merge_into, args=(uri,))
        writer.start()
        time.sleep(0.1)
        assert not Path(uri).exists()
    writer.join()
    assert PatternSet.load(uri).sites == ("a.com",)


def test_a_lock_that_is_never_given_free_is_an_error(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "LOCK_SECONDS", 0.05)

    def other() -> None:
        with pytest.raises(PatternFileError, match="Another program has been writing"):
            PatternSet([of("a.com")]).merge_into(uri)

    with FileLock(Path(uri).with_name(".patterns.jsonl.lock")):
        writer = threading.Thread(target=other)
        writer.start()
        writer.join()
    assert not Path(uri).exists()


def test_a_file_that_an_editor_puts_in_place_during_a_merge_is_read_again(
    uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editors ignore the lock."""
    PatternSet([of("a.com")]).save(uri)
    file_beside, edits = file.file_beside, iter(range(3))

    def edited_meanwhile(*arguments: Any, **named: Any) -> Any:
        beside = file_beside(*arguments, **named)
        number = next(edits, None)
        if number is not None:
            text = Path(uri).read_text(encoding="utf-8")
            Path(f"{uri}~").write_text(text.replace("a.com", f"a{number}.com"), encoding="utf-8")
            os.replace(f"{uri}~", uri)  # noqa: PTH105
        return beside

    monkeypatch.setattr(file, "file_beside", edited_meanwhile)
    PatternSet([of("b.com")]).merge_into(uri)
    assert PatternSet.load(uri).sites == ("a0.com", "b.com")
    assert sorted(path.name for path in Path(uri).parent.iterdir()) == [".patterns.jsonl.lock", "patterns.jsonl"]


def test_a_file_that_somebody_writes_in_place_is_waited_for(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor writes in place: the last line is cut off until the editor is done."""
    PatternSet([of("a.com"), of("z.com")]).save(uri)
    whole = Path(uri).read_bytes()
    Path(uri).write_bytes(whole[:-30])
    monkeypatch.setattr(file.time, "sleep", lambda _: Path(uri).write_bytes(whole))
    PatternSet([of("b.com")]).merge_into(uri)
    assert PatternSet.load(uri).patterns == (of("a.com"), of("b.com"), of("z.com"))


def test_two_names_of_one_file_have_one_lock(uri: str, tmp_path: Path) -> None:
    PatternSet([of("a.com")]).save(uri)
    link = tmp_path / "link.jsonl"
    link.symlink_to(uri)
    PatternSet([of("b.com")]).merge_into(str(link))
    assert [path.name for path in tmp_path.glob(".*")] == [".patterns.jsonl.lock"]
    assert PatternSet.load(uri).sites == ("a.com", "b.com")


def test_a_file_system_without_locks_is_an_error_that_says_so(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(*_: Any, **__: Any) -> None:
        raise NotImplementedError("no locks here")

    monkeypatch.setattr(file, "FileLock", without)
    with pytest.raises(PatternFileError, match="no locks here"):
        PatternSet([of("a.com")]).merge_into(uri)


def test_a_file_that_can_t_be_read_is_never_written_to(uri: str) -> None:
    Path(uri).write_text("{", encoding="utf-8")
    with pytest.raises(PatternFileError):
        PatternSet([of("a.com")]).merge_into(uri)
    assert Path(uri).read_text(encoding="utf-8") == "{"


def test_windows_replaces_a_file_as_soon_as_nobody_reads_it(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = []
    replace_ = Path.replace

    def refused(self: Path, target: Path) -> Path:
        attempts.append(1)
        if len(attempts) < 3:
            raise PermissionError("somebody has it open")
        return replace_(self, target)

    monkeypatch.setattr(file, "REPLACE_PAUSE", 0.0)
    monkeypatch.setattr(file, "IS_WINDOWS", True)
    monkeypatch.setattr(Path, "replace", refused)
    save(open_store(uri), [PATTERN])
    assert len(attempts) == 3
