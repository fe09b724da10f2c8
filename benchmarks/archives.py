"""Pages a second over a WARC file, on all cores: learning and stripping, beside trafilatura and resiliparse.

All read the same file, with as many processes, and write JSON Lines:

    python -m benchmarks.archives            # ../shared/data/sites.jsonl.gz as a WARC file, else the bundled site
    python -m benchmarks.archives --write

Each way has a process of its own, which has been through a tenth of the pages before. The time of a core is that of one
process that does all; then as many as there are cores share the work, and what these take to start is in the figure.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path

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
from scrapy_stemmer.commands.stored_pages import TOGETHER, cores, in_order
from scrapy_stemmer.core.document import decode

TARGET = ROOT / "docs" / "benchmarks" / "archives.md"

READ, PARSE = "reading the file, in one process", "bare lxml parse"
LEARN, STRIP = "scrapy stemmer learn", "scrapy stemmer strip"
PEERS = ("trafilatura", "resiliparse")
WAYS = (READ, PARSE, LEARN, STRIP, *PEERS)

PART = 10
"""The small file has one of so many pages."""

ROUNDS = 1


@dataclass(frozen=True, slots=True)
class Times:
    """What a way takes a page.

    :param wall: seconds by the clock, with all processes.
    :param cpu: seconds of the one core of a process that does all.
    """

    wall: float
    cpu: float


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


def _extracted(way: str, page: Page) -> str:
    """The line of a page; called in a process of its own."""
    extract = _PARSERS.get(way) or _PARSERS.setdefault(way, load_peers([way])[way])
    text, _ = attempt(extract, decode(bytes(page.html), page.charset), page.url)  # type: ignore[arg-type]
    return json.dumps({"url": page.url, "text": text})


def _parsed(html: str, _url: str) -> str:
    return str(lxml.html.document_fromstring(html.encode()).tag)


_PARSERS: dict[str, Callable[[str, str], str]] = {PARSE: _parsed}
"""What makes texts of pages in this process, by the way."""


def work(way: str, warc: Path, processes: int) -> None:
    """Read a file and write what comes out beside it; stripping needs what learning has written."""
    patterns, output = warc.with_suffix(".patterns.jsonl"), warc.with_suffix(".out.jsonl")
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
    with warc.open("rb") as file, output.open("w", encoding="utf-8") as written:
        pages = pages_of_warc(file, str(warc), LeftOut())
        if way == READ:
            written.write(str(sum(len(bytes(page.html)) for page in pages)))  # type: ignore[arg-type,misc]
            return
        written.writelines(f"{line}\n" for line in in_order(partial(_extracted, way), pages, processes, TOGETHER))


def timed(way: str, warc: Path, part: Path, processes: int) -> Times:
    """Time a way on a file, once it has been through a part of it; called in a process of its own."""
    work(way, part, 1)
    begin, cpu = time.perf_counter(), time.process_time()
    work(way, warc, processes)
    return Times(time.perf_counter() - begin, time.process_time() - cpu)


def measure(golds: Sequence[GoldPage], folder: Path, processes: int, rounds: int = ROUNDS) -> dict[str, Times]:
    """The times a page of each way: the best of some rounds."""
    whole, part = folder / "whole.warc", folder / "part.warc"
    count = write_warc(golds, whole)
    write_warc(golds[::PART], part)
    found = {way: Times(math.inf, math.inf) for way in WAYS}
    for number, way in product(range(rounds), WAYS):
        say(f"round {number + 1}: {way}")
        alone, together = (
            in_process("benchmarks.archives", "--run", way, str(whole), str(part), "--processes", str(each))
            for each in (1, processes)
        )
        best = found[way]
        found[way] = Times(min(best.wall, together["wall"] / count), min(best.cpu, alone["cpu"] / count))
    return found


def report(times: Mapping[str, Times], pages: int, size: float, processes: int) -> str:
    """The table."""
    known = ", ".join(f"{name} {number}" for name, number in versions(PEERS).items())
    parse = times[PARSE].cpu - times[READ].cpu
    rows = [
        [
            way,
            f"{1000 * each.cpu:.2f}",
            f"{1 / each.cpu:.0f}",
            f"{1 / each.wall:.0f}",
            f"{each.cpu / times[STRIP].cpu:.1f}",
        ]
        for way, each in times.items()
    ]
    heads = ["", "ms of a core a page", "pages a second and core", f"pages a second, {processes} processes", "/ strip"]
    told = f"{pages:,} pages of {size / 1000:.0f} kB on average in one WARC file; {known}."
    return f"{told} Without the reading a bare lxml parse takes {1000 * parse:.2f} ms.\n\n{table(heads, rows)}"


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.archives", description=__doc__)
    made.add_argument("--data", type=Path, help="folder of the set; default: ../shared/data")
    made.add_argument("--processes", type=int, default=cores(), metavar="N", help="default: one a core")
    made.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="the best of N (default: %(default)s)")
    made.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    made.add_argument("--run", nargs=3, metavar=("WAY", "WARC", "PART"), help=argparse.SUPPRESS)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    options = parser().parse_args(arguments)
    if options.run:
        way, *files = options.run
        warc, part = map(Path, files)
        print(json.dumps(asdict(timed(way, warc, part, options.processes))))
        return 0
    try:
        golds = next(find_sets([SET], options.data)).pages
    except SetError:
        golds = next(find_sets([BUNDLED])).pages
    with tempfile.TemporaryDirectory() as folder:
        times = measure(golds, Path(folder), options.processes, options.rounds)
    size = sum(len(gold.html.encode("utf-8", "replace")) for gold in golds) / len(golds)
    publish(report(times, len(golds), size, options.processes), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = """# Archives: measured

Written by `make bench` (`python -m benchmarks.archives --write`). A WARC file learned and stripped by the commands, and
read by others with the same reader and as many processes; all write JSON Lines. The time of a core is that of one
process that does all. `learn` takes its time for the sample of each site, 20 pages at most; it is divided by all pages
that were read."""


if __name__ == "__main__":
    sys.exit(main())
