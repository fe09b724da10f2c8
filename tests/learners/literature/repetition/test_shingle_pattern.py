"""Labels by returning fragments of text."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.repetition.pattern import Returning, ShinglePattern, fragment_hashes
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.text import tokens
from scrapy_stemmer.patterns.base import PageMatch

PAGE = (
    "<html><head><title>{0} | News</title></head><body><ul><li>Home</li><li>World news</li></ul>"
    "<h1>{0}</h1><p>{1}</p><div>Contact us in town</div></body></html>"
)


def pattern(*texts: str, width: int = 3) -> ShinglePattern:
    hashes = {hash_ for text in texts for hash_ in fragment_hashes(tokens(text), width).tolist()}
    return ShinglePattern(
        site="news.example",
        name="(all pages)",
        support=3,
        score=1.0,
        site_wide=True,
        returning=tuple(Returning(hash_, 3) for hash_ in sorted(hashes)),
        width=width,
    )


SITE = pattern("Home World news", "Contact us in town")


def match(template: ShinglePattern, html: str) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)))


def noise_of(template: ShinglePattern, html: str) -> dict[str, float]:
    matched = match(template, html)
    assert matched is not None
    return {block.text: round(block.noise_confidence, 3) for block in matched.blocks}


def test_less_than_a_window_is_never_found() -> None:
    assert noise_of(SITE, PAGE.format("Rain", "Contact us"))["Contact us"] == 0.0


@pytest.mark.parametrize("html", ["", "<p>It rained.</p>", "<p>Rain</p>"])
def test_pages_of_another_make_do_not_match(html: str) -> None:
    assert match(SITE, html) is None
