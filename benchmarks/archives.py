"""Pages a second over a WARC file, on all cores: learning and stripping, beside trafilatura and resiliparse.

All read a common file, with equally many processes, and write JSON Lines:

    python -m benchmarks.archives            # ../shared/data/sites.jsonl.gz as a WARC file, else the bundled site
    python -m benchmarks.archives --write

Each way has its own process, warmed up with a tenth of the pages. The time of a core is the time of a single process;
then a process for each core shares the work, and the figure includes their start. The speed of more cores is estimated
from the CPU time of 2, 4 and 8 processes on the available cores, without the costs of taking turns.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import resource
import sys
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, product
from multiprocessing import forkserver
from pathlib import Path
from statistics import fmean

import lxml.html
from scrapy.settings import Settings

from benchmarks.drift import SET
from benchmarks.peers import attempt, load_peers, versions
from benchmarks.progress import say
from benchmarks.sets import BUNDLED, ROOT, GoldPage, SetError, find_sets
from benchmarks.speed.scale import in_process
from benchmarks.tables import publish, table
from scrapy_stemmer import Page
from scrapy_stemmer.commands.command import StemmerCommand
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.warc import pages_of_warc
from scrapy_stemmer.commands.stored_pages import cores, in_batches, in_order
from scrapy_stemmer.page.document import decode
from scrapy_stemmer.page.text import counted

TARGET = ROOT / "benchmarks" / "results" / "archives.md"

READ, PARSE = "reading the file, in one process", "bare lxml parse"
LEARN, STRIP = "scrapy stemmer learn", "scrapy stemmer strip"
PEERS = ("trafilatura", "resiliparse")
WAYS = (READ, PARSE, LEARN, STRIP, *PEERS)

PART = 10  # the small file has one page in this many

ROUNDS = 1

START = "start of processes"  # a way that does nothing
CROWDED = "stripping by itself beside others"  # the name of what :func:`crowded` measures

SHARED, SHARING = (2, 4, 8), (LEARN, STRIP, START)
"""Numbers of processes, and ways, for which the speed of as many cores is estimated."""


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of a way for all pages."""

    wall: float = math.inf  # by the clock
    cpu: float = math.inf  # of the process that reads, or hands out the work, and writes
    others: float = math.inf  # of the cores of the remaining processes, including their start

    def best(self, other: Run) -> Run:
        """The least of both."""
        return Run(min(self.wall, other.wall), min(self.cpu, other.cpu), min(self.others, other.others))


Runs = Mapping[tuple[str, int], Run]  # by the way and the number of processes


def efficiency(runs: Runs, way: str, processes: int, *, is_long: bool = False) -> float:
    """Return the used share of cores, one for each process.

    The first process works in parallel, so the total time is the longer of its time and a worker's. A single process is
    slower, too, when processes take turns: see :func:`crowded`.

    :param is_long: leave out the time to start processes, which is constant for any archive.
    """
    shared, start, few = runs[way, processes], runs[START, processes], min(processes, cores())
    alone = runs[way, 1].cpu * max(1, runs[CROWDED, processes].cpu / runs[CROWDED, few].cpu)
    first, others = shared.cpu - is_long * start.cpu, shared.others - is_long * start.others
    return alone / max(processes * first, first + others)


def write_warc(golds: Iterable[GoldPage], path: Path) -> int:
    """A WARC file of pages; gives their number."""
    count = 0
    with path.open("wb") as file:
        for gold in golds:
            body = gold.html.encode("utf-8", "replace")
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {gold.url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
                f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))
            count += 1
    return count


def _extracted(way: str, pages: Iterable[Page]) -> list[str]:
    """The lines of pages; called in a process of its own."""
    return [_line(way, page) for page in pages]


def _line(way: str, page: Page) -> str:
    extract = _PARSERS.get(way) or _PARSERS.setdefault(way, load_peers([way])[way])
    text, _ = attempt(extract, decode(bytes(page.html), page.charset), page.url)  # type: ignore[arg-type]
    return json.dumps({"url": page.url, "text": text})


def _parsed(html: str, _url: str) -> str:
    return str(lxml.html.document_fromstring(html.encode()).tag)


_PARSERS: dict[str, Callable[[str, str], str]] = {PARSE: _parsed}
"""What makes texts of pages in this process, by the way."""


def work(way: str, warc: Path, processes: int) -> None:
    """Read a file and write the results beside it; stripping needs the results of learning."""
    patterns, output = warc.with_name("patterns.jsonl"), warc.with_suffix(".out.jsonl")
    if way in (LEARN, STRIP):
        action = ["learn", str(warc), "-o", str(patterns)]
        if way == STRIP:
            action = ["strip", str(patterns), str(warc), "--format", "jsonl", "-o", str(output)]
        command, arguments = StemmerCommand(), argparse.ArgumentParser(conflict_handler="resolve")
        command.settings = Settings()
        command.add_options(arguments)
        options = arguments.parse_args([*action, "--processes", str(processes)])
        deque(command.lines(options), maxlen=0)
        return
    if way == START:
        deque(in_order(abs, range(2 * processes), processes), maxlen=0)
        return
    with warc.open("rb") as file, output.open("w", encoding="utf-8") as written:
        pages = pages_of_warc(file, str(warc), LeftOut())
        if way == READ:
            written.write(str(sum(len(bytes(page.html)) for page in pages)))  # type: ignore[arg-type,misc]
            return
        lines = in_batches(partial(_extracted, way), pages, processes)
        written.writelines(f"{line}\n" for line in chain.from_iterable(lines))


def timed(way: str, warc: Path, part: Path, processes: int) -> Run:
    """Time a way on a file, after a part of it as a warm-up; called in a new process."""
    work(way, part, 1)
    begin, cpu = time.perf_counter(), time.process_time()
    work(way, warc, processes)
    wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
    forkserver._forkserver._stop()  # type: ignore[attr-defined]  # waits, so that its children count
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Run(wall, cpu, others.ru_utime + others.ru_stime)


def in_process_timed(way: str, warc: Path, part: Path, processes: int) -> Run:
    """Time a way in a new process, see :func:`timed`."""
    run = ("--run", way, str(warc), str(part), "--processes", str(processes))
    return Run(**in_process("benchmarks.archives", *run))


def crowded(part: Path, processes: int) -> Run:
    """Return the mean time of a process that strips a whole file, while ``processes`` do.

    Beyond the number of cores processes take turns, and each turn begins with caches full of a neighbour's memory.
    """
    with ThreadPoolExecutor(processes) as pool:
        runs = list(pool.map(lambda _: in_process_timed(STRIP, part, part, 1), range(processes)))
    return Run(fmean(run.wall for run in runs), fmean(run.cpu for run in runs), 0)


def measure(golds: Sequence[GoldPage], folder: Path, processes: int, rounds: int = ROUNDS) -> Runs:
    """The best of some rounds, of each way alone and shared."""
    whole, part = folder / "whole.warc", folder / "part.warc"
    write_warc(golds, whole)
    write_warc(golds[::PART], part)
    runs: defaultdict[tuple[str, int], Run] = defaultdict(Run)
    for number, way in product(range(rounds), (*WAYS, START)):
        say(f"round {number + 1}: {way}")
        for count in sorted({1, processes, *((*SHARED, cores()) if way in SHARING else ())}):
            runs[way, count] = runs[way, count].best(in_process_timed(way, whole, part, count))
            if way == STRIP:
                runs[CROWDED, count] = runs[CROWDED, count].best(crowded(part, count))
    return runs


def report(runs: Runs, pages: int, size: float, processes: int, load: float) -> str:
    """The tables.

    :param load: how many processes ran on the machine before.
    """
    known = ", ".join(f"{name} {number}" for name, number in versions(PEERS).items())
    alone = {way: runs[way, 1].cpu / pages for way in WAYS}
    rows = [
        [
            way,
            f"{1000 * seconds:.2f}",
            f"{1 / seconds:.0f}",
            f"{pages / runs[way, processes].wall:.0f}",
            f"{seconds / alone[STRIP]:.1f}",
        ]
        for way, seconds in alone.items()
    ]
    heads = ["", "ms of a core a page", "pages a second and core", f"pages a second, {processes} processes", "/ strip"]
    text = (
        f"{pages:,} pages of {size / 1000:.0f} kB on average in one WARC file; {known}; {counted(cores(), 'core')}, "
        f"with a load of {load:.1f} by others when it began."
    )
    parse = f"Without the reading a bare lxml parse takes {1000 * (alone[PARSE] - alone[READ]):.2f} ms."
    return f"{text} {parse}\n\n{table(heads, rows)}\n\n{_SHARED}\n\n{_efficiencies(runs, pages)}"


def _efficiencies(runs: Runs, pages: int) -> str:
    rows = []
    for way in (LEARN, STRIP):
        shares = [efficiency(runs, way, number, is_long=is_long) for is_long in (False, True) for number in SHARED]
        rows.append([way, *(f"{share:.2f}" for share in shares), f"{1000 * runs[way, SHARED[-1]].cpu / pages:.2f}"])
    heads = [f"{number} cores{of}" for of in ("", ", without start") for number in SHARED]
    return table(["", *heads, "ms a page of the first process"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.archives", description=__doc__)
    command.add_argument("--data", type=Path, help="folder of the set; default: ../shared/data")
    command.add_argument("--processes", type=int, default=cores(), metavar="N", help="default: one a core")
    command.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="the best of N (default: %(default)s)")
    command.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    command.add_argument("--run", nargs=3, metavar=("WAY", "WARC", "PART"), help=argparse.SUPPRESS)
    options = command.parse_args(arguments)
    if options.run:
        way, *files = options.run
        warc, part = map(Path, files)
        print(json.dumps(asdict(timed(way, warc, part, options.processes))))
        return 0
    try:
        golds = next(find_sets([SET], options.data)).pages
    except SetError:
        golds = next(find_sets([BUNDLED])).pages
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    with tempfile.TemporaryDirectory() as folder:
        runs = measure(golds, Path(folder), options.processes, options.rounds)
    size = sum(len(gold.html.encode("utf-8", "replace")) for gold in golds) / len(golds)
    publish(report(runs, len(golds), size, options.processes, load), TARGET, _HEAD, write=options.write)
    return 0


_SHARED = """## More cores

The share of cores that is made use of, worked out from CPU time: the pages a second of so many cores, by those of one
core times their number. A process that does all takes T seconds of a core; of so many processes the first one takes P,
all others together W. As many cores take P, or (P + W) / N where that is longer, which makes the share T / N of that.
More processes than cores take turns, so that each page takes longer; so T is that of a process that does all beside as
many others. To start the processes takes as long for any archive; without it the share is that of long ones."""

_HEAD = """# Archives: measured

Written by `make bench` (`python -m benchmarks.archives --write`). A WARC file learned and stripped by the commands, and
read by others in the same way, in as many processes; all write JSON Lines. The time of a core is that of one process
that does all. `learn` takes its time for the sample of each site, 20 pages at most; it is divided by all pages
that were read."""


if __name__ == "__main__":
    sys.exit(main())
