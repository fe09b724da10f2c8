"""The soak: ``python -m tests.soak [SCALE]`` prints a table of what long crawls lose.

At scale 1 there are 200 kills of each kind, 30 of each fleet, and two writers for ten minutes, which takes hours.
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.soak import disks, fleet, kills, writers
from tests.soak.crawling import Balance
from tests.stores import servers

Row = tuple[str, int, int, int, bool]  # crawls, items in, items out, items lost, and True for a broken promise


def _killed(count: int, folder: Path) -> Iterator[Row]:
    with servers.redis_server() as server:
        for name, settings in kills.ways(server.port).items():
            (mine := folder / name).mkdir()
            times, balances = zip(*kills.crawls(count, mine, settings=settings), strict=True)
            again = sum(len(balance.repeated) for balance in balances)
            left = sum(len(balance.left) for balance in balances)
            told = f"{sum(times)} kills, {name}; {again} items came again, {left} can be had from spools"
            yield _row(told, balances, bad=again > kills.bound(sum(times)))


def _fleets(count: int, folder: Path) -> Iterator[Row]:
    with ExitStack() as stack:
        redis = f"redis://127.0.0.1:{stack.enter_context(servers.redis_server()).port}/0/soak"
        stack.enter_context(servers.s3_server())
        for name, uri in (("Redis", redis), ("S3", "s3://bucket/soak")):
            (mine := folder / f"fleet {name}").mkdir()
            found = fleet.killed(uri, 12, count, mine)
            told = f"{found.kills} kills of three crawls with one store, {name}; {found.waited} items waited"
            yield told, found.went_in, found.came_out, found.lost, bool(found.lost or found.missing)


def _writers(seconds: float, folder: Path) -> Iterator[Row]:
    crawls, learned, there, balances = writers.run(seconds, folder)
    told = f"{crawls} crawls, two at a time, with one pattern file; {len(learned - there)} of {len(learned)} sites lost"
    yield _row(told, balances, bad=bool(learned - there))


def _row(told: str, balances: Sequence[Balance], *, bad: bool) -> Row:
    lost = sum(len(balance.lost) for balance in balances)
    went_in, came_out = (sum(getattr(balance, name) for balance in balances) for name in ("went_in", "came_out"))
    return told, went_in, came_out, lost, bad or lost > 0


def _disks(folder: Path) -> Iterator[Row]:
    for name in ("with", "without"):
        (mine := folder / name).mkdir()
        state: dict[str, Any] = {"JOBDIR": str(mine / "job")} if name == "with" else {}
        came_out, stayed = disks.full_disk(mine, state, 300_000)
        yield f"full disk, {name} JOBDIR; {stayed} items stayed in files", disks.PAGES, came_out, 0, False


def main(scale: float = 1.0) -> int:
    """Print the table row by row; return 1 if a promise was broken. A failed part does not stop the next."""
    print("| crawls | items in | out | lost |\n|---|--:|--:|--:|", flush=True)
    is_bad = False
    parts: tuple[Callable[[Path], Iterator[Row]], ...] = (
        lambda folder: _killed(max(3, round(200 * scale)), folder),
        lambda folder: _fleets(max(2, round(30 * scale)), folder),
        lambda folder: _writers(600 * scale, folder),
        _disks,
    )
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            try:
                for told, went_in, came_out, lost, bad in part(Path(folder)):
                    print(f"| {told} | {went_in:,} | {came_out:,} | {lost:,} |", flush=True)
                    is_bad = is_bad or bad
            except Exception:
                traceback.print_exc()
                is_bad = True
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
