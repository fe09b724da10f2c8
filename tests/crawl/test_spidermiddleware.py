"""Items passed or held by the spider middleware."""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from itemloaders import ItemLoader
from scrapy import Request
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response, TextResponse
from scrapy.settings import Settings

from scrapy_stemmer import StripOptions
from scrapy_stemmer.crawl.pages import ItemPage, ResponsePages
from scrapy_stemmer.crawl.session.held import response_of
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware, in_turn
from scrapy_stemmer.crawl.spool import compressed
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.settings import StemmerConfig
from tests.crawl.conftest import idle_crawler
from tests.crawl.session.test_session import make, response, session_of
from tests.crawl.website import Article


def loader(**item: str) -> ItemLoader:
    """Return a loader that has collected the URL of a page, or has begun with an item."""
    made = ItemLoader(item=item)
    made.add_value("url", None if item else "http://example.com/1")
    return made


def passed(middleware: StemmerSpiderMiddleware, page: Response, *outputs: Any) -> list[Any]:
    """Return the output of a spider after the middleware."""

    async def run() -> list[Any]:
        return [each async for each in middleware.process_spider_output_async(page, in_turn(outputs))]

    return asyncio.run(run())


def test_requests_pass_while_items_wait(tmp_path: Path) -> None:
    middleware, request = make(tmp_path, STEMMER_ITEMS_PER_PAGE=0), Request("http://example.com/next")
    assert passed(middleware, response(1), {"n": 1}, request, {"n": 2}) == [request]
    assert len(session_of(middleware).held) == 2


@pytest.mark.parametrize("is_known", [False, True])
def test_items_pass_with_their_page_noted_when_none_waits_or_the_site_is_known(tmp_path: Path, is_known: bool) -> None:
    middleware, page, item = make(tmp_path, STEMMER_HOLD=is_known), response(1), {"n": 1}
    if is_known:
        middleware._state.sites.know("example.com")
    assert passed(middleware, page, item) == [item]
    noted = middleware._state.item_pages.take(item)
    assert noted is not None
    assert noted.url == page.url


class TestItemsOfOtherPages:
    """Items filled over several responses; the item's URL names its page."""

    ASKED = "http://example.com/api"

    def api(self) -> TextResponse:
        return TextResponse(self.ASKED, body=b"{}", request=Request(self.ASKED))

    def noted(self, middleware: StemmerSpiderMiddleware, item: dict[str, Any]) -> ItemPage:
        """The page that the pipeline is told of for an item of another response."""
        page = self.api()  # which is there until the item is through
        assert passed(middleware, page, item) == [item]
        noted = middleware._state.item_pages.take(item)
        assert noted is not None
        return noted

    def carry(self, middleware: StemmerSpiderMiddleware, **more: Any) -> None:
        """Return a page whose callback requests another page; the response is gone by then."""
        story = response(1)
        passed(middleware, story, Request(self.ASKED, **more))

    @pytest.mark.parametrize(
        "more",
        [
            {"cb_kwargs": {"item": {"url": "http://example.com/1"}}},
            {"meta": {"story": {"url": "http://example.com/1", "n": 1}}},
            {"cb_kwargs": {"url": "http://example.com/1", "n": 1}},
            {"meta": {"loader": loader()}},
            {"cb_kwargs": {"loader": loader(url="http://example.com/1")}},
        ],
    )
    def test_have_the_page_that_they_name_when_its_response_is_gone(self, tmp_path: Path, more: Any) -> None:
        middleware = make(tmp_path, STEMMER_HOLD=False)
        self.carry(middleware, **more)
        gc.collect()
        found = self.noted(middleware, {"url": "http://example.com/1"})
        assert (found.url, found.skip, found.text) == ("http://example.com/1", None, response(1).text)

    def test_have_that_of_their_response_where_none_is_at_hand(self, tmp_path: Path) -> None:
        middleware = make(tmp_path, STEMMER_HOLD=False)
        self.carry(middleware, meta={"depth": 1})
        gc.collect()
        assert self.noted(middleware, {"url": "http://example.com/1"}).skip == "not_html"
        assert self.noted(middleware, {"url": None}).skip == "not_html"

    def test_wait_with_it(self, tmp_path: Path) -> None:
        middleware = make(tmp_path)
        self.carry(middleware, meta={"item": {"url": "http://example.com/1"}})
        assert passed(middleware, self.api(), {"url": "http://example.com/1"}) == []
        held = session_of(middleware).held
        held.release(session_of(middleware)._sites["example.com"])
        (released,) = held.released()
        assert (released.page.url, released.page.text) == ("http://example.com/1", response(1).text)

    def test_are_not_counted_as_items_of_their_response(self, tmp_path: Path) -> None:
        middleware = make(tmp_path, STEMMER_HOLD=False)
        items = [{"url": f"http://example.com/{number}"} for number in (1, 2)]
        for number in (1, 2):
            passed(middleware, response(number), Request(self.ASKED, cb_kwargs={"item": items[number - 1]}))
        page = response(3)
        passed(middleware, page, *items)
        assert [noted and noted.url for noted in map(middleware._state.item_pages.take, items)] == [
            *("http://example.com/1", "http://example.com/2")
        ]

    def test_rows_of_a_list_that_are_carried_on_get_nothing_of_its_text(self, tmp_path: Path) -> None:
        middleware, page = make(tmp_path, STEMMER_HOLD=False), response(1)
        items = [{"url": page.url, "row": number} for number in range(3)]
        requests = [Request(f"{self.ASKED}/{number}", cb_kwargs={"item": item}) for number, item in enumerate(items)]
        passed(middleware, page, *requests)
        assert [self.noted(middleware, item).skip for item in items] == ["several_items"] * 3

    def test_one_that_several_requests_carry_on_has_it(self, tmp_path: Path) -> None:
        middleware, page = make(tmp_path, STEMMER_HOLD=False), response(1)
        item = {"url": page.url}
        requests = [Request(f"{self.ASKED}/{number}", cb_kwargs={"item": item}) for number in range(3)]
        passed(middleware, page, *requests)
        assert self.noted(middleware, item).skip is None

    def test_an_output_that_cant_be_looked_at_goes_on(self, tmp_path: Path) -> None:
        class Broken(ItemLoader):
            def get_collected_values(self, field_name: str) -> Any:
                raise RuntimeError("oh")

        middleware = make(tmp_path, STEMMER_HOLD=False)
        request = Request(self.ASKED, meta={"loader": Broken(item={})})
        assert passed(middleware, response(1), request) == [request]
        assert middleware._state.stats.get_value("stemmer/errors/RuntimeError") == 1

    def test_pages_beyond_a_bound_are_forgotten(self) -> None:
        kept = ResponsePages(
            StemmerConfig.from_settings(Settings(), "x"), most_kept=len(compressed(response(1).text)) * 2 + 50
        )
        for number in range(4):
            kept.carry(response(number), number)
            kept.carry(response(0), 0)
        gc.collect()
        assert [kept.named(f"http://example.com/{number}") is not None for number in range(4)] == [
            True,
            False,
            False,
            True,
        ]


class TestSeveralItems:
    """Several items of a page with a common text."""

    def noted(self, middleware: StemmerSpiderMiddleware, *items: Any, status: int = 200) -> list[str | None]:
        """The reasons for which items have no text, as the pipeline is told."""
        page = response(1).replace(status=status)
        assert len(passed(middleware, page, *items)) == len(items)
        found = map(middleware._state.item_pages.take, items)
        return [noted.skip for noted in found if noted is not None]

    def test_they_pass_at_once_without_text(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO")
        middleware = make(tmp_path)
        for _ in range(2):
            assert self.noted(middleware, {"n": 1}, {"n": 2}) == ["several_items"] * 2
        assert caplog.text.count("STEMMER_ITEMS_PER_PAGE = 0") == 1
        assert len(session_of(middleware).held) == 0

    def test_as_many_as_the_setting_says_have_text(self, tmp_path: Path) -> None:
        middleware = make(tmp_path, STEMMER_ITEMS_PER_PAGE=2, STEMMER_HOLD=False)
        assert self.noted(middleware, {"n": 1}, {"n": 2}) == [None, None]
        assert self.noted(middleware, {"n": 1}, {"n": 2}, {"n": 3}) == ["several_items"] * 3

    def test_items_that_bring_their_page_along_are_not_counted(self, tmp_path: Path) -> None:
        middleware = make(tmp_path, STEMMER_HTML_FIELD="html", STEMMER_HOLD=False)
        items = [{"html": "<p>One"}, {"n": 1}, {"html": "<p>Two"}]
        assert self.noted(middleware, items[1], items[0], items[2]) == [None] * 3
        assert self.noted(middleware, *items, {"n": 2}) == [None, "several_items", None, "several_items"]

    def test_nor_those_that_can_have_no_text_or_are_to_have_none(self, tmp_path: Path) -> None:
        @dataclass
        class Picture:
            src: str

        assert self.noted(make(tmp_path, STEMMER_HOLD=False), Picture("a.png"), {"n": 1}) == [None, None]
        dicts = make(tmp_path, STEMMER_HOLD=False, STEMMER_ITEM_TYPES="dict")
        assert self.noted(dicts, Picture("a.png"), {"n": 1}) == [None]

    def test_the_reason_of_the_page_itself_goes_before(self, tmp_path: Path) -> None:
        assert self.noted(make(tmp_path), {"n": 1}, {"n": 2}, status=404) == ["error"] * 2


def test_an_item_that_has_waited_is_added_to_the_output_of_its_own_response_once(tmp_path: Path) -> None:
    """Output of other middlewares passes: it cannot wait again."""
    middleware = make(tmp_path)
    session = session_of(middleware)
    session.held.hold({"n": 1}, ItemPage("http://example.com/1", "<p>1"))
    session.held.release(session._sites["example.com"])
    (released,) = session.held.released()
    own = response_of(released)
    session.held._sent[own.request] = released  # type: ignore[index]
    middleware.process_spider_input(own)
    assert passed(middleware, own, {"another": 1}) == [{"another": 1}, {"n": 1}]
    assert passed(middleware, own) == []
    assert session._spool.sampled() == {}, "a page is sampled when it comes, not when its items go"


def test_what_a_spider_does_to_the_tree_of_scrapy_makes_no_difference(tmp_path: Path) -> None:
    middleware, page, item = make(tmp_path, STEMMER_HOLD=False), response(1), {"n": 1}
    middleware.process_spider_input(page)
    page.css("h1, p").drop()
    assert passed(middleware, page, item) == [item]
    noted = middleware._state.item_pages.take(item)
    assert noted is not None
    assert Article(1).body[0] in noted.stripped((), StripOptions()).text


def test_the_crawl_stays_open_as_long_as_items_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    middleware = make(tmp_path)
    session, released = session_of(middleware), []
    monkeypatch.setattr(session, "release_all_soon", lambda: released.append(True))
    middleware._keep_open()
    assert released == []
    passed(middleware, response(1), {"n": 1})
    with pytest.raises(DontCloseSpider):
        middleware._keep_open()
    assert released == [True]


def test_a_callback_that_is_not_async_stays_lazy(tmp_path: Path) -> None:
    asked: list[int] = []

    def callback() -> Iterator[Request]:
        for number in range(5):
            asked.append(number)
            yield Request(f"http://example.com/{number}")

    output = make(tmp_path).process_spider_output(response(1), callback())
    next(output)
    assert asked == [0]


def test_an_item_is_on_disk_while_its_callback_goes_on(tmp_path: Path) -> None:
    """A crawl may be killed meanwhile."""
    middleware, held = make(tmp_path), list[int]()

    def callback() -> Iterator[Any]:
        yield {"n": 1}
        held.append(len(session_of(middleware)._spool.held_ids()))

    assert list(middleware.process_spider_output(response(1), callback())) == []
    assert held == [1]


def test_what_keeps_a_crawl_from_starting_is_told_once(tmp_path: Path) -> None:
    """The message names the cause, so no further traceback is logged."""
    file = tmp_path / "file"
    file.touch()
    (torn := tmp_path / "torn.jsonl").write_text('{"format": "torn')
    names = {"STEMMER_PATTERNS": f"{file}/p.jsonl", "STEMMER_STATE_DIR": f"{file}/state"}
    names |= {"STEMMER_KEEP_PAGES": f"{file}/pages.jsonl", "STEMMER_FIELDS": "stok"}
    for name, value in [*names.items(), ("STEMMER_PATTERNS", str(torn))]:
        crawler = idle_crawler(**{"STEMMER_PATTERNS": str(tmp_path / "p.jsonl"), "STEMMER_LEARN": True, name: value})
        crawler.crawling = True
        with pytest.raises(StemmerError, match=re.escape(value.removesuffix("/state"))) as raised:
            StemmerSpiderMiddleware.from_crawler(crawler)
        assert raised.value.__cause__ is None
        assert raised.value.__suppress_context__
    assert torn.read_text() == '{"format": "torn'
