"""Labels by returning subtrees."""

from __future__ import annotations

import pytest

from scrapy_stemmer import MatchOptions, Page
from scrapy_stemmer.learners.literature.repetition.pattern import DomHashPattern, Node, Returning, subtrees_of
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.patterns.base import PageMatch, Role

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


def match(template: DomHashPattern, html: str, options: MatchOptions | None = None) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)), options or MatchOptions())


def noise_of(template: DomHashPattern, html: str) -> dict[str, float]:
    matched = match(template, html, MatchOptions(site_threshold=0.0))
    assert matched is not None
    return {block.text: round(block.noise_confidence, 3) for block in matched.blocks}


def test_blocks_in_subtrees_of_the_template_are_noise() -> None:
    matched = match(pattern(), PAGE.format("Rain", "It rained."))
    assert matched is not None
    assert (matched.pattern, matched.similarity) == ("(all pages)", 1.0)
    assert [(block.role, block.text, block.noise_confidence) for block in matched.blocks] == [
        (Role.MAIN, "Rain | News", 0.0),
        (Role.TEMPLATE, "Home", 1.0),
        (Role.TEMPLATE, "World news", 1.0),
        (Role.TITLE, "Rain", 0.0),
        (Role.MAIN, "It rained.", 0.0),
        (Role.TEMPLATE, "Contact us", 1.0),
    ]


def test_what_is_left_of_a_changed_menu_is_found() -> None:
    changed = PAGE.replace("<ul>", "<ul class=open>").format("Rain", "It rained.")
    assert noise_of(pattern(), changed)["World news"] == 1.0


def test_the_same_words_in_other_markup_are_not_template() -> None:
    """But a run of text alone is a subtree too."""
    page = PAGE.format("Rain", "Contact <i>us</i>")
    assert noise_of(pattern(), page)["Contact us"] == 1.0  # the page's own, further down
    assert noise_of(pattern(), page.replace("<div>Contact us</div>", ""))["Contact us"] == 0.0
    assert noise_of(pattern(), PAGE.format("Rain", "World news"))["World news"] == 1.0


def test_noise_is_a_share_of_characters() -> None:
    page = PAGE.format("Rain", "<b>World news</b> and more, 22 in all")
    template = pattern(f"{TEMPLATE}<b>World news</b>")
    assert noise_of(template, page)["World news and more, 22 in all"] == round(9 / 23, 3)


def test_text_in_a_gap_is_half_noise_and_never_deleted() -> None:
    template = pattern("<div><p>Updated</p></div><div><p>By our editors</p></div>")
    page = "<div><p>Updated</p></div><div><p>5 minutes ago</p></div><div><p>By our editors</p></div>"
    assert noise_of(template, page) == {"Updated": 1.0, "5 minutes ago": 0.5, "By our editors": 1.0}
    matched = match(template, page)
    assert matched is not None
    assert [block.role for block in matched.blocks] == [Role.TEMPLATE, Role.MAIN, Role.TEMPLATE]


def test_a_gap_does_not_lift_a_block_over_the_threshold() -> None:
    template = pattern("<p>By</p><p>Editors</p>")
    page = "<div><p>By</p><span>1<b>Zoe</b></span><p>Editors</p></div>"
    assert noise_of(template, page)["1Zoe"] == 0.5


def test_a_drop_capital_alone_is_no_template() -> None:
    page = PAGE.format("Rain", '<img alt="T">')
    assert noise_of(pattern(), page)["T"] == 0.0


def test_long_text_between_template_is_no_gap() -> None:
    template = pattern("<p>Updated</p><p>By our editors</p>")
    text = "A text of many words that holds more than forty letters"
    assert noise_of(template, f"<p>Updated</p><p>{text}</p><p>By our editors</p>")[text] == 0.0


def test_ignored_attributes_make_no_difference_on_new_pages_either() -> None:
    page = PAGE.replace("<ul>", "<ul data-visit=8>").format("Rain", "It rained.")
    page_match = match(pattern(ignored=("data-*",)), page)
    assert page_match is not None
    assert page_match.similarity == 1.0
    other = match(pattern(), page)
    assert other is not None
    assert other.similarity < 1.0


@pytest.mark.parametrize(("threshold", "matches"), [(0.0, True), (0.2, True), (0.3, False), (1.0, False)])
def test_a_page_must_have_more_than_the_threshold_of_the_template(threshold: float, matches: bool) -> None:
    """The page has two of nine subtrees: the ``div`` and its text."""
    page = "<html><body><p>It rained.</p><div>Contact us</div></body></html>"
    assert (match(pattern(), page, MatchOptions(site_threshold=threshold)) is not None) is matches


def test_pages_of_another_make_do_not_match() -> None:
    assert match(pattern(), "<html><body><p>It rained.</p></body></html>") is None
