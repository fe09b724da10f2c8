"""Counts of the texts on later pages of a site."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_stemmer import Page, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.returning.new_boxes import (
    ALL_PAGES,
    COUNTED_EVERY,
    LEAST_PAGES,
    MAX_COUNTS,
    NewBoxes,
)
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patternset import PatternSet, strip_by
from tests.crawl.website import Article

PLEA = "The Heron is read by many people and paid for by only a few of them. Please help."
OTHER = "Our letter arrives each Tuesday with the best of the week. You will not miss it."


def page(number: int, box: str = "") -> Page:
    """Return an article with some HTML behind its first paragraph."""
    html = Article(number).html()
    first = f"<p>{Article(number).body[0]}</p>"
    return Page(f"http://a.example/{number}", html.replace(first, first + box))


@pytest.fixture(scope="module")
def pattern() -> RulesPattern:
    (found,) = learn([page(number) for number in range(10)]).patterns
    assert isinstance(found, RulesPattern)
    return found


def counted(pattern: RulesPattern, box: Callable[[int], str], pages: int = 2 * LEAST_PAGES) -> RulesPattern:
    """Return the pattern after a number of later pages."""
    counter = NewBoxes(pattern.knowledge)
    for number in range(100, 100 + pages):
        strip_by([pattern], Document(page(number, box(number)))).count_in(counter)
    made = pattern.with_counted(counter)
    assert isinstance(made, RulesPattern)
    return made


def texts(pattern: RulesPattern) -> list[str]:
    return sorted(line.text for line in pattern.knowledge.returning)


@pytest.mark.parametrize("markup", ["<div class='plea'><p>{}</p></div>", "<aside>{}</aside>"])
def test_a_box_that_is_new_since_the_sample_is_dropped(pattern: RulesPattern, markup: str) -> None:
    box = markup.format(PLEA)
    made = counted(pattern, lambda _: box)
    (line,) = made.knowledge.returning
    assert (line.text, line.on) == (PLEA, f"{LEAST_PAGES} of {LEAST_PAGES}")
    after = strip_by([made], Document(page(500, box)))
    assert after.text.splitlines() == Article(500).text
    assert f"on {LEAST_PAGES} of {LEAST_PAGES} learned pages" in [
        block.evidence[0] for block in after.blocks if block.text == PLEA
    ]


def test_variants_of_a_box_are_found_in_their_place(pattern: RulesPattern) -> None:
    drawn = random.Random(3)
    made = counted(pattern, lambda _: f"<div class='plea'>{drawn.choice([PLEA, OTHER])}</div>")
    assert texts(made) == sorted([PLEA, OTHER])


@pytest.mark.parametrize(
    ("case", "box"),
    [
        ("among an article's own paragraphs, where writers copy", lambda _: f"<p>{PLEA}</p>"),
        ("varying text", lambda n: f"<div class='plea'>{Article(n + 1000).body[0]}</div>"),
        ("too few pages", lambda n: f"<div class='plea'>{PLEA}</div>" if n < 100 + LEAST_PAGES - 1 else ""),
        ("a heading", lambda _: f"<h2>{PLEA}</h2>"),
        ("a short label", lambda _: "<p>In short.</p>"),
        ("code", lambda _: f"<pre><code>{PLEA}</code></pre>"),
        ("a quotation", lambda _: f"<blockquote><p>{PLEA}</p></blockquote>"),
        ("a list item", lambda n: f"<ul><li>{PLEA}</li><li>{Article(n + 1000).body[0]}</li></ul>"),
        ("a link", lambda _: f"<p><a href='/donate'>{PLEA}</a></p>"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_content_that_returns_is_no_box(pattern: RulesPattern, case: str, box: Callable[[int], str]) -> None:
    assert texts(counted(pattern, box)) == []


def test_a_deleted_text_is_not_found_again(pattern: RulesPattern, tmp_path: Path) -> None:
    def box(number: int) -> str:
        return f"<div class='plea'>{PLEA}</div>"

    path = tmp_path / "patterns.jsonl"
    PatternSet([counted(pattern, box)]).save(path)
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if PLEA not in line))
    (read,) = PatternSet.load(path).patterns
    assert isinstance(read, RulesPattern)
    assert texts(read) == texts(counted(read, box)) == []


def test_all_pages_are_counted_at_first_and_then_some(pattern: RulesPattern) -> None:
    texts = NewBoxes(pattern.knowledge)
    for number in range(100, 100 + ALL_PAGES + 10 * COUNTED_EVERY):
        strip_by([pattern], Document(page(number))).count_in(texts)
    assert texts._pages == ALL_PAGES + 10


def at(number: int, body: str, query: str = "") -> Page:
    """Return a page with something in place of an article's paragraphs."""
    start, _, rest = Article(number).html().partition(f"<p>{Article(number).body[0]}</p>")
    end = rest[rest.rindex("</p>") + 4 :]
    return Page(f"http://a.example/{number}{query}", f"{start}{body}{end}")


def titled(page: Page, title: str) -> Page:
    return replace(page, html=re.sub("<title>.*?<", f"<title>{title}<", str(page.html)))


VICTIM = "".join(f"<p>{text}</p>" for text in Article(7000).body)
OWN = [f"<p>{Article(8000 + number, 150).body[0]}</p>" for number in range(2 * ALL_PAGES)]

COPIES: dict[str, Callable[[int], Page]] = {
    "one article at many addresses": lambda n: at(7000, VICTIM, f"?replytocom={n}"),
    "one article at many addresses, growing": lambda n: at(7000, VICTIM + "".join(OWN[:n]), f"?page={n}"),
    "articles that quote all of another": lambda n: at(n + 100, VICTIM + OWN[n]),
    "articles that quote it as a box": lambda n: at(n + 100, f"{OWN[n]}<div class='mine'>{VICTIM}</div>"),
    "pages of one title": lambda n: titled(at(n + 100, f"{OWN[n]}<aside>{PLEA}</aside>"), "One title"),
}


@pytest.mark.parametrize("case", COPIES)
def test_copies_of_an_article_cost_it_nothing(pattern: RulesPattern, case: str) -> None:
    counter = NewBoxes(pattern.knowledge)
    for number in range(ALL_PAGES):
        strip_by([pattern], Document(COPIES[case](number))).count_in(counter)
    assert counter.found == []


def test_no_more_than_so_many_texts_are_learned(pattern: RulesPattern, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_stemmer.learners.rules.pattern.MAX_RETURNING", 1)
    boxes = f"<aside>{PLEA}</aside><div class='plea'>{OTHER}</div>"
    assert len(texts(counted(pattern, lambda _: boxes))) == 1


def test_the_number_of_counts_is_bounded(pattern: RulesPattern) -> None:
    counter = NewBoxes(pattern.knowledge)
    for number in range(100, 160):
        varying = "".join(f"<p>{text}</p>" for text in Article(number + 1000, 150).body)
        strip_by([pattern], Document(page(number, varying))).count_in(counter)
        assert len(counter._counts) <= MAX_COUNTS
