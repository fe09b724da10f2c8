"""Patterns of returning hashes: labels by subtrees and by fragments, the core of the template, the written form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternFileError
from scrapy_stemmer.learners.literature.repetition.pattern import (
    DomHashPattern,
    Returning,
    ReturningPattern,
    ShinglePattern,
    covered,
    fragment_hashes,
    subtrees_of,
)
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.page.text import tokens
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch

PAGES = 10


def common(*returning: tuple[int, int]) -> dict[str, Any]:
    """Return the fields of all kinds, with these hashes and their numbers of pages."""
    hashes = tuple(Returning(*entry) for entry in sorted(returning))
    return {"site": "news.example", "name": "(all pages)", "support": PAGES, "score": 3.0, "site_wide": True} | {
        "returning": hashes
    }


def both(*returning: tuple[int, int]) -> list[ReturningPattern]:
    return [DomHashPattern(**common(*returning)), ShinglePattern(**common(*returning), width=8)]


def test_similarity_is_the_share_of_the_core_that_a_page_has() -> None:
    """The core is what nearly as many pages had as had the most frequent."""
    for pattern in both((1, 10), (2, 8), (3, 7), (4, 3)):
        assert pattern.core == {1, 2}
        assert pattern.hashes == {1, 2, 3, 4}
        assert [pattern.similarity(found) for found in ({1, 2, 99}, {2, 3}, {3})] == [1.0, 0.5, 0.0]


def record_of(pattern: ReturningPattern) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(codec.dumps([pattern]).split("\n")[1])
    return record


def test_hashes_are_written_by_number_of_pages_as_16_digits() -> None:
    for pattern in both((10, 3), (2**64 - 1, 10), (1, 3)):
        assert record_of(pattern)["returning"] == [
            {"pages": 10, "hashes": ["ffffffffffffffff"]},
            {"pages": 3, "hashes": ["0000000000000001", "000000000000000a"]},
        ]


WRONG: list[Any] = [
    ("returning", [{"pages": PAGES + 1, "hashes": []}], "returning[0].pages"),
    ("returning", [{"pages": 3, "hashes": ["0" * 16, "1"]}], "returning[0].hashes[1]"),
    ("returning", [{"pages": 3, "hashes": ["G" * 16]}], "returning[0].hashes[0]"),
]


@pytest.mark.parametrize(("field", "value", "place"), WRONG)
def test_a_wrong_field_is_named(field: str, value: object, place: str) -> None:
    for pattern in both((1, 3)):
        with pytest.raises(PatternFileError) as error:
            codec.loads(codec.dumps([]) + json.dumps({**record_of(pattern), field: value}))
        assert (error.value.line, error.value.field) == (2, place)


# Labels of a page

MENU = "<ul><li><a href=/>Home</a></li><li><a href=/w>World news</a></li></ul>"
PAGE = f"<html><head><title>{{0}} | News</title></head><body>{MENU}<h1>{{0}}</h1><p>{{1}}</p>{{2}}</body></html>"
CONTACT = "<div>Contact us in town</div>"

SUBTREES = DomHashPattern(**common(*((node.hash, 3) for node in subtrees_of(parse(MENU + CONTACT)).nodes[1:])))
FRAGMENTS = ShinglePattern(
    **common(
        *((int(each), 3) for text in ("Home World news", CONTACT[5:-6]) for each in fragment_hashes(tokens(text), 3))
    ),
    width=3,
)


def match(template: ReturningPattern, html: str) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)))


def noise_of(template: ReturningPattern, *parts: str) -> dict[str, float]:
    matched = match(template, PAGE.format("Rain", *parts))
    assert matched is not None
    return {block.text: round(block.noise_confidence, 3) for block in matched.blocks}


def test_the_same_words_in_other_markup_are_not_template_but_a_run_of_text_alone_is() -> None:
    assert noise_of(SUBTREES, "Contact <i>us</i> in town", CONTACT)["Contact us in town"] == 1.0  # the last one
    assert noise_of(SUBTREES, "Contact <i>us</i> in town", "")["Contact us in town"] == 0.0
    assert noise_of(SUBTREES, "World news", CONTACT)["World news"] == 1.0


def test_less_than_a_window_is_never_found() -> None:
    assert noise_of(FRAGMENTS, "Contact us", CONTACT)["Contact us"] == 0.0


@pytest.mark.parametrize("html", ["", "<p>It rained.</p>", "<p>Rain</p>"])
def test_pages_of_another_make_do_not_match(html: str) -> None:
    assert match(FRAGMENTS, html) is None


@pytest.mark.parametrize(("threshold", "matches"), [(0.0, True), (0.2, True), (0.3, False), (1.0, False)])
def test_a_page_must_have_more_than_the_threshold_of_the_template(
    monkeypatch: pytest.MonkeyPatch, threshold: float, matches: bool
) -> None:
    """The page has two of nine subtrees: the ``div`` and its text."""
    monkeypatch.setattr("scrapy_stemmer.learners.literature.base.SITE_THRESHOLD", threshold)
    assert (match(SUBTREES, f"<html><body><p>It rained.</p>{CONTACT}</body></html>") is not None) is matches


def test_hashes_of_fragments_are_the_same_for_ever() -> None:
    """They are kept in pattern files."""
    assert [f"{value:016x}" for value in fragment_hashes("home news about".split(), 3).tolist()] == ["79c40924d097ea0d"]


def test_a_text_shorter_than_a_window_has_no_fragment() -> None:
    assert fragment_hashes(["a", "b"], 3).tolist() == []
    assert covered([], 3, 2) == [False, False]
