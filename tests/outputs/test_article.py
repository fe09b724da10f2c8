"""Articles of zyte-common-items, and what pages say of themselves."""

from __future__ import annotations

import json
import sys
from typing import Any

import attrs
import pytest
from zyte_common_items import Article as Item

from scrapy_stemmer import MissingExtra, Page, PatternSet, learn
from scrapy_stemmer.core.blocks import LayoutBlock, Role
from scrapy_stemmer.core.document import parse
from scrapy_stemmer.outputs.article import article_of, iso_date
from scrapy_stemmer.patterns.base import LabelledBlock
from scrapy_stemmer.patternset import EMPTY, Stripped
from tests.crawl.website import Article


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)])


def data(**values: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(values)}</script>'


def said(head: str) -> Item:
    html = f"<html lang=en-GB><head>{head}</head><body><p>Text</body></html>"
    return article_of(Page("http://a.example/", html), EMPTY)


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
    assert article.articleBody == stripped.text
    assert article.articleBodyHtml == stripped.html
    assert [author.name for author in article.authors or ()] == ["Ann Lee"]
    assert (article.datePublished, article.datePublishedRaw) == ("2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00")
    assert (article.dateModified, article.dateModifiedRaw) == (None, "yesterday")
    assert article.canonicalUrl == "http://a.example/c"
    assert article.mainImage is not None
    assert article.mainImage.url == "http://a.example/i.png"
    assert article.metadata is not None
    assert article.metadata.probability == stripped.confidence


def test_what_is_not_there_is_none() -> None:
    known = {name: value for name, value in attrs.asdict(said(""), recurse=False).items() if value is not None}
    assert known.keys() == {"url", "inLanguage", "metadata"}
    assert known["inLanguage"] == "en"


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("By Ann Lee and Bo Ek", ("Ann Lee", "Bo Ek")),
        ({"@type": "Person", "name": "Ann Lee"}, ("Ann Lee",)),
        ([{"name": "Ann Lee"}, "Bo Ek", {"name": ["Ann Lee"]}], ("Ann Lee", "Bo Ek")),
        ({"@id": "#ann"}, ()),
        ("https://a.example/ann", ()),
        (7, ()),
    ],
)
def test_authors_however_they_are_given(author: object, names: tuple[str, ...]) -> None:
    assert names_of(said(data(**{"@type": "Article"}, author=author))) == names


def test_the_more_special_object_counts_wherever_it_stands() -> None:
    graph = [
        {"@type": "WebPage", "datePublished": "2001-01-01"},
        {"@type": "Person", "name": "Ann"},
        {"@type": ["BlogPosting"], "datePublished": "2024-05-01"},
    ]
    assert said(data(**{"@graph": graph})).datePublishedRaw == "2024-05-01"
    assert said(data(**{"@graph": graph[:2]})).datePublishedRaw == "2001-01-01"
    assert said(data(**{"@type": "ItemPage", "mainEntity": graph[2]})).datePublishedRaw == "2024-05-01"


NO_DATA = ["", "{", "[" * 100_000, '"text"', "null", '{"@type": 7}', '{"@graph": {"@type": {}}}']


@pytest.mark.parametrize("text", NO_DATA)
def test_json_ld_that_is_none_does_no_harm(text: str) -> None:
    meta = "<meta property='article:published_time' content='2024-05-01'><meta name=Author content='Ann Lee'>"
    found = said(f'<script type="application/ld+json">{text}</script>{meta}')
    assert (found.datePublishedRaw, names_of(found)) == ("2024-05-01", ("Ann Lee",))


def byline(html: str) -> Item:
    """What is said of a page whose one paragraph is its byline."""
    root = parse(f"<p>{html}</p>")
    (paragraph,) = root.iter("p")
    pieces = [(element, False) for element in paragraph.iter() if element.text]
    text = " ".join("".join(paragraph.itertext()).split())
    block = LayoutBlock("p", text, text, len(text), len(text), pieces=tuple(pieces))
    return article_of(Page("http://a.example/", root), Stripped(True, blocks=(LabelledBlock(block, Role.BYLINE, 0.5),)))


@pytest.mark.parametrize(
    ("html", "authors", "published"),
    [
        ("By Ann Lee", ("Ann Lee",), None),
        ("Written by Ann Lee, Bo Ek on 4 May 2024", ("Ann Lee", "Bo Ek"), "Written by Ann Lee, Bo Ek on 4 May 2024"),
        ("von Ann Lee | 4. Mai 2024", ("Ann Lee",), "von Ann Lee | 4. Mai 2024"),
        ("Par <b>Ann Lee</b> <time datetime='2024-05-04'>4 mai</time>", ("Ann Lee",), "2024-05-04"),
        ("4 May 2024", (), "4 May 2024"),
        ("Standby", (), None),
    ],
)
def test_bylines(html: str, authors: tuple[str, ...], published: str | None) -> None:
    found = byline(html)
    assert (names_of(found), found.datePublishedRaw) == (authors, published)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01", "2024-05-01T00:00:00"),
        (" 2024-05-01T14:00:00.5+02:00", "2024-05-01T12:00:00Z"),
        ("2024-05-01T12:00:00Z", "2024-05-01T12:00:00Z"),
        ("0001-01-01T00:00:00+14:00", None),
        ("1 May 2024", None),
        (None, None),
    ],
)
def test_dates_are_iso_8601_or_none(text: str | None, expected: str | None) -> None:
    assert iso_date(text) == expected


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zyte_common_items", None)
    with pytest.raises(MissingExtra, match=r"pip install 'scrapy-stemmer\[zyte\]'"):
        article_of(Page("http://a.example/", "<p>"), EMPTY)
