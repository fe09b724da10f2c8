"""Articles of zyte-common-items, and metadata of pages."""

from __future__ import annotations

import json
import sys
from typing import Any

import attrs
import pytest
from zyte_common_items import Article as Item

from scrapy_stemmer import MissingExtra, Page, PatternSet, learn
from scrapy_stemmer.outputs import article_of
from scrapy_stemmer.outputs.zyte import utc_date
from scrapy_stemmer.patternset import EMPTY
from tests.crawl.website import Article


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)])


def data(**values: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(values)}</script>'


def names_of(article: Item) -> tuple[str | None, ...]:
    return tuple(author.name for author in article.authors or ())


def test_a_page_is_an_article(patterns: PatternSet) -> None:
    head = data(
        **{"@type": "NewsArticle"},
        author={"name": "Ann Lee"},
        datePublished="2024-05-01T14:00:00+02:00",
        dateModified="yesterday",
        image=["http://a.example/i.png"],
    )
    html = Article(40).html().replace("<head>", f"<head><link rel=canonical href=http://a.example/c>{head}")
    page = Page("http://a.example/40", html)
    stripped = patterns.strip(page)
    article = article_of(page, stripped)
    assert isinstance(article, Item)
    assert (article.url, article.headline) == (page.url, Article(40).headline)
    assert [article.headline, article.articleBody] == stripped.text.split("\n", 1)
    assert article.articleBodyHtml == stripped.html.replace(f"<h1>{article.headline}</h1>\n", "")
    assert names_of(article) == ("Ann Lee",)
    assert (article.datePublished, article.datePublishedRaw) == ("2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00")
    assert article.dateModified is None
    assert article.canonicalUrl == "http://a.example/c"
    assert article.mainImage is not None
    assert article.mainImage.url == "http://a.example/i.png"
    assert article.metadata is not None
    assert article.metadata.probability == stripped.confidence


def test_what_is_not_there_is_none() -> None:
    page = Page("http://a.example/", "")
    found = attrs.asdict(article_of(page, EMPTY), recurse=False)
    assert {name for name, value in found.items() if value is not None} == {"url", "metadata"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01", "2024-05-01T00:00:00"),
        ("2024-05-01T14:00:00+02:00", "2024-05-01T12:00:00Z"),
        ("2024-05-01T12:00:00+00:00", "2024-05-01T12:00:00Z"),
        (None, None),
    ],
)
def test_dates_are_in_utc_where_they_have_a_zone(text: str | None, expected: str | None) -> None:
    assert utc_date(text) == expected


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zyte_common_items", None)
    with pytest.raises(MissingExtra, match="zyte"):
        article_of(Page("http://a.example/", "<p>"), EMPTY)
