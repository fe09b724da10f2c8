"""Fields of one page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import Stripped
from scrapy_stemmer.fields.reading import NO_FIELDS, Fields, read_fields
from scrapy_stemmer.fields.rules import FIELDS, FieldRule
from scrapy_stemmer.page.document import parse
from tests.strategies import markup

URL = "https://a.example/story"
LATEST = "2026-11-24"
TEXT = "<p>" + "The storm reached the harbour at night, and nobody had seen the like of it. " * 4 + "</p>"


def read(body: str, head: str = "", rules: tuple[FieldRule, ...] | None = None, url: str = URL) -> Fields:
    return read_fields(parse(f"<html lang=en><head>{head}</head><body>{body}</body></html>"), url, LATEST, rules)


def story(byline: str) -> str:
    return f"<nav>Home Sport</nav><h1>A storm</h1><div>{byline}</div>{TEXT}<footer>© 2020 Example</footer>"


HEAD = "<meta property=og:title content='A storm'>"


@pytest.mark.parametrize(
    ("byline", "authors", "published"),
    [
        ("By Ann Lee", ("Ann Lee",), None),
        ("Written by Ann Lee, Bo Ek on 4 May 2024", ("Ann Lee", "Bo Ek"), "2024-05-04"),
        ("von Ann Lee | 4. Mai 2024", ("Ann Lee",), "2024-05-04"),
        ("Par <b>Ann Lee</b> <time datetime='2024-05-04'>4 mai</time>", ("Ann Lee",), "2024-05-04"),
        ("<a rel=author href=/a>Ann Lee</a>, <span>4 May 2024, 10:00 am</span>", ("Ann Lee",), "2024-05-04T10:00:00"),
        ("<span class=author>annlee</span> <span>04/05/2024</span>", ("annlee",), "2024-04-05"),
        ("<p>By <a href=/by/x>Ann Lee</a> and Bo Ek</p>", ("Ann Lee", "Bo Ek"), None),
        ("<p class=byline><a>Von Ann Lee</a></p>", ("Ann Lee",), None),
        ("<p class=byline>Von Miller</p>", ("Miller",), None),
        ("<p class=byline><a rel=author>Ann Lee</a> and <a rel=author>Bo Ek</a></p>", ("Ann Lee", "Bo Ek"), None),
        ("Photo by Ann Lee", (), None),
        ("Joined: 4 May 2004", (), None),
        ("4 May 2099", (), None),
        ("Standby", (), None),
    ],
)
def test_bylines_of_a_page_alone(byline: str, authors: tuple[str, ...], published: str | None) -> None:
    found = read(story(byline), HEAD)
    assert (found.authors, found.published) == (authors, published)


def test_dates_that_are_not_the_pages_are_passed_over() -> None:
    related = "<aside>3 May 2024</aside><div class=comments>Bo Ek wrote on 5 May 2024</div>"
    assert read(story("") + related, HEAD).published is None
    found = read(story("Posted: 4 May 2024. Updated: 6 May 2024") + related, HEAD)
    assert (found.published, found.modified) == ("2024-05-04", "2024-05-06")


def test_a_page_says_where_its_fields_are_from() -> None:
    head = HEAD + "<meta name=author content='Ann Lee'><meta property=og:image content=/i.png>"
    found = read(story("4 May 2024"), head)
    assert (found.authors, found.image, found.language) == (("Ann Lee",), "https://a.example/i.png", "en")
    assert found.sources == {
        "authors": "meta[name=author]",
        "published": "guess",
        "image": "meta[property=og:image]",
        "language": "html",
    }
    assert found.confidence.keys() == {"authors", "published"}
    assert found.as_dict()["authors"] == ["Ann Lee"]
    json.dumps(found.as_dict())


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("author", "Ann \ud800Lee", ("Ann Lee",)),
        ("author", "Ann\x00 Lee", ("Ann Lee",)),
        ("datePublished", "2024-01-01T00:00:00+25:61", "2024-01-01"),
        ("image", "javascript:alert(1)", None),
        ("image", "//[x", None),
        ("image", "/a.png", "https://a.example/a.png"),
        ("image", "/a\ud800.png", "https://a.example/a.png"),
        ("image", "\ud800", None),
    ],
)
def test_values_are_what_feeds_can_write(name: str, said: str, value: object) -> None:
    data = json.dumps({"@type": "Article", name: said})
    fields = read(TEXT, f"<script type=application/ld+json>{data}</script>")
    assert fields[{"author": "authors", "datePublished": "published"}.get(name, name)] == value


def test_the_date_of_the_address() -> None:
    found = read(story(""), HEAD, url="https://a.example/2024/05/04/storm")
    assert (found.published, found.sources["published"]) == ("2024-05-04", "url")
    found = read(story("4 May 2024, 10:00"), HEAD, url="https://a.example/2024/05/04/storm")
    assert found.published == "2024-05-04T10:00:00"


def test_shown_authors_are_better_than_those_said_where_they_say_more() -> None:
    byline = "By Ann Lee and Bo Ek"
    assert read(story(byline), HEAD + "<meta name=author content='Ann Lee'>").authors == ("Ann Lee", "Bo Ek")
    assert read(story(byline), HEAD + "<meta name=author content='Staff reporter'>").authors == ("Ann Lee", "Bo Ek")
    assert read(story("By Cy Orr"), HEAD + "<meta name=author content='Cy Orr'>").sources["authors"].startswith("meta")


def test_a_date_that_is_shown_is_better_than_a_vague_one() -> None:
    head = HEAD + "<meta name=date content=2024-05-09>"
    assert read(story("<time>4 May 2024</time>"), head).published == "2024-05-04"
    assert read(story(""), head).published == "2024-05-09"


def test_tags_and_categories() -> None:
    links = "Filed under: <a href=/news>News</a> <a rel=tag href=/t/1>#one</a>, <a rel=tag href=/t/2>two</a>"
    found = read(story("") + f"<div>{links}</div>", HEAD + "<meta name=keywords content='site, words'>")
    assert (found.categories, found.tags) == (("News",), ("one", "two"))


def test_modified_alone_is_not_before_published_either() -> None:
    head = "<meta property=article:published_time content=2024-05-04><meta name=lastmod content={}>"
    found = [read_some(["modified"], HEAD + head.format(day)) for day in ("2020-01-01", "2024-05-05")]
    assert [(one.published, one.modified) for one in found] == [(None, None), (None, "2024-05-05")]


EVERY = (
    HEAD + "<meta name=author content='Ann Lee'><meta name=lastmod content=2024-06-01><meta name=description content=D>"
    "<meta property=og:image content=/i.png><meta property=og:site_name content=Example><link rel=canonical href=/c>"
)
LISTED = story("4 May 2024 <div>Filed under: <a href=/news>News</a> <a rel=tag href=/t/1>one</a></div>")


def read_some(names: Iterable[str], head: str = EVERY, body: str = LISTED) -> Fields:
    root = parse(f"<html lang=en><head>{head}</head><body>{body}</body></html>")
    return read_fields(root, URL, LATEST, names=names)


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_asked_for_alone_is_as_among_all(name: str) -> None:
    every, alone = read(LISTED, EVERY), read_some([name])
    assert every[name]
    assert (alone[name], alone.sources, alone.confidence.keys()) == (
        every[name],
        {name: every.sources[name]},
        every.confidence.keys() & {name},
    )
    assert [other for other in FIELDS if alone[other]] == [name]


def test_of_a_page_only_what_the_fields_that_are_asked_for_need_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "scrapy_stemmer.fields.reading.PageCandidates", lambda *_, **__: pytest.fail("its text was read")
    )
    head = EVERY + "<meta property=article:published_time content=2024-05-04>"
    found = read_some(["description", "image", "language", "published", "modified"], head)
    assert (found.description, found.published, found.modified) == ("D", "2024-05-04", "2024-06-01")


def test_a_text_in_place_of_names_is_refused() -> None:
    with pytest.raises(TypeError, match=r"must be a list of names, such as \['authors'\], not the text 'authors'"):
        Stripped(matched=False).read_fields("authors")


def test_a_name_of_no_field_is_refused() -> None:
    with pytest.raises(ValueError, match="'author' is no field of a page; ask for some of authors, published"):
        Stripped(matched=False).read_fields(["author", "tags"])


RULES = (
    FieldRule("published", "span.when", "posted"),
    FieldRule("authors", "div.who > a"),
    FieldRule("distrust", "meta[name=author]", of="authors"),
    FieldRule("dates", "mdy"),
)


def test_rules_of_a_site() -> None:
    body = story(
        "<span class=when>Joined 01/02/2003</span> <span class=when>Posted: 03/04/2024</span>"
        "<div class=who><a>Ann Lee</a> and <a>Bo Ek</a></div>"
    )
    found = read(body, HEAD + "<meta name=author content=Admin>", RULES)
    assert (found.authors, found.published) == (("Ann Lee", "Bo Ek"), "2024-03-04")
    assert (found.sources["authors"], found.sources["published"]) == ("rule", "rule")


def test_a_rule_by_hand_comes_first() -> None:
    body, head = story("Ann Lee <i class=x>Bo Ek</i>"), HEAD + "<meta property=article:author content='Ann Lee'>"
    assert read(body, head, (FieldRule("authors", "i.x"),)).authors == ("Ann Lee",)
    assert read(body, head, (FieldRule("authors", "i.x", is_users=True),)).authors == ("Bo Ek",)


@pytest.mark.parametrize("target", [".nothere", "b"])
@pytest.mark.parametrize("name", ["authors", "published"])
def test_where_a_rule_by_hand_finds_nothing_a_page_is_read_as_without_it(name: str, target: str) -> None:
    body = story("By Ann Lee <time datetime=2024-05-04>4 May 2024</time><b>0</b>")
    for learned in ((), (FieldRule("published", "i.x"), FieldRule("authors", "i.y"))):
        by_hand = FieldRule(name, target, is_users=True)
        assert read(body, HEAD, (*learned, by_hand)) == read(body, HEAD, learned)
    assert read(body, HEAD, ()).published == "2024-05-04"


def test_of_a_site_that_shows_no_authors_none_are_guessed() -> None:
    assert read(story("By Ann Lee"), HEAD, ()).authors == ()
    assert read(story("By Ann Lee"), HEAD, None).authors == ("Ann Lee",)


def test_an_attribute_holds_a_field() -> None:
    rules = (FieldRule("published", "b.t @data-at", is_users=True), FieldRule("image", "img.main @src", is_users=True))
    found = read("<b class=t data-at=2024-05-04>some day</b><img class=main src=i.png>", "", rules)
    assert (found.published, found.image) == ("2024-05-04", "https://a.example/i.png")


@pytest.mark.parametrize(
    ("action", "target", "of"),
    [("published", "a >", ""), ("published", "a.\x01", ""), ("dates", "ymd", ""), ("distrust", "json-ld", "nothing")],
)
def test_rules_that_cannot_be_used_are_refused(action: str, target: str, of: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        FieldRule(action, target, of=of)


def test_an_empty_page_has_none() -> None:
    assert read_fields(parse(""), "", LATEST) == NO_FIELDS
    with pytest.raises(KeyError):
        NO_FIELDS["sources"]


LIES: list[dict[str, Any]] = [
    {"author": "https://a.example/ann", "datePublished": "2099-01-01"},
    {"author": "We are a team of people. We write about storms, and all.", "datePublished": "soon"},
    {"author": {"name": {"name": {}}}, "datePublished": 99999999999999},
]


@pytest.mark.parametrize("lie", LIES)
def test_metadata_that_lie_cost_that_field_only(lie: dict[str, Any]) -> None:
    data = json.dumps({"@type": "Article", "description": "A storm came.", **lie})
    found = read(story("By Ann Lee, 4 May 2024"), f'{HEAD}<script type="application/ld+json">{data}</script>')
    assert (found.authors, found.published, found.description) == (("Ann Lee",), "2024-05-04", "A storm came.")


@given(markup().map(lambda made: made[0]), st.sampled_from(["https://a.example/2024/05/", "", "http://[", "file:///x"]))
def test_any_page_is_read(html: str, url: str) -> None:
    for rules in (None, RULES):
        read_fields(parse(html), url, LATEST, rules)


def test_a_page_that_nests_deep_is_read() -> None:
    assert read("<div class=author>" * 1_500 + "By Ann Lee, 4 May 2024").published == "2024-05-04"


@pytest.mark.parametrize(
    ("byline", "authors"),
    [
        ("By <a>Ann Bell</a> and <a>Bo Cole</a>", ("Ann Bell", "Bo Cole")),
        ("By <a href=/by/x>Ann Bell</a> and Bo Cole", ("Ann Bell", "Bo Cole")),
        ("By <b>Ann Bell</b> | Town desk", ("Ann Bell",)),
        ("By <a>Ann Bell</a>, Town editor", ("Ann Bell",)),
        ("<span>By</span><span>Ann Bell</span>", ("Ann Bell",)),
        ("Ann Bell", ("Ann Bell",)),
    ],
)
def test_a_rule_by_hand_reads_its_element_as_one_byline(byline: str, authors: tuple[str, ...]) -> None:
    rule = FieldRule("authors", "p.byl", is_users=True)
    assert read(story("") + f"<p class=byl>{byline}</p>", HEAD, (rule,)).authors == authors


def test_learned_rules_of_a_field_can_be_distrusted() -> None:
    body, when = story("By <i class=x>Bo Ek</i> <time>4 May 2024</time>"), FieldRule("published", "time")
    rules = (FieldRule("authors", "i.x"), when)
    distrust = tuple(FieldRule("distrust", "rule", of=name, is_users=True) for name in ("authors", "published"))
    assert read(body, HEAD, rules).authors == ("Bo Ek",)
    found = read(body, HEAD, (*rules, distrust[0]))
    assert (found.authors, found.published) == ((), "2024-05-04")
    assert read(body, HEAD, (*rules, *distrust)).published is None
    by_hand = FieldRule("authors", "i.x", is_users=True)
    assert read(body, HEAD, (*rules, distrust[0], by_hand)).authors == ("Bo Ek",)
    assert read(body, HEAD + "<meta name=author content='Ann Lee'>", (*rules, distrust[0])).authors == ("Ann Lee",)


PAPER = "<meta name=author content='Heron Valley Post'>"


@pytest.mark.parametrize("rules", [None, (), (FieldRule("authors", "i.x"),)], ids=["alone", "no rules", "a rule"])
def test_a_byline_goes_before_metadata_with_the_name_of_the_site_in_its_host(
    rules: tuple[FieldRule, ...] | None,
) -> None:
    page = f"<html><head>{PAPER}</head><body>{story('<p class=byline>By Ann Lee, Heron Valley Post</p>')}</body></html>"
    root, url = parse(page), "https://www.heronvalleypost.example/ferry"
    assert read_fields(root, url, LATEST, rules).authors == ("Ann Lee",)


def test_a_page_on_which_no_learned_rule_finds_anything_is_read_as_alone() -> None:
    body = story("<p><i class=when>4 May 2024</i></p><p>By <b>Ann Lee</b></p>")
    rules = (FieldRule("published", "span.date"), FieldRule("authors", "span.byline"))
    found, alone = read(body, HEAD, rules), read(body, HEAD)
    assert (found.published, found.authors) == (alone.published, alone.authors) == ("2024-05-04", ("Ann Lee",))


def test_a_date_that_its_element_names_is_found_where_rules_find_only_authors() -> None:
    body = story("<p><span class=byline>By Ann Lee</span> <time datetime=2024-05-04>Saturday</time></p>")
    rules = (FieldRule("published", "span.date"), FieldRule("authors", "span.byline"))
    assert read(body, HEAD, rules).published == "2024-05-04"


STATED = (
    '{"@context":"https://schema.org","@type":"NewsArticle","headline":"Ferry back","datePublished":"2023-11-08",'
    '"author":{"@type":"Person","name":"Ann Lee"},"description":"DESC"}'
)
DAMAGED = {
    "quotation marks in a text": STATED.replace("DESC", 'said "no" today'),
    "an escaped apostrophe": STATED.replace("DESC", "the mayor\\'s lamp"),
    "an unknown escape": STATED.replace("DESC", "a\\x41b"),
    "in CDATA": f"/* <![CDATA[ */\n{STATED}\n/* ]]> */",
    "a comment": STATED.replace('"headline"', '/* x */"headline"'),
    "two objects": f'{STATED}\n{{"@type":"WebSite","name":"The Heron"}}',
    "another object first": f'{{"@type":"WebSite","name":"The Heron"}}\n{STATED}',
    "a byte order mark": f"\ufeff{STATED}",
    "no last brace": STATED[:-1],
    "a brace too many": f"{STATED}}}",
    "no comma": STATED.replace('back","date', 'back" "date'),
    "undefined": STATED.replace('"DESC"', "undefined"),
    "names without quotation marks": STATED.replace('"datePublished"', "datePublished"),
    "an assignment": f"var data = {STATED};",
    "an author as a text": STATED.replace('{"@type":"Person","name":"Ann Lee"}', '"Ann Lee"').replace(
        "DESC", 'a "b" c'
    ),
}


@pytest.mark.parametrize("script", DAMAGED.values(), ids=DAMAGED)
def test_authors_and_dates_of_damaged_json_are_read(script: str) -> None:
    found = read("", f"<script type='application/ld+json'>{script}</script>")
    assert (found.published, found.authors) == ("2023-11-08", ("Ann Lee",))


def test_all_authors_of_damaged_json_are_read_and_names_of_other_things_are_not() -> None:
    people = '[{"@type":"Person","name":"Ann Lee"},{"name":"Bo \\u0045k"}],"publisher":{"name":"The Heron"}'
    script = STATED.replace('{"@type":"Person","name":"Ann Lee"}', people).replace("DESC", 'a "b" c')
    assert read("", f"<script type='application/ld+json'>{script}</script>").authors == ("Ann Lee", "Bo Ek")


@pytest.mark.parametrize("reply", ["{}", "<p>{}</p>", "<div>{}</div>"])
def test_a_reply_neither_dates_nor_signs_a_page_whether_or_not_it_has_a_paragraph(reply: str) -> None:
    lead = "<p>The river bridge near the harbour was closed by the council.</p>" * 3
    posts = (lead, "I like it.", reply.format("Published: 3 March 1999, by A. Nother"))
    page = "<h1>Old bridge closed</h1>" + "".join(f"<div class=post>{post}</div>" for post in posts)
    found = read(page)
    assert (found.published, found.authors) == (None, ())


def test_names_of_authors_are_read_from_the_beginning_of_long_metadata() -> None:
    content = "Ann Lee, " * 2_000 + "Bo Ek"
    assert read("<p>text", f"<meta name=author content='{content}'>").authors == ("Ann Lee",)
