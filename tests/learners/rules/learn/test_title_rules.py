"""Title rules, from the texts of links and heads."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, PatternSet, strip
from scrapy_stemmer.learners.rules.learn.learning import MAX_TITLE_RULES
from tests.learners.rules.made import TOPICS, learned, page, prose, stripped

NO_HEAD = ""


def story(topic: str, *, head: str = NO_HEAD, tag: str = "div", name: str = "name") -> str:
    """Return an article whose title is in no heading."""
    text = "".join(f"<p>{prose(topic, number)}</p>" for number in range(2))
    return f"<html><head>{head}</head><body><{tag} class={name}>The {topic}</{tag}><div class=text>{text}</div></body>"


def titles(pages: list[Page]) -> list[str]:
    return [rule.selector.text for rule in learned(pages).rules if rule.action == "title"]


def test_the_texts_of_links_tell_where_the_head_says_nothing() -> None:
    assert titles([page(n, story(topic), "More", f"The {topic}") for n, topic in enumerate(TOPICS)]) == [".name"]


def test_the_head_tells_the_title_where_no_link_is_known() -> None:
    pages = [page(n, story(topic, head=f"<title>The {topic} | News</title>")) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == [".name"]


def test_case_and_white_space_do_not_matter() -> None:
    assert titles([page(n, story(topic), f" the\n{topic.upper()} ") for n, topic in enumerate(TOPICS)]) == [".name"]


@pytest.mark.parametrize("letters", ["abcdef", "雨雪風雲霧雷"])
def test_links_do_not_vote(letters: str) -> None:
    pages = [page(n, story(f"<a href=/>{letter * 9}</a>"), f"The {letter * 9}") for n, letter in enumerate(letters)]
    inside = [Page(each.url, each.html.replace("The <a", "<a"), anchors=(each.anchors[0][4:],)) for each in pages]
    assert titles(inside) == []


def test_without_either_there_is_no_rule() -> None:
    assert titles([page(n, story(topic), "More", "Next") for n, topic in enumerate(TOPICS)]) == []


def test_one_page_of_many_tells_nothing() -> None:
    pages = [page(n, story(topic), *([f"The {topic}"] if n == 0 else [])) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == []


def test_of_a_single_page_its_own_vote_counts() -> None:
    assert titles([page(1, story("storm"), "The storm")]) == [".name"]


def test_pages_of_several_layouts_have_their_titles_at_several_places() -> None:
    pages = [page(n, story(topic, name=f"t{'abc'[n % 2]}"), f"The {topic}") for n, topic in enumerate(TOPICS)]
    assert sorted(titles(pages)) == [".ta", ".tb"]
    assert len(titles(pages)) <= MAX_TITLE_RULES


def test_what_all_titles_share_is_no_title() -> None:
    head = "<title>Example News</title>"
    pages = [
        page(n, f"<head>{head}</head><p class=site>Example News</p>{story(topic)}") for n, topic in enumerate(TOPICS)
    ]
    assert titles(pages) == [".name"]


def test_a_place_that_mostly_says_something_else_holds_no_titles() -> None:
    heads = [
        f"<title>{f'The {topic}' if n < 2 else f'Seen in {topic} town'} | News</title>"
        for n, topic in enumerate(TOPICS)
    ]
    pages = [page(n, story(topic, head=heads[n])) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == []


def test_pages_of_which_nothing_is_known_have_no_say() -> None:
    pages = [page(n, story(topic), *([f"The {topic}"] if n < 2 else [])) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == [".name"]


def with_short_name(topic: str, number: int, *, head: str = NO_HEAD) -> str:
    """Return an article whose heading is longer than link texts, and their short name below a second heading."""
    letters = "abcdef"[number] * 5
    return (
        f"<html><head>{head}</head><body><div class=top><h2>Class {topic}</h2></div><p>{prose(topic, number)}</p>"
        f"<div class=member><h4>{topic}</h4></div><p>{prose(letters, number)}</p></body>"
    )


@pytest.mark.parametrize("head", [NO_HEAD, "<title>{} (Library 2.1)</title>"])
def test_the_short_name_that_links_use_is_found_in_the_heading_that_has_it(head: str) -> None:
    pages = [page(n, with_short_name(topic, n, head=head.format(topic)), topic) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == ["h2"]


def test_a_heading_goes_before_the_crumb_that_has_the_same_name() -> None:
    pages = [
        page(n, f"<body><b><div class=crumb>The {topic}</div></b>{story(topic, tag='h2')}", f"The {topic}")
        for n, topic in enumerate(TOPICS)
    ]
    assert titles(pages) == [".name"]


def test_a_name_above_headings_of_all_levels_goes_before_these() -> None:
    pages = [
        page(n, f"<body><b><div class=bar>The {topic}</div></b>{story(topic, tag=f'h{n // 2 + 1}')}", f"The {topic}")
        for n, topic in enumerate(TOPICS)
    ]
    assert titles(pages) == [".bar"]


def test_below_a_headline_that_is_a_link_no_heading_is_the_title() -> None:
    pages = []
    for number, topic in enumerate(TOPICS):
        comments = f"<h3 class=comments>Comments on The {topic}</h3>"
        html = story(topic, head=f"<title>The {topic} | News</title>", tag="h2").replace(
            "</body>", f"{comments}</body>"
        )
        pages.append(page(number, html.replace(f"The {topic}</h2>", f"<a href=/{number}>The {topic}</a></h2>")))
    assert titles(pages) == []


def test_links_to_parts_of_a_page_do_not_make_titles_of_these() -> None:
    pages = []
    for number, topic in enumerate(TOPICS):
        html = story(topic, tag="h2").replace("</body>", f"<h3 class=part>Seen by {topic} folk</h3></body>")
        pages.append(page(number, html, f"The {topic}", f"Seen by {topic} folk"))
    assert titles(pages) == [".name"]


def test_links_are_asked_where_all_heads_say_the_same() -> None:
    head = "<title>Example News - Welcome</title>"
    pages = [page(n, story(topic, head=head), *([f"The {topic}"] if n < 2 else [])) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == [".name"]


SAME = "<title>Example News - Welcome</title>"


@pytest.mark.parametrize(
    ("tag", "name", "expected"),
    [("h3", "name", [".name"]), ("div", "page-title", [".page-title"])],
)
@pytest.mark.parametrize("head", [SAME, NO_HEAD])
def test_where_the_heads_say_nothing_of_their_own_what_looks_like_a_title_is_one(
    tag: str, name: str, expected: list[str], head: str
) -> None:
    pages = [page(n, story(topic, head=head, tag=tag, name=name)) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == expected


def test_the_first_line_of_the_text_is_one_only_where_all_heads_say_the_same() -> None:
    heads = [SAME] * len(TOPICS)
    assert titles([page(n, story(topic, head=heads[n])) for n, topic in enumerate(TOPICS)]) == [".name"]
    heads[0] = f"<title>The {TOPICS[0]} - Welcome</title>"
    assert titles([page(n, story(topic, head=heads[n])) for n, topic in enumerate(TOPICS)]) == []


def test_the_same_on_all_pages_does_not_look_like_one() -> None:
    top = "<body><h1>Example News</h1><div class=menu-title><a href=/>{}</a></div>"
    pages = [
        page(n, story(topic, head=SAME, tag="h2").replace("<body>", top.format(topic * 2)))
        for n, topic in enumerate(TOPICS)
    ]
    assert titles(pages) == [".name"]
    found = learned(pages)
    assert [PatternSet([found]).strip(each).title for each in pages] == [f"The {topic}" for topic in TOPICS]


def test_where_most_heads_say_something_headings_have_no_vote() -> None:
    heads = [f"<title>Seen in {topic} | News</title>" if n else SAME for n, topic in enumerate(TOPICS)]
    assert titles([page(n, story(topic, head=heads[n], tag="h3")) for n, topic in enumerate(TOPICS)]) == []


def test_the_lines_of_a_heading_are_learned_as_one() -> None:
    made = [page(n, story(f"{topic} of<br>May", tag="h2"), f"The {topic} of May") for n, topic in enumerate(TOPICS)]
    pattern = learned(made)
    assert [stripped(pattern, str(each.html)).title for each in made] == [f"The {topic} of May" for topic in TOPICS]


def test_of_two_lines_at_one_place_only_the_first_can_be_the_title() -> None:
    lines = "<h2 class=line>{1}</h2><h2 class=line>{0}</h2>"
    named = [f"The {topic}" for topic in TOPICS]
    seen = [f"Seen by {topic} folk" for topic in TOPICS]
    heads = [f"<title>{name} | News</title>" for name in named]
    below = [page(n, heads[n] + lines.format(named[n], seen[n]) + story("rain")) for n in range(len(TOPICS))]
    above = [page(n, heads[n] + lines.format(seen[n], named[n]) + story("rain")) for n in range(len(TOPICS))]
    assert (titles(below), titles(above)) == ([], [".line"])


@pytest.mark.parametrize("share", [3, 4, 6])
def test_a_rule_is_as_sure_as_pages_vote_for_it(share: int) -> None:
    pages = [page(n, story(topic), *([f"The {topic}"] if n < share else [])) for n, topic in enumerate(TOPICS)]
    (found,) = [rule for rule in learned(pages).rules if rule.action == "title"]
    assert found.sure == pytest.approx(share / len(TOPICS), abs=0.01)


def test_one_title_in_all_heads_is_not_that_of_a_page_whose_text_begins_with_a_line() -> None:
    head = "<title>Example News: All the News</title>"
    pages = [page(n, story(f"{topic} in town", head=head, name="a7")) for n, topic in enumerate(TOPICS)]
    assert stripped(learned(pages), story("ferry in town", head=head, name="a7")).title == "The ferry in town"


def test_the_name_of_a_list_is_its_title_on_all_its_pages() -> None:
    heads = [f"<title>The {topic} | Example News</title>" for topic in TOPICS]
    pages = [page(n, story(topic, head=heads[n])) for n, topic in enumerate(TOPICS)]
    lists = [page(20 + n, story("list", head=f"<title>The list | Page {n} | Example News</title>")) for n in (2, 3)]
    found = stripped(learned([*pages, *lists]), story("list", head="<title>The list | Page 4 | Example News</title>"))
    assert found.title == "The list"


def test_a_page_whose_headings_the_head_lacks_has_its_title_as_a_page_alone() -> None:
    """No learned page has a name of the site with this sign before it."""
    pages = [page(n, story(topic, head=f"<title>The {topic} | News</title>")) for n, topic in enumerate(TOPICS)]
    head = "<title>Ferries are back on the lake - News now</title><meta property=og:site_name content='News now'>"
    other = f"{head}<body><h1>Our letter</h1><h3>Ferries are back on the lake</h3><p>{prose('ferry', 1)}</p>"
    assert stripped(learned(pages), other).title == strip(page(99, other)).title == "Ferries are back on the lake"
