"""Field rules learned from a sample of a site's pages."""

from __future__ import annotations

import pytest

from scrapy_stemmer.fields.learning import pages_to_read
from tests.fields.pages import AUTHORS, day, html, read, rules_of, site

BYLINE = "<div class=byline>By <span class=who>{author}</span> on <span class=when>{day}</span></div>"
LD = (
    '<script type="application/ld+json">{{"@type": "Article", "author": "{author}", "datePublished": "{day}"}}</script>'
)


def lines(byline: str, head: str = "", after: str = "") -> list[str]:
    return sorted(rule.line for rule in rules_of(*site(byline, head, after)[:5]))


@pytest.mark.parametrize(
    ("byline", "head"),
    [
        (BYLINE, ""),
        (BYLINE, LD),
        ("<p class=x9a><i>{author}</i> | <b>{day}</b></p>", LD),  # nothing but agreement tells
        ("<p><i>{author}</i> <b>{day}</b></p>", ""),  # nothing but how they vary, and where they stand
        ("<table><tr><th>Reported by:</th><td>{author}</td><th>Opened:</th><td>{day}</td></tr></table>", ""),
    ],
)
def test_what_some_pages_tell_holds_for_those_that_do_not(byline: str, head: str) -> None:
    rules = rules_of(*site(byline, head)[:5])
    found = read(html(5, byline), rules)
    assert (found.authors, found.published) == ((AUTHORS[5],), day(5))
    assert (found.sources["authors"], found.sources["published"]) == ("rule", "rule")


@pytest.mark.parametrize(
    "byline",
    [
        "<p><em>Words by</em> <strong>{author}</strong></p><p>{day}</p>",
        "<p>Guest post by {author}</p><p>{day}</p>",
        "<table><tr><td class=name><b>{author}</b> Joined: 2 May 1999<td>Posted: {day}</table>",
    ],
)
def test_bylines_of_many_forms_are_learned(byline: str) -> None:
    assert read(html(5, byline), rules_of(*site(byline)[:5])).authors == (AUTHORS[5],)


@pytest.mark.parametrize("other", ["<a href=/by/z>Zoe Zed</a>", "Zoe Zed"])
def test_each_of_several_names_is_an_author(other: str) -> None:
    byline = f"<p class=x>By <a href=/by/x>{{author}}</a> and {other}</p><time>{{day}}</time>"
    assert read(html(5, byline), rules_of(*site(byline)[:5])).authors == (AUTHORS[5], "Zoe Zed")


@pytest.mark.parametrize(
    "byline",
    [
        "<ol><li><span>By Inheritance</span></li></ol>",
        "<span class=name><a href=/a>{author}</a></span>",
        "<dl><dt>Specified by:</dt><dd><code>{author}</code></dd></dl>",
        "<h4 class=element id=property_parentWriter>getParentWriter()</h4>",
        "<p>It is superseded by <a href=/x>{author}</a> since then, as is told below in some more words.</p>",
    ],
)
def test_documentation_has_no_authors(byline: str) -> None:
    rules = rules_of(*[page.replace("Monday 2 February 2026", "") for page in site(byline)])
    assert not [rule.line for rule in rules if rule.action == "authors"]


def test_a_word_before_a_name_is_read_as_one() -> None:
    byline = "<p>by {author}</p><p>{day}</p>"
    rules = rules_of(*site(byline)[:5])
    assert "authors body > p after by" in [rule.line for rule in rules]
    assert read(html(5, "<p>Nearby towns</p><p>Seen by Everyone</p>"), rules).authors == ()


def test_a_rule_is_short() -> None:
    assert lines(BYLINE) == ["authors span.who", "published span.when"]
    assert lines("<div class=meta><time datetime={day}>some day</time></div>") == [
        "published div.meta > time @datetime"
    ]


def test_published_and_modified_are_told_apart_by_their_words() -> None:
    byline = "<div class=meta>Published: <b>{day}</b></div><div class=meta>Updated: <b>{d} May 2026</b></div>"
    assert lines(byline) == ["modified div.meta > b after updated", "published div.meta > b after published"]
    found = read(html(5, byline), rules_of(*site(byline)[:5]))
    assert (found.published, found.modified) == (day(5), "2026-05-16")


def test_a_date_that_all_pages_share_is_a_clock() -> None:
    assert lines("") == []
    assert read(html(5, ""), rules_of(*site("")[:5])).published is None


def test_the_order_of_day_and_month_is_that_of_the_site() -> None:
    rules = rules_of(*site("<div class=date>{m}/{d}/2024</div>")[:5])
    assert "dates mdy" in [rule.line for rule in rules]
    assert read(html(5, "<div class=date>3/4/2024</div>"), rules).published == "2024-03-04"
    rules = rules_of(*site("<div class=date>{d}/{m}/2024</div>")[:5])
    assert read(html(5, "<div class=date>3/4/2024</div>"), rules).published == "2024-04-03"


def test_metadata_that_contradict_what_the_pages_show_are_distrusted() -> None:
    owner = "<meta name=author content='The Owner'>"
    rules = rules_of(*site(BYLINE, owner)[:5])
    assert "distrust meta[name=author] for authors" in [rule.line for rule in rules]
    assert read(html(5, BYLINE, owner), rules).authors == (AUTHORS[5],)


def test_the_owner_of_a_site_is_its_author_where_the_pages_show_the_name() -> None:
    owner = "<meta name=author content='The Owner'>"
    for after, authors in (("<div class=about>I am The Owner</div>", ("The Owner",)), ("", ())):
        rules = rules_of(*site("", owner, after)[:5])
        assert read(html(5, "", owner, after), rules).authors == authors


def test_a_site_without_authors_has_none() -> None:
    rules = rules_of(*site("<div class=when>{day}</div>")[:5])
    assert read(html(5, "<div class=when>{day}</div><p>As told by Ann Lee"), rules).authors == ()


def test_tags_are_those_of_the_page_not_of_a_menu() -> None:
    cloud = "<div class=cloud><a rel=tag href=/t/1>one</a> <a rel=tag href=/t/2>two</a></div>"
    after = "<div class=below>Tags: <a rel=tag href=/t/{d}>tag{d}</a>, <a rel=tag href=/t/x>town</a></div>" + cloud
    found = read(html(5, "", "", after), rules_of(*site("", "", after)[:5]))
    assert found.tags == ("tag16", "town")


def test_a_single_page_tells_nothing_of_others() -> None:
    assert rules_of() == rules_of(html(0, BYLINE)) == ()


@pytest.mark.parametrize("name", ["a:b", "1x", "md\\:flex", "it's", "é", "&#1;x", "a@b", "x" * 5_000])
def test_rules_of_elements_with_odd_names_are_found(name: str) -> None:
    byline = f'<{{tag}} class="{name}">By <b class="{name}">{{author}}</b> on {{day}}</{{tag}}>'
    for tag in ("div", "o:p", "my-byline"):
        pages = site(byline.replace("{tag}", tag))
        found = read(pages[5], rules_of(*pages[:5]))
        assert found.authors == (AUTHORS[5],)
        assert found.published in (day(5), None)


def test_a_rule_that_would_find_something_else_first_is_none() -> None:
    """Without a name, the element is indistinguishable from the clock before it."""
    assert lines("<div>By <b>{author}</b> on {day}</div>") == ["authors body > div > b after by"]
    assert "published div.b" in lines("<div class=b>By <b>{author}</b> on {day}</div>")


def test_the_order_of_the_pages_makes_no_difference() -> None:
    pages = site(BYLINE, LD)
    assert {rule.line for rule in rules_of(*pages)} == {rule.line for rule in rules_of(*reversed(pages))}


@pytest.mark.parametrize(("count", "read"), [(0, 0), (1, 0), (2, 2), (5, 5), (10, 6), (12, 6), (16, 8), (1000, 8)])
def test_pages_that_are_looked_at(count: int, read: int) -> None:
    numbers = pages_to_read(count)
    assert len(numbers) == read
    assert numbers <= set(range(count))
