"""Held items: in which order they come out, with which page, and what becomes of those that can't."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from scrapy_stemmer.crawl import held_items
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.held_items import HeldItems, log_left
from scrapy_stemmer.crawl.items import ItemPage
from scrapy_stemmer.crawl.sites import Site, Sites
from scrapy_stemmer.crawl.spool import CrawlFiles, Spool, left_items
from scrapy_stemmer.crawl.stats import Stat
from tests.crawl.conftest import idle_crawler

ODD = 1j
"""A value that has no place in JSON: items with it wait in memory."""


def open_held(folder: Path) -> HeldItems:
    """What a crawl with this folder for its JOBDIR has of items, now or once more."""
    crawler = idle_crawler(STEMMER_STATE_DIR=str(folder), JOBDIR=str(folder))
    files = CrawlFiles(crawler, StemmerConfig.from_settings(crawler.settings, "x"))
    sites = Sites(full=5, least=3, is_known=lambda _: False)
    return HeldItems(Spool(files.spool()), sites, crawler.stats, files)


def as_killed(folder: Path) -> Path:
    """What the folder would be if the crawl were killed now."""
    return Path(copytree(folder, folder.with_name(f"{folder.name}-left"), ignore=ignore_patterns("*-shm")))


def waiting_in(folder: Path) -> list[int]:
    """The numbers of the items that the next crawl would have if this one were killed now."""
    (path,) = as_killed(folder).rglob("*.sqlite")
    return [item.id for item in left_items(path) or () if item.item is not None]


def site(held: HeldItems, name: str = "a.example") -> Site:
    return held._sites[name]


@pytest.fixture
def held(tmp_path: Path) -> HeldItems:
    return open_held(tmp_path)


def hold(held: HeldItems, *items: Any, name: str = "a.example") -> list[dict[str, Any]]:
    made = [{"value": item} for item in items]
    for item in made:
        held.hold(item, ItemPage(f"http://{name}/"))
    return made


def released(held: HeldItems) -> list[Any]:
    return [each.item["value"] for each in held.released()]


def test_items_come_out_in_the_order_in_which_they_came_once_their_site_is_learned(held: HeldItems) -> None:
    hold(held, 1, ODD, 3)
    hold(held, 4, name="b.example")
    assert released(held) == []
    assert held.allow(site(held)) == 3
    assert released(held) == [1, ODD, 3]
    assert [waiting.name for waiting in held._sites.waiting] == ["b.example"]
    assert (len(held), held.may_go) == (1, 0)


def test_at_a_shutdown_only_those_in_memory_come_out(held: HeldItems, tmp_path: Path) -> None:
    """Also those stay that were about to go."""
    hold(held, 1, ODD, 3)
    hold(held, 2j, name="b.example")
    hold(held, 5, 3j, name="c.example")
    held.allow(site(held, "c.example"))
    held.allow_in_memory()
    assert sorted(map(str, released(held))) == sorted(map(str, [ODD, 2j, 3j]))
    assert waiting_in(tmp_path) == [1, 3, 5]


@pytest.mark.parametrize(("through", "left"), [(2, [2, 3]), (3, [3])])
def test_a_resumed_crawl_has_those_that_were_not_through_the_pipelines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, through: int, left: list[int]
) -> None:
    """As soon as so many are through, or there is no other on its way."""
    monkeypatch.setattr(held_items, "RELEASED_AT_ONCE", 2 if through == 2 else 10)
    first = open_held(tmp_path)
    hold(first, 1, 2, ODD)
    hold(first, 3, name="b.example")
    first.allow(site(first))
    one, two, odd = first.released()
    for each in (one, odd, two)[:through]:
        first.done(each.number)
    second = open_held(as_killed(tmp_path))
    for name in ("a.example", "b.example"):
        second.allow(site(second, name))
    assert released(second) == left


def test_an_item_that_cant_be_read_back_is_written_as_it_is_and_holds_up_no_other(
    held: HeldItems, tmp_path: Path
) -> None:
    gone = '{"$":"item","class":"gone:Gone","state":{}}'
    hold(held, 1, 2)
    left = as_killed(tmp_path)
    (path,) = left.rglob("*.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE items SET item = ? WHERE id = 1", (gone,))
    held = open_held(left)
    held.allow(site(held))
    assert released(held) == [2]
    [written] = left.glob("*-unreleased-*.jsonl")
    assert written.read_text() == gone + "\n"


@pytest.mark.parametrize(
    ("is_paused", "lines", "kept"),
    [
        pytest.param(False, [{"value": 2}, {"value": "1j"}], None, id="finished"),
        pytest.param(True, [{"value": "1j"}], 1, id="paused"),
    ],
)
def test_what_still_waits_at_the_end_is_written_unless_it_can_be_resumed(
    held: HeldItems, tmp_path: Path, is_paused: bool, lines: list[Any], kept: int | None
) -> None:
    hold(held, 1, name="b.example")
    hold(held, 2, ODD)
    held.allow(site(held, "b.example"))
    for each in held.released():
        held.done(each.number)
    assert held.write_remaining(is_paused=is_paused)
    [written] = tmp_path.glob("*-unreleased-*.jsonl")
    assert [json.loads(line) for line in written.read_text().splitlines()] == lines
    assert held._stats.get_value(Stat.HELD_KEPT) == kept


@pytest.mark.parametrize("items", [0, 2])
def test_a_spool_of_a_killed_crawl_is_named_if_items_wait_in_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, items: int
) -> None:
    killed = open_held(tmp_path)
    hold(killed, *range(items))
    log_left(sorted(as_killed(tmp_path).rglob("*.sqlite")), idle_crawler().stats)
    assert ("has left 2 items waiting" in caplog.text) == bool(items)
    assert bool(caplog.text) == bool(items)


def test_items_that_are_through_are_removed_some_at_a_time_or_with_the_last_on_its_way(
    held: HeldItems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time a part of the file is written."""
    hold(held, *range(25))
    removed: list[int] = []
    release = held._spool.release
    monkeypatch.setattr(held._spool, "release", lambda items: removed.append(len(items)) or release(items))
    held.allow(site(held))
    for number in [each.number for each in held.released()]:
        held.done(number)
    assert removed == [10, 10, 5]
    assert held._spool.held_ids() == []
