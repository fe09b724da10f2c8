"""Title rules, from the texts of links and heads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def told(html: Callable[[int, str], str], links: Callable[[int, str], Sequence[str]] = lambda *_: ()) -> list[Page]:
    """Return a page of each topic, given its HTML and the texts of links to it by number and topic."""
    return [page(number, html(number, topic), *links(number, topic)) for number, topic in enumerate(TOPICS)]


def plain(_: int, topic: str) -> str:
    return story(topic)


def titled(form: str, **more: str) -> Callable[[int, str], str]:
    """Return stories with a title in the head."""
    return lambda _, topic: story(topic, head=f"<title>{form.format(topic)}</title>", **more)


def named(_: int, topic: str) -> Sequence[str]:
    return (f"The {topic}",)


def two_named(number: int, topic: str) -> Sequence[str]:
    return named(number, topic) if number < 2 else ()


def with_short_name(topic: str, number: int, *, head: str = NO_HEAD) -> str:
    """Return an article whose heading is longer than link texts, and their short name below a second heading."""
    letters = "abcdef"[number] * 5
    return (
        f"<html><head>{head}</head><body><div class=top><h2>Class {topic}</h2></div><p>{prose(topic, number)}</p>"
        f"<div class=member><h4>{topic}</h4></div><p>{prose(letters, number)}</p></body>"
    )


SAME = "Example News - Welcome"
"""A title of all pages."""

CASES: dict[str, tuple[list[Page], list[str]]] = {
    "the texts of links tell where the head says nothing": (
        told(plain, lambda _, topic: ("More", f"The {topic}")), [".name"]),
    "the head tells where no link is known": (told(titled("The {} | News")), [".name"]),
    "case and white space do not matter": (told(plain, lambda _, topic: (f" the\n{topic.upper()} ",)), [".name"]),
    "without either there is no rule": (told(plain, lambda *_: ("More", "Next")), []),
    "one page of many tells nothing": (told(plain, lambda n, topic: [f"The {topic}"] * (n == 0)), []),
    "of a single page its own vote counts": ([page(1, story("storm"), "The storm")], [".name"]),
    "pages of which nothing is known have no say": (told(plain, two_named), [".name"]),
    "what all titles share is no title": (
        told(lambda _, topic: f"<title>Example News</title><p class=site>Example News</p>{story(topic)}"), [".name"]),
    "a place that mostly says something else holds none": (
        told(lambda n, topic: titled("The {} | News" if n < 2 else "Seen in {} town | News")(n, topic)), []),
    "the short name that links use is in the heading that has it": (
        told(lambda n, topic: with_short_name(topic, n), lambda _, topic: (topic,)), ["h2"]),
    "or that the head uses": (
        told(lambda n, topic: with_short_name(topic, n, head=f"<title>{topic} (Library 2.1)</title>"),
             lambda _, topic: (topic,)), ["h2"]),
    "a heading goes before the crumb that has the same name": (
        told(lambda _, topic: f"<body><b><div class=crumb>The {topic}</div></b>{story(topic, tag='h2')}", named),
        [".name"]),
    "a name above headings of all levels goes before these": (
        told(lambda n, topic: f"<body><b><div class=bar>The {topic}</div></b>{story(topic, tag=f'h{n // 2 + 1}')}",
             named), [".bar"]),
    "below a headline that is a link no heading is the title": (
        told(lambda n, topic: titled("The {} | News", tag="h2")(n, topic)
             .replace("</body>", f"<h3 class=comments>Comments on The {topic}</h3></body>")
             .replace(f"The {topic}</h2>", f"<a href=/{n}>The {topic}</a></h2>")), []),
    "links to parts of a page make no titles of these": (
        told(lambda _, topic: story(topic, tag="h2").replace("</body>", f"<h3>Seen by {topic} folk</h3></body>"),
             lambda _, topic: (f"The {topic}", f"Seen by {topic} folk")), [".name"]),
    "links are asked where all heads say the same": (told(titled(SAME), two_named), [".name"]),
    "where all heads say the same, a heading is one": (told(titled(SAME, tag="h3")), [".name"]),
    "or what a name says is one": (told(titled(SAME, name="page-title")), [".page-title"]),
    "or the first line of the text": (told(titled(SAME)), [".name"]),
    "where there is no head, a heading is one": (told(lambda _, topic: story(topic, tag="h3")), [".name"]),
    "or what a name says": (told(lambda _, topic: story(topic, name="page-title")), [".page-title"]),
    "the first line is none where one head says something else": (
        told(lambda n, topic: titled(SAME if n else "The {} - Welcome")(n, topic)), []),
    "where most heads say something headings have no vote": (
        told(lambda n, topic: titled("Seen in {} | News" if n else SAME, tag="h3")(n, topic)), []),
}  # fmt: skip


@pytest.mark.parametrize(("pages", "expected"), CASES.values(), ids=CASES)
def test_what_becomes_a_title_rule(pages: list[Page], expected: list[str]) -> None:
    assert titles(pages) == expected


def test_pages_of_several_layouts_have_their_titles_at_several_places() -> None:
    pages = told(lambda number, topic: story(topic, name=f"t{'abc'[number % 2]}"), named)
    assert sorted(titles(pages)) == [".ta", ".tb"]
    assert len(titles(pages)) <= MAX_TITLE_RULES


def test_the_same_on_all_pages_does_not_look_like_a_title() -> None:
    top = "<body><h1>Example News</h1><div class=menu-title><a href=/>{}</a></div>"
    pages = told(lambda n, topic: titled(SAME, tag="h2")(n, topic).replace("<body>", top.format(topic * 2)))
    assert titles(pages) == [".name"]
    found = learned(pages)
    assert [PatternSet([found]).strip(each).title for each in pages] == [f"The {topic}" for topic in TOPICS]


@pytest.mark.parametrize("share", [3, 4, 6])
def test_a_rule_is_as_sure_as_pages_vote_for_it(share: int) -> None:
    pages = told(plain, lambda number, topic: [f"The {topic}"] * (number < share))
    (found,) = [rule for rule in learned(pages).rules if rule.action == "title"]
    assert found.sure == pytest.approx(share / len(TOPICS), abs=0.01)


def test_the_name_of_a_list_is_its_title_on_all_its_pages() -> None:
    pages = told(titled("The {} | Example News"))
    lists = [page(20 + n, story("list", head=f"<title>The list | Page {n} | Example News</title>")) for n in (2, 3)]
    found = stripped(learned([*pages, *lists]), story("list", head="<title>The list | Page 4 | Example News</title>"))
    assert found.title == "The list"


def test_a_page_whose_headings_the_head_lacks_has_its_title_as_a_page_alone() -> None:
    """No learned page has a name of the site with this sign before it."""
    pages = told(titled("The {} | News"))
    head = "<title>Ferries are back on the lake - News now</title><meta property=og:site_name content='News now'>"
    other = f"{head}<body><h1>Our letter</h1><h3>Ferries are back on the lake</h3><p>{prose('ferry', 1)}</p>"
    assert stripped(learned(pages), other).title == strip(page(99, other)).title == "Ferries are back on the lake"
