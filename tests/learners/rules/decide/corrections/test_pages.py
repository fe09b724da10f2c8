"""Whole pages with boxes, tables and links to related pages in the text."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, strip

LINE = (
    "The keeper of the {} lamp said that nobody had asked him about the oil, which was kept in the shed by the quay. "
)
TEXT = "".join(f"<p>{LINE.format(name) * 2}</p>" for name in ("old", "new", "red", "tall", "last"))


def page(inside: str) -> Page:
    return Page("https://lamps.example/a", f"<title>The lamp</title><body><article><h1>The lamp</h1>{inside}</article>")


@pytest.mark.parametrize("words", ["Read more:", "See also:", "Lesen Sie auch:", "Lire aussi :", "Читайте также:"])
def test_hints_at_other_pages_are_no_text(words: str) -> None:
    text = strip(page(f'{TEXT}<p>{words} <a href="/b">Who mends the nets of the town</a></p>{TEXT}')).text
    assert "Who mends the nets" not in text
    assert "the tall lamp" in text


@pytest.mark.parametrize("name", ["author-bio", "about-author", "inline-newsletter", "newsletter"])
def test_boxes_about_something_else_are_no_text(name: str) -> None:
    box = f"<div class={name}><p>Ann Lee has kept lamps since 1990. Follow her on Chirp.</p></div>"
    assert "Follow her" not in strip(page(TEXT + box)).text
