"""Items with fields of the user's own, and a table of them by ``scrapy stemmer crawl``."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from scrapy_stemmer import Page, SettingError, learn
from scrapy_stemmer.crawl.pages import ItemPage
from tests import processes
from tests.crawl.test_pipeline import Harness
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
    return path


def test_items_have_the_named_fields(website: Website, patterns: Path, caplog: pytest.LogCaptureFixture) -> None:
    asked = ["stock", "sizes", "price", "headings", "weight"]
    strip = Harness(patterns, STEMMER_FIELDS=asked)
    _, item = (strip.of({}, ItemPage(website.url(f"/{number}"), thing(number))) for number in (40, 41))
    assert [item[name] for name in asked[:3]] == ["41 left", ["S41", "M41"], "41.50"]
    assert item["headings"] == [
        {"level": 1, "text": Article(41).headline, "anchor": ""},
        {"level": 2, "text": "More", "anchor": "more"},
    ]
    assert strip.stats["stemmer/fields/failed/weight"] == 2
    assert caplog.text.count("The rule 'weight //p[lower(.)]' fails on") == 1


def test_a_field_that_no_site_has_ends_the_crawl_before_it_begins(patterns: Path) -> None:
    with pytest.raises(SettingError, match=r"there is no 'stok'; it is no result, and no site of .* URL stok VALUE"):
        Harness(patterns, STEMMER_FIELDS=["stok"])


def test_tables_have_them_as_columns(tmp_path: Path, scratch: Path, website: Website, patterns: Path) -> None:
    for number in (40, 41):
        website.add(f"/{number}", thing(number))
    website.add("/", f"<a href='/40'>{Article(40).headline}</a> <a href='/41'>{Article(41).headline}</a>")
    settings = {"DOWNLOAD_DELAY": 0, "STEMMER_KINDS": "", "STEMMER_PATTERNS": patterns}
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    words = ("stemmer", "crawl", website.url("/"), "-o", "x.csv", "--fields", "stock,price,sizes", *given)
    done = processes.scrapy(*words, folder=tmp_path, scratch=scratch)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["url"]: row for row in csv.DictReader(file)}
    found = rows[website.url("/40")]
    assert [found[name] for name in ("stock", "price", "sizes")] == ["40 left", "40.50", "S40; M40"]
