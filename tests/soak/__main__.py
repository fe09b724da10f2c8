"""The soak: ``python -m tests.soak [SCALE]`` prints a table of what crawls take and lose at length.

At scale 1 there are 200 kills of each kind, two writers for ten minutes, 20,000 domains of 12 pages and one domain of
50,000 pages, which takes hours. Other scales have so much of each.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from tests.soak import disks, domains, fleet, kills, writers
from tests.soak.crawling import Balance
from tests.soak.figures import Figures, figures
from tests.stores import servers

HEAD = """| what | items in | out | lost | bytes written for each | memory | lag | at the close | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""


class Row(NamedTuple):
    """What has come of crawls of one kind.

    :param took: what the last one took that was not killed.
    :param is_all: whether that is the only one.
    :param bad: whether a promise was broken.
    """

    what: str
    went_in: int
    came_out: int
    lost: int
    took: Figures
    is_all: bool = False
    bad: bool = False

    def __str__(self) -> str:
        took = self.took
        written = f"{took.written / self.went_in / 1e3:.1f} kB" if self.is_all else ""
        counts = f"{self.went_in:,}", f"{self.came_out:,}", f"{self.lost:,}"
        times = f"{took.lag:.2f} s", f"{took.closing:.1f} s", f"{took.seconds:.0f}"
        return f"| {' | '.join((self.what, *counts, written, f'{took.memory / 1e6:.0f} MB', *times))} |"


def _killed(count: int, folder: Path) -> Iterator[Row]:
    with servers.redis_server() as server:
        for name, settings in kills.ways(server.port).items():
            (mine := folder / name).mkdir()
            found = list(kills.crawls(count, mine, settings=settings))
            times = sum(each for each, _ in found)
            lost = sum(len(balance.lost) for _, balance in found)
            again = sum(len(balance.repeated) for _, balance in found)
            went_in, came_out = sum(b.went_in for _, b in found), sum(b.came_out for _, b in found)
            left = sum(len(balance.left) for _, balance in found)
            told = f"{times} kills, {name}; {again} items came again, {left} can be had from spools"
            took = figures(mine / str(len(found) - 1))
            yield Row(told, went_in, came_out, lost, took, bad=lost > 0 or again > kills.bound(times))


def _fleets(count: int, folder: Path) -> Iterator[Row]:
    with ExitStack() as stack:
        redis = f"redis://127.0.0.1:{stack.enter_context(servers.redis_server()).port}/0/soak"
        stack.enter_context(servers.s3_server())
        for name, uri in (("Redis", redis), ("S3", "s3://bucket/soak")):
            (mine := folder / f"fleet {name}").mkdir()
            found = fleet.killed(uri, 12, count, mine)
            told = (
                f"{found.kills} kills of three crawls with one store, {name}; of {found.sites} sites "
                f"{len(found.untold)} lost, or learned twice without a word; {found.waited} items waited when killed"
            )
            bad = bool(found.lost or found.untold)
            yield Row(told, found.went_in, found.came_out, found.lost, figures(mine / "0"), bad=bad)


def _writers(seconds: float, folder: Path) -> Iterator[Row]:
    (mine := folder / "writers").mkdir()
    crawls, learned, there, balances = writers.run(seconds, mine)
    told = f"{crawls} crawls, two at a time, with one pattern file; {len(learned - there)} of {len(learned)} sites lost"
    yield _row(told, balances, figures(mine / "0-0"), bad=bool(learned - there))


def _row(told: str, balances: list[Balance], took: Figures, *, bad: bool = False) -> Row:
    lost = sum(len(each.lost) for each in balances)
    counts = sum(each.went_in for each in balances), sum(each.came_out for each in balances)
    return Row(told, *counts, lost, took, bad=bad or lost > 0)


def _disks(folder: Path) -> Iterator[Row]:
    for name in ("with", "without"):
        (mine := folder / f"disk {name}").mkdir()
        state: dict[str, Any] = {"JOBDIR": str(mine / "job")} if name == "with" else {}
        told = disks.full_disk(mine, state, 300_000)
        balance = Balance(mine, kills.left_in(mine))
        yield _row(f"full disk, {name} JOBDIR: {told}", [balance], figures(mine))


def _crawls(scale: float, folder: Path) -> Iterator[Row]:
    many, pages = max(1, round(20_000 * scale)), max(domains.PAGES, round(50_000 * scale))
    hostile = 2 * len(domains.ATTACKS)
    for name, count, each, host, more in (
        (f"{many:,} domains of {domains.PAGES} pages", many, domains.PAGES, "site", {}),
        ("the same, with JOBDIR", many, domains.PAGES, "site", {"JOBDIR": str(folder / "job")}),
        (f"one domain of {pages:,} pages", 1, pages, "site", {}),
        (f"one domain of {hostile} pages, half of them hostile", 1, hostile, "hostile", {}),
    ):
        (mine := folder / name).mkdir()
        found = domains.run(count, mine, each, host, **more)
        lost = found.went_in - found.came_out
        yield Row(
            name, found.went_in, found.came_out, lost, found.took, is_all=True, bad=lost > 0 or found.learned < count
        )


def main(scale: float = 1.0) -> int:
    """Print the table row by row; 1 if a promise was broken."""
    print(f"Scale {scale:g}\n\n{HEAD}", flush=True)
    bad = 0
    parts: tuple[Callable[[Path], Iterator[Row]], ...] = (
        lambda folder: _killed(max(3, round(200 * scale)), folder),
        lambda folder: _fleets(max(2, round(30 * scale)), folder),
        lambda folder: _writers(600 * scale, folder),
        _disks,
        lambda folder: _crawls(scale, folder),
    )
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            for row in part(Path(folder)):
                print(row, flush=True)
                bad += row.bad
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
