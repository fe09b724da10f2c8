"""Held items: their order, page and response, and items that cannot come out."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.request import fingerprint

from scrapy_stemmer.crawl.files import CrawlFiles
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.session import held as held_items
from scrapy_stemmer.crawl.session.held import MAX_META, HeldItems, ReleasedItem, as_text, response_of
from scrapy_stemmer.crawl.sites.table import CrawlSite, Sites
from scrapy_stemmer.crawl.spool import Spool, left_items
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.settings import StemmerConfig
from tests.crawl.conftest import idle_crawler, on_asyncio

ODD = 1j
"""A value without a JSON form; items with such a value wait in memory."""


class Pages:
    """Takes the pages of items, for the pipeline."""

    def put(self, item: Any, page: ItemPage, output_of: Any) -> None:
        assert output_of.url == page.url


def open_held(folder: Path) -> HeldItems:
    """Open the items of a crawl with this JOBDIR."""
    crawler = idle_crawler(STEMMER_STATE_DIR=str(folder), JOBDIR=str(folder))
    files = CrawlFiles(crawler, StemmerConfig.from_settings(crawler.settings, "x"))
    sites = Sites(full=5, least=3, is_known=lambda _: False)
    return HeldItems(crawler, Spool(files.spool()), sites, crawler.stats, files, Pages())  # type: ignore[arg-type]


def as_killed(folder: Path) -> Path:
    """Copy the folder as a kill would leave it."""
    return Path(copytree(folder, folder.with_name(f"{folder.name}-left"), ignore=ignore_patterns("*-shm")))


def waiting_in(folder: Path) -> list[int]:
    """Return the numbers of the items left to the next crawl by a kill."""
    (path,) = as_killed(folder).rglob("*.sqlite")
    return [item.id for item in left_items(path) or () if item.item is not None]


def site(held: HeldItems, name: str = "a.example") -> CrawlSite:
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


def test_a_shutdown_frees_items_in_memory(held: HeldItems, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Items about to go stay as well."""
    hold(held, 1, ODD, 3)
    hold(held, 2j, name="b.example")
    hold(held, 5, 3j, name="c.example")
    held.release(site(held, "c.example"))
    held.release_in_memory()
    assert sorted(map(str, released(held))) == sorted(map(str, [ODD, 2j, 3j]))
    assert waiting_in(tmp_path) == [1, 3, 5]
    assert caplog.text.count("Items of dict wait in memory") == 1


@pytest.mark.parametrize(("through", "left"), [(2, [2, 3]), (3, [3])])
def test_items_on_their_way_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, through: int, left: list[int]
) -> None:
    """Enough items must be through, or no further item on its way."""
    monkeypatch.setattr(held_items, "RELEASED_AT_ONCE", 2 if through == 2 else 10)
    first = open_held(tmp_path)
    hold(first, 1, 2, ODD)
    hold(first, 3, name="b.example")
    first.release(site(first))
    one, two, odd = first.released()
    for each in (one, odd, two)[:through]:
        first.done(each.number)
    second = open_held(as_killed(tmp_path))
    for name in ("a.example", "b.example"):
        second.release(site(second, name))
    assert released(second) == left


def test_an_unreadable_item_is_written_as_it_is(held: HeldItems, tmp_path: Path) -> None:
    gone = '{"$":"item","class":"gone:Gone","state":{}}'
    hold(held, 1, 2)
    left = as_killed(tmp_path)
    (path,) = left.rglob("*.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE items SET item = ? WHERE id = 1", (gone,))
    held = open_held(left)
    held.release(site(held))
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
    held.release(site(held, "b.example"))
    for each in held.released():
        held.done(each.number)
    assert held.write_remaining(is_paused=is_paused)
    [written] = tmp_path.glob("*-unreleased-*.jsonl")
    assert [json.loads(line) for line in written.read_text().splitlines()] == lines
    assert held._stats.get_value(Stat.HELD_KEPT) == kept


# How they go on

URL = "http://a.example/page?q=1"


def again(response: Response) -> HtmlResponse:
    """Return the response of a released item whose page came in the given response."""
    return response_of(ReleasedItem(1, {}, ItemPage(response.url, response.text), as_text(response)))


def page(request: Request, url: str = URL, status: int = 200) -> HtmlResponse:
    return HtmlResponse(url, status=status, body="<p>à ß", encoding="latin-1", request=request)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


class TestResponses:
    @given(
        st.sampled_from(["GET", "POST", "PUT"]),
        st.binary(),
        st.dictionaries(st.text(), VALUES, max_size=3),
        st.integers(200, 599),
    )
    @example("POST", b"x" * 100_000, {}, 200)
    def test_have_page_and_request(self, method: str, body: bytes, meta: dict[str, Any], status: int) -> None:
        request = Request("http://a.example/asked#part", method=method, body=body, meta=meta)
        response = page(request, status=status)
        found = again(response)
        assert (found.url, found.text, found.status) == (response.url, response.text, status)
        assert found.request is not None
        assert (found.request.url, found.request.method, found.request.meta) == (request.url, method, meta)
        assert fingerprint(found.request) == fingerprint(request)

    def test_have_its_headers_flags_and_arguments(self) -> None:
        asked = {"Referer": "http://a.example/", "X-Bytes": b"\xff\x00"}
        request = Request(URL, headers=asked, cb_kwargs={"number": 7, "odd": object()}, priority=-3)
        response = page(request).replace(
            headers={"Content-Type": "text/html; charset=latin-1", "Set-Cookie": ["a=1", "b=2"], "X-Long": "x" * 3000},
            flags=["cached"],
        )
        found = again(response)
        assert found.headers.to_unicode_dict() == {
            "Content-Type": "text/html; charset=utf-8",  # the charset of the text
            "Set-Cookie": "a=1,b=2",
        }
        assert found.headers.getlist("Set-Cookie") == [b"a=1", b"b=2"]
        assert (found.flags, found.text) == (["cached"], response.text)
        assert found.request is not None
        assert found.request.headers == request.headers
        assert (found.request.cb_kwargs, found.request.priority) == ({"number": 7}, -3)

    @pytest.mark.parametrize(
        "left_out",
        [
            pytest.param(object(), id="an object"),
            pytest.param(lambda: None, id="a function"),
            pytest.param(1j, id="a number that JSON lacks"),
            pytest.param("x" * (MAX_META + 1), id="a long text"),
            pytest.param({"deep": [object()]}, id="an object inside"),
        ],
    )
    def test_lack_the_meta_that_cant_be_written_or_is_long(self, left_out: Any) -> None:
        request = Request(URL, meta={"depth": 2, "odd": left_out, "key": ["a", (1, 2)], 5: "no text"})
        found = again(page(request))
        assert found.meta == {"depth": 2, "key": ["a", (1, 2)]}

    def test_lack_the_meta_that_cant_be_read_back(self) -> None:
        meta = {"gone": '{"$":"item","class":"gone:Gone","state":{}}', "depth": "2"}
        request = json.dumps([{"url": URL, "meta": meta}, {}])
        assert response_of(ReleasedItem(1, {}, ItemPage(URL, "<p>1"), request)).meta == {"depth": 2}

    def test_of_pages_without_a_request_have_one_of_the_page(self) -> None:
        """Items from ``start()``, and items in spools of earlier versions."""
        found = again(HtmlResponse(URL, body=b"<p>1", encoding="utf-8"))
        assert found.request is not None
        assert (found.request.url, found.request.method, found.meta, found.status) == (URL, "GET", {}, 200)

    def test_have_pages_that_utf_8_cant_hold(self) -> None:
        found = response_of(ReleasedItem(1, {}, ItemPage(URL, "<p>a\ud800b"), ""))
        assert found.css("p::text").get() == "a?b"


class TestSending:
    @pytest.fixture
    def release(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
        """Lets items go on an event loop of its own, with a stand-in for Scrapy's scraper."""

        def release(held: HeldItems, scrape: Any, pipeline: Any = None) -> HeldItems:
            async def process(crawler: Any, item: Any, response: Response) -> None:
                pipeline(item, response)

            async def main() -> HeldItems:
                on_asyncio(monkeypatch, held_items)
                monkeypatch.setattr(held_items, "scrape", lambda _, response, request: scrape(held, response))
                monkeypatch.setattr(held_items, "process_item", process)
                held._most = 4
                held.send()
                await held.all_through()
                return held

            return asyncio.run(main())

        return release

    def test_sends_each_item_with_its_own_response_in_order(self, tmp_path: Path, release: Any) -> None:
        held, seen = open_held(tmp_path), []
        hold(held, *range(30))
        held.release(site(held))

        async def scrape(held: HeldItems, response: Response) -> None:
            assert held.owns(response)
            seen.extend(item["value"] for item in held.take(response))

        found = release(held, scrape)
        assert seen == list(range(30))
        assert found.is_done
        assert waiting_in(tmp_path) == []
        assert held._stats.get_value(Stat.HELD_RELEASED) == 30

    def test_few_are_on_their_way_at_a_time(
        self, tmp_path: Path, release: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each item has its page stripped; slow pipelines must not hold all items in memory."""
        held, under_way, most, turns = open_held(tmp_path), set(), [], []
        hold(held, *range(20))
        held.release(site(held))
        yielded = held_items.yield_to_event_loop

        async def counted() -> None:
            turns.append(len(held._ready))
            await yielded()

        async def scrape(held: HeldItems, response: Response) -> None:
            under_way.add(response)
            most.append(len(under_way))
            await asyncio.sleep(0.005)
            list(held.take(response))
            under_way.discard(response)

        monkeypatch.setattr(held_items, "yield_to_event_loop", counted)
        release(held, scrape)
        assert max(most) == 4
        assert turns == sorted(turns, reverse=True)
        assert len(turns) == 20 // held_items.IN_A_TURN

    def test_a_stuck_item_holds_up_no_other(
        self, tmp_path: Path, release: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        held, seen = open_held(tmp_path), []
        hold(held, 1, 2, 3, ODD)
        held.release(site(held))

        async def scrape(held: HeldItems, response: Response) -> None:
            for item in held.take(response):
                if item["value"] in (2, ODD):
                    raise RuntimeError("oh")
                seen.append(item["value"])

        found = release(held, scrape)
        assert seen == [1, 3]
        assert found.is_done
        assert "letting an item of http://a.example/ go" in caplog.text
        assert waiting_in(tmp_path) == [2]
        assert held.write_remaining(is_paused=False)
        (written,) = tmp_path.glob("*-unreleased-*.jsonl")
        assert written.read_text() == '{"value": 2}\n{"value": "1j"}\n'
