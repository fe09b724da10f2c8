"""Spider of the sub-command ``crawl``, and the limits that sites have on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from math import inf, isfinite
from typing import Any, Self
from urllib.parse import urldefrag, urljoin, urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import IGNORED_EXTENSIONS
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.response import get_base_url
from scrapy.utils.url import url_has_any_extension, url_is_from_any_domain
from w3lib.html import strip_html5_whitespace
from w3lib.url import safe_url_string

from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.page_feeds import PagesLeftOut
from scrapy_stemmer.crawl.pages import weight_of_response

FETCHED_SCHEMES = ("http", "https")
MAX_FOLLOWED = 5_000  # links of a page that are followed
MAX_ROBOTS = 500_000  # bytes of robots.txt that are read, as RFC 9309 allows
_EXTENSIONS = frozenset(f".{extension}" for extension in IGNORED_EXTENSIONS)

FORBIDDEN, ELSEWHERE = "forbidden by robots.txt", "on another domain"  # reasons for pages left out


class SiteSpider(Spider):
    """Spider that follows the links of some sites and yields an item for each page.

    :ivar sites: hosts, perhaps with a port, whose pages are followed, with those of their subdomains.
    :ivar pages_left: pages to parse; requests already sent may exceed it.
    """

    sites: Sequence[str] = ()
    allowed_domains: list[str]
    pages_left: float = inf
    left_out: PagesLeftOut

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **options: Any) -> Self:
        """Create the spider; called by Scrapy."""
        spider = super().from_crawler(crawler, *args, **options)
        crawler.signals.connect(spider.scheduled, signal=signals.request_scheduled)
        return spider

    def scheduled(self, request: Request) -> None:
        """Count a redirect to another domain, which Scrapy leaves out without a word."""
        if not url_is_from_any_domain(f"http://{urlsplit(request.url).hostname}", self.allowed_domains):
            self.left_out.add(request.url, ELSEWHERE)

    async def start(self) -> AsyncIterator[Any]:
        """Yield the requests of the named addresses; called by Scrapy."""
        for url in self.start_urls:
            yield self._request(url)

    def _request(self, url: str) -> Request:
        return Request(url, errback=self.lost)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """Yield the item of a page and requests for its links; called by Scrapy."""
        if self.pages_left <= 0:
            return
        if not isinstance(response, HtmlResponse):
            self.left_out.add(response.url, "no HTML")
            return
        self.pages_left -= 1
        yield {"url": response.url}
        try:
            for number, url in enumerate(links_of(response, self.sites)):
                if number == MAX_FOLLOWED:
                    self.left_out.add(response.url, f"links after the first {MAX_FOLLOWED:,} of a page")
                    break
                yield self._request(url)
        except ValueError:  # such as <base href="http://[">
            self.left_out.add(response.url, "links of a page that can't be read")

    def lost(self, failure: Any) -> None:
        """Count a page that was not downloaded, or lost by a middleware; called by Scrapy."""
        reason = self._reason_of(failure)
        if reason is not None:
            self.left_out.add(failure.request.url, reason)

    def _reason_of(self, failure: Any) -> str | None:
        error, text = failure.value, str(failure.value)
        if isinstance(error, HttpError):
            return f"HTTP status {error.response.status}"
        if "robots.txt" in text:
            return FORBIDDEN
        if "The crawl has ended" in text:
            return None
        if "MAXSIZE" in text or "max size" in text:
            return "larger than DOWNLOAD_MAXSIZE"
        return f"failed ({type(error).__name__})"


def links_of(response: HtmlResponse, sites: Sequence[str]) -> Iterator[str]:
    """Yield the different addresses on these sites that a page links to.

    None has another scheme than HTTP or HTTPS. A page too complex to be parsed on the event loop has none.

    :raises ValueError: for a base that is no address.
    """
    if weight_of_response(response).is_too_complex:
        return
    base = get_base_url(response)
    found: set[str] = set()
    for element in response.selector.root.iter("a", "area"):
        try:
            href = strip_html5_whitespace(element.get("href") or "")
            url = urldefrag(safe_url_string(urljoin(base, href), encoding=response.encoding)).url
            is_followed = urlsplit(url).scheme in FETCHED_SCHEMES and url_is_from_any_domain(url, sites)
        except ValueError:
            continue
        if is_followed and url not in found and not url_has_any_extension(url, _EXTENSIONS):
            found.add(url)
            yield url


class RobotsParser(ProtegoRobotParser):
    """Parser of the beginning of robots.txt."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        """Parse robots.txt; called by Scrapy."""
        return super().from_crawler(crawler, robotstxt_body[:MAX_ROBOTS])


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's middleware, which also waits between two pages for as long as Crawl-delay says."""

    def process_request_2(self, rp: Any, request: Request, *spider: Any) -> None:
        """Refuse what robots.txt forbids, and set the delay of its host; called by Scrapy."""
        super().process_request_2(rp, request, *spider)
        agent = self._robotstxt_useragent or request.headers.get(b"User-Agent") or self._default_useragent
        agent = agent.decode("latin-1") if isinstance(agent, bytes) else agent
        delay = rp.rp.crawl_delay(agent) if isinstance(rp, ProtegoRobotParser) else None
        if delay is None or not isfinite(delay):
            return
        downloader: Any = self.crawler.engine.downloader
        host = downloader.get_slot_key(request)
        slot = downloader.slots.get(host)
        if delay <= (slot.delay if slot is not None else downloader.settings.getfloat("DOWNLOAD_DELAY")):
            return
        jitter = {"jitter": 0} if hasattr(slot, "jitter") else {"randomize_delay": False}  # until Scrapy 2.18
        downloader.per_slot_settings[host] = {"concurrency": 1, "delay": delay, **jitter}
        for name, value in downloader.per_slot_settings[host].items() if slot is not None else ():
            setattr(slot, name, value)
        note(f"{host} asks for {delay:g} seconds between two pages (Crawl-delay in robots.txt)")
