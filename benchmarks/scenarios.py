"""Crawls that begin badly, or change under way, and their text of articles. The site is invented.

    python -m benchmarks.scenarios                          # all scenarios, in crawls
    python -m benchmarks.scenarios "lists first" redesign   # scenarios whose names have any of these words
    python -m benchmarks.scenarios --write

A scenario gives its pages in the order in which a crawl meets them, from memory.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from multiprocessing import get_context
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import HtmlResponse, Response

from benchmarks.scoring import score
from benchmarks.sets import ROOT
from benchmarks.tables import percent, publish, table
from benchmarks.walls import WALLS

TARGET = ROOT / "benchmarks" / "results" / "scenarios.md"

SITE = "heron.example"

ARTICLES = 120  # of most scenarios


@dataclass(frozen=True, slots=True)
class Visit:
    """A page as a crawl meets it."""

    url: str
    html: str
    # the gold text; "" for a placeholder, which should have none, and ``None`` if no gold text is known
    text: str | None
    status: int = 200


# The site

_NOUNS = (
    "storm council harbour election museum bridge winter budget teacher river village market engine forest doctor "
    "festival railway painter island kitchen senator camera orchard glacier novel stadium tunnel ferry harvest mayor "
    "library school hospital garden street roof clock church square park castle tower mill station lake coast hill"
).split()
_VERBS = "opened closed found built sold painted moved praised missed repaired counted visited planned lost".split()
_ADJECTIVES = "old new quiet narrow famous empty wooden distant public early costly broken long small bright".split()
_ENDS = "last week|in the spring|for the third time|after a long debate|without much noise|near the river".split("|")

MENU = "".join(f"<li><a href='/{name}/'>{name.title()}</a></li>" for name in "news sport culture weather town".split())
FOOTER = "<div class=foot><p>Copyright The Heron. Write to the editors, or visit our office in Mill Street.</p></div>"


def sentence(random: Random) -> str:
    """Something that somebody might write."""
    first, second, third, fourth = (f"the {random.choice(_ADJECTIVES)} {random.choice(_NOUNS)}" for _ in range(4))
    verb, other = random.choice(_VERBS), random.choice(_VERBS)
    return f"{first} {verb} {second}, and {third} {other} {fourth} {random.choice(_ENDS)}.".capitalize()


@cache
def headline(number: int) -> str:
    """Return the headline of an article."""
    random = Random(number)
    return " ".join(map(random.choice, (_ADJECTIVES, _NOUNS, _VERBS, _NOUNS))).capitalize()


@cache
def body(number: int) -> tuple[str, ...]:
    """The paragraphs of an article."""
    random = Random(f"body {number}")
    return tuple(
        " ".join(sentence(random) for _ in range(random.randrange(2, 5))) for _ in range(random.randrange(3, 8))
    )


def framed(title: str, content: str, frame: str = "wrap") -> str:
    """Return a page in the frame of the site.

    :param frame: the class of the element around.
    """
    latest = "".join(f"<li><a href='/story/{n}.html'>{headline(n)}</a></li>" for n in range(900, 906))
    return (
        f"<!doctype html><html><head><title>{title} | The Heron</title></head><body><div class=head><ul>{MENU}</ul>"
        f"</div><div class={frame}>{content}</div><div class=side><h3>Latest</h3><ul>{latest}</ul></div>{FOOTER}</body>"
    )


def story(number: int) -> str:
    """An article in the first layout."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in body(number))
    return framed(
        headline(number),
        f"<h1 class=headline>{headline(number)}</h1><p class=byline>By Marta Quill, {number % 28 + 1} March 2025</p>"
        f"<div class=story>{text}</div><div class=related><h4>Read on</h4><a href='/story/{number + 1}.html'>"
        f"{headline(number + 1)}</a></div>",
    )


def relaunched(number: int) -> str:
    """Return an article after the redesign: new names, a new order, promos between its paragraphs."""
    text = "<div class=promo>Subscribe to our letter for the harbour news.</div>".join(
        f"<div class=c-text><p>{paragraph}</p></div>" for paragraph in body(number)
    )
    return (
        f"<!doctype html><html><head><title>{headline(number)} - Heron Online</title></head><body><main id=app>"
        f"<article><header><h1>{headline(number)}</h1><span class=c-meta>5 min read</span></header>"
        f"<section class=c-body>{text}</section></article><nav class=c-nav><ul>{MENU}</ul></nav></main>"
        "<footer class=c-foot>The Heron, Mill Street.</footer></body></html>"
    )


def article(number: int, make: Callable[[int], str] = story, url: str = "/story/{}.html") -> Visit:
    """An article."""
    return Visit(f"https://{SITE}{url.format(number)}", make(number), "\n".join(body(number)))


def list_page(number: int) -> Visit:
    """A list of articles."""
    entries = "".join(
        f"<li class=teaser><h2><a href='/story/{n}.html'>{headline(n)}</a></h2><p>{body(n)[0][:140]}</p></li>"
        for n in range(10 * number, 10 * number + 10)
    )
    return Visit(
        f"https://{SITE}/news/?page={number}", framed("News", f"<h1>News</h1><ul class=teasers>{entries}</ul>"), None
    )


def calendar(number: int) -> Visit:
    """A month of events."""
    days = "".join(f"<td><a href='/events/{number}/{day}'>{day}</a></td>" for day in range(1, 29))
    html = framed("Events", f"<h1>Month {number}</h1><table class=month><tr>{days}</tr></table>")
    return Visit(f"https://{SITE}/events/{number}", html, None)


def wall(name: str, number: int) -> Visit:
    """A placeholder with status 200."""
    path = f"/story/blocked-{number}.html"
    return Visit(f"https://{SITE}{path}", WALLS[name].html(path), "")


def mixed(*parts: Sequence[Visit], seed: int = 0) -> list[Visit]:
    """Pages in no order."""
    visits = list(chain(*parts))
    Random(seed).shuffle(visits)
    return visits


def articles(first: int = 0, count: int = ARTICLES, make: Callable[[int], str] = story) -> list[Visit]:
    """Articles of one layout."""
    return [article(number, make) for number in range(first, first + count)]


# The crawls


def scenarios() -> Mapping[str, Callable[[], Sequence[Visit]]]:
    """Return all scenarios by name."""
    lists, months = [list_page(number) for number in range(40)], [calendar(number) for number in range(40)]
    half = ARTICLES // 2
    sequences: dict[str, Callable[[], Sequence[Visit]]] = {
        "articles alone": articles,
        "lists first": lambda: [*lists, *articles()],
        "a calendar first": lambda: [*months, *articles()],
        "one section first": lambda: [*articles(0, 40), *_sections(40)],
        "a redesign at half": lambda: [*articles(0, half), *articles(half, half, relaunched)],
        "A/B from the start": lambda: mixed(articles(0, half), articles(half, half, relaunched)),
        "A/B after the sample": lambda: [*articles(0, 40), *mixed(articles(40, half), articles(200, half, relaunched))],
        "one in ten an error": lambda: mixed(articles(), _errors(ARTICLES // 9)),
        "half soft errors": lambda: mixed(articles(), [wall("soft 404", number) for number in range(ARTICLES)]),
        "half walls of consent": lambda: mixed(articles(), [wall("consent in the frame", n) for n in range(ARTICLES)]),
        "identifiers of sessions": _sessions,
        "mirrors": lambda: mixed(articles(), [article(n, url="/print/{}.html") for n in range(ARTICLES)]),
        "lists, errors and articles": lambda: mixed(lists, articles(), _errors(20)),
    }
    for name in WALLS:
        sequences[f"25 times first: {name}"] = partial(_walls_first, name)
    return sequences


def _walls_first(name: str) -> list[Visit]:
    return [*(wall(name, number) for number in range(25)), *articles()]


def _sections(first: int) -> list[Visit]:
    """Articles of a section with a layout of its own."""

    def page(number: int) -> str:
        text = "".join(f"<p>{paragraph}</p>" for paragraph in body(number))
        content = f"<h2 class=dish>{headline(number)}</h2><div class=recipe>{text}</div>"
        return framed(headline(number), content, "kitchen")

    return [article(number, page, "/kitchen/{}.html") for number in range(first, first + ARTICLES)]


def _errors(count: int) -> list[Visit]:
    """Placeholders of all sorts."""
    return [wall(sorted(WALLS)[number % len(WALLS)], number) for number in range(count)]


def _sessions() -> list[Visit]:
    """Each article under three addresses."""
    addresses = (f"?sid={Random(number).getrandbits(64):x}" for number in range(3 * ARTICLES))
    return [article(number // 3, url="/story/{}.html" + query) for number, query in enumerate(addresses)]


# Results


@dataclass(frozen=True, slots=True)
class Outcome:
    """Results of a crawl."""

    f1: float  # the mean of its articles, 0 for articles without text
    with_text: float  # the share of articles with text
    matched: float  # the share of articles with a known layout
    walls_with_text: float | None  # the share of placeholders with text, which should be 0; ``None`` without any


def outcome(visits: Iterable[Visit], results: Iterable[tuple[str, bool]]) -> Outcome:
    """Return the results of a crawl.

    :param results: for each page the text of its item, and True if matched.
    """
    pages = [(visit.text, *result) for visit, result in zip(visits, results, strict=True) if visit.text is not None]
    wanted = [(gold, text, is_matched) for gold, text, is_matched in pages if gold]
    walls = [bool(text) for gold, text, _ in pages if not gold]
    return Outcome(
        f1=statistics.fmean(score(text, gold).f1 for gold, text, _ in wanted),
        with_text=statistics.fmean(bool(text) for _, text, _ in wanted),
        matched=statistics.fmean(is_matched for _, _, is_matched in wanted),
        walls_with_text=statistics.fmean(walls) if walls else None,
    )


class _FromMemory:
    """A downloader middleware that answers with the pages of a scenario."""

    def __init__(self, visits: Sequence[Visit]) -> None:
        self._by_url = {visit.url: visit for visit in visits}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> _FromMemory:
        """Called by Scrapy."""
        return cls(crawler.settings["VISITS"])

    def process_request(self, request: Request, spider: Spider | None = None) -> HtmlResponse:
        """The answer to a request."""
        visit = self._by_url[request.url]
        return HtmlResponse(request.url, visit.status, body=visit.html, encoding="utf-8", request=request)


class _Visiting(Spider):
    """Asks for the pages in their order; an item a page."""

    name = "visiting"
    handle_httpstatus_all = True

    async def start(self) -> AsyncIterator[Request]:
        for visit in self.settings["VISITS"]:
            yield Request(visit.url, dont_filter=True, meta={"handle_httpstatus_all": True})

    def parse(self, response: Response, **_: object) -> Iterator[dict[str, str]]:
        yield {"url": response.url}


def crawled(visits: Sequence[Visit]) -> list[tuple[str, bool]]:
    """Return for each page the text of its item after a learning crawl, page by page, and True if matched. To be called
    once in a process."""
    items: dict[str, Any] = {}

    def scraped(item: dict[str, Any]) -> None:
        items[item["url"]] = item

    with TemporaryDirectory() as folder:
        settings = {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            # An item a response; its callback is known to be right.
            "CONCURRENT_ITEMS": 1,
            "CONCURRENT_REQUESTS": 1,
            "DOWNLOADER_MIDDLEWARES": {_FromMemory: 1},
            "LOG_LEVEL": "ERROR",
            "STEMMER_FIELDS": ["matched"],
            "STEMMER_LEARN": True,
            "STEMMER_PATTERNS": f"{folder}/patterns.jsonl",
            "STEMMER_STATE_DIR": folder,
            "TELNETCONSOLE_ENABLED": False,
            "VISITS": visits,
            "WARN_ON_GENERATOR_RETURN_VALUE": False,
        }
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(_Visiting)
        crawler.signals.connect(scraped, signals.item_scraped)
        process.crawl(crawler)
        process.start()
    return [(items[visit.url]["text"] or "", items[visit.url]["stemmer_matched"]) for visit in visits]


def measured(name: str) -> Outcome:
    """Return the results of a scenario, in a new process, as a reactor runs once."""
    visits = scenarios()[name]()
    return outcome(visits, crawled(visits))


def outcomes(names: Sequence[str]) -> list[Outcome]:
    """Return the results of scenarios."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        return list(pool.map(measured, names))


OF_WALLS = "25 times first: "
"""Beginning of the names of scenarios with a placeholder."""


def report(names: Sequence[str]) -> str:
    """Return the table, with the worst of all placeholders in one row."""
    found = dict(zip(names, outcomes(names), strict=True))
    rows = [[name, *_cells(outcome)] for name, outcome in found.items() if not name.startswith(OF_WALLS)]
    walls = [outcome for name, outcome in found.items() if name.startswith(OF_WALLS)]
    if walls:
        worst = Outcome(
            min(each.f1 for each in walls),
            min(each.with_text for each in walls),
            min(each.matched for each in walls),
            max(each.walls_with_text or 0 for each in walls),
        )
        rows.append([f"{OF_WALLS}the worst of {len(walls)} placeholders", *_cells(worst)])
    return table(["", "F1", "with text", "placeholders with text", "matched"], rows)


def _cells(outcome: Outcome) -> list[str]:
    shares = outcome.f1, outcome.with_text, outcome.walls_with_text, outcome.matched
    return [percent(share, 1) for share in shares]


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scenarios", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the names of the scenarios; default: all")
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    names = [name for name in scenarios() if not options.words or any(word in name for word in options.words)]
    publish(report(names), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = """# Crawls that begin badly: measured

Written by `python -m benchmarks.scenarios --write`: real crawls that learn (`STEMMER_LEARN`, all else by default) of a
site that is made up, met in orders that real crawls have, one page after the other. Means over the site's articles, in
hundredths, also of those in the sample; *matched* is the share of them that a pattern fits. Placeholders are errors,
walls, logins: they should have no text."""

if __name__ == "__main__":
    sys.exit(main())
