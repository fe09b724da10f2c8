"""Sub-command ``crawl``: crawls, learns and strips sites into files or a folder, without a project."""

from __future__ import annotations

import codecs
import csv
import sqlite3
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import inf
from pathlib import Path
from shutil import rmtree
from textwrap import shorten
from typing import Any
from urllib.parse import urlsplit

from scrapy.crawler import CrawlerProcess
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.extensions.feedexport import FeedExporter
from scrapy.extensions.postprocessing import GzipPlugin
from scrapy.settings import BaseSettings, Settings
from w3lib.url import safe_url_string

from scrapy_stemmer.commands import CRAWL_FORMATS, note
from scrapy_stemmer.commands.checked_settings import CheckedSettings, blaming
from scrapy_stemmer.commands.known_pages import KnownPages
from scrapy_stemmer.commands.outputs import check_folder, held, refuse_same
from scrapy_stemmer.commands.page_feeds import OutputStorage, PageFeeds, PagesLeftOut, compared_fields, earlier_name
from scrapy_stemmer.commands.page_forms import PageForm, asked_fields, form_of, results_wanted, with_output_options
from scrapy_stemmer.commands.page_queue import PageQueue
from scrapy_stemmer.commands.site_spider import (
    ELSEWHERE,
    FETCHED_SCHEMES,
    RefreshMiddleware,
    RobotsMiddleware,
    RobotsParser,
    SiteSpider,
)
from scrapy_stemmer.commands.sources.files import WEB, address_of
from scrapy_stemmer.crawl.addon import Addon
from scrapy_stemmer.crawl.feeds import CsvItemExporter
from scrapy_stemmer.crawl.files import state_folder
from scrapy_stemmer.crawl.pages import MAX_BODY
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.fields.rules import PAGE_FIELDS
from scrapy_stemmer.page.arguments import check_charset
from scrapy_stemmer.page.text import counted, file_name
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.settings import RESULT_FIELDS, StemmerConfig
from scrapy_stemmer.stores import open_store

FORMS = "JSON Lines (.jsonl), CSV (.csv) or Markdown (.md, or a folder)"

MAX_COLUMNS = 300  # characters of columns in an error
MAX_SITES = 80  # characters of the sites in the first line

POLITE: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "ROBOTSTXT_PARSER": RobotsParser,
    "DOWNLOAD_DELAY": 1,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "TELNETCONSOLE_ENABLED": False,
    "DNS_RESOLVER": "scrapy.resolver.CachingHostnameResolver",  # resolves IPv6 too
    "STEMMER_KINDS": ["content"],
}
"""Defaults below project and command line: politeness as in a new project of Scrapy."""

OWN: dict[str, Any] = {
    "ITEM_PIPELINES": {},
    "FEED_URI": None,
    "JOBDIR": None,
    "SCHEDULER": PageQueue,
    "STEMMER_LEARN": True,
    "STEMMER_ENABLED": True,
    "FEED_STORAGES": {"output": OutputStorage},
    "FEED_EXPORTERS": {"csv": CsvItemExporter},
}
"""Settings above the project's settings, since its pipelines and feeds expect other items. The add-on adds its own
feeds."""


def crawl(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Crawl sites and write each page once its site is learned; yield a summary."""
    sites = list(dict.fromkeys(map(_site_of, options.urls)))
    name = file_name("+".join(sorted(sites)))
    forms = {output: _form_of(output, options) for output in options.output}
    files = {output: Path(output).resolve() for output, form in forms.items() if not form.is_folder}
    patterns = StemmerConfig.from_settings(settings, name).patterns
    seen = (Path("patterns") if "://" in patterns else Path(patterns).parent) / f"{name}.seen.sqlite"
    options.new = options.new or options.changed
    for output in filter(None, (*options.output, options.left_out)):
        refuse_same(output, [patterns, str(seen)])
    with held(filter(None, (*files, options.left_out))):
        pages = _known_pages(seen, list(files.values()), options)
        is_added = options.new and pages.is_later
        earlier = {output: None if is_added else earlier_name(path) for output, path in files.items()}
        known = PatternSet.load(patterns) if open_store(patterns).exists() else PatternSet()
        feeds = _feeds_of(forms, earlier, known.own_fields, options, settings)
        settings = _settings_of(name, options, settings, feeds)
        if options.changed:
            fields = compared_fields(chain.from_iterable(feed["fields"] for feed in feeds.values()))
            pages.ask_written_again(options.since or "", fields)
        _note_beginning(sites, "" if set(sites) <= set(known.sites) else ", ".join(forms), earlier, options)
        left_out = PagesLeftOut(options.left_out)
        own = {
            "name": name,
            "start_urls": options.urls,
            "sites": sites,
            "allowed_domains": [urlsplit(f"//{site}").hostname for site in sites],
            "left_out": left_out,
            "known_pages": pages,
            "pages_left": options.max_pages or max(settings.getint("CLOSESPIDER_PAGECOUNT"), 0) or inf,
            "reads_sitemaps": not options.no_sitemaps,
            "asks_again": options.changed,
            "since": options.since or "",
        }
        settings.set("CLOSESPIDER_PAGECOUNT", 0, priority="spider")  # counted by the spider, without sitemaps
        try:
            reason, written, changed = _crawled(type("Sites", (SiteSpider,), own), settings)
        finally:
            with suppress(sqlite3.Error):  # a full disk: each page written is noted already
                pages.close()
            left_out.close()
        for line in left_out.lines():
            note(line)
        if not written and not is_added:
            raise StemmerError(f"No page of {', '.join(sites)} was written{_why_none(left_out)}.")
        is_interrupted = reason in (None, "shutdown")
        _end_earlier(earlier, is_kept=is_interrupted or options.new)
        if is_interrupted:
            note("scrapy stemmer crawl: interrupted")
        new = counted(written - changed, "new page" if is_added else "page", ",")
        are_there = written or all(Path(output).exists() for output in forms)
        where = f" now in {', '.join(forms)}" if are_there else f", so nothing was written to {', '.join(forms)}"
        yield f"{new}{f' and {changed:,} changed' if changed else ''}{where}"
        if is_interrupted:
            raise KeyboardInterrupt("told before the result")


def _note_beginning(sites: list[str], outputs: str, earlier: dict[str, Path | None], options: Namespace) -> None:
    """Print what the crawl does, with the outputs that wait for a site to be learned."""
    started = f"Crawling {shorten(', '.join(sites), MAX_SITES, placeholder=' ...')}. Ctrl-C ends it."
    note(f"{started} Each page is put into {outputs} when its site is learned." if outputs else started)
    until = ": --new knows none of its pages, so all count as new." if options.new else " until this one has ended."
    for output, kept in earlier.items():
        if kept is not None:
            note(f"{output} of an earlier crawl is kept as {_beside(output, kept)}{until}")


def _end_earlier(earlier: dict[str, Path | None], *, is_kept: bool) -> None:
    """Delete the files of an earlier crawl, or print that they are kept."""
    for output, kept in earlier.items():
        if kept is not None and is_kept:
            note(f"The pages of an earlier crawl are still in {_beside(output, kept)}.")
        elif kept is not None:
            kept.unlink(missing_ok=True)


def _known_pages(seen: Path, files: list[Path], options: Namespace) -> KnownPages:
    if not options.new:
        return KnownPages(None)
    if any(path.suffix == ".gz" for path in files):
        raise StemmerError("--new adds to files, but not to compressed ones: name OUTPUT without .gz.")
    return KnownPages(seen, files)


def _own_spools(settings: Settings, name: str) -> Path:
    """Return the folder for spools of crawls with ``--new``, emptied: pages of a killed crawl are asked for again."""
    folder = state_folder(StemmerConfig.from_settings(settings, name)) / "new" / name
    rmtree(folder, ignore_errors=True)  # no other crawl uses it, since the file of the addresses is in use
    return folder


def _site_of(url: str) -> str:
    try:
        host = urlsplit(safe_url_string(url)).netloc.rpartition("@")[2].lower()  # in IDNA, as in Scrapy's requests
    except ValueError as error:
        raise StemmerError(f"{url}: {error}.") from error
    if url.startswith(WEB) and host:
        return host.removeprefix("www.")
    meant = address_of(url)
    raise StemmerError(f"{url}: addresses begin with {' or '.join(WEB)}" + (f": {meant}" if meant else "."))


def _form_of(output: str, options: Namespace) -> PageForm:
    form = form_of(output, options.format, CRAWL_FORMATS)
    if form.name in ("text", "webstemmer") or not output or output == "-":
        raise StemmerError(f"A crawl is written as {FORMS}: let the name after -o end so.")
    check_folder(Path(output) if form.is_folder else Path(output).resolve().parent)
    return form


def _beside(output: str, name: Path) -> Path:
    return Path(output).with_name(name.name)


# The settings of the crawl


def columns_of(form: PageForm, asked: Sequence[str]) -> list[str]:
    """Return the columns of an output, each named after its result."""
    results = results_wanted(form, asked)
    return list(dict.fromkeys(("url", *results, "reason"))) if not form.is_markdown else ["title", "url", *results]


def _feeds_of(
    forms: dict[str, PageForm],
    earlier: dict[str, Path | None],
    own: Sequence[str],
    options: Namespace,
    settings: BaseSettings,
) -> dict[str, dict[str, Any]]:
    encoding = settings.get("FEED_EXPORT_ENCODING") or "utf-8"
    try:
        check_charset("FEED_EXPORT_ENCODING", encoding)
    except (TypeError, ValueError) as error:
        raise StemmerError(f"{error}. Try utf-8-sig.") from None
    feeds: dict[str, dict[str, Any]] = {}
    for output, form in forms.items():
        if not form.is_table and encoding.lower() not in ("utf-8", "utf8", "utf-8-sig"):
            raise StemmerError(
                f"FEED_EXPORT_ENCODING is {encoding}, but {output} is always in UTF-8: leave the setting out, or write "
                "a table (.csv)."
            )
        feed: dict[str, Any] = {
            "format": "md" if form.is_markdown else "csv" if form.is_table else "jsonlines",
            "fields": [
                *columns_of(form, asked_fields(options.fields, form, own)),
                *(["changed"] if options.changed else []),
            ],
            "encoding": encoding if form.is_table else "utf-8",
            "store_empty": False,
            "batch_item_count": 0,
            "indent": None,
            "uri_params": None,
            "item_classes": (),
            "item_export_kwargs": {"formulas": options.csv_formulas} if form.is_table else {},
        }
        if form.is_folder:
            feeds[f"folder:{output}"] = feed
        else:
            path = Path(output).resolve()
            feed |= {"path": path, "earlier": earlier[output], "overwrite": True}
            if form.is_table and earlier[output] is None and path.is_file() and path.stat().st_size:
                _check_columns(output, feed)
            feeds[f"output:{len(feeds)}"] = feed
        if form.container == "gzip":
            feed["postprocessing"] = [GzipPlugin]
    return feeds


def _check_columns(output: str, feed: dict[str, Any]) -> None:
    """Raise StemmerError unless an existing table has the columns of the new rows."""
    encoding = "utf-8-sig" if codecs.lookup(feed["encoding"]).name == "utf-8" else feed["encoding"]
    with Path(output).open(encoding=encoding, errors="replace", newline="") as file:
        there = next(csv.reader(file), [])
    if there != feed["fields"]:
        option = "--changed" if "changed" in feed["fields"] else "--new"
        if [*there, "changed"] == feed["fields"]:
            raise StemmerError(f"{output} lacks the column changed of --changed: name another OUTPUT for what changes.")
        raise StemmerError(
            f"{output} has the columns {shorten(', '.join(there), MAX_COLUMNS)}, but {option} would "
            f"add rows of {', '.join(feed['fields'])}: give the options that it was written with (--fields, "
            "--format), name another OUTPUT, or crawl once without --new to write the table anew."
        )


def _settings_of(name: str, options: Namespace, given: BaseSettings, feeds: dict[str, dict[str, Any]]) -> Settings:
    settings = CheckedSettings(with_output_options(given, options))
    if settings.get("JOBDIR"):
        raise StemmerError("This crawl can't be paused: it needs a project for JOBDIR, as the tutorial shows.")
    for setting, value in POLITE.items():
        settings.set(setting, value, priority="command")
    settings.set("DOWNLOAD_MAXSIZE", MAX_BODY, priority="command")
    if settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") < 1:
        raise StemmerError("CONCURRENT_REQUESTS_PER_DOMAIN must be at least 1, or no page would be asked for.")
    for setting, value in OWN.items():
        settings.set(setting, value, priority="spider")
    settings.set("FEEDS", feeds, priority="spider")
    for setting, components in (
        (
            "DOWNLOADER_MIDDLEWARES",
            {RobotsTxtMiddleware: None, RobotsMiddleware: 100, MetaRefreshMiddleware: None, RefreshMiddleware: 580},
        ),
        ("EXTENSIONS", {FeedExporter: None, PageFeeds: 0}),
        # No site leads to files of this machine.
        ("DOWNLOAD_HANDLERS", dict.fromkeys({*settings.getwithbase("DOWNLOAD_HANDLERS")} - {*FETCHED_SCHEMES})),
    ):
        settings.set(setting, {**settings.getdict(setting), **components}, priority="spider")
    if options.depth:
        settings.set("DEPTH_LIMIT", options.depth, priority="spider")
    settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
    wanted = {"reason", *(["published"] if options.since else []), *chain(*(feed["fields"] for feed in feeds.values()))}
    if options.new:
        wanted |= {"title", "text"}  # compared to notice changed pages
        settings.set("STEMMER_STATE_DIR", str(_own_spools(settings, name)), priority="spider")
    fields = {result: result for result in sorted(wanted - {"url", "changed"})}
    settings.set("STEMMER_FIELDS", dict.fromkeys((*RESULT_FIELDS, *PAGE_FIELDS)) | fields, priority="spider")
    return settings


# The crawl


def _crawled(spider: type[SiteSpider], settings: Settings) -> tuple[str | None, int, int]:
    """Crawl sites; return why the crawl has ended, the number of written pages, and that of changed ones among them."""
    failures: list[Any] = []
    with blaming(settings):
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(spider)
        process.crawl(crawler).addErrback(failures.append)
        process.start()
        for failure in failures:
            raise failure.value
    feeds, stats = crawler.get_extension(PageFeeds), crawler.stats
    if feeds is not None and isinstance(feeds.error, OSError):
        raise feeds.error
    if feeds is not None and feeds.error is not None:
        raise StemmerError(f"The addresses can't be noted: {feeds.error}.") from feeds.error
    reason = stats.get_value("finish_reason") if stats else None
    return (reason, feeds.pages, feeds.changed) if feeds is not None else (reason, 0, 0)


def _why_none(left_out: PagesLeftOut) -> str:
    if left_out.reasons[ELSEWHERE]:
        return ": they lead to another domain; name an address there"
    return ", as was said above" if left_out.reasons else ""
