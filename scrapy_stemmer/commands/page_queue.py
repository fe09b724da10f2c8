"""Scheduler of the sub-command ``crawl``: requests for the addresses in :class:`KnownPages`, hosts by turns."""

from __future__ import annotations

from collections import deque
from typing import Any, Self, cast

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.httpobj import urlparse_cached

from scrapy_stemmer.commands.known_pages import ASKED, MOVED, WAITING, Asked, KnownPages

NOT_MODIFIED = 304  # status of a page unchanged since its ETag and Last-Modified were noted
WAYS_BACK = 100  # addresses that have led back to a page, to know other pages that they are shared by
AHEAD = 2  # requests of a host in the downloader, as a multiple of CONCURRENT_REQUESTS_PER_DOMAIN


class PageQueue(BaseScheduler):
    """Queue of addresses on disk.

    The meta of a request has the ``role`` of its address: ``page``, ``start``, ``sitemap``, ``list`` for a known list
    to read again, or ``written`` for a page that may have changed. The flag ``is_likely`` marks a link that looks
    like a link to content.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._most = AHEAD * crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self._redirects: deque[Request] = deque()
        self._ways_back: deque[bytes] = deque(maxlen=WAYS_BACK)  # addresses that have led back to a page

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the queue; called by Scrapy."""
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        """Take the addresses of the spider; called by Scrapy."""
        self._spider = cast("Any", spider)
        self._pages: KnownPages = self._spider.known_pages

    def has_pending_requests(self) -> bool:
        """Return True if an address waits; called by Scrapy."""
        return bool(self._redirects) or self._pages.hosts.total() > 0

    def enqueue_request(self, request: Request) -> bool:
        """Add the address of a request, unless it is known; called by Scrapy."""
        with self._spider.failing():
            return self._enqueue(request)
        return False

    def _enqueue(self, request: Request) -> bool:
        """Add the address of a request.

        A redirect may lead back to an earlier address, as after setting a cookie, up to ``REDIRECT_MAX_TIMES``. Another
        page that is redirected to an address on this way, or to one without a page so far, is asked for once more.
        """
        key, meta = self._spider.key_of(request), request.meta
        if request.dont_filter:
            self._pages.try_again(key, meta.get("retry_times", 1))
            return True
        is_redirect = "redirect_times" in meta
        if is_redirect:
            self._spider.note_done(meta["redirect_urls"][-1], MOVED)
        added: bool = self._pages.put(
            key,
            request.url,
            urlparse_cached(request).hostname or "",
            role=meta.get("role", "page"),
            depth=meta.get("depth", 0),
            is_likely=meta.get("is_likely", False),
            state=ASKED if is_redirect else WAITING,
        )
        if is_redirect and not added:
            way = [self._spider.key_of(Request(url)) for url in meta["redirect_urls"]]
            if added := key in way:
                self._pages.ask_again(key)
                self._ways_back.extend(way)
            has_no_page = key in self._ways_back or self._pages.has_state(key, WAITING, ASKED, MOVED)
            if has_no_page and not (added or meta.get("retry_times")):
                self._pages.try_again(way[0], 1)
        if added and is_redirect:
            self._redirects.append(request)
        return added

    def next_request(self) -> Request | None:
        """Return the request for the best address of the host with the fewest active requests; called by Scrapy."""
        if self._redirects:
            return self._redirects.popleft()
        slots = self._crawler.engine.downloader.slots
        active = {host: len(slots[host].active) if host in slots else 0 for host in self._pages.hosts}
        with self._spider.failing():
            for host in sorted(active, key=lambda host: active[host]):
                if active[host] >= self._most:
                    break
                if (asked := self._pages.ask(host)) is not None:
                    return self._request(asked)
        return None

    def _request(self, asked: Asked) -> Request:
        request: Request = self._spider.request(asked.url, role=asked.role)
        request.meta.update({"depth": asked.depth, **({"retry_times": asked.tries} if asked.tries else {})})
        if asked.role == "written":
            request.meta["handle_httpstatus_list"] = [NOT_MODIFIED]
            known = {"If-None-Match": asked.etag, "If-Modified-Since": asked.modified}
            request.headers.update({name: value for name, value in known.items() if value})
        return request
