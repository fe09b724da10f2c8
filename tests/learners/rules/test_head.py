"""What the head of a page says."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.learners.rules.head import Head, head_of
from tests.learners.rules.made import head


def test_the_title_element() -> None:
    assert head("<title> Rain\n fell </title>").title == "Rain fell"


def test_titles_for_sharing_are_more_trustworthy() -> None:
    og = '<meta property="og:title" content="Rain fell">'
    twitter = '<meta name="twitter:title" content="Rain!">'
    title = "<title>Rain fell | News</title>"
    assert head(title + twitter + og).title == "Rain fell"
    assert head(title + twitter).title == "Rain!"
    assert head(title + og).texts == {"title": "Rain fell | News", "og:title": "Rain fell"}


def test_of_two_titles_of_one_name_the_first_counts() -> None:
    assert head('<meta property="og:title" content="A"><meta property="og:title" content="B">').title == "A"


def test_empty_titles_are_none() -> None:
    assert head('<meta property="og:title" content=" "><title>Rain</title>').title == "Rain"
    assert head("").title == ""
    assert head("") == Head()


def test_the_name_of_an_icon_is_not_the_page_s() -> None:
    icon = "<body><svg><title>Menu</title></svg><p>Rain</p></body>"
    assert head_of(parse(icon)).title == ""
    assert head_of(parse(f"<title>Rain</title>{icon}")).title == "Rain"


LD = '<script type="application/ld+json">{}</script>'


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="og:type" content="article">',
        '<meta property="og:type" content="Article">',
        '<meta property="article:published_time" content="2024-05-01">',
        '<meta itemprop="article:modified_time" content="2024-05-01">',
        LD.format('{"@type": "NewsArticle"}'),
        LD.format('{"@graph": [{"@type":["BlogPosting"]}]}'),
    ],
)
def test_what_makes_a_page_an_article(html: str) -> None:
    assert head(html).is_article


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="og:type" content="website">',
        '<meta property="og:title" content="article">',
        LD.format('{"@type": "Product"}'),
        LD.format('{"name": "NewsArticle"}'),
        "<script>var x = {'@type': 'NewsArticle'}</script>",
        '<script>{"@type": "NewsArticle"}</script>',
        LD.format(""),
    ],
)
def test_what_does_not(html: str) -> None:
    assert not head(html).is_article


def test_metadata_that_stand_in_the_body_count() -> None:
    data = LD.format('{"@type":"Article"}')
    assert head_of(parse(f"<body><p>x</p>{data}")).is_article


def test_the_head_of_xhtml() -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><title>Icon</title></svg>"
    root = etree.fromstring(
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>Rain</title>"
        f"<meta property='og:type' content='article'/></head><body>{svg}</body></html>"
    )
    assert head_of(root) == Head({"title": "Rain"}, is_article=True)


def test_a_title_with_markup_in_it_and_comments_are_no_harm() -> None:
    root = etree.fromstring("<html><!-- x --><?x y?><head><title>Rain<b/>fell</title><meta/></head></html>")
    assert head_of(root).title == "Rain"
