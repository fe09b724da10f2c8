"""The benchmark of archives."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import archives
from benchmarks.archives import (
    CROWDED,
    LEARN,
    PARSE,
    READ,
    SHARED,
    SHARING,
    START,
    STRIP,
    WAYS,
    Run,
    efficiency,
    report,
    timed,
    write_warc,
)
from benchmarks.sets import bundled_set


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    golds = bundled_set().pages
    whole, part = tmp_path / "whole.warc", tmp_path / "part.warc"
    assert write_warc(golds, whole) == len(golds)
    write_warc(golds[:10], part)
    return whole, part


def test_each_way_goes_over_all_pages(files: tuple[Path, Path]) -> None:
    for way in (READ, PARSE, LEARN, STRIP):
        times = timed(way, *files, processes=1)
        assert times.cpu > 0
        assert times.wall > 0
    stripped = files[0].with_suffix(".out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(stripped) == len(bundled_set().pages)
    assert all('"matched": true' in line for line in stripped)


def test_the_table_says_how_many_pages_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "versions", lambda names: dict.fromkeys(names, "1.0"))
    runs = {(way, each): Run(1, 4, 0) for way in WAYS for each in (1, 2)}
    runs |= {(way, each): Run(1, 0.1, 4.9) for way in SHARING for each in SHARED}
    runs |= {(START, each): Run(1, 0.02, 0.98) for each in SHARED}
    runs |= {(CROWDED, each): Run(1, 1, 0) for each in range(1, 9)}
    runs[READ, 1], runs[PARSE, 1] = Run(1, 1, 0), Run(1, 2, 0)
    found = report(runs, 2000, 39_000, 2, 1.25)
    assert "2,000 pages of 39 kB" in found
    assert "with a load of 1.2 by others" in found
    assert "a bare lxml parse takes 0.50 ms" in found
    rows = [line for line in found.splitlines() if line.startswith(f"| {STRIP} ")]
    cells = [[cell.strip() for cell in row.split("|")[2:-1]] for row in rows]
    assert cells[0] == ["2.00", "500", "2000", "1.0"]
    assert cells[1] == ["0.80", "0.80", "0.80", "1.00", "1.00", "1.00", "0.05"]


def test_cores_are_made_use_of_as_long_as_the_first_process_keeps_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "cores", lambda: 2)
    runs = {(STRIP, 1): Run(10, 10, 0), (STRIP, 2): Run(5, 1, 11), (STRIP, 8): Run(5, 2, 11)}
    runs |= {(START, each): Run(1, 0.5, 1.5) for each in (2, 8)}
    runs |= {(CROWDED, each): Run(1, 3, 0) for each in (2, 8)}
    assert efficiency(runs, STRIP, 2) == 10 / 12
    assert efficiency(runs, STRIP, 2, is_long=True) == 1
    assert efficiency(runs, STRIP, 8) == 10 / 16


def test_what_it_costs_to_take_turns_is_none_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = {(STRIP, 1): Run(10, 10, 0), (STRIP, 8): Run(5, 1, 15), (START, 8): Run(1, 0, 0)}
    runs |= {(CROWDED, 2): Run(1, 4, 0), (CROWDED, 8): Run(1, 5, 0)}
    monkeypatch.setattr(archives, "cores", lambda: 2)
    assert efficiency(runs, STRIP, 8) == 12.5 / 16
    monkeypatch.setattr(archives, "cores", lambda: 8)
    assert efficiency(runs, STRIP, 8) == 10 / 16
