"""Spiders, middlewares, pipelines and extensions for the crawls of the tests."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import scrapy
import scrapy.signals
from itemadapter import is_item
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from scrapy.utils.request import fingerprint

import scrapy_stemmer.signals
from scrapy_stemmer.signals import LayoutDrift


@dataclasses.dataclass
class Story:
    """An item of a class."""

    url: str
    title: str | None = None
    text: str | None = None
    stemmer_matched: bool | None = None


class Plain(scrapy.Spider):
    """A crawl of start URLs and linked pages, with an item a page."""

    name = "plain"
    item_class: Any = dict
    start_urls: list[str]

    def make_item(self, url: str) -> Any:
        return self.item_class(url=url)

    def parse(self, response: Response) -> Iterator[Any]:
        yield self.make_item(response.url)
        # Pages without links are not parsed: some of the tests take seconds.
        if isinstance(response, TextResponse) and b"class='links'" in response.body:
            for link in response.css("ul.links a"):
                yield response.follow(link, meta=dict(response.meta) if hasattr(self, "copy_meta") else None)


class FromStart(Plain):
    """Requests and an item from ``start()``, and an async generator as callback, which waits halfway."""

    name = "from_start"

    async def start(self) -> AsyncIterator[Any]:
        for url in self.start_urls:
            yield scrapy.Request(url)
        yield {"url": "none: from start()"}

    async def parse(self, response: TextResponse) -> AsyncIterator[Any]:  # type: ignore[override]
        await asyncio.sleep(0)
        for output in super().parse(response):
            yield output


class Resumable(Plain):
    """A spider that requests its start URLs once, also after a pause; Scrapy's ``start()`` would repeat them."""

    name = "resumable"

    async def start(self) -> AsyncIterator[Any]:
        for url in self.start_urls:
            yield scrapy.Request(url)


class Stories(Resumable):
    """A spider with items of a class."""

    name = "stories"
    item_class = Story


class OneByOne(Plain):
    """A spider that queues all start URLs before the first answer and requests them in order."""

    name = "one_by_one"

    async def start(self) -> AsyncIterator[Any]:
        for number, url in enumerate(self.start_urls):
            yield scrapy.Request(url, priority=-number)


class Crawling(CrawlSpider):
    name = "crawling"
    rules = (Rule(LinkExtractor(restrict_css="ul.links"), callback="parse_page", follow=True),)

    def parse_page(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}


class Mixed(Resumable):
    """A spider of which every second item can't be written to disk."""

    name = "mixed"
    made = 0

    def make_item(self, url: str) -> Any:
        self.made += 1
        return {"url": url, "odd": complex(1, 2)} if self.made % 2 else {"url": url}


class ReplacingPipeline:
    """A pipeline that replaces each item by another object, and drops every third."""

    count = 0

    def process_item(self, item: Any, spider: Any = None) -> Any:
        self.count += 1
        if self.count % 3 == 0:
            raise scrapy.exceptions.DropItem("the third")
        return dict(item, replaced=True)


class Posting(Plain):
    """Asks for its pages by POST, with a body and meta of each."""

    name = "posting"

    async def start(self) -> AsyncIterator[Any]:
        for number, url in enumerate(self.start_urls):
            body = f"page={number}" * (1 + 1000 * (number % 2))
            meta = {"number": number, "deltafetch_key": ["k", number], "handler": self.parse}
            yield scrapy.Request(url, method="POST", body=body, meta=meta, cb_kwargs={"number": number})

    def parse(self, response: Response, number: int) -> Iterator[Any]:  # type: ignore[override]
        item = self.make_item(response.url)
        yield item | {"number": number, "asked": fingerprint(cast(scrapy.Request, response.request)).hex()}


class SummingUp(Plain):
    """Notes at each ``spider_idle`` how many items there were, and closes the spider."""

    name = "summing_up"

    @classmethod
    def from_crawler(cls, crawler: Any, *arguments: Any, **more: Any) -> Any:
        spider = super().from_crawler(crawler, *arguments, **more)
        spider.counts = []
        crawler.signals.connect(spider.idle, signal=scrapy.signals.spider_idle)
        return spider

    counts: list[int]

    def idle(self) -> None:
        stats: Any = self.crawler.stats
        self.counts.append(stats.get_value("item_scraped_count", 0))
        stats.set_value("items at idle", self.counts)
        raise CloseSpider("all seen")


class AskingOn(SummingUp):
    """Asks for one more page at the first ``spider_idle``."""

    name = "asking_on"
    more = ""

    def idle(self) -> None:
        if self.more:
            request, self.more = scrapy.Request(self.more), ""
            cast(Any, self.crawler.engine).crawl(request)
            raise DontCloseSpider


class ScrapedNotes:
    """An extension that records the response of each scraped item."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> ScrapedNotes:
        instance = cls()
        instance.stats = crawler.stats
        crawler.signals.connect(instance.scraped, signal=scrapy.signals.item_scraped)
        return instance

    stats: Any

    def scraped(self, item: Any, response: Any, spider: Any) -> None:
        request = response.request
        told = [response.url, response.status, request.method, fingerprint(request).hex(), request.meta.get("number")]
        self.stats.set_value(f"scraped/{item['url']}", told)
        type_ = (response.headers["Content-Type"] or b"").decode()
        self.stats.set_value(f"told/{item['url']}", [type_, request.cb_kwargs])


class Once:
    """A spider middleware that can't stand to see a page a second time."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def process_spider_input(self, response: Response, spider: Any = None) -> None:
        if response.url in self.seen:
            raise ValueError("once more")
        self.seen.add(response.url)


class Watching:
    """A spider middleware that counts items by URL and, as scrapy-deltafetch does, by the request of their page."""

    counter = "watched/"
    stats: Any

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        instance = cls()
        instance.stats = crawler.stats
        return instance

    async def process_spider_output(self, response: Response, result: Any, spider: Any = None) -> AsyncIterator[Any]:
        async for output in result:
            if isinstance(output, dict):
                self.stats.inc_value(self.counter + output["url"])
                self.stats.inc_value(f"delta/{fingerprint(cast(scrapy.Request, response.request)).hex()}")
            yield output


class Synchronous:
    """A synchronous spider middleware, as in projects of Scrapy 2.13."""

    def process_spider_output(self, response: Response, result: Any, spider: Any = None) -> Iterator[Any]:
        for output in result:
            if is_item(output):
                output["passed"] = [*output.get("passed", ()), "middleware"]
            yield output


class Recovering:
    """A spider middleware that gives an item in place of an exception."""

    def process_spider_exception(self, response: Response, exception: Exception, spider: Any = None) -> list[Any]:
        return [{"url": f"{response.url}#recovered", "error": str(exception)}]


class HalfBroken(Plain):
    """Raises behind the item of each page."""

    name = "half_broken"

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        raise ValueError("broken page")


class Asking(Plain):
    """Asks for another page behind the item of each page."""

    name = "asking"

    async def parse(self, response: Response) -> AsyncIterator[Any]:  # type: ignore[override]
        yield {"url": response.url}
        yield scrapy.Request(f"{response.url}?on")


class RefusingRequests:
    """A spider middleware that raises for requests; where it stands nearer to the engine than others, they have given
    it items before."""

    async def process_spider_output(self, response: Response, result: Any, spider: Any = None) -> AsyncIterator[Any]:
        async for output in result:
            if isinstance(output, scrapy.Request):
                raise ValueError("no requests")
            yield output


class WatchingNearer(Watching):
    """A counting spider middleware nearer to the engine."""

    counter = "watched nearer/"


class NotingText:
    """Stand-in for a pipeline that stores items: records their text."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        item["noted"] = item.get("text")
        return item


class Plainer:
    """Removes what a feed can't hold."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        assert item.pop("odd", complex(1, 2)) == complex(1, 2)
        return item


class SlowPlainer(Plainer):
    """A pipeline that replaces items after some time."""

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        await asyncio.sleep(1.5)
        return super().process_item(item)


class DriftCounter:
    """An extension that is told of changed layouts."""

    def __init__(self, stats: Any) -> None:
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> DriftCounter:
        instance = cls(crawler.stats)
        crawler.signals.connect(instance.layout_drift, signal=scrapy_stemmer.signals.layout_drift)
        return instance

    def layout_drift(self, spider: scrapy.Spider, drift: LayoutDrift) -> None:
        self.stats.set_value(f"told/{spider.name}/{drift.site}", [drift.pages, drift.unusual])
