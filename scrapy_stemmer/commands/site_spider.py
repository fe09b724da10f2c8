"""Spider of the sub-command ``crawl``, and limits set by ``robots.txt`` and for large sites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from math import inf, isfinite
from typing import Any, Self
from urllib.parse import urldefrag, urljoin, urlsplit

import parsel
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import IGNORED_EXTENSIONS
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.selector import Selector
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.gz import gunzip, gzip_magic_number
from scrapy.utils.response import get_base_url
from scrapy.utils.sitemap import Sitemap
from scrapy.utils.url import url_has_any_extension, url_is_from_any_domain
from w3lib.html import strip_html5_whitespace
from w3lib.url import safe_url_string

from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.known_pages import CONTENT, LIST, READ, KnownPages, Version, looks_like_content
from scrapy_stemmer.commands.page_feeds import PageFeeds, PagesLeftOut
from scrapy_stemmer.commands.page_queue import NOT_MODIFIED
from scrapy_stemmer.crawl.pages import META_KEY, tree_of, weight_of_response
from scrapy_stemmer.page.document import decode

FETCHED_SCHEMES = ("http", "https")
LARGE = 1_000_000  # bytes of a page above which texts of links are not read
MAX_ADDRESS = 2_083  # characters of an address, as in Scrapy's URLLENGTH_LIMIT; libraries take 100 bytes for each
MAX_FOLLOWED = 5_000  # links followed on a page
MAX_ROBOTS = 500_000  # bytes read of robots.txt, as RFC 9309 allows
MAX_SITEMAPS, MAX_SITEMAPS_AGAIN = 1_000, 5  # sitemaps read of a host, in the first crawl and in later crawls
MAX_FEEDS = 3  # feeds read that a start page names
MAX_ANNOUNCED = 50_000  # addresses of a sitemap or feed, as the protocol of sitemaps allows
_ADDRESS_LINE = re.compile(r"https?:\S+")
_EXTENSIONS = frozenset(f".{extension}" for extension in IGNORED_EXTENSIONS)

FORBIDDEN, ELSEWHERE = "forbidden by robots.txt", "on another domain"  # reasons for pages left out
ENDLESS = "failed (redirected more often than REDIRECT_MAX_TIMES)"
NO_ADDRESS = "a sitemap or feed without an address that can be read"


class SiteSpider(Spider):
    """Spider that reads the sitemaps, feeds and links of some sites and yields an item for each page.

    :ivar sites: hosts, perhaps with a port; pages of them and of their subdomains are followed.
    :ivar pages_left: pages to parse; requests already sent may exceed it.
    :ivar reads_sitemaps: reads sitemaps and feeds.
    :ivar asks_again: asks for written pages again, and writes changed pages.
    :ivar since: the earliest date of publication for written pages, such as ``2025-03-04``.
    """

    sites: Sequence[str] = ()
    allowed_domains: list[str]
    pages_left: float = inf
    reads_sitemaps = True
    asks_again = False
    since = ""
    left_out: PagesLeftOut
    known_pages: KnownPages
    sitemaps_of: dict[str, list[str]]  # addresses in robots.txt, by host
    sitemaps_read: Counter[str]  # by host

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **options: Any) -> Self:
        """Create the spider; called by Scrapy."""
        spider = super().from_crawler(crawler, *args, **options)
        crawler.signals.connect(spider.scheduled, signal=signals.request_scheduled)
        spider.sitemaps_of, spider.sitemaps_read = {}, Counter()
        return spider

    def scheduled(self, request: Request) -> None:
        """Count the goal of redirects to another domain once, which Scrapy leaves out without a word."""
        host = urlsplit(request.url).hostname or ""
        if not url_is_from_any_domain(f"http://{host}", self.allowed_domains):
            with self.failing():
                key = self.key_of(request)
                if self.known_pages.put(key, request.url, host, role="start", depth=0, state=ELSEWHERE):
                    self.leave_out(request.url, ELSEWHERE)

    async def start(self) -> AsyncIterator[Any]:
        """Yield the requests of the named addresses; called by Scrapy."""
        for url in self.start_urls:
            yield self.request(url, role="start")

    def request(self, url: str, role: str = "page") -> Request:
        callback = self.parse_sitemap if role == "sitemap" else self.parse
        meta: dict[str, Any] = {"role": role}
        if role == "sitemap":
            meta[META_KEY] = False  # not learned from
        return Request(url, callback, errback=self.lost, meta=meta)

    def key_of(self, request: Request) -> bytes:
        return self.crawler.request_fingerprinter.fingerprint(request)

    def digests_of(self, url: str) -> Mapping[str, str] | None:
        """Return the digests of a page's last values by field; ``None`` for an unwritten page."""
        return self.known_pages.digests_of(self.key_of(Request(url)))

    def note_done(self, url: str, state: str, version: Version | None = None) -> None:
        """Note the outcome of a page, with the version of a written page."""
        with self.failing():
            self.known_pages.done(self.key_of(Request(url)), state, version)

    def failing(self) -> AbstractContextManager[None]:
        """Return a context in which a full disk ends the crawl with an error."""
        feeds = self.crawler.get_extension(PageFeeds)
        return feeds.failing() if feeds is not None else nullcontext()

    def leave_out(self, url: str, reason: str) -> None:
        """Note and count an unwritten page, with the reason."""
        with self.failing():
            self.left_out.add(url, reason)
        self.note_done(url, LIST if reason.startswith("of the kind list") else reason)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """Yield requests for the links of a page and then its item; called by Scrapy.

        The links come first, so that they are known when the item marks the page as done.
        """
        if self.pages_left <= 0:
            return
        if response.status == NOT_MODIFIED:
            self.note_done(response.url, CONTENT)
            return
        if not isinstance(response, HtmlResponse):
            self.leave_out(response.url, "no HTML")
            return
        self.pages_left -= 1
        with self.failing():
            yield from self._announcements(response)
            yield from self._links(response)
            is_again = response.meta.get("role") == "written"
            if not is_again and self.digests_of(response.url) is not None:
                self.note_done(response.url, CONTENT)
            else:
                yield {"url": response.url}
        if self.pages_left <= 0:
            raise CloseSpider("closespider_pagecount")

    def _links(self, response: HtmlResponse) -> Iterator[Request]:
        pages, known, new = self.known_pages, list[tuple[bytes, str]](), 0
        for number, (url, text) in enumerate(links_of(response, self.sites)):
            if number == MAX_FOLLOWED:
                self.left_out.add(response.url, f"links after the first {MAX_FOLLOWED:,} of a page")
                break
            request = self.request(url)
            if pages.is_new(key := self.key_of(request)):
                new += 1
                request.meta["is_likely"] = looks_like_content(url, text)
                yield request
            else:
                known.append((key, url))
        host = urlsplit(response.url).hostname or ""
        pages.note_links(self.key_of(Request(response.url)), host, new, [key for key, _ in known])
        if pages.is_later and (new or response.meta.get("role") == "start"):
            yield from (self.request(url, role="list") for key, url in known if pages.is_earlier_list(key))

    # Sitemaps and feeds

    def _announcements(self, response: HtmlResponse) -> Iterator[Request]:
        """Yield requests for the feeds of a start page, and once for the sitemaps of its host."""
        host = urlsplit(response.url).netloc
        if not self.reads_sitemaps or response.meta.get("role") != "start":
            return
        named = self.sitemaps_of.get(host) or [urljoin(response.url, "/sitemap.xml")]
        named = [] if host in self.sitemaps_read else named
        self.sitemaps_read.setdefault(host, 0)
        front = parsel.Selector(root=tree_of(response), type="html")
        feeds = front.css("link[rel~=alternate][type*=rss], link[rel~=alternate][type*=atom]").xpath("@href").getall()
        base = base_of(response)
        for address in [*feeds[:MAX_FEEDS], *named]:
            yield from self._sitemap(followed(address, base, self.sites))

    def _sitemap(self, url: str | None) -> Iterator[Request]:
        if url is None:
            return
        most = MAX_SITEMAPS_AGAIN if self.known_pages.is_later else MAX_SITEMAPS
        host = urlsplit(url).netloc
        if self.sitemaps_read[host] < most:
            self.sitemaps_read[host] += 1
            yield self.request(url, role="sitemap")

    def parse_sitemap(self, response: Response, **_: Any) -> Iterator[Request]:
        """Yield requests for the addresses in a sitemap or a feed, the newest first; called by Scrapy."""
        response.meta["depth"] = 0
        try:
            kind, announced = announced_by(response, self.crawler.settings.getint("DOWNLOAD_MAXSIZE"))
        except Exception:  # no XML
            announced = []
        if len(announced) > MAX_ANNOUNCED:
            self.left_out.add(response.url, f"addresses after the first {MAX_ANNOUNCED:,} of a sitemap")
        with self.failing():
            for address, day in sorted(announced[:MAX_ANNOUNCED], key=lambda each: each[1], reverse=True):
                url = followed(address, response.url, self.sites)
                if url is not None and not (day and day[:10] < self.since):
                    yield from self._sitemap(url) if kind == "sitemapindex" else self._announced(url, day)
        if announced or isinstance(response, HtmlResponse):  # an error page in HTML
            self.note_done(response.url, READ)
        else:
            self.leave_out(response.url, NO_ADDRESS)

    def _announced(self, url: str, changed: str) -> Iterator[Request]:
        request, pages = self.request(url), self.known_pages
        key = self.key_of(request)
        pages.announced(key, changed)
        if pages.is_later and pages.is_fresh(key):
            pages.fresh_hosts.add(urlsplit(url).hostname or "")
        if pages.is_new(key):
            request.meta["is_likely"] = looks_like_content(url)
            yield request

    # Lost pages

    def lost(self, failure: Any) -> None:
        """Count a page lost in the downloader or a middleware; called by Scrapy."""
        request = failure.request
        reason = self._reason_of(failure)
        if reason is None:
            return
        if request.meta.get("role") == "sitemap" and reason.startswith((FORBIDDEN, "HTTP status 4")):  # not promised
            self.note_done(request.url, reason)
        else:
            self.leave_out(request.url, reason)

    def _reason_of(self, failure: Any) -> str | None:
        error, text = failure.value, str(failure.value)
        if isinstance(error, HttpError):
            return f"HTTP status {error.response.status}"
        if "robots.txt" in text:
            return FORBIDDEN
        if "The crawl has ended" in text:
            return None
        if "max redirections" in text:
            return ENDLESS
        if "MAXSIZE" in text or "max size" in text:
            return "larger than DOWNLOAD_MAXSIZE"
        return f"failed ({type(error).__name__})"


def followed(address: str, base: str, sites: Sequence[str], encoding: str = "utf-8") -> str | None:
    """Return the absolute form of an address in a page or a file of the site.

    :returns: ``None`` for an address that is invalid, too long, on a foreign site, or of a scheme beside HTTP and
        HTTPS.
    """
    if len(address) > MAX_ADDRESS:
        return None
    try:
        joined = urljoin(base, strip_html5_whitespace(address))
        url = urldefrag(safe_url_string(joined, encoding=encoding)).url
        is_page = urlsplit(url).scheme in FETCHED_SCHEMES and url_is_from_any_domain(url, sites)
    except ValueError:  # an invalid host or port
        return None
    return url if is_page else None


def base_of(response: HtmlResponse) -> str:
    """Return the base of a page's links; like browsers, the page's address if ``<base>`` is invalid."""
    try:
        return get_base_url(response)
    except ValueError:
        return response.url


def links_of(response: HtmlResponse, sites: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each address on the sites that a page links to, once, with the beginning of the link's text.

    Pages too complex to be parsed on the event loop yield nothing.
    """
    if weight_of_response(response).is_too_complex:
        return
    base = base_of(response)
    found: set[str] = set()
    for element in tree_of(response).iter("a", "area"):
        url = followed(element.get("href") or "", base, sites, response.encoding)
        if url is not None and url not in found and not url_has_any_extension(url, _EXTENSIONS):
            found.add(url)
            words = islice(element.itertext("*"), 8) if len(response.body) < LARGE else ()
            yield url, " ".join(text[:200] for text in words)


def announced_by(response: Response, max_size: int) -> tuple[str, list[tuple[str, str]]]:
    """Return the kind of a sitemap or a feed, and its addresses with the days of their last changes.

    :raises Exception: for other content.
    """
    body = gunzip(response.body, max_size=max_size) if gzip_magic_number(response) else response.body
    text = decode(body, default_charset="utf-8")
    if "<" not in text:  # a sitemap as text, with an address a line
        return "urlset", [(line[0], "") for line in islice(_ADDRESS_LINE.finditer(text), MAX_ANNOUNCED + 1)]
    sitemap = Sitemap(body)
    if sitemap.type in ("urlset", "sitemapindex"):
        return sitemap.type, [(each["loc"], each.get("lastmod", "")) for each in islice(sitemap, MAX_ANNOUNCED + 1)]
    selector = Selector(text=text, type="xml")
    selector.remove_namespaces()
    links = selector.xpath("//item/link/text() | //entry/link[not(@rel) or @rel='alternate']/@href")
    return sitemap.type, [(link, "") for link in links.getall()[: MAX_ANNOUNCED + 1]]


class RefreshMiddleware(MetaRefreshMiddleware):
    """Scrapy's middleware for refreshes, which keeps pages with an invalid base or refresh instead of failing."""

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the request that a page refreshes to, or the page; called by Scrapy."""
        given = () if spider is None else (spider,)  # until Scrapy 2.13
        try:
            return super().process_response(request, response, *given)
        except ValueError:
            return response


class RobotsParser(ProtegoRobotParser):
    """Parser of the beginning of robots.txt."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        """Parse robots.txt; called by Scrapy."""
        return super().from_crawler(crawler, robotstxt_body[:MAX_ROBOTS])


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's middleware for ``robots.txt``, extended by the delay between two pages in Crawl-delay."""

    def process_request_2(self, rp: Any, request: Request, *spider: Any) -> None:
        """Refuse a request forbidden by robots.txt, and set the delay of its host; called by Scrapy."""
        super().process_request_2(rp, request, *spider)
        if isinstance(rp, ProtegoRobotParser):
            sitemaps = islice(rp.rp.sitemaps, MAX_SITEMAPS)
            self.crawler.spider.sitemaps_of.setdefault(urlsplit(request.url).netloc, list(sitemaps))  # type: ignore[union-attr]
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
