"""Feeds of real crawls: all columns are there, whatever page comes first."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

from scrapy_stemmer.settings import RESULT_FIELDS
from tests.crawl.conftest import EVERY_RESULT, Crawler
from tests.crawl.website import Article, Website

COLUMNS = ["url", *(RESULT_FIELDS[name] for name in EVERY_RESULT)]

Row = dict[str, str | None]


def read_csv(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: value or None for name, value in row.items()} for row in csv.DictReader(file)]


def read_lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_xml(path: Path) -> list[Row]:
    """Scrapy writes None as a word there."""
    root = ElementTree.parse(path).getroot()
    return [{field.tag: None if field.text == "None" else field.text for field in item} for item in root]


def test_the_first_items_may_have_no_text(crawl: Crawler, website: Website) -> None:
    website.add("/pdf", b"%PDF-1.7", content_type="application/pdf")
    website.add("/blank", "<body>")
    website.add("/a.html", Article(3).html())
    forms = {"csv": read_csv, "jsonlines": read_lines, "xml": read_xml}
    feeds = {str(crawl.folder / form): {"format": form} for form in forms}
    urls = [website.url(path) for path in ("/pdf", "/blank", "/a.html")]
    crawl("plain", *urls, FEEDS=feeds, CONCURRENT_REQUESTS=1)
    for form, read in forms.items():
        *empty, full = read(crawl.folder / form)
        assert [list(row) for row in (*empty, full)] == [COLUMNS] * 3
        assert [(row["text"], row["title"]) for row in empty] == [(None, None)] * 2
        assert [row["stemmer_reason"] for row in empty] == ["not_html", "empty"]
        assert full["text"] is not None
        assert full["text"].splitlines()[-3:] == Article(3).body
        assert full["stemmer_reason"] is None


def test_markdown_is_a_feed_of_every_project_in_a_file_or_in_a_folder(crawl: Crawler, website: Website) -> None:
    website.add("/a.html", Article(3).html())
    website.add("/b.html", Article(4).html())
    website.add("/video/c.html", Article(5).html())
    one, folder, left_out = crawl.folder / "pages.md", crawl.folder / "pages", crawl.folder / "left-out.csv"
    listed = {"format": "csv", "fields": ["url", "stemmer_reason"], "item_filter": "tests.crawl.documented.WithoutText"}
    feeds = {str(one): {"format": "md"}, f"folder:{folder}": {"format": "md"}, str(left_out): listed}
    fields = {"markdown": "body", "text": None, "confidence": None}
    urls = [website.url(path) for path in ("/a.html", "/b.html", "/video/c.html")]
    crawl("plain", *urls, FEEDS=feeds, STEMMER_FIELDS=fields, STEMMER_URL_RULES="-/video/ +.")
    assert read_csv(left_out) == [{"url": urls[2], "stemmer_reason": "rejected"}]
    pages = sorted(folder.rglob("*.md"))
    assert [page.name for page in pages] == ["a.md", "b.md"]
    first, second = (page.read_text(encoding="utf-8") for page in pages)
    front_matter = f'---\ntitle: "{Article(3).headline}"\nurl: "{website.url("/a.html")}"\n---\n'
    paragraphs = "\n\n".join([f"# {Article(3).headline}", *Article(3).body])
    assert first == f"{front_matter}\n{paragraphs}\n"
    # The crawl asks for both pages at once.
    assert one.read_text(encoding="utf-8") in (f"{first}\n{second}\n", f"{second}\n{first}\n")
