"""Authors and dates of pages like those of themes, publishing systems and forums, learned from five of them."""

from __future__ import annotations

import pytest

from scrapy_stemmer.fields.reading import Fields, read_fields
from scrapy_stemmer.page.document import parse
from tests.fields.bylines import BEHIND, BYLINES, FORUMS, MAILS
from tests.fields.pages import AUTHORS, LATEST, TOPICS, html, read, rules_of, site, url

MONTHS = ("January", "February", "March", "April", "May", "June")
DAYS = tuple(f"2024-0{number + 1}-{number + 11}" for number in range(6))
OTHERS = frozenset({"reviewed", "photo-by"})
"""Bylines with a second name that is no author."""

UNMARKED = frozenset({"hugo-ananke"})
"""Bylines identified by varying names only, which a single author lacks."""


def long(number: int, later: int = 0) -> str:
    return f"{MONTHS[number]} {number + 11 + later}, 2024"


def other(number: int) -> str:
    return AUTHORS[(number + 2) % 6]


def written(text: str, number: int, author: str) -> str:
    day = DAYS[number]
    values = {
        "a": author,
        "s": author.lower().replace(" ", "-"),
        "b": other(number),
        "iso": day,
        "long": long(number),
        "dmy": f"{day[8:]}.{day[5:7]}.2024",
    }
    return text.format(**values)


def article(name: str, number: int, author: str) -> str:
    byline, after = (written(text, number, author) for text in (BYLINES[name], BEHIND.get(name, "")))
    topic = TOPICS[number]
    text = f"<p>{f'The {topic} was seen by everyone in town. ' * 6}</p>" * 3
    return (
        f"<html lang=en><head><title>A {topic} | Example</title></head><body><div class=header><a href=/>Example</a>"
        f"<nav><a href=/about>About Us</a><a href=/in>Log In</a></nav></div><main><h1>A {topic}</h1>"
        f"<div class=content>{byline}<div class=body>{text}</div>{after}</div></main>"
        "<footer>Copyright 2026 Example Media</footer></body></html>"
    )


def thread(name: str, number: int) -> str:
    posts = [(AUTHORS[number], 0), (other(number), 4), ("Zed Moe", 9)][: 1 if name in MAILS else 3]
    text = "Here is what was seen at the harbour that day by everyone. " * 3
    shown = "".join(
        FORUMS[name].format(
            a=author,
            s=author.lower().replace(" ", "-"),
            d=long(number, later),
            i=f"2024-0{number + 1}-{number + 11 + later}T10:00:00Z",
            n=place,
            t=text,
        )
        for place, (author, later) in enumerate(posts)
    )
    return (
        f"<html lang=en><head><title>A {TOPICS[number]} - Example Forum</title></head><body><div id=header>"
        "<a href=/>Example Forum</a> <a href=/register>Register</a></div><p class=rightside>It is currently "
        f"November 23, 2026 10:00 am</p><h1>A {TOPICS[number]}</h1>{shown}</body></html>"
    )


def last_of(pages: list[str]) -> Fields:
    """Return the fields of the last page, learned from the pages before."""
    return read(pages[5], rules_of(*pages[:5]))


@pytest.mark.parametrize("author", [None, "Ann Lee"], ids=["many", "one"])
@pytest.mark.parametrize("name", BYLINES)
def test_bylines(name: str, author: str | None) -> None:
    if author is not None and name in UNMARKED:
        pytest.skip("nothing tells the only author of a site from other texts")
    fields = last_of([article(name, number, author or AUTHORS[number]) for number in range(6)])
    both = "{b}" in BYLINES[name] and name not in OTHERS
    assert fields.authors == (author or AUTHORS[5], *([other(5)] if both else []))
    assert (fields.published or "")[:10] == DAYS[5]


@pytest.mark.parametrize("name", FORUMS)
def test_first_posts(name: str) -> None:
    fields = last_of([thread(name, number) for number in range(6)])
    assert fields.authors == AUTHORS[5:]
    assert (fields.published or "")[:10] == DAYS[5]


def test_footers_say_when_a_page_was_changed() -> None:
    def page(number: int) -> str:
        day = f"2024-0{number + 1}-25"
        foot = f"<footer><a href=/a>By Zed Moe</a> Last updated on <time datetime={day}>{day}</time></footer>"
        return article("wp-kubrick", number, AUTHORS[number]).replace("<footer>", foot + "<footer>")

    fields = last_of([page(number) for number in range(6)])
    assert (fields.modified, fields.published, fields.authors) == ("2024-06-25", DAYS[5], AUTHORS[5:])


MARKED = ["Marta <b>Quill</b>", "<b>Marta</b> Quill", "<span>Marta</span> <i>Quill</i>", "<em>Mar</em>ta <b>Quill</b>"]


@pytest.mark.parametrize("name", MARKED)
@pytest.mark.parametrize(
    "byline", ["<a rel=author href=/x>{}</a>", "<p class=byline>By <a href=/author/x><span class=n>{}</span></a></p>"]
)
def test_formatting_breaks_no_name_in_a_link(byline: str, name: str) -> None:
    pages = [html(k, byline.replace("{}", name if k > 3 else "{author}") + "<p>{day}</p>") for k in range(6)]
    assert read_fields(parse(pages[5]), url(5), LATEST).authors == ("Marta Quill",)
    assert read(pages[5], rules_of(*pages)).authors == ("Marta Quill",)


def test_parts_of_a_link_with_names_of_their_own_are_several_texts() -> None:
    byline = "<a rel=author href=/x><span class=name>Ann Lee</span> <span class=role>Poet</span></a><p>{day}</p>"
    assert read_fields(parse(html(0, byline)), url(0), LATEST).authors == ("Ann Lee",)


def test_formatting_breaks_no_tag_and_no_category() -> None:
    after = "<p class=t><a rel=tag href=/t>High <b>tide</b></a></p><a class=c href=/category/x>Home <i>news</i></a>"
    pages = site("<p>{day}</p>", after=after)
    for found in (read_fields(parse(pages[5]), url(5), LATEST), read(pages[5], rules_of(*pages[:2]))):
        assert (found.tags, found.categories) == (("High tide",), ("Home news",))
