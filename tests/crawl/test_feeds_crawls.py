"""Feeds of a real crawl."""

from __future__ import annotations

from tests.crawl.conftest import Crawler
from tests.crawl.website import Article, Website


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
    assert left_out.read_text().splitlines() == ["url,stemmer_reason", f"{urls[2]},rejected"]
    pages = sorted(folder.rglob("*.md"))
    assert [page.name for page in pages] == ["a.md", "b.md"]
    first, second = (page.read_text(encoding="utf-8") for page in pages)
    front_matter = f'---\ntitle: "{Article(3).headline}"\nurl: "{website.url("/a.html")}"\n---\n'
    paragraphs = "\n\n".join([f"# {Article(3).headline}", *Article(3).body])
    assert first == f"{front_matter}\n{paragraphs}\n"
    # The crawl asks for both pages at once.
    assert one.read_text(encoding="utf-8") in (f"{first}\n{second}\n", f"{second}\n{first}\n")
