"""Labels of a page by a layout pattern."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrapy_stemmer import BlockOptions, Page, Role
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns.base import PageMatch
from tests import microexample

T, M, S, N = Role.TITLE, Role.MAIN, Role.SUB, Role.TEMPLATE

EXTRACTED = LayoutPattern(
    site="ex.com",
    name="micro",
    support=3,
    score=80.564901,
    sections=tuple(
        Section(feature, diffscore, mainscore)
        for feature, diffscore, mainscore in zip(
            microexample.FEATURES,
            [0.514286, 0, 0.734694, 0.747475, 0],
            [12, 0, 12, 49.3333, 0],
            strict=True,
        )
    ),
    title=2,
    blocks=BlockOptions(None, original=True),
)
"""The original's pattern of the micro-example, pages in order 1, 3, 2."""


def match(pattern: LayoutPattern, page: Page, **options: Any) -> PageMatch | None:
    return replace(pattern, **options).match(Document(page))


def labels(pattern: LayoutPattern, page: Page, **options: Any) -> list[tuple[Role, str]]:
    page_match = match(pattern, page, **options)
    assert page_match is not None
    return [(block.role, block.text) for block in page_match.blocks]


def layout(*sections: tuple[str, float, float], **fields: Any) -> LayoutPattern:
    """A pattern of sections given as feature, DiffScore, MainScore."""
    return LayoutPattern(
        site="ex.com",
        name="n",
        support=3,
        score=1.0,
        sections=tuple(Section(*section) for section in sections),
        **fields,
    )


def page(html: str) -> Page:
    return Page("http://ex.com/x", html)


class TestMicroExample:
    """Output of extract.py for page 3 (algorithms §1.12)."""

    @pytest.mark.parametrize(
        ("options", "body"),
        [
            pytest.param({"mainscore": 10}, M, id="with -M 10 the paragraphs are main text"),
            pytest.param({}, S, id="with the default -M 50 they are sub text: their MainScore is 49.33"),
        ],
    )
    def test_roles(self, options: dict[str, Any], body: Role) -> None:
        assert labels(EXTRACTED, microexample.page(3), **options) == [
            (S, "Quick zebra jumps - Example"),
            (N, "Home World News"),
            (T, "Quick zebra jumps"),
            (body, "The zebra was quick and jumps over a fence near the zoo."),
            (N, "Buy one now today"),
            (body, "Visitors were amazed."),
            (N, "Copyright Example Inc"),
        ]

    @pytest.mark.parametrize("number", [1, 2, 3])
    def test_a_pattern_with_one_further_feature(self, number: int) -> None:
        """Strict mode rejects all pages, the default takes all."""
        longer = replace(EXTRACTED, sections=(*EXTRACTED.sections, Section("div:class=more", 0.0, 0.0)))
        assert match(longer, microexample.page(number), strict=True) is None
        assert match(longer, microexample.page(number)) is not None


@pytest.mark.parametrize(
    ("section", "title", "options", "role"),
    [
        pytest.param(("p", 0.5, 50.0), None, {}, M, id="at both thresholds: main text"),
        pytest.param(("p", 0.49, 900.0), None, {}, N, id="below the DiffScore: template, however long"),
        pytest.param(("p", 0.5, 49.9), None, {}, S, id="below the MainScore: sub text"),
        pytest.param(("p", 0.4, 50.0), None, {"diffscore": 0.4}, M, id="another DiffScore [-T]"),
        pytest.param(("p", 0.5, 10.0), None, {"mainscore": 10}, M, id="another MainScore [-M]"),
        pytest.param(("p", 0.0, 0.0), 1, {}, T, id="the title, however alike"),
        pytest.param(("p", 1.0, 900.0), 2, {}, S, id="before the title nothing is main text"),
    ],
)
def test_roles_of_sections(
    section: tuple[str, float, float], title: int | None, options: dict[str, Any], role: Role
) -> None:
    pattern = layout(("title", 0.0, 0.0), section, ("h1", 0.0, 0.0), title=title)
    assert replace(pattern, **options).role_of(1) is role


@pytest.mark.parametrize("original", [False, True])
@pytest.mark.parametrize(
    ("support", "matches"),
    [
        pytest.param(3, False, id="a section that all pages had is required"),
        pytest.param(0, False, id="so is one of which that isn't known, as in imported files"),
        pytest.param(2, True, id="one that some pages lacked is not"),
    ],
)
def test_strict_mode(support: int, *, original: bool, matches: bool) -> None:
    sections = (Section("p", 0.0, 0.0, 3), Section("h1", 0.0, 0.0, support))
    pattern = replace(layout(blocks=BlockOptions(original=original)), sections=sections)
    assert (match(pattern, page("<p>a text</p>"), strict=True) is not None) == matches
    assert match(pattern, page("<p>a text</p>")) is not None


def test_a_page_without_text_matches_nothing() -> None:
    assert match(layout(("p", 1.0, 99.0)), page("")) is None
    assert match(layout(), page("<p>text</p>")) is None


def test_unknown_blocks_beside_main_text_are_main_text_with_doubt() -> None:
    pattern = layout(("h1", 1.0, 9.0), ("p", 0.9, 900.0), title=0)
    page_match = match(pattern, page("<h1>Title</h1><p>Long enough text</p><pre>code</pre>"))
    assert page_match is not None
    assert [(b.role, b.noise_confidence) for b in page_match.blocks] == [
        (T, 0.0),
        (M, pytest.approx(0.1)),
        (M, 0.5),
    ]


def test_with_the_original_alignment_unknown_blocks_are_template() -> None:
    pattern = layout(("h1", 1.0, 9.0), ("p", 0.9, 900.0), title=0, blocks=BlockOptions(original=True))
    labelled = labels(pattern, page("<h1>Title</h1><p>Long enough text, really</p><pre>a code</pre>"))
    assert labelled[-1] == (N, "a code")


def test_repeated_texts_are_template_wherever_they_stand() -> None:
    pattern = replace(layout(), sections=(Section("p", 0.9, 900.0, 3, ("Read more",)),))
    page_match = match(pattern, page("<p>A story</p><p>Read more</p><p>Read more of it</p>"))
    assert page_match is not None
    assert [(b.role, b.noise_confidence) for b in page_match.blocks] == [
        (M, pytest.approx(0.1)),
        (N, 1.0),
        (M, pytest.approx(0.1)),
    ]


def test_pages_are_cut_as_the_pattern_says() -> None:
    html = '<p class="a7">one</p>'
    assert match(layout(("p:class=a", 1.0, 99.0)), page(html)) is not None
    assert match(layout(("p:class=a7", 1.0, 99.0), blocks=BlockOptions(mangle=None)), page(html)) is not None
    assert match(layout(("p:class=a7", 1.0, 99.0)), page(html)) is None
