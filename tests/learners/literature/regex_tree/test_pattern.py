"""A template's labels, sections and stored form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_stemmer import Page, Role
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.literature.regex_tree.pattern import (
    NoisyFeatures,
    RegexTreePattern,
    TemplateRow,
    rows_of,
    template_of_rows,
)
from scrapy_stemmer.learners.literature.regex_tree.template_tree import TEXT_ITEM
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch

PATTERN = RegexTreePattern(
    site="ex.com",
    name="(all pages)",
    support=10,
    score=1.0,
    site_wide=True,
    rows=(
        TemplateRow(0, "html", pages=10),
        TemplateRow(1, "body", pages=10),
        TemplateRow(2, "ul", pages=10, marks=("nav",)),
        TemplateRow(3, "li", 10, "*"),
        TemplateRow(4, TEXT_ITEM, pages=10, noise=(NoisyFeatures(1.0, ("Home",)), NoisyFeatures(0.9, links=("/",)))),
        TemplateRow(2, "|", 9, "?"),
        TemplateRow(3, "div", pages=6),
        TemplateRow(4, TEXT_ITEM, pages=6),
        TemplateRow(3, "table", pages=3),
        TemplateRow(2, "p", pages=9),
        TemplateRow(3, TEXT_ITEM, pages=9, noise=(NoisyFeatures(1.0, ("All rights reserved",)),)),
    ),
)

STORY = "A storm came over the coast in the night, and nobody had seen it coming."
NAV = "<ul class=nav><li>Home<li>News</ul>"
FOOT = "<p>All rights reserved"


def match(body: str, pattern: RegexTreePattern = PATTERN) -> PageMatch | None:
    page = Page("https://ex.com/x", f"<html><body>{body}</body></html>")
    return pattern.match(Document(page))


def matched(body: str) -> PageMatch:
    page_match = match(body)
    assert page_match is not None
    return page_match


def labels(body: str) -> list[tuple[str, Role, float]]:
    return [(block.text, block.role, round(block.noise_confidence, 2)) for block in matched(body).blocks]


def test_blocks_are_template_by_their_text_or_their_section() -> None:
    """News was never seen, but its section has four known characters of eight."""
    assert labels(f"{NAV}<div>{STORY}</div>{FOOT}") == [
        ("Home", Role.TEMPLATE, 1.0),
        ("News", Role.MAIN, 0.5),
        (STORY, Role.MAIN, 0.0),
        ("All rights reserved", Role.TEMPLATE, 1.0),
    ]
    assert labels("<ul class=nav><li>Home<li>Us</ul>")[1] == ("Us", Role.TEMPLATE, 0.67)


def test_lists_of_links_are_template() -> None:
    labelled = labels(f"<div>{STORY}</div><ul><li><a href=/1>First</a><li><a href=/2>Next</a></ul>")
    assert labelled == [(STORY, Role.MAIN, 0.0), ("First", Role.TEMPLATE, 1.0), ("Next", Role.TEMPLATE, 1.0)]


def test_but_not_where_links_are_what_the_page_is_about() -> None:
    links = "".join(f"<li><a href=/{n}>Chapter number {n} of the book</a>" for n in range(9))
    assert {role for _, role, _ in labels(f"{NAV}<h2>Index</h2><ul>{links}</ul>")} == {Role.TEMPLATE, Role.MAIN}
    assert all(role is Role.MAIN for text, role, _ in labels(f"{NAV}<ul>{links}</ul>") if "Chapter" in text)


def test_sections_have_importance() -> None:
    sections = matched(f"{NAV}<div>{STORY}</div>{FOOT}").sections
    assert [(section.text, section.is_star, section.importance, section.is_noise) for section in sections] == [
        ("Home\nNews", True, 0.5, False),
        (STORY, False, 1.0, False),
        ("All rights reserved", False, 0.0, True),
    ]


def test_similarity_is_the_share_of_what_nearly_all_pages_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight items on 8 or more of 10 pages: html, body, ul, li and its text, the choice, p and its text."""
    assert matched(f"{NAV}<div>{STORY}</div>{FOOT}").similarity == 1.0
    assert matched(f"<div>{STORY}</div>").similarity == pytest.approx(3 / 8)
    monkeypatch.setattr("scrapy_stemmer.learners.literature.regex_tree.pattern.SITE_THRESHOLD", 0.4)
    assert match(f"<div>{STORY}</div>") is None


def test_rows_and_trees_are_the_same() -> None:
    assert tuple(rows_of(template_of_rows(PATTERN.rows))) == PATTERN.rows


@pytest.mark.parametrize(
    ("row", "change", "field"),
    [
        (None, {"template": []}, "template"),
        (0, {"depth": 1}, "template[0].depth"),
        (1, {"depth": 0}, "template[1].depth"),
        (2, {"depth": 4}, "template[2].depth"),
        (5, {"depth": 5}, "template[5].depth"),
        (3, {"name": ""}, "template[3].name"),
        (4, {"noise": [{"confidence": 1.5}]}, "template[4].noise[0].confidence"),
    ],
)
def test_what_is_wrong_is_named(row: int | None, change: dict[str, Any], field: str) -> None:
    record = json.loads(codec.dumps([PATTERN]).splitlines()[1])
    (record if row is None else record["template"][row]).update(change)
    with pytest.raises(PatternFileError) as caught:
        codec.loads(codec.dumps([]) + json.dumps(record))
    assert caught.value.field == field
