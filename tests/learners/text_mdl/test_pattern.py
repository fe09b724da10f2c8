"""Templates of paths: what fits them, what of a page they call noise, how they are written."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scrapy_stemmer import MatchOptions, Page, PatternFileError
from scrapy_stemmer.core.document import Document, parse
from scrapy_stemmer.learners.text_mdl.paths import element_paths, text_paths
from scrapy_stemmer.learners.text_mdl.pattern import EssentialPathPattern, TemplatePath
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch, Role

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


ANYTHING = MatchOptions(threshold=0.0)
NOTHING = MatchOptions(threshold=1.0, site_threshold=1.0)


def match(template: EssentialPathPattern, html: str, options: MatchOptions | None = None) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)), options or MatchOptions())


def noise_of(template: EssentialPathPattern, html: str) -> dict[str, float]:
    found = match(template, html, ANYTHING)
    assert found is not None
    return {block.text: block.noise_confidence for block in found.blocks}


def test_a_text_of_the_template_is_noise_where_it_stood() -> None:
    template = pattern(HTML.format(""))
    assert noise_of(template, HTML.format("Rain fell")) == {"Home": 1.0, "Rain fell": 0.0, "Contact us": 1.0}


def test_the_same_text_elsewhere_is_not() -> None:
    template = pattern(HTML.format(""))
    assert noise_of(template, HTML.format("Home"))["Home"] == 0.0


def test_noise_is_the_share_of_pages() -> None:
    template = pattern(HTML.format(""), support=3)
    assert noise_of(template, HTML.format("Rain fell"))["Home"] == 0.75


def test_a_block_is_as_noisy_as_its_characters() -> None:
    """Four of the eleven letters of ``By Jane Doe ago`` are of the template."""
    page = HTML.format("By<b>Jane Doe</b>at")
    template = pattern(HTML.format("By<b></b>at"))
    assert noise_of(template, page)["ByJane Doeat"] == pytest.approx(4 / 11)


def test_repeated_texts_are_noise_in_any_cluster() -> None:
    template = pattern(HTML.format(""))
    elsewhere = pattern("<html><body><p>Read more</p></body></html>", support=2).texts
    page = HTML.format("Read more")
    assert noise_of(template, page)["Read more"] == 0.0
    assert noise_of(replace(template, repeated=elsewhere), page)["Read more"] == 1.0


def test_roles_follow_from_noise() -> None:
    found = match(pattern(HTML.format("")), HTML.format("Rain fell"))
    assert found is not None
    assert [block.role for block in found.blocks] == [Role.TEMPLATE, Role.MAIN, Role.TEMPLATE]


@pytest.mark.parametrize(
    ("tags", "page", "similarity"),
    [
        pytest.param("<p><b>", "<p><b>", 1.0, id="the same"),
        pytest.param("<p><b>", "<p>", 3 / 4, id="the page lacks a path"),
        pytest.param("<p>", "<p><b>", 3 / 3.1, id="a path of the page's own counts a tenth"),
        pytest.param("<p>", "<frameset>", 1 / 3.1, id="nothing but html in common"),
    ],
)
def test_similarity(tags: str, page: str, similarity: float) -> None:
    """Beside the given elements there are ``html`` and ``body``."""
    paths = frozenset(element_paths(parse(page)).values())
    assert pattern(tags).similarity(paths) == pytest.approx(similarity)


def test_a_template_of_little_does_not_fit_every_page() -> None:
    page = frozenset(element_paths(parse(HTML.format("<b><i></i></b>"))).values())
    assert pattern(HTML).similarity(page) > pattern("<p>").similarity(page)


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
    assert match(template, "<p>Rain fell", NOTHING) is None


def test_strictly_a_page_has_all_paths_that_all_pages_had() -> None:
    template = replace(pattern("<p><b>"), support=4)
    often = replace(template, tags=tuple(replace(tag, support=3) for tag in template.tags))
    strict = MatchOptions(threshold=0.5, strict=True)
    assert match(template, "<p>Rain fell", MatchOptions(threshold=0.5)) is not None
    assert match(template, "<p>Rain fell", strict) is None
    assert match(template, "<p><b>Rain fell", strict) is not None
    assert match(often, "<p>Rain fell", strict) is not None


PATTERN = EssentialPathPattern(
    site="news.example",
    name="https://news.example/1",
    support=4,
    score=7.0,
    tags=(TemplatePath(1, 4, "html"), TemplatePath(2**64 - 1, 3, "html/body")),
    texts=(TemplatePath(3, 4, "Home"),),
    repeated=(TemplatePath(5, 2, "Read more"),),
)


def record(**fields: Any) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(codec.dumps([PATTERN]).splitlines()[1])
    return line | fields


def load(line: dict[str, Any]) -> EssentialPathPattern:
    header = codec.dumps([])
    (found,) = codec.loads(header + json.dumps(line))
    assert isinstance(found, EssentialPathPattern)
    return found


def test_what_is_written() -> None:
    line = record()
    assert line["kind"] == "essential_path"
    assert line["tags"] == [
        {"path": "0000000000000001", "support": 4, "example": "html"},
        {"path": "ffffffffffffffff", "support": 3, "example": "html/body"},
    ]
    assert line["texts"] == [{"path": "0000000000000003", "support": 4, "example": "Home"}]
    assert line["repeated"] == [{"path": "0000000000000005", "support": 2, "example": "Read more"}]


def test_what_is_read() -> None:
    assert load(record()) == PATTERN


def test_what_may_be_absent() -> None:
    line = record(tags=[{"path": "0000000000000001", "support": 4}])
    del line["texts"], line["repeated"]
    assert load(line) == replace(PATTERN, tags=(TemplatePath(1, 4),), texts=(), repeated=())


@pytest.mark.parametrize(
    ("field", "entry", "place", "problem"),
    [
        pytest.param("tags", {"support": 4}, "tags[0].path", "missing", id="no path"),
        pytest.param("tags", {"path": "1", "support": 4}, "tags[0].path", "16 hex", id="short path"),
        pytest.param("tags", {"path": "0" * 15 + "G", "support": 4}, "tags[0].path", "16 hex", id="no digits"),
        pytest.param("texts", {"path": "0" * 16, "support": 2}, "texts[0].support", "more than half", id="too few"),
        pytest.param("texts", {"path": "0" * 16, "support": 5}, "texts[0].support", "more than half", id="too many"),
        pytest.param("repeated", {"path": "0" * 16, "support": 0}, "repeated[0].support", "at least 1", id="none"),
        pytest.param(
            "texts", {"path": "0" * 16, "support": 4, "example": 1}, "texts[0].example", "a text", id="example"
        ),
    ],
)
def test_errors_name_the_field(field: str, entry: dict[str, Any], place: str, problem: str) -> None:
    with pytest.raises(PatternFileError, match=problem) as caught:
        load(record(**{field: [entry]}))
    assert (caught.value.field, caught.value.line) == (place, 2)
