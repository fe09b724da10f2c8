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
from tests import processes
from tests.stores import writers
from tests.stores.contract import PATTERNS, save

PATTERN = PATTERNS[0]


def of(site: str) -> Any:
    return replace(PATTERN, site=site)


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


def test_two_names_of_one_file_have_one_lock(uri: str, tmp_path: Path) -> None:
    PatternSet([of("a.com")]).save(uri)
    link = tmp_path / "link.jsonl"
    link.symlink_to(uri)
    PatternSet([of("b.com")]).merge_into(str(link))
    assert [path.name for path in tmp_path.glob(".*")] == [".patterns.jsonl.lock"]
    assert PatternSet.load(uri).sites == ("a.com", "b.com")
    assert link.is_symlink()


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
