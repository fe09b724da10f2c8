"""Hostile pages, made by code: times to strip and learn each page, and delays of crawls.

``python -m tests.soak.hostile growth [BYTES [NAME...]]`` prints the seconds for pages of a size and of twice and four
times as much: more than twice the time for twice the bytes is not linear. ``python -m tests.soak.hostile
lag [BYTES]`` crawls five pages of each site, and prints the longest times for which the event loop was blocked.
``python -m tests.soak.hostile loop [NAME...]`` prints the times for the largest pages that a crawl reads on the loop.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings

from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.crawl.pages import ResponsePages
from scrapy_stemmer.page.document import weight_of
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.settings import StemmerConfig
from tests import processes

Maker = Callable[[int], str]


def repeated(part: Callable[[int], str], before: str = "", after: str = "") -> Maker:
    """Return pages of parts that differ by their number, or don't."""

    def made(size: int) -> str:
        parts, length = [before], 0
        for number in count():
            if length >= size:
                break
            parts.append(part(number))
            length += len(parts[-1])
        return "".join((*parts, after))

    return made


def nested(start: str, end: str, text: str = "Some text.") -> Maker:
    """Return pages of nested elements."""

    def made(size: int) -> str:
        depth = size // len(start + end)
        return start * depth + text + end * depth

    return made


def in_script(kind: str, value: Callable[[int], object]) -> Maker:
    """Pages with JSON in their head."""

    def made(size: int) -> str:
        return f"<head><script type='{kind}'>{json.dumps(value(size))}</script></head><body><p>Some text here.</p>"

    return made


def _nested_json(size: int) -> object:
    value: object = "a"
    for _ in range(min(400, size // 10)):
        value = {"a": value}
    return [value] * (size // 2000 + 1)


WORDS = "The river rose over the meadows in the night and the ferry stayed at the far bank until noon, they said. "

PAGES: Mapping[str, Maker] = {
    "addresses of its own": repeated(lambda n: "<link rel=canonical href=x>", "<head></head><body><p>Some text.</p>"),
    "code behind numbers": repeated(lambda n: "<i>1</i><i>2</i><pre>x = 1\n y</pre>", "<body><div>", "</div>"),
    "words of a cell of code": repeated(
        lambda n: f"<span class=copy>{n}</span>\n",
        "<table class=highlighttable><tr><td><pre>1\n2</pre></td><td>",
        "</td></tr></table>",
    ),
    "attributes": repeated(lambda n: f" a{n}", "<p", ">Some text.</p>"),
    "attributes in quotes": repeated(lambda n: f" a{n}='<>'", "<p", ">Some text.</p>"),
    "classes": repeated(lambda n: f" c{n}", "<p class='", "'>Some text.</p>"),
    "one attribute": repeated(lambda n: "x" * 64, "<p id='", "'>Some text.</p>"),
    "one text": repeated(lambda n: WORDS, "<body><p>", "</p>"),
    "one word": repeated(lambda n: "x" * 64, "<body><p>", "</p>"),
    "one line of pre": repeated(lambda n: WORDS, "<body><pre>", "</pre>"),
    "lines of pre": repeated(lambda n: f"a = {n}\n", "<body><pre>", "</pre>"),
    "numbered pre": repeated(lambda n: f"<span class=ln>{n}</span> a = {n}\n", "<body><pre>", "</pre>"),
    "spaces": repeated(lambda n: " " * 64, "<body><p>", "</p>"),
    "lines": repeated(lambda n: "a<br>", "<body><p>", "</p>"),
    "unique blocks": repeated(lambda n: f"<p>{n} {WORDS[n % 40 : 80]}</p>", "<body>"),
    "unique classes": repeated(lambda n: f"<div class='a{n:x}q'><p>{WORDS[n % 40 : 80]}</p></div>", "<body>"),
    "tiny blocks": repeated(lambda n: "<p>a", "<body>"),
    "tiny unique blocks": repeated(lambda n: f"<p>{n}", "<body>"),
    "empty elements": repeated(lambda n: "<i></i>", "<body>"),
    "inline elements": repeated(lambda n: "<b>a</b>", "<body><p>"),
    "nested div": nested("<div>", "</div>"),
    "nested b": nested("<b>", "</b>"),
    "nested tables": nested("<table><tr><td>", "</td></tr></table>"),
    "nested lists": nested("<ul><li>a", "</li></ul>"),
    "lists in lists": nested("<ul>", "</ul>", "<li>a"),
    "tables in rows": repeated(lambda n: f"<table><tr><td>a{n}<td>b</table>c\n", "<body><table><tr><td>"),
    "spans in rows": nested("<table><tr><td rowspan=2>a<td>b<tr><td>", "</table>"),
    "pre in pre": repeated(lambda n: f"<pre><font>f{n}</font>", "<body><div>", "<p>Some text.</p>"),
    "bold in bold": repeated(lambda n: f"<b>{n}</b><q>q", "<body><table><tr><td>"),
    "nested quotes": nested("<blockquote>a", "</blockquote>"),
    "nested links": repeated(lambda n: "<a href=/a>a", "<body><p>"),
    "unclosed b": repeated(lambda n: "<p><b>a", "<body>"),
    "closed only": repeated(lambda n: "</p></b>", "<body>"),
    "formatting": repeated(lambda n: "<b><i><p>a</b></i>", "<body>"),
    "nested templates": nested("<template shadowrootmode=open><slot></slot>", "</template>"),
    "links": repeated(lambda n: f"<a href='/page/{n}'>Page {n}</a> ", "<body><p>"),
    "listed links": repeated(lambda n: f"<li><a href='/page/{n}'>Page {n} of the book</a></li>", "<body><ul>"),
    "headings": repeated(lambda n: f"<h2>Heading {n}</h2>", "<body>"),
    "headings and text": repeated(lambda n: f"<h2>Heading {n}</h2><p>{WORDS}</p>", "<body>"),
    "titles": repeated(lambda n: f"<title>Title {n}</title>", "<head>", "<body><h1>Title 1</h1><p>Text."),
    "long title": repeated(lambda n: f"Title {n} - ", "<head><title>", "</title><body><h1>Title 1</h1><p>Text."),
    "long heading": repeated(lambda n: f"Title {n} - ", "<title>Title 1</title><body><h1>", f"</h1><p>{WORDS * 9}"),
    "images": repeated(lambda n: f"<img src=/{n}.png alt='a {n}'>", "<body><p>Text."),
    "srcset": repeated(lambda n: f"/{n}.png {n}w, ", f"<body><p>{WORDS * 3}<img src=/a.png srcset='", "'></p>"),
    "table": repeated(lambda n: f"<tr><td>a{n}<td>b<td>c</tr>", "<body><table>", "</table>"),
    "one row": repeated(lambda n: f"<td>a{n}</td>", "<body><table><tr>", "</table>"),
    "wide spans": repeated(lambda n: "<tr><td rowspan=1000 colspan=1000>a</tr>", "<body><table>", "</table>"),
    "definitions": repeated(lambda n: f"<dt>a{n}<dd>b", "<body><dl>"),
    "ruby": repeated(lambda n: "<ruby>a<rt>b</rt></ruby>", "<body><p>"),
    "formulas": repeated(lambda n: f"<math><mi>x</mi><mn>{n}</mn></math>", "<body><p>Text "),
    "nested formula": nested("<msup><mi>x</mi>", "</msup>", ""),
    "footnotes": repeated(lambda n: f"<a href=#f{n} id=r{n}>{n}</a><p id=f{n}>a <a href=#r{n}>b</a>", "<body><p>Text "),
    "options": repeated(lambda n: f"<option>{n}", "<body><p>Text<select>"),
    "comments": repeated(lambda n: "<!-- a -->", "<body><p>Text"),
    "open comment": repeated(lambda n: "<!--", "<body><p>Text"),
    "open brackets": repeated(lambda n: "<", "<body><p>Text"),
    "ampersands": repeated(lambda n: "&amp", "<body><p>Text"),
    "entities": repeated(lambda n: "&lt;&#1234;", "<body><p>Text"),
    "metas": repeated(lambda n: f"<meta property='article:tag' content='a {n}'>", "<head>", "<body><p>Text."),
    "authors": repeated(lambda n: f"<a rel=author href=/a/{n}>Ann B{n}</a>", "<body><h1>A</h1>", f"<p>{WORDS}"),
    "bylines": repeated(lambda n: f"<p class=byline>By Ann B{n}</p>", "<body><h1>A</h1>", f"<p>{WORDS}"),
    "dates": repeated(lambda n: f"<time datetime='2020-01-{n % 28 + 1:02}'>1 May {n}</time>", "<body><h1>A</h1>"),
    "digits": repeated(lambda n: "1-2-3/4.5,", "<body><p class=date>", "</p>"),
    "microdata": repeated(lambda n: f"<div itemscope itemtype=https://schema.org/Article><b itemprop=author>A{n}</b>"),
    "JSON-LD text": in_script("application/ld+json", lambda n: {"@type": "Article", "articleBody": WORDS * (n // 100)}),
    "JSON-LD list": in_script(
        "application/ld+json", lambda n: [{"@type": "Article", "author": {"name": f"A{i}"}} for i in range(n // 50)]
    ),
    "JSON-LD graph": in_script(
        "application/ld+json",
        lambda n: {"@graph": [{"@id": f"#{i}", "@type": "Person", "name": {"@id": "#1"}} for i in range(n // 60)]},
    ),
    "JSON-LD depth": in_script("application/ld+json", _nested_json),
    "JSON of a script": in_script("application/json", lambda n: {"a": [{"text": WORDS} for _ in range(n // 120)]}),
    "HTML in JSON": in_script("application/json", lambda n: {"text": f"<p>{WORDS}</p>" * (n // 110)}),
    "noscript": repeated(lambda n: f"<noscript>{WORDS}</noscript>", "<body>"),
    "segments": repeated(lambda n: f"<template id='B:{n:x}'></template><div hidden id='S:{n:x}'>a</div>", "<body>"),
    "breadcrumbs": repeated(lambda n: f"<nav class=breadcrumb><a href=/a{n}>a{n}</a></nav>", "<body>", f"<p>{WORDS}"),
    "custom elements": repeated(lambda n: f"<a-{n:x}>a</a-{n:x}>", "<body>"),
    "captions": repeated(lambda n: f"<figure><img src=/{n}><figcaption>{n}</figcaption></figure>", "<body><p>Text."),
    "cells": repeated(lambda n: "<td>a", "<body>"),
    "forms": repeated(lambda n: f"<form><label>a<input name=a{n}></label><button>a</button></form>", "<body><p>Text."),
}  # fmt: skip
"""Pages by their main content."""


SITE_PAGES = 5
"""Pages of each site."""


def numbered(html: str, number: int) -> str:
    """Return a numbered page of a site, with slightly different text."""
    return html.replace("ext", f"ext {number}")


def results(html: str) -> None:
    """Strip a page, with all results asked for."""
    found = strip(Page("https://hostile.example/a", html))
    _ = (found.title, found.text, found.sub_text, found.html, found.markdown, found.fields, found.blocks[:0])


def learned(html: str, learner: str = "rules") -> None:
    """Learn a site of similar pages."""
    learn([Page(f"https://hostile.example/{n}", numbered(html, n)) for n in range(SITE_PAGES)], learner)


def growth(size: int = 50_000, *names: str) -> None:
    """Print the seconds of each page, at a size and twice and four times as much."""
    for name in names or PAGES:
        row = []
        for task in (results, learned):
            for factor in (1, 2, 4):
                html = PAGES[name](factor * size)
                started = time.perf_counter()
                task(html)
                row.append(f"{time.perf_counter() - started:.2f}")
        print(f"{name:22}", *(f"{each:>7}" for each in row), flush=True)


# How long they hold up a crawl


class Lags:
    """Longest times between two turns of the event loop, by the page downloaded last.

    :ivar wall: seconds in all.
    :ivar cpu: seconds of computing meanwhile, independent of the machine's load.
    """

    STEP = 0.002

    def __init__(self) -> None:
        self.page = ""
        self.wall: dict[str, float] = {}
        self.cpu: dict[str, float] = {}

    async def watch(self) -> None:
        """Look at the clock in each turn."""
        while True:
            wall, cpu = time.perf_counter(), time.process_time()
            await asyncio.sleep(self.STEP)
            for found, lag in (
                (self.wall, time.perf_counter() - wall - self.STEP),
                (self.cpu, time.process_time() - cpu),
            ):
                found[self.page] = max(lag, found.get(self.page, 0.0))


class Hostile(scrapy.Spider):
    """Spider that yields an item for each page, without reading the page."""

    name = "hostile"
    size: int
    lags: Lags

    async def start(self) -> AsyncIterator[Any]:
        self.lags = Lags()
        self._watching = asyncio.ensure_future(self.lags.watch())
        for number in range(SITE_PAGES):
            for index in range(len(PAGES)):
                yield scrapy.Request(f"http://site{index}.example/{number}")

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}


class Served:
    """Downloader handler that makes the pages before the crawl begins."""

    lazy = False

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        size = crawler.settings.getint("HOSTILE_SIZE")
        self._pages = [(name, maker(size)) for name, maker in PAGES.items()]

    @classmethod
    def from_crawler(cls, crawler: Any) -> Served:
        return cls(crawler)

    async def download_request(self, request: scrapy.Request) -> Response:
        site, number = request.url.removeprefix("http://site").split(".example/")
        name, html = self._pages[int(site)]
        body = numbered(html, int(number)).encode()
        self._crawler.spider.lags.page = name
        return HtmlResponse(request.url, body=body, encoding="utf-8", request=request)

    async def close(self) -> None:
        """Close nothing."""


def crawl(job: dict[str, Any]) -> int:
    """Crawl all pages once, in a new process."""
    settings = Settings({**job["settings"], "HOSTILE_SIZE": job["size"]})
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Hostile)
    process.crawl(crawler)
    process.start()
    lags, stats = crawler.spider.lags, crawler.stats.get_stats()  # type: ignore[union-attr]
    Path(job["out"]).write_text(json.dumps([lags.wall, lags.cpu, stats.get("item_scraped_count", 0)]))
    return 0


def lag(size: int = 1_000_000) -> None:
    """Print the longest lags of crawls without the extension, with it, and learning."""
    own = {
        "DOWNLOAD_HANDLERS": {"http": "tests.soak.hostile.Served"},
        "CONCURRENT_REQUESTS": 1,
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
    }
    for name, more in {
        "without": {},
        "stripping": {"ADDONS": {"scrapy_stemmer.Addon": 500}},
        "learning": {"ADDONS": {"scrapy_stemmer.Addon": 500}, "STEMMER_LEARN": True, "STEMMER_SAMPLE_SIZE": SITE_PAGES},
    }.items():
        with TemporaryDirectory() as folder:
            out = Path(folder, "lags.json")
            state = {"STEMMER_PATTERNS": f"{folder}/p.jsonl", "STEMMER_STATE_DIR": folder} if more else {}
            started = time.perf_counter()
            job = {"settings": {**own, **more, **state}, "size": size, "out": str(out)}
            processes.start(crawl, job, out=Path(folder, "log")).wait(3600)
            print(Path(folder, "log").read_text(), end="")
            wall, cpu, items = json.loads(out.read_text())
        print(f"{name}: {items} items in {time.perf_counter() - started:.0f} s")
        for kind, lags in (("in all", wall), ("computing", cpu)):
            worst = sorted(lags.items(), key=lambda found: -found[1])[:6]
            print(f"  {kind:10}", ", ".join(f"{1000 * seconds:.0f} ms {page}" for page, seconds in worst), flush=True)


# How long those take that are read on the event loop


def largest(name: str) -> str:
    """The largest page of a kind, of at most 1 MB, that is not stripped in a thread."""
    least, most = 0, 1_000_000
    while most - least > most // 50 + 1:
        size = (least + most) // 2
        if weight_of(PAGES[name](size)).is_large:
            most = size
        else:
            least = size
    return PAGES[name](least)


def on_loop(*names: str) -> None:
    """Print the milliseconds of computing of each step of such pages in a crawl; the longest comes first."""
    rows = []
    for name in names or PAGES:
        body, least = largest(name).encode(), {"parse": 9.0}
        for _ in range(3):
            for step, seconds in _steps(body):
                least[step] = min(seconds, least.get(step, seconds))
        rows.append((least, f"{name:24} {len(body):7} bytes"))
    for least, name in sorted(rows, key=lambda row: -max(row[0].values())):
        print(name, *(f"{step} {1000 * seconds:.0f}" for step, seconds in least.items()), flush=True)


def _steps(body: bytes) -> Iterator[tuple[str, float]]:
    """Yield the seconds of the parts of a page's way through a crawl, each of which the loop waits for."""
    response = HtmlResponse("http://site.example/1", body=body, encoding="utf-8")
    pages = ResponsePages(StemmerConfig.from_settings(Settings(), "hostile"))

    def seconds(task: Callable[[], object]) -> float:
        gc.collect()
        started = time.thread_time()
        task()
        return time.thread_time() - started

    yield "parse", seconds(lambda: response.selector.root)  # by Scrapy, if the spider asks for it
    yield "note", seconds(lambda: (pages.look_at(response), pages.of(response)))
    yield "sample", seconds(lambda: (pages.of(response).look, pages.of(response).packed))
    yield "strip", seconds(lambda: pages.of(response).strip_for(("title", "text"), (), MatchOptions()))


if __name__ == "__main__":
    command, *arguments = sys.argv[1:] or ["lag"]
    size, *names = arguments or [""]
    if command == "loop":
        on_loop(*arguments)
    else:
        {"growth": growth, "lag": lag}[command](*([int(size)] if size else []), *names)
