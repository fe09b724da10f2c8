"""Counts, choices and areas of the regex-tree learner; contract.py checks what all learners share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrapy_stemmer import Page, PatternSet, Stripped
from scrapy_stemmer.learners.literature.regex_tree.learner import (
    RegexTreeLearner,
    RegexTreeOptions,
    finish,
    sample_of,
)
from scrapy_stemmer.learners.literature.regex_tree.pattern import RegexTreePattern
from scrapy_stemmer.learners.literature.regex_tree.template_tree import CHOICE, TEXT_ITEM, Item
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns import codec
from tests.samplesite import NAVIGATION, paragraphs

PAPER = RegexTreeOptions(feature_pages=1)
"""Features of single pages kept, as in the paper."""


def pages(*bodies: str) -> list[Page]:
    return [Page(f"https://ex.com/{number}", f"<body>{body}</body>") for number, body in enumerate(bodies)]


def learned(*bodies: str, options: RegexTreeOptions | None = None) -> RegexTreePattern:
    (pattern,) = RegexTreeLearner(options).learn(pages(*bodies))
    assert isinstance(pattern, RegexTreePattern)
    return pattern


def noise(pattern: RegexTreePattern) -> dict[str, float]:
    return {
        f"{kind}={value}": group.confidence
        for row in pattern.rows
        for group in row.noise
        for kind, value in group.features
    }


def strip(pattern: RegexTreePattern, body: str) -> Stripped:
    return PatternSet([pattern]).strip(Page("https://ex.com/new", f"<body>{body}</body>"))


class TestMicroExample:
    """The design note's four pages: a leaf with equal text on all, and a leaf with each page's own."""

    BODIES = tuple(f"<h2>Home</h2><h1>{title}</h1>" for title in ("alphas", "bravos", "charly", "deltas"))

    def test_a_section_of_template_alone_has_none(self) -> None:
        (section,) = strip(learned(*self.BODIES, options=PAPER), "<h2>Home</h2>").sections
        assert section.importance == 0.0
        assert section.is_noise

    def test_what_one_page_of_fifteen_has_says_nothing(self) -> None:
        bodies = ["<h2>Home</h2><div><p>Only here</p></div>", *(f"<h2>Home</h2>{'x' * n}" for n in range(1, 15))]
        pattern = learned(*bodies, options=PAPER)
        assert pattern.support == 15
        assert "text=Only here" not in noise(pattern)
        assert [row.name for row in pattern.rows] == ["html", "body", "h2", TEXT_ITEM, TEXT_ITEM]


def test_links_and_images_are_features_too() -> None:
    bodies = [f"<img src=/logo.png><a href=/home>{text}</a><p>{text}" for text in ("one", "two", "three")]
    assert noise(learned(*bodies)) == {"image=/logo.png": 1.0, "link=/home": 1.0}


def test_a_leaf_keeps_the_features_of_highest_confidence() -> None:
    bodies = ["<ul><li>a<li>b</ul>", "<ul><li>a<li>b<li>c</ul>", "<ul><li>a<li>c</ul>"]
    assert noise(learned(*bodies)) == {"text=a": 1.0, "text=b": 0.6667, "text=c": 0.6667}
    assert noise(learned(*bodies, options=RegexTreeOptions(max_features=1))) == {"text=a": 1.0}
    assert noise(learned(*bodies, options=RegexTreeOptions(min_confidence=0.7))) == {"text=a": 1.0}


def test_the_template_says_what_repeats_and_what_may_be_absent() -> None:
    pattern = learned(
        "<h1>a</h1><p>b</p><p>c</p><hr>", "<h1>d</h1><p>e</p><ul><li>x</ul><hr>", "<h1>f</h1><p>g</p><hr><i>i</i>"
    )
    assert [(row.depth, row.name, row.operator, row.pages) for row in pattern.rows] == [
        (0, "html", "", 3),
        (1, "body", "", 3),
        (2, "h1", "", 3),
        (3, TEXT_ITEM, "", 3),
        (2, "p", "*", 3),
        (3, TEXT_ITEM, "", 3),
        (2, "hr", "", 3),
    ]


def test_choices_of_which_one_alternative_is_left_are_no_choices() -> None:
    template = Item("body", [Item(CHOICE, [Item("p", support=4), Item("ul", support=1)], support=5)], support=5)
    finish(template, 5, RegexTreeOptions())
    assert [(item.name, item.optional) for item in template.kids] == [("p", True)]


def test_all_of_a_single_page_is_template_on_other_pages_and_matches_not_itself() -> None:
    body = "<ul><li>Home</li><li>World</li></ul><h1>One</h1>"
    pattern = learned(body, body)
    assert pattern.support == 1
    assert strip(pattern, body.replace("One", "A headline that is new")).text == "A headline that is new"
    assert not strip(pattern, body).matched


def test_fifteen_pages_are_drawn_whatever_the_order_and_repeats() -> None:
    def names(sampled: Sequence[Page]) -> list[str]:
        return [url for url, _ in sample_of(sampled, RegexTreeOptions(), 0)]

    sampled = pages(*(f"<p>{'x' * number}</p>" for number in range(1, 40)))
    assert len(names(sampled)) == 15
    assert names([*reversed(sampled), *sampled[:20]]) == names(sampled)
    copies = [replace(page, url=f"https://ex.com/zz/{number}") for number, page in enumerate(sampled)]
    assert names([*copies, *sampled]) == names(sampled)


# Areas of elements: on a page marked by a browser, and by a template of such pages

BODY = "<div class=banner {}><div class=logo {}><h2>News</h2></div><div class=ad {}><b>Buy {}</b></div></div>{}"
"""A banner of few words that nevertheless fills most of the screen."""

BOXES = ("0 0 800 900", "0 0 800 450", "0 450 800 450")


def banner(number: int, *, marked: bool) -> Page:
    marks = [f'data-stemmer-box="{box}"' if marked else "" for box in BOXES]
    box = ' data-stemmer-box="0 900 800 20"' if marked else ""
    text = "".join(f"<p{box}>{text}</p>" for text in paragraphs(number))
    body = BODY.format(*marks, number, f"<ul>{NAVIGATION}</ul>{text}")
    return Page(f"https://news.example/{number}", f"<html><body>{body}</body></html>")


def of_banners(*, marked: bool) -> RegexTreePattern:
    (pattern,) = RegexTreeLearner().learn([banner(number, marked=marked) for number in range(6)])
    assert isinstance(pattern, RegexTreePattern)
    return pattern


def sections(pattern: RegexTreePattern, *, marked: bool = False) -> list[str]:
    """The beginnings of the sections of a page."""
    page_match = pattern.match(Document(banner(7, marked=marked)))
    assert page_match is not None
    return [section.text.split("\n")[0][:8] for section in page_match.sections]


def test_pages_marked_by_a_browser_are_cut_by_their_boxes_and_others_by_learned_areas() -> None:
    pattern = of_banners(marked=False)
    assert "Buy 7" in sections(pattern, marked=True)
    assert "Buy 7" not in sections(pattern)
    assert sections(of_banners(marked=True)) == sections(pattern, marked=True)


def test_areas_are_shares_of_the_page_and_are_kept() -> None:
    pattern = of_banners(marked=True)
    areas = {row.marks: row.area for row in pattern.rows if row.marks}
    assert areas[("logo",)] == areas[("ad",)]
    assert 0.4 < (areas[("logo",)] or 0) < 0.5
    assert codec.loads(codec.dumps([pattern])) == [pattern]
    assert all(row.area is None for row in of_banners(marked=False).rows)
