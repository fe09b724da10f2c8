"""The name of a page without the site's name, and its place."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.decide.head import of_several, own_title, own_titles, title_keys, title_parts_of
from scrapy_stemmer.learners.rules.decide.title import agreed_title, best_heading, naming_texts
from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.shown import MAX_NAMED, TITLES, Head, head_of, metadata_in
from tests.learners.rules.made import head

OG = '<meta property="og:title" content="{}">'
TWITTER = '<meta name="twitter:title" content="Rain!">'


@pytest.mark.parametrize(
    ("html", "title"),
    [
        pytest.param("<title> Rain\n fell </title>", "Rain fell", id="the title element"),
        pytest.param(f"<title>Rain | News</title>{TWITTER}{OG.format('Rain')}", "Rain", id="og:title goes first"),
        pytest.param(f"<title>Rain | News</title>{TWITTER}", "Rain!", id="then twitter:title"),
        pytest.param(OG.format("A") + OG.format("B"), "A", id="the first of two of one name"),
        pytest.param(f"{OG.format(' ')}<title>Rain</title>", "Rain", id="not an empty one"),
        pytest.param("", "", id="none"),
    ],
)
def test_the_title_that_a_head_says(html: str, title: str) -> None:
    assert head(html).title == title


LD = '<script type="application/ld+json">{}</script>'


@pytest.mark.parametrize(
    ("html", "is_article"),
    [
        ('<meta property="og:type" content="article">', True),
        ('<meta property="article:published_time" content="2024-05-01">', True),
        (LD.format('{"@type": "NewsArticle"}'), True),
        (LD.format('{"@graph": [{"@type":["BlogPosting"]}]}'), True),
        ('<meta property="og:type" content="website">', False),
        ('<meta property="og:title" content="article">', False),
        (LD.format('{"@type": "Product"}'), False),
        ("<script>var x = {'@type': 'NewsArticle'}</script>", False),
        (LD.format(""), False),
    ],
)
def test_what_makes_a_page_an_article(html: str, is_article: bool) -> None:
    assert head(html).is_article is is_article


OFFER = '"offers": {"@type": "Offer", "price": "9.90"}'


@pytest.mark.parametrize(
    ("data", "is_product"),
    [
        (f'{{"@type": "Product", {OFFER}}}', True),
        (f'{{"@type": ["http://schema.org/Product"], {OFFER}}}', True),
        ('{"@type": "Product", "name": "Mug"}', False),
        (f'[{{"@type": "Product", {OFFER}}}, {{"@type": "Product", {OFFER}}}]', False),
        (f'{{"@type": "ProductGroup", "hasVariant": [{{"@type": "Product", {OFFER}}}, {{"@type": "Product"}}]}}', True),
        (f'{{"@type": "Event", {OFFER}}}', False),
    ],
)
def test_the_data_of_a_single_product_with_a_price(data: str, is_product: bool) -> None:
    assert head_of(metadata_in(parse(f"<body><p>x</p>{LD.format(data)}"))).is_product is is_product


def named(title: str) -> Head:
    return Head({"title": title})


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Rain fell | Example News", ["Rain fell", "Example News"]),
        ("Rain fell - Weather - News", ["Rain fell", "Weather", "News"]),
        ("Docs » Install · Tool", ["Docs", "Install", "Tool"]),
        ("大雨|例", ["大雨", "例"]),
        ("大雨｜例", ["大雨", "例"]),
        ("A well-known fact", ["A well-known fact"]),
        ("12:30 and/or later", ["12:30 and/or later"]),
        ("| Rain |", ["Rain"]),
        ("", []),
    ],
)
def test_the_parts_of_a_title(title: str, parts: list[str]) -> None:
    assert title_parts_of(title) == parts


COMMON = frozenset({"News", "Weather", "Storm warnings", "The Library", "(The Library)"})


@pytest.mark.parametrize(
    ("title", "own"),
    [
        ("Rain fell | News", "Rain fell"),
        ("News - Weather - Rain fell", "Rain fell"),
        ("Rain - Wind | News", "Rain - Wind"),
        ("Rain - Weather - Wind | News", "Rain - Weather - Wind"),
        ("Rain fell", "Rain fell"),
        ("News", "News"),
        ("News | Weather", "News | Weather"),
        ("Storm | Storm warnings", "Storm"),
        ("Storm warnings | Storm", "Storm"),
        ("The Library: Class Storm", "Class Storm"),
        ("Storm (The Library)", "Storm"),
        ("Storm (1999)", "Storm (1999)"),
        ("Storm(The Library)", "Storm(The Library)"),
        ("Storm::of", "Storm::of"),
    ],
)
def test_common_parts_at_the_ends_before_a_colon_and_in_brackets_are_left_out(title: str, own: str) -> None:
    assert own_title(named(title), COMMON) == own


@pytest.mark.parametrize(
    ("texts", "own"),
    [
        pytest.param({}, [], id="none"),
        pytest.param({"title": "Rain | News", "og:title": "News - Rain fell", "twitter:title": ""},
            ["Rain fell", "Rain"], id="the most trustworthy first"),
        pytest.param({"title": "Rain | News", "twitter:title": "Rain", "og:title": "Rain"}, ["Rain"], id="each once"),
        pytest.param({"og:title": "News", "title": "Rain | News"}, ["Rain"], id="not the site's"),
        pytest.param({"title": "News"}, [], id="none but the site's"),
        pytest.param({"title": "Weather | News"}, [], id="none but common parts"),
    ],
)  # fmt: skip
def test_own_titles(texts: dict[str, str], own: list[str]) -> None:
    assert own_titles(Head(texts), COMMON) == own
    assert own_title(Head(texts), COMMON) == next(iter([*own, *texts.values()]), None)


def test_texts_of_several_pages_are_those_of_two() -> None:
    assert of_several([["News", "News", "Rain"], ["News", "Snow"], ["Wind"]]) == {"News"}


@pytest.mark.parametrize(
    ("headings", "wanted", "expected"),
    [
        (["Example News", "Rain fell"], ["Rain fell"], 1),
        (["Rain fell", "Rain fell"], ["Rain fell"], 0),
        (["Football", "City win the cup"], ["A great club", "City win the cup at last"], 1),
        (["Rain", "All that is known of the rain of today"], ["The rain: what is known of it today"], 0),
        (["Rain in the north", "What to wear"], ["Rain in the south"], 0),
        (["Our shop and its hours"], ["Rain fell"], 0),
        (["News"], ["Rain fell"], None),
        (["News"], ["News of the rain"], 0),
        (["News", "Rain"], [], 1),
        ([], ["Rain fell"], None),
    ],
)
def test_the_heading_that_names_the_page(headings: list[str], wanted: list[str], expected: int | None) -> None:
    assert best_heading(headings, wanted, COMMON) == expected


@pytest.mark.parametrize(
    ("texts", "names", "expected"),
    [
        ([("Rain", False), ("Rain fell", False), ("Rain fell", False)], ["Rain fell"], [1]),
        ([("RAIN fell", False)], ["rain Fell"], [0]),
        ([("Rain fell", False), ("Rain fell", True), ("Rain fell", True)], ["Rain fell"], [0, 1]),  # a crumb
        ([("Class Rain", True), ("Rain", True), ("Rain", False)], ["Rain"], [0]),  # a short name
        ([("5. Rain fell", True)], ["Rain fell"], [0]),
        ([("Rain fell", True)], ["Rain fell on Monday"], [0]),
        ([("Rain", True)], ["Rain fell on Monday"], []),  # a card
        ([("Rain fell on Monday", True)], ["Rain"], []),
        ([("Rain fell", True), ("Snow fell", True)], ["Snow fell", "Rain fell"], [0]),  # a link to a part
        ([("Rain stopped", True)], ["Rain fell"], []),
        ([("Class Rain", False)], ["Rain"], []),
        ([("¶", True), ("", True), ("", False)], ["#", ""], []),
        ([("★", True)], ["★"], [0]),
        ([("Rain", True)], [], []),
    ],
)
def test_the_texts_that_name_the_page(texts: list[tuple[str, bool]], names: list[str], expected: list[int]) -> None:
    assert naming_texts([text for text, _ in texts], [is_heading for _, is_heading in texts], names) == expected


@pytest.mark.parametrize(
    ("heading", "names", "title"),
    [
        ("Rain fell", [], "Rain fell"),
        ("Rain fell", ["Rain fell today"], "Rain fell"),
        ("Rain fell | 2nd edition", ["Rain fell on us"], "Rain fell"),
        ("Rain fell | 2nd edition", ["Rain fell", "Rain fell, 2nd edition"], "Rain fell | 2nd edition"),
        ("Rain fell | 2nd edition", ["Snow fell"], "Rain fell | 2nd edition"),
        ("Rain fell [Video]", ["Rain fell"], "Rain fell [Video]"),
        ("Rain fell in the north", ["Rain fell"], "Rain fell in the north"),
        ("|", ["Rain"], "|"),
    ],
)
@pytest.mark.parametrize("is_article", [False, True])
def test_what_heading_and_head_agree_on(heading: str, names: list[str], title: str, is_article: bool) -> None:
    texts = dict(zip(TITLES, names, strict=False))
    assert agreed_title(heading, Head(texts, is_article)) == title


@pytest.mark.parametrize(
    ("heading", "name", "title"),
    [
        ("Weather: Rain fell all over the north", "Rain fell all over the north", "Rain fell all over the north"),
        ("Storm – “Rain” fell all over it", "'Rain' fell all over it", "“Rain” fell all over it"),
        ("Weather Rain fell all over the north", "Weather: Rain fell all over the north", None),
        ("Tag: Rain fell", "Rain fell", "Tag: Rain fell"),  # too short to tell a kicker
        ("A long kicker of more words than the headline: Rain fell all over us", "Rain fell all over us", "A long"),
        ("The rain fell all over us", "rain fell all over us", "The rain fell all over us"),
    ],
)
def test_the_kicker_of_an_article_is_none_of_its_title(heading: str, name: str, title: str | None) -> None:
    assert agreed_title(heading, Head({"og:title": name}, is_article=True)).startswith(title or name)
    assert agreed_title(heading, Head({"og:title": name})) == heading


LD_HEADLINE = LD.format('{{"@type": "NewsArticle", "headline": {}, }}')


@pytest.mark.parametrize(
    ("headlines", "found"),
    [
        (['"Rain\\n &#8211; fell"'], "Rain – fell"),
        (['"\\u00dcber \\"Rain\\""'], 'Über "Rain"'),
        (['"Rain"', '"Rain"'], "Rain"),
        (['"Rain"', '"Snow"'], None),
        (['"bad \\x"', '"Rain"'], "Rain"),
        (['" "'], None),
        (["null"], None),
    ],
)
def test_the_headline_of_json_ld(headlines: list[str], found: str | None) -> None:
    html = "".join(map(LD_HEADLINE.format, headlines))
    assert head(html).texts.get("headline") == found


def test_texts_that_may_be_the_title_are_found_by_their_keys() -> None:
    keys = title_keys(Head({"title": "Rain fell | News", "og:title": "Rain fell"}), frozenset({"News"}))
    assert {text_key(text) for text in ("Rain fell", "rain FELL", "Rain fell | News", "News")} <= keys
    assert text_key("Snow fell") not in keys
    assert text_key("Top 10 of 2026") in title_keys(named("Top 10 of 2026"), frozenset())
    assert title_keys(Head(), frozenset()) == frozenset()


def test_of_a_title_that_nobody_writes_the_beginning_is_read() -> None:
    """Each part of the title would be compared with all headings."""
    long = "a word - " * 100_000
    data = f'<script type="application/ld+json">{{"headline": "{long}"}}</script>'
    head = head_of(metadata_in(parse(f"<title>{long}</title><meta property='og:title' content='{long}'>{data}")))
    assert {len(text) for text in head.texts.values()} == {MAX_NAMED}
    assert head.texts.keys() == {"title", "og:title", "headline"}
