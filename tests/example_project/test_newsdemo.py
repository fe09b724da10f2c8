"""The example project's spider and the middleware that serves the bundled site."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from newsdemo.bundled import BundledSiteMiddleware
from newsdemo.spiders.news import NewsSpider
from scrapy import Request
from scrapy.http import HtmlResponse, Response

PROJECT = Path(__file__).resolve().parents[2] / "example_project"
LINKS = b"""<a href="/a#part">a</a> <a href="/a">again</a> <a href="http://www.one.example/b">b</a>
<a href="http://two.example/">two</a> <a href="mailto:x@one.example">mail</a>"""


START = {"start_url": "http://one.example/"}


def serve(url: str) -> Response | None:
    return BundledSiteMiddleware().process_request(Request(url))


def parsed(spider: NewsSpider, url: str, body: bytes = LINKS, **kwargs: Any) -> tuple[list[str], list[str]]:
    """Return the URLs of the items and requests from a page."""
    found = list(spider.parse(HtmlResponse(url, body=body), **kwargs))
    items = [item["url"] for item in found if isinstance(item, dict)]
    return items, [request.url for request in found if isinstance(request, Request)]


def test_a_bundled_page_comes_as_the_bytes_of_its_file_with_its_header() -> None:
    page = serve("http://ja.heron.example/kurashi/")
    assert isinstance(page, HtmlResponse)
    assert page.headers["Content-Type"] == b"text/html"  # Shift_JIS, declared by its meta element
    assert "暮らしと食" in page.text


@pytest.mark.parametrize(
    "path", ["nowhere.html", "../gold.jsonl", "%2e%2e/%2e%2e/gold.jsonl", "../../build.py", "town"]
)
def test_what_is_not_a_page_of_the_host_is_not_found(path: str) -> None:
    page = serve(f"http://heron.example/{path}")
    assert page is not None
    assert page.status == 404


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start_url": "one.example"}, "https://one.example/"),
        ({"follow": "none"}, "-a follow=none: use one of site, all"),
        ({"items": "some"}, "-a items=some: use one of all, pages"),
        ({"depth": "two"}, "-a depth=two: use a whole number"),
    ],
)
def test_wrong_arguments_are_said(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NewsSpider(**arguments)


def test_a_page_gives_an_item_and_the_links_of_its_host_once_each() -> None:
    assert parsed(NewsSpider(), "http://one.example/x") == (
        ["http://one.example/x"],
        ["http://one.example/a", "http://www.one.example/b"],
    )


@pytest.mark.parametrize(
    ("arguments", "path", "has_item"),
    [({}, "", True), (START, "", False), (START, "x", True), ({**START, "items": "all"}, "", True)],
)
def test_front_pages_of_real_sites_give_no_item_unless_asked(
    arguments: dict[str, str], path: str, has_item: bool
) -> None:
    assert bool(parsed(NewsSpider(**arguments), f"http://one.example/{path}")[0]) is has_item


@pytest.mark.parametrize(
    ("depth", "away", "followed"), [("", 1, False), ("2", 1, True), ("2", 2, False), ("0", 9, True)]
)
def test_depth_counts_links_from_the_first_page_of_a_site(depth: str, away: int, followed: bool) -> None:
    spider = NewsSpider(**START, depth=depth)
    assert bool(parsed(spider, "http://one.example/x", site="one.example", away=away)[1]) is followed


CRAWL = """
import sys, warnings
from scrapy.exceptions import ScrapyDeprecationWarning
warnings.simplefilter("error", ScrapyDeprecationWarning)
from scrapy.crawler import CrawlerProcess
from scrapy.utils.project import get_project_settings
settings = get_project_settings()
settings.set("ADDONS", {}, "cmdline")
settings.set("FEEDS", {sys.argv[1]: {"format": "jsonlines"}}, "cmdline")
process = CrawlerProcess(settings)
process.crawl("news")
process.start()
"""


def test_without_the_addon_the_crawl_gives_one_item_for_each_bundled_page(tmp_path: Path) -> None:
    feed = tmp_path / "items.jsonl"
    crawl = subprocess.run(
        [sys.executable, "-B", "-c", CRAWL, str(feed)], cwd=PROJECT, capture_output=True, text=True, timeout=120
    )
    gold = (PROJECT / "demo_site" / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    urls = [json.loads(line)["url"] for line in feed.read_text(encoding="utf-8").splitlines()]
    assert sorted(urls) == [json.loads(line)["url"] for line in gold], crawl.stderr
    assert "ERROR" not in crawl.stderr
