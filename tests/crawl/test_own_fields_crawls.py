"""Real crawls whose items have fields of the user's own, and others than the text."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from scrapy_stemmer import Page, learn
from tests import processes
from tests.crawl.conftest import Crawler
from tests.crawl.website import Article, Website

RULES = """  {"field": "stock", "at": ".stock"},
  {"field": "weight", "at": "//p[lower(.)]"},
  {"field": "sizes", "at": "//ul[@class='sizes']/li", "all": true},
"""


def thing(number: int) -> str:
    """Return the page of a product."""
    sizes = f"<ul class='sizes'><li>S{number}</li><li>M{number}</li></ul>"
    data = f'{{"@type": "Product", "name": "{Article(number).headline}", "offers": {{"price": "{number}.5"}}}}'
    line = f"<p class='stock'>{number} left</p>{sizes}<script type='application/ld+json'>{data}</script>"
    return Article(number).html(f"<h2 id='more'>More</h2><p>{Article(number + 100).body[0]}</p>{line}")


@pytest.fixture
def patterns(tmp_path: Path, website: Website) -> Path:
    """Write the pattern file of the website, with two fields of the user's own."""
    path = tmp_path / "patterns.jsonl"
    learn([Page(website.url(f"/{n}"), thing(n)) for n in range(6)]).save(str(path))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"rules": [\n', f'"rules": [\n{RULES}', 1), encoding="utf-8")
    for number in (40, 41):
        website.add(f"/{number}", thing(number))
    return path


def test_items_have_the_fields_that_the_setting_names(crawl: Crawler, website: Website, patterns: Path) -> None:
    table = crawl.folder / "x.csv"
    feeds = {str(crawl.folder / "items.jsonl"): {"format": "jsonlines"}, str(table): {"format": "csv"}}
    asked = ["stock", "sizes", "price", "headings", "weight"]
    settings = {"FEEDS": feeds, "STEMMER_FIELDS": asked, "STEMMER_LEARNER": "rules"}
    done = crawl("plain", website.url("/40"), website.url("/41"), **settings)
    item = done.by_url[website.url("/41")]
    assert [item[name] for name in asked[:3]] == ["41 left", ["S41", "M41"], "41.50"]
    assert item["headings"] == [
        {"level": 1, "text": Article(41).headline, "anchor": ""},
        {"level": 2, "text": "More", "anchor": "more"},
    ]
    with table.open(encoding="utf-8", newline="") as file:
        rows = {row["url"]: row for row in csv.DictReader(file)}
    assert rows[website.url("/40")]["stock"] == "40 left"
    assert done.stats["stemmer/fields/failed/weight"] == 2
    assert done.log.count("The rule 'weight //p[lower(.)]' fails on") == 1


def test_a_field_that_no_site_has_ends_the_crawl_before_it_begins(
    crawl: Crawler, website: Website, patterns: Path
) -> None:
    done = crawl("plain", website.url("/40"), ok=False, STEMMER_FIELDS=["stok"], STEMMER_LEARNER="rules")
    assert done.items == []
    assert "there is no 'stok'; it is no result, and no site of" in done.log
    assert f"scrapy stemmer teach {patterns} --example URL stok VALUE" in done.log


def test_the_table_of_the_command_has_them_as_columns(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, website: Website, patterns: Path
) -> None:
    website.add("/", f"<a href='/40'>{Article(40).headline}</a> <a href='/41'>{Article(41).headline}</a>")
    settings = {"DOWNLOAD_DELAY": 0, "STEMMER_KINDS": "", "STEMMER_PATTERNS": patterns}
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    words = ("stemmer", "crawl", website.url("/"), "-o", "x.csv", "--fields", "stock,price,sizes", *given)
    done = processes.scrapy(*words, folder=tmp_path, scratch=tmp_path_factory.mktemp("said"))
    assert done.returncode == 0, done.stderr
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["url"]: row for row in csv.DictReader(file)}
    found = rows[website.url("/40")]
    assert [found[name] for name in ("stock", "price", "sizes")] == ["40 left", "40.50", "S40; M40"]
