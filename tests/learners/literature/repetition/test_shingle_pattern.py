"""Labels by returning fragments of text."""

from __future__ import annotations

import pytest

from scrapy_stemmer import MatchOptions, Page
from scrapy_stemmer.learners.literature.repetition.pattern import Returning, ShinglePattern, fragment_hashes
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.text import tokens
from scrapy_stemmer.patterns.base import PageMatch, Role

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


def match(template: ShinglePattern, html: str, options: MatchOptions | None = None) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)), options or MatchOptions())


def noise_of(template: ShinglePattern, html: str) -> dict[str, float]:
    matched = match(template, html)
    assert matched is not None
    return {block.text: round(block.noise_confidence, 3) for block in matched.blocks}


def test_blocks_in_fragments_that_return_are_noise() -> None:
    """Windows run over the ends of blocks: each of the menu's is shorter than a window."""
    matched = match(SITE, PAGE.format("Rain", "It rained."))
    assert matched is not None
    assert (matched.pattern, matched.similarity) == ("(all pages)", 1.0)
    assert [(block.role, block.text, block.noise_confidence) for block in matched.blocks] == [
        (Role.MAIN, "Rain | News", 0.0),
        (Role.TEMPLATE, "Home", 1.0),
        (Role.TEMPLATE, "World news", 1.0),
        (Role.TITLE, "Rain", 0.0),
        (Role.MAIN, "It rained.", 0.0),
        (Role.TEMPLATE, "Contact us in town", 1.0),
    ]


def test_markup_and_case_make_no_difference() -> None:
    page = PAGE.format("Rain", "<b>contact</b> US, in <i>town</i>")
    assert noise_of(SITE, page)["contact US, in town"] == 1.0


def test_noise_is_a_share_of_characters() -> None:
    page = PAGE.format("Rain", "Please contact us in town today")
    assert noise_of(SITE, page)["Please contact us in town today"] == round(15 / 26, 3)


def test_less_than_a_window_is_never_found() -> None:
    assert noise_of(SITE, PAGE.format("Rain", "Contact us"))["Contact us"] == 0.0


def test_scripts_without_spaces_go_by_characters() -> None:
    page = "<html><body><p>今日は雨です</p><p>お問い合わせ</p></body></html>"
    assert noise_of(pattern("お問い合わせ"), page) == {"今日は雨です": 0.0, "お問い合わせ": 1.0}


@pytest.mark.parametrize(("threshold", "matches"), [(0.0, True), (0.6, True), (0.7, False), (1.0, False)])
def test_a_page_must_have_more_than_the_threshold_of_the_template(threshold: float, matches: bool) -> None:
    """The page has two of three fragments, both from the last line."""
    page = "<html><body><p>It rained.</p><div>Contact us in town</div></body></html>"
    assert (match(SITE, page, MatchOptions(site_threshold=threshold)) is not None) is matches


@pytest.mark.parametrize("html", ["", "<p>It rained.</p>", "<p>Rain</p>"])
def test_pages_of_another_make_do_not_match(html: str) -> None:
    assert match(SITE, html) is None
