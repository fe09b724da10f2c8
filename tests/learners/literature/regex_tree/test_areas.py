"""Areas of elements: on a page marked by a browser, and by a template of such pages."""

from __future__ import annotations

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.regex_tree.learner import RegexTreeLearner
from scrapy_stemmer.learners.literature.regex_tree.pattern import RegexTreePattern
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns import codec
from tests.samplesite import NAVIGATION, paragraphs

BODY = "<div class=banner {}><div class=logo {}><h2>News</h2></div><div class=ad {}><b>Buy {}</b></div></div>{}"
"""A banner of few words that nevertheless fills most of the screen."""

BOXES = ("0 0 800 900", "0 0 800 450", "0 450 800 450")


def page(number: int, *, marked: bool) -> Page:
    marks = [f'data-stemmer-box="{box}"' if marked else "" for box in BOXES]
    box = ' data-stemmer-box="0 900 800 20"' if marked else ""
    text = "".join(f"<p{box}>{text}</p>" for text in paragraphs(number))
    body = BODY.format(*marks, number, f"<ul>{NAVIGATION}</ul>{text}")
    return Page(f"https://news.example/{number}", f"<html><body>{body}</body></html>")


def learned(*, marked: bool) -> RegexTreePattern:
    (pattern,) = RegexTreeLearner().learn([page(number, marked=marked) for number in range(6)])
    assert isinstance(pattern, RegexTreePattern)
    return pattern


def sections(pattern: RegexTreePattern, number: int = 7, *, marked: bool = False) -> list[str]:
    """The beginnings of the sections of a page."""
    page_match = pattern.match(Document(page(number, marked=marked)))
    assert page_match is not None
    return [section.text.split("\n")[0][:8] for section in page_match.sections]


def test_a_page_that_is_marked_is_cut_by_its_boxes() -> None:
    pattern = learned(marked=False)
    assert "Buy 7" in sections(pattern, marked=True)
    assert "Buy 7" not in sections(pattern)


def test_areas_are_learned_for_pages_that_no_browser_has_seen() -> None:
    assert sections(learned(marked=True)) == sections(learned(marked=False), marked=True)


def test_areas_are_shares_of_the_page_and_are_kept() -> None:
    pattern = learned(marked=True)
    areas = {row.marks: row.area for row in pattern.rows if row.marks}
    assert areas[("logo",)] == areas[("ad",)]
    assert 0.4 < (areas[("logo",)] or 0) < 0.5
    again = codec.loads(codec.dumps([pattern]))
    assert again == [pattern]
    assert all(row.area is None for row in learned(marked=False).rows)
