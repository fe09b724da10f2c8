"""Real crawls that keep their learned pages for a report."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import pages_of_sources
from scrapy_stemmer.page.document import Page
from tests.commands.subcommand import run
from tests.crawl.conftest import Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.test_waiting_crawls import until
from tests.crawl.website import Article, Website


def kept(path: Path) -> list[Page]:
    return list(pages_of_sources([str(path)], LeftOut()))


@pytest.mark.parametrize("name", ["pages.jsonl", "kept/%(spider)s.jsonl.gz"])
def test_the_sample_is_kept_and_a_report_can_be_made_of_it(crawl: Crawler, website: Website, name: str) -> None:
    urls = [website.url(f"/{number}.html") for number in range(8)]
    for number in range(8):
        website.add(f"/{number}.html", Article(number).html())
    path = crawl.folder / name.replace("%(spider)s", "plain")
    done = crawl("plain", *urls, STEMMER_KEEP_PAGES=str(crawl.folder / name), **LEARN)
    pages = kept(path)
    assert len(done.by_url) == 8
    assert {page.url for page in pages} == set(urls)
    assert {page.html for page in pages} == {Article(number).html() for number in range(8)}
    assert f"Written to {crawl.folder / 'patterns.jsonl'}: 1 site. To look: scrapy stemmer report " in done.log
    assert f" --pages {path} -o report, then open report/index.html" in done.log
    (told,) = run("report", crawl.folder / "patterns.jsonl", "--pages", path, "-o", crawl.folder / "report")
    assert told.startswith("1 site")


def test_a_crawl_does_not_begin_with_a_file_that_cannot_be_written(crawl: Crawler, website: Website) -> None:
    blocked = crawl.folder / "file"
    blocked.write_text("")
    done = crawl("plain", website.url("/"), STEMMER_KEEP_PAGES=str(blocked / "pages.jsonl"), ok=False, **LEARN)
    assert "SettingError: STEMMER_KEEP_PAGES = " in done.log
    assert website.asked == []


def test_a_file_of_pages_that_becomes_unwritable_costs_no_item(crawl: Crawler, website: Website) -> None:
    for number in range(4):
        website.add(f"/{number}.html", Article(number).html(), seconds=0.5)
    kept = crawl.folder / "kept"
    urls = [website.url(f"/{number}.html") for number in range(4)]
    process = crawl.start("plain", *urls, STEMMER_KEEP_PAGES=str(kept / "pages.jsonl"), **LEARN)
    until(lambda: bool(website.asked))
    kept.rmdir()
    kept.write_text("")
    done = crawl.wait(process, ok=False)
    assert all(item["text"] for item in done.items)
    assert len(done.items) == 4
    assert "STEMMER_KEEP_PAGES" in done.log


def test_a_second_crawl_adds_its_pages(crawl: Crawler, website: Website) -> None:
    path = crawl.folder / "pages.jsonl.gz"
    for first in (0, 4):
        for number in range(first, first + 4):
            website.add(f"/{number}.html", Article(number).html())
        urls = [website.url(f"/{number}.html") for number in range(first, first + 4)]
        crawl("plain", *urls, STEMMER_KEEP_PAGES=str(path), **{**LEARN, "STEMMER_LEARN": "again"})
    with gzip.open(path) as lines:
        assert len(list(lines)) == 8
