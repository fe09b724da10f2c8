"""Killed crawls and full disks: no item is lost without a word, and what stays behind can be had."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from scrapy_stemmer.crawl.spool import Spool, Use, left_items, packed
from tests.commands.subcommand import run
from tests.crawl.conftest import Crawler, Disk
from tests.crawl.session.test_session import make, passes, response, session_of
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Article, Website

pytestmark = pytest.mark.slow

ITEMS = 4


def left_in(path: Path) -> Path:
    """Write the spool of a crawl that was killed while items waited."""
    spool = Spool(path)
    for number in range(ITEMS):
        url = f"http://a.example/{number}"
        page = spool.add_page("a.example", url, packed(Article(number).html()), Use.SAMPLE, look="look")
        spool.add_item("a.example", url, page, json.dumps({"url": url}))
    spool.close(remove=False)
    return path


@pytest.mark.parametrize("learn", [True, False])
def test_items_of_a_killed_crawl_can_be_had(tmp_path: Path, caplog: pytest.LogCaptureFixture, learn: bool) -> None:
    left, feed = left_in(tmp_path / "spider-0123456789abcdef.sqlite"), tmp_path / "recovered.jsonl"
    found = make(tmp_path, STEMMER_LEARN=learn)
    assert f"has left {ITEMS} items waiting in {left}" in caplog.text
    assert f"scrapy stemmer recover {left}" in caplog.text
    assert found._state.stats.get_value("stemmer/held/left") == ITEMS
    assert len(run("recover", left)) == ITEMS
    (told,) = run("recover", left, "-o", feed, "--html", "body", "--delete")
    assert told.startswith(f"{ITEMS} items of 1 spool now in {feed}")
    recovered = {item["url"]: item["body"] for item in map(json.loads, feed.read_text().splitlines())}
    assert recovered["http://a.example/2"] == Article(2).html()
    assert len(recovered) == ITEMS
    assert not left.exists()


def test_what_is_damaged_within_a_spool_costs_itself(crawl: Crawler, website: Website, tmp_path: Path) -> None:
    """The page of one item, and the JSON of another; the sample of the site is taken anew."""
    (tmp_path / "job" / "stemmer").mkdir(parents=True)
    path = left_in(tmp_path / "job" / "stemmer" / "plain.sqlite")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        first, second, *others = [row for (row,) in db.execute("SELECT id FROM items ORDER BY id")]
        assert others
        db.execute("UPDATE pages SET body = x'00' WHERE id = (SELECT page FROM items WHERE id = ?)", (first,))
        db.execute("UPDATE items SET item = 'no JSON' WHERE id = ?", (second,))
        db.execute("UPDATE pages SET look = 'no look' WHERE id = (SELECT page FROM items WHERE id = ?)", (others[0],))
    website.add_articles(1)
    done = crawl("plain", website.url("/article/"), ok=False, JOBDIR=str(tmp_path / "job"), **LEARN)
    assert done.log.count("Error while reading back an item of") == 2
    assert "Error while reading the sample of" in done.log
    assert done.stats["stemmer/held/unreleased"] == 2
    assert done.stats["stemmer/held/released"] >= len(others)
    (written,) = (crawl.folder / "state").glob("*-unreleased-*.jsonl")
    assert len(written.read_text().splitlines()) == 2
    assert done.stats["finish_reason"] == "finished"


@pytest.mark.parametrize("pragma", ["user_version", "journal_mode = WAL"], ids=["no bytes", "no tables"])
def test_a_spool_of_a_crawl_that_was_killed_as_it_began_has_no_items(tmp_path: Path, pragma: str) -> None:
    path = tmp_path / "x.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA {pragma}")
    assert left_items(path) == []


# Full disks

WRITING = {"INSERT", "UPDATE", "DELETE", "COMMIT"}


@pytest.fixture
def full(tmp_path: Path, disk: Disk) -> StemmerSpiderMiddleware:
    """A crawl with items that wait, when the disk becomes full."""
    found = make(tmp_path, STEMMER_SAMPLE_SIZE=100)
    for number in range(3):
        found.process_spider_input(response(number))
        assert not passes(found, {"n": number}, response(number))
    disk.refused = WRITING
    return found


def test_items_pass_on_a_full_disk(full: StemmerSpiderMiddleware, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        for number in range(4, 14):
            full.process_spider_input(response(number))
            assert passes(full, {"n": number}, response(number))
        full._state.stats.inc_value("stemmer/items/stripped")
        full._state.summarize()
    assert caplog.text.count("Error while") == caplog.text.count("Error while collecting http://example.com/4") == 1
    assert "errors: 20 OperationalError" in caplog.text


@pytest.mark.parametrize("lasting", [True, False])
def test_at_the_end_on_a_full_disk_each_item_is_named_with_where_it_is(
    full: StemmerSpiderMiddleware,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    lasting: bool,
) -> None:
    session = session_of(full)
    session._is_lasting = lasting
    (path,) = tmp_path.glob("*.sqlite")

    def refuse(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(session.held, "write_unreleased", refuse)
    asyncio.run(full._close(None, "finished"))  # type: ignore[arg-type]
    for number in range(3):
        assert f"An item of http://example.com/{number} could not be written; it stays in {path}" in caplog.text
    assert f"scrapy stemmer recover {path}" in caplog.text
    items = left_items(path)
    assert items is not None
    assert len(items) == 3


def test_an_item_in_memory_that_cant_be_written_is_in_the_log(
    full: StemmerSpiderMiddleware, disk: Disk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, disk.refused = session_of(full), ()
    assert not passes(full, {"odd": 1j}, response(1))
    monkeypatch.setattr(session.held, "write_unreleased", lambda _: 1 / 0)
    asyncio.run(full._close(None, "finished"))  # type: ignore[arg-type]
    assert "This item of http://example.com/1 waited in memory and could not be written: {'odd': 1j}" in caplog.text


def test_a_pause_keeps_items(full: StemmerSpiderMiddleware, disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    session, disk.refused = session_of(full), ()
    session._is_lasting = True
    assert not passes(full, {"odd": 1j}, response(1))
    with caplog.at_level("INFO"):
        asyncio.run(full._close(None, "shutdown"))  # type: ignore[arg-type]
    assert session._stats.get_value("stemmer/held/kept") == 3
    assert session._stats.get_value("stemmer/held/unreleased") == 1
    assert "Left waiting for the crawl to be resumed: 3 items" in caplog.text


def test_waiting_items_are_written_when_released_items_cant_be_removed(
    full: StemmerSpiderMiddleware, tmp_path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    session, disk.refused = session_of(full), ()
    assert not passes(full, {"odd": 1j}, response(1))
    session.held.release(session._sites["example.com"])
    assert next(session.held.released()).item == {"n": 0}
    disk.refused = WRITING
    asyncio.run(full._close(None, "finished"))  # type: ignore[arg-type]
    assert "removing items that have come out" in caplog.text
    (written,) = tmp_path.glob("*unreleased*")
    assert written.read_text().splitlines() == ['{"n": 1}', '{"n": 2}', '{"odd": "1j"}']
