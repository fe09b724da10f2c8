"""Metadata of pages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.fields.metadata import META, PageTree, Statement, title_words
from scrapy_stemmer.page.document import parse

URL = "https://a.example/story"


def ld(data: Any) -> str:
    return f'<script type="application/ld+json">{data if isinstance(data, str) else json.dumps(data)}</script>'


def said(head: str, body: str = "") -> dict[str, Statement]:
    """Return the values of each field from its most trusted source."""
    found: dict[str, Statement] = {}
    tree = PageTree(parse(f"<html><head>{head}</head><body>{body}</body></html>"), URL)
    for field in (*META, "canonical_url"):
        found.update((field, each) for each in list(tree.statements(field))[:1])
    return found


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("By Ann Lee and Bo Ek", ("Ann Lee", "Bo Ek")),
        ({"@type": "Person", "name": "Ann Lee"}, ("Ann Lee",)),
        *[(name, (name,)) for name in ("Di Stefano", "Von Miller", "Par Lagerkvist", "Da Vinci", "Af Klint")],
        ("Posted by Ann Lee", ("Ann Lee",)),
        ("Ann Lee, Jr.", ("Ann Lee Jr.",)),
        ("Ann &amp;amp; Bo", ("Ann", "Bo")),
        ("O\u2019Brien, Mary", ("Mary O\u2019Brien",)),
        ("Lee, PhD", ("Lee",)),
        ("Lee, Ann", ("Ann Lee",)),
        ("Lee, Ann M.", ("Ann M. Lee",)),
        ("Ann Lee, Bo Ek", ("Ann Lee", "Bo Ek")),
        ({"givenName": "Ann", "familyName": "Lee"}, ("Ann Lee",)),
        ([{"name": "Ann Lee"}, "Bo Ek", {"name": ["Ann Lee"]}], ("Ann Lee", "Bo Ek")),
        ({"@id": "#ann"}, ("Ann Lee",)),
        ([{"@id": "#bo"}, {"@id": "#nobody"}], ("Bo Ek",)),
        ("https://a.example/ann", ()),
        ("This is a sentence, and says nothing of who wrote it at all on any day.", ()),
        (7, ()),
    ],
)
def test_authors_of_json_ld(author: object, names: tuple[str, ...]) -> None:
    people = [{"@type": "Person", "@id": "#ann", "name": "Ann Lee"}, {"@type": "Person", "@id": "#bo", "name": "Bo Ek"}]
    graph = {"@graph": [{"@type": "Article", "author": author}, *people]}
    found = said(ld(graph)).get("authors")
    assert (found.values if found else ()) == names


@pytest.mark.parametrize(
    ("keywords", "tags"),
    [
        ("sea; harbour", ("sea", "harbour")),
        ("sea, R&amp;D", ("sea", "R&D")),
        (["sea, harbour", {"name": "storm"}, "sea, harbour"], ("sea, harbour", "storm")),
        (["sea", float("inf"), float("nan")], ("sea",)),
        (7, ("7",)),
    ],
)
def test_tags_of_json_ld(keywords: object, tags: tuple[str, ...]) -> None:
    assert said(ld({"@type": "Article", "keywords": keywords}))["tags"].values == tags


def test_an_integer_beyond_all_floats_is_a_text() -> None:
    number = 10**400
    found = said(ld({"@type": "Article", "headline": number, "keywords": [number, "sea"], "author": {"@id": number}}))
    assert found["tags"].values == (str(number), "sea")


def test_an_author_that_refers_to_itself() -> None:
    loop = [{"@type": "Person", "@id": "#a", "author": {"@id": "#a"}}, {"@type": "Article", "author": {"@id": "#a"}}]
    assert "authors" not in said(ld(loop))


def test_the_object_that_is_about_the_page_counts() -> None:
    page = {"@type": "WebPage", "datePublished": "2001-01-01"}
    post = {"@type": ["BlogPosting"], "datePublished": "2024-05-01", "keywords": "one, two", "articleSection": ["News"]}
    own = {"@type": "NewsArticle", "url": URL, "datePublished": "2024-05-02"}
    other = {"@type": "BreadcrumbList", "datePublished": "2024-05-03"}
    assert said(ld({"@graph": [page, post]}))["published"].values == ("2024-05-01",)
    assert said(ld({"@graph": [page, post, own]}))["published"].values == ("2024-05-02",)
    assert said(ld({"@type": "ItemPage", "mainEntity": post}))["tags"].values == ("one", "two")
    assert said(ld(page))["published"].values == ("2001-01-01",)
    assert "published" not in said(ld(other))


OTHER = "https://a.example/other"


@pytest.mark.parametrize(
    ("node", "is_own"),
    [
        ({"@type": "Article", "headline": "Harvest at the lake", "url": OTHER}, False),
        ({"@type": "Article", "headline": "Harvest at the lake", "mainEntityOfPage": {"@id": OTHER}}, False),
        ({"@type": "Article", "headline": "Harvest at the lake", "url": URL, "@id": OTHER}, True),
        ({"@type": "Article", "headline": "Storm at our harbour", "url": OTHER}, True),
        ({"@type": "Article", "headline": "Harvest", "url": OTHER, "name": "A storm"}, False),
        ({"@type": "Article", "url": OTHER}, True),
        ({"@type": "Article", "headline": "Harvest at the lake"}, True),
        *[
            ({"@type": "Article", "headline": "Harvest at the lake", "url": url}, True)
            for url in (
                "http://www.a.example/story/", "https://a.example/amp/story", "https://a.example/story/amp?x=1",
                "https://a.example/story.amp.html", "https://a.example/", "https://b.example/other", "/other",
                "https://[a.example/other", "https://a.example/canonical#1",
            )
        ],
        ({"@type": "VideoObject", "name": "Harvest at the lake"}, False),
        ({"@type": "VideoObject", "name": "Storm at the harbour"}, True),
        ({"@type": "WebPage", "video": {"@type": "VideoObject", "author": "Bo Ek", "uploadDate": "2024-05-01"}}, False),
    ],
)  # fmt: skip
def test_objects_of_other_pages_are_passed_over(node: dict[str, Any], is_own: bool) -> None:
    head = "<title>A storm at the harbour - Example</title><link rel=canonical href=https://a.example/canonical>"
    author = {} if "video" in node else {"author": "Bo Ek", "datePublished": "2024-05-01"}
    found = said(ld({**node, **author}) + head)
    assert ("authors" in found, "published" in found) == (is_own, is_own)


@pytest.mark.parametrize(
    ("head", "body", "address"),
    [
        ('<link rel="CANONICAL nofollow" href=/c>', "", "/c"),
        ("<link rel=canonical href=mailto:ann@a.example><link rel=canonical href=HTTPS://a.example/c>", "",
         "HTTPS://a.example/c"),
        ("", "<div><link rel=canonical href=/c></div>", ""),
        ("", "<h1>A storm</h1><link rel=canonical href=/c>", ""),
        ("", "<img src=i><meta name=a content=b><link rel=canonical href=/c>", "/c"),
        ("<link rel=canonicals href=/c>", "", ""),
    ],
)  # fmt: skip
def test_the_address_that_a_page_says_it_has(head: str, body: str, address: str) -> None:
    found = said(f"<title>A storm</title>{head}", body).get("canonical_url")
    assert (found.values if found else ()) == ((address,) if address else ())


def test_comments_are_not_the_page() -> None:
    comment = {"@type": "Comment", "author": "Bo Ek", "datePublished": "2024-06-01"}
    html = "<div itemscope itemtype=http://schema.org/Comment><meta itemprop=datePublished content=2024-06-01></div>"
    assert said(ld({"@type": "WebPage", "comment": comment}), html) == {}


@pytest.mark.parametrize(
    ("head", "field", "source", "values"),
    [
        ("<meta property=article:published_time content=2024-05-01T10:00:00Z>", "published",
         "meta[property=article:published_time]", ("2024-05-01T10:00:00+00:00",)),
        ("<meta name=DC.date.issued content='1 May 2024'>", "published", "meta[name=DC.date.issued]", ("2024-05-01",)),
        ("<meta name=dcterms.modified content=2024-05-02>", "modified", "meta[name=dcterms.modified]", ("2024-05-02",)),
        ("<meta name=published_at content=2024-05-01>", "published", "meta[name=published_at]", ("2024-05-01",)),
        ("<meta name=author content='Ann Lee, Bo Ek'>", "authors", "meta[name=author]", ("Ann Lee", "Bo Ek")),
        ("<meta name=author content='Lee, Ann'>", "authors", "meta[name=author]", ("Ann Lee",)),
        ("<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Ek, Bo'>", "authors",
         "meta[name=citation_author]", ("Ann Lee", "Bo Ek")),
        ("<meta name=author content='Di Stefano'>", "authors", "meta[name=author]", ("Di Stefano",)),
        ("<meta property=article:author content=https://social.example/ann>", "authors", "", ()),
        ("<meta property=article:tag content=one><meta property=article:tag content=two>", "tags",
         "meta[property=article:tag]", ("one", "two")),
        ("<meta property=og:description content='What &amp;amp; why'>", "description",
         "meta[property=og:description]", ("What & why",)),
        ("<link rel=canonical href=/c>", "canonical_url", "link", ("/c",)),
    ],
)  # fmt: skip
def test_meta_elements(head: str, field: str, source: str, values: tuple[str, ...]) -> None:
    found = said(head).get(field)
    assert ((found.source, found.values) if found else ("", ())) == (source, values)


def scope(kind: str, inside: str) -> str:
    return f"<div itemscope itemtype=https://schema.org/{kind}>{inside}</div>"


@pytest.mark.parametrize(
    ("html", "field", "values"),
    [
        ("<p itemprop=description>A  <b>storm</b> came.</p>", "description", ("A storm came.",)),
        ("<meta itemprop=description content='A storm'>", "description", ("A storm",)),
        ("<img itemprop=image src=/i.png>", "image", ("/i.png",)),
        ("<link itemprop=image href=/i.png>", "image", ("/i.png",)),
        ("<p itemprop=image itemscope itemtype=/ImageObject><meta itemprop=url content=/i.png></p>", "image",
         ("/i.png",)),
        ("<span itemprop=keywords>sea; harbour, <b>storm</b></span>", "tags", ("sea", "harbour", "storm")),
    ],
)  # fmt: skip
def test_microdata_of_an_article_in_what_it_shows(html: str, field: str, values: tuple[str, ...]) -> None:
    assert said("", scope("NewsArticle", html))[field] == Statement(values, "microdata")
    assert field not in said("", scope("WPHeader", html))
    assert field not in said("", html)


def test_the_title_of_a_head() -> None:
    assert PageTree(parse("<title>A  story</title>")).title == "A story"
    assert PageTree(parse("<meta property=og:title content=Own><title>A story</title>")).title == "Own"
    assert PageTree(parse("<p>")).title == ""


BROKEN = [
    '{"@type": "Article", "author": {"@id": []}}',
    '{"@type":"Article","author":' * 1_000 + "1" + "}" * 1_000,
    '"text"',
    '{"@type": 7}',
    '{"@graph": {"@type": {}}}',
    '{"@type": "Article", "datePublished": {"a": []}, "author": [[[[[["Ann"]]]]]]}',
    '{"@type": "Article", "keywords": [null, 1, {"name": null}]}',
]


@pytest.mark.parametrize("text", BROKEN)
def test_json_ld_that_is_none_does_no_harm(text: str) -> None:
    meta = "<meta property=article:published_time content=2024-05-01><meta name=Author content='Ann Lee'>"
    found = said(ld(text) + meta)
    assert (found["published"].values, found["authors"].values) == (("2024-05-01",), ("Ann Lee",))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just("Article") | st.just("2024-05-01"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["@type", "@id", "@graph", "author", "name", "datePublished", "keywords", "image", "publisher"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(VALUES)
def test_any_json_is_read(value: Any) -> None:
    root = parse(f"<html><body>{ld(json.dumps(value).replace('<', ' '))}</body></html>")
    for statement in (each for field in META for each in PageTree(root, URL).statements(field)):
        assert statement.values
        assert all(isinstance(each, str) for each in statement.values)


def test_the_words_of_a_very_long_name_are_those_of_its_beginning() -> None:
    assert title_words("On Rivers, on rivers") == {"on", "rivers"}
    assert len(title_words(" ".join(map(str, range(100_000))))) < 3000
