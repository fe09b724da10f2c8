"""The benchmark of archives."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import archives
from benchmarks.archives import LEARN, PARSE, READ, STRIP, WAYS, Times, report, timed, write_warc
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
    times = {way: Times(wall=0.001, cpu=0.002) for way in WAYS}
    times[READ], times[PARSE] = Times(0.0005, 0.0005), Times(0.001, 0.001)
    found = report(times, 2000, 39_000, 2)
    assert "2,000 pages of 39 kB" in found
    assert "a bare lxml parse takes 0.50 ms" in found
    (row,) = [line for line in found.splitlines() if line.startswith(f"| {STRIP} ")]
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["2.00", "500", "1000", "1.0"]
