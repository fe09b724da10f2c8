"""The spool: pages, links and items, kept and forgotten."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import StemmerError
from scrapy_stemmer.crawl import files as files_module
from scrapy_stemmer.crawl import spool as spool_module
from scrapy_stemmer.crawl.files import CrawlFiles
from scrapy_stemmer.crawl.spool import (
    HeldItem,
    Spool,
    Use,
    compressed,
    expanded,
    left_items,
    opened,
    packed,
    texts_of,
)
from scrapy_stemmer.exceptions import SettingError
from scrapy_stemmer.settings import StemmerConfig
from tests.crawl.conftest import Disk, idle_crawler

SITE = "example.com"


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    spool = Spool(tmp_path / "made" / "spool.sqlite")
    yield spool
    spool.close(remove=True)
    assert list((tmp_path / "made").iterdir()) == []


def add(spool: Spool, url: str, text: str, use: Use = Use.SAMPLE, site: str = SITE, **more: Any) -> int:
    return spool.add_page(site, url, packed(text), use, **more)


def sizes(spool: Spool) -> dict[str, int]:
    """The number of sampled pages of each site."""
    return {site: len(looks) for site, looks in spool.sampled().items()}


def first_held(spool: Spool, site: str = SITE) -> HeldItem | None:
    """The item of a site that waits longest."""
    return next((spool.held(item) for of_site, item in spool.held_ids() if of_site == site), None)


def page_count(spool: Spool) -> int:
    return sum(map(spool.has, range(1, 100)))


def as_killed(spool: Spool, place: Path) -> Path:
    """Copy the files as a kill would leave them."""
    place.mkdir()
    for path in spool.path.parent.glob(f"{spool.path.name}*"):
        (place / path.name).write_bytes(path.read_bytes())
    return place / spool.path.name


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_nobody_else_can_read_it(spool: Spool) -> None:
    """Bodies and meta of requests may hold passwords; a file of before is no exception."""
    add(spool, "http://a.example/", "text")
    files = list(spool.path.parent.iterdir())
    assert len(files) > 1
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert spool.path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_one_of_before_that_others_could_read_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "spool.sqlite"
    Spool(path).close(remove=False)
    path.chmod(0o644)
    Spool(path).close(remove=False)
    assert path.stat().st_mode & 0o777 == 0o600


def test_pages_of_the_same_content_or_url_count_once_a_site(spool: Spool) -> None:
    assert add(spool, "/1", "one")
    assert not add(spool, "/1", "one")
    assert not add(spool, "/2", "one")
    assert not add(spool, "/1", "another time")
    assert add(spool, "/1", "one", site="other.com")
    assert sizes(spool) == {SITE: 1, "other.com": 1}
    spool.remove_sample(SITE)
    assert add(spool, "/1", "one")


def test_a_sample_comes_with_the_links_to_each_page_and_to_what_led_to_it(spool: Spool) -> None:
    spool.add_links(SITE, [("/1", "First"), ("/1", "First"), ("/2", "Second")])
    add(spool, "/1#full", "one", aliases=["/old"], links=[("/old", "Before"), ("/1", "First"), ("/2", "Next")])
    spool.add_links("other.com", [("/1", "Not this")])
    add(spool, "/2", "two")
    one, two = texts_of(spool.rows(SITE))
    assert (one.url, one.html) == ("/1#full", "one")
    assert one.anchors == ("First", "First", "First", "Before")
    assert two.anchors == ("Next", "Second")


def test_links_of_a_bounded_number_of_pages_are_kept(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool_module, "MAX_LINKING", 3)
    for number in range(5):
        spool.add_links(SITE, [("/1", f"{number}")])
    add(spool, "/1", "one", links=[("/1", "own")])
    [page] = texts_of(spool.rows(SITE))
    assert page.anchors == ("0", "1", "2", "own")


def test_items_come_back_in_order_with_their_page(spool: Spool) -> None:
    page = add(spool, "/1", "one", Use.ITEMS)
    for number in range(3):
        spool.add_item(SITE, "/1", page, f"item {number}")
    spool.add_item("other.com", "/x", None, "own html")
    assert [site for site, _ in spool.held_ids()] == [*[SITE] * 3, "other.com"]
    for number in range(3):
        held = first_held(spool)
        assert held is not None
        assert held.body is not None
        assert (held.item, expanded(held.body)) == (f"item {number}", "one")
        spool.remove_items([held.id])
    assert first_held(spool) is None
    held = first_held(spool, "other.com")
    assert held is not None
    assert held.body is None


def test_a_page_goes_with_its_last_item_unless_it_is_in_the_sample(spool: Spool) -> None:
    in_sample, other = add(spool, "/1", "one"), add(spool, "/2", "two", Use.ITEMS)
    items = [spool.add_item(SITE, "/", page, "item") for page in (in_sample, other, other, other)]
    for gone, left in ((items[:1], 2), (items[1:3], 2), (items[3:], 1)):
        spool.remove_items(gone)
        assert page_count(spool) == left
    assert (spool.has(in_sample), spool.has(other)) == (True, False)
    assert sizes(spool) == {SITE: 1}
    spool.remove_sample(SITE)
    assert page_count(spool) == 0


def test_a_resumed_crawl_has_all_but_items_in_memory(spool: Spool, tmp_path: Path) -> None:
    page = add(spool, "/1", "one", links=[("/1", "First")])
    spool.add_item(SITE, "/1", page, "item")
    spool.add_item(SITE, "/1", page, None)
    spool.add_item(SITE, "/2", add(spool, "/2", "two", Use.ITEMS), None)
    assert [spool.held(item).item for _, item in spool.held_ids()] == ["item", None, None]
    spool.add_learned("learned.com")
    add(spool, "/3", "not on disk yet")
    resumed = Spool(as_killed(spool, tmp_path / "left"))
    ((site, item),) = resumed.held_ids()
    assert site == SITE
    assert sizes(resumed) == {SITE: 1}
    assert [page.anchors for page in texts_of(resumed.rows(SITE))] == [("First",)]
    assert not add(resumed, "/1", "again")
    assert add(resumed, "/new", "new", site="new.com") > page
    assert resumed.learned() == ["learned.com"]
    resumed.remove_items([item])
    assert page_count(resumed) == 2
    resumed.remove_sample(SITE)
    resumed.remove_sample("new.com")
    assert page_count(resumed) == 0
    resumed.close(remove=True)


def test_a_response_without_items_is_on_disk_when_it_is_flushed(spool: Spool, tmp_path: Path) -> None:
    add(spool, "/1", "one")
    spool.flush()
    left = Spool(as_killed(spool, tmp_path / "left"))
    assert sizes(left) == {SITE: 1}
    left.close(remove=True)


@pytest.mark.slow
def test_a_crawl_that_has_it_keeps_others_out(spool: Spool) -> None:
    with pytest.raises(StemmerError, match="in use by another crawl"):
        Spool(spool.path)


def test_what_fails_to_be_written_is_gone_and_nothing_else(disk: Disk, spool: Spool) -> None:
    """A lost page is never taken for another one."""
    before = add(spool, "/1", "one")
    item = spool.add_item(SITE, "/1", before, "item")
    page, disk.refused = add(spool, "/2", "two"), {"COMMIT"}
    with pytest.raises(sqlite3.OperationalError, match="full"):
        spool.add_item(SITE, "/2", page, "lost")
    disk.refused = ()
    assert spool.held_ids() == [(SITE, item)]
    assert (spool.has(before), spool.has(page)) == (True, False)
    assert add(spool, "/3", "three") > page
    assert [page.url for page in texts_of(spool.rows(SITE))] == ["/1", "/3"]
    spool.remove_sample(SITE)
    spool.remove_items([item])
    assert page_count(spool) == 0


def test_where_no_file_can_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StemmerError, match="can't be used to go on with the crawl"):
        opened(tmp_path / "file" / "spool.sqlite")


def test_on_a_full_disk_nothing_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = left(tmp_path)

    def fail(_: Spool) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    monkeypatch.setattr(Spool, "_take_stock", fail)
    with pytest.raises(StemmerError, match="disk is full"):
        opened(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def left(folder: Path) -> Path:
    """A spool that a paused crawl has left: twenty items of two sites with their pages."""
    spool, random = Spool(folder / "spool.sqlite"), Random(0)
    for number in range(20):
        site = f"{number % 2}.example"
        page = add(spool, f"/{number}", random.randbytes(500).hex(), site=site, look="look")
        spool.add_item(site, f"/{number}", page, f"item {number}", "x" * 300)
    spool.close(remove=False)
    return spool.path


def run_in(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(script)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "its first bytes": lambda path: path.write_bytes(path.read_bytes()[:9]),
    "one byte less": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:6_000]),
    "no SQLite": lambda path: path.write_text("{}" * 999),
    "zeros within": lambda path: path.write_bytes(
        path.read_bytes()[:1_024] + bytes(9_000) + path.read_bytes()[10_024:]
    ),
    "free pages": lambda path: path.write_bytes(path.read_bytes()[:36] + b"\0\0\3\0" + path.read_bytes()[40:]),
    "another version": lambda path: run_in(path, "PRAGMA user_version = 99"),
    "of another program": lambda path: run_in(path, "DROP TABLE pages; DROP TABLE items; PRAGMA user_version = 0"),
    "another schema": lambda path: run_in(path, "ALTER TABLE items RENAME COLUMN url TO link"),
    "a table is gone": lambda path: run_in(path, "DROP TABLE learned"),
    "no text": lambda path: run_in(path, "UPDATE items SET site = CAST(x'ff' AS TEXT) WHERE id = 3"),
    "a folder": make_folder,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_spool_is_put_aside(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    path = left(tmp_path)
    DAMAGES[damage](path)
    spool = opened(path)
    (aside,) = tmp_path.glob("spool-damaged-*.sqlite")
    assert f"{path} can't be used to go on with the crawl" in caplog.text
    assert f"it is now {aside}. To have the items in it: scrapy stemmer recover {aside}" in caplog.text
    assert spool.held_ids() == []
    spool.add_item(SITE, "/", add(spool, "/", "new"), "item")
    spool.close(remove=True)
    assert not list(tmp_path.glob("spool.sqlite*"))
    assert aside.exists()


def test_what_was_logged_of_it_goes_with_it(tmp_path: Path) -> None:
    """A new spool must not get the log of an old one."""
    path = left(tmp_path)
    make_folder(path)
    path.with_name(f"{path.name}-wal").write_text("log")
    opened(path).close(remove=True)
    (log,) = tmp_path.glob("spool-damaged-*.sqlite-wal")
    assert log.read_text() == "log"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all files")
@pytest.mark.parametrize("mode", [0, 0o444])
def test_an_unreadable_spool_is_put_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int) -> None:
    path = left(tmp_path)
    path.chmod(mode)
    opened(path).close(remove=True)
    assert "can't be used to go on" in caplog.text


def test_what_stands_before_a_damage_can_be_had(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = left(tmp_path)
    content = path.read_bytes()
    start = content.index(b"item 12") // 512 * 512
    path.write_bytes(content[:start] + bytes(512) + content[start + 512 :])
    found = left_items(path)
    assert found is not None
    assert [each.item for each in found] == [f"item {number}" for number in range(len(found))]
    assert 5 < len(found) < 20
    assert "what follows is lost" in caplog.text


def test_spare_pages_make_room_the_last_first(spool: Spool) -> None:
    for number in range(4):
        page = add(spool, f"/{number}", str(number), (Use.SAMPLE, Use.SPARE)[number % 2], look=f"look {number}")
    spool.add_item(SITE, "/3", page, "item")
    assert spool.sampled() == {SITE: [(f"look {number}", number % 2 == 1) for number in range(4)]}
    assert [spool.drop_spare(SITE) for _ in range(3)] == [True, True, False]
    assert [page.url for page in texts_of(spool.rows(SITE))] == ["/0", "/2"]
    held = first_held(spool)
    assert held is not None
    assert held.body is not None
    assert expanded(held.body) == "3", "an item waits for it"
    spool.remove_items([held.id])


@given(st.text(st.characters()))
def test_pages_in_the_spool_come_back(text: str) -> None:
    assert expanded(compressed(text)) == text


def test_an_unmakable_folder_is_told_when_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl that only strips needs none."""

    def data_path(_: str) -> str:
        raise PermissionError(13, "Permission denied", str(tmp_path / "file" / ".scrapy"))

    monkeypatch.setattr(files_module, "data_path", data_path)
    (tmp_path / "file").write_text("in the way")
    crawler = idle_crawler()
    files = CrawlFiles(crawler, StemmerConfig.from_settings(crawler.settings, "x"))
    assert not list(files.left_spools())
    with pytest.raises(SettingError, match=r"STEMMER_STATE_DIR = .*name one that can be written into"):
        files.spool()
