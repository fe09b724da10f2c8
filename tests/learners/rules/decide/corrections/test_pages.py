"""Whole pages with boxes, tables and links to related pages in the text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from scrapy_stemmer import Page, strip

LINE = (
    "The keeper of the {} lamp said that nobody had asked him about the oil, which was kept in the shed by the quay. "
)
TEXT = "".join(f"<p>{LINE.format(name) * 2}</p>" for name in ("old", "new", "red", "tall", "last"))


def page(inside: str) -> Page:
    return Page("https://lamps.example/a", f"<title>The lamp</title><body><article><h1>The lamp</h1>{inside}</article>")


ROWS = "<tr><th>Oil</th><th>Litres</th></tr><tr><td>Whale</td><td>9</td></tr><tr><td>Seed</td><td>4</td></tr>"


@pytest.mark.parametrize(
    "table",
    [
        f"<table><caption>Oil in May</caption>{ROWS}</table>",
        f"<figure class=wp-block-table><table>{ROWS}</table><figcaption>Oil in May</figcaption></figure>",
    ],
)
def test_captions_stand_with_their_tables(table: str) -> None:
    stripped = strip(page(TEXT + table + TEXT))
    assert "Oil in May" in stripped.markdown
    assert "| Whale | 9 |" in stripped.markdown


@pytest.mark.parametrize("words", ["Read more:", "See also:", "Lesen Sie auch:", "Lire aussi :", "Читайте также:"])
def test_hints_at_other_pages_are_no_text(words: str) -> None:
    text = strip(page(f'{TEXT}<p>{words} <a href="/b">Who mends the nets of the town</a></p>{TEXT}')).text
    assert "Who mends the nets" not in text
    assert "the tall lamp" in text


@pytest.mark.parametrize("name", ["author-bio", "about-author", "inline-newsletter", "newsletter"])
def test_boxes_about_something_else_are_no_text(name: str) -> None:
    box = f"<div class={name}><p>Ann Lee has kept lamps since 1990. Follow her on Chirp.</p></div>"
    assert "Follow her" not in strip(page(TEXT + box)).text


def timed(task: Callable[[], object]) -> float:
    """Return the seconds of computing of a task."""
    started = time.thread_time()
    task()
    return time.thread_time() - started


def test_tables_side_by_side_are_stripped_in_time_that_grows_with_them() -> None:
    """None is compared with all elements of the page."""

    def seconds(count: int) -> float:
        html = "".join(f"<table><tr><td>a<td>{number}</table>" for number in range(count))
        return min(timed(lambda: strip(page(TEXT + html)).text) for _ in range(3))

    seconds(10)
    assert seconds(2_000) < 30 * seconds(200)
