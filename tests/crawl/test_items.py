"""Items of any kind, their pages and results; nothing is kept for longer than needed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import ref

import pytest
from lxml import etree
from scrapy import Field, Item
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.items import (
    ItemFields,
    OwnPage,
    PageRegistry,
    PageResults,
    ResponsePage,
    SpooledPage,
    as_dict,
    is_item,
    is_item_class,
)
from scrapy_stemmer.crawl.responses import anchors_of, root_of
from scrapy_stemmer.crawl.spool import compressed
from scrapy_stemmer.patternset import UNMATCHED, gc_paused
from tests.processes import printed


class Declared(Item):
    """An item of Scrapy's."""

    title = Field()


@dataclass
class Data:
    """An item that is a data class."""

    title: str = ""


class Other(dict[str, Any]):
    """A dictionary of a class of its own."""


@pytest.mark.parametrize("item", [{}, Other(), Declared(), Data()])
def test_items(item: Any) -> None:
    assert is_item(item)
    assert is_item_class(type(item))
    fields = ItemFields(item)
    fields.set("title", "A")
    assert (fields.get("title"), fields.get("other")) == ("A", None)
    assert as_dict(item) == {"title": "A"}
    assert fields.can_have("title")
    assert fields.can_have("other") is isinstance(item, dict)
    assert fields.class_name == type(item).__qualname__


@pytest.mark.parametrize(("value", "html"), [("<p>", "<p>"), (b"<p>", b"<p>"), ("", None), (b"", None), (1, None)])
def test_html_that_an_item_brings_along_is_text_or_bytes(value: Any, html: str | bytes | None) -> None:
    assert ItemFields({"body": value}).html("body") == html
    assert ItemFields({"body": value}).html(None) is None


def test_an_address_that_an_item_brings_along_is_text() -> None:
    fields = ItemFields({"url": "http://a.com/", "other": b"http://a.com/", "empty": ""})
    assert [fields.url(name) for name in ("url", "other", "empty", "none")] == ["http://a.com/", None, None, None]


@pytest.mark.parametrize("value", [None, "text", 1, [], object()])
def test_what_is_none(value: object) -> None:
    assert not is_item(value)


def test_dictionaries_do_without_itemadapter() -> None:
    """It imports all kinds of items that are installed, such as pydantic's."""
    program = (
        "import sys\n"
        "from scrapy_stemmer.crawl import addon, items, learning_session, pipeline, spidermiddleware\n"
        "fields = items.ItemFields({'a': 1})\n"
        "assert items.is_item({}) and fields.get('a') == 1 and fields.can_have('b')\n"
        "print('itemadapter' in sys.modules)\n"
    )
    assert printed(program).split() == ["False"]


# The pages of items and their results


CONFIG = StemmerConfig.from_settings(Settings(), "x")
URL = "http://example.com/a/page"


def html(body: str | bytes = "<p>text", url: str = URL, **more: Any) -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding=None if isinstance(body, bytes) else "utf-8", **more)


class TestRegistry:
    def test_an_item_is_found_once_for_each_time_it_was_put(self) -> None:
        registry, response, item = PageRegistry(), html(), {"same": 1}
        first, second = OwnPage("http://a"), OwnPage("http://b")
        registry.put(item, first, response)
        registry.put(item, second, response)
        assert [registry.take(item), registry.take(item), registry.take(item)] == [first, second, None]
        assert len(registry) == 0

    def test_items_are_told_apart_by_identity(self) -> None:
        registry, response = PageRegistry(), html()
        registry.put({"equal": 1}, OwnPage("http://a"), response)
        assert registry.take({"equal": 1}) is None

    def test_what_nobody_asks_for_goes_with_its_response(self) -> None:
        registry, response, item = PageRegistry(), html(), {"dropped": 1}
        registry.put(item, ResponsePage(response, None), response)
        assert len(registry) == 1
        del response
        gc.collect()
        assert len(registry) == 0
        assert registry.take(item) is None

    def test_a_response_whose_items_are_known_is_not_kept_alive(self) -> None:
        registry, response = PageRegistry(), html()
        source = ResponsePage(response, None)
        registry.put({"a": 1}, source, response)
        root_of(response)
        del response
        gc.collect()
        with pytest.raises(RuntimeError, match="is gone"):
            source.page()


def test_a_page_of_the_spool() -> None:
    page = SpooledPage(URL, compressed("<p>x")).page()
    assert (page.url, page.html) == (URL, "<p>x")


def test_the_tree_of_scrapy_is_used_and_stays_as_it_is() -> None:
    response = html("<body><a href='/b'>b</a><!-- c --><area href=c alt=see></body>")
    before = etree.tostring(root_of(response))
    page = ResponsePage(response, None).page()
    assert page.html is root_of(response)
    assert list(anchors_of(response, root_of(response)))
    assert etree.tostring(root_of(response)) == before


def test_a_default_charset_decides_only_where_none_is_declared() -> None:
    body = "<p>\u65e5\u672c".encode("shift_jis")
    assert ResponsePage(html(body), None, "shift_jis").text == "<p>\u65e5\u672c"
    declared = html(body, headers={"Content-Type": "text/html; charset=latin-1"})
    assert ResponsePage(declared, None, "shift_jis").text == declared.text
    in_meta = html(b"<meta charset=latin-1>" + body)
    assert ResponsePage(in_meta, None, "shift_jis").text == in_meta.text


# Results


class Made:
    """Stands in for a stripped page; notes what is asked for."""

    matched, pattern, similarity, kind = True, "p", 0.9, None

    def __init__(self, asked: list[str], confidence: float | None = None) -> None:
        self._asked = asked
        self.confidence = confidence

    def __getattr__(self, name: str) -> str:
        assert not gc.isenabled()
        self._asked.append(name)
        return f"its {name}"


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.enable()
    yield
    assert gc.isenabled()


def test_only_what_is_wanted_is_made_and_only_once() -> None:
    asked: list[str] = []
    results = PageResults()
    strips = [Made(asked)]
    for _ in range(2):
        read = results.read(strips.pop, ("html",), 0.0)  # type: ignore[arg-type]
        assert (read["text"], read["html"], read["pattern"]) == ("its text", "its html", "p")
    assert asked == ["text", "html"]
    assert "title" not in read


def test_another_item_may_want_more() -> None:
    asked: list[str] = []
    results, strips = PageResults(), [Made(asked), Made(asked)]
    results.read(strips.pop, (), 0.0)  # type: ignore[arg-type]
    assert results.read(strips.pop, ("title",), 0.0)["title"] == "its title"  # type: ignore[arg-type]
    assert results.read(strips.pop, ("title",), 0.0)["text"] == "its text"  # type: ignore[arg-type]
    assert not strips


@pytest.mark.parametrize(("confidence", "least", "sure"), [(0.4, 0.5, False), (0.5, 0.5, True), (None, 0.5, True)])
def test_of_unsure_pages_only_the_text_is_made(confidence: float | None, least: float, sure: bool) -> None:
    asked: list[str] = []
    strips = [Made(asked, confidence)]
    results = PageResults()
    for _ in range(2):
        results.read(strips.pop, ("html",), least)  # type: ignore[arg-type]
    assert asked == (["text", "html"] if sure else ["text"])


def test_pages_that_do_not_match_have_flags_only() -> None:
    read = PageResults().read(lambda: UNMATCHED, ("html",), 0.0)
    assert dict(read) == {"matched": False, "pattern": None, "similarity": 0.0, "kind": None, "confidence": None}


def test_the_page_is_not_kept() -> None:
    page = Made([])
    known, strips = ref(page), [page]
    del page
    results = PageResults()
    results.read(strips.pop, ("html",), 0.0)  # type: ignore[arg-type]
    assert known() is None


def test_what_went_wrong_is_tried_again_and_collection_goes_on() -> None:
    def fail() -> Any:
        raise RuntimeError("oh")

    results = PageResults()
    with pytest.raises(RuntimeError, match="oh"):
        results.read(fail, (), 0.0)
    assert gc.isenabled()
    assert results.read(lambda: UNMATCHED, (), 0.0)["matched"] is False


def test_collection_stays_off_where_it_was_off() -> None:
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()
    gc.enable()
