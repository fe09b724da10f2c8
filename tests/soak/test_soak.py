"""Crawls that are killed, share a store or a pattern file, or fill a disk: what they lose.

At the scale of ``SOAK=1``, as ``make soak`` has it, there are 200 kills of each kind, 30 of each fleet, and two writers
for ten minutes, which takes hours.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from scrapy_stemmer import StemmerError
from tests import processes
from tests.crawl.website import Website
from tests.processes import until
from tests.soak import crawling, disks, fleet, kills, writers
from tests.stores import servers

SCALE = float(os.environ.get("SOAK", "0"))


@pytest.mark.parametrize(
    "way", ["replacing pipelines", "scrapy-redis", "without JOBDIR", *(["plain"] if SCALE else [])]
)
def test_crawls_that_are_killed_and_resumed_lose_no_item(tmp_path: Path, way: str) -> None:
    """Without JOBDIR the remaining spools keep the items."""
    with ExitStack() as stack:
        port = 0
        if way == "scrapy-redis":
            pytest.importorskip("scrapy_redis", reason="scrapy-redis is not installed")
            port = stack.enter_context(servers.redis_server()).port
        settings = kills.ways(port)[way]
        for times, balance in kills.crawls(max(2, round(200 * SCALE)), tmp_path, settings=settings):
            print(f"{times} kills, {way}: {balance}; {len(balance.left)} can be had from spools")
            assert times >= 1
            assert balance.went_in >= kills.PAGES
            assert not balance.lost
            assert len(balance.repeated) <= kills.bound(times)


def has_waiting(job: Path) -> bool:
    """Return True unless a kill at this moment would leave no item in the spool."""
    with tempfile.TemporaryDirectory() as folder, suppress(StemmerError):
        left = shutil.copytree(job, Path(folder, "left"), ignore=shutil.ignore_patterns("*-shm"))
        return bool(kills.left_in(left))
    return True


def test_items_that_have_come_out_do_not_come_again_after_a_kill(tmp_path: Path) -> None:
    """Pipelines may replace items; waiting items may come out long before the kill."""
    with Website("0.0.0.0") as website:
        website.add_articles(12)
        website.add("/slow", "<p>late", seconds=20)
        urls = [website.url(f"/article/{number}.html", "127.0.0.2") for number in range(12)]
        given = {"JOBDIR": str(tmp_path / "job"), "STEMMER_SAMPLE_SIZE": 6, **kills.REPLACING}
        job = {"folder": str(tmp_path), "urls": [*urls, website.url("/slow")], "settings": given}
        process = processes.start(crawling.crawl, job, out=tmp_path / "log.txt")
        until(lambda: len(crawling.noted(tmp_path / crawling.OUT)) == 12 and not has_waiting(tmp_path / "job"))
        process.kill()
        process.wait()
        website.answers["/slow"].seconds = 0
        assert processes.start(crawling.crawl, job, out=tmp_path / "log2.txt").wait() == 0
    balance = crawling.Balance(tmp_path)
    assert (balance.went_in, balance.came_out, balance.lost, balance.repeated) == (13, 13, [], [])


def test_two_crawls_with_one_pattern_file_lose_no_site(tmp_path: Path) -> None:
    crawls, learned, found, balances = writers.run(600 * SCALE, tmp_path)
    assert crawls >= 2
    assert learned == found
    assert not any(balance.lost or balance.repeated for balance in balances)


@pytest.mark.parametrize("store", ["Redis", *(["S3"] if SCALE else [])])
def test_killed_crawls_with_one_store_lose_no_item_that_waited(tmp_path: Path, store: str) -> None:
    with ExitStack() as stack:
        uri = "s3://bucket/soak"
        if store == "Redis":
            uri = f"redis://127.0.0.1:{stack.enter_context(servers.redis_server()).port}/0/killed"
        else:
            stack.enter_context(servers.s3_server())
        found = fleet.killed(uri, 12 if SCALE else 4, max(1, round(30 * SCALE)), tmp_path)
    print(f"{found.kills} kills of three crawls with one store, {store}; {found.waited} items waited")
    assert found.waited > 0
    assert (found.lost, found.missing) == (0, [])


@pytest.mark.parametrize("lasting", [True, False])
def test_on_a_full_disk_each_item_comes_out_or_is_named(tmp_path: Path, lasting: bool) -> None:
    came_out, stayed = disks.full_disk(tmp_path, {"JOBDIR": str(tmp_path / "job")} if lasting else {}, 300_000)
    assert came_out + stayed >= disks.PAGES
