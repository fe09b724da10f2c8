"""Articles, products and lists of articles of zyte-common-items."""

from __future__ import annotations

import json
import sys
from typing import Any

import attrs
import pytest
from zyte_common_items import Article as Item

from scrapy_stemmer import MissingExtra, Page, PatternSet, Stripped, learn, strip
from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.outputs import article_list_of, article_navigation_of, article_of, product_of
from scrapy_stemmer.outputs.zyte import entries_of, next_page, utc_date
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.patternset import EMPTY, FieldReader
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


URL = "https://a.example/news/"
TEXT = "<p>" + "The chair is red, and it stands on four legs made of wood. " * 8 + "</p>"


def page_of(body: str, head: str = "") -> Page:
    head = f"<head><title>All news</title>{head}</head>"
    return Page(URL, f"<html lang=en>{head}<body><h1>All news</h1>{body}</body></html>")


def stripped(body: str, head: str = "") -> Stripped:
    return strip(page_of(body, head))


def entry(number: int, tag: str = "h2", day: str = "") -> str:
    time = f"<time datetime='{day}'>then</time>" if day else ""
    link = f"<a href='{number}.html'>{Article(number).headline}</a>"
    more = f"<a href='{number}.html'>More</a>"
    return f"<article><{tag}>{link}</{tag}>{time}<p>{Article(number).body[0]}</p>{more}</article>"


def test_the_entries_of_a_list_have_their_addresses_names_teasers_and_days() -> None:
    found = entries_of(stripped("".join(entry(n, day=f"2024-05-0{n}") for n in range(1, 6))))
    assert [(each.url, each.name) for each in found] == [(f"{URL}{n}.html", Article(n).headline) for n in range(1, 6)]
    assert all(Article(n).body[0] in each.teaser for n, each in enumerate(found, 1))
    assert [each.day for each in found] == [f"2024-05-0{n}" for n in range(1, 6)]


def test_links_of_another_list_are_no_entries() -> None:
    others = "".join(f"<li><a href='/tag/{n}'>tag {n}</a></li>" for n in range(3))
    found = entries_of(stripped("".join(map(entry, range(1, 6))) + f"<ul>{others}</ul>"))
    assert [each.url for each in found] == [f"{URL}{n}.html" for n in range(1, 6)]


def test_an_article_has_no_entries() -> None:
    assert entries_of(stripped(f"{TEXT}<p>See <a href=/b>another story</a>, and <a href='#x'>this part</a>.</p>")) == []


@pytest.mark.parametrize(
    ("body", "url"),
    [
        ("<link rel=next href=2.html>", f"{URL}2.html"),
        ("<a rel='nofollow next' href=2.html>2</a>", f"{URL}2.html"),
        ("<a href=2.html>Older posts »</a>", f"{URL}2.html"),
        ("<a href=/2><span>Nächste</span> Seite</a>", "https://a.example/2"),
        ("<a href=/2>下一页</a>", "https://a.example/2"),
        ("<a href=/2>What is next for the harbour</a><a href=/3>2</a>", None),
        ("<a rel=next href='javascript:more()'>Next</a>", None),
    ],
)
def test_the_next_page_is_marked_or_called_so(body: str, url: str | None) -> None:
    assert next_page(parse(body), URL) == url


def test_a_list_and_its_links() -> None:
    page = page_of("".join(entry(n, day="2024-05-01") for n in range(1, 6)) + "<a rel=next href=2>Next</a>")
    listed, links = article_list_of(page, strip(page)), article_navigation_of(page, strip(page))
    (first, *others) = listed.articles or ()
    assert (first.headline, first.datePublished, first.inLanguage) == (Article(1).headline, "2024-05-01T00:00:00", "en")
    assert len(others) == 4
    assert [each.url for each in links.items or ()] == [f"{URL}{n}.html" for n in range(1, 6)]
    assert links.nextPage is not None
    assert (links.nextPage.url, links.categoryName) == (f"{URL}2", "All news")


def test_a_product_has_its_declared_data_and_the_fields_of_ones_own() -> None:
    data: dict[str, Any] = {
        "product:price:amount": "19.9", "product:price:currency": "EUR", "product:availability": "preorder",
        "product:brand": "Sit", "og:image": "/chair.jpg",
    }  # fmt: skip
    head = "".join(f"<meta property='{name}' content='{value}'>" for name, value in data.items())
    page = page_of(f"<p class=legs>four</p>{TEXT}", head)
    found = strip(page)
    assert found._reads_fields is not None
    rules = (FieldRule("legs", ".legs", is_users=True),)
    found = Stripped(**{**vars(found), "_reads_fields": FieldReader(found._reads_fields.shown, URL, rules)})
    product = product_of(page, found)
    assert (product.name, product.price, product.currency) == ("All news", "19.90", "EUR")
    assert product.availability == "InStock"
    assert product.brand is not None
    assert product.brand.name == "Sit"
    assert product.mainImage is not None
    assert product.mainImage.url == "https://a.example/chair.jpg"
    assert [(each.name, each.value) for each in product.additionalProperties or ()] == [("legs", "four")]
    assert (product.description or "").startswith("four")


@pytest.mark.parametrize("make", [product_of, article_list_of, article_navigation_of])
def test_a_wrong_argument_is_named(make: Any) -> None:
    with pytest.raises(TypeError, match="stripped must be a Stripped"):
        make(page_of(""), None)
