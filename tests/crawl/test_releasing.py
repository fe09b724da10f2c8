"""Items that have waited go on: with which response, in which order, and whatever middlewares do to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.request import fingerprint

from scrapy_stemmer.crawl import compat, releasing
from scrapy_stemmer.crawl.held_items import ReleasedItem
from scrapy_stemmer.crawl.items import ItemPage
from scrapy_stemmer.crawl.releasing import MAX_META, Releaser, as_text, response_of
from scrapy_stemmer.crawl.stats import Stat
from tests.crawl.test_held_items import ODD, hold, open_held, site, waiting_in

URL = "http://a.example/page?q=1"


def again(response: Response) -> HtmlResponse:
    """The response of an item that has waited, of a page that came in this one."""
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
    def test_are_those_of_the_page_with_its_request(
        self, method: str, body: bytes, meta: dict[str, Any], status: int
    ) -> None:
        request = Request("http://a.example/asked#part", method=method, body=body, meta=meta)
        response = page(request, status=status)
        found = again(response)
        assert (found.url, found.text, found.status) == (response.url, response.text, status)
        assert found.request is not None
        assert (found.request.url, found.request.method, found.request.meta) == (request.url, method, meta)
        assert fingerprint(found.request) == fingerprint(request)

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
        request = json.dumps(
            [200, "GET", URL, "", {"gone": '{"$":"item","class":"gone:Gone","state":{}}', "depth": "2"}]
        )
        assert response_of(ReleasedItem(1, {}, ItemPage(URL, "<p>1"), request)).meta == {"depth": 2}

    def test_of_pages_without_a_request_have_one_of_the_page(self) -> None:
        """Of items from ``start()``, or in a spool that an earlier version has written."""
        found = again(HtmlResponse(URL, body=b"<p>1", encoding="utf-8"))
        assert found.request is not None
        assert (found.request.url, found.request.method, found.meta, found.status) == (URL, "GET", {}, 200)

    def test_have_pages_that_utf_8_cant_hold(self) -> None:
        found = response_of(ReleasedItem(1, {}, ItemPage(URL, "<p>a\ud800b"), ""))
        assert found.css("p::text").get() == "a?b"


class TestReleaser:
    @pytest.fixture
    def release(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
        """Lets items go on an event loop of its own, with a stand-in for Scrapy's scraper."""

        def release(held: Any, scrape: Any, pipeline: Any = None) -> Releaser:
            async def process(crawler: Any, item: Any, response: Response) -> None:
                pipeline(item, response)

            async def main() -> Releaser:
                loop = asyncio.get_running_loop()
                monkeypatch.setattr(releasing, "run_in_background", asyncio.ensure_future)
                monkeypatch.setattr(compat, "maybe_deferred_to_future", lambda d: d.asFuture(loop))
                found = Releaser(None, held, Pages(), held._stats, 4)  # type: ignore[arg-type]
                monkeypatch.setattr(releasing, "scrape", lambda _, response, request: scrape(found, response))
                monkeypatch.setattr(releasing, "process_item", process)
                found.start()
                await found.all_through()
                return found

            return asyncio.run(main())

        return release

    def test_sends_each_item_with_its_own_response_in_order(self, tmp_path: Path, release: Any) -> None:
        held, seen = open_held(tmp_path), []
        hold(held, *range(30))
        held.allow(site(held))

        async def scrape(releaser: Releaser, response: Response) -> None:
            assert releaser.owns(response)
            seen.extend(item["value"] for item in releaser.take(response))

        found = release(held, scrape)
        assert seen == list(range(30))
        assert found.is_done
        assert waiting_in(tmp_path) == []
        assert held._stats.get_value(Stat.HELD_RELEASED) == 30

    def test_only_some_are_on_their_way_at_a_time_and_other_things_have_their_turn(
        self, tmp_path: Path, release: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each has its page stripped, and slow pipelines must not have all of them in memory."""
        held, under_way, most, turns = open_held(tmp_path), set(), [], []
        hold(held, *range(20))
        held.allow(site(held))
        yielded = releasing.yield_to_event_loop

        async def counted() -> None:
            turns.append(held.may_go)
            await yielded()

        async def scrape(releaser: Releaser, response: Response) -> None:
            under_way.add(response)
            most.append(len(under_way))
            await asyncio.sleep(0.005)
            list(releaser.take(response))
            under_way.discard(response)

        monkeypatch.setattr(releasing, "yield_to_event_loop", counted)
        release(held, scrape)
        assert max(most) == 4
        assert turns == sorted(turns, reverse=True)
        assert len(turns) == 20

    def test_an_item_that_no_middleware_lets_through_goes_to_the_pipelines(self, tmp_path: Path, release: Any) -> None:
        held, seen = open_held(tmp_path), []
        hold(held, 1)
        held.allow(site(held))

        async def scrape(releaser: Releaser, response: Response) -> None:
            pass

        release(held, scrape, lambda item, response: seen.append((item, response.url)))
        assert seen == [({"value": 1}, "http://a.example/")]
        assert waiting_in(tmp_path) == []

    def test_an_item_that_cant_go_stays_where_it_is_and_holds_up_no_other(
        self, tmp_path: Path, release: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        held, seen = open_held(tmp_path), []
        hold(held, 1, 2, 3, ODD)
        held.allow(site(held))

        async def scrape(releaser: Releaser, response: Response) -> None:
            for item in releaser.take(response):
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


class Pages:
    """Takes the pages of items, for the pipeline."""

    def put(self, item: Any, page: ItemPage, output_of: Any) -> None:
        assert output_of.url == page.url
