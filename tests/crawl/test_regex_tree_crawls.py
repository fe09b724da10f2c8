"""Real crawls with the learner of templates as regular expressions, from boxes of a browser."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.literature.regex_tree.pattern import RegexTreePattern
from tests.crawl.conftest import Crawler
from tests.crawl.website import Article, Website

LEARN = {"STEMMER_LEARN": True, "STEMMER_LEARNER": "regex_tree"}


def test_boxes_of_a_browser_are_learned(crawl: Crawler, website: Website) -> None:
    """Pages as Scrapy's cache keeps them: marked. The spider and the results never see the marks."""
    pytest.importorskip("scrapy_playwright")
    website.add_articles(6)
    for number in range(6):
        html = Article(number).html().replace("<body>", '<body data-stemmer-styles="[]">')
        html = html.replace("<div class='story'>", '<div class="story" data-stemmer-box="0 100 600 800">')
        html = html.replace("<div class='foot'>", '<div class="foot" data-stemmer-box="0 900 600 100">')
        website.add(f"/article/{number}.html", html)
    done = crawl("plain", website.url("/article/"), STEMMER_VISUAL=True, **LEARN)
    (pattern,) = done.patterns.patterns
    assert isinstance(pattern, RegexTreePattern)
    areas = {row.marks: row.area for row in pattern.rows if row.marks}
    assert (areas[("story",)], areas[("foot",)]) == (0.8, 0.1)
    assert "data-stemmer" not in (done.folder / "items.jsonl").read_text()
