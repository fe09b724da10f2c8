"""The soak: ``python -m tests.soak [SCALE]`` prints a table of the costs and losses of long crawls.

At scale 1 there are 200 kills of each kind, two writers for ten minutes, 20,000 domains of 12 pages and one domain of
50,000 pages, which takes hours. A different scale multiplies all of these.
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
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
    """Results of crawls of a kind.

    :param took: costs of the last crawl that was not killed.
    :param is_all: True for a single crawl.
    :param bad: True for a broken promise.
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
            times, balances = zip(*kills.crawls(count, mine, settings=settings), strict=True)
            again = sum(len(balance.repeated) for balance in balances)
            left = sum(len(balance.left) for balance in balances)
            told = f"{sum(times)} kills, {name}; {again} items came again, {left} can be had from spools"
            took = figures(mine / str(len(balances) - 1))
            yield _row(told, balances, took, bad=again > kills.bound(sum(times)))


def _fleets(count: int, folder: Path) -> Iterator[Row]:
    with ExitStack() as stack:
        redis = f"redis://127.0.0.1:{stack.enter_context(servers.redis_server()).port}/0/soak"
        stack.enter_context(servers.s3_server())
        for name, uri in (("Redis", redis), ("S3", "s3://bucket/soak")):
            (mine := folder / f"fleet {name}").mkdir()
            killed = fleet.killed(uri, 12, count, mine)
            told = (
                f"{killed.kills} kills of three crawls with one store, {name}; of {killed.sites} sites "
                f"{len(killed.untold)} lost, or learned twice without a word; {killed.waited} items waited when killed"
            )
            bad = bool(killed.lost or killed.untold)
            yield Row(told, killed.went_in, killed.came_out, killed.lost, figures(mine / "0"), bad=bad)


def _writers(seconds: float, folder: Path) -> Iterator[Row]:
    (mine := folder / "writers").mkdir()
    crawls, learned, there, balances = writers.run(seconds, mine)
    told = f"{crawls} crawls, two at a time, with one pattern file; {len(learned - there)} of {len(learned)} sites lost"
    yield _row(told, balances, figures(mine / "0-0"), bad=bool(learned - there))


def _row(told: str, balances: Sequence[Balance], took: Figures, *, bad: bool = False) -> Row:
    lost = sum(len(balance.lost) for balance in balances)
    counts = sum(balance.went_in for balance in balances), sum(balance.came_out for balance in balances)
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
    few = max(1, round(50 * scale))
    for name, count, of_each, host, more in (
        (f"{many:,} domains of {domains.PAGES} pages", many, domains.PAGES, "site", {}),
        ("the same, with JOBDIR", many, domains.PAGES, "site", {"JOBDIR": str(folder / "job")}),
        (f"one domain of {pages:,} pages", 1, pages, "site", {}),
        (f"{few} domains of 20 pages with 100 items each", few, 20, "site", {"items": 100}),
        (f"one domain of {hostile} pages, half of them hostile", 1, hostile, "hostile", {}),
    ):
        (mine := folder / name).mkdir()
        crawl = domains.run(count, mine, of_each, host, **more)
        lost = crawl.went_in - crawl.came_out
        bad = lost > 0 or crawl.learned < count
        told = f"{name}; {crawl.at_half:,} out at half of it"
        yield Row(told, crawl.went_in, crawl.came_out, lost, crawl.took, is_all=True, bad=bad)


def main(scale: float = 1.0) -> int:
    """Print the table row by row; return 1 if a promise was broken. A failed row does not stop the next."""
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
            try:
                for row in part(Path(folder)):
                    print(row, flush=True)
                    bad += row.bad
            except Exception:
                traceback.print_exc()
                bad += 1
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
