"""Real crawls that keep their learned pages for a report."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import pages_of_sources
from scrapy_stemmer.page.document import Page
from tests.commands.subcommand import run
from tests.crawl.conftest import Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Article, Website
from tests.processes import until


def kept(path: Path) -> list[Page]:
    return list(pages_of_sources([str(path)], LeftOut()))


def test_each_crawl_adds_its_sample_and_a_report_can_be_made_of_them(crawl: Crawler, website: Website) -> None:
    path = crawl.folder / "kept" / "plain.jsonl.gz"
    settings = {"STEMMER_KEEP_PAGES": str(crawl.folder / "kept" / "%(spider)s.jsonl.gz"), "STEMMER_LEARN": "again"}
    for number in range(8):
        website.add(f"/{number}.html", Article(number).html())
    for first in (0, 4):
        urls = [website.url(f"/{number}.html") for number in range(first, first + 4)]
        done = crawl("plain", *urls, **settings)
    pages = kept(path)
    assert {page.url: page.html for page in pages} == {
        website.url(f"/{number}.html"): Article(number).html() for number in range(8)
    }
    assert len(pages) == len(done.by_url) == 8
    assert f"Written to {crawl.folder / 'patterns.jsonl'}: 1 site. To look: scrapy stemmer report " in done.log
    assert f" --pages {path} -o report, then open report/index.html" in done.log
    (told,) = run("report", crawl.folder / "patterns.jsonl", "--pages", path, "-o", crawl.folder / "report")
    assert told.startswith("1 site")


def test_a_file_of_pages_that_becomes_unwritable_costs_no_item(crawl: Crawler, website: Website) -> None:
    in_the_way = Event()
    for number in range(4):
        website.add(f"/{number}.html", Article(number).html(), when=in_the_way.is_set)
    kept = crawl.folder / "kept"
    urls = [website.url(f"/{number}.html") for number in range(4)]
    process = crawl.start("plain", *urls, STEMMER_KEEP_PAGES=str(kept / "pages.jsonl"), **LEARN)
    until(lambda: bool(website.asked))
    kept.write_text("")
    in_the_way.set()
    done = crawl.wait(process, ok=False)
    assert all(item["text"] for item in done.items)
    assert len(done.items) == 4
    assert "STEMMER_KEEP_PAGES" in done.log
