"""Crawls with scrapy-poet: callbacks get stripped pages and page objects."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy.http import HtmlResponse

from scrapy_stemmer import MissingExtra, Page, learn
from tests.crawl.conftest import Crawler, idle_crawler
from tests.crawl.website import Article, Website

ADDONS = {"scrapy_poet.Addon": 300, "scrapy_stemmer.Addon": 500}
STRIPPED = {"ADDONS": ADDONS, "SCRAPY_POET_PROVIDERS": {"scrapy_stemmer.poet.StrippedProvider": 600}}
ITEMS = {"ADDONS": ADDONS, "SCRAPY_POET_PROVIDERS": {"scrapy_stemmer.poet.StrippedItemProvider": 600}}


@pytest.fixture
def crawl(tmp_path: Path, website: Website) -> Crawler:
    """Crawls with the pattern file of the website."""
    learn([Page(website.url(f"/{n}"), Article(n).html()) for n in range(6)]).save(str(tmp_path / "patterns.jsonl"))
    return Crawler(tmp_path)


def test_callbacks_get_stripped_pages_articles_and_reasons(crawl: Crawler, website: Website) -> None:
    head = "<head><meta name=author content='Ann Lee'><meta name=date content=2024-05-01>"
    website.add("/40", Article(40).html().replace("<head>", head))
    website.add("/text", "plain", content_type="text/plain")
    website.add("/41", Article(41).html())
    url, unknown = website.url("/40"), website.url("/40", "localhost")
    others = [website.url("/text"), website.url("/41")]
    urls = {"urls": ",".join([url, unknown, *others])}
    items = crawl("tests.crawl.poet_spider.PoetSpider", arguments=urls, STEMMER_URL_RULES="-/41 +.", **STRIPPED).items
    assert len(items) == 8
    stripped = {item["url"]: item for item in items if "matched" in item}
    text, *without = (stripped[each] for each in (url, *others))
    article = next(item for item in items if "articleBody" in item and item["url"] == url)
    assert text["matched"]
    assert text["text"].split("\n")[-3:] == Article(40).body
    assert article["headline"] == Article(40).headline
    assert [article["headline"], article["articleBody"]] == text["text"].split("\n", 1)
    assert Article(40).body[0] in article["articleBodyHtml"]
    assert [author["name"] for author in article["authors"]] == ["Ann Lee"]
    assert article["datePublished"] == "2024-05-01T00:00:00"
    found = [(item["matched"], item["reason"], item["text"]) for item in without]
    assert found == [(False, "not_html", ""), (False, "rejected", "")]
    alone = stripped[unknown]
    assert (alone["matched"], alone["reason"], Article(40).body[0] in alone["text"]) == (False, None, True)


def test_where_the_extension_is_off_no_page_is_stripped() -> None:
    from scrapy_stemmer.poet import StrippedProvider

    crawler = idle_crawler(STEMMER_ENABLED=False)
    response = HtmlResponse("http://a.example/", body=Article(1).html(), encoding="utf-8")
    (stripped,) = asyncio.run(StrippedProvider(SimpleNamespace(crawler=crawler))(set(), response, crawler))  # type: ignore[arg-type]
    assert (stripped.matched, stripped.reason, stripped.text) == (False, "opted_out", "")


def test_a_spider_of_a_service_gets_its_items(crawl: Crawler, website: Website) -> None:
    offer = {"price": "19.9", "priceCurrency": "EUR", "availability": "https://schema.org/SoldOut"}
    for number in range(40, 46):
        data = json.dumps({"@type": "Product", "name": Article(number).headline, "offers": offer})
        website.add(f"/{number}", Article(number).html(f"<script type='application/ld+json'>{data}</script>"))
    lists = {"/list": range(40, 43), "/list/2": range(43, 46)}
    for path, numbers in lists.items():
        entries = (f"<h2><a href='/{n}'>{Article(n).headline}</a></h2><p>{Article(n).body[0]}</p>" for n in numbers)
        following = "<a rel=next href='/list/2'>Older</a>" if path == "/list" else ""
        website.add(path, Article(90, 0).html("".join(entries) + following))
    items = crawl("tests.crawl.item_spider.ItemSpider", arguments={"urls": website.url("/list")}, **ITEMS).items
    listed = [item for item in items if "articles" in item]
    assert [[each["url"] for each in item["articles"]] for item in listed] == [
        [website.url(f"/{n}") for n in numbers] for numbers in lists.values()
    ]
    first = listed[0]["articles"][0]
    assert (first["headline"], first["articleBody"]) == (Article(40).headline, Article(40).body[0])
    articles = {item["url"]: item for item in items if "articleBody" in item}
    assert {url: item["headline"] for url, item in articles.items()} == {
        website.url(f"/{n}"): Article(n).headline for n in range(40, 46)
    }
    product = next(item for item in items if item["url"] == website.url("/45") and "price" in item)
    found = (product["name"], product["price"], product["currency"], product["availability"])
    assert found == (Article(45).headline, "19.90", "EUR", "OutOfStock")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "scrapy_stemmer.poet", raising=False)
    monkeypatch.setitem(sys.modules, "scrapy_poet.page_input_providers", None)
    with pytest.raises(MissingExtra, match="pip install scrapy-poet zyte-common-items"):
        import scrapy_stemmer.poet  # noqa: F401
