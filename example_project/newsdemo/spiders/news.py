"""The ``news`` spider: an item for each page of the bundled demonstration site, or of any real site."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urlsplit

import scrapy
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

if TYPE_CHECKING:
    from scrapy.http import Response

BUNDLED = ("http://heron.example/", "http://ja.heron.example/")
CHOICES = {"follow": ("site", "all"), "items": ("all", "pages")}


def host_of(url: str) -> str:
    """The host of a URL with its port, in lower case and without a leading ``www.``."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


def is_front_page(url: str) -> bool:
    """Return True for the front page of a host: path ``/`` and no query."""
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query


def without_fragment(href: str) -> str:
    """Return a link's address without its ``#fragment``, so that each page has a single URL."""
    return urldefrag(href.strip()).url


class NewsSpider(scrapy.Spider):
    """Follows the links of a site, breadth first, and yields an item with the URL of each page; the rest of the
    fields is written by the stemmer.

    :param start_url: where to start instead of on the bundled site; several addresses are separated by commas.
    :param depth: how many links away from its first page a site is followed; 0 for no limit. Default: 1 for a
        real site, no limit for the bundled one.
    :param follow: ``site`` stays on the hosts of the start pages (a leading ``www.`` doesn't count). ``all`` takes
        the start page for a directory: each host that it links to is crawled as a site of its own, beginning
        with the pages that are linked; from there on a page leads only to its own host.
    :param items: ``pages`` gives no item for front pages (path ``/``), which are then for their links only;
        ``all`` gives one for them as well. Default: ``pages`` with ``start_url``, ``all`` for the bundled site.
    :raises ValueError: when an argument has a value that isn't allowed.
    """

    name = "news"

    def __init__(
        self, start_url: str = "", depth: str = "", follow: str = "site", items: str = "", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.start_urls = re.split(r"\s*,\s*(?=https?://)", start_url.strip()) if start_url else list(BUNDLED)
        self.depth = depth or ("1" if start_url else "0")
        self.follow = follow
        self.items = items or ("pages" if start_url else "all")
        self.check_arguments()
        self.links = LinkExtractor(process_value=without_fragment)

    def check_arguments(self) -> None:
        """Says what is wrong with the arguments before anything is requested."""
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"-a {name}={getattr(self, name)}: use one of {', '.join(allowed)}")
        if not self.depth.isdecimal():
            raise ValueError(f"-a depth={self.depth}: use a whole number, 0 for no limit")
        for url in self.start_urls:
            if not re.match(r"https?://[^/]", url):
                raise ValueError(f"-a start_url={url}: give the whole address, e.g. https://{url.strip(':/')}/")

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """The start pages."""
        for url in self.start_urls:
            yield scrapy.Request(url, cb_kwargs={"directory": self.follow == "all"})

    def parse(
        self, response: Response, site: str = "", away: int = 0, directory: bool = False
    ) -> Iterator[dict[str, str] | scrapy.Request]:
        """An item of the page, and requests for what it links to.

        :param site: the host that the crawl is on; a page of another host, reached by a redirect, is left out.
            Empty for a first page, which sets it.
        :param away: links between the site's first page and this one.
        :param directory: whether links to other hosts are followed, as first pages of their sites.
        """
        site = site or host_of(response.url)
        if response.status != 200 or not isinstance(response, HtmlResponse) or host_of(response.url) != site:
            self.logger.debug("left out: %s (of %s)", response, site)
            return
        if self.items == "all" or not is_front_page(response.url):
            yield {"url": response.url}
        yield from self.follow_links(response, site, away, directory)

    def follow_links(self, response: HtmlResponse, site: str, away: int, directory: bool) -> Iterator[scrapy.Request]:
        """Requests for the links of a page that the crawl is to follow."""
        for link in self.links.extract_links(response):
            if host_of(link.url) != site:
                if directory:
                    yield response.follow(link)
            elif self.depth == "0" or away < int(self.depth):
                yield response.follow(link, cb_kwargs={"site": site, "away": away + 1})
