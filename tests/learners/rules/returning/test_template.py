"""Returning template within the content of a site: boxes go, labels and quotations stay."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from scrapy_stemmer import Page, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.page.selectors import Selector
from scrapy_stemmer.patternset import PatternSet
from tests.counting import steps_of

WORDS = """river bridge harbour window garden market winter letter captain mirror copper kettle ladder marble orchard
pepper quarry ribbon saddle timber valley walnut yellow anchor basket candle drawer engine feather""".split()
PLEA = "The Heron is read by many and paid for by few. Please think of a gift to our fund today."
OFFER = "We do not hide behind a wall. Become a friend for less than a cup of tea a week."


def sentence(rng: random.Random, count: int = 12) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count)).capitalize() + "."


def article(number: int, *inside: str) -> Page:
    """A page with a menu, an article of six paragraphs with some HTML between them, and a footer."""
    rng = random.Random(number)
    paragraphs = [f"<p>{sentence(rng)} {sentence(rng)}</p>" for _ in range(6)]
    for at, html in enumerate(inside):
        paragraphs.insert(2 + 2 * at, html)
    title = sentence(rng, 5)
    menu = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in ("Home", "Town", "Sport", "Culture"))
    return Page(
        f"http://heron.example/{number}",
        f"<html><head><title>{title} | The Heron</title></head><body><ul class='menu'>{menu}</ul>"
        f"<div class='story'><h1>{title}</h1>{''.join(paragraphs)}</div>"
        f"<div class='footer'>Copyright The Heron, all rights reserved.</div></body></html>",
    )


def learned(*pages: Page) -> PatternSet:
    return learn(pages)


Inside = Callable[[int], tuple[str, ...]]
"""Function from the number of a page to HTML between its paragraphs."""


def text_of(inside: Inside, count: int = 12, tested: int = 99, later: Inside | None = None) -> str:
    """Return the text of a page, after learning from some with HTML between their paragraphs."""
    patterns = learned(*(article(number, *inside(number)) for number in range(count)))
    return patterns.strip(article(tested, *(later or inside)(tested))).text


def of_each(number: int) -> str:
    return sentence(random.Random(1000 + number), 8)


def pattern_of(patterns: PatternSet) -> RulesPattern:
    (pattern,) = patterns.patterns
    assert isinstance(pattern, RulesPattern)
    return pattern


BOXES = {
    "named element": f"<div class='plea'><p>{PLEA}</p></div>",
    "heading and text": f"<div><h3>Support us</h3><p>{PLEA}</p></div>",
    "bare paragraph": f"<p>{PLEA}</p>",
    "aside": f"<aside><p>{PLEA}</p></aside>",
    "list": f"<ul><li><p>{PLEA}</p></li></ul>",
    "layout table": f"<table><tr><td><p>{PLEA}</p></td></tr></table>",
    "quote": f"<blockquote><p>{PLEA}</p></blockquote>",
}


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
@pytest.mark.parametrize("count", [6, 10, 20])
def test_a_box_with_one_text_on_every_page_is_dropped(box: str, count: int) -> None:
    text = text_of(lambda _: (box,), count)
    assert "paid for by few" not in text
    assert "Support us" not in text
    assert len(text.splitlines()) == 7


DAYS = ("Monday, 3 May 2021", "Friday, 14 June 2024", "Sunday, 1 July 2023", "Thursday, 9 March 2022")
RENEWED = "<p>Renewed by our desk each hour. Last change: {}, version {}.</p>"
METHOD, LINKED = "<p><b>Method</b></p>", "<a href='/mail/{}'>View this letter in your browser</a>"

DROPPED: dict[str, tuple[int, Inside, Inside | None, list[str]]] = {
    "on most pages": (10, lambda n: (f"<p>{PLEA}</p>" if n % 5 else "",), lambda _: (f"<p>{PLEA}</p>",), [PLEA]),
    "but for dates and numbers": (10, lambda n: (RENEWED.format(DAYS[n % 4], n),),
        lambda _: (RENEWED.format("Tuesday, 7 October 2025", 812),), ["Renewed"]),
    "one of two": (8, lambda n: (f"<p>{PLEA if n % 2 else OFFER}</p>",),
        lambda _: (f"<p>{PLEA}</p>", f"<p>{OFFER}</p>"), [PLEA, OFFER]),
    "bold, and it says advertisement": (12, lambda _: ("<p><b>Anzeige</b></p>", METHOD), None, ["Anzeige"]),
    "an advertisement between paragraphs": (10, lambda n: ("<p>Advertisement</p>", label(n, "Method")), None,
        ["Advertisement"]),
    **{
        f"a link in {form}, on {count} pages": (count,
            lambda n, form=form: (form.format(LINKED.format(n)), form.format("<a href='/join'>Join the club</a>")),
            None, ["browser", "Join"])
        for form in ("<p>{}</p>", "<p><strong>{}</strong></p>", "<div class='btn'>{}</div>") for count in (4, 12)
    },
}  # fmt: skip


@pytest.mark.parametrize(("count", "inside", "later", "gone"), DROPPED.values(), ids=DROPPED)
def test_lines_that_return_are_dropped(count: int, inside: Inside, later: Inside | None, gone: list[str]) -> None:
    text = text_of(inside, count, later=later)
    assert [words for words in gone if words in text] == []
    assert len(text.splitlines()) == 7 + text.count("Method") * (2 if "Advertisement" in gone else 1)


def label(number: int, text: str) -> str:
    """An element with a bold label over a varying paragraph."""
    return f"<div><p><strong>{text}</strong></p><p>{sentence(random.Random(number + 500))}</p></div>"


def test_a_named_place_with_texts_that_alternate_is_dropped_with_any_text() -> None:
    pages = [article(number, f"<div class='plea'><p>{PLEA if number % 2 else OFFER}</p></div>") for number in range(8)]
    patterns = learned(*pages)
    assert "drop .plea" in [rule.line for rule in pattern_of(patterns).rules]
    new = "<div class='plea'><p>Another text that no learned page has, about a gift to our fund.</p></div>"
    assert "Another text" not in patterns.strip(article(99, new)).text


COMMAND = "pip install --upgrade --no-cache-dir heron-tools heron-plugins heron-reports"


def remark(number: int) -> str:
    """Return a label that some pages have over nothing."""
    below = f"<p>{sentence(random.Random(number + 500))}</p>" if number % 3 else ""
    return f"<div class='remark box'><p class='remark-title'>Remark</p>{below}</div>"


STAYING: dict[str, tuple[str, Callable[[int], str]]] = {
    "heading": ("Ingredients",
        lambda n: f"<section><h2>Ingredients</h2><ul><li>{of_each(n)}<li>{of_each(n + 1)}</ul></section>"),
    "label in bold": ("Method", lambda n: f"<div><p><b>Method</b></p><p>{of_each(n)}</p><p>{of_each(n + 1)}</p></div>"),
    "terms": ("Weight",
        lambda n: f"<dl><dt>Weight</dt><dd>{of_each(n)}</dd><dt>Colour</dt><dd>{of_each(n + 1)}</dd></dl>"),
    "heads of rows": ("Weight", lambda n: f"<table><tr><th>Weight</th><td>{of_each(n)}</td></tr></table>"),
    "title of a note": ("Note", lambda n: f"<div class='note'><p class='note-title'>Note</p><p>{of_each(n)}</p></div>"),
    "label over nothing on some pages": ("Remark", remark),
    "command": ("pip install heron-tools",
        lambda n: f"<div><p>{of_each(n)}</p><pre><code>pip install heron-tools</code></pre></div>"),
    "inline command": (COMMAND, lambda n: f"<div><p>{of_each(n)}</p><p><code>{COMMAND}</code>.</p></div>"),
    "command in a list": (COMMAND, lambda n: f"<p>{of_each(n)}</p><ul><li> <kbd>{COMMAND}</kbd>; </li></ul>"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "inside"), STAYING.values(), ids=STAYING)
@pytest.mark.parametrize("count", [6, 10])
def test_labels_of_varying_text_and_code_stay_on_every_page(
    count: int, words: str, inside: Callable[[int], str]
) -> None:
    assert words in text_of(lambda number: (inside(number),), count)


@pytest.mark.parametrize(
    "html", ["<blockquote><p>{}</p></blockquote>", "<p>\u201c{}\u201d</p>", "<p>\u00ab{}\u00bb.</p>"]
)
@pytest.mark.parametrize(("count", "quoting"), [(6, 3), (10, 2), (10, 3), (10, 4), (20, 8)])
def test_a_quotation_on_less_than_half_of_the_pages_stays(html: str, count: int, quoting: int) -> None:
    quote = html.format(PLEA)
    assert PLEA in text_of(lambda number: (quote if number < quoting or number == 99 else "",), count)


def test_a_place_with_texts_of_single_pages_is_not_dropped() -> None:
    pages = [article(n, f"<div class='plea'><p>{PLEA if n % 10 < 7 else of_each(n)}</p></div>") for n in range(20)]
    patterns = learned(*pages)
    boxes = [f"<div class='plea'><p>{text}</p></div>" for text in (PLEA, of_each(99))]
    plea, own = (patterns.strip(article(99, box)).text for box in boxes)
    assert PLEA not in plea
    assert of_each(99) in own


LABELS = ("Ingredients", "How it is made", "To serve")
FORMS = {
    "bold": "<p><strong>{}</strong></p>",
    "old bold": "<p><b>{}</b></p>",
    "italic": "<p><em>{}</em></p>",
    "underlined": "<p><u>{}</u></p>",
    "named paragraph": "<p class='subhead'>{}</p>",
    "named div": "<div class='label'>{}</div>",
    "plain": "<p>{}</p>",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("count", [4, 7, 12])
def test_labels_of_sections_in_a_flat_article_stay(form: str, count: int) -> None:
    lines = text_of(lambda _: tuple(map(form.format, LABELS)), count).splitlines()
    assert [line for line in lines if line in LABELS] == list(LABELS)


def test_a_line_without_a_place_among_labels_is_dropped() -> None:
    def inside(number: int) -> tuple[str, ...]:
        lines = [f"<p>{label}</p>" for label in LABELS]
        lines.insert(number % 4, "<p>Story so far</p>")
        return tuple(lines)

    lines = text_of(inside, tested=98).splitlines()
    assert set(LABELS) <= set(lines)
    assert "Story so far" not in lines


def headlines(number: int, form: str) -> str:
    """A box with headlines that change from page to page under one label."""
    rng = random.Random(number + 700)
    links = [f"<a href='/{rng.randrange(10**6)}'>{sentence(rng, 7).rstrip('.')}</a>" for _ in range(4)]
    lists = {"list": "<ul>{}</ul>", "paragraphs": "{}"}
    items = {"list": "<li>{}</li>", "paragraphs": "<p>{}</p>"}
    inside = lists[form].format("".join(map(items[form].format, links)))
    return f"<div class='fresh'><h3>Fresh from the Heron</h3>{inside}</div>"


@pytest.mark.parametrize("form", ["list", "paragraphs"])
def test_headlines_under_one_label_are_dropped_beside_text(form: str) -> None:
    patterns = learned(*(article(number, headlines(number, form)) for number in range(12)))
    assert len(patterns.strip(article(99, headlines(99, form))).text.splitlines()) == 7
    assert "drop .fresh" in [rule.line for rule in pattern_of(patterns).rules]


def test_a_box_is_evidence_with_its_number_of_pages() -> None:
    patterns = learned(*(article(number, f"<p>{PLEA}</p>") for number in range(12)))
    (block,) = [block for block in patterns.strip(article(99, f"<p>{PLEA}</p>")).blocks if block.text == PLEA]
    assert block.evidence == ("on 12 of 12 learned pages",)
    assert block.noise_confidence > 0.9


KEPT_ALIKE = {"text": "<p>{}</p>", "links": "<p><a href='/1'>{}</a></p>"}


@pytest.mark.parametrize("html", KEPT_ALIKE.values(), ids=KEPT_ALIKE)
def test_a_page_that_keeps_text_of_learned_pages_is_less_sure(html: str) -> None:
    """Two of ten pages have the text: too few to drop it."""
    returning = html.format(PLEA) + html.format(OFFER)
    patterns = learned(*(article(number, returning if number < 2 else "") for number in range(10)))
    by_hand = Rule("keep", Selector.parse("p"), is_users=True)
    keep = PatternSet([pattern_of(patterns).with_rules([by_hand])])
    own = html.format(of_each(1)) + html.format(of_each(2))
    same, other = (patterns.strip(article(99, box)) for box in (returning, own))
    assert PLEA in same.text
    assert of_each(1) in other.text
    assert (same.confidence or 0) < (other.confidence or 0)
    same, other = (keep.strip(article(99, box)) for box in (returning, own))
    assert same.confidence == other.confidence


def test_links_on_pages_of_links_stay() -> None:
    def listing(number: int) -> Page:
        names = [sentence(random.Random(at), 6) for at in range(number, number + 8)]
        links = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in names)
        html = str(article(number).html)
        start, _, rest = html.partition("<p>")
        return Page(f"http://heron.example/list/{number}", f"{start}<ul class='found'>{links}</ul></div>{rest[-90:]}")

    patterns = learned(*(listing(number) for number in range(0, 24, 2)))
    assert sentence(random.Random(41), 6) in patterns.strip(listing(40)).text


MANY = {
    "short texts": "<p>a#</p>",
    "headings": "<h2>a#</h2>",
    "headings over boxes": "<h2>a#</h2><p>This text of a box returns on each of the pages, as does number #.</p>",
    "labels of links": "<p>label a#</p><p><a href='/#'>page ... of a list</a></p>",
    "lists of links": "<div><p>label a#</p><p><a href='/#'>one ... of many pages in a list</a></p></div>",
    "cells": "<table><tr><td>a#</td><td>b#</td></tr></table>",
}
"""Markup that may stand thousands of times on a page."""


@pytest.mark.parametrize("name", MANY)
def test_the_work_of_learning_grows_with_the_returning_texts_of_a_page(name: str) -> None:
    def work(times: int) -> int:
        many = "".join(MANY[name].replace("#", str(at)) for at in range(times))
        words = [sentence(random.Random(number), 3) for number in range(4)]
        pages = [article(number, many.replace("...", words[number])) for number in range(4)]
        return steps_of(lambda: learned(*pages))

    work(20)
    assert work(400) < 6 * work(100)


NOTE = "<table><tr><td rowspan=2><img src=/n.png alt=[!]></td><th>Note</th></tr><tr><td><p>{}</p></td></tr></table>"


@pytest.mark.parametrize(
    ("form", "label"),
    [
        (NOTE, "Note"),
        ("<table><tr><th>Note<th>More</tr><tr><td colspan=2>{}</table>", "Note | More"),
        ("<div class=note><p class=title>Note</p><p>{}</p></div>", "Note"),
        ("<h3>Support</h3><p>{}</p><h3>History</h3>", "Support"),
        ("<dl><dt>Support</dt><dd><table><td><p>{}</table></dd><dt>History</dt><dd>{}</dd></dl>", "Support"),
    ],
)
def test_a_label_goes_with_the_text_that_returns_below_it(form: str, label: str) -> None:
    def inside(number: int) -> tuple[str, ...]:
        return (form.format(PLEA if number % 2 else of_each(number), of_each(500 + number)),)

    patterns = learned(*(article(number, *inside(number)) for number in range(12)))
    alone, with_text = (patterns.strip(article(number, *inside(number))) for number in (99, 98))
    assert not {PLEA, label} & {*alone.text.split("\n")}
    assert "<img" not in alone.html
    assert {label, of_each(98)} <= {*with_text.text.replace("    ", "").split("\n")}


def test_a_heading_of_one_page_stays_though_all_below_it_returns() -> None:
    def inside(number: int) -> tuple[str, ...]:
        return (f"<h3>{of_each(number)}</h3><p>{PLEA}</p><h3>History</h3>",)

    assert {of_each(99), "History"} <= {*text_of(inside).split("\n")} - {PLEA}
