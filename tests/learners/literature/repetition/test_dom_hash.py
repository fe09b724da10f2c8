"""Learning of returning subtrees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.literature.repetition.learner import DomHashLearner, DomHashOptions
from scrapy_stemmer.learners.literature.repetition.pattern import DomHashPattern, TemplateText
from scrapy_stemmer.patterns.base import Role

MICRO = "<body><div id=n><a href=/>Home</a></div><p>P{}</p><div id=f>© X</div></body>"
"""The micro-example of algorithms §3."""


def page(number: int, body: str = MICRO) -> Page:
    return Page(f"https://news.example/{number}", body.format(number))


def learned(options: DomHashOptions, bodies: list[str]) -> DomHashPattern:
    pages = [page(number, body) for number, body in enumerate(bodies)]
    (pattern,) = DomHashLearner(options).learn(pages)
    assert isinstance(pattern, DomHashPattern)
    return pattern


def roles(options: DomHashOptions) -> dict[str, Role]:
    pages = [page(number) for number in (1, 2, 3)]
    stripped = PatternSet(DomHashLearner(options).learn(pages)).strip(pages[0])
    return {block.text: block.role for block in stripped.blocks}


def test_the_micro_example_with_default_options() -> None:
    assert roles(DomHashOptions()) == {"Home": Role.TEMPLATE, "P1": Role.MAIN, "© X": Role.TEMPLATE}


def test_a_lower_threshold_of_one_makes_the_whole_page_template() -> None:
    assert set(roles(DomHashOptions(min_pages=1)).values()) == {Role.TEMPLATE}


@pytest.mark.parametrize(("least", "role"), [(None, Role.TEMPLATE), (6, Role.TEMPLATE), (7, Role.MAIN)])
def test_a_box_on_six_of_twenty_pages(least: int | None, role: Role) -> None:
    pages = [page(number, MICRO + ("<p>Six pages say so</p>" if number < 6 else "")) for number in range(20)]
    stripped = PatternSet(DomHashLearner(DomHashOptions(min_pages=least)).learn(pages)).strip(pages[0])
    assert {block.text: block.role for block in stripped.blocks}["Six pages say so"] is role


def test_small_constructs_are_told_by_their_size() -> None:
    """``© X`` and ``Home`` are a word each, but ``Home`` is a link."""
    assert roles(DomHashOptions(min_words=3)) == {"Home": Role.TEMPLATE, "P1": Role.MAIN, "© X": Role.MAIN}


def test_siblings_are_shown_as_one_template_with_its_gaps() -> None:
    bodies = [f"<div><p>Updated</p><p>{number} minutes ago</p><p>By our editors</p></div>" for number in (5, 6, 7)]
    assert learned(DomHashOptions(), bodies).templates == (TemplateText("Updated […] By our editors", 3),)
    apart = learned(DomHashOptions(max_gap_siblings=0), bodies).templates
    assert [template.text for template in apart] == ["By our editors", "Updated"]
    assert learned(DomHashOptions(max_gap_chars=10), bodies).templates == apart


def test_templates_without_text_are_not_shown() -> None:
    bodies = [f"<a href=/><img src=logo.png></a><p>P{number}</p>" for number in range(3)]
    pattern = learned(DomHashOptions(), bodies)
    assert len(pattern.returning) == 1
    assert pattern.templates == ()


@pytest.mark.parametrize(("upper", "kept"), [(0, True), (5, False), (6, True)])
def test_the_upper_threshold_counts_occurrences(upper: int, kept: bool) -> None:
    """Twice on each of three pages."""
    bodies = [f"<p>Read more</p><i>{number}</i><p>Read more</p><b>The end</b>" for number in range(3)]
    texts = [template.text for template in learned(DomHashOptions(max_occurrences=upper), bodies).templates]
    assert any("Read more" in text for text in texts) is kept
    assert any("The end" in text for text in texts)


def test_occurrences_on_one_page_are_no_support() -> None:
    bodies = ["<p>Rain fell</p>" * 30 + "<b>The end</b>", "<i>x1</i><b>The end</b>", "<i>x2</i><b>The end</b>"]
    assert [template.text for template in learned(DomHashOptions(), bodies).templates] == ["The end"]


def test_visit_numbers_make_no_difference() -> None:
    bodies = [f'<ul data-visit={n}><li><a href=/ nonce="{n}">Home</a></li></ul><p>P{n}</p>' for n in range(3)]
    pattern = learned(DomHashOptions(), bodies)
    assert len(pattern.returning) == 4
    assert len(learned(DomHashOptions(ignored_attributes=()), bodies).returning) == 1
    assert pattern.ignored_attributes == DomHashOptions().ignored_attributes


def test_patterns_hold_what_hashes_and_gaps_depend_on() -> None:
    options = replace(DomHashOptions(), ignored_attributes=("x",), max_gap_siblings=2, max_gap_chars=7)
    pattern = learned(options, [MICRO.format(number) for number in range(3)])
    assert (pattern.ignored_attributes, pattern.max_gap_siblings, pattern.max_gap_chars) == (("x",), 2, 7)
