"""Labels by returning subtrees."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.repetition.pattern import DomHashPattern, Node, Returning, subtrees_of
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.patterns.base import PageMatch

TEMPLATE = "<ul><li><a href=/>Home</a></li><li><a href=/w>World news</a></li></ul><div>Contact us</div>"

PAGE = (
    "<html><head><title>{0} | News</title></head><body>"
    "<ul><li><a href=/>Home</a></li><li><a href=/w>World news</a></li></ul>"
    "<h1>{0}</h1><p>{1}</p><div>Contact us</div></body></html>"
)


def nodes_of(body: str) -> list[Node]:
    return subtrees_of(parse(f"<html><body>{body}</body></html>")).nodes


def pattern(template: str = TEMPLATE, ignored: tuple[str, ...] = ()) -> DomHashPattern:
    hashes = sorted({node.hash for node in nodes_of(template)[1:]})
    return DomHashPattern(
        site="news.example",
        name="(all pages)",
        support=3,
        score=1.0,
        site_wide=True,
        returning=tuple(Returning(hash_, 3) for hash_ in hashes),
        ignored_attributes=ignored,
    )


def match(template: DomHashPattern, html: str) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)))


def noise_of(template: DomHashPattern, html: str) -> dict[str, float]:
    matched = match(template, html)
    assert matched is not None
    return {block.text: round(block.noise_confidence, 3) for block in matched.blocks}


def test_the_same_words_in_other_markup_are_not_template() -> None:
    """But a run of text alone is a subtree too."""
    page = PAGE.format("Rain", "Contact <i>us</i>")
    assert noise_of(pattern(), page)["Contact us"] == 1.0  # the page's own, further down
    assert noise_of(pattern(), page.replace("<div>Contact us</div>", ""))["Contact us"] == 0.0
    assert noise_of(pattern(), PAGE.format("Rain", "World news"))["World news"] == 1.0


@pytest.mark.parametrize(("threshold", "matches"), [(0.0, True), (0.2, True), (0.3, False), (1.0, False)])
def test_a_page_must_have_more_than_the_threshold_of_the_template(
    monkeypatch: pytest.MonkeyPatch, threshold: float, matches: bool
) -> None:
    """The page has two of nine subtrees: the ``div`` and its text."""
    page = "<html><body><p>It rained.</p><div>Contact us</div></body></html>"
    monkeypatch.setattr("scrapy_stemmer.learners.literature.repetition.pattern.SITE_THRESHOLD", threshold)
    assert (match(pattern(), page) is not None) is matches
