"""The spider of ``scrapy stemmer crawl``: which links it follows, and how long it waits for robots.txt's sake."""

from __future__ import annotations

from inspect import signature
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.core.downloader import Downloader, Slot
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import HtmlResponse, Request
from scrapy.settings import Settings

from scrapy_stemmer.commands import site_spider
from scrapy_stemmer.commands.site_spider import MAX_ROBOTS, RobotsMiddleware, RobotsParser, links_of
from scrapy_stemmer.page.document import MAX_TAGS


def links(body: str) -> list[str]:
    return list(links_of(HtmlResponse("http://a.example/x/", body=body, encoding="utf-8"), ["a.example"]))


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


def test_of_a_page_with_many_links_the_first_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_spider, "MAX_FOLLOWED", 3)
    left_out: list[tuple[str, str]] = []
    spider = site_spider.SiteSpider(
        name="a", sites=["a.example"], left_out=SimpleNamespace(add=lambda *a: left_out.append(a))
    )
    body = "".join(f"<a href=/{number}>n</a>" for number in range(9))
    item, *requests = spider.parse(HtmlResponse("http://a.example/", body=body, encoding="utf-8"))
    assert item == {"url": "http://a.example/"}
    assert [request.url for request in requests] == [f"http://a.example/{number}" for number in range(3)]
    assert left_out == [("http://a.example/", "links after the first 3 of a page")]


def test_a_page_whose_links_can_not_be_read_is_written_and_named() -> None:
    left_out: list[tuple[str, str]] = []
    spider = site_spider.SiteSpider(
        name="a", sites=["a.example"], left_out=SimpleNamespace(add=lambda *a: left_out.append(a))
    )
    body = "<base href='http://['><a href=1>1</a>"
    assert list(spider.parse(HtmlResponse("http://a.example/", body=body, encoding="utf-8"))) == [
        {"url": "http://a.example/"}
    ]
    assert left_out == [("http://a.example/", "links of a page that can't be read")]


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
            settings=given, stats=None, spider=None, engine=SimpleNamespace(downloader=downloader)
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
