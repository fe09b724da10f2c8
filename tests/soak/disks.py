"""Crawls on a disk that is full, and with read-only folders: ``python -m tests.soak.disks``.

The disk is a limit on the size of files, beyond which writing fails, and where the system allows it a small tmpfs.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from scrapy_stemmer.crawl.spool import left_items
from tests import processes
from tests.crawl.website import Website
from tests.soak.crawling import IN, OUT, crawl, noted

PAGES = 40

SETTINGS: dict[str, Any] = {"STEMMER_SAMPLE_SIZE": 100, "CONCURRENT_REQUESTS": 2}
"""All items wait until the end."""


def limited_crawl(job: dict[str, Any]) -> int:
    """Run a crawl whose files may have at most ``job["limit"]`` bytes; its log goes through a pipe, as to a journal."""
    read, write = os.pipe()
    if os.fork():
        os.close(write)
        with os.fdopen(read, "rb") as lines, Path(job["folder"], "log.txt").open("wb") as log:
            log.writelines(lines)
        return os.waitstatus_to_exitcode(os.wait()[1])
    os.close(read)
    os.dup2(write, 1)
    os.dup2(write, 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (job["limit"], job["limit"]))
    code = 1
    try:
        code = crawl(job)
    finally:
        sys.stdout.flush()
        os._exit(code)


@contextmanager
def small_disk(size: str = "1m") -> Iterator[Path | None]:
    """Yield a folder on a small disk of its own; ``None`` if not allowed."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True)
        try:
            yield Path(folder) if mounted.returncode == 0 else None
        finally:
            if mounted.returncode == 0:
                subprocess.run(["umount", folder], check=True)


def full_disk(folder: Path, state: dict[str, Any], limit: int) -> str:
    """Crawl until a file may not grow; raise unless each item has come out, or the log names the item and its place.

    :param state: settings that name folders.
    """
    with Website() as website:
        website.add_articles(PAGES, padding=Random(0).randbytes(25_000).hex())  # incompressible
        urls = [website.url(f"/article/{page}.html") for page in range(PAGES)]
        job = {"folder": str(folder), "urls": urls, "settings": {**SETTINGS, **state}, "limit": limit}
        processes.start(limited_crawl, job, out=folder / "outer.txt").wait()
    log = (folder / "log.txt").read_text(errors="replace")
    out = {line.split()[1] for line in noted(folder / OUT)}
    went_in = [line.split()[1] for line in noted(folder / IN)]
    stay = [url for url in went_in if url not in out]
    assert len(went_in) == PAGES, log
    assert all(url in log for url in stay), log
    assert "Unhandled" not in log, log
    assert 0 < log.count("Error while") < 10, log
    assert "Traceback" in log, log
    spools = [path for name in ("job/stemmer", "state") for path in (folder / name).glob("*.sqlite")]
    kept = {item.url for path in spools for item in left_items(path) or []}
    assert set(stay) <= kept | set(_unreleased(folder)), log
    return f"{len(out)} items came out, {len(stay)} stayed in {', '.join(path.name for path in spools) or 'no file'}"


def _unreleased(folder: Path) -> Iterator[str]:
    import json

    for path in folder.rglob("*-unreleased-*.jsonl"):
        for line in path.read_text().splitlines():
            yield json.loads(line)["url"]


def read_only(folder: Path) -> str:
    """Check that a crawl with a folder that can't be made stops before its beginning, with an error that names the
    folder."""
    (folder / "file").write_text("")
    with Website() as website:
        website.add_articles(PAGES)
        urls = [website.url(f"/article/{page}.html") for page in range(PAGES)]
        settings = {**SETTINGS, "STEMMER_PATTERNS": str(folder / "file" / "patterns.jsonl")}
        job = {"folder": str(folder), "urls": urls, "settings": settings}
        processes.start(crawl, job, out=folder / "log.txt").wait()
    log = (folder / "log.txt").read_text()
    assert not noted(folder / IN), log
    assert "The pattern file can't be written" in log, log
    return "the crawl does not begin, and an error names the file"


def main() -> int:
    """Print the results."""
    for name, limit in (("300 kB", 300_000), ("1 MB", 1_000_000)):
        for lasting in (True, False):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                state = {"JOBDIR": str(folder / "job")} if lasting else {}
                where = "JOBDIR" if lasting else "no JOBDIR"
                print(f"files of {name} at most, {where}: {full_disk(folder, state, limit)}", flush=True)
    with small_disk() as disk, tempfile.TemporaryDirectory() as place:
        if disk is None:
            print("no small disk can be mounted here")
        else:
            # Only our part of the job's directory: Scrapy loses requests on a full disk.
            (Path(place) / "job").mkdir()
            (Path(place) / "job" / "stemmer").symlink_to(disk)
            print(f"a disk of 1 MB: {full_disk(Path(place), {'JOBDIR': str(Path(place) / 'job')}, 10**9)}")
    with tempfile.TemporaryDirectory() as place:
        print(f"a folder that can't be written: {read_only(Path(place))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
