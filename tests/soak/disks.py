"""Crawls on a full disk: a limit on the size of files, beyond which writing fails."""

from __future__ import annotations

import json
import os
import resource
import sys
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


def full_disk(folder: Path, state: dict[str, Any], limit: int) -> tuple[int, int]:
    """Crawl until a file may not grow; return the numbers of items that came out and that stayed in files.

    :param state: settings that name folders.
    :raises AssertionError: unless each item has come out, or stayed in a file that the log names.
    """
    with Website() as website:
        website.add_articles(PAGES, padding=Random(0).randbytes(25_000).hex())  # incompressible
        urls = [website.url(f"/article/{page}.html") for page in range(PAGES)]
        job = {"folder": str(folder), "urls": urls, "settings": {**SETTINGS, **state}, "limit": limit}
        processes.start(limited_crawl, job, out=folder / "outer.txt").wait()
    log = (folder / "log.txt").read_text(errors="replace")
    out = {line.split()[1] for line in noted(folder / OUT)}
    went_in = [line.split()[1] for line in noted(folder / IN)]
    stay = {url for url in went_in if url not in out}
    kept = {item.url for path in folder.rglob("*.sqlite") for item in left_items(path) or []}
    lines = (line for path in folder.rglob("*-unreleased-*.jsonl") for line in path.read_text().splitlines())
    assert len(went_in) == PAGES, log
    assert stay <= kept | {json.loads(line)["url"] for line in lines}, log
    assert all(url in log for url in stay), log
    assert "Unhandled" not in log, log
    assert 0 < log.count("Error while") < 10, log
    return len(out), len(stay)
