"""Pages written by strangers or repeated by a site, which cost no page its text."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from scrapy_stemmer import Page, learn
from tests.learners.rules.returning.test_template import article, sentence

LEARNED = 20  # pages of a sample
VICTIMS = 4  # pages whose text must stay


def story(number: int) -> list[str]:
    """The paragraphs of the article of a number."""
    return [part.split("</p>")[0] for part in str(article(number).html).split("<p>")[1:]]


def comment(text: str) -> str:
    """Return a reader's comment, with a new name each time."""
    return f"<div class='comment'><b class='who'>{sentence(random.Random(text), 1)}</b><p>{text}</p></div>"


def blog_page(number: int, *comments: str, own: int = 2) -> Page:
    """Return an article with readers' comments below, some unique to the page."""
    texts = [sentence(random.Random(f"{number} {at}"), 24) for at in range(own)]
    made = f"<div class='comments'><h2>Comments</h2>{''.join(map(comment, [*texts, *comments]))}</div>"
    page = article(number)
    html = str(page.html).replace("<div class='footer'>", f"{made}<div class='footer'>")
    return Page(page.url, html)


def spam(number: int) -> str:
    return " ".join(f"<a href='http://pills.example/{number}/{at}'>cheap pills</a>" for at in range(30))


def in_template(number: int, inner: str) -> Page:
    """Return a page of the site with something in place of its article."""
    page = article(number)
    start, rest = str(page.html).split("<h1>")[0], str(page.html).split("<div class='footer'>")[1]
    return Page(page.url, f"{start}{inner}</div><div class='footer'>{rest}")


def some(most: int, other: Callable[[int], Page], own: Callable[[int], Page] = article) -> list[Page]:
    return [other(number) if number < most else own(number) for number in range(LEARNED)]


def in_place(most: int, inner: Callable[[int], str]) -> list[Page]:
    """Return the pages of a sample, some with something in place of their article."""
    return some(most, lambda number: in_template(number, inner(number)))


def at(address: str, page: Page) -> Page:
    return replace(page, url=f"http://heron.example/{address}")


COPIED = story(100)[2]  # of a victim
LINKS = "".join(f"<p><a href='/{at}'>{sentence(random.Random(at), 6)}</a></p>" for at in range(40))
LIVE = "".join(f"<p>{sentence(random.Random(at), 20)}</p>" for at in range(60))

SCENARIOS: dict[str, Callable[[], list[Page]]] = {
    "a paragraph copied to 6 of 20 pages": lambda: some(6, lambda n: blog_page(n, COPIED), blog_page),
    "a paragraph copied to 12 of 20 pages": lambda: some(12, lambda n: blog_page(n, COPIED), blog_page),
    "an article copied to 12 of 20 pages": lambda: some(12, lambda n: blog_page(n, *story(100)), blog_page),
    "an article copied into one comment": lambda: some(12, lambda n: blog_page(n, " ".join(story(100))), blog_page),
    "the only comment of most pages": lambda: some(14, lambda n: blog_page(n, COPIED, own=0), blog_page),
    "spam below 12 pages": lambda: some(12, lambda n: blog_page(n, spam(0)), blog_page),
    "spam that differs below 17 pages": lambda: some(17, lambda n: blog_page(n, spam(n)), blog_page),
    "12 pages of a stranger in the article's place": lambda: in_place(12, lambda n: f"<p>{spam(n)}</p>"),
    "17 pages of a stranger in the article's place": lambda: in_place(17, lambda n: f"<p>{spam(n)}</p>"),
    "12 pages of links": lambda: in_place(12, lambda n: LINKS),
    "12 pages that say they were not found": lambda: in_place(12, lambda n: "<h1>404</h1><p>Not found.</p>"),
    "the template 500 times on a page": lambda: in_place(1, lambda n: "Copyright The Heron " * 500),
    "print views": lambda: [at(f"{n % 10}/{'print' * (n > 9)}", article(n % 10)) for n in range(LEARNED)],
    "session ids": lambda: [at(f"{n % 7}?sid={n}", article(n % 7)) for n in range(LEARNED)],
    "pagination": lambda: some(12, lambda n: at(f"0?page={n}", article(n))),
    "12 copies of one page": lambda: some(12, lambda n: at(f"copy/{n}", article(0))),
    "the text of an agency on 12 pages": lambda: some(12, lambda n: article(n, f"<p>{'</p><p>'.join(story(500))}</p>")),
    "a live blog": lambda: some(12, lambda n: at(f"live/{n}", in_template(0, LIVE[: 90 * (n + 20)]))),
    "a victim in the sample, copied to 9 pages": lambda: [
        *some(9, lambda n: blog_page(n, COPIED), blog_page)[:-1], article(100)
    ],
}  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_page_loses_its_text_by_what_stands_on_others(scenario: str) -> None:
    patterns = learn(SCENARIOS[scenario]())
    for number in range(100, 100 + VICTIMS):
        text = patterns.strip(article(number)).text
        assert [part for part in story(number) if part not in text] == [], "recall is 1"


def note(number: int, *, heading: str = "h1") -> Page:
    """Return a page of a short text with a title."""
    title, text = sentence(random.Random(number), 3), sentence(random.Random(number + 50), 12)
    page = in_template(number, f"<{heading}>{title}</{heading}><p>{text}</p>")
    html = str(page.html).partition("<title>")[2].partition("</title>")
    return Page(page.url, f"<html><head><title>{title} | The Heron</title>{html[2]}")


@pytest.mark.parametrize("heading", ["h1", "div"])
@pytest.mark.parametrize("copying", [3, 5, 12])
def test_a_short_page_keeps_its_text_where_users_publish_copies_of_it(copying: int, heading: str) -> None:
    victim = note(100, heading=heading)
    pages = some(copying, lambda number: at(f"copy/{number}", victim))
    stripped = learn(pages).strip(victim)
    assert stripped.kind == "content"
    assert sentence(random.Random(150), 12) in stripped.text


def test_readers_of_other_pages_keep_their_comments() -> None:
    """A stranger's comment, alone on half of the pages, makes no template of the place of comments."""
    comments = [sentence(random.Random(number), 24) for number in range(LEARNED)]
    clean = [blog_page(n, text, own=0) for n, text in enumerate(comments)]
    pages = [blog_page(n, COPIED if n % 2 else text, own=0) for n, text in enumerate(comments)]
    own = sentence(random.Random(999), 24)
    victim = blog_page(300, own, own=0)
    assert (own in learn(pages).strip(victim).text) == (own in learn(clean).strip(victim).text)
