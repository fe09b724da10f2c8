"""Sub-command ``crawl``: crawls, learns and strips sites into one file or folder, without a project."""

from __future__ import annotations

import gzip
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, nullcontext
from math import inf
from pathlib import Path
from textwrap import shorten
from typing import IO, Any, cast
from urllib.parse import urlsplit

from itemadapter import ItemAdapter
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import BaseSettings, Settings

from scrapy_stemmer.commands import CRAWL_FORMATS
from scrapy_stemmer.commands.outputs import encoded, replaced
from scrapy_stemmer.commands.page_forms import (
    PageFolder,
    PageForm,
    form_of,
    result_lines,
    results_wanted,
    with_markdown_options,
)
from scrapy_stemmer.commands.sources.files import WEB, address_of
from scrapy_stemmer.commands.stored_pages import note, seconds_between_lines
from scrapy_stemmer.crawl.addon import Addon
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.settings import PAGE_FIELDS, RESULT_FIELDS

FORMS = "JSON Lines (.jsonl), CSV (.csv) or Markdown (.md, or a folder)"

MAX_SITES = 80  # characters of the sites in the first line

POLITE = {
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_DELAY": 1,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    # Nearest pages first, so that a site's sample covers all its parts.
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    "TELNETCONSOLE_ENABLED": False,
    "STEMMER_KINDS": ["content"],
}
"""Defaults below project and command line: politeness as in a new project of Scrapy."""

OWN: dict[str, Any] = {
    "ITEM_PIPELINES": {},
    "FEEDS": {},
    "JOBDIR": None,
    "STEMMER_LEARN": True,
    "STEMMER_ENABLED": True,
}
"""Settings above those of a project, whose pipelines and feeds are not meant for these items."""


def crawl(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Crawl sites and write each page once its site is learned; yield a summary."""
    sites = [_site_of(url) for url in options.urls]
    form = form_of(options.output, options.format, CRAWL_FORMATS)
    if form.name in ("text", "webstemmer") or not options.output or options.output == "-":
        raise StemmerError(f"A crawl is written as {FORMS}: let the name after -o end so.")
    settings = _settings_of(options, settings, form)
    with ExitStack() as stack:
        file = None if form.is_folder else stack.enter_context(replaced(options.output))
        packed = gzip.GzipFile(fileobj=file, mode="wb", mtime=0) if form.container == "gzip" else nullcontext(file)
        writer = Writer(options, form, stack.enter_context(cast(Any, packed)))
        started = f"Crawling {shorten(', '.join(sites), MAX_SITES, placeholder=' ...')}."
        note(f"{started} Ctrl-C ends it: {options.output} then has the pages so far.")
        crawler = _crawled(options.urls, sites, settings, writer)
        stats = crawler.stats.get_stats() if crawler.stats else {}
        for line in left_out(stats):
            note(line)
        if not writer.pages:
            raise StemmerError(f"No page of {', '.join(sites)} was written{_why_none(stats)}.")
    yield f"{counted(writer.pages, 'page', ',')} now in {options.output}"
    if stats.get("finish_reason") == "shutdown":
        raise KeyboardInterrupt


def _site_of(url: str) -> str:
    try:
        host = urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError as error:
        raise StemmerError(f"{url}: {error}.") from error
    if url.startswith(WEB) and host:
        return host.removeprefix("www.")
    meant = address_of(url)
    raise StemmerError(f"{url}: addresses begin with {' or '.join(WEB)}" + (f": {meant}" if meant else "."))


def _settings_of(options: Namespace, given: BaseSettings, form: PageForm) -> Settings:
    settings = cast(Settings, with_markdown_options(given, options))
    if settings.get("JOBDIR"):
        raise StemmerError("This crawl can't be paused: it needs a project for JOBDIR, as the tutorial shows.")
    for name, value in POLITE.items():
        settings.set(name, value, priority="command")
    for name, value in OWN.items():
        settings.set(name, value, priority="spider")
    if options.max_pages:
        settings.set("CLOSESPIDER_PAGECOUNT", options.max_pages, priority="cmdline")
    settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
    wanted = [*results_wanted(form.name, options.fields), "reason"]
    known = (*RESULT_FIELDS, *PAGE_FIELDS)
    settings.set("STEMMER_FIELDS", {name: name if name in wanted else None for name in known}, priority="cmdline")
    return settings


class SiteSpider(Spider):
    """Spider that follows the links of some sites and yields an item for each page."""

    sites: tuple[str, ...] = ()
    pages_left: float = inf  # pages to parse; requests already sent may exceed it

    async def start(self) -> AsyncIterator[Any]:
        self.links = LinkExtractor(allow_domains=self.sites)
        for url in self.start_urls:
            yield Request(url)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """Yield the item of a page and requests for its links; called by Scrapy."""
        if isinstance(response, HtmlResponse) and self.pages_left > 0:
            self.pages_left -= 1
            yield {"url": response.url}
            for link in self.links.extract_links(response):
                yield Request(link.url)


class Writer:
    def __init__(self, options: Namespace, form: PageForm, file: IO[bytes] | None) -> None:
        self._form, self._with_fields, self._file = form, options.fields, file
        self._folder = PageFolder(Path(options.output)) if form.is_folder else None
        self._noted, self._every = time.monotonic(), seconds_between_lines()
        self._columns = ["url", *dict.fromkeys((*results_wanted(form.name, options.fields), "reason"))]
        self.pages = 0
        self.error: Exception | None = None
        self._write(form.head(options.fields))

    def connect(self, crawler: Crawler) -> None:
        self._crawler = crawler
        crawler.signals.connect(self._item, signal=signals.item_scraped)
        crawler.signals.connect(self._response, signal=signals.response_received)

    def _item(self, item: Any, spider: Spider) -> None:
        if self.error is not None:
            return
        try:
            results = ItemAdapter(item)
            lines = result_lines(
                {name: results.get(name) for name in self._columns}, self._form.name, self._with_fields
            )
            if self._folder is None:
                self._write(lines)
            elif failure := self._folder.write(*lines):
                note(failure)
                return
            self.pages += 1
        except Exception as error:  # such as a full disk, which Scrapy would only log
            self.error = error
            engine: Any = self._crawler.engine
            # Not returned: Scrapy would wait for the spider's end before this item's, and the reverse.
            engine.close_spider(spider, "output")

    def _write(self, lines: list[str]) -> None:
        if self._file is not None:
            self._file.write(encoded(lines))

    def _response(self) -> None:
        now = time.monotonic()
        if now - self._noted < self._every or self._crawler.stats is None:
            return
        self._noted = now
        responses, found = (
            self._crawler.stats.get_value(name, 0) for name in ("response_received_count", "scheduler/enqueued")
        )
        note(f"crawling: {responses:,} of {found:,} addresses found so far, {counted(self.pages, 'page', ',')} written")


def _crawled(urls: list[str], sites: list[str], settings: Settings, writer: Writer) -> Crawler:
    hosts = [site.partition(":")[0] for site in sites]
    own = {"name": sites[0], "start_urls": urls, "sites": sites, "allowed_domains": hosts}
    spider = type("Sites", (SiteSpider,), {**own, "pages_left": settings.getint("CLOSESPIDER_PAGECOUNT") or inf})
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    writer.connect(crawler)
    failures: list[Any] = []
    process.crawl(crawler).addErrback(failures.append)
    process.start()
    for error in (failure.value for failure in failures):
        if isinstance(error, ValueError | TypeError) and not isinstance(error, StemmerError):  # from settings of Scrapy
            raise StemmerError(f"The crawl can't begin ({type(error).__name__}: {error}).") from error
        raise error
    if writer.error is not None:
        raise writer.error
    return crawler


LEFT_OUT = {
    Stat.ITEMS_OF_OTHER_KINDS: "of kinds that STEMMER_KINDS leaves out, such as lists; for all: -s STEMMER_KINDS=",
    "robotstxt/forbidden": "that robots.txt forbids",
    "offsite/filtered": "of other domains",
}
"""Stats that count unwritten pages, with descriptions."""

_STATUS, _EXCEPTION = "httperror/response_ignored_status_count/", "downloader/exception_type_count/"


def left_out(stats: dict[str, Any]) -> Iterator[str]:
    for name, what in LEFT_OUT.items():
        if count := stats.get(name):
            yield f"left out: {counted(count, 'page', ',')} {what}"
    for name, count in sorted(stats.items()):
        if name.startswith(_STATUS):
            yield f"left out: {counted(count, 'page', ',')} with the HTTP status {name.removeprefix(_STATUS)}"
        elif name.startswith(_EXCEPTION) and not name.endswith(("IgnoreRequest", "NotSupported")):
            yield f"failed: {counted(count, 'request', ',')}: {name.rpartition('.')[2].removeprefix(_EXCEPTION)}"


def _why_none(stats: dict[str, Any]) -> str:
    if stats.get(Stat.ITEMS_OF_OTHER_KINDS) or stats.get("robotstxt/forbidden"):
        return ", as was said above"
    if stats.get("offsite/filtered"):
        return ": they lead to another domain; name an address there"
    return ""
