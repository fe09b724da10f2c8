"""Share of articles among the first 50 requests of ``scrapy stemmer crawl``, beside those of a crawl breadth first.

    python -m benchmarks.navigation --write      # all sites; takes two minutes
    python -m benchmarks.navigation flat

The stored sets hardly link to each other, so the sites are made: menus, sections, tags, authors, archives by month and
pages about the publisher, as six common systems have them. Their words are drawn at random, with fixed seeds. Sitemaps
are not read, since they would name all articles.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.progress import say
from benchmarks.sets import ROOT
from benchmarks.tables import publish, table
from tests.crawl.website import Website, sentence

TARGET = ROOT / "benchmarks" / "results" / "navigation.md"

FIRST = 50  # requests that are looked at, without that for robots.txt
ARTICLES, PER_LIST = 300, 15

Links = Mapping[str, str]
"""Texts of links, by address."""

SECTIONS = (
    "Town Region Country World Business Sport Culture Science Health Travel Motoring Property Opinion Weather".split()
)
ABOUT = [
    "About us", "Contact", "Privacy policy", "Terms of use", "Cookie settings", "Advertise with us", "Work with us",
    "Subscribe to the printed paper", "How we report and correct our mistakes", "Help and frequently asked questions",
    "Imprint", "Newsletter",
]  # fmt: skip
NAMES = [f"{first} {last}" for first in "Ann Ben Cleo Dan Eve".split() for last in "Hall Okafor Lind".split()]
TAGS = [f"{one} {other}" for one in "old green new river city".split() for other in "bridge market school".split()]


def slug(text: str) -> str:
    return "-".join(text.lower().split())


def anchors(links: Links) -> str:
    return " ".join(f"<a href='{url}'>{text}</a>" for url, text in links.items())


class MadeSite:
    """A site of articles and of the pages that lead to them.

    :param article: the form of the articles' addresses.
    :param menu: sections, on each page.
    :param about: pages about the publisher, at the foot of each page.
    :ivar pages: HTML by address.
    :ivar articles: the addresses of articles, the newest first.
    """

    def __init__(self, name: str, article: str, menu: Links, about: Links) -> None:
        self.name, self.menu, self.about = name, dict(menu), dict(about)
        self.pages: dict[str, str] = {}
        self.words = random.Random(name)
        self.titles = [sentence(self.words, self.words.randint(4, 9)).rstrip(".") for _ in range(ARTICLES)]
        self.articles = [
            article.format(
                n=90_000 - 7 * number,
                slug=slug(title),
                date=f"{2025 - number // 100}/{12 - number // 9 % 12:02}",
                section=SECTIONS[number % len(SECTIONS)].lower(),
            )
            for number, title in enumerate(self.titles)
        ]

    def linked(self, *numbers: int) -> Links:
        return {self.articles[number % ARTICLES]: self.titles[number % ARTICLES] for number in numbers}

    def add(self, url: str, title: str, body: str, beside: Links | None = None) -> None:
        self.pages[url] = (
            f"<!DOCTYPE html><html><head><title>{title} | {self.name}</title></head><body>"
            f"<header><a href='/'>{self.name}</a><nav>{anchors(self.menu)}</nav></header><main><h1>{title}</h1>{body}"
            f"</main><aside>{anchors(beside or {})}</aside><footer>{anchors(self.about)}<p>Printed by {self.name}, all "
            "rights reserved.</p></footer></body></html>"
        )

    def add_list(self, url: str, title: str, numbers: Iterable[int], further: str) -> None:
        """Add a list of articles in parts that lead to each other, the later ones at addresses of a form."""
        shown = list(numbers)
        parts = {
            further.format(start // PER_LIST + 1) if start else url: shown[start : start + PER_LIST]
            for start in range(0, len(shown), PER_LIST)
        }
        pager = {part: str(number) for number, part in enumerate(parts, 1)}
        for part, listed in parts.items():
            teasers = "".join(
                f"<div class='teaser'><h2>{anchors(self.linked(number))}</h2><p>{sentence(self.words)} "
                f"{anchors(dict.fromkeys(self.linked(number), 'Read more'))}</p></div>"
                for number in listed
            )
            self.add(part, title, f"{teasers}<div class='pager'>{anchors(pager)}</div>")

    def add_lists(self, lists: Links, further: str) -> None:
        """Add lists that share the articles among them; the form of their later parts has the address before it."""
        for number, (url, title) in enumerate(lists.items()):
            self.add_list(url, title, range(number, ARTICLES, len(lists)), url + further)

    def finish(self, labels: Callable[[int], Links], beside: Callable[[int], Links]) -> MadeSite:
        """Add the articles, with their labels below and other links beside them, and the pages about the publisher."""
        for number, url in enumerate(self.articles):
            text = "".join(f"<p>{' '.join(sentence(self.words) for _ in range(5))}</p>" for _ in range(5))
            self.add(url, self.titles[number], f"{text}<p class='labels'>{anchors(labels(number))}</p>", beside(number))
        for url, title in {**self.about, **self.menu}.items():
            if url not in self.pages:
                self.add(url, title, f"<p>{' '.join(sentence(self.words) for _ in range(9))}</p>")
        return self


def named(form: str, names: Sequence[str]) -> dict[str, str]:
    """Return names by their addresses, of a form with the name or its number."""
    return {form.format(slug(name), n=number): name for number, name in enumerate(names, 1)}


def of(lists: Links, *numbers: int) -> Links:
    """Return some of the links."""
    links = list(lists.items())
    return dict(links[number % len(links)] for number in numbers)


def blog() -> MadeSite:
    """A blog with dates in addresses, tags, authors, months and replies."""
    about = named("/{}/", ABOUT[:8]) | {"/wp-login.php": "Log in"}
    site = MadeSite("The Notebook", "/{date}/{slug}/", named("/category/{}/", SECTIONS[:8]), about)
    tags, authors = named("/tag/{}/", TAGS), named("/author/{}/", NAMES)
    months = {url[:9]: url[1:8] for url in site.articles}
    site.add_list("/", "Latest", range(ARTICLES), "/page/{}/")
    for lists in (site.menu, tags, authors, months):
        site.add_lists(lists, "page/{}/")
    return site.finish(
        lambda n: {**of(authors, n), **of(tags, n)},
        lambda n: {**site.linked(n + 1), f"{site.articles[n]}?replytocom=1": "Reply", **tags, **months},
    )


def daily() -> MadeSite:
    """A newspaper with sections in addresses, topics of several words and pages of video."""
    sections = named("/{}/", SECTIONS)
    below = {f"{url}{slug(tag)}/": tag for url in list(sections)[:6] for tag in TAGS[:4]}
    site = MadeSite("Daily Courier", "/{section}/{slug}-{n}.html", sections | below, named("/service/{}", ABOUT))
    topics = named("/topics/{}/", TAGS)
    site.add_list("/", "Today", range(40), "/?page={}")
    for lists in (sections, below, topics):
        site.add_lists(lists, "?page={}")
    return site.finish(lambda n: {**of(topics, n), f"/video/{n}": "Video"}, lambda n: site.linked(*range(n + 1, n + 6)))


def numbers() -> MadeSite:
    """A portal whose addresses are numbers alone, of articles as of lists."""
    site = MadeSite("Portal", "/a/{n}", named("/s/{n}", SECTIONS), named("/p/{n}", ABOUT))
    tags = named("/t/{n}", TAGS)
    site.add_list("/", "Portal", range(20), "/s/0/{}")
    site.add_lists(site.menu, "/{}")
    site.add_lists(tags, "/{}")
    return site.finish(lambda n: of(tags, n, n + 7), lambda n: site.linked(n + 3, n + 4))


def queries() -> MadeSite:
    """An old system with one script, a calendar, and a page to print of each article."""
    sections = named("/index.php?cat={n}", SECTIONS[:9])
    site = MadeSite("Village News", "/index.php?id={n}", sections, named("/index.php?page={}", ABOUT[:7]))
    calendar = {f"/index.php?year=2025&month={month}": str(month) for month in range(1, 13)}
    site.add_list("/", "News", range(30), "/index.php?start={}")
    site.add_lists(sections, "&start={}")
    site.add_lists(calendar, "&start={}")
    return site.finish(
        lambda n: {f"/print.php?id={n}": "Print", f"/mail.php?id={n}": "Send", **of(sections, n)},
        lambda n: {**calendar, **site.linked(n + 1)},
    )


def flat() -> MadeSite:
    """A magazine whose articles, topics and pages about itself stand side by side."""
    site = MadeSite("Magazine", "/{slug}", named("/{}", TAGS), named("/{}", ABOUT))
    authors = named("/{}", NAMES)
    site.add_list("/", "Magazine", range(20), "/?p={}")
    site.add_lists(site.menu, "?p={}")
    site.add_lists(authors, "?p={}")
    return site.finish(lambda n: {**of(authors, n), **of(site.menu, n)}, lambda n: site.linked(n + 2, n + 30))


def static() -> MadeSite:
    """A site of a generator: posts in a folder, tags, series, and an archive of all posts."""
    menu = named("/{}/", ["Posts", "Tags", "Series", "Projects", "About"])
    site = MadeSite("Field Notes", "/posts/{slug}/", menu, named("/{}/", ABOUT[1:5]))
    tags, series = named("/tags/{}/", TAGS), named("/series/{}/", [f"The {tag}" for tag in TAGS[:6]])
    site.add_list("/", "Field Notes", range(60), "/page/{}/")
    site.add_list("/posts/", "Posts", range(ARTICLES), "/posts/page/{}/")
    for url, lists in (("/tags/", tags), ("/series/", series)):
        site.add(url, menu[url], anchors(lists))
        site.add_lists(lists, "page/{}/")
    return site.finish(lambda n: of(tags, n, 2 * n, 4 * n), lambda n: site.linked(n + 1))


SITES = {made.__name__: made for made in (blog, daily, numbers, queries, flat, static)}

SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class BreadthFirst(CrawlSpider):
    name = "breadth_first"
    start_urls = ["URL"]
    allowed_domains = ["localhost"]
    rules = [Rule(LinkExtractor(), follow=True)]
    custom_settings = {
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    }
"""
"""Spider that crawls breadth first, as the documentation of Scrapy says."""

FAIR = "-s DOWNLOAD_DELAY=0.1 -s CONCURRENT_REQUESTS_PER_DOMAIN=1 -s CLOSESPIDER_PAGECOUNT=60".split()
COMMANDS = {
    "crawl": ["stemmer", "crawl", "URL", "-o", "pages.jsonl", "--no-sitemaps", *FAIR],
    "breadth first": ["runspider", "spider.py", "-s", "LOG_ENABLED=0", *FAIR],
}


def first_asked(site: MadeSite, command: Sequence[str]) -> list[str]:
    """Return the first addresses that a command of Scrapy asks a site for."""
    with Website() as website, tempfile.TemporaryDirectory() as folder:
        front = website.url("/", "localhost")
        Path(folder, "spider.py").write_text(SPIDER.replace("URL", front), encoding="utf-8")
        for url, html in site.pages.items():
            website.add(url, html)
        words = [front if word == "URL" else word for word in command]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-m", "scrapy", *words], cwd=folder, capture_output=True, check=True, env=environment
        )
        return [url for url in website.asked if url != "/robots.txt"][:FIRST]


def share_of_articles(site: MadeSite, asked: Sequence[str]) -> float:
    """Return the share of articles, each counted once, among the first requests."""
    return len({*asked[:FIRST]} & {*site.articles}) / FIRST


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.navigation", description=__doc__)
    command.add_argument("sites", nargs="*", metavar="SITE", help=f"of {', '.join(SITES)}; default: all")
    command.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    options = command.parse_args(arguments)
    rows: dict[str, list[float]] = {}
    for name in options.sites or SITES:
        site = SITES[name]()
        asked = {spider: first_asked(site, words) for spider, words in COMMANDS.items()}
        for spider, urls in asked.items():
            say(f"{name}, {spider}: {' '.join(('+' if url in site.articles else '-') + url for url in urls)}")
        rows[name] = [share_of_articles(site, urls) for urls in asked.values()]
    rows["mean"] = [mean(shares) for shares in zip(*rows.values(), strict=True)]
    lines = ([name, f"{ours:.2f}", f"{other:.2f}", f"{ours / other:.1f}"] for name, (ours, other) in rows.items())
    publish(table(["site", *COMMANDS, "times"], lines), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = """# The order of a crawl: measured

Written by `python -m benchmarks.navigation --write`: the share of articles among the first 50 requests of `scrapy
stemmer crawl --no-sitemaps` and of a spider of Scrapy that crawls breadth first. The sites are made, since the stored
sets hardly link to each other; their systems are those of
[benchmarks/navigation.py](../navigation.py). How the order comes about: [crawl](../../docs/commands.md#crawl)."""

if __name__ == "__main__":
    sys.exit(main())
