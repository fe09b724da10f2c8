"""Items of any kind, their pages and results; nothing is kept for longer than needed."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Any

import pytest
from lxml import etree
from scrapy import Field, Item
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings

from scrapy_stemmer import Page, Reason, StripOptions, learn
from scrapy_stemmer.crawl.pages import MAX_BODY, ItemPage, PageRegistry, ResponsePage, ResponsePages, own_page
from scrapy_stemmer.crawl.pipeline import ItemFields
from scrapy_stemmer.page.document import anchors_of
from scrapy_stemmer.settings import StemmerConfig
from tests import processes
from tests.crawl.website import Article

URL = "http://example.com/a/page"


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
    fields = ItemFields(item)
    fields["title"] = "A"
    assert (fields.get("title"), fields.get("other")) == ("A", None)
    named = {"title": "title", "html": "other"}
    assert fields.targets(named, named) == (named if isinstance(item, dict) else {"title": "title"})


def config(**settings: Any) -> StemmerConfig:
    return StemmerConfig.from_settings(Settings({"STEMMER_HTML_FIELD": "body", **settings}), "x")


@pytest.mark.parametrize(("value", "html"), [("<p>", "<p>"), (b"<p>", "<p>"), ("", None), (b"", None), (1, None)])
def test_html_that_an_item_brings_along_is_text_or_bytes(value: Any, html: str | None) -> None:
    page = own_page({"body": value}, URL, config())
    assert (page and page.text) == html
    assert own_page({"body": value}, URL, config(STEMMER_HTML_FIELD=None)) is None


@pytest.mark.parametrize(("value", "url"), [("http://a.com/", "http://a.com/"), (b"http://a.com/", None), ("", None)])
def test_an_address_that_an_item_brings_along_is_text(value: Any, url: str | None) -> None:
    page = own_page({"body": "<p>", "link": value}, URL, config(STEMMER_URL_FIELD="link"))
    assert page is not None
    assert page.url == (url or URL)


def test_html_that_an_item_brings_along_may_be_left_out() -> None:
    """By the rules for URLs and the limit of size, as responses."""
    page = own_page({"body": "<p>" * (MAX_BODY // 3 + 1)}, URL, config())
    rejected = own_page({"body": "<p>"}, URL, config(STEMMER_URL_RULES="-/page"))
    assert page is not None
    assert rejected is not None
    assert (page.skip, rejected.skip) == (Reason.TOO_LARGE, Reason.REJECTED)


# The pages of items and their results


def html(body: str | bytes = "<p>text", url: str = URL, **more: Any) -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding=None if isinstance(body, bytes) else "utf-8", **more)


class TestRegistry:
    def test_an_item_is_found_once_for_each_time_it_was_put(self) -> None:
        registry, response, item = PageRegistry(), html(), {"same": 1}
        first, second = ItemPage("http://a"), ItemPage("http://b")
        registry.put(item, first, response)
        registry.put(item, second, response)
        assert [registry.take(item), registry.take(item), registry.take(item)] == [first, second, None]
        assert len(registry._outputs) == 0

    def test_an_item_of_two_responses_has_two_pages(self) -> None:
        registry, responses, item = PageRegistry(), [html(), html()], {"same": 1}
        pages = [ItemPage("http://a"), ItemPage("http://b")]
        for page, response in zip(pages, responses, strict=True):
            registry.put(item, page, response)
        assert [registry.take(item), registry.take(item), registry.take(item)] == [*pages, None]

    def test_items_are_told_apart_by_identity(self) -> None:
        registry, response = PageRegistry(), html()
        registry.put({"equal": 1}, ItemPage("http://a"), response)
        assert registry.take({"equal": 1}) is None

    def test_what_nobody_asks_for_goes_with_its_response(self) -> None:
        registry, response, item = PageRegistry(), html(), {"dropped": 1}
        registry.put(item, ResponsePage(response, None), response)
        assert len(registry._outputs) == 1
        del response
        gc.collect()
        assert len(registry._outputs) == 0
        assert registry.take(item) is None

    def test_a_response_whose_items_are_known_is_not_kept_alive(self) -> None:
        registry, response = PageRegistry(), html()
        source = ResponsePage(response, None)
        registry.put({"a": 1}, source, response)
        _ = response.selector.root
        del response
        gc.collect()
        with pytest.raises(RuntimeError, match="is gone"):
            source.page()


LEFT_TO_THE_COLLECTOR = """
import gc
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy_stemmer import StripOptions
from scrapy_stemmer.crawl.pages import ResponsePages
from scrapy_stemmer.settings import StemmerConfig

def strip(size):
    body = b"<p id=a>Some text of <a href='#a'>the page</a>.</p>" * size
    response = HtmlResponse("http://example.com/a/page", body=body, encoding="utf-8")
    page = ResponsePages(StemmerConfig.from_settings(Settings(), "x")).of(response)
    assert page.stripped((), StripOptions()).html
    response._cached_selector = None  # which Scrapy has in a cycle

for size in 1, 21_000:
    strip(size)  # everything is read and imported with the first one
    gc.collect()
    strip(size)
    print(size, gc.collect())
"""


@pytest.mark.slow
def test_a_page_leaves_nothing_to_the_garbage_collector() -> None:
    """Many trees freed at once would hold up the event loop. A new process avoids garbage of other threads."""
    assert processes.printed(LEFT_TO_THE_COLLECTOR).splitlines() == ["1 0", "21000 0"]


def test_the_tree_of_scrapy_is_used_and_stays_as_it_is() -> None:
    response = html("<body><a href='/b'>b</a><!-- c --><area href=c alt=see></body>")
    before = etree.tostring(response.selector.root)
    page = ResponsePage(response, None).page()
    assert page.html is response.selector.root
    assert list(anchors_of(response.selector.root, response.url))
    assert etree.tostring(response.selector.root) == before


def read(response: Response, **settings: Any) -> str:
    return ResponsePages(StemmerConfig.from_settings(Settings(settings), "x")).of(response).text


def test_a_page_is_stripped_again_when_its_site_has_been_learned() -> None:
    page, options = ItemPage(URL, Article(9).html()), StripOptions()
    learned = learn([Page(f"{URL}{number}", Article(number).html()) for number in range(5)]).patterns
    before = page.stripped((), options)
    after = page.stripped(learned, options)
    assert (before.pattern, after.pattern) == (None, "site")
    assert page.stripped(learned, options) is after


def test_a_default_charset_decides_only_where_none_is_declared() -> None:
    body = "<p>\u65e5\u672c".encode("shift_jis")
    assert read(html(body), STEMMER_DEFAULT_CHARSET="shift_jis") == "<p>\u65e5\u672c"
    declared = html(body, headers={"Content-Type": "text/html; charset=latin-1"})
    assert read(declared, STEMMER_DEFAULT_CHARSET="shift_jis") == declared.text
    in_meta = html(b"<meta charset=latin-1>" + body)
    assert read(in_meta, STEMMER_DEFAULT_CHARSET="shift_jis") == in_meta.text


@pytest.mark.parametrize("name", ["hex", "zlib", "rot13", "undefined", "unicode_escape", "utf-16"])
def test_a_charset_of_no_browser_does_not_count(name: str) -> None:
    """Scrapy raises for the first four and misreads the rest."""
    body = f"<meta charset={name}><p>\u65e5\\u0041".encode()
    assert read(html(body)) == body.decode()
    pages = ResponsePages(StemmerConfig.from_settings(Settings(), "x"))
    response = html(body)
    assert pages.of(response).page().html.xpath("string(//p)") == "\u65e5\\u0041"  # type: ignore[union-attr]
    assert pages.of(response).skip is None
    usual = html(b"<p>x")
    assert pages.of(usual).response is usual


def test_a_url_under_which_several_texts_came_says_nothing_of_an_item_s_page() -> None:
    """Otherwise a replaced item would have the text of another page."""
    pages = ResponsePages(config())
    one, same, other = (HtmlResponse("http://ex.com/", body=body) for body in (b"<p>a", b"<p>a", b"<p>b"))
    for response in (one, same):
        pages.note(response)
    page = pages.by_url("http://ex.com/")
    assert page is not None
    assert page.text == "<p>a"
    pages.note(other)
    assert pages.by_url("http://ex.com/") is None
