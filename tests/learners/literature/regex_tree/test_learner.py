"""Counts and choices of the regex-tree learner; contract.py checks what all learners share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scrapy_stemmer import Page, PatternSet, Stripped
from scrapy_stemmer.learners.literature.regex_tree.learner import (
    RegexTreeLearner,
    RegexTreeOptions,
    finish,
    sample_of,
)
from scrapy_stemmer.learners.literature.regex_tree.pattern import RegexTreePattern
from scrapy_stemmer.learners.literature.regex_tree.template_tree import CHOICE, TEXT_ITEM, Item

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

    def test_noise_confidence_is_a_share_of_the_pages_that_have_the_leaf(self) -> None:
        assert noise(learned(*self.BODIES, options=PAPER)) == {
            "text=Home": 1.0,
            "text=alphas": 0.25,
            "text=bravos": 0.25,
            "text=charly": 0.25,
            "text=deltas": 0.25,
        }

    def test_importance_of_a_section(self) -> None:
        stripped = strip(learned(*self.BODIES, options=PAPER), self.BODIES[0])
        (section,) = stripped.sections
        assert section.text == "Home\nalphas"
        assert section.importance == pytest.approx(0.45)
        assert not section.is_noise

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

    def test_what_is_noise_on_a_part_of_the_site_is_noise(self) -> None:
        """The share is of the pages with the leaf, not of all pages."""
        part = [f"<h1>{title}</h1><ul><li>Scores</li></ul>" for title in ("a", "b", "c")]
        rest = [f"<h1>{title}</h1>" for title in ("d", "e", "f", "g", "h")]
        assert noise(learned(*part, *rest)) == {"text=Scores": 1.0}


def test_links_and_images_are_features_too() -> None:
    bodies = [f"<img src=/logo.png><a href=/home>{text}</a><p>{text}" for text in ("one", "two", "three")]
    assert noise(learned(*bodies)) == {"image=/logo.png": 1.0, "link=/home": 1.0}


def test_texts_of_single_pages_are_not_kept_unless_asked_for() -> None:
    bodies = ["<p>one</p>", "<p>two</p>"]
    assert noise(learned(*bodies)) == {}
    assert noise(learned(*bodies, options=PAPER)) == {"text=one": 0.5, "text=two": 0.5}


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


class TestSample:
    BODIES = tuple(f"<p>{'x' * number}</p>" for number in range(1, 40))

    def names(self, sampled: Sequence[Page], seed: int = 0) -> list[str]:
        return [url for url, _ in sample_of(sampled, RegexTreeOptions(), seed)]

    def test_fifteen_pages_are_drawn_whatever_the_order_and_repeats(self) -> None:
        sampled = pages(*self.BODIES)
        names = self.names(sampled)
        assert len(names) == 15
        assert self.names([*reversed(sampled), *sampled[:20]]) == names
        copies = [replace(page, url=f"https://ex.com/zz/{number}") for number, page in enumerate(sampled)]
        assert self.names([*copies, *sampled]) == names

    def test_the_seed_draws_others(self) -> None:
        sampled = pages(*self.BODIES)
        assert self.names(sampled, seed=1) != self.names(sampled)

    def test_trees_are_drawn_as_well(self) -> None:
        read = sample_of(pages(*self.BODIES), RegexTreeOptions(sample_pages=39), 0)
        trees = [Page(url, root) for url, root in read]
        assert len(self.names(trees)) == 15
        assert self.names(trees[::-1]) == self.names(trees)


class TestOnePage:
    BODY = "<ul><li>Home</li><li>World</li></ul><h1>One</h1>"

    def test_all_of_it_is_template_on_other_pages(self) -> None:
        pattern = learned(self.BODY, self.BODY)
        assert pattern.support == 1
        assert strip(pattern, self.BODY.replace("One", "A headline that is new")).text == "A headline that is new"

    def test_it_does_not_match_itself(self) -> None:
        assert not strip(learned(self.BODY), self.BODY).matched
