"""The paths of a page's tree, and templates of paths: fitting, noise, written form."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternFileError
from scrapy_stemmer.learners.literature.text_mdl.pattern import (
    EssentialPathPattern,
    TemplatePath,
    element_paths,
    text_paths,
)
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch

HTML = "<html><body><ul><li>Home</li></ul><p>{}</p><div>Contact us</div></body></html>"


def pattern(html: str, *, support: int = 4, pages: int = 4, site_wide: bool = False) -> EssentialPathPattern:
    """The template of all paths of a page, each on ``support`` of ``pages`` pages."""
    elements = element_paths(parse(html))
    return EssentialPathPattern(
        site="news.example",
        name="https://news.example/1",
        support=pages,
        score=7.0,
        site_wide=site_wide,
        tags=tuple(TemplatePath(path, support) for path in sorted(set(elements.values()))),
        texts=tuple(TemplatePath(path, support, text) for path, text in sorted(text_paths(elements).items())),
    )


def match(template: EssentialPathPattern, html: str) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)))


def noise_of(template: EssentialPathPattern, html: str) -> dict[str, float]:
    page_match = match(replace(template, site_wide=True), html)
    assert page_match is not None
    return {block.text: block.noise_confidence for block in page_match.blocks}


def test_noise_is_the_share_of_pages() -> None:
    template = pattern(HTML.format(""), support=3)
    assert noise_of(template, HTML.format("Rain fell"))["Home"] == 0.75


def test_paths_that_few_pages_have_count_less() -> None:
    common, rare = TemplatePath(1, 4), TemplatePath(2, 3)
    template = replace(pattern(HTML), tags=(common, rare))
    assert template.similarity(frozenset({1})) == pytest.approx(1 / 1.75)
    assert template.similarity(frozenset({2})) == pytest.approx(0.75 / 1.75)


def test_a_template_without_paths_fits_nothing() -> None:
    assert replace(pattern(HTML), tags=()).similarity(frozenset()) == 0.0
    assert match(replace(pattern(HTML), tags=()), HTML) is None


@pytest.mark.parametrize(
    ("site_wide", "matched"), [pytest.param(False, False, id="a layout"), pytest.param(True, True, id="all pages")]
)
def test_a_page_must_fit_better_than_the_threshold(site_wide: bool, matched: bool) -> None:
    template = pattern(HTML, site_wide=site_wide)
    assert (match(template, "<p>Rain fell") is not None) is matched


PATTERN = EssentialPathPattern(
    site="news.example",
    name="https://news.example/1",
    support=4,
    score=7.0,
    tags=(TemplatePath(1, 4, "html"), TemplatePath(2**64 - 1, 3, "html/body")),
    texts=(TemplatePath(3, 4, "Home"),),
)


LINE = codec.dumps([PATTERN]).splitlines()[1]


def test_what_is_read() -> None:
    assert codec.loads(codec.dumps([PATTERN])) == [PATTERN]


@pytest.mark.parametrize(
    ("field", "entry", "place", "problem"),
    [
        pytest.param("tags", {"path": "1", "support": 4}, "tags[0].path", "16 hex", id="short path"),
        pytest.param("texts", {"path": "0" * 16, "support": 2}, "texts[0].support", "between 3 and 4", id="too few"),
        pytest.param("texts", {"path": "0" * 16, "support": 5}, "texts[0].support", "between 3 and 4", id="too many"),
    ],
)
def test_errors_name_the_field(field: str, entry: dict[str, Any], place: str, problem: str) -> None:
    with pytest.raises(PatternFileError, match=problem) as caught:
        codec.loads(codec.dumps([]) + json.dumps({**json.loads(LINE), field: [entry]}))
    assert (caught.value.field, caught.value.line) == (place, 2)
