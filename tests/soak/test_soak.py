"""The short form of ``make soak``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak import disks, domains, fleet, kills, writers
from tests.stores import servers


def test_crawls_that_are_killed_and_resumed_lose_no_item(tmp_path: Path) -> None:
    for times, balance in kills.crawls(3, tmp_path):
        assert times >= 1
        assert balance.went_in >= kills.PAGES
        assert not balance.lost


def test_two_crawls_with_one_pattern_file_lose_no_site(tmp_path: Path) -> None:
    crawls, learned, found, balances = writers.run(0, tmp_path)
    assert crawls == 2
    assert learned == found
    assert not any(balance.lost or balance.repeated for balance in balances)


def test_a_fleet_with_one_store_learns_each_site_once_and_loses_no_write(tmp_path: Path) -> None:
    with servers.redis_server() as server:
        found = fleet.run(f"redis://127.0.0.1:{server.port}/0/fleet", 5, tmp_path)
        assert fleet.lost_marks(f"redis://127.0.0.1:{server.port}/0/marks", 400, tmp_path) == 0
    assert set(found.learned.values()) == {1}
    assert found.unmatched == 0
    assert not any(balance.lost or balance.repeated for balance in found.balances)


@pytest.mark.parametrize("lasting", [True, False])
def test_on_a_full_disk_each_item_comes_out_or_is_named(tmp_path: Path, lasting: bool) -> None:
    assert disks.full_disk(tmp_path, {"JOBDIR": str(tmp_path / "job")} if lasting else {}, 300_000)


def test_a_pattern_file_that_cant_be_written_costs_no_item(tmp_path: Path) -> None:
    assert disks.read_only(tmp_path)


def test_each_of_many_domains_is_learned(tmp_path: Path) -> None:
    assert "60 domains learned, 180 items out" in domains.run(60, tmp_path)
