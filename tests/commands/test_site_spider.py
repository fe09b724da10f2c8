"""The spider of ``scrapy stemmer crawl``: which links it follows, and how long it waits for robots.txt's sake."""

from __future__ import annotations

import gzip
from collections import Counter
from inspect import signature
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.core.downloader import Downloader, Slot
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import HtmlResponse, Request, Response
from scrapy.settings import Settings
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.test import get_crawler

from scrapy_stemmer.commands import site_spider
from scrapy_stemmer.commands.known_pages import KnownPages
from scrapy_stemmer.commands.page_feeds import PagesLeftOut
from scrapy_stemmer.commands.site_spider import (
    MAX_ADDRESS,
    MAX_ROBOTS,
    NO_ADDRESS,
    RobotsMiddleware,
    RobotsParser,
    links_of,
)
from scrapy_stemmer.page.document import MAX_TAGS


def links(body: str) -> list[str]:
    response = HtmlResponse("http://a.example/x/", body=body, encoding="utf-8")
    return [url for url, _ in links_of(response, ["a.example"])]


@pytest.mark.parametrize(
    ("href", "followed"),
    [
        ("/1#part", "http://a.example/1"),
        (" 2?q=ü ", "http://a.example/x/2?q=%C3%BC"),
        ("//sub.a.example/3", "http://sub.a.example/3"),
        ("HTTPS://a.example/4", "https://a.example/4"),
        ("http://b.example/", None),
        ("http://nota.example/", None),
        ("file://a.example/etc/passwd", None),
        ("ftp://a.example/5", None),
        ("data:text/html,x", None),
        ("javascript:void(0)", None),
        ("mailto:me@a.example", None),
        ("http://[", None),
        ("/photo.JPG", None),
        (f"/{'x' * MAX_ADDRESS}", None),
        ("", "http://a.example/x/"),
    ],
)
def test_links_to_pages_of_the_site_are_followed(href: str, followed: str | None) -> None:
    assert links(f"<a href='{href}'>text</a>") == ([] if followed is None else [followed])
    assert links(f"<map><area href='{href}'></map>") == ([] if followed is None else [followed])


def test_links_are_relative_to_the_base() -> None:
    assert links("<base href='http://a.example/y/'><a href=1>1</a><a href=1>1</a>") == ["http://a.example/y/1"]
    assert links("<base href='file:///etc/'><a href=passwd>1</a>") == []


def test_a_page_that_is_too_complex_to_be_stripped_is_not_parsed_for_links() -> None:
    response = HtmlResponse("http://a.example/", body="<a href=1>" + "<b>x</b>" * MAX_TAGS, encoding="utf-8")
    assert list(links_of(response, ["a.example"])) == []
    assert response._cached_selector is None


def spider(**own: Any) -> site_spider.SiteSpider:
    """Return a spider of a site, which notes nothing on disk."""
    made = site_spider.SiteSpider(
        name="a", sites=["a.example"], left_out=PagesLeftOut(None), known_pages=KnownPages(None), **own
    )
    made.crawler = get_crawler()
    made.sitemaps_of, made.sitemaps_read = {}, Counter()
    return made


def page(body: str, url: str = "http://a.example/", role: str = "page") -> HtmlResponse:
    return HtmlResponse(url, body=body, encoding="utf-8", request=Request(url, meta={"role": role}))


def test_of_a_page_with_many_links_the_first_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_spider, "MAX_FOLLOWED", 3)
    crawling = spider()
    *requests, item = crawling.parse(page("".join(f"<a href=/{number}>n</a>" for number in range(9))))
    assert item == {"url": "http://a.example/"}
    assert [request.url for request in requests] == [f"http://a.example/{number}" for number in range(3)]
    assert crawling.left_out.reasons == {"links after the first 3 of a page": 1}


UNREADABLE = ["http://[", "https://[example]/x.xml", "http://a.example:99999/", "http://a.example:1:2/"]


@pytest.mark.parametrize("address", UNREADABLE)
def test_a_base_that_can_not_be_read_is_ignored(address: str) -> None:
    assert links(f"<base href='{address}'><a href=1>1</a>") == ["http://a.example/x/1"]


class TestAnnouncements:
    """Sitemaps and feeds, which are read before links."""

    def asked(self, front: str, *sitemaps: str, **own: Any) -> list[str]:
        """Return the addresses that a front page leads to first."""
        crawling = spider(**own)
        crawling.sitemaps_of["a.example"] = list(sitemaps)
        return [each.url for each in crawling.parse(page(front, role="start")) if isinstance(each, Request)]

    def test_the_first_requests_are_for_what_the_site_names(self) -> None:
        front = "<link rel=alternate type='application/rss+xml' href=/feed><a href=/1>1</a>"
        named = ["http://a.example/news.xml", "http://b.example/s.xml", "file:///s.xml"]
        assert self.asked(front, *named) == [f"http://a.example/{name}" for name in ("feed", "news.xml", "1")]

    @pytest.mark.parametrize("address", UNREADABLE)
    def test_an_address_that_can_not_be_read_costs_only_itself(self, address: str) -> None:
        front = f"<link rel=alternate type='application/rss+xml' href='{address}'><a href=/1>1</a>"
        assert self.asked(front, address, "/news.xml") == ["http://a.example/news.xml", "http://a.example/1"]

    @pytest.mark.parametrize("address", UNREADABLE)
    @pytest.mark.parametrize(
        "body",
        [
            "<urlset><url><loc>{}</loc></url><url><loc>http://a.example/1</loc></url></urlset>",
            "<sitemapindex><sitemap><loc>{}</loc></sitemap><sitemap><loc>/1</loc></sitemap></sitemapindex>",
            "<rss><channel><item><link>{}</link></item><item><link>/1</link></item></channel></rss>",
        ],
    )
    def test_an_announced_address_that_can_not_be_read_costs_only_itself(self, body: str, address: str) -> None:
        request = Request("http://a.example/sitemap.xml")
        response = Response(request.url, body=body.format(address).encode(), request=request)
        assert [each.url for each in spider().parse_sitemap(response)] == ["http://a.example/1"]

    def test_the_feeds_of_each_start_page_are_read_and_the_sitemaps_of_a_host_once(self) -> None:
        crawling = spider()
        feed = "<link rel=alternate type='application/rss+xml' href=/{}>"
        requests = [each for name in ("news", "blog") for each in crawling.parse(page(feed.format(name), role="start"))]
        asked = [each.url for each in requests if isinstance(each, Request)]
        assert asked == [f"http://a.example/{name}" for name in ("news", "sitemap.xml", "blog")]

    def test_without_a_name_the_usual_one_is_tried(self) -> None:
        assert self.asked("") == ["http://a.example/sitemap.xml"]

    def test_they_can_be_switched_off(self) -> None:
        assert self.asked("<a href=/1>1</a>", "http://a.example/news.xml", reads_sitemaps=False) == [
            "http://a.example/1"
        ]

    RSS = "<rss><channel><item><link> /b </link></item><item><link>http://a.example/a</link></item></channel></rss>"
    ATOM = (
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link rel='edit' href='/x'/><link href='/b'/></entry>"
        "<entry><link rel='alternate' href='http://a.example/a'/><link href='http://b.example/'/></entry></feed>"
    )
    SITEMAP = (
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/a</loc>"
        "<lastmod>2024-01-01</lastmod></url><url><loc>http://a.example/b</loc><lastmod>2025-01-01T10:00:00Z</lastmod>"
        "</url><url><loc>http://b.example/c</loc></url><url><loc>file:///etc/passwd</loc></url></urlset>"
    )

    LINES = "http://a.example/b\r\n http://b.example/c\nfile:///etc/passwd\nhttp://a.example/a"

    @pytest.mark.parametrize(
        "body",
        [RSS, ATOM, SITEMAP, gzip.compress(SITEMAP.encode()), LINES, *(each.encode("utf-16") for each in (RSS, LINES))],
    )
    def test_pages_of_the_site_are_asked_for_the_newest_first(self, body: str | bytes) -> None:
        content = body if isinstance(body, bytes) else body.encode()
        crawling = spider()
        response = Response("http://a.example/s", body=content, request=Request("http://a.example/s"))
        assert [request.url for request in crawling.parse_sitemap(response)] == [
            "http://a.example/b",
            "http://a.example/a",
        ]

    def test_only_days_since_one_are_asked_for(self) -> None:
        response = Response("http://a.example/s", body=self.SITEMAP.encode(), request=Request("http://a.example/s"))
        requests = spider(since="2024-06-01").parse_sitemap(response)
        assert [request.url for request in requests] == ["http://a.example/b"]

    def test_an_index_leads_to_sitemaps_and_a_later_crawl_reads_few(self) -> None:
        locs = "".join(f"<sitemap><loc>http://a.example/{n}.xml</loc></sitemap>" for n in range(9))
        crawling = spider()
        crawling.known_pages.is_later = True
        response = Response(
            "http://a.example/s",
            body=f"<sitemapindex>{locs}</sitemapindex>".encode(),
            request=Request("http://a.example/s"),
        )
        requests = list(crawling.parse_sitemap(response))
        assert [request.url for request in requests] == [f"http://a.example/{n}.xml" for n in range(5)]
        assert {request.callback for request in requests} == {crawling.parse_sitemap}

    BOMB = (
        '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">'
        + "".join(f'<!ENTITY {"abcdefghij"[n]} "{f"&{chr(96 + n)};" * 10}">' for n in range(1, 10))
        + "]><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/&j;</loc></url></urlset>"
    )

    @pytest.mark.parametrize("body", [b"", b"\x1f\x8b\x08broken", b"{}", b"<urlset></urlset>", BOMB.encode()])
    def test_what_is_no_sitemap_leads_to_nothing_and_is_counted(self, body: bytes) -> None:
        crawling = spider()
        response = Response("http://a.example/s", body=body, request=Request("http://a.example/s"))
        assert list(crawling.parse_sitemap(response)) == []
        assert crawling.left_out.reasons == {NO_ADDRESS: 1}

    def test_the_page_of_an_error_in_place_of_a_sitemap_is_not_counted(self) -> None:
        crawling = spider()
        response = HtmlResponse("http://a.example/s", body=b"<p>Not here", request=Request("http://a.example/s"))
        assert list(crawling.parse_sitemap(response)) == []
        assert not crawling.left_out.reasons

    def test_a_sitemap_of_too_many_addresses_is_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(site_spider, "MAX_ANNOUNCED", 1)
        for body in (self.SITEMAP, self.RSS):
            crawling = spider()
            response = Response("http://a.example/s", body=body.encode(), request=Request("http://a.example/s"))
            assert len(list(crawling.parse_sitemap(response))) == 1
            assert crawling.left_out.reasons == {"addresses after the first 1 of a sitemap": 1}

    @pytest.mark.parametrize(("status", "counted"), [(404, 0), (503, 1)])
    def test_a_sitemap_that_is_not_there_is_not_counted(self, status: int, counted: int) -> None:
        crawling = spider()
        request = crawling.request("http://a.example/sitemap.xml", role="sitemap")
        error = HttpError(Response(request.url, status=status, request=request))
        crawling.lost(SimpleNamespace(request=request, value=error))
        assert crawling.left_out.reasons.total() == counted


class TestRobots:
    """The delay of a host after a request that robots.txt allows."""

    def delays(self, robots: str, **settings: Any) -> tuple[float, dict[str, Any]]:
        """Return the delay of the host's slot, and what the next slot of the host begins with."""
        given = Settings({"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1, **settings})
        downloader = SimpleNamespace(
            settings=given,
            slots={"a.example": Slot(8, 1.0, 0.5)},
            per_slot_settings={},
            get_slot_key=lambda request: "a.example",
        )
        crawler = SimpleNamespace(
            settings=given,
            stats=None,
            spider=SimpleNamespace(sitemaps_of={}),
            engine=SimpleNamespace(downloader=downloader),
        )
        parser = RobotsParser.from_crawler(crawler, robots.encode())  # type: ignore[arg-type]
        older = [None] if "spider" in signature(RobotsTxtMiddleware.process_request_2).parameters else []  # Scrapy 2.13
        RobotsMiddleware(crawler).process_request_2(parser, Request("http://a.example/1"), *older)  # type: ignore[arg-type]
        return downloader.slots["a.example"].delay, downloader.per_slot_settings.get("a.example", {})

    def test_the_host_is_asked_as_seldom_as_robots_txt_says(self, capsys: pytest.CaptureFixture[str]) -> None:
        delay, further = self.delays("User-agent: *\nCrawl-delay: 5")
        assert delay == further["delay"] == 5
        assert further["concurrency"] == 1
        assert "a.example asks for 5 seconds between two pages" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "robots", ["", "User-agent: *\nCrawl-delay: 0.5", "User-agent: other\nCrawl-delay: 9", "Crawl-delay: x"]
    )
    def test_no_host_is_asked_more_often_than_the_settings_say(self, robots: str) -> None:
        assert self.delays(robots) == (1, {})

    def test_the_delay_is_that_of_the_crawler_s_name(self) -> None:
        robots = "User-agent: mine\nCrawl-delay: 7\n\nUser-agent: *\nCrawl-delay: 3"
        assert self.delays(robots, USER_AGENT="mine/1.0")[0] == 7
        assert self.delays(robots, ROBOTSTXT_USER_AGENT="other")[0] == 3

    def test_only_the_beginning_of_a_huge_robots_txt_is_read(self) -> None:
        assert self.delays("#" + "x" * MAX_ROBOTS + "\nUser-agent: *\nCrawl-delay: 5") == (1, {})


def test_scrapy_s_downloader_has_what_the_delay_is_set_by() -> None:
    assert hasattr(Downloader, "get_slot_key")
