"""Learning of returning subtrees."""

from __future__ import annotations

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


def test_siblings_are_shown_as_one_template_with_its_gaps() -> None:
    bodies = [f"<div><p>Updated</p><p>{number} minutes ago</p><p>By our editors</p></div>" for number in (5, 6, 7)]
    assert learned(DomHashOptions(), bodies).templates == (TemplateText("Updated […] By our editors", 3),)
    apart = learned(DomHashOptions(max_gap_siblings=0), bodies).templates
    assert [template.text for template in apart] == ["By our editors", "Updated"]
    assert learned(DomHashOptions(max_gap_chars=10), bodies).templates == apart


@pytest.mark.parametrize(("upper", "kept"), [(0, True), (5, False), (6, True)])
def test_the_upper_threshold_counts_occurrences(upper: int, kept: bool) -> None:
    """Twice on each of three pages."""
    bodies = [f"<p>Read more</p><i>{number}</i><p>Read more</p><b>The end</b>" for number in range(3)]
    texts = [template.text for template in learned(DomHashOptions(max_occurrences=upper), bodies).templates]
    assert any("Read more" in text for text in texts) is kept
    assert any("The end" in text for text in texts)


def test_visit_numbers_make_no_difference() -> None:
    bodies = [f'<ul data-visit={n}><li><a href=/ nonce="{n}">Home</a></li></ul><p>P{n}</p>' for n in range(3)]
    pattern = learned(DomHashOptions(), bodies)
    assert len(pattern.returning) == 4
    assert len(learned(DomHashOptions(ignored_attributes=()), bodies).returning) == 1
    assert pattern.ignored_attributes == DomHashOptions().ignored_attributes
